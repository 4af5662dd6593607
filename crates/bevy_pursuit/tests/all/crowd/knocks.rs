//! What a game does to one of a crowd.

use super::*;

/// Chasers that stand around a target, in the middle of 30 by 30.
fn standing(body: Body, count: usize) -> (App, Vec<Entity>) {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let target = spawn_target(&mut app, cell(15, 15));
    let starts = rows(count, 6, cell(12, 12), 1.1);
    let chasers = (starts.iter()).map(|at| spawn_chaser(&mut app, body, *at, target));
    let chasers = chasers.collect();
    run(&mut app, 400);
    (app, chasers)
}

fn assert_apart(app: &App, agents: &[Entity], least: f32, what: impl std::fmt::Debug) {
    let gap = smallest_gap(&places(app, agents));
    assert!(gap > least, "{what:?}: {gap}");
    assert_eq!(events(app).stuck, [], "{what:?}");
}

#[test]
fn one_that_was_put_into_those_who_stand_stayed_in_them() {
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
fn one_that_was_knocked_through_others_lay_in_them() {
    let (mut app, chasers) = standing(Body::Dynamic, 36);
    for n in 0..12 {
        hit(&mut app, chasers[3 * n], Vec2::from_angle(n as f32) * 14.0);
        run_off_walls(&mut app, &chasers, 20, n);
    }
    run(&mut app, 300);
    assert_apart(&app, &chasers, 0.85, "after all hits");
}

#[test]
fn who_is_driven_by_hand_was_walked_through() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 12));
        let at = Vec2::new(15.0, 6.0);
        let manual = spawn_with(&mut app, body, at, NavDrive::Manual);
        let walk = PathRequest::to(Vec2::new(25.0, 6.0));
        let walker = spawn_with(&mut app, body, Vec2::new(5.0, 6.0), walk);
        let mut least = f32::INFINITY;
        for _ in 0..400 {
            app.update();
            least = least.min(smallest_gap(&places(&app, &[manual, walker])));
        }
        // Its game does not make the step aside that is half of the way.
        assert!(least > 0.75, "{body:?}: {least}");
        assert!(has_arrived(&app, walker), "{body:?}");
    }
}

#[test]
fn one_that_was_pushed_away_from_its_goal_and_came_back_arrived_again() {
    let mut app = level(PlanMode::Inline, &open(30, 12));
    let goal = Vec2::new(15.0, 6.0);
    let stands = spawn_bare(&mut app, Vec2::new(13.0, 6.0), PathRequest::to(goal));
    arrive(&mut app, stands, 300, "alone");
    let heavy = (PathRequest::to(Vec2::new(27.0, 6.0)), NavPriority(6));
    let heavy = spawn_bare(&mut app, Vec2::new(3.0, 6.0), heavy);
    let mut farthest = 0.0_f32;
    for _ in 0..600 {
        app.update();
        farthest = farthest.max(position(&app, stands).distance(goal));
    }
    assert!(farthest > 0.5 * RADIUS, "pushed by {farthest} only");
    assert!(has_arrived(&app, heavy) && has_arrived(&app, stands));
    assert_eq!(reached_by(&app, stands).len(), 1);
}

#[test]
fn sixty_dynamic_bodies_jammed_at_a_door_that_one_fits_through() {
    // A row of cells leads through the middle of the door.
    let mut app = doors::rooms_on(Rect::new(0.0, 0.25, 41.0, 19.75), 2.5 * RADIUS);
    let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
    let starts = rows(60, 10, Vec2::new(3.0, 4.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Dynamic, *at, target))
        .collect();
    let has_passed = |app: &mut App| (chasers.iter()).all(|one| position(app, *one).x > 21.5);
    run_until(&mut app, 2400, has_passed);
    assert!(has_passed(&mut app), "{:?}", places(&app, &chasers));
    assert_eq!(events(&app).stuck, []);
}
