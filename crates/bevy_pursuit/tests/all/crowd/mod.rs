//! Agents that keep clear of one another.

mod around;
mod bodies;
mod doors;
mod knocks;
mod leaving;
mod mixed;
mod odd;
mod ring;
mod surround;

use crate::common::*;

/// `count` positions in rows of `columns`, with a spacing of `apart` world units.
pub(crate) fn rows(count: usize, columns: usize, from: Vec2, apart: f32) -> Vec<Vec2> {
    let at = |n: usize| Vec2::new((n % columns) as f32, (n / columns) as f32);
    (0..count).map(|n| from + apart * at(n)).collect()
}

pub(crate) fn places(app: &App, agents: &[Entity]) -> Vec<Vec2> {
    agents.iter().map(|agent| position(app, *agent)).collect()
}

/// The smallest distance between two of the positions, divided by the distance at which two agents of the usual size
/// touch.
pub(crate) fn smallest_gap(places: &[Vec2]) -> f32 {
    let pairs = places.iter().enumerate();
    let gaps = pairs.flat_map(|(n, one)| places[n + 1..].iter().map(|other| one.distance(*other)));
    gaps.fold(f32::INFINITY, f32::min) / (2.0 * RADIUS)
}

/// Runs for `ticks`. Returns the longest distance that an agent moves.
pub(crate) fn farthest_step(app: &mut App, agents: &[Entity], ticks: usize) -> f32 {
    let before = places(app, agents);
    run(app, ticks);
    let steps = places(app, agents);
    let steps = before
        .iter()
        .zip(&steps)
        .map(|(from, to)| from.distance(*to));
    steps.fold(0.0, f32::max)
}
