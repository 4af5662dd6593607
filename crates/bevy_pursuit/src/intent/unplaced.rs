//! The intents that requests, chases and flights make.

use bevy::log::warn_once;
use bevy::math::Vec3;

use super::targets::Sighted;
use super::{Chase, Flee, PathRequest};
use crate::agent::{Intent, NavAgent, NavOrder, Wants};

/// Default reach of a chase, as a multiple of the distance between the centers of touching bodies.
const REACH_FACTOR: f32 = 1.1;
/// Minimum reach of a chase of a solid target, as a multiple of the distance between the centers of touching bodies.
const MIN_REACH_FACTOR: f32 = 1.02;

/// An intent whose grid is not chosen yet, and its goal in world coordinates.
#[derive(Default)]
pub(super) struct UnplacedIntent {
    pub(super) intent: Intent,
    pub(super) goal: Vec3,
}

impl PathRequest {
    pub(super) fn intend(&self, agent: Option<&NavAgent>) -> UnplacedIntent {
        let own = agent.map(|agent| agent.radius);
        let reach = self.reach.or(agent.and_then(|agent| agent.reach));
        let intent = Intent {
            repath: self.repath,
            order: NavOrder {
                want: Wants::Go,
                reach: usable(reach).unwrap_or(0.0),
                needs_sight: self.needs_sight,
                to_rim: true,
                radius: self.radius.or(own).unwrap_or(0.0),
                class: agent.map(|agent| agent.class).unwrap_or_default(),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        let goal = self.goal;
        UnplacedIntent { intent, goal }
    }
}

impl Chase {
    pub(super) fn intend(&self, agent: &NavAgent, target: Sighted) -> UnplacedIntent {
        let touching = agent.radius + target.radius;
        let reach = usable(self.reach.or(agent.reach)).unwrap_or(REACH_FACTOR * touching);
        let touch_distance = if target.is_solid { touching } else { 0.0 };
        let intent = Intent {
            repath: self.repath,
            touch_distance,
            order: NavOrder {
                want: target.position.map_or(Wants::Lost, |_| Wants::Follow),
                reach: reach.max(MIN_REACH_FACTOR * touch_distance),
                needs_sight: self.needs_sight,
                goal_kind: target.goal_kind(),
                to_rim: target.is_obstacle,
                radius: agent.radius,
                class: agent.class,
                target: Some(self.target),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        let goal = target.position.unwrap_or(Vec3::NAN);
        UnplacedIntent { intent, goal }
    }
}

impl Flee {
    /// The intent of an agent at the distance `away` from the other entity. Beyond `enough` times
    /// [`Flee::distance`] the agent wants nothing.
    pub(super) fn intend(
        &self,
        agent: &NavAgent,
        from: Sighted,
        away: Option<f32>,
        enough: f32,
    ) -> UnplacedIntent {
        let known = from.position.zip(away);
        let Some((goal, away)) = known.filter(|_| usable(Some(self.distance)).is_some()) else {
            return UnplacedIntent::default();
        };
        let intent = Intent {
            order: NavOrder {
                want: if away > enough * self.distance {
                    Wants::Nothing
                } else {
                    Wants::Flee
                },
                reach: self.distance,
                radius: agent.radius,
                class: agent.class,
                target: Some(self.from),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        UnplacedIntent { intent, goal }
    }
}

/// The distance, if it is valid. An invalid distance is ignored, and logged once.
fn usable(reach: Option<f32>) -> Option<f32> {
    let reach = reach?;
    let is_usable = reach.is_finite() && reach >= 0.0;
    if !is_usable {
        warn_once!(
            "a reach or distance of {reach} is ignored: it must be finite and not negative (said once)"
        );
    }
    is_usable.then_some(reach)
}
