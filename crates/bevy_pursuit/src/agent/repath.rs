//! When to search for a path again.

use std::time::Duration;

use bevy::prelude::*;

/// When to search again while the goal moves.
///
/// With every policy, an agent searches immediately when an obstacle blocks its path, when an unreachable goal becomes
/// reachable, and when the agent has lost its path. After a search that failed or fell short of the goal, the next
/// search for a moved goal comes at least half a second later.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RepathPolicy {
    /// The farther away the goal, the more it may move before the next search. The search comes immediately if the
    /// goal moved by more than a tenth of its distance from the agent. It comes within two seconds if the goal moved at
    /// all, or if the grid was baked again.
    #[default]
    Dynamic,
    /// At fixed intervals while the agent is on its path, whether the goal moved or not. There are no searches while
    /// the agent sees its target, has reached it, or walks abreast of a target that it cannot reach.
    Every(Duration),
}

/// How much the goal and the grid have changed since the latest search. Distances are in world units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    /// Distance from the goal of the latest search to the present goal.
    pub(crate) moved: f32,
    /// Distance from the agent to the goal of the latest search; at least the body's radius.
    pub(crate) away: f32,
    /// Whether the grid was baked again since the latest search.
    pub(crate) is_baked_anew: bool,
}

impl Drift {
    pub(crate) fn new(goal: Vec2, asked_for: Vec2, position: Vec2, radius: f32) -> Self {
        Self {
            moved: goal.distance(asked_for),
            away: position.distance(asked_for).max(radius),
            is_baked_anew: false,
        }
    }

    pub(crate) fn has_moved(&self) -> bool {
        self.moved > 0.0
    }

    /// Seconds from the latest search to the next. A negative result means that the search is overdue. `None` if
    /// nothing changed.
    pub(crate) fn wait(&self, policy: RepathPolicy) -> Option<f32> {
        if let RepathPolicy::Every(interval) = policy {
            return Some(interval.as_secs_f32());
        }
        // The clamp makes the fraction infinite, not NaN, if both distances overflow to infinity.
        let fraction = self.moved * 10.0 / self.away.clamp(0.0, f32::MAX);
        let wait = (self.has_moved() || self.is_baked_anew).then_some(2.0 * (1.0 - fraction));
        wait.filter(|wait| !wait.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_past(drift: Drift, elapsed: f32, policy: RepathPolicy) -> bool {
        drift.wait(policy).is_some_and(|wait| elapsed >= wait)
    }

    /// Whether a search is due `elapsed` seconds after the last one, for a goal 100 units away that has moved by
    /// `moved`.
    fn is_due(policy: RepathPolicy, elapsed: f32, moved: f32) -> bool {
        let drift = Drift::new(Vec2::X * moved, Vec2::ZERO, Vec2::X * -100.0, 1.0);
        is_past(drift, elapsed, policy)
    }

    #[test]
    fn a_far_chaser_tolerates_a_tenth_of_the_distance() {
        assert!(is_due(RepathPolicy::Dynamic, 0.0, 10.1));
        assert!(!is_due(RepathPolicy::Dynamic, 0.5, 5.0));
        assert!(is_due(RepathPolicy::Dynamic, 1.01, 5.0));
        assert!(
            is_due(RepathPolicy::Dynamic, 2.0, 0.01),
            "two seconds at the latest"
        );
    }

    #[test]
    fn a_resting_goal_is_searched_for_again_only_after_a_bake() {
        assert!(!is_due(RepathPolicy::Dynamic, 60.0, 0.0));
        let drift = Drift::new(Vec2::ZERO, Vec2::ZERO, Vec2::X, 1.0);
        let baked = Drift {
            is_baked_anew: true,
            ..drift
        };
        assert!(is_past(baked, 2.0, RepathPolicy::Dynamic));
    }

    #[test]
    fn a_fixed_interval_ignores_the_goal() {
        let policy = RepathPolicy::Every(Duration::from_millis(200));
        assert!(!is_due(policy, 0.19, 1000.0));
        assert!(is_due(policy, 0.2, 0.0));
    }

    #[test]
    fn a_goal_at_nan_is_not_searched_for_again() {
        assert!(!is_due(RepathPolicy::Dynamic, 60.0, f32::NAN));
    }
}
