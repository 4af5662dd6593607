//! What an entity wants, and when it is planned for next and why: what the [judge](super::judge) says, for whoever looks.

use bevy::ecs::entity::Entity;
use bevy::math::Vec2;
use bevy::reflect::Reflect;

use super::judge::{Case, Due};
use crate::agent::{FailReason, NavBody, Want};

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
    /// The body to plan for: its radius is the agent's and what its driver keeps free beyond it.
    pub body: NavBody,
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
    /// The agent is past the place that its path leads around because it was stuck there.
    PastDetour,
    /// The path is walked to its end, and the goal is not there.
    PathEnded,
    /// The agent loses sight of the target that it walks straight to.
    SightLost,
    /// The goal moves out of reach.
    OutOfReach,
    /// A recorder waits for a search.
    Recording,
}

impl Case<'_> {
    pub(crate) fn outlook(&self) -> Outlook {
        let errand = &self.intent.errand;
        let has_goal = errand.want.is_path() && errand.goal.is_finite();
        Outlook {
            wants: errand.want.into(),
            goal: has_goal.then_some(errand.goal),
            target: errand.target,
            reach: errand.reach,
            body: errand.body(),
            grid: errand.grid,
            failures: self.planning.failures,
            next_plan: self.next_plan(),
        }
    }

    fn next_plan(&self) -> NextPlan {
        let asked_at = self.planning.asked_at;
        match self.judge().0 {
            Due::Never => NextPlan::Never,
            Due::Asked => NextPlan::Asked,
            Due::AfterBake => NextPlan::AfterBake,
            Due::Now(_, why) => NextPlan::At(self.now, why),
            Due::After(wait, why) => NextPlan::At(asked_at + f64::from(wait), why),
            Due::When(why) => NextPlan::When(why),
        }
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
    use bevy::math::Vec2;
    use pursuit::{Clearance, DiagonalPolicy, Layout};

    use super::*;
    use crate::agent::{Errand, Intent, Locomotion, NavPath, PathCursor, PathStatus, Planning};
    use crate::grid::{BakedGrid, NavSnapshot};

    /// The next plan of an agent with a path to (100, 0), asked for at second 10 on generation 3 of its grid.
    fn next(
        status: PathStatus,
        locomotion: Locomotion,
        change: impl FnOnce(&mut Intent, &mut Planning),
    ) -> NextPlan {
        let clearance = Clearance::open(8, 8, 3.0).expect("a size");
        let layout = Layout::new(Vec2::ZERO, 1.0, 8, 8).expect("a layout");
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 3);
        let errand = Errand {
            want: Want::Go,
            goal: Vec2::X * 100.0,
            radius: 1.0,
            ..Errand::default()
        };
        let mut intent = Intent {
            errand,
            interval: -1.0,
            ..Intent::default()
        };
        let mut planning = Planning {
            asked_at: 10.0,
            asked_on: 3,
            ..Planning::default()
        };
        let path = NavPath {
            errand,
            generation: 3,
            ..NavPath::default()
        };
        change(&mut intent, &mut planning);
        let case = Case {
            intent: &intent,
            planning: &planning,
            status,
            path: &path,
            position: Vec2::ZERO,
            walker: Some((locomotion, &PathCursor::default())),
            grid: Some(&BakedGrid::from_snapshot(snapshot)),
            layers: None,
            wants_record: false,
            now: 10.0,
            is_turn: true,
        };
        case.outlook().next_plan
    }

    #[test]
    fn a_path_to_a_goal_that_rests_is_kept() {
        let found = next(PathStatus::Found, Locomotion::Moving, |_, _| {});
        assert_eq!(found, NextPlan::When(PlanReason::GoalMoved));
        let failed = PathStatus::Partial(FailReason::Unreachable);
        let short = next(failed, Locomotion::Waiting, |_, _| {});
        assert_eq!(short, NextPlan::When(PlanReason::GoalOrGrid));
    }

    #[test]
    fn a_goal_that_moved_by_half_of_what_is_tolerated_is_searched_for_after_a_second() {
        let moved = next(PathStatus::Found, Locomotion::Moving, |intent, _| {
            intent.errand.goal.x = 105.0;
        });
        let NextPlan::At(when, PlanReason::GoalMoved) = moved else {
            panic!("{moved:?}");
        };
        assert!((when - 11.0).abs() < 1e-3, "{when}");
        let baked = next(PathStatus::Found, Locomotion::Moving, |_, planning| {
            planning.asked_on = 2;
        });
        assert_eq!(baked, NextPlan::At(12.0, PlanReason::GridChanged));
    }

    #[test]
    fn failures_stretch_the_wait_and_stuck_agents_have_their_own() {
        let failed = PathStatus::Failed(FailReason::Unreachable);
        let often = next(failed, Locomotion::Idle, |intent, planning| {
            intent.errand.goal.x = 105.0;
            planning.failures = 4;
        });
        assert_eq!(often, NextPlan::At(12.0, PlanReason::GoalMoved));
        let stuck = next(PathStatus::Found, Locomotion::Stuck, |_, planning| {
            planning.stuck = 1;
        });
        assert_eq!(stuck, NextPlan::At(11.0, PlanReason::Stuck));
    }

    #[test]
    fn who_waits_for_an_answer_or_wants_nothing_is_not_planned_for() {
        let asked = next(PathStatus::Queued, Locomotion::Idle, |_, planning| {
            planning.is_pending = true;
        });
        assert_eq!(asked, NextPlan::Asked);
        let idle = next(PathStatus::Idle, Locomotion::Idle, |intent, _| {
            intent.errand.want = Want::Nothing;
        });
        assert_eq!(idle, NextPlan::Never);
    }
}
