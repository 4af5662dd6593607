//! What an entity wants, and when it is planned for next and why. Pure: for whoever looks, not for planning.
//!
//! Says in advance what [`order`](super::order) decides in each tick.

use bevy::ecs::entity::Entity;
use bevy::math::Vec2;
use bevy::reflect::Reflect;

use super::order::{LOST, STUCK};
use crate::agent::{
    Drift, FailReason, Intent, Locomotion, NavPath, PathStatus, Planning, Want, retry_delay,
};

/// What an entity with a path wants, and when it is planned for next: see
/// [`Navigation::outlook`](crate::Navigation::outlook).
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// What it wants.
    pub wants: Wants,
    /// Where to, or for [`Wants::Flee`] where away from, in world units. `None` while it wants nothing, and
    /// for a target that has no place.
    pub goal: Option<Vec2>,
    /// Whom it chases or flees from.
    pub target: Option<Entity>,
    /// Distance between centers at which the goal counts as reached, or for [`Wants::Flee`] at which it is
    /// far enough, in world units.
    pub reach: f32,
    /// Radius to plan for, in world units: the body's and what its driver keeps free beyond it.
    pub radius: f32,
    /// The grid to plan on.
    pub grid: Option<Entity>,
    /// Searches in a row that fell short of a goal.
    pub failures: u8,
    /// When it is planned for next.
    pub next_plan: NextPlan,
}

/// What an entity wants.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wants {
    /// Nothing.
    #[default]
    Nothing,
    /// To come to a point.
    Go,
    /// To come to an entity.
    Follow,
    /// To get away from an entity.
    Flee,
    /// To come to an entity that is gone or has no place.
    Lost,
    /// Something that cannot be done.
    Refused(FailReason),
}

/// When an entity is planned for next.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NextPlan {
    /// Not at all: it wants no path.
    #[default]
    Never,
    /// It is in line or searched for already.
    Asked,
    /// When its grid is baked.
    AfterBake,
    /// When something changes, at once then.
    When(PlanReason),
    /// At this time at the latest, in seconds on the clock of the schedule that Pursuit runs in (see
    /// `Time::elapsed_secs_f64`); at once if it is past.
    At(f64, PlanReason),
}

/// Why an entity is planned for.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum PlanReason {
    /// It was sent for something new.
    NewErrand,
    /// The goal moved since the latest search.
    GoalMoved,
    /// The grid was baked anew since the latest search.
    GridChanged,
    /// The goal moves, or the grid changes where that can open a way.
    GoalOrGrid,
    /// Its policy asks for a search at fixed intervals.
    Interval,
    /// The agent is stuck and tries another way.
    Stuck,
    /// The path is walked to its end, and the goal is not there.
    PathEnded,
    /// The agent loses sight of the target that it walks straight to.
    SightLost,
    /// The goal moves out of reach.
    OutOfReach,
}

/// An entity as planning sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanState<'a> {
    pub(crate) intent: &'a Intent,
    pub(crate) planning: &'a Planning,
    pub(crate) status: PathStatus,
    pub(crate) path: &'a NavPath,
    pub(crate) place: Vec2,
    pub(crate) locomotion: Locomotion,
    /// Whether it stands where its path ends.
    pub(crate) is_at_end: bool,
    /// Generation of its grid; `None` before the first bake.
    pub(crate) generation: Option<u64>,
}

impl PlanState<'_> {
    pub(crate) fn outlook(&self) -> Outlook {
        let intent = self.intent;
        Outlook {
            wants: intent.errand.want.into(),
            goal: (intent.errand.want.is_path() && intent.errand.goal.is_finite())
                .then_some(intent.errand.goal),
            target: intent.errand.target,
            reach: intent.errand.reach,
            radius: intent.errand.radius,
            grid: intent.errand.grid,
            failures: self.planning.failures,
            next_plan: self.next_plan(),
        }
    }

    fn next_plan(&self) -> NextPlan {
        let (intent, planning) = (self.intent, self.planning);
        if !intent.errand.want.is_path() {
            return NextPlan::Never;
        }
        let Some(generation) = self.generation else {
            return NextPlan::AfterBake;
        };
        if planning.is_pending {
            return NextPlan::Asked;
        }
        if planning.number != intent.errand.number || self.path.errand.grid != intent.errand.grid {
            return NextPlan::At(0.0, PlanReason::NewErrand);
        }
        let asked_at = planning.asked_at;
        let after = |seconds: f32, why| NextPlan::At(asked_at + f64::from(seconds), why);
        let retry = retry_delay(planning.failures);
        match self.locomotion {
            Locomotion::Straight => return NextPlan::When(PlanReason::SightLost),
            Locomotion::Arrived => return NextPlan::When(PlanReason::OutOfReach),
            Locomotion::Stuck => {
                let wait = STUCK * f32::from(1_u8 << planning.stuck.min(4));
                return after(wait, PlanReason::Stuck);
            }
            Locomotion::Waiting if self.goes_on() => {
                return after(LOST.max(retry), PlanReason::PathEnded);
            }
            _ => {}
        }
        let drift = Drift {
            is_baked_anew: planning.asked_on != generation as u32,
            ..Drift::new(
                intent.errand.goal,
                self.path.errand.goal,
                self.place,
                intent.errand.radius,
            )
        };
        let has_moved = drift.moved > 0.0;
        if self.status != PathStatus::Found && !has_moved {
            return NextPlan::When(PlanReason::GoalOrGrid);
        }
        if intent.interval >= 0.0 {
            return after(intent.interval.max(retry), PlanReason::Interval);
        }
        match drift.wait() {
            Some(wait) if has_moved => after(wait.max(retry), PlanReason::GoalMoved),
            Some(wait) => after(wait.max(retry), PlanReason::GridChanged),
            None => NextPlan::When(PlanReason::GoalMoved),
        }
    }

    /// Whether an agent that waits asks again, though nothing changed.
    fn goes_on(&self) -> bool {
        let is_cornered = self.intent.errand.want == Want::Away && self.path.length == 0.0;
        let is_found = self.status == PathStatus::Found;
        let fell_short = self.status.reason() == Some(FailReason::LimitReached);
        is_found && !is_cornered || fell_short || !self.is_at_end
    }
}

impl From<Want> for Wants {
    fn from(want: Want) -> Self {
        match want {
            Want::Nothing => Self::Nothing,
            Want::Go => Self::Go,
            Want::Follow => Self::Follow,
            Want::Away => Self::Flee,
            Want::Lost => Self::Lost,
            Want::Refused(reason) => Self::Refused(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Errand;

    /// An agent with a path to (100, 0), asked for at second 10 on generation 3.
    fn plan(
        change: impl FnOnce(&mut Intent, &mut Planning, &mut NavPath),
    ) -> (Intent, Planning, NavPath) {
        let mut intent = Intent {
            errand: Errand {
                want: Want::Go,
                goal: Vec2::X * 100.0,
                radius: 1.0,
                ..Errand::default()
            },
            interval: -1.0,
            ..Intent::default()
        };
        let mut planning = Planning {
            asked_at: 10.0,
            asked_on: 3,
            ..Planning::default()
        };
        let mut path = NavPath {
            errand: intent.errand,
            ..NavPath::default()
        };
        change(&mut intent, &mut planning, &mut path);
        (intent, planning, path)
    }

    fn next(
        status: PathStatus,
        locomotion: Locomotion,
        change: impl FnOnce(&mut Intent, &mut Planning, &mut NavPath),
    ) -> NextPlan {
        let (intent, planning, path) = plan(change);
        let asker = PlanState {
            intent: &intent,
            planning: &planning,
            status,
            path: &path,
            place: Vec2::ZERO,
            locomotion,
            is_at_end: true,
            generation: Some(3),
        };
        asker.outlook().next_plan
    }

    #[test]
    fn a_path_to_a_goal_that_rests_is_kept() {
        let found = next(PathStatus::Found, Locomotion::Moving, |_, _, _| {});
        assert_eq!(found, NextPlan::When(PlanReason::GoalMoved));
        let failed = PathStatus::Partial(FailReason::Unreachable);
        let short = next(failed, Locomotion::Waiting, |_, _, _| {});
        assert_eq!(short, NextPlan::When(PlanReason::GoalOrGrid));
    }

    #[test]
    fn a_goal_that_moved_by_half_of_what_is_tolerated_is_searched_for_after_a_second() {
        let moved = next(PathStatus::Found, Locomotion::Moving, |intent, _, _| {
            intent.errand.goal.x = 105.0;
        });
        let NextPlan::At(when, PlanReason::GoalMoved) = moved else {
            panic!("{moved:?}");
        };
        assert!((when - 11.0).abs() < 1e-3, "{when}");
        let baked = next(PathStatus::Found, Locomotion::Moving, |_, planning, _| {
            planning.asked_on = 2;
        });
        assert_eq!(baked, NextPlan::At(12.0, PlanReason::GridChanged));
    }

    #[test]
    fn failures_stretch_the_wait_and_stuck_agents_have_their_own() {
        let failed = PathStatus::Failed(FailReason::Unreachable);
        let often = next(failed, Locomotion::Idle, |intent, planning, _| {
            intent.errand.goal.x = 105.0;
            planning.failures = 4;
        });
        assert_eq!(often, NextPlan::At(12.0, PlanReason::GoalMoved));
        let stuck = next(PathStatus::Found, Locomotion::Stuck, |_, planning, _| {
            planning.stuck = 1;
        });
        assert_eq!(stuck, NextPlan::At(11.0, PlanReason::Stuck));
    }

    #[test]
    fn who_waits_for_an_answer_or_wants_nothing_is_not_planned_for() {
        let asked = next(PathStatus::Queued, Locomotion::Idle, |_, planning, _| {
            planning.is_pending = true;
        });
        assert_eq!(asked, NextPlan::Asked);
        let idle = next(PathStatus::Idle, Locomotion::Idle, |intent, _, _| {
            intent.errand.want = Want::Nothing;
        });
        assert_eq!(idle, NextPlan::Never);
    }
}
