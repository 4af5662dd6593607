//! A report for tools and tests: what an entity wants, when the next search for it is due, and why. The report shows
//! the decision of the [judge](super::judge).

use bevy::prelude::*;

use super::judge::{Case, Due};
use super::reason::PlanReason;
use crate::agent::{NavBody, Wants};
use crate::grid::BakedGrid;

/// What an entity with a path wants, and when its next search is due: see
/// [`Navigation::report`](crate::Navigation::report).
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct NavReport {
    /// What the entity wants.
    pub wants: Wants,
    /// What the entity will want next: a chase or a flight after a request, a chase after a flight, a lost
    /// target after leaving forbidden ground.
    pub behind: Option<Wants>,
    /// The point to go to, or for [`Wants::Flee`] and [`Wants::Leave`] to get away from, in world units. `None`
    /// if the entity wants nothing, and for a target without a position. For an agent that surrounds its
    /// target, its own slot on the circle around it.
    pub goal: Option<Vec3>,
    /// The entity to chase or to flee from.
    pub target: Option<Entity>,
    /// Distance between centers at which the goal counts as reached, or for [`Wants::Flee`] as far enough, in
    /// world units.
    pub reach: f32,
    /// The body to plan for. Its radius is the agent's radius plus the margin that its driver keeps around it.
    pub body: NavBody,
    /// The grid to plan on.
    pub grid: Option<Entity>,
    /// Number of searches in a row that fell short of the goal.
    pub failures: u32,
    /// When the next search is due.
    pub next_plan: NextPlan,
}

/// When the next search for an entity is due.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NextPlan {
    /// Never, because the entity wants no path.
    #[default]
    Never,
    /// A search is already requested or running.
    Pending,
    /// After the first bake of its grid.
    AfterBake,
    /// As soon as something changes.
    When(PlanReason),
    /// At this time at the latest, in seconds on the clock of Pursuit's schedule (see `Time::elapsed_secs_f64`). If the
    /// time is in the past, the search is due now.
    At(f64, PlanReason),
}

impl Case<'_> {
    /// The report for [`Navigation::report`](crate::Navigation::report).
    pub(crate) fn report(&self) -> NavReport {
        let (order, behind) = (&self.intent.order, self.intent.behind);
        let frame = BakedGrid::plane_of(self.grid);
        let has_goal = order.want.is_path() && order.goal.is_finite();
        NavReport {
            wants: order.want,
            behind: (behind != Wants::Nothing).then_some(behind),
            goal: has_goal.then(|| frame.to_world(order.goal)),
            target: order.target,
            reach: order.reach,
            body: order.body(),
            grid: order.grid,
            failures: self.planning.failures,
            next_plan: self.next_plan(),
        }
    }

    fn next_plan(&self) -> NextPlan {
        let asked_at = self.planning.asked_at;
        match self.judge().0 {
            Due::Never => NextPlan::Never,
            Due::Pending => NextPlan::Pending,
            Due::AfterBake => NextPlan::AfterBake,
            Due::Now(_, why) => NextPlan::At(self.now, why),
            Due::After(wait, why) => NextPlan::At(asked_at + f64::from(wait), why),
            Due::When(why) => NextPlan::When(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::tests::TestAgent;
    use super::*;
    use crate::agent::Locomotion;

    #[test]
    fn the_report_gives_delays_as_times_and_due_plans_as_past() {
        let mut agent = TestAgent::new();
        agent.planning.asked_on = 2;
        let next = agent.case().report().next_plan;
        assert_eq!(next, NextPlan::At(12.0, PlanReason::GridChanged));
        agent.intent.order.revision += 1;
        let next = agent.case().report().next_plan;
        assert_eq!(next, NextPlan::At(10.0, PlanReason::NewOrder));
        let mut agent = TestAgent::new();
        agent.locomotion = Locomotion::Straight;
        let next = agent.case().report().next_plan;
        assert_eq!(next, NextPlan::When(PlanReason::SightLost));
    }
}
