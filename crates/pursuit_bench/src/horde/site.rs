//! The levels on which a crowd comes to rest.

use bevy::math::Vec2;
use clap::ValueEnum;
use fastrand::Rng;
use pursuit::{Cell, Grid};
use serde::Serialize;

use super::near::{disc_radius, lattice};
use super::world::{RADIUS, SPEED};
use crate::chase::world::PLAYER_SPEED_FRACTION;
use crate::error::BenchError;
use crate::game::walls::WallBoxes;
use crate::samples::Samples;

/// Distance between the starts of neighbors, in radii.
const START_SPACING: f32 = 2.5;
/// Width of a corridor, and of the door of a room, in cells.
const CORRIDOR_WIDTH: u32 = 4;
/// Time for which a leaving target moves, in seconds. The level is large enough for this time.
pub(super) const LEAVE_SECONDS: usize = 15;

/// The place of the target, and whether the target leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SettleScene {
    /// In the open, with agents all around.
    Open,
    /// In a corner of the level.
    Corner,
    /// In the middle of a room that all agents enter by one door.
    Room,
    /// In a corridor, with agents on both sides.
    Corridor,
    /// In the open, with agents all around. The target leaves when the agents have settled.
    Leaves,
}

/// A level for a number of agents.
pub(super) struct Site {
    pub(super) level: Grid,
    pub(super) target: Vec2,
    /// Agents start at an x below the first number. Their distance from the target along x is at least the second
    /// number.
    start_limits: (f32, f32),
}

impl Site {
    /// The level of a scene, for bodies with radii up to `radius`.
    pub(super) fn new(scene: SettleScene, radius: f32, agents: usize) -> Result<Self, BenchError> {
        let disc = disc_radius(agents + 1, radius);
        let side = (6.0 * disc).ceil().max(20.0) as u32;
        let (half, middle) = (side / 2, Vec2::splat((side / 2) as f32 + 0.5));
        let (size, target, start_limits) = match scene {
            SettleScene::Open => ((side, side), middle, (f32::MAX, 0.0)),
            SettleScene::Corner => ((side, side), Vec2::splat(0.5), (f32::MAX, 0.0)),
            SettleScene::Leaves => {
                let way = LEAVE_SECONDS as f32 * PLAYER_SPEED_FRACTION * SPEED;
                ((side + way as u32, side), middle, (side as f32, 0.0))
            }
            SettleScene::Room => {
                let inside = middle + Vec2::new(side as f32 + 1.0, 0.0);
                ((2 * side + 1, side), inside, (side as f32 - radius, 0.0))
            }
            SettleScene::Corridor => {
                let length = (8.0 * disc * disc / CORRIDOR_WIDTH as f32).ceil().max(40.0);
                let target = Vec2::new(length / 2.0, CORRIDOR_WIDTH as f32 / 2.0 + 0.5);
                let size = (length as u32, CORRIDOR_WIDTH);
                (size, target, (f32::MAX, 1.2 * disc))
            }
        };
        // In front of the room is a wall with a door.
        let door = (half - CORRIDOR_WIDTH / 2) as i32..(half + CORRIDOR_WIDTH / 2) as i32;
        let wall = (scene == SettleScene::Room).then_some(side as i32);
        let is_free = |cell: Cell| wall != Some(cell.x) || door.contains(&cell.y);
        let level = Grid::from_fn(size.0, size.1, is_free);
        Ok(Site {
            level: level.map_err(|error| BenchError::of(error.to_string()))?,
            target,
            start_limits,
        })
    }

    /// Random points of a lattice, for bodies with radii up to `radius`.
    pub(super) fn starts(
        &self,
        walls: &WallBoxes,
        radius: f32,
        agents: usize,
        seed: u64,
    ) -> Vec<Vec2> {
        let places = self.free_places(walls, radius, START_SPACING).into_iter();
        let (end, apart) = self.start_limits;
        let begins = |at: &Vec2| at.x < end && (at.x - self.target.x).abs() >= apart;
        let mut places: Vec<Vec2> = places.filter(begins).collect();
        Rng::with_seed(seed).shuffle(&mut places);
        places.truncate(agents);
        places
    }

    /// Mean and greatest distance from the target if this number of bodies stands around the target as densely as
    /// possible.
    pub(super) fn ideal(&self, walls: &WallBoxes, agents: usize) -> Option<(f64, f64)> {
        let free = self.free_places(walls, RADIUS, 2.0).into_iter();
        let mut all: Vec<f64> = free.map(|it| f64::from(it.distance(self.target))).collect();
        all.sort_by(f64::total_cmp);
        all.truncate(agents);
        let all: Samples = all.into_iter().collect();
        Some((all.mean()?, all.max()?))
    }

    /// The points of a lattice around the target at which a body has room, except the position of the target itself.
    fn free_places(&self, walls: &WallBoxes, radius: f32, apart: f32) -> Vec<Vec2> {
        let has_room = |place: &Vec2| {
            let to_rim = place.min(walls.size() - *place).min_element();
            *place != self.target && to_rim >= radius && walls.clearance(*place, radius) >= radius
        };
        let mut places = lattice(walls.size(), self.target, apart * radius);
        places.retain(has_room);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::{RADIUS, SettleScene, Site};
    use crate::game::walls::WallBoxes;

    #[test]
    fn each_site_has_room_for_all_starts_and_an_ideal_crowd() {
        for scene in [
            SettleScene::Open,
            SettleScene::Corner,
            SettleScene::Room,
            SettleScene::Corridor,
            SettleScene::Leaves,
        ] {
            let site = Site::new(scene, RADIUS, 300).unwrap();
            let walls = WallBoxes::of(&site.level);
            let starts = site.starts(&walls, RADIUS, 300, 1);
            assert_eq!(starts.len(), 300, "{scene:?}");
            let away = starts.iter().map(|start| start.distance(site.target));
            let (mean, farthest) = site.ideal(&walls, 300).unwrap();
            assert!(away.sum::<f32>() / 300.0 > mean as f32, "{scene:?}");
            // The mean distance is about 2/3 of the greatest for any sector of a disc, and 1/2 for a line.
            let share = mean / farthest;
            assert!((0.48..0.7).contains(&share), "{scene:?}: {share}");
        }
    }
}
