//! Counts turns back and forth, which make a walk look nervous.

use std::collections::VecDeque;
use std::f32::consts::PI;

use bevy::math::Vec2;

/// Maximum time in which a heading turns in one direction and back again, in seconds.
const REVERSAL_SECONDS: f64 = 0.3;
/// Minimum angle of a turn in each direction, in radians.
const MIN_TURN_RADIANS: f32 = 20.0 * PI / 180.0;

/// The latest headings of a walking agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    /// Times in seconds, and headings in radians. Headings are continuous: they do not wrap around at a half turn.
    recent: VecDeque<(f64, f32)>,
    last: Option<Vec2>,
    /// Number of turns back and forth so far.
    pub(crate) reversals: u64,
}

impl Turns {
    /// Adds a step. A step of length zero has no heading and is ignored.
    pub(crate) fn step(&mut self, time: f64, step: Vec2) {
        if step == Vec2::ZERO || !step.is_finite() {
            return;
        }
        let turn = self.last.map_or(0.0, |last| last.angle_to(step));
        self.last = Some(step);
        let before = self.recent.back().map_or(0.0, |&(_, heading)| heading);
        self.recent.push_back((time, before + turn));
        while let Some(&(first, _)) = self.recent.front() {
            if first >= time - REVERSAL_SECONDS {
                break;
            }
            self.recent.pop_front();
        }
        if self.is_back_and_forth() {
            self.reversals += 1;
            // The same turns must not be counted again.
            let newest = self.recent.len() - 1;
            self.recent.drain(..newest);
        }
    }

    fn is_back_and_forth(&self) -> bool {
        let Some(&(_, now)) = self.recent.back() else {
            return false;
        };
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        self.recent.iter().any(|&(_, heading)| {
            min = min.min(heading);
            max = max.max(heading);
            let to_left = heading - min > MIN_TURN_RADIANS && heading - now > MIN_TURN_RADIANS;
            let to_right = max - heading > MIN_TURN_RADIANS && now - heading > MIN_TURN_RADIANS;
            to_left || to_right
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use bevy::math::Vec2;

    /// Number of turns back and forth of a walk with these headings, in degrees. The walk has 60 steps per second.
    fn reversals(headings: impl IntoIterator<Item = f32>) -> u64 {
        let mut turns = Turns::default();
        for (k, heading) in headings.into_iter().enumerate() {
            let step = Vec2::from_angle(heading.to_radians()) * 0.1;
            turns.step(k as f64 / 60.0, step);
        }
        turns.reversals
    }

    #[test]
    fn a_turn_and_its_return_count_as_one_reversal_if_they_are_large_and_quick() {
        let there_and_back = |angle: f32, ticks: usize| {
            let headings = [0.0, angle, 0.0].map(|heading| vec![heading; ticks]);
            reversals(headings.into_iter().flatten())
        };
        assert_eq!(there_and_back(30.0, 10), 1);
        assert_eq!(there_and_back(-30.0, 10), 1);
        assert_eq!(there_and_back(15.0, 10), 0, "a small turn");
        assert_eq!(there_and_back(30.0, 25), 0, "turns with time between them");
    }

    #[test]
    fn each_flip_of_a_trembling_heading_counts_and_a_standing_walker_never_turns() {
        let trembling = (0..120).map(|k| if k % 2 == 0 { 0.0 } else { 45.0 });
        assert!(reversals(trembling) >= 50);
        let mut turns = Turns::default();
        (0..60).for_each(|k| turns.step(f64::from(k) / 60.0, Vec2::ZERO));
        assert_eq!(turns.reversals, 0);
    }
}
