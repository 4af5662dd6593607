//! What the searches know of each cube, as small cubes: one mesh, five paints, and an entity for each mark.

use std::collections::HashMap;

use bevy::prelude::*;
use pursuit_examples::art::{classic, palette};
use pursuit_lab::recording::RecordedVoxels;
use pursuit_lab::replay::{Changes, Mark};
use pursuit_lab::voxels::Voxel;

use crate::level::Level;
use crate::orbit::layer;
use crate::paint::Paint;
use crate::race::{BOARDS, Race};
use crate::solid::{Solid, corner, to_world};
use crate::solve::Gait;

/// What is drawn of a [`Mark`], in the order of [`PAINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Current,
    Examined,
    Discovered,
    Improved,
    Closed,
}

impl Kind {
    fn of(mark: Mark) -> Option<Self> {
        Some(match mark {
            Mark::Current => Self::Current,
            Mark::Examined => Self::Examined,
            Mark::Discovered => Self::Discovered,
            Mark::Open => Self::Improved,
            Mark::Closed | Mark::Path => Self::Closed,
            _ => return None,
        })
    }

    /// Its paint.
    fn color(self) -> Color {
        match self {
            Self::Current => classic::CURRENT,
            Self::Examined => classic::EXAMINED,
            Self::Discovered => classic::DISCOVERED,
            Self::Improved => classic::IMPROVED,
            Self::Closed => classic::CLOSED.mix(&palette::LINEN, 0.12),
        }
    }

    /// How large its cube is. Who walks leaves cubes on the ground; those in the air are smaller, to be looked through.
    fn size(self, gait: Gait) -> Vec3 {
        let is_flying = gait == Gait::Fly;
        Vec3::splat(match self {
            Self::Current => 0.78,
            Self::Examined => 0.52,
            Self::Discovered | Self::Improved => {
                if is_flying {
                    0.36
                } else {
                    0.48
                }
            }
            Self::Closed => {
                if is_flying {
                    0.17
                } else {
                    0.3
                }
            }
        })
    }
}

/// In the order of [`Kind`].
const PAINTS: [Kind; 5] = [
    Kind::Current,
    Kind::Examined,
    Kind::Discovered,
    Kind::Improved,
    Kind::Closed,
];

/// What all marks share, and which there are: by board and cube.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Marks {
    mesh: Handle<Mesh>,
    paints: [Handle<Paint>; PAINTS.len()],
    entities: [HashMap<Voxel, Entity>; BOARDS],
}

impl FromWorld for Marks {
    fn from_world(world: &mut World) -> Self {
        let mut cube = Solid::default();
        cube.block(Vec3::ZERO, Vec3::splat(0.5), LinearRgba::WHITE);
        let mesh = world.resource_mut::<Assets<Mesh>>().add(cube.build());
        let mut paints = world.resource_mut::<Assets<Paint>>();
        Self {
            mesh,
            paints: PAINTS.map(|kind| paints.add(Paint::from(kind.color()))),
            entities: Default::default(),
        }
    }
}

/// Sets the marks that changed.
pub(crate) fn set_marks(
    mut commands: Commands,
    level: Res<Level>,
    mut race: ResMut<Race>,
    mut marks: ResMut<Marks>,
    mut cubes: Query<(&mut MeshMaterial3d<Paint>, &mut Transform)>,
) {
    if !race.is_changed() {
        return;
    }
    let Marks {
        mesh,
        paints,
        entities,
    } = &mut *marks;
    // To ask what changed changes nothing that others look at.
    let race = race.bypass_change_detection();
    if race.boards.is_err() {
        entities
            .iter_mut()
            .for_each(|all| clear(&mut commands, all));
    }
    let gait = race.gait;
    let layers = RecordedVoxels::of(&level.grid, gait.movement());
    for ((place, board), entities) in race.boards_mut().iter_mut().enumerate().zip(entities) {
        let changed: Vec<Voxel> = match board.replay.take_changes() {
            Changes::Cells(cells) => cells.iter().map(|&cell| layers.voxel(cell)).collect(),
            Changes::All => {
                clear(&mut commands, entities);
                level.grid.bounds().voxels().collect()
            }
        };
        for voxel in changed {
            let mark = layers.cell(voxel).map(|cell| board.replay.mark(cell));
            let Some(kind) = mark.and_then(Kind::of) else {
                if let Some(entity) = entities.remove(&voxel) {
                    commands.entity(entity).despawn();
                }
                continue;
            };
            let paint = MeshMaterial3d(paints[kind as usize].clone());
            let transform = stand(&level, voxel, kind.size(gait), gait);
            match entities.get(&voxel).map(|&entity| cubes.get_mut(entity)) {
                Some(Ok(mut parts)) => (*parts.0, *parts.1) = (paint, transform),
                // One that was spawned in this frame is not among the changes twice.
                Some(Err(_)) => {}
                None => {
                    let mesh = Mesh3d(mesh.clone());
                    let mark = commands.spawn((mesh, paint, transform, layer(place)));
                    entities.insert(voxel, mark.id());
                }
            }
        }
    }
}

fn clear(commands: &mut Commands, entities: &mut HashMap<Voxel, Entity>) {
    for (_, entity) in entities.drain() {
        commands.entity(entity).despawn();
    }
}

/// Where a mark of that size is in a cube: in its middle, or on its ground.
fn stand(level: &Level, voxel: Voxel, size: Vec3, gait: Gait) -> Transform {
    let height = match gait {
        Gait::Fly => 0.5,
        Gait::Walk | Gait::Climb => size.y / 2.0,
    };
    let middle = corner(voxel) + Vec3::new(0.5, 0.5, height);
    Transform::from_translation(to_world(&level.grid, middle)).with_scale(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;
    use crate::race::Shown;
    use pursuit_examples::replays::Replays;

    #[test]
    fn there_is_a_mark_for_each_cube_that_a_search_knows() {
        let level = hill().expect("a good size");
        let mut app = App::new();
        app.insert_resource(Race::new(&level, Gait::Walk, Shown::Both, 0.4))
            .insert_resource(level)
            .init_resource::<Assets<Mesh>>()
            .init_resource::<Assets<Paint>>()
            .init_resource::<Marks>()
            .add_systems(Update, set_marks);
        let mut counts = Vec::new();
        for part in [0.4, 0.6, 0.2, 0.0] {
            app.world_mut().resource_mut::<Race>().seek(part);
            app.update();
            let level = app.world().resource::<Level>().clone();
            let race = app.world().resource::<Race>();
            let known = race.boards().iter().flat_map(|board| {
                let layers = board.replay.recording().search().voxels.expect("cubes");
                let marks = level
                    .grid
                    .bounds()
                    .voxels()
                    .filter_map(move |at| layers.cell(at));
                marks.filter_map(|cell| Kind::of(board.replay.mark(cell)))
            });
            let known = known.count();
            let mut cubes = app.world_mut().query::<&MeshMaterial3d<Paint>>();
            assert_eq!(cubes.iter(app.world()).count(), known);
            counts.push(known);
        }
        assert!(counts[1] > counts[0] && counts[0] > counts[2] && counts[3] == 0);
    }

    #[test]
    fn what_waits_is_larger_than_what_is_done() {
        for gait in Gait::ALL {
            let volume = |kind: Kind| kind.size(gait).element_product();
            assert!(
                PAINTS
                    .windows(2)
                    .all(|pair| volume(pair[0]) >= volume(pair[1]))
            );
        }
    }
}
