//! Agents that a game moves or knocks within a crowd.

use super::*;

/// Chasers that stand around a target in the middle of a level of 30 by 30.
fn standing(body: Body, count: usize) -> (App, Vec<Entity>) {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let target = spawn_target(&mut app, cell(15, 15));
    let starts = rows(count, 6, cell(12, 12), 1.1);
    let chasers = (starts.iter()).map(|at| spawn_chaser(&mut app, body, *at, target));
    let chasers = chasers.collect();
    run(&mut app, 400);
    (app, chasers)
}

fn assert_apart(app: &App, agents: &[Entity], min_gap: f32, context: impl std::fmt::Debug) {
    let gap = smallest_gap(&places(app, agents));
    assert!(
        gap > min_gap,
        "{context:?}: agents overlap, the smallest gap is {gap}"
    );
    assert_eq!(events(app).stuck, [], "{context:?}");
}

#[test]
fn an_agent_placed_inside_a_standing_one_separates_from_it() {
    for body in BODIES {
        let (mut app, chasers) = standing(body, 36);
        for n in [0, 20, 35] {
            let at = position(&app, chasers[(n + 11) % 36]);
            set_position(&mut app, chasers[n], at);
            run_off_walls(&mut app, &chasers, 180, body);
            assert_apart(&app, &chasers, 0.9, (body, n));
        }
    }
}

#[test]
fn agents_knocked_through_a_crowd_separate_again() {
    let (mut app, chasers) = standing(Body::Dynamic, 36);
    for n in 0..12 {
        hit(&mut app, chasers[3 * n], Vec2::from_angle(n as f32) * 14.0);
        run_off_walls(&mut app, &chasers, 20, n);
    }
    run(&mut app, 300);
    assert_apart(&app, &chasers, 0.85, "after all hits");
}

#[test]
fn a_walker_goes_around_an_agent_driven_by_the_game() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 12));
        let at = Vec2::new(15.0, 6.0);
        let manual = spawn_with(&mut app, body, at, NavDrive::Manual);
        let walk = PathRequest::to(Vec2::new(25.0, 6.0));
        let walker = spawn_with(&mut app, body, Vec2::new(5.0, 6.0), walk);
        let mut smallest = f32::INFINITY;
        for _ in 0..400 {
            app.update();
            smallest = smallest.min(smallest_gap(&places(&app, &[manual, walker])));
        }
        // Each of two agents would move aside by half, but the game does not move the manual agent aside.
        assert!(
            smallest > 0.75,
            "{body:?}: the walker overlaps the manual agent, the smallest gap is {smallest}"
        );
        assert!(
            has_arrived(&app, walker),
            "{body:?}: the walker did not arrive"
        );
    }
}

#[test]
fn an_agent_pushed_off_its_goal_returns_without_a_second_arrival() {
    let mut app = level(PlanMode::Inline, &open(30, 12));
    let goal = Vec2::new(15.0, 6.0);
    let standing_agent = spawn_bare(&mut app, Vec2::new(13.0, 6.0), PathRequest::to(goal));
    arrive(&mut app, standing_agent, 300, "alone");
    let heavy = (PathRequest::to(Vec2::new(27.0, 6.0)), NavPriority(6));
    let heavy = spawn_bare(&mut app, Vec2::new(3.0, 6.2), heavy);
    let mut farthest = 0.0_f32;
    for _ in 0..600 {
        app.update();
        farthest = farthest.max(position(&app, standing_agent).distance(goal));
    }
    assert!(
        farthest > 0.5 * RADIUS && farthest < 8.0 * RADIUS,
        "the agent was pushed by {farthest}"
    );
    assert!(has_arrived(&app, heavy) && has_arrived(&app, standing_agent));
    assert_eq!(reached_by(&app, standing_agent).len(), 1);
}

#[test]
fn sixty_dynamic_bodies_pass_a_door_one_body_wide() {
    // A row of cells runs through the middle of the door.
    let mut app = doors::rooms_on(Rect::new(0.0, 0.25, 41.0, 19.75), 2.5 * RADIUS);
    let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
    let starts = rows(60, 10, Vec2::new(3.0, 4.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Dynamic, *at, target))
        .collect();
    let has_passed = |app: &mut App| (chasers.iter()).all(|one| position(app, *one).x > 21.5);
    run_until(&mut app, 2400, has_passed);
    assert!(
        has_passed(&mut app),
        "some agents are still in front of the door: {:?}",
        places(&app, &chasers)
    );
    assert_eq!(events(&app).stuck, []);
}
