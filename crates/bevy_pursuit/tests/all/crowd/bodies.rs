//! Crowds of bodies of all kinds, and things that stand in their way.

use super::*;

#[test]
fn two_agents_on_one_line_pass_each_other() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 12));
        let ends = [Vec2::new(4.0, 6.0), Vec2::new(26.0, 6.0)];
        let walkers = [(ends[0], ends[1]), (ends[1], ends[0])];
        let walkers =
            walkers.map(|(from, to)| spawn_with(&mut app, body, from, PathRequest::to(to)));
        let mut smallest = f32::INFINITY;
        for _ in 0..400 {
            app.update();
            smallest = smallest.min(smallest_gap(&places(&app, &walkers)));
        }
        assert!(
            smallest > 0.85,
            "{body:?}: the walkers overlap, the smallest gap is {smallest}"
        );
        assert!(
            walkers.iter().all(|one| has_arrived(&app, *one)),
            "{body:?}: a walker did not arrive"
        );
    }
}

#[test]
fn a_paused_agent_stays_put_and_a_walker_goes_around_it() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 12));
        let paused = spawn_with(&mut app, body, Vec2::new(15.0, 6.0), NavPaused);
        let walker = spawn_with(
            &mut app,
            body,
            Vec2::new(5.0, 6.0),
            PathRequest::to(Vec2::new(25.0, 6.0)),
        );
        let mut smallest = f32::INFINITY;
        for _ in 0..400 {
            app.update();
            smallest = smallest.min(smallest_gap(&places(&app, &[paused, walker])));
        }
        assert!(
            smallest > 0.9,
            "{body:?}: the walker overlaps the paused agent, the smallest gap is {smallest}"
        );
        assert_eq!(
            position(&app, paused),
            Vec2::new(15.0, 6.0),
            "{body:?}: the paused agent was pushed"
        );
        assert!(
            has_arrived(&app, walker),
            "{body:?}: the walker is at {}",
            position(&app, walker)
        );
    }
}

#[test]
fn a_crowd_keeps_clear_of_the_cart_it_passes() {
    let mut app = level(PlanMode::Inline, &open(30, 20));
    let cart = (
        transform_at(Vec2::new(15.0, 10.0)),
        CrowdObstacle { radius: 1.5 },
    );
    let cart = spawn(&mut app, cart);
    let target = spawn_target(&mut app, Vec2::new(27.0, 10.0));
    let starts = rows(20, 4, Vec2::new(2.0, 7.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    for tick in 0..500 {
        let at = Vec2::new(15.0, 10.0 + 2.0 * (tick as f32 * 0.02).sin());
        set_position(&mut app, cart, at);
        app.update();
        for chaser in &chasers {
            assert_away(&app, *chaser, at, 0.85 * (1.5 + RADIUS).., tick);
        }
    }
    let passed = chasers.iter().filter(|one| position(&app, **one).x > 17.0);
    assert_eq!(
        passed.count(),
        20,
        "some chasers did not pass the cart: {:?}",
        places(&app, &chasers)
    );
}

#[test]
fn an_agent_with_priority_gives_way_less() {
    let mut app = level(PlanMode::Inline, &open(12, 12));
    let weak = spawn_bare(&mut app, Vec2::new(6.0, 6.0), ());
    let strong = spawn_bare(&mut app, Vec2::new(6.3, 6.0), NavPriority(4));
    run(&mut app, 60);
    let moved =
        [(weak, 6.0), (strong, 6.3)].map(|(one, from)| (position(&app, one).x - from).abs());
    assert!(smallest_gap(&places(&app, &[weak, strong])) > 0.95);
    assert!(
        moved[0] > 8.0 * moved[1],
        "the weak and the strong agent moved by {moved:?}"
    );
}

#[test]
fn bodies_of_low_grip_keep_apart() {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let player = (transform_at(cell(15, 15)), CrowdObstacle { radius: RADIUS });
    let player = spawn(&mut app, player);
    let starts = rows(12, 4, cell(3, 13), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| {
            let chaser = spawn_chaser(&mut app, Body::Dynamic, *at, player);
            give(&mut app, chaser, NavDrive::Grip(0.2));
            chaser
        })
        .collect();
    run(&mut app, 600);
    let gap = smallest_gap(&places(&app, &chasers));
    assert!(gap > 0.8, "bodies overlap: the smallest gap is {gap}");
    assert_eq!(events(&app).stuck, []);
}

/// The bodies collide with each other, which the crowd does not take into account.
#[test]
fn a_controller_held_by_another_agent_is_reported_stuck() {
    let mut app = doors::rooms(4.0 * RADIUS);
    let player = CrowdObstacle { radius: RADIUS };
    let target = spawn(&mut app, (transform_at(Vec2::new(31.0, 10.0)), player));
    let starts = rows(60, 10, Vec2::new(3.0, 4.0), 1.2);
    let chasers: Vec<Entity> = (starts.iter())
        .map(|at| {
            let chaser = spawn_chaser(&mut app, Body::Kinematic, *at, target);
            give(&mut app, chaser, CollisionGroups::default());
            chaser
        })
        .collect();
    run(&mut app, 1800);
    let before = places(&app, &chasers);
    run(&mut app, 600);
    let held = chasers.iter().zip(before).filter(|(one, before)| {
        let wants = matches!(
            locomotion(&app, **one),
            Locomotion::Moving | Locomotion::Straight
        );
        wants && position(&app, **one).distance(*before) < 0.1 * RADIUS
    });
    let held: Vec<Entity> = held.map(|(one, _)| *one).collect();
    for one in held {
        let is_reported = events(&app).stuck.iter().any(|event| event.entity == one);
        assert!(
            is_reported,
            "{one} is held by another agent and was not reported stuck: {:?}",
            locomotion(&app, one)
        );
    }
}
