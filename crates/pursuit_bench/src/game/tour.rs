//! The course of the chased body, which walks to random places. Its paths do not come from the plugin.

use bevy::math::Vec2;
use bevy::prelude::Resource;
use fastrand::Rng;
use pursuit::{Cell, Grid, PathOptions, Room, SearchScratch, TautScratch, taut_path};

use super::places::Places;
use super::walls::from_cell_space;
use crate::ground::complete;

/// Extra distance that the body keeps from corners if there is room, as a fraction of its radius. Agents keep the same
/// distance. Without the extra distance, the course would turn less than agents do between two corners that are close
/// together.
const CORNER_MARGIN: f32 = 0.05;

/// A walking body, and the places where it can be.
#[derive(Resource)]
pub(crate) struct Tour {
    places: Places,
    radius: f32,
    random: Rng,
    scratch: SearchScratch,
    at: Cell,
    position: Vec2,
    /// The remaining waypoints. The next waypoint is the last in the list.
    ahead: Vec<Vec2>,
}

impl Tour {
    /// A tour of the largest connected region of the level, for a body of `radius` cells. `None` if the body does not
    /// fit anywhere.
    pub(crate) fn new(level: &Grid, radius: f32, seed: u64) -> Option<Self> {
        let places = Places::new(level, radius)?;
        let mut random = Rng::with_seed(seed);
        let at = random.choice(&places.largest).copied()?;
        Some(Tour {
            places,
            radius,
            random,
            scratch: SearchScratch::new(),
            at,
            position: from_cell_space(at.center()),
            ahead: Vec::new(),
        })
    }

    /// The position of the body, in world units.
    pub(crate) fn position(&self) -> Vec2 {
        self.position
    }

    /// A random cell of the region in which the body is.
    pub(crate) fn random_place(&mut self) -> Cell {
        let at = self.at;
        self.random
            .choice(&self.places.largest)
            .copied()
            .unwrap_or(at)
    }

    /// Walks `distance` world units. When the body reaches its goal, it continues to a new random goal.
    pub(crate) fn walk(&mut self, mut distance: f32) {
        while distance > 0.0 {
            if self.ahead.is_empty() {
                self.plan_next();
            }
            let Some(&next) = self.ahead.last() else {
                return;
            };
            let remaining = self.position.distance(next);
            if remaining > distance {
                self.position += (next - self.position) * (distance / remaining);
                return;
            }
            self.position = next;
            self.ahead.pop();
            distance -= remaining;
        }
    }

    /// Plans the path to a random place.
    fn plan_next(&mut self) {
        let goal = self.random_place();
        let options = PathOptions::default();
        let found = (self.places.layers).find_path(self.at, goal, &options, &mut self.scratch);
        let Some(found) = complete(found) else { return };
        let start = self.at.center();
        let turns = &found.path.turns;
        let room = Room {
            radius: self.radius,
            margin: CORNER_MARGIN * self.radius,
        };
        let taut = taut_path(
            &self.places.clearance,
            start,
            turns,
            Some(goal.center()),
            room,
            &mut TautScratch::new(),
        );
        self.ahead = taut.into_iter().rev().map(from_cell_space).collect();
        self.at = goal;
    }
}

#[cfg(test)]
mod tests {
    use super::Tour;
    use crate::game::walls::WallBoxes;
    use pursuit::maps::parse_ascii;

    const LEVEL: &str = "\
.....#..
.###.#..
.#...###
.#.#....
...#.##.
";

    #[test]
    fn the_tour_keeps_its_speed_and_its_distance_from_walls() {
        let level = parse_ascii(LEVEL).unwrap().grid;
        let walls = WallBoxes::of(&level);
        let mut tour = Tour::new(&level, 0.4, 1).unwrap();
        let mut last = tour.position();
        let mut farthest: f32 = 0.0;
        for _ in 0..2000 {
            tour.walk(0.08);
            let position = tour.position();
            assert!(
                last.distance(position) < 0.0801,
                "from {last} to {position}"
            );
            let near = walls.distance(position, 0.399);
            assert_eq!(near, None, "in a wall at {position}");
            farthest = farthest.max(position.distance(last));
            last = position;
        }
        assert!(farthest > 0.07, "the tour stands still");
    }
}
