//! Agents of two classes, and a pond that one of them may not enter, on a grid that the game baked itself.

use bevy::math::Rect;
use bevy_pursuit::core::{AreaCosts, Areas, Cell, CellRect, Clearance, DiagonalPolicy, Layout};
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::plugins::BakePlugin;

use crate::common::*;

/// The class that may not enter the pond.
const WALKER: ClassId = ClassId(1);
const SIDE: u32 = 24;

/// A pond that reaches the edge of the map below. A path leads around it above.
fn pond() -> Rect {
    Rect::from_corners(Vec2::new(10.0, -1.0), Vec2::new(14.0, 18.0))
}

fn level_with_forbidden(mode: PlanMode, forbidden: &[(ClassId, Rect)]) -> App {
    let mut app = game_with_plugins(60.0, mode, false, |plugins| plugins.disable::<BakePlugin>());
    let layout = Layout::new(Vec2::ZERO, 1.0, SIDE, SIDE).expect("a layout");
    let clearance = Clearance::open(SIDE, SIDE, 3.0).expect("a size");
    let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::NoCornerCut, 1);
    // Each rectangle sets one bit of the area number. Areas with that bit are forbidden to one class.
    let mut areas = Areas::plain(SIDE, SIDE).expect("a size");
    let mut classes = [AreaCosts::plain(); 3];
    for (bit, (class, rect)) in forbidden.iter().enumerate() {
        let corner = |at: Vec2| Cell::new(at.x as i32, at.y as i32);
        let (cells, bit) = (CellRect::new(corner(rect.min), corner(rect.max)), 1 << bit);
        areas.paint(cells, |_, area| area | bit);
        let costs = &mut classes[usize::from(class.0)];
        for area in (0..=u8::MAX).filter(|area| area & bit != 0) {
            *costs = costs.with(area, AreaCosts::FORBIDDEN);
        }
    }
    let snapshot = snapshot.with_areas(areas, &classes).expect("the same size");
    let baked = BakedGrid::from_snapshot(snapshot);
    let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(SIDE as f32));
    let grid = spawn_grid(&mut app, bounds, 0.5);
    give(&mut app, grid, baked);
    app
}

fn spawn_of_class(app: &mut App, class: ClassId, at: Vec2) -> Entity {
    let agent = NavAgent::from_radius(RADIUS).with_class(class);
    spawn_bare(app, at, agent)
}

/// Runs until all agents have arrived, and asserts that no walker enters the pond.
#[track_caller]
fn walk_off_the_pond(app: &mut App, agents: &[(Entity, ClassId)]) {
    run_slowly(app, 1);
    run_slowly_until(app, 1500, |app| {
        for (agent, class) in agents {
            let at = position(app, *agent);
            let swims = pond().inflate(-1e-3).contains(at);
            assert!(
                !(swims && *class == WALKER),
                "walker {agent} is in the pond at {at}"
            );
        }
        agents.iter().all(|(agent, _)| has_arrived(app, *agent))
    });
}

#[test]
fn walkers_go_around_a_pond_that_swimmers_cross() {
    for mode in MODES {
        let mut app = level_with_forbidden(mode, &[(WALKER, pond())]);
        disable_avoidance(&mut app);
        let mut agents = Vec::new();
        for n in 0..8 {
            let class = ClassId(n % 2);
            let agent = spawn_of_class(&mut app, class, Vec2::new(4.5, 2.5 + f32::from(n)));
            // All agents have the same goal, so that they are planned for together.
            let request = PathRequest::to(Vec2::new(20.3, 6.5)).with_reach(4.0);
            give(&mut app, agent, request);
            agents.push((agent, class));
        }
        run_slowly_until(&mut app, 100, |app| {
            let is_found =
                |(agent, _): &(Entity, ClassId)| status(app, *agent) == PathStatus::Found;
            agents.iter().all(is_found)
        });
        for (agent, class) in &agents {
            let path = get::<NavPath>(&app, *agent);
            assert_eq!(path.body().class, *class);
            assert_eq!(path.length() > 25.0, *class == WALKER, "{path:?}");
        }
        walk_off_the_pond(&mut app, &agents);
    }
}

#[test]
fn a_walker_sees_its_target_across_a_pond_and_walks_around() {
    for mode in MODES {
        let mut app = level_with_forbidden(mode, &[(WALKER, pond())]);
        disable_avoidance(&mut app);
        let target = spawn_target(&mut app, Vec2::new(18.5, 5.5));
        let agents = [ClassId(0), WALKER].map(|class| {
            let agent = spawn_of_class(&mut app, class, Vec2::new(6.5, 5.5));
            give(&mut app, agent, Chase::new(target));
            (agent, class)
        });
        run_slowly_until(&mut app, 100, |app| {
            let locomotion = agents.map(|(agent, _)| locomotion(app, agent));
            locomotion == [Locomotion::Straight, Locomotion::Moving]
        });
        walk_off_the_pond(&mut app, &agents);
        // The target moves to the other side of the pond, and the agents near it follow by land.
        set_position(&mut app, target, Vec2::new(8.5, 2.5));
        walk_off_the_pond(&mut app, &agents);
        // An archer in range does not have to move.
        set_position(&mut app, target, Vec2::new(17.5, 5.5));
        let archer = spawn_of_class(&mut app, WALKER, Vec2::new(6.5, 5.5));
        let chase = Chase::new(target).with_reach(12.0).with_sight();
        give(&mut app, archer, chase);
        walk_off_the_pond(&mut app, &[(archer, WALKER)]);
        assert!(position(&app, archer).x < 10.0);
    }
}

#[test]
fn navigation_queries_depend_on_the_class() {
    let across = Rect::from_corners(Vec2::new(10.0, -1.0), Vec2::new(14.0, 30.0));
    let mut app = level_with_forbidden(PlanMode::Inline, &[(WALKER, across), (ClassId(2), pond())]);
    let (from, to) = (Vec2::new(6.5, 5.5), Vec2::new(18.5, 5.5));
    let body_of = |class| NavAgent::from_radius(0.4).with_class(class);
    ask(&mut app, move |navigation: Navigation| {
        assert_eq!(
            navigation.is_reachable(from, to, body_of(ClassId(0))),
            Ok(true)
        );
        assert_eq!(
            navigation.is_reachable(from, to, body_of(WALKER)),
            Ok(false)
        );
        let distance = |class| navigation.distance(from, to, body_of(class));
        assert_eq!(distance(WALKER), Err(Unreachable));
        assert_eq!(navigation.distance(from, to, 0.4), Ok(12.0));
        assert!(distance(ClassId(2)).is_ok_and(|far| far > 20.0));
        assert_eq!(
            navigation.can_go_straight(from, to, body_of(ClassId(0))),
            Ok(true)
        );
        assert_eq!(
            navigation.can_go_straight(from, to, body_of(ClassId(2))),
            Ok(false)
        );
        assert_eq!(navigation.line_of_sight(from, to, 0.4), Ok(true));
        let inside = Vec2::new(12.5, 5.5);
        assert_eq!(
            navigation.nearest_free(inside, body_of(ClassId(0))),
            Ok(inside)
        );
        let free = navigation.nearest_free(inside, body_of(ClassId(2)));
        assert_eq!(free.map(|at| pond().contains(at)), Ok(false));
    });
}

#[test]
fn a_class_changed_in_place_is_planned_for_at_once() {
    let mut app = level_with_forbidden(PlanMode::Inline, &[(WALKER, pond())]);
    let agent = spawn_of_class(&mut app, ClassId(0), Vec2::new(4.5, 5.5));
    give(&mut app, agent, PathRequest::to(Vec2::new(20.5, 5.5)));
    run(&mut app, 3);
    assert_eq!(get::<NavPath>(&app, agent).length(), 16.0);
    get_mut::<NavAgent>(&mut app, agent).class = WALKER;
    run(&mut app, 2);
    assert!(get::<NavPath>(&app, agent).length() > 25.0);
    walk_off_the_pond(&mut app, &[(agent, WALKER)]);
}

#[test]
fn an_agent_put_into_a_forbidden_pond_leaves_it() {
    for mode in MODES {
        let mut app = level_with_forbidden(mode, &[(WALKER, pond())]);
        let agent = spawn_of_class(&mut app, WALKER, Vec2::new(11.5, 5.5));
        give(&mut app, agent, PathRequest::to(Vec2::new(4.5, 5.5)));
        arrive(&mut app, agent, 200, mode);
    }
}

#[test]
fn a_fleeing_walker_does_not_run_into_a_pond() {
    for (mode, class) in MODES
        .into_iter()
        .flat_map(|mode| [(mode, ClassId(0)), (mode, WALKER)])
    {
        let mut app = level_with_forbidden(mode, &[(WALKER, pond())]);
        let threat = spawn_target(&mut app, Vec2::new(4.5, 5.5));
        let agent = spawn_of_class(&mut app, class, Vec2::new(8.5, 5.5));
        give(&mut app, agent, Flee::new(threat, 12.0));
        let mut swam = false;
        run_slowly_until(&mut app, 1500, |app| {
            swam |= pond().inflate(-1e-3).contains(position(app, agent));
            position(app, agent).distance(position(app, threat)) > 12.0
        });
        // The water lies straight away from the threat.
        assert_eq!(swam, class == ClassId(0), "{mode:?}");
    }
}

#[test]
fn a_swimmer_flees_into_the_water_from_a_threat_that_cannot_swim() {
    // If the threat swims, the agent runs over land to the far corner.
    for (mode, class) in MODES
        .into_iter()
        .flat_map(|mode| [(mode, ClassId(0)), (mode, WALKER)])
    {
        let mut app = level_with_forbidden(mode, &[(WALKER, pond())]);
        let threat = spawn_of_class(&mut app, class, Vec2::new(9.5, 2.5));
        let agent = spawn_of_class(&mut app, ClassId(0), Vec2::new(15.5, 4.5));
        give(&mut app, agent, Flee::new(threat, 13.0));
        run_slowly_until(&mut app, 1500, |app| {
            position(app, agent).distance(position(app, threat)) > 14.0
        });
        let swims = pond().contains(position(&app, agent));
        assert_eq!(swims, class == WALKER, "{mode:?}");
    }
}
