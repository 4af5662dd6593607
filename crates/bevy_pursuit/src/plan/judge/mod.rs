//! The judge: whether a search for an entity is due now, and if not, when and why the next one is. Planning obeys it,
//! and [`report`](super::report) shows its decision.

#[cfg(test)]
pub(super) mod tests;

use bevy::math::Vec2;

use super::reason::PlanReason;
use super::recheck::{Held, Verdict};
use crate::agent::{
    Drift, FailReason, GridPrices, Intent, Leg, Locomotion, NavPath, PathStatus, Planning, Purpose,
    RepathPolicy, Walk,
};
use crate::grid::{BakedGrid, BodyLayers, NavSnapshot};

/// Minimum time from the latest search to the next one, in seconds, for an agent that lost its path, that lost sight of
/// its target on a path around a price, or whose goal moved away from the end of its path.
const LOST_RETRY_SECONDS: f32 = 0.1;
/// Minimum time from a search that failed or fell short to the next search for a moving goal, in seconds.
const SHORT_RETRY_SECONDS: f32 = 0.5;
/// Time until a stuck agent searches again, in seconds. It doubles with each such search, up to sixteenfold.
const STUCK_RETRY_SECONDS: f32 = 0.5;

/// What the decision about one entity depends on.
pub(crate) struct Case<'a> {
    pub(crate) intent: &'a Intent,
    pub(crate) planning: &'a Planning,
    pub(crate) status: PathStatus,
    pub(crate) path: &'a NavPath,
    /// In grid coordinates.
    pub(crate) position: Vec2,
    /// Whether the body no longer fits along a leg of its path on another grid.
    pub(crate) is_crossed_beyond: bool,
    pub(crate) walk: Walk,
    pub(crate) grid: Option<&'a BakedGrid>,
    /// The prices of the order's grid.
    pub(crate) prices: &'a GridPrices,
    /// The reason why no grid contains a position outside of all grids.
    pub(crate) why_none: FailReason,
    /// The layers of the path's body, if they exist.
    pub(crate) layers: Option<&'a BodyLayers>,
    /// Whether a recorder still waits for its first search.
    pub(crate) wants_record: bool,
    /// In seconds of game time.
    pub(crate) now: f64,
    /// Whether it is this entity's turn to check for a better path.
    pub(crate) is_turn: bool,
    /// See [`NavPath::abreast`].
    pub(crate) abreast: Option<Vec2>,
}

/// When the next search for an entity is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Due {
    /// Never, because the entity wants no path.
    Never,
    /// A search is already requested or running.
    Pending,
    /// After the first bake of its grid.
    AfterBake,
    /// Now, for this purpose.
    Now(Purpose, PlanReason),
    /// This many seconds after the latest search.
    After(f32, PlanReason),
    /// When something changes, for this reason.
    When(PlanReason),
}

impl Case<'_> {
    /// When a search is due, and whether the path was found to be valid for the newest bake.
    pub(crate) fn judge(&self) -> (Due, bool) {
        if !self.intent.order.want.is_path() {
            return (Due::Never, false);
        }
        if self.planning.is_pending {
            return (Due::Pending, false);
        }
        let ask = |why| Due::Now(self.asked(), why);
        if self.wants_another() {
            return (ask(PlanReason::NewOrder), false);
        }
        if self.wants_record {
            return (ask(PlanReason::Recording), false);
        }
        let Some(snapshot) = self.grid.and_then(BakedGrid::snapshot) else {
            let is_reported = self.status.reason() == Some(FailReason::NoGrid);
            let is_unreported = self.is_grid_gone() && !is_reported || self.is_reason_outdated();
            let due = is_unreported.then(|| ask(PlanReason::GridChanged));
            return (due.unwrap_or(Due::AfterBake), false);
        };
        if self.is_crossed_beyond {
            return (ask(PlanReason::GridChanged), false);
        }
        let held = self.held(snapshot);
        if held.can_succeed() {
            return (ask(PlanReason::GoalOrGrid), false);
        }
        let verdict = match self.needs_look(snapshot) {
            true if self.lies_elsewhere() => Some(Verdict::Ask),
            true => Some(held.after_bake()),
            false => None,
        };
        match verdict {
            Some(Verdict::Ask) => return (ask(PlanReason::GridChanged), false),
            Some(Verdict::Check) if self.is_turn => {
                return (Due::Now(Purpose::Check, PlanReason::GridChanged), false);
            }
            // A check waits until it is the entity's turn.
            _ => {}
        }
        (self.next(snapshot), verdict == Some(Verdict::Holds))
    }

    /// The purpose of a search that is due now.
    fn asked(&self) -> Purpose {
        match self.walk.how {
            Locomotion::Stuck => Purpose::AroundPrice,
            _ => Purpose::Path,
        }
    }

    /// Whether the entity has a new order, or one that its path does not serve.
    fn wants_another(&self) -> bool {
        self.planning.is_sent(self.intent, self.status) || !self.path.serves(&self.intent.order)
    }

    /// Whether the grid to plan on is gone, or cannot be baked. Then there is no path.
    fn is_grid_gone(&self) -> bool {
        let is_gone = self.grid.is_none_or(|grid| grid.error().is_some());
        self.intent.order.grid.is_some() && is_gone
    }

    /// Whether the entity has no grid for another reason than the reported one.
    fn is_reason_outdated(&self) -> bool {
        use FailReason::{NoGrid, NotBaked, OutsideGrid};
        let why = self.status.reason();
        let is_about_grids =
            matches!(why, Some(NoGrid | OutsideGrid)) && why != Some(self.why_none);
        is_about_grids && self.intent.order.grid.is_none() && self.why_none != NotBaked
    }

    /// The path and the present state, for the check after a bake.
    fn held<'s>(&'s self, snapshot: &'s NavSnapshot) -> Held<'s> {
        Held {
            path: self.path,
            status: self.status,
            snapshot,
            layers: self.layers,
            position: self.position,
            goal: self.intent.order.goal,
            next: self.walk.next,
        }
    }

    /// Whether the path has to be checked against newer bakes. Waiting agents take turns.
    fn needs_look(&self, snapshot: &NavSnapshot) -> bool {
        let is_behind = self.path.generation != snapshot.generation();
        is_behind && (self.is_turn || self.walk.how != Locomotion::Waiting)
    }

    /// Whether the grid has moved since the path was planned.
    fn lies_elsewhere(&self) -> bool {
        let frame = BakedGrid::plane_of(self.grid);
        let is_own = |leg: &Leg| leg.grid == self.path.order.grid;
        (self.path.legs().filter(is_own)).any(|leg| leg.plane != frame)
    }

    /// When the next search is due if the path is valid.
    fn next(&self, snapshot: &NavSnapshot) -> Due {
        let since = self.now - self.planning.asked_at;
        let due = self.by_motion(snapshot);
        // If the path is new in this tick, the agent has not walked it yet, and its locomotion belongs to the old path.
        if let Due::After(wait, why) = due
            && since as f32 >= wait
            && !self.planning.is_answered
        {
            return Due::Now(self.asked(), why);
        }
        if !self.has_way_changed() {
            return due;
        }
        if since >= f64::from(STUCK_RETRY_SECONDS) {
            return Due::Now(Purpose::Path, PlanReason::WayChanged);
        }
        due.or_sooner(STUCK_RETRY_SECONDS, PlanReason::WayChanged)
    }

    /// When the next search is due, by how the agent moves and by its repath policy.
    fn by_motion(&self, snapshot: &NavSnapshot) -> Due {
        let locomotion = self.walk.how;
        match locomotion {
            Locomotion::Arrived => return Due::When(PlanReason::OutOfReach),
            Locomotion::Straight => return Due::When(PlanReason::SightLost),
            Locomotion::Settled | Locomotion::Queued if self.planning.saw_target => {
                return Due::When(PlanReason::SightLost);
            }
            Locomotion::Stuck => {
                let wait = STUCK_RETRY_SECONDS * (1_u32 << self.planning.stuck.min(4)) as f32;
                return Due::After(wait, PlanReason::Stuck);
            }
            _ if self.planning.saw_target => {
                let wait = (self.path.is_led_around).then_some(LOST_RETRY_SECONDS);
                return Due::After(wait.unwrap_or(0.0), PlanReason::SightLost);
            }
            _ if self.abreast.is_some() => return Due::When(PlanReason::SightLost),
            _ => {}
        }
        let due = self.by_policy(snapshot);
        if locomotion == Locomotion::Waiting && self.goes_on() {
            let wait = LOST_RETRY_SECONDS.max(self.retry_wait());
            return due.or_sooner(wait, PlanReason::PathEnded);
        }
        due
    }

    /// When the next search is due, by the entity's repath policy.
    fn by_policy(&self, snapshot: &NavSnapshot) -> Due {
        let (intent, planning) = (self.intent, self.planning);
        let order = &intent.order;
        let planned_goal = self.path.order.goal;
        let drift = Drift {
            is_baked_anew: planning.asked_on != snapshot.generation(),
            ..Drift::new(order.goal, planned_goal, self.position, order.radius)
        };
        // While the goal stays where it is, a new search would fall short again.
        if self.status != PathStatus::Found && !drift.has_moved() {
            return Due::When(PlanReason::GoalOrGrid);
        }
        let why = match drift.has_moved() {
            _ if intent.repath != RepathPolicy::Dynamic => PlanReason::Interval,
            true => PlanReason::GoalMoved,
            false => PlanReason::GridChanged,
        };
        match drift.wait(intent.repath) {
            Some(wait) => Due::After(wait.max(self.retry_wait()), why),
            None => Due::When(PlanReason::GoalMoved),
        }
    }

    /// Minimum time from the latest search to the next one, in seconds.
    fn retry_wait(&self) -> f32 {
        match self.planning.failures {
            0 => 0.0,
            _ => SHORT_RETRY_SECONDS,
        }
    }

    /// Whether a waiting agent searches again although nothing changed.
    fn goes_on(&self) -> bool {
        use PathStatus::{Found, Partial};
        matches!(self.status, Found | Partial(FailReason::LimitReached)) || !self.is_at_end()
    }

    /// Whether the entity is at the end of its path, and was not pushed away from there.
    fn is_at_end(&self) -> bool {
        let path = self.path;
        let has_walked = !self.walk.is_agent || self.walk.next >= path.waypoints.len();
        has_walked && (path.is_empty() || path.end.distance(self.position) <= path.order.radius)
    }

    /// Whether the prices have changed the way since the latest search: the rest of the way enters a disc that was
    /// noted or has grown, or the path leads around a disc and a price has ended. The rest of the way is the rest of
    /// the path, or the line to the goal if the agent walks straight. `false` for an agent that rests or flees.
    fn has_way_changed(&self) -> bool {
        let (seen, path) = (self.planning.prices, self.path);
        let rests = matches!(self.walk.how, Locomotion::Arrived | Locomotion::Settled);
        if self.prices.revision == seen || rests || self.intent.order.is_flight() {
            return false;
        }
        let leg = path.leg_to(self.walk.next);
        let ahead = leg
            .waypoints
            .get(self.walk.next.saturating_sub(leg.first)..);
        let rest = match self.walk.how {
            Locomotion::Straight => &[self.intent.order.goal],
            _ => ahead.unwrap_or_default(),
        };
        let body = (path.order.body(), self.position);
        path.is_led_around && self.prices.ended > seen
            || leg.grid == self.intent.order.grid
                && (self.prices).is_newly_met(seen, body, rest.iter().copied())
    }
}

impl Due {
    /// `self`, or a search `wait` seconds after the latest one if that is sooner.
    fn or_sooner(self, wait: f32, why: PlanReason) -> Self {
        match self {
            Self::After(other, _) if other <= wait => self,
            _ => Self::After(wait, why),
        }
    }
}
