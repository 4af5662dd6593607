//! Through doors.

use super::*;

/// Two rooms of 20 by 20, and a door of `width` in the wall between them.
pub(super) fn rooms(width: f32) -> App {
    let mut app = game(60.0, PlanMode::Inline);
    spawn_grid(&mut app, Rect::new(0.0, 0.0, 41.0, 20.0), 0.25);
    let half = (20.0 - width) / 4.0;
    for y in [half, 20.0 - half] {
        spawn_wall(&mut app, Vec2::new(20.5, y), Vec2::new(0.5, half));
    }
    run(&mut app, 3);
    app
}

#[test]
fn sixty_chasers_jammed_at_a_door_that_two_fit_through() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = rooms(4.2 * RADIUS);
        let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
        let starts = rows(60, 10, Vec2::new(3.0, 4.0), 1.2);
        let chasers: Vec<Entity> = (starts.iter())
            .map(|at| spawn_chaser(&mut app, body, *at, target))
            .collect();
        let has_passed = |app: &App| {
            let passed = chasers.iter().filter(|one| position(app, **one).x > 21.5);
            passed.count()
        };
        let mut least = f32::INFINITY;
        let mut tick = 0;
        while has_passed(&app) < 60 && tick < 1200 {
            run_off_walls(&mut app, &chasers, 1, body);
            least = least.min(least_gap(&places(&app, &chasers)));
            tick += 1;
        }
        let passed = has_passed(&app);
        assert_eq!(passed, 60, "{body:?}, least gap {least}");
        assert!(least > 0.5, "{body:?}: {least}");
        assert_eq!(heard(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn those_who_wait_before_a_door_queue() {
    let mut app = rooms(4.2 * RADIUS);
    let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
    let starts = rows(60, 10, Vec2::new(8.0, 4.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    let queues = |app: &App| {
        let waits = chasers
            .iter()
            .filter(|one| legs(app, **one) == Locomotion::Queued);
        waits.count()
    };
    let most = (0..300).map(|_| {
        app.update();
        queues(&app)
    });
    assert!(most.max() > Some(5));
}

/// Two rooms, and two doors that one fits through.
fn two_doors() -> App {
    let mut app = game(60.0, PlanMode::Inline);
    spawn_grid(&mut app, Rect::new(0.0, 0.0, 41.0, 20.0), 0.25);
    for (from, to) in [(0.0, 5.25), (6.25, 14.75), (15.75, 20.0)] {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        spawn_wall(&mut app, Vec2::new(20.5, middle), Vec2::new(0.5, half));
    }
    run(&mut app, 3);
    app
}

#[test]
fn hundreds_waited_at_one_door_beside_another() {
    let mut app = two_doors();
    let target = spawn_target(&mut app, Vec2::new(37.0, 5.75));
    let starts = rows(200, 17, Vec2::new(3.0, 1.0), 0.95);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    let (mut by_far, mut left, mut ticks) = (0, chasers, 0);
    let mut deep = 0;
    while !left.is_empty() && ticks < 3600 {
        app.update();
        ticks += 1;
        let places = places(&app, &left);
        deep += u32::from(least_gap(&places) < 0.7);
        let mut places = places.into_iter();
        left.retain(|_| {
            let place = places.next().expect("one for each");
            by_far += u32::from(place.x > 22.0 && place.y > 10.0);
            place.x <= 22.0
        });
    }
    assert!(left.is_empty(), "{} wait", left.len());
    assert!(by_far > 60, "{by_far} took the far door");
    assert!(
        50 * deep < ticks,
        "in {deep} of {ticks} ticks some were deep in one another"
    );
}

#[test]
fn who_stood_behind_one_in_a_door_that_nothing_moves_did_not_take_the_other() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = two_doors();
        spawn_with(&mut app, body, Vec2::new(20.5, 5.75), NavPaused);
        let goal = Vec2::new(30.0, 5.75);
        let walkers = [10.0, 11.0].map(|x| {
            let from = Vec2::new(x, 5.75);
            spawn_walker(&mut app, body, from, goal)
        });
        come_off_walls(&mut app, walkers, 900, body);
        assert_eq!(heard(&app).stuck, [], "{body:?}");
    }
}
