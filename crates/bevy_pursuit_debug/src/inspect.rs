//! The inspector: a report on the picked agent. If the agent does not reach its goal, the report says why.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::inspect::{NavReport, NextPlan, PlanReason, Wants};
use bevy_pursuit::{
    DesiredVelocity, FailReason, Locomotion, NavAgent, NavPath, Navigation, OnGrid, PathStatus,
};
use pursuit::RegionId;

use crate::blocks::{BlockText, TextBlock, show_node, write_text};
use crate::names::{grid_name, list_names, name_of};
use crate::pick::OverlayPick;
#[cfg(feature = "recorder")]
use crate::replay::ReplayReport;

/// Time between two updates of the text.
const REFRESH_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum number of obstacles named in the text.
const MAX_NAMED_OBSTACLES: usize = 3;

/// The agent that the text describes, and the time at which the text was written.
#[derive(Default)]
pub(crate) struct WrittenReport {
    of: Option<Entity>,
    /// `None` while there is no text.
    at: Option<Duration>,
}

/// The queries and resources that a report is made from.
#[derive(SystemParam)]
pub(crate) struct ReportSources<'w, 's> {
    agents: Query<
        'w,
        's,
        (
            &'static GlobalTransform,
            &'static NavAgent,
            &'static NavPath,
            &'static PathStatus,
            &'static Locomotion,
            &'static DesiredVelocity,
        ),
    >,
    grids: Query<'w, 's, &'static BakedGrid>,
    names: Query<'w, 's, &'static Name>,
    navigation: Navigation<'w, 's>,
    #[cfg(feature = "recorder")]
    replay: ReplayReport<'w, 's>,
    time: Res<'w, Time>,
}

/// A report on an agent.
#[derive(Clone, Debug, PartialEq)]
struct AgentReport {
    name: String,
    locomotion: Locomotion,
    status: PathStatus,
    nav_report: NavReport,
    /// The name of the entity that the agent chases or flees from.
    target: Option<String>,
    /// The current time on the clock that [`NextPlan::At`] uses, in seconds.
    now: f64,
    /// Remaining distance along the path, in world units.
    remaining: Option<f32>,
    grid: Option<String>,
    /// The connected regions that contain the agent and its goal.
    regions: (Option<RegionId>, Option<RegionId>),
    /// The obstacles at the agent's position. Empty unless the search failed because its start is blocked.
    around: Vec<String>,
    /// The obstacles at the agent's goal. Empty unless the search failed because its goal is blocked.
    at_goal: Vec<String>,
    body: NavAgent,
    planned_radius: f32,
    speed: f32,
    /// Whether a flow field leads the agent.
    has_field: bool,
    is_yielding: bool,
}

/// Writes the report on the picked agent, and the progress of the replay. Hides the inspector if no agent is picked and
/// the game shows no replay.
pub(crate) fn update_inspector(
    pick: Res<OverlayPick>,
    clock: Res<Time<Real>>,
    sources: ReportSources,
    blocks: Query<(&TextBlock, &Children)>,
    mut nodes: Query<(&TextBlock, &mut Node)>,
    mut texts: Query<&mut Text, With<BlockText>>,
    mut written: Local<WrittenReport>,
) {
    let agent = pick.agent.filter(|agent| sources.agents.contains(*agent));
    let is_wanted = agent.is_some() || sources.search(None).is_some();
    for (block, mut node) in &mut nodes {
        if *block == TextBlock::Inspector {
            show_node(&mut node, is_wanted);
        }
    }
    let now = clock.elapsed();
    if !is_wanted {
        written.at = None;
        return;
    }
    if written.of == agent && written.at.is_some_and(|at| now < at + REFRESH_INTERVAL) {
        return;
    }
    let report = agent.and_then(|agent| sources.report(agent));
    let search = sources
        .search(agent)
        .map(|search| format!("search  {search}"));
    let parts = [report.map(|report| report.to_string()), search];
    if parts.iter().any(Option::is_some) {
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
        write_text(TextBlock::Inspector, text, &blocks, &mut texts);
        *written = WrittenReport {
            of: agent,
            at: Some(now),
        };
    }
}

impl ReportSources<'_, '_> {
    fn report(&self, agent: Entity) -> Option<AgentReport> {
        let (transform, body, path, status, locomotion, velocity) = self.agents.get(agent).ok()?;
        let nav_report = self.navigation.report(agent)?;
        let place = transform.translation();
        let is_lost = matches!(status.reason(), Some(FailReason::StartBlocked));
        let misses_goal = matches!(status.reason(), Some(FailReason::GoalBlocked));
        let goal = nav_report.goal;
        Some(AgentReport {
            name: name_of(agent, &self.names),
            locomotion: *locomotion,
            status: *status,
            nav_report,
            target: (nav_report.target).map(|target| name_of(target, &self.names)),
            now: self.time.elapsed_secs_f64(),
            remaining: self.navigation.remaining_distance(agent).ok(),
            grid: nav_report.grid.map(|grid| grid_name(grid, &self.names)),
            regions: (
                self.region(&nav_report, Some(place)),
                self.region(&nav_report, goal),
            ),
            around: self.blockers(&nav_report, Some(place).filter(|_| is_lost)),
            at_goal: self.blockers(&nav_report, goal.filter(|_| misses_goal)),
            body: *body,
            planned_radius: path.grid().map_or(nav_report.body, |_| path.body()).radius,
            speed: velocity.0.length(),
            has_field: self.navigation.field_of(agent).is_some(),
            is_yielding: self.navigation.is_yielding(agent),
        })
    }

    /// A text about the replayed search: the search that the game supplied, or else a search of the agent.
    #[cfg(feature = "recorder")]
    fn search(&self, agent: Option<Entity>) -> Option<String> {
        self.replay.of(agent)
    }

    /// Always `None`, because there are no replays without the feature `recorder`.
    #[cfg(not(feature = "recorder"))]
    fn search(&self, _agent: Option<Entity>) -> Option<String> {
        None
    }

    fn region(&self, nav_report: &NavReport, place: Option<Vec3>) -> Option<RegionId> {
        let baked = self.grids.get(nav_report.grid?).ok()?;
        let snapshot = baked.snapshot()?;
        let cell = snapshot.layout().cell_at(baked.frame().to_grid(place?))?;
        let layers = snapshot.layers_if_ready(nav_report.body)?;
        layers.regions().region(cell)
    }

    fn blockers(&self, nav_report: &NavReport, place: Option<Vec3>) -> Vec<String> {
        let Some((grid, place)) = nav_report.grid.zip(place) else {
            return Vec::new();
        };
        let body = (nav_report.body, OnGrid(grid));
        let found = self.navigation.what_blocks(place, body);
        let found = found.unwrap_or_default();
        let named = found.iter().map(|entity| name_of(*entity, &self.names));
        named.collect()
    }
}

impl AgentReport {
    fn wants_text(&self) -> String {
        let NavReport { wants, reach, .. } = self.nav_report;
        let behind = match self.nav_report.behind {
            Some(Wants::Follow) => ", then to go on with its chase",
            Some(Wants::Flee) => ", then to flee",
            _ => "",
        };
        let goal = match (&self.target, self.nav_report.goal) {
            (Some(target), _) => target.clone(),
            (None, Some(goal)) => format!("{:.1}, {:.1}", goal.x, goal.y),
            (None, None) => "nowhere".to_owned(),
        };
        match wants {
            Wants::Nothing => "nothing".to_owned(),
            Wants::Go | Wants::Follow => format!("to come within {reach:.1} of {goal}{behind}"),
            Wants::Flee => format!("to get {reach:.1} away from {goal}{behind}"),
            Wants::Leave => "to get off ground that is forbidden to it".to_owned(),
            Wants::Lost => format!("to follow {goal}, which is gone or has no position"),
            Wants::Refused(reason) => format!("something that cannot be done: {reason}"),
            other => format!("{other:?}"),
        }
    }

    fn locomotion_text(&self) -> Cow<'static, str> {
        let words = match self.locomotion {
            Locomotion::Idle => "has nothing to walk to",
            Locomotion::Moving | Locomotion::Straight | Locomotion::Queued if self.is_yielding => {
                "backs up to make room for another agent"
            }
            Locomotion::Moving if self.has_field => "walks along a flow field",
            Locomotion::Moving => "walks along its path",
            Locomotion::Straight => "sees its target and walks straight to it",
            Locomotion::Waiting => "waits at the end of its path",
            Locomotion::Arrived => "reached its goal",
            Locomotion::Settled => "stands with others at its goal",
            Locomotion::Queued => "waits behind others",
            Locomotion::Stuck => "is stuck: it wants to move and cannot",
            Locomotion::Paused => "is paused",
            other => return format!("{other:?}").into(),
        };
        words.into()
    }

    /// The state of the agent's search, in plain words.
    fn status_text(&self) -> String {
        match self.status {
            PathStatus::Idle => "no path is requested".to_owned(),
            PathStatus::Queued => "its search is queued, or its grid is not baked yet".to_owned(),
            PathStatus::Searching => "its path is being searched for".to_owned(),
            PathStatus::Found if self.has_field => "a field leads to its goal".to_owned(),
            PathStatus::Found => "a path leads to its goal".to_owned(),
            PathStatus::TargetLost => "its target is gone or has no position".to_owned(),
            PathStatus::Failed(reason) => self.failure_text(reason),
            PathStatus::Partial(reason) => {
                format!("{}. It goes as near as it can", self.failure_text(reason))
            }
            other => format!("{other:?}"),
        }
    }

    /// Why the goal is not reached, in plain words.
    fn failure_text(&self, reason: FailReason) -> String {
        let radius = self.planned_radius;
        match reason {
            FailReason::StartBlocked if !self.around.is_empty() => {
                let who = list_names(&self.around, MAX_NAMED_OBSTACLES);
                format!("it stands inside {who}, and no free cell is near")
            }
            FailReason::GoalBlocked if !self.at_goal.is_empty() => {
                let who = list_names(&self.at_goal, MAX_NAMED_OBSTACLES);
                format!("{who} is at its goal, and the agent cannot come near enough")
            }
            FailReason::Unreachable => {
                format!(
                    "no path leads there for a body of radius {radius:.1}: walls or narrow gaps are in the way"
                )
            }
            FailReason::OutsideGrid => "it stands outside every grid".to_owned(),
            FailReason::GoalOutside => "its goal is outside its grid".to_owned(),
            FailReason::LimitReached => "its search hit its limit: see max_expanded".to_owned(),
            FailReason::BadRadius => {
                format!(
                    "its grid is not baked for a radius of {radius:.1}: see max_clearance_cells"
                )
            }
            other => other.to_string(),
        }
    }

    /// When the next path is planned for the agent, and why.
    fn next_plan_text(&self) -> String {
        let text = match self.nav_report.next_plan {
            NextPlan::Never => "not at all".to_owned(),
            NextPlan::Pending => "now: a search is queued or running".to_owned(),
            NextPlan::AfterBake => "when its grid is baked".to_owned(),
            NextPlan::When(reason) => format!("when {}", plan_reason_text(reason)),
            NextPlan::At(when, reason) => {
                let remaining = (when - self.now).max(0.0);
                format!("within {remaining:.1} s: {}", plan_reason_text(reason))
            }
            other => format!("{other:?}"),
        };
        match self.nav_report.failures {
            0 => text,
            failures => format!("{text}, after {failures} searches that did not reach the goal"),
        }
    }
}

/// Why a path is planned for an agent.
fn plan_reason_text(reason: PlanReason) -> Cow<'static, str> {
    let words = match reason {
        PlanReason::NewOrder => "it wants something new",
        PlanReason::GoalMoved => "its goal moves",
        PlanReason::GridChanged => "the grid changed",
        PlanReason::GoalOrGrid => "its goal moves, or a change of the grid may open a path",
        PlanReason::Interval => "its repath policy asks for it",
        PlanReason::Stuck => "it is stuck and tries another path",
        PlanReason::WayChanged => {
            "an agent got stuck on its way, or a place that it avoids may be free"
        }
        PlanReason::Recording => "its search is to be recorded",
        PlanReason::PathEnded => "its path ended before its goal",
        PlanReason::SightLost => "it loses sight of its target",
        PlanReason::OutOfReach => "its goal gets out of reach",
        other => return format!("{other:?}").into(),
    };
    words.into()
}

impl fmt::Display for AgentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.name, self.locomotion_text())?;
        writeln!(f, "wants   {}", self.wants_text())?;
        writeln!(f, "path    {}", self.status_text())?;
        writeln!(f, "plans   {}", self.next_plan_text())?;
        if let Some(remaining) = self.remaining {
            writeln!(f, "left    {remaining:.1}")?;
        }
        let (body, planned) = (&self.body, self.planned_radius);
        writeln!(f, "radius  {:.1}, planned for {planned:.1}", body.radius)?;
        writeln!(f, "speed   {:.1} of {:.1}", self.speed, body.speed)?;
        let region = |region: Option<RegionId>| match region {
            Some(region) => region.0.to_string(),
            None => "none".to_owned(),
        };
        let grid = self.grid.as_deref().unwrap_or("none");
        let (own, goal) = (region(self.regions.0), region(self.regions.1));
        write!(f, "grid    {grid}, region {own}; goal in region {goal}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> AgentReport {
        let nav_report = NavReport {
            wants: Wants::Follow,
            behind: None,
            goal: Some(Vec3::new(10.0, 20.0, 0.0)),
            target: Some(Entity::PLACEHOLDER),
            reach: 17.6,
            body: 8.25.into(),
            grid: None,
            failures: 2,
            next_plan: NextPlan::When(PlanReason::GoalOrGrid),
        };
        AgentReport {
            name: "goblin (7v0)".to_owned(),
            locomotion: Locomotion::Waiting,
            status: PathStatus::Partial(FailReason::Unreachable),
            nav_report,
            target: Some("player (3v0)".to_owned()),
            now: 10.0,
            remaining: None,
            grid: Some("level".to_owned()),
            regions: (Some(RegionId(0)), Some(RegionId(4))),
            around: Vec::new(),
            at_goal: Vec::new(),
            body: NavAgent::from_radius(8.0).with_speed(160.0),
            planned_radius: 8.25,
            speed: 0.0,
            has_field: false,
            is_yielding: false,
        }
    }

    #[test]
    fn a_report_says_why_in_plain_words() {
        let expected = "\
goblin (7v0) waits at the end of its path
wants   to come within 17.6 of player (3v0)
path    no path leads there for a body of radius 8.2: walls or narrow gaps are in the way. It goes as near as it can
plans   when its goal moves, or a change of the grid may open a path, after 2 searches that did not reach the goal
radius  8.0, planned for 8.2
speed   0.0 of 160.0
grid    level, region 0; goal in region 4";
        assert_eq!(report().to_string(), expected);
    }

    #[test]
    fn agents_that_follow_a_field_or_yield_are_described_as_such() {
        let text = |is_yielding| {
            let report = AgentReport {
                locomotion: Locomotion::Moving,
                has_field: true,
                is_yielding,
                ..report()
            };
            report.locomotion_text()
        };
        assert_eq!(text(false), "walks along a flow field");
        assert_eq!(text(true), "backs up to make room for another agent");
    }

    #[test]
    fn plan_times_count_from_now_and_are_never_negative() {
        let next_plan_text = |when| {
            let mut report = report();
            report.nav_report.failures = 0;
            report.nav_report.next_plan = NextPlan::At(when, PlanReason::GoalMoved);
            report.next_plan_text()
        };
        assert_eq!(next_plan_text(11.25), "within 1.2 s: its goal moves");
        assert_eq!(next_plan_text(9.0), "within 0.0 s: its goal moves");
    }

    #[test]
    fn every_failure_reason_has_a_text() {
        for reason in FailReason::ALL {
            let status = PathStatus::Failed(reason);
            assert!(!AgentReport { status, ..report() }.status_text().is_empty());
        }
    }
}
