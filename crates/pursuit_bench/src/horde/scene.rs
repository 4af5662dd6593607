//! The starts of a horde, and the course of its target.

use bevy::math::Vec2;
use clap::ValueEnum;
use fastrand::Rng;
use pursuit::{Cell, CellRect, Grid};
use serde::Serialize;

use super::near::lattice;
use super::target_field::TargetField;
use super::world::RADIUS;
use crate::game::places::Places;
use crate::game::tour::Tour;
use crate::game::walls::{WallBoxes, center};

/// Distance between neighbors in a crowd that stands from the start, in radii.
const STANDING_SPACING_RADII: f32 = 2.02;
/// Width of the opening that all agents have to pass, in cells.
const OPENING_CELLS: i32 = 4;
/// Minimum share of the walkable cells on each side of the wall.
const MIN_SIDE_SHARE: f64 = 0.25;

/// What the horde does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scene {
    /// Agents start all over the level and walk to a standing target.
    Spread,
    /// Agents start all over the level and follow a moving target.
    March,
    /// Agents stand around the target from the start.
    Stand,
    /// All agents start at one point, far from a standing target.
    Point,
    /// Agents walk to a standing target through an opening, four cells wide, in a wall across the level.
    Door,
}

/// A scene on a level.
pub(super) struct Setting {
    /// The level, with the wall across it if the scene has one.
    pub(super) level: Grid,
    /// The course of the target. In scenes with a standing target, the target stays at its start.
    pub(super) tour: Tour,
    pub(super) starts: Vec<Vec2>,
}

impl Setting {
    /// Chooses the starts and the target, for bodies with radii up to `radius`. `None` if the level has no room for the
    /// scene.
    pub(super) fn new(
        level: &Grid,
        scene: Scene,
        radius: f32,
        agents: usize,
        seed: u64,
    ) -> Option<Self> {
        let (level, wall) = match scene {
            Scene::Door => wall_across(level)?,
            _ => (level.clone(), 0),
        };
        let tour = Tour::new(&level, RADIUS, seed)?;
        let mut random = Rng::with_seed(seed ^ 0x5EED);
        let mut cells = Places::new(&level, radius)?.largest;
        let target = tour.position();
        random.shuffle(&mut cells);
        let is_beyond = |cell: &Cell| (cell.x < wall) != (target.x < wall as f32);
        let places: Vec<Vec2> = match scene {
            Scene::Spread | Scene::March => cells.into_iter().map(center).collect(),
            Scene::Door => cells.into_iter().filter(is_beyond).map(center).collect(),
            Scene::Point => {
                let far = |cell: &&Cell| center(**cell).distance(target);
                vec![center(
                    *cells.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?,
                )]
            }
            Scene::Stand => standing(&level, target, radius),
        };
        let starts: Vec<Vec2> = places.iter().copied().cycle().take(agents).collect();
        (starts.len() == agents).then_some(Setting {
            level,
            tour,
            starts,
        })
    }
}

/// Places around a target where bodies can stand, the nearest first.
fn standing(level: &Grid, target: Vec2, radius: f32) -> Vec<Vec2> {
    let (walls, mut target_field) = (WallBoxes::of(level), TargetField::new(level, radius));
    target_field.lead_to(target);
    let places = lattice(walls.size(), target, STANDING_SPACING_RADII * radius).into_iter();
    let free = places.filter(|&place| place != target && walls.clearance(place, radius) >= radius);
    let mut by_cost: Vec<(u32, Vec2)> = free
        .filter_map(|place| Some((target_field.cost(place)?, place)))
        .collect();
    by_cost.sort_by_key(|(cost, _)| *cost);
    by_cost.into_iter().map(|(_, place)| place).collect()
}

/// The level with a wall across it near the middle, and the column of the wall. The wall has one opening.
fn wall_across(level: &Grid) -> Option<(Grid, i32)> {
    let (width, height) = (level.width() as i32, level.height() as i32);
    let mut columns: Vec<i32> = (1..width - 1).collect();
    columns.sort_by_key(|x| (x - width / 2).abs());
    let is_open = |x: i32, y: i32| {
        let mut ahead =
            (x - 1..=x + 1).flat_map(|x| (y..y + OPENING_CELLS).map(move |y| Cell::new(x, y)));
        ahead.all(|cell| level.is_free(cell))
    };
    columns.into_iter().find_map(|x| {
        let mut rows: Vec<i32> = (0..height).collect();
        rows.sort_by_key(|y| (y - height / 2).abs());
        let y = rows.into_iter().find(|&y| is_open(x, y))?;
        let mut builder = level.to_builder();
        builder.fill(
            CellRect::new(Cell::new(x, 0), Cell::new(x + 1, height)),
            false,
        );
        builder.fill(
            CellRect::new(Cell::new(x, y), Cell::new(x + 1, y + OPENING_CELLS)),
            true,
        );
        let walled = builder.build();
        let places = Places::new(&walled, RADIUS)?;
        let all = places.largest.len();
        let left = places.largest.iter().filter(|cell| cell.x < x).count();
        let least = left.min(all - left) as f64;
        (least >= MIN_SIDE_SHARE * all as f64 && all > places.others.len()).then_some((walled, x))
    })
}

#[cfg(test)]
mod tests {
    use super::{RADIUS, Scene, Setting};
    use crate::game::walls::WallBoxes;
    use bevy::math::Vec2;
    use pursuit::{Cell, Grid};

    #[test]
    fn agents_of_each_scene_start_clear_of_walls() {
        let level = Grid::from_fn(40, 30, |cell| cell.x % 13 != 5 || cell.y % 7 < 5).unwrap();
        for scene in [
            Scene::Spread,
            Scene::March,
            Scene::Stand,
            Scene::Point,
            Scene::Door,
        ] {
            let setting = Setting::new(&level, scene, RADIUS, 300, 3).unwrap();
            let (walls, target) = (WallBoxes::of(&setting.level), setting.tour.position());
            assert_eq!(setting.starts.len(), 300);
            let room = |place: &Vec2| walls.clearance(*place, RADIUS) >= RADIUS;
            assert!(setting.starts.iter().all(room), "{scene:?}");
            let farthest = setting.starts.iter().map(|place| place.distance(target));
            let farthest = farthest.fold(0.0, f32::max);
            assert_eq!(
                farthest < 12.0,
                scene == Scene::Stand,
                "{scene:?}: {farthest}"
            );
        }
        assert!(
            Setting::new(
                &Grid::from_fn(3, 3, |_| false).unwrap(),
                Scene::March,
                RADIUS,
                1,
                1
            )
            .is_none()
        );
    }

    #[test]
    fn a_door_scene_has_one_opening_between_all_agents_and_the_target() {
        let level = Grid::from_fn(40, 30, |_| true).unwrap();
        let setting = Setting::new(&level, Scene::Door, RADIUS, 50, 3).unwrap();
        let open = |x: &i32| {
            (0..30)
                .filter(|y| setting.level.is_free(Cell::new(*x, *y)))
                .count()
        };
        let walled: Vec<i32> = (0..40).filter(|x| open(x) < 30).collect();
        assert_eq!((walled.len(), open(&walled[0])), (1, 4));
        let wall = walled[0] as f32;
        let is_left = |place: Vec2| place.x < wall;
        let target = is_left(setting.tour.position());
        assert!(setting.starts.iter().all(|start| is_left(*start) != target));
    }
}
