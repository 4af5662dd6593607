//! Crowds at doors.

use super::*;

/// Two rooms of 20 by 20, and a door of `width` in the wall between them.
pub(super) fn rooms(width: f32) -> App {
    rooms_on(Rect::new(0.0, 0.0, 41.0, 20.0), width)
}

/// Two rooms with a grid that covers `grid`.
pub(super) fn rooms_on(grid: Rect, width: f32) -> App {
    build_rooms(game(60.0, PlanMode::Inline), grid, width)
}

/// Two rooms in a game at `hz`.
fn rooms_at(hz: f64, width: f32) -> App {
    let grid = Rect::new(0.0, 0.0, 41.0, 20.0);
    build_rooms(game(hz, PlanMode::Inline), grid, width)
}

fn build_rooms(mut app: App, grid: Rect, width: f32) -> App {
    spawn_grid(&mut app, grid, 0.25);
    let half = (20.0 - width) / 4.0;
    for y in [half, 20.0 - half] {
        spawn_wall(&mut app, Vec2::new(20.5, y), Vec2::new(0.5, half));
    }
    run(&mut app, 3);
    app
}

#[test]
fn sixty_chasers_pass_a_door_that_is_two_bodies_wide() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = rooms(4.2 * RADIUS);
        let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
        let starts = rows(60, 10, Vec2::new(3.0, 4.0), 1.2);
        let chasers: Vec<Entity> = (starts.iter())
            .map(|at| spawn_chaser(&mut app, body, *at, target))
            .collect();
        let count_passed = |app: &App| {
            let passed = chasers.iter().filter(|one| position(app, **one).x > 21.5);
            passed.count()
        };
        let mut smallest = f32::INFINITY;
        let mut tick = 0;
        while count_passed(&app) < 60 && tick < 1200 {
            run_off_walls(&mut app, &chasers, 1, body);
            smallest = smallest.min(smallest_gap(&places(&app, &chasers)));
            tick += 1;
        }
        let passed = count_passed(&app);
        assert_eq!(
            passed, 60,
            "{body:?}: some chasers did not pass, the smallest gap was {smallest}"
        );
        assert!(
            smallest > 0.5,
            "{body:?}: chasers overlap, the smallest gap was {smallest}"
        );
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn agents_waiting_at_a_door_queue() {
    let mut app = rooms(4.2 * RADIUS);
    let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
    let starts = rows(60, 10, Vec2::new(8.0, 4.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    let count_queued = |app: &App| {
        let queued = chasers
            .iter()
            .filter(|one| locomotion(app, **one) == Locomotion::Queued);
        queued.count()
    };
    let queue_lengths = (0..300).map(|_| {
        app.update();
        count_queued(&app)
    });
    assert!(queue_lengths.max() > Some(5));
}

/// Two rooms with two doors between them. A door is as wide as one body.
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
fn a_large_crowd_uses_both_of_two_doors() {
    let mut app = two_doors();
    let target = spawn_target(&mut app, Vec2::new(37.0, 5.75));
    let starts = rows(200, 17, Vec2::new(3.0, 1.0), 0.95);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    let (mut through_far_door, mut waiting, mut ticks) = (0, chasers, 0);
    let mut ticks_with_overlap = 0;
    while !waiting.is_empty() && ticks < 3600 {
        app.update();
        ticks += 1;
        let places = places(&app, &waiting);
        ticks_with_overlap += u32::from(smallest_gap(&places) < 0.7);
        let mut places = places.into_iter();
        waiting.retain(|_| {
            let place = places.next().expect("one position per chaser");
            through_far_door += u32::from(place.x > 22.0 && place.y > 10.0);
            place.x <= 22.0
        });
    }
    assert!(waiting.is_empty(), "{} chasers did not pass", waiting.len());
    assert!(
        through_far_door > 60,
        "only {through_far_door} chasers took the far door"
    );
    assert!(
        50 * ticks_with_overlap < ticks,
        "some chasers overlap in {ticks_with_overlap} of {ticks} ticks"
    );
}

#[test]
fn agents_behind_a_paused_one_in_a_door_take_the_other_door() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = two_doors();
        spawn_with(&mut app, body, Vec2::new(20.5, 5.75), NavPaused);
        let goal = Vec2::new(30.0, 5.75);
        let walkers = [10.0, 11.0].map(|x| {
            let from = Vec2::new(x, 5.75);
            spawn_walker(&mut app, body, from, goal)
        });
        arrive_or_settle_off_walls(&mut app, walkers, 900, body);
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn agents_of_three_sizes_pass_a_door_together() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = rooms(1.8);
        let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
        let starts = rows(45, 9, Vec2::new(4.0, 4.0), 1.3);
        let chasers: Vec<Entity> = (starts.iter().enumerate())
            .map(|(n, at)| {
                let radius = [0.2, 0.4, 0.6][n % 3];
                let agent = NavAgent::from_radius(radius).with_speed(8.0);
                let chaser = spawn_chaser(&mut app, body, *at, target);
                give(&mut app, chaser, agent);
                if body == Body::Kinematic {
                    give(&mut app, chaser, Collider::ball(radius));
                }
                chaser
            })
            .collect();
        let has_passed = |app: &App| chasers.iter().all(|one| position(app, *one).x > 21.2);
        let mut ticks = 0;
        while !has_passed(&app) && ticks < 1800 {
            run_off_walls(&mut app, &chasers, 1, body);
            ticks += 1;
        }
        assert!(
            has_passed(&app),
            "{body:?}: some chasers did not pass: {:?}",
            places(&app, &chasers)
        );
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

/// Each corridor has two agents and is 2.1 to 4.4 radii wide.
#[test]
fn pairs_that_meet_in_corridors_pass_each_other() {
    const CORRIDORS: usize = 24;
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = game(60.0, PlanMode::Inline);
        spawn_grid(
            &mut app,
            Rect::new(0.0, 0.0, 24.0, 4.0 * CORRIDORS as f32 + 0.5),
            0.25,
        );
        let mut random = fastrand::Rng::with_seed(27);
        let mut pairs = Vec::new();
        for corridor in 0..CORRIDORS {
            // The corridor lies in the middle of a row of cells.
            let y = 4.0 * corridor as f32 + 2.25;
            let half = RADIUS * (1.05 + 1.15 * corridor as f32 / (CORRIDORS - 1) as f32);
            for side in [-1.0, 1.0] {
                let (beside, between) = (0.5 * (2.0 - half), 2.0 * side);
                spawn_wall(
                    &mut app,
                    Vec2::new(12.0, y + side * (half + beside)),
                    Vec2::new(3.0, beside),
                );
                spawn_wall(&mut app, Vec2::new(12.0, y + between), Vec2::new(12.0, 0.1));
            }
            pairs.push((half >= 2.0 * RADIUS, [3.0, 21.0].map(|x| Vec2::new(x, y))));
        }
        run(&mut app, 3);
        let walkers = pairs.into_iter().map(|(fits, [west, east])| {
            let pair = [(west, east), (east, west)].map(|(from, to)| {
                let walker = spawn_walker(&mut app, body, from, to);
                let speed = 3.0 + 3.0 * random.f32();
                give(
                    &mut app,
                    walker,
                    NavAgent::from_radius(RADIUS).with_speed(speed),
                );
                walker
            });
            (fits, pair)
        });
        let walkers: Vec<(bool, [Entity; 2])> = walkers.collect();
        let (wide, narrow): (Vec<_>, Vec<_>) = walkers.into_iter().partition(|(fits, _)| *fits);
        let agents_of = |pairs: &[(bool, [Entity; 2])]| -> Vec<Entity> {
            pairs.iter().flat_map(|(_, pair)| *pair).collect()
        };
        assert!(wide.len() >= 4 && narrow.len() >= 12);
        arrive_or_settle_off_walls(&mut app, &agents_of(&wide), 600, (body, "both fit"));
        arrive_or_settle_off_walls(&mut app, &agents_of(&narrow), 600, (body, "one backs off"));
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn a_cart_in_the_only_door_makes_an_agent_report_stuck() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = rooms(4.2 * RADIUS);
        let cart = CrowdObstacle { radius: RADIUS };
        spawn(&mut app, (transform_at(Vec2::new(20.5, 10.0)), cart));
        let goal = Vec2::new(30.0, 10.0);
        let starts = rows(5, 5, Vec2::new(9.0, 10.0), 1.2);
        let walkers: Vec<Entity> = (starts.iter())
            .map(|at| spawn_walker(&mut app, body, *at, goal))
            .collect();
        run_off_walls(&mut app, &walkers, 1200, body);
        let is_reported =
            |one: &&Entity| events(&app).stuck.iter().any(|event| event.entity == **one);
        assert!(
            walkers.iter().any(|one| is_reported(&one)),
            "{body:?}: no walker was reported stuck"
        );
        let gap = smallest_gap(&places(&app, &walkers));
        assert!(
            gap > 0.9,
            "{body:?}: walkers overlap, the smallest gap is {gap}"
        );
        for one in &walkers {
            assert_away(&app, *one, Vec2::new(20.5, 10.0), 1.8 * RADIUS.., body);
        }
    }
}

/// 95 agents are too few for a flow field; 97 agents share one.
#[test]
fn a_horde_behind_a_cart_in_the_only_door_sends_one_stuck_event() {
    for count in [95, 97] {
        let mut app = rooms(4.2 * RADIUS);
        let cart = CrowdObstacle { radius: RADIUS };
        spawn(&mut app, (transform_at(Vec2::new(20.5, 10.0)), cart));
        let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
        for at in rows(count, 15, Vec2::new(2.0, 0.8), 0.9) {
            spawn_chaser(&mut app, Body::Transform, at, target);
        }
        run(&mut app, 2400);
        let stuck = events(&app).stuck.len();
        assert_eq!(stuck, 1, "one jam of {count} chasers sends one event");
    }
}

#[test]
fn an_agent_behind_a_cart_in_a_door_reports_stuck_once() {
    let both_bodies = |hz: f64| [(hz, Body::Transform), (hz, Body::Kinematic)];
    for (hz, body) in [20.0, 30.0, 60.0, 144.0].into_iter().flat_map(both_bodies) {
        let mut app = rooms_at(hz, 4.58 * RADIUS);
        let cart = CrowdObstacle { radius: RADIUS };
        spawn(&mut app, (transform_at(Vec2::new(20.5, 10.0)), cart));
        let goal = Vec2::new(30.0, 10.0);
        spawn_walker(&mut app, body, Vec2::new(17.0, 10.0), goal);
        run(&mut app, (60.0 * hz) as usize);
        assert_eq!(
            events(&app).stuck.len(),
            1,
            "{body:?} at {hz} Hz: the number of stuck events is wrong"
        );
    }
}

/// The crate is a collider that is neither an obstacle of the grid nor a member of the crowd.
#[test]
fn an_agent_behind_a_crate_in_a_door_reports_stuck_once() {
    let both_bodies = |hz: f64| [(hz, Body::Kinematic), (hz, Body::Dynamic)];
    for (hz, body) in [20.0, 60.0, 144.0].into_iter().flat_map(both_bodies) {
        let mut app = rooms_at(hz, 4.58 * RADIUS);
        let crate_body = (
            RigidBody::KinematicPositionBased,
            Collider::cuboid(0.3, 0.3),
        );
        spawn(&mut app, (transform_at(Vec2::new(20.5, 10.0)), crate_body));
        let goal = Vec2::new(30.0, 10.0);
        spawn_walker(&mut app, body, Vec2::new(17.0, 10.0), goal);
        run(&mut app, (30.0 * hz) as usize);
        assert_eq!(
            events(&app).stuck.len(),
            1,
            "{body:?} at {hz} Hz: the number of stuck events is wrong"
        );
    }
}
