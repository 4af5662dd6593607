//! Measures a horde on a level.

use std::time::Instant;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;

use super::near::{Closeness, disc_radius};
use super::target_field::TargetField;
use super::world::{HordeAgents, Positions, Target};
use crate::clock::thread_ms;
use crate::edit::doors::Doors;
use crate::feel::turns::Turns;
use crate::game::positions::position_of_only;
use crate::game::stages::StageClock;
use crate::game::walls::WallBoxes;
use crate::samples::Samples;

/// An agent is part of the crowd at the target if its distance to the target is at most this factor times the radius of
/// the disc of all agents.
const CROWD_RADIUS_FACTOR: f32 = 1.5;
/// Number of ticks between two measurements of the progress toward the target.
const PROGRESS_INTERVAL_TICKS: u64 = 15;
/// An agent moves if its step is longer than this fraction of a step at full speed.
const MIN_MOVE_FRACTION: f32 = 0.01;
/// The heading of a step is measured if the step is longer than this fraction of a step at full speed.
const MIN_HEADING_FRACTION: f32 = 0.05;
/// Three distances, in radii. A cell is open if some point near its center has no wall within the second distance;
/// otherwise it is narrow. "Near" means within the first distance. The third distance is the spacing of the points that
/// are tried.
const NARROW_RADII: [f32; 3] = [3.0, 2.2, 0.5];

/// Measurements of all ticks after the first second, unless a field says otherwise.
pub(super) struct Meter {
    kind: HordeAgents,
    pub(super) positions: Positions,
    before: Vec<Vec2>,
    turns: Vec<Turns>,
    narrow: NarrowCells,
    pub(super) target_field: TargetField,
    pub(super) closeness: Closeness,
    pub(super) edits: u64,
    /// The fraction of the agents that moved, for each tick.
    pub(super) moved_share: Samples,
    /// How far agents walked toward the target, as a fraction of the distance at full speed. Agents in the crowd at the
    /// target are left out.
    pub(super) progress: Samples,
    /// Duration of whole updates: elapsed time, and CPU time of this thread. Then the time of the plugin's systems in
    /// these updates.
    pub(super) update_ms: [Samples; 2],
    pub(super) main_thread_ms: Samples,
    /// Elapsed time of the updates in the first second.
    pub(super) first_ms: Samples,
    ticks: u64,
}

impl Meter {
    pub(super) fn new(kind: HordeAgents, target_field: TargetField, starts: &[Vec2]) -> Self {
        Meter {
            kind,
            positions: Positions {
                places: starts.to_vec(),
                ..Positions::default()
            },
            before: Vec::new(),
            turns: vec![Turns::default(); starts.len()],
            narrow: NarrowCells::default(),
            target_field,
            closeness: Closeness::default(),
            edits: 0,
            moved_share: Samples::default(),
            progress: Samples::default(),
            update_ms: Default::default(),
            main_thread_ms: Samples::default(),
            first_ms: Samples::default(),
            ticks: 0,
        }
    }

    /// Runs a tick, and measures the world after it.
    pub(super) fn tick(&mut self, app: &mut App, walls: &WallBoxes, doors: Option<&Doors>) {
        let (start, on_cpu) = (Instant::now(), thread_ms());
        app.update();
        let took = [start.elapsed().as_secs_f64() * 1e3, thread_ms() - on_cpu];
        let world = app.world_mut();
        if let Some(mut clock) = world.get_resource_mut::<StageClock>() {
            clock.end_tick();
        }
        let spent = world
            .get_resource::<PursuitStats>()
            .map(|stats| stats.frame_time);
        self.ticks += 1;
        let is_counted = self.ticks > self.kind.bodies.rate as u64;
        if is_counted {
            let both = self.update_ms.iter_mut().zip(took);
            both.for_each(|(all, ms)| all.push(ms));
            (self.main_thread_ms).extend(spent.map(|spent| spent.as_secs_f64() * 1e3));
        } else {
            self.first_ms.push(took[0]);
        }
        self.before.clone_from(&self.positions.places);
        (self.positions).read(world, &self.kind, |place, radius| {
            let door = doors.and_then(|doors| doors.distance(place));
            walls.clearance(place, radius).min(door.unwrap_or(radius))
        });
        if is_counted {
            self.read_steps();
            self.read_crowd(position_of_only::<Target>(world), walls);
        }
    }

    fn read_steps(&mut self) {
        let full = self.kind.speed() / self.kind.bodies.rate as f32;
        let mut moved = 0;
        let time = self.ticks as f64 / self.kind.bodies.rate;
        let both = self.before.iter().zip(&self.positions.places);
        for ((before, now), turns) in both.zip(&mut self.turns) {
            let step = now - before;
            moved += u64::from(step.length() > MIN_MOVE_FRACTION * full);
            if step.length() > MIN_HEADING_FRACTION * full {
                turns.step(time, step);
            }
        }
        (self.moved_share).push(moved as f64 / self.positions.places.len() as f64);
    }

    fn read_crowd(&mut self, target: Vec2, walls: &WallBoxes) {
        let (kind, full) = (self.kind, self.kind.speed() / self.kind.bodies.rate as f32);
        let crowd = CROWD_RADIUS_FACTOR * disc_radius(self.positions.places.len(), kind.radius);
        let is_out = |place: Vec2| place.distance(target) > crowd;
        let narrow = &mut self.narrow;
        let counts = |place: Vec2| is_out(place) && !narrow.is_narrow(place, walls, kind.largest());
        let places = &self.positions.places;
        (self.closeness).read(places, |number| kind.radius_of(number), counts);
        if !self.ticks.is_multiple_of(PROGRESS_INTERVAL_TICKS) {
            return;
        }
        self.target_field.lead_to(target);
        let both = self.before.iter().zip(&self.positions.places);
        let progress: Samples = both
            .filter(|(_, now)| is_out(**now))
            .filter_map(|(before, now)| {
                Some((now - before).dot(self.target_field.direction(*before)?))
            })
            .map(|way| f64::from(way / full))
            .collect();
        self.progress.extend(progress.mean());
    }

    /// Mean number of turns back and forth of an agent per minute.
    pub(super) fn reversals_per_minute(&self) -> Option<f64> {
        let reversals: u64 = self.turns.iter().map(|turns| turns.reversals).sum();
        let ticks = self.update_ms[0].len() * self.turns.len();
        (ticks > 0).then(|| reversals as f64 / ticks as f64 * self.kind.bodies.rate * 60.0)
    }
}

/// A cache of whether cells are narrow.
#[derive(Default)]
struct NarrowCells(std::collections::HashMap<IVec2, bool>);

impl NarrowCells {
    fn is_narrow(&mut self, place: Vec2, walls: &WallBoxes, radius: f32) -> bool {
        let cell = place.floor().as_ivec2();
        *self.0.entry(cell).or_insert_with(|| {
            let [within, room, apart] = NARROW_RADII.map(|radii| radii * radius);
            let steps = (within / apart) as i32;
            let offsets =
                (-steps..=steps).flat_map(|y| (-steps..=steps).map(move |x| IVec2::new(x, y)));
            let mut near = offsets
                .map(|offset| apart * offset.as_vec2())
                .filter(|offset| offset.length() <= within)
                .map(|offset| cell.as_vec2() + 0.5 + offset);
            !near.any(|place| walls.clearance(place, room) >= room)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NarrowCells;
    use crate::game::walls::WallBoxes;
    use bevy::math::Vec2;
    use pursuit::maps::parse_ascii;

    #[test]
    fn cells_in_a_corridor_are_narrow_and_cells_in_a_hall_are_not() {
        let map = "#######....\n...........\n#######....\n";
        let walls = WallBoxes::of(&parse_ascii(map).unwrap().grid);
        let mut narrow = NarrowCells::default();
        let mut at = |x: f32| narrow.is_narrow(Vec2::new(x, 1.5), &walls, 0.3);
        assert_eq!(
            [2.5, 4.5, 7.5, 9.5].map(&mut at),
            [true, true, false, false]
        );
    }
}
