//! The hunted: a body that walks to random places it can reach, on paths of its own.

use bevy::math::Vec2;
use bevy::prelude::Resource;
use fastrand::Rng;
use pursuit::{Cell, Grid, PathOptions, Room, SearchScratch, TautScratch, taut_path};

use super::places::Places;
use super::walls::from_cell_space;
use crate::ground::complete;

/// Part of its radius that the body keeps from corners where there is room, as agents do: between two
/// corners close together, a course that touches them turns less.
const CORNER_MARGIN: f32 = 0.05;

/// Where a body of one radius can walk, and one body that does.
#[derive(Resource)]
pub(crate) struct Tour {
    places: Places,
    radius: f32,
    random: Rng,
    scratch: SearchScratch,
    at: Cell,
    position: Vec2,
    /// Waypoints ahead, the next one last.
    ahead: Vec<Vec2>,
}

impl Tour {
    /// A tour of the largest part of the level that hangs together for a body of `radius` cells.
    /// `None` where such a body fits nowhere.
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

    /// Where the body is, in world units.
    pub(crate) fn position(&self) -> Vec2 {
        self.position
    }

    /// A random cell from which the body can be reached.
    pub(crate) fn random_place(&mut self) -> Cell {
        let at = self.at;
        self.random
            .choice(&self.places.largest)
            .copied()
            .unwrap_or(at)
    }

    /// Walks `distance` world units, to the next place where this one is reached.
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

    /// Plans the way to the next place.
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
    use crate::game::walls::Walls;
    use pursuit::maps::parse_ascii;

    const LEVEL: &str = "\
.....#..
.###.#..
.#...###
.#.#....
...#.##.
";

    #[test]
    fn the_tour_keeps_its_pace_and_clear_of_walls() {
        let level = parse_ascii(LEVEL).unwrap().grid;
        let walls = Walls::of(&level);
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
