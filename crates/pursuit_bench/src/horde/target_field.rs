//! A field to the target that the benchmark builds without the plugin, and the time that fields take on this machine.

use std::hint::black_box;
use std::time::Instant;

use bevy::math::Vec2;
use pursuit::{
    Cancel, Cell, DiagonalPolicy, FieldBounds, FlowField, Grid, IntegrationField, NavMap,
};

use crate::clock::Clock;
use crate::game::walls::from_cell_space;
use crate::samples::Samples;

/// Minimum number of points that move along the field in a round of [`TargetField::anchor_ns`], if that many cells have
/// a path to the target.
const ANCHOR_WALKERS: usize = 10_000;
/// Number of rounds of [`TargetField::anchor_ns`]. The shortest round is used.
const ANCHOR_ROUNDS: usize = 200;

/// The level for a body of one radius, with a field to the target.
pub(super) struct TargetField {
    map: NavMap,
    radius: f32,
    field: Option<FlowField>,
    scratch: IntegrationField,
    /// How long each build of a field took, in milliseconds.
    pub(super) field_ms: Samples,
}

impl TargetField {
    pub(super) fn new(level: &Grid, radius: f32) -> Self {
        TargetField {
            map: NavMap::new(level, 1.0, DiagonalPolicy::NoCornerCut),
            radius,
            field: None,
            scratch: IntegrationField::new(),
            field_ms: Samples::default(),
        }
    }

    /// Builds the field to a point in the world.
    pub(super) fn lead_to(&mut self, target: Vec2) {
        let layers = self.map.layers(self.radius);
        let goal = [(Cell::at(to_cell_space(target)), 0)];
        let started = Instant::now();
        let bounds = FieldBounds::default();
        let field = FlowField::build(&layers, &goal, bounds, &mut self.scratch, Cancel::NEVER);
        self.field_ms.push(started.elapsed().as_secs_f64() * 1e3);
        self.field = field.ok();
    }

    /// Cost of the path from a place to the target. `None` if there is no path.
    pub(super) fn cost(&self, place: Vec2) -> Option<u32> {
        self.field.as_ref()?.cost(Cell::at(to_cell_space(place)))
    }

    /// Unit vector along the path from a place to the target. `None` at the target, or if there is no path.
    pub(super) fn direction(&self, place: Vec2) -> Option<Vec2> {
        let sample =
            (self.map).sample_field(self.field.as_ref()?, to_cell_space(place), self.radius)?;
        (sample.heading != Vec2::ZERO).then_some(sample.heading)
    }

    /// Time of one step of a point along the field, in nanoseconds. It shows how fast the machine is.
    pub(super) fn anchor_ns(&self) -> Option<f64> {
        let field = self.field.as_ref()?;
        let cells = self
            .map
            .rect()
            .cells()
            .filter(|cell| field.cost(*cell).is_some());
        let starts: Vec<Vec2> = cells.map(Cell::center).collect();
        let apart = (starts.len() / ANCHOR_WALKERS).max(1);
        let mut walkers: Vec<Vec2> = starts.into_iter().step_by(apart).collect();
        let us = Clock::calibrated(ANCHOR_ROUNDS).time_all(|| {
            for walker in &mut walkers {
                if let Some(direction) = field.direction(Cell::at(*walker)) {
                    *walker += 0.1 * direction;
                }
            }
            black_box(&walkers);
        });
        (!walkers.is_empty()).then(|| us * 1e3 / walkers.len() as f64)
    }
}

fn to_cell_space(place: Vec2) -> Vec2 {
    place - from_cell_space(Vec2::ZERO)
}

#[cfg(test)]
mod tests {
    use super::TargetField;
    use bevy::math::Vec2;
    use pursuit::maps::parse_ascii;

    #[test]
    fn directions_and_costs_lead_around_walls() {
        let level = parse_ascii("...\n##.\n...\n").unwrap().grid;
        let mut target_field = TargetField::new(&level, 0.3);
        target_field.lead_to(Vec2::new(0.5, 0.5));
        let beyond = Vec2::new(0.5, 2.5);
        assert!(target_field.direction(beyond).unwrap().x > 0.9);
        assert!(target_field.cost(beyond) > target_field.cost(Vec2::new(2.5, 0.5)));
        assert_eq!(target_field.cost(Vec2::new(0.5, 1.5)), None);
        assert!(target_field.anchor_ns() > Some(0.0) && target_field.field_ms.len() == 1);
    }
}
