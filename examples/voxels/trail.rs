//! The ways on the boards: a thread to the current cube while a search runs, then its path, and who walks it.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit_examples::art::{classic, palette};
use pursuit_lab::recording::RecordedVoxels;
use pursuit_lab::voxels::Voxel;

use crate::level::Level;
use crate::orbit::layer;
use crate::paint::{Paint, Plain};
use crate::race::{BOARDS, Board, Race};
use crate::solid::{Solid, corner, to_world};
use crate::solve::Gait;

/// Half of how thick things are, in cubes.
const THREAD: f32 = 0.055;
const PATH: f32 = 0.11;
const BEAD: f32 = 0.23;
/// How high a way is above the ground for who walks.
const HEIGHT: f32 = 0.34;
/// Cubes per second of who walks the path, and how many seconds they rest at its end.
const SPEED: f32 = 7.0;
const REST: f32 = 1.5;

/// The way on a board.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Trail(usize);

/// Who is to go from the start to the goal, and how far they have gone along the path.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Pawn {
    board: usize,
    walked: f32,
}

/// The flag at the goal.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Flag;

pub(crate) fn spawn_trails(
    mut commands: Commands,
    plain: Res<Plain>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let paint = || MeshMaterial3d::<Paint>(plain.0.clone());
    let pawn = meshes.add(pawn());
    for board in 0..BOARDS {
        let mesh = Mesh3d(meshes.add(Solid::default().build()));
        commands.spawn((Trail(board), mesh, paint(), layer(board), NoFrustumCulling));
        let pawn = (Pawn { board, walked: 0.0 }, Mesh3d(pawn.clone()));
        commands.spawn((pawn, paint(), layer(board)));
    }
    commands.spawn((Flag, Mesh3d(meshes.add(flag())), paint()));
}

/// Somebody in a yellow coat and a blue cap, one cube high, who stands on the origin.
fn pawn() -> Mesh {
    let mut solid = Solid::default();
    let mut block = |height: f32, half: [f32; 3], color: Color| {
        solid.block(Vec3::Y * height, half.into(), color.into());
    };
    block(0.08, [0.20, 0.08, 0.20], palette::INK);
    block(0.36, [0.25, 0.22, 0.25], palette::PLAYER);
    block(0.72, [0.21, 0.15, 0.21], palette::SKIN);
    block(0.90, [0.24, 0.06, 0.24], palette::PLAYER_CAP);
    block(0.98, [0.10, 0.05, 0.10], palette::PLAYER_CAP_LIGHT);
    solid.build()
}

/// A green flag on a pole.
fn flag() -> Mesh {
    let mut solid = Solid::default();
    let mut block = |center: [f32; 3], half: [f32; 3], color: Color| {
        solid.block(center.into(), half.into(), color.into());
    };
    block([0.0, 0.04, 0.0], [0.28, 0.04, 0.28], palette::GOLD);
    block([0.0, 1.4, 0.0], [0.06, 1.4, 0.06], palette::LINEN);
    block([0.62, 2.34, 0.0], [0.56, 0.36, 0.04], classic::PATH_GOAL);
    block([0.0, 2.86, 0.0], [0.10, 0.08, 0.10], palette::GOLD);
    solid.build()
}

/// Puts the flag where the goal is.
pub(crate) fn place_flag(level: Res<Level>, mut flag: Single<&mut Transform, With<Flag>>) {
    if level.is_changed() {
        flag.translation = foot(&level, level.goal);
    }
}

/// Draws the ways anew when the replays moved.
pub(crate) fn draw_trails(
    level: Res<Level>,
    race: Res<Race>,
    trails: Query<(&Trail, &Mesh3d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !race.is_changed() {
        return;
    }
    for (trail, mesh) in &trails {
        let board = race.boards().get(trail.0);
        let solid = board.map(|board| draw(&level, race.gait, board));
        // The handle is alive: the trail holds it.
        let _ = meshes.insert(mesh.0.id(), solid.unwrap_or_default().build());
    }
}

/// The path when the search is over, else the thread.
fn draw(level: &Level, gait: Gait, board: &Board) -> Solid {
    let mut solid = Solid::default();
    if board.replay.is_at_end() {
        let way = points(level, gait, &board.voxels);
        let last = board.voxels.len().saturating_sub(1).max(1) as f32;
        let color = |part: f32| LinearRgba::from(classic::path_color(part / last));
        string(&mut solid, &way, PATH, color);
        let places = way.iter().filter(|(part, _)| part.fract() == 0.0);
        for &(part, at) in places {
            solid.block(at, Vec3::splat(BEAD), color(part));
        }
    } else if let Some(current) = board.replay.current() {
        let layers = RecordedVoxels::of(&level.grid, gait.movement());
        let cells = board.replay.way_to(current);
        let voxels = cells.iter().map(|&cell| layers.voxel(cell));
        let way = points(level, gait, &voxels.collect::<Vec<_>>());
        let color = LinearRgba::from(classic::CURRENT.mix(&palette::LINEN, 0.25));
        string(&mut solid, &way, THREAD, |_| color);
    }
    solid
}

/// The points of a way in the world, with their places on it. Who climbs goes up first and then aside, or aside first and
/// then down: there lies a point between two cubes.
fn points(level: &Level, gait: Gait, voxels: &[Voxel]) -> Vec<(f32, Vec3)> {
    let height = if gait == Gait::Fly { 0.5 } else { HEIGHT };
    let at = |voxel: Voxel| foot(level, voxel) + Vec3::Y * height;
    let mut points = Vec::with_capacity(voxels.len() * 2);
    for (place, &voxel) in voxels.iter().enumerate() {
        if let Some(before) = place.checked_sub(1).map(|before| voxels[before]) {
            let is_aside = (before.x, before.y) != (voxel.x, voxel.y);
            if is_aside && before.z != voxel.z {
                let column = if voxel.z > before.z { before } else { voxel };
                let bend = Voxel::new(column.x, column.y, before.z.max(voxel.z));
                points.push((place as f32 - 0.5, at(bend)));
            }
        }
        points.push((place as f32, at(voxel)));
    }
    points
}

/// The middle of the ground of a cube, in the world.
fn foot(level: &Level, voxel: Voxel) -> Vec3 {
    to_world(&level.grid, corner(voxel) + Vec3::new(0.5, 0.5, 0.0))
}

/// A string along a way, in a color for each place on it.
fn string(solid: &mut Solid, way: &[(f32, Vec3)], half: f32, color: impl Fn(f32) -> LinearRgba) {
    for leg in way.windows(2) {
        let [(from_part, from), (to_part, to)] = [leg[0], leg[1]];
        let (along, middle) = (to - from, (from + to) / 2.0);
        let length = along.length().max(1e-3);
        solid.shaded(middle, along.abs() / 2.0 + Vec3::splat(half), |at| {
            let part = (at - from).dot(along) / (length * length);
            color(from_part + (to_part - from_part) * part.clamp(0.0, 1.0))
        });
    }
}

/// Lets everybody wait at the start, and walk when the path is known.
pub(crate) fn move_pawns(
    time: Res<Time>,
    level: Res<Level>,
    race: Res<Race>,
    mut pawns: Query<(&mut Pawn, &mut Transform)>,
) {
    for (mut pawn, mut transform) in &mut pawns {
        let board = race.boards().get(pawn.board);
        let board = board.filter(|board| board.replay.is_at_end() && board.is_complete);
        let Some(board) = board else {
            pawn.walked = 0.0;
            transform.translation = foot(&level, level.start);
            continue;
        };
        let last = board.voxels.len().saturating_sub(1) as f32;
        pawn.walked += time.delta_secs() * SPEED;
        if pawn.walked > last + REST * SPEED {
            pawn.walked = 0.0;
        }
        let hop = if race.gait == Gait::Fly { 0.18 } else { HEIGHT };
        let hop = hop * (pawn.walked.fract() * std::f32::consts::PI).sin();
        let is_there = pawn.walked >= last;
        let at = place_on(&level, &board.voxels, pawn.walked.min(last));
        transform.translation = at + Vec3::Y * if is_there { 0.0 } else { hop };
    }
}

/// Where somebody is who has gone so many cubes along a path.
fn place_on(level: &Level, voxels: &[Voxel], walked: f32) -> Vec3 {
    let at = |place: usize| {
        let voxel = voxels.get(place).or(voxels.last());
        voxel.map_or(Vec3::ZERO, |&voxel| foot(level, voxel))
    };
    let place = walked.floor().max(0.0) as usize;
    at(place).lerp(at(place + 1), walked.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;

    #[test]
    fn ways_lead_along_the_axes_around_the_edges_of_steps() {
        let level = hill().expect("a good size");
        let voxels = [(1, 1, 1), (2, 1, 2), (2, 2, 2), (2, 3, 0)];
        let voxels = voxels.map(|(x, y, z)| Voxel::new(x, y, z));
        let way = points(&level, Gait::Climb, &voxels);
        assert_eq!(way.len(), voxels.len() + 2, "up and down");
        for leg in way.windows(2) {
            let along = (leg[1].1 - leg[0].1).abs();
            let axes = along.to_array().into_iter().filter(|&part| part > 1e-4);
            assert_eq!(axes.count(), 1);
        }
        assert_eq!(points(&level, Gait::Fly, &voxels[1..3]).len(), 2);
    }

    #[test]
    fn who_walks_is_at_the_ends_at_the_ends() {
        let level = hill().expect("a good size");
        let voxels = [
            Voxel::new(1, 1, 1),
            Voxel::new(2, 1, 1),
            Voxel::new(3, 1, 1),
        ];
        assert_eq!(place_on(&level, &voxels, 0.0), foot(&level, voxels[0]));
        assert_eq!(place_on(&level, &voxels, 2.0), foot(&level, voxels[2]));
        let half = place_on(&level, &voxels, 0.5);
        assert_eq!(half.x, foot(&level, voxels[0]).x + 0.5);
    }
}
