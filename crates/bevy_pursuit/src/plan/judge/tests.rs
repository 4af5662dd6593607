use pursuit::{Clearance, DiagonalPolicy, Layout};

use super::*;
use crate::agent::{NavOrder, Price, Prices, Wants};
use crate::ground::ClassId;

/// An agent with a path to (100, 0). The search was made at second 10, on generation 3 of the grid.
pub(crate) struct TestAgent {
    pub(crate) intent: Intent,
    pub(crate) planning: Planning,
    pub(crate) status: PathStatus,
    pub(crate) path: NavPath,
    pub(crate) locomotion: Locomotion,
    grid: Option<BakedGrid>,
    pub(crate) prices: GridPrices,
    now: f64,
    wants_record: bool,
}

impl TestAgent {
    pub(crate) fn new() -> Self {
        let clearance = Clearance::open(8, 8, 3.0).expect("a size");
        let layout = Layout::new(Vec2::ZERO, 1.0, 8, 8).expect("a layout");
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 3);
        let order = NavOrder {
            want: Wants::Go,
            goal: Vec2::X * 100.0,
            radius: 1.0,
            ..NavOrder::default()
        };
        let intent = Intent {
            order,
            ..Intent::default()
        };
        let planning = Planning {
            asked_at: 10.0,
            asked_on: 3,
            ..Planning::default()
        };
        let path = NavPath {
            order,
            generation: 3,
            ..NavPath::default()
        };
        Self {
            intent,
            planning,
            status: PathStatus::Found,
            path,
            locomotion: Locomotion::Moving,
            grid: Some(BakedGrid::from_snapshot(snapshot)),
            prices: GridPrices::default(),
            now: 10.0,
            wants_record: false,
        }
    }

    pub(crate) fn case(&self) -> Case<'_> {
        Case {
            intent: &self.intent,
            planning: &self.planning,
            status: self.status,
            path: &self.path,
            position: Vec2::ZERO,
            is_crossed_beyond: false,
            walk: Walk {
                how: self.locomotion,
                next: 0,
                is_agent: true,
            },
            grid: self.grid.as_ref(),
            prices: &self.prices,
            why_none: FailReason::NoGrid,
            layers: None,
            wants_record: self.wants_record,
            now: self.now,
            is_turn: true,
            abreast: None,
        }
    }
}

fn due(change: impl FnOnce(&mut TestAgent)) -> Due {
    let mut agent = TestAgent::new();
    change(&mut agent);
    agent.case().judge().0
}

const UNREACHABLE: PathStatus = PathStatus::Partial(FailReason::Unreachable);

#[test]
fn idle_queued_and_unbaked_cases_are_not_planned_for() {
    assert_eq!(
        due(|one| one.intent.order.want = Wants::Nothing),
        Due::Never
    );
    assert_eq!(due(|one| one.planning.is_pending = true), Due::Pending);
    assert_eq!(
        due(|one| one.grid = Some(BakedGrid::default())),
        Due::AfterBake
    );
}

#[test]
fn new_orders_and_changed_grids_are_planned_for_now() {
    let ask = |why| Due::Now(Purpose::Path, why);
    let new = ask(PlanReason::NewOrder);
    assert_eq!(due(|one| one.intent.order.revision = 1), new);
    assert_eq!(due(|one| one.intent.order.needs_sight = true), new);
    assert_eq!(due(|one| one.intent.order.class = ClassId(1)), new);
    assert_eq!(
        due(|one| one.intent.revision = 1),
        Due::When(PlanReason::GoalMoved)
    );
    let again = due(|one| (one.intent.revision, one.status) = (1, UNREACHABLE));
    assert_eq!(again, new);
    assert_eq!(
        due(|one| one.wants_record = true),
        ask(PlanReason::Recording)
    );
    let outside = PathStatus::Failed(FailReason::OutsideGrid);
    assert_eq!(due(|one| one.status = outside), ask(PlanReason::GoalOrGrid));
    let gone = due(|one| {
        let elsewhere = Some(bevy::ecs::entity::Entity::PLACEHOLDER);
        (one.intent.order.grid, one.path.order.grid) = (elsewhere, elsewhere);
        one.grid = None;
    });
    assert_eq!(gone, ask(PlanReason::GridChanged));
    let stuck = due(|one| {
        one.intent.order.revision = 1;
        one.locomotion = Locomotion::Stuck;
    });
    assert_eq!(stuck, Due::Now(Purpose::AroundPrice, PlanReason::NewOrder));
}

#[test]
fn a_path_to_a_resting_goal_is_kept() {
    assert_eq!(due(|_| {}), Due::When(PlanReason::GoalMoved));
    let short = due(|one| (one.status, one.locomotion) = (UNREACHABLE, Locomotion::Waiting));
    assert_eq!(short, Due::When(PlanReason::GoalOrGrid));
}

#[test]
fn the_policy_decides_when_a_moving_goal_is_searched_for() {
    let moved = due(|one| one.intent.order.goal.x = 105.0);
    assert_eq!(
        moved,
        Due::After(1.0, PlanReason::GoalMoved),
        "half of what is tolerated"
    );
    let later = due(|one| (one.intent.order.goal.x, one.now) = (105.0, 11.0));
    assert_eq!(later, Due::Now(Purpose::Path, PlanReason::GoalMoved));
    let baked = due(|one| one.planning.asked_on = 2);
    assert_eq!(baked, Due::After(2.0, PlanReason::GridChanged));
    let interval =
        due(|one| one.intent.repath = RepathPolicy::Every(std::time::Duration::from_millis(300)));
    assert_eq!(interval, Due::After(0.3, PlanReason::Interval));
    let often = due(|one| {
        one.status = PathStatus::Failed(FailReason::Unreachable);
        one.intent.order.goal.x = 120.0;
        one.planning.failures = 4;
    });
    assert_eq!(
        often,
        Due::After(SHORT_RETRY_SECONDS, PlanReason::GoalMoved),
        "at most twice a second"
    );
}

#[test]
fn the_locomotion_decides_when_an_agent_is_planned_for() {
    let moving = |how| due(|one| one.locomotion = how);
    assert_eq!(
        moving(Locomotion::Arrived),
        Due::When(PlanReason::OutOfReach)
    );
    assert_eq!(
        moving(Locomotion::Straight),
        Due::When(PlanReason::SightLost)
    );
    assert_eq!(
        moving(Locomotion::Waiting),
        Due::After(LOST_RETRY_SECONDS, PlanReason::PathEnded)
    );
    let stuck = |one: &mut TestAgent| {
        (one.locomotion, one.planning.stuck) = (Locomotion::Stuck, 1);
    };
    assert_eq!(
        due(stuck),
        Due::After(2.0 * STUCK_RETRY_SECONDS, PlanReason::Stuck)
    );
    let lost = |one: &mut TestAgent| one.planning.saw_target = true;
    assert_eq!(due(lost), Due::Now(Purpose::Path, PlanReason::SightLost));
    let led_around = due(|one| (one.planning.saw_target, one.path.is_led_around) = (true, true));
    let later = Due::After(LOST_RETRY_SECONDS, PlanReason::SightLost);
    assert_eq!(led_around, later, "around a price");
    let answered = due(|one| {
        lost(one);
        one.planning.is_answered = true;
    });
    assert_eq!(
        answered,
        Due::After(0.0, PlanReason::SightLost),
        "the agent has not walked the new path yet"
    );
}

#[test]
fn an_agent_searches_again_only_if_a_new_price_is_on_its_way() {
    let noted = |one: &mut TestAgent, place: Vec2, radius: f32| {
        let grid = bevy::ecs::entity::Entity::PLACEHOLDER;
        let mut prices = Prices::default();
        let price = Price::new((place, 1.0), (radius.into(), place - Vec2::X), 100);
        prices.note(grid, price, 0);
        one.prices = prices.of(Some(grid)).clone();
        one.path.waypoints = vec![Vec2::ZERO, Vec2::X * 100.0];
    };
    let on_the_way = |one: &mut TestAgent| noted(one, Vec2::X * 50.0, 1.0);
    let kept = Due::When(PlanReason::GoalMoved);
    assert_eq!(
        due(on_the_way),
        Due::After(STUCK_RETRY_SECONDS, PlanReason::WayChanged)
    );
    let later = due(|one| {
        on_the_way(one);
        one.now = 11.0;
    });
    assert_eq!(later, Due::Now(Purpose::Path, PlanReason::WayChanged));
    assert_eq!(
        due(|one| noted(one, Vec2::new(50.0, 9.0), 1.0)),
        kept,
        "beside the path"
    );
    assert_eq!(
        due(|one| noted(one, Vec2::X * 50.0, 1.5)),
        kept,
        "for wider bodies"
    );
    let known = |one: &mut TestAgent| {
        on_the_way(one);
        one.planning.prices = one.prices.revision;
    };
    assert_eq!(due(known), kept);
}
