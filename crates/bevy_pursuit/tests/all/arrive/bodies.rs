//! Bodies as games build them, and arrivals that are reported exactly once.

use std::f32::consts::TAU;

use fastrand::Rng;

use crate::common::*;

/// Radius of the agents in these levels, in world units. Cells are twice as wide.
const LARGE: f32 = 8.0;

/// An empty level around the origin.
fn arena(hz: f64, mode: PlanMode, half_size: Vec2) -> App {
    let mut app = game(hz, mode);
    spawn_grid(&mut app, Rect::from_corners(-half_size, half_size), LARGE);
    app
}

fn spawn_large(app: &mut App, body: Body, at: Vec2, rest: impl Bundle) -> Entity {
    let agent = spawn_with(app, body, at, rest);
    set_size(app, agent, body, LARGE);
    agent
}

/// Updates until `seconds` of game time have passed.
fn pass(app: &mut App, seconds: f64) {
    let timestep = app.world().resource::<Time<Fixed>>().timestep();
    for _ in 0..(seconds / timestep.as_secs_f64()).round() as usize {
        tick(app);
    }
}

/// What happens to an agent and its target after the agent arrived for the first time, 4 seconds after the start.
type Act = fn(&mut App, Entity, Entity);

/// Acts, each with the total number of arrivals that are reported.
const ACTS: [(&str, usize, Act); 18] = [
    ("nothing", 1, |_, _, _| {}),
    ("the agent is blown away", 2, |app, agent, _| {
        set_position(app, agent, Vec2::new(583.0, 0.0));
    }),
    ("a blow beside a neighbor", 2, |app, agent, _| {
        spawn_beside(app, agent, Vec2::new(0.0, 17.0));
        blow(app, agent, Vec2::new(80.0, 0.0));
    }),
    (
        "a blow from one neighbor to another one",
        2,
        |app, agent, _| {
            spawn_beside(app, agent, Vec2::new(0.0, 17.0));
            spawn_beside(app, agent, Vec2::new(120.0, 17.0));
            blow(app, agent, Vec2::new(120.0, 0.0));
        },
    ),
    ("a blow beside another chaser", 2, |app, agent, target| {
        let other = spawn_beside(app, agent, Vec2::new(0.0, 17.0));
        give(app, other, Chase::new(target));
        blow(app, agent, Vec2::new(80.0, 0.0));
    }),
    ("a neighbor that comes and goes", 1, |app, agent, _| {
        let other = spawn_beside(app, agent, Vec2::new(0.0, 60.0));
        for goal in [Vec2::new(20.0, 9.0), Vec2::new(20.0, 200.0)] {
            give(app, other, PathRequest::to(goal));
            pass(app, 2.0);
        }
    }),
    ("a flight in between", 2, |app, agent, _| {
        flee_for_a_while(app, agent);
    }),
    ("a flight beside a neighbor", 2, |app, agent, _| {
        spawn_beside(app, agent, Vec2::new(0.0, 17.0));
        flee_for_a_while(app, agent);
    }),
    ("both move", 2, |app, agent, target| {
        set_position(app, agent, Vec2::new(0.0, -583.0));
        set_position(app, target, Vec2::X);
    }),
    ("the agent moves within the slack", 1, |app, agent, _| {
        get_mut::<Transform>(app, agent).translation.x += 1.0;
    }),
    ("the target moves within the slack", 1, |app, _, target| {
        set_position(app, target, Vec2::NEG_X);
    }),
    ("the target moves away", 2, |app, _, target| {
        set_position(app, target, Vec2::new(-100.0, 50.0));
    }),
    ("a pause", 1, |app, agent, _| {
        give(app, agent, NavPaused);
        pass(app, 0.3);
        remove::<NavPaused>(app, agent);
    }),
    ("the same chase again", 1, |app, agent, target| {
        give(app, agent, Chase::new(target));
    }),
    ("a chase of another target", 2, |app, agent, _| {
        let other = spawn_target(app, Vec2::Y);
        give(app, agent, Chase::new(other));
    }),
    ("a request in between", 3, |app, agent, _| {
        give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)).once());
    }),
    (
        "the same request again, after its arrival",
        3,
        |app, agent, _| {
            give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)));
            pass(app, 2.0);
            give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)));
        },
    ),
    ("the same request in each tick", 2, |app, agent, _| {
        for _ in 0..200 {
            give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)));
            tick(app);
        }
    }),
];

/// Spawns another agent, which wants nothing, at this offset from `agent`. Runs 0.3 s, so that the crowd contains it.
fn spawn_beside(app: &mut App, agent: Entity, offset: Vec2) -> Entity {
    let at = position(app, agent) + offset;
    let other = spawn_large(app, Body::Transform, at, ());
    pass(app, 0.3);
    other
}

fn blow(app: &mut App, agent: Entity, by: Vec2) {
    let at = position(app, agent) + by;
    set_position(app, agent, at);
}

fn flee_for_a_while(app: &mut App, agent: Entity) {
    let from = position(app, agent) - Vec2::new(20.0, 0.0);
    let threat = spawn_target(app, from);
    give(app, agent, Flee::new(threat, 60.0));
    pass(app, 1.5);
    remove::<Flee>(app, agent);
}

fn check_act(
    (case, expected, act): (&str, usize, Act),
    (hz, mode): (f64, PlanMode),
    (body, avoids): (Body, bool),
) {
    let mut app = arena(hz, mode, Vec2::splat(700.0));
    if !avoids {
        disable_avoidance(&mut app);
    }
    run_slowly(&mut app, 5);
    let target = spawn_target(&mut app, Vec2::ZERO);
    let agent = spawn_large(&mut app, body, Vec2::new(60.0, 0.0), Chase::new(target));
    pass(&mut app, 1.0);
    let context = format!("{hz} {mode:?} {body:?}, avoids {avoids}: {case}");
    assert_eq!(reached_by(&app, agent).len(), 1, "{context}");
    act(&mut app, agent, target);
    pass(&mut app, 5.5);
    assert_eq!(reached_by(&app, agent).len(), expected, "{context}");
    assert!(has_arrived(&app, agent), "{context}");
}

#[test]
fn an_arrival_is_reported_again_only_after_a_departure_or_if_the_agent_is_sent_again() {
    for act in ACTS {
        for (body, avoids) in BODIES.into_iter().zip([true, false, true]) {
            check_act(act, (60.0, PlanMode::Inline), (body, avoids));
        }
    }
    // A shorter blow, after which the agent has no other one near for a few ticks only.
    let act: Act = |app, agent, _| {
        spawn_beside(app, agent, Vec2::new(0.0, 17.0));
        spawn_beside(app, agent, Vec2::new(90.0, 17.0));
        blow(app, agent, Vec2::new(90.0, 0.0));
    };
    for body in BODIES {
        check_act(
            ("a short blow", 2, act),
            (60.0, PlanMode::Inline),
            (body, true),
        );
    }
}

#[test]
fn a_small_step_of_the_target_is_no_departure_for_an_agent_among_others() {
    for body in BODIES {
        let act: Act = |app, agent, target| {
            spawn_beside(app, agent, Vec2::new(0.0, 17.0));
            set_position(app, target, Vec2::new(-9.0, 0.0));
        };
        check_act(
            ("a small step", 1, act),
            (60.0, PlanMode::Inline),
            (body, true),
        );
    }
}

#[test]
#[ignore = "slow"]
fn arrivals_are_reported_by_one_rule_at_all_tick_rates() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        for act in ACTS {
            let hz = [15.0, 30.0, 60.0, 144.0, 240.0][random.usize(..5)];
            let game = (hz, MODES[random.usize(..2)]);
            check_act(act, game, (BODIES[random.usize(..3)], random.bool()));
        }
    }
}

#[test]
fn the_same_chase_in_each_tick_walks_as_if_it_had_been_inserted_once() {
    for (hz, mode) in [
        (20.0, PlanMode::Inline),
        (60.0, PlanMode::Async),
        (240.0, PlanMode::Inline),
    ] {
        for (body, speed, every) in [
            (Body::Transform, 60.0, 1),
            (Body::Kinematic, 90.0, 1),
            (Body::Dynamic, 120.0, 3),
        ] {
            let [once, again] = [usize::MAX, every].map(|every| {
                let mut app = arena(hz, mode, Vec2::new(1200.0, 100.0));
                let target = spawn_target(&mut app, Vec2::new(-900.0, 0.0));
                let from = Vec2::new(-1000.0, 0.0);
                let agent = spawn_large(&mut app, body, from, Chase::new(target));
                let mut ticks_arrived = 0;
                for n in 0..(15.0 * hz) as usize {
                    // The target rests for the last third of the time.
                    let walked = speed * (n as f32 / hz as f32).min(10.0);
                    set_position(&mut app, target, Vec2::new(-900.0 + walked, 0.0));
                    if n % every == 1 % every {
                        give(&mut app, agent, Chase::new(target));
                    }
                    tick(&mut app);
                    ticks_arrived += u32::from(has_arrived(&app, agent));
                }
                let behind = position(&app, target).x - position(&app, agent).x;
                (
                    ticks_arrived,
                    behind,
                    reached_by(&app, agent).len(),
                    searches(&app),
                )
            });
            let context = format!("{hz} {mode:?} {body:?} {speed}: {once:?}, {again:?}");
            // Tasks take their time on a busy machine.
            let is_exact = mode == PlanMode::Inline;
            let ticks = if is_exact { 2 } else { 60 };
            assert!(once.0.abs_diff(again.0) <= ticks, "{context}");
            assert!((once.1 - again.1).abs() < 0.1, "{context}");
            assert_eq!(again.2, 1, "{context}");
            assert!(once.3 == again.3 || !is_exact, "{context}");
        }
    }
}

#[test]
fn random_orders_that_are_inserted_again_change_neither_walk_nor_arrivals_nor_searches() {
    for seed in 0..20 {
        let [once, again] = [false, true].map(|is_again| {
            let mut random = Rng::with_seed(seed);
            let hz = [20.0, 60.0, 144.0][random.usize(..3)];
            let mut app = arena(hz, PlanMode::Inline, Vec2::splat(700.0));
            // The target walks on a circle around the wall for eight seconds, and then rests.
            let (turn, speed) = (TAU * random.f32(), 40.0 + 80.0 * random.f32());
            let center = -250.0 * Vec2::from_angle(turn);
            let wall = Vec2::new(20.0, 40.0 + 100.0 * random.f32());
            spawn_wall(&mut app, center, wall);
            run(&mut app, 5);
            let every = 1 + random.usize(..30);
            let (body, radius) = (BODIES[random.usize(..3)], 4.0 + 4.0 * random.f32());
            let from = center + 350.0 * Vec2::from_angle(TAU * random.f32());
            let target = spawn_target(&mut app, Vec2::ZERO);
            let (agent, order) = (spawn_agent(&mut app, body, from), random.usize(..4));
            let send = |app: &mut App| match order {
                0 => give(app, agent, Chase::new(target)),
                1 => give(app, agent, Chase::new(target).with_reach(30.0)),
                2 => give(app, agent, Chase::new(target).with_reach(80.0).with_sight()),
                _ => give(app, agent, Flee::new(target, 150.0)),
            };
            set_size(&mut app, agent, body, radius);
            send(&mut app);
            let mut ticks_arrived = 0;
            for n in 0..(12.0 * hz) as usize {
                let walked = speed * (n as f32 / hz as f32).min(8.0);
                let here = center + 250.0 * Vec2::from_angle(turn + walked / 250.0);
                set_position(&mut app, target, here);
                if is_again && n % every == 0 {
                    send(&mut app);
                }
                tick(&mut app);
                ticks_arrived += u32::from(has_arrived(&app, agent));
            }
            let context = format!("{hz} Hz, {body:?}, order {order}, every {every} ticks");
            let walk = (position(&app, agent), ticks_arrived, searches(&app));
            (walk, reached_by(&app, agent).len(), context)
        });
        let context = format!("seed {seed}: {once:?}, {again:?}");
        assert!(once.0.0.distance(again.0.0) < 0.1, "{context}");
        assert!(once.0.1.abs_diff(again.0.1) <= 2, "{context}");
        assert!(once.0.2 == again.0.2 && once.1 == again.1, "{context}");
    }
}

#[test]
fn a_chase_that_is_inserted_again_does_not_renew_the_request_that_it_waits_for() {
    for (every, body) in [1, 20]
        .into_iter()
        .flat_map(|every| BODIES.map(|body| (every, body)))
    {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
        let target = spawn_target(&mut app, Vec2::new(-200.0, 0.0));
        let request = PathRequest::to(Vec2::new(100.0, 0.0));
        let agent = spawn_large(&mut app, body, Vec2::ZERO, (request, Chase::new(target)));
        let play = |app: &mut App, ticks: usize| {
            for n in 0..ticks {
                if n % every == 0 {
                    give(app, agent, Chase::new(target));
                }
                run(app, 1);
            }
        };
        play(&mut app, 180);
        assert_eq!(reached_by(&app, agent), [None], "{every} {body:?}");
        give(&mut app, agent, request);
        play(&mut app, 60);
        assert_eq!(reached_by(&app, agent), [None; 2], "{every} {body:?}");
        give(
            &mut app,
            agent,
            PathRequest::to(Vec2::new(50.0, 0.0)).once(),
        );
        play(&mut app, 300);
        let expected = [None, None, None, Some(target)];
        assert_eq!(reached_by(&app, agent), expected, "{every} {body:?}");
    }
}

#[test]
fn an_arrival_that_needs_sight_ends_when_the_goal_is_out_of_sight() {
    for body in BODIES {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
        spawn_wall(&mut app, Vec2::new(0.0, 120.0), Vec2::new(8.0, 100.0));
        run(&mut app, 5);
        let target = spawn_target(&mut app, Vec2::new(-60.0, 0.0));
        let chase = Chase::new(target).with_reach(150.0).with_sight();
        let agent = spawn_large(&mut app, body, Vec2::new(60.0, 60.0), chase);
        run(&mut app, 180);
        assert_eq!(reached_by(&app, agent).len(), 1, "{body:?}");
        // The target is within reach, behind the wall.
        set_position(&mut app, target, Vec2::new(-60.0, 100.0));
        run(&mut app, 20);
        assert!(!has_arrived(&app, agent), "{body:?}");
        run(&mut app, 300);
        assert_eq!(reached_by(&app, agent).len(), 2, "{body:?}");
        assert!(has_arrived(&app, agent), "{body:?}");
    }
}

#[test]
fn a_chase_that_is_inserted_in_each_tick_and_fails_is_reported_once() {
    let mut app = level(PlanMode::Inline, "....#....");
    let target = spawn_target(&mut app, cell(8, 0));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 0), target);
    for _ in 0..300 {
        give(&mut app, agent, Chase::new(target));
        app.update();
    }
    assert_eq!((times_failed(&app, agent), searches(&app)), (1, 1));
}

/// The number of arrivals of each chaser within 15 seconds. All chase a target that rests: `around` chasers surround
/// the target at the distance `reach`, and `plain` chasers have a plain [`Chase`].
fn arrivals_in_mixed_crowd(
    (hz, body): (f64, Body),
    (plain, around): (usize, usize),
    reach: f32,
) -> Vec<usize> {
    let mut app = arena(hz, PlanMode::Inline, Vec2::splat(500.0));
    let target = spawn_target(&mut app, Vec2::ZERO);
    let ring = Chase::new(target).with_reach(reach).surrounding();
    let chasers: Vec<Entity> = (0..plain + around)
        .map(|n| {
            let away = (150.0 + 7.0 * n as f32).min(450.0);
            let is_plain = n % 2 == 0 && n / 2 < plain || n >= 2 * around;
            let chase = if is_plain { Chase::new(target) } else { ring };
            let at = Vec2::from_angle(n as f32 * 2.4) * away;
            spawn_large(&mut app, body, at, chase)
        })
        .collect();
    pass(&mut app, 15.0);
    let times = chasers.iter().map(|one| reached_by(&app, *one).len());
    times.collect()
}

#[test]
fn nobody_in_a_mixed_crowd_around_a_resting_target_arrives_twice() {
    for (body, plain, around, reach) in [
        (Body::Transform, 20, 20, 40.0),
        (Body::Kinematic, 20, 20, 60.0),
        (Body::Dynamic, 20, 20, 50.0),
        (Body::Transform, 0, 20, 60.0),
    ] {
        let times = arrivals_in_mixed_crowd((60.0, body), (plain, around), reach);
        let context = format!("{body:?} {plain} + {around}, reach {reach}: {times:?}");
        assert!(times.iter().sum::<usize>() > 10, "{context}");
        assert_eq!(times.iter().max(), Some(&1), "{context}");
    }
}

#[test]
#[ignore = "slow"]
fn nobody_in_random_mixed_crowds_around_a_resting_target_arrives_twice() {
    let mut twice = Vec::new();
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let game = (
            [20.0, 60.0, 144.0][random.usize(..3)],
            BODIES[random.usize(..3)],
        );
        let counts = (random.usize(..30), random.usize(..30));
        let reach = 30.0 + 70.0 * random.f32();
        let times = arrivals_in_mixed_crowd(game, counts, reach);
        if times.iter().any(|times| *times > 1) {
            twice.push(format!("{seed} {game:?} {counts:?} {reach}: {times:?}"));
        }
    }
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn a_request_and_a_pause_that_end_together_wake_nobody() {
    /// Whether the request and the pause end in this tick.
    #[derive(Resource)]
    struct Ends(bool);
    for body in BODIES {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
        let end =
            |ends: Res<Ends>, mut commands: Commands, agents: Query<Entity, With<NavPaused>>| {
                for agent in agents.iter().filter(|_| ends.0) {
                    commands.entity(agent).remove::<(PathRequest, NavPaused)>();
                }
            };
        // A game's system may run at any time within a tick.
        app.insert_resource(Ends(false)).add_systems(
            FixedUpdate,
            end.after(PursuitSystems::Decide)
                .before(PursuitSystems::Follow),
        );
        let request = PathRequest::to(Vec2::new(300.0, 0.0));
        let agent = spawn_large(&mut app, body, Vec2::ZERO, (request, NavPaused));
        run(&mut app, 60);
        app.insert_resource(Ends(true));
        for _ in 0..5 {
            run(&mut app, 1);
            assert_eq!(desired(&app, agent), Vec2::ZERO, "{body:?}");
        }
        assert_eq!(locomotion(&app, agent), Locomotion::Idle, "{body:?}");
    }
}

#[test]
fn a_collider_on_a_child_counts_for_the_size_of_a_target() {
    let bodies = [RigidBody::Dynamic, RigidBody::KinematicPositionBased];
    for (target_body, body) in bodies
        .into_iter()
        .flat_map(|it| BODIES.map(|body| (it, body)))
    {
        let places = [false, true].map(|is_on_child| {
            let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
            let at = Vec2::new(100.0, 0.0);
            let target = spawn(&mut app, (transform_at(at), target_body, GravityScale(0.0)));
            let groups = CollisionGroups::new(Group::GROUP_3, AGENTS);
            let shape = (Collider::ball(24.0), groups);
            if is_on_child {
                // A sprite in between, and a sensor that is no part of the body.
                let part = spawn(&mut app, (Transform::default(), ChildOf(target)));
                spawn(&mut app, (shape, Transform::default(), ChildOf(part)));
                let sight = (Collider::ball(90.0), Sensor, Transform::default());
                spawn(&mut app, (sight, ChildOf(target)));
            } else {
                give(&mut app, target, shape);
            }
            let from = Vec2::new(-100.0, 0.0);
            let chaser = spawn_large(&mut app, body, from, Chase::new(target));
            if body != Body::Transform {
                let groups = CollisionGroups::new(AGENTS, Group::GROUP_3);
                give(&mut app, chaser, groups);
            }
            run(&mut app, 240);
            let context = format!("{target_body:?} {body:?}, on a child: {is_on_child}");
            assert_eq!(reached_by(&app, chaser).len(), 1, "{context}");
            assert!(position(&app, target).distance(at) < 0.5, "{context}");
            assert_eq!(events(&app).stuck, [], "{context}");
            position(&app, chaser)
        });
        let apart = places[0].distance(places[1]);
        assert!(apart < 0.1, "{target_body:?} {body:?}: {places:?}");
    }
}

#[test]
fn random_colliders_on_children_count_for_the_size_of_a_target() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [20.0, 60.0, 144.0][random.usize(..3)];
        let mut app = arena(hz, MODES[random.usize(..2)], Vec2::splat(400.0));
        run_slowly(&mut app, 5);
        let at = Vec2::from_angle(TAU * random.f32()) * 150.0;
        let rigid = [RigidBody::Dynamic, RigidBody::KinematicPositionBased][random.usize(..2)];
        let target = spawn(&mut app, (transform_at(at), rigid, GravityScale(0.0)));
        let mut part = target;
        for _ in 0..random.usize(..3) {
            part = spawn(&mut app, (Transform::default(), ChildOf(part)));
        }
        let radius = 10.0 + 30.0 * random.f32();
        let groups = CollisionGroups::new(Group::GROUP_3, AGENTS);
        let shape = (Collider::ball(radius), groups, Transform::default());
        spawn(&mut app, (shape, ChildOf(part)));
        let body = BODIES[random.usize(..3)];
        let chaser = spawn_large(&mut app, body, Vec2::ZERO, Chase::new(target));
        if body != Body::Transform {
            give(
                &mut app,
                chaser,
                CollisionGroups::new(AGENTS, Group::GROUP_3),
            );
        }
        pass(&mut app, 4.0);
        let away = position(&app, chaser).distance(position(&app, target));
        let context = format!("{seed}: {hz} {rigid:?} {body:?}, radius {radius}: {away} away");
        assert_eq!(reached_by(&app, chaser).len(), 1, "{context}");
        assert!(position(&app, target).distance(at) < 0.5, "{context}");
        let touching = radius + LARGE;
        assert!(
            (0.99 * touching..1.2 * touching).contains(&away),
            "{context}"
        );
        assert_eq!(events(&app).stuck, [], "{context}");
    }
}

#[test]
fn random_refused_agents_move_nobody_and_do_not_arrive() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [20.0, 60.0, 144.0][random.usize(..3)];
        let mut app = arena(hz, MODES[random.usize(..2)], Vec2::splat(400.0));
        run_slowly(&mut app, 5);
        let mut any_place = |side: f32| side * Vec2::new(random.f32() - 0.5, random.f32() - 0.5);
        let places = [(); 30].map(|()| any_place(300.0));
        let (at, goal) = (any_place(200.0), any_place(200.0));
        let idle = places.map(|at| spawn(&mut app, (NavAgent::from_radius(1.0), transform_at(at))));
        pass(&mut app, 2.0);
        let before = idle.map(|one| position(&app, one));
        let agent = NavAgent::from_radius(65.0 + 200.0 * random.f32());
        let large = spawn(&mut app, (agent, transform_at(at)));
        match random.usize(..4) {
            0 => give(&mut app, large, PathRequest::to(goal)),
            1 => give(&mut app, large, Chase::new(idle[0])),
            2 => give(
                &mut app,
                large,
                Chase::new(idle[0]).with_reach(60.0).surrounding(),
            ),
            _ => give(&mut app, large, Flee::new(idle[0], 1000.0)),
        }
        pass(&mut app, 2.0);
        let context = format!("{seed}: {hz}, radius {}", agent.radius);
        assert_eq!(idle.map(|one| position(&app, one)), before, "{context}");
        assert_eq!(position(&app, large), at, "{context}");
        assert_eq!(events(&app).reached, [], "{context}");
        assert_status(&app, large, Failed(BadRadius), &context);
    }
}

#[test]
fn a_collider_on_a_child_counts_for_the_size_of_an_agent() {
    // Whether the chased agent and the chaser have their colliders on children.
    for parts in [[true, false], [false, true], [true, true]] {
        let places = [[false; 2], parts].map(|are_on_children| {
            let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
            spawn_wall(&mut app, Vec2::new(0.0, 40.0), Vec2::new(16.0, 100.0));
            let groups = [
                (Group::GROUP_3, WALLS | AGENTS),
                (AGENTS, WALLS | Group::GROUP_3),
            ];
            let [target, chaser] = [1, 0].map(|n| {
                let at = Vec2::new(100.0 - 200.0 * (1 - n) as f32, 0.0);
                let parts = (RigidBody::Dynamic, GravityScale(0.0));
                let agent = NavAgent::from_radius(LARGE);
                let entity = spawn(
                    &mut app,
                    (agent, NavAvoidance::None, transform_at(at), parts),
                );
                let (own, filter) = groups[1 - n];
                let shape = (Collider::ball(LARGE), CollisionGroups::new(own, filter));
                match are_on_children[1 - n] {
                    true => drop(spawn(
                        &mut app,
                        (shape, Transform::default(), ChildOf(entity)),
                    )),
                    false => give(&mut app, entity, shape),
                }
                entity
            });
            give(&mut app, chaser, Chase::new(target));
            run(&mut app, 400);
            assert_eq!(reached_by(&app, chaser).len(), 1, "{are_on_children:?}");
            assert_eq!(events(&app).stuck, [], "{are_on_children:?}");
            [position(&app, chaser), position(&app, target)]
        });
        for (one, other) in places[0].iter().zip(places[1]) {
            assert!(one.distance(other) < 0.1, "{parts:?} {places:?}");
        }
    }
}

#[test]
fn random_agents_with_colliders_on_children_walk_like_agents_with_colliders_of_their_own() {
    for seed in 0..20 {
        let places = [false, true].map(|is_on_child| {
            let mut random = Rng::with_seed(seed);
            let hz = [20.0, 60.0, 144.0][random.usize(..3)];
            let mut app = arena(hz, PlanMode::Inline, Vec2::splat(400.0));
            let wall = Vec2::new(8.0 + 16.0 * random.f32(), 40.0 + 100.0 * random.f32());
            spawn_wall(&mut app, Vec2::new(0.0, 60.0 * random.f32()), wall);
            run(&mut app, 5);
            let (body, radius) = (BODIES[random.usize(..3)], 4.0 + 4.0 * random.f32());
            let from = Vec2::new(-100.0 - 200.0 * random.f32(), 100.0 * random.f32() - 50.0);
            let target = spawn_target(&mut app, Vec2::new(100.0 + 200.0 * random.f32(), 0.0));
            let agent = spawn_with(&mut app, body, from, Chase::new(target));
            set_size(&mut app, agent, body, radius);
            let mut part = agent;
            for _ in 0..random.usize(..3) {
                part = spawn(&mut app, (Transform::default(), ChildOf(part)));
            }
            let shape = Collider::ball(radius);
            if is_on_child && body != Body::Transform {
                let groups: CollisionGroups = get(&app, agent);
                remove::<(Collider, CollisionGroups)>(&mut app, agent);
                let parts = (shape.clone(), groups, Transform::default());
                spawn(&mut app, (parts, ChildOf(part)));
            }
            if is_on_child && body == Body::Kinematic {
                // A character controller ignores colliders on children. It needs a shape on its own entity.
                run(&mut app, 5);
                assert_status(&app, agent, Failed(CannotMove), seed);
                let mut controller = get_mut::<KinematicCharacterController>(&mut app, agent);
                controller.custom_shape = Some((shape, Vec2::ZERO, 0.0));
            }
            let context = format!("{seed}: {hz} {body:?}, radius {radius}, child: {is_on_child}");
            for _ in 0..(12.0 * hz) as usize {
                tick(&mut app);
                assert_off_walls(&mut app, agent, 0.9 * radius, &context);
            }
            assert_eq!(reached_by(&app, agent).len(), 1, "{context}");
            assert_eq!(events(&app).stuck, [], "{context}");
            position(&app, agent)
        });
        assert!(places[0].distance(places[1]) < 0.5, "{seed}: {places:?}");
    }
}

fn check_moving_wall(
    (hz, mode, body): (f64, PlanMode, Body),
    (speed, y): (f32, f32),
    arrives: bool,
) {
    let mut app = arena(hz, mode, Vec2::splat(400.0));
    let agent = spawn_large(&mut app, body, Vec2::new(0.0, y), ());
    if arrives {
        give(&mut app, agent, PathRequest::to(Vec2::new(0.0, y)));
    }
    let wall = spawn_wall(&mut app, Vec2::new(-80.0, 0.0), Vec2::splat(32.0));
    give(&mut app, wall, RigidBody::KinematicPositionBased);
    run_slowly(&mut app, 10);
    let (mut inside, mut deepest) = (0.0, f32::INFINITY);
    for n in 0..(160.0 / f64::from(speed) * hz) as usize {
        let x = -80.0 + n as f32 * speed / hz as f32;
        set_position(&mut app, wall, Vec2::new(x, 0.0));
        tick(&mut app);
        let here = position(&app, agent);
        let away = wall_distance(&mut app, here);
        deepest = deepest.min(away);
        inside += if away < 4.0 { 1.0 / hz } else { 0.0 };
    }
    let context = format!(
        "{hz} {mode:?} {body:?} {speed} {arrives} {y}: inside for {inside} s, up to {deepest}"
    );
    // Baking in a task takes longer on a busy machine.
    let seconds = match mode {
        PlanMode::Async => f64::max(1.0, 25.0 / hz),
        _ => 0.3,
    };
    assert!(inside < seconds, "{context}");
    pass(&mut app, 1.5);
    assert_off_walls(&mut app, agent, 7.5, &context);
    assert_eq!(desired(&app, agent), Vec2::ZERO, "{context}");
}

#[test]
fn a_standing_agent_leaves_a_wall_that_moves_over_it() {
    for (hz, mode, body, speed, arrives) in [
        (60.0, PlanMode::Inline, Body::Transform, 40.0, false),
        (60.0, PlanMode::Inline, Body::Kinematic, 40.0, false),
        (60.0, PlanMode::Async, Body::Kinematic, 40.0, false),
        (20.0, PlanMode::Inline, Body::Transform, 60.0, false),
        (120.0, PlanMode::Async, Body::Transform, 100.0, false),
        (60.0, PlanMode::Inline, Body::Kinematic, 80.0, true),
    ] {
        for y in [0.0, 4.0, 30.0] {
            check_moving_wall((hz, mode, body), (speed, y), arrives);
        }
    }
}

#[test]
#[ignore = "slow"]
fn standing_agents_leave_walls_that_move_over_them_at_all_tick_rates() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [15.0, 30.0, 60.0, 144.0, 240.0][random.usize(..5)];
        let body = BODIES[random.usize(..3)];
        let motion = (30.0 + 70.0 * random.f32(), 60.0 * random.f32() - 30.0);
        let mode = MODES[random.usize(..2)];
        check_moving_wall((hz, mode, body), motion, random.bool());
    }
}

#[test]
fn an_idle_agent_that_a_game_put_close_to_a_wall_stays_there() {
    let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
    spawn_wall(&mut app, Vec2::new(0.0, 0.0), Vec2::splat(32.0));
    run(&mut app, 5);
    let at = Vec2::new(34.0, 0.0);
    let agent = spawn_large(&mut app, Body::Transform, at, ());
    run(&mut app, 120);
    assert_eq!(position(&app, agent), at);
}

/// A scene in which a player walks out of a dead end, and its companion stands in the way. Lengths are in world units,
/// and the speed is in world units per second.
#[derive(Debug)]
struct Companion {
    /// Tick rate in hertz, and plan mode.
    game: (f64, PlanMode),
    player_body: RigidBody,
    player_radius: f32,
    player_speed: f32,
    /// Body of the companion.
    body: Body,
    /// Reach of the companion's chase.
    reach: f32,
    /// Half of the width of the dead end.
    half_width: f32,
    /// Cell size of the grid. With large cells, the dead end has no cell in which the companion fits.
    cell: f32,
}

/// Checks that the player gets out of the dead end, and that one arrival of the companion is reported.
fn check_companion(scene: &Companion) {
    let (hz, mode) = scene.game;
    let mut app = game(hz, mode);
    let bounds = Rect::new(-400.0, -400.0, 400.0, 400.0);
    spawn_grid(&mut app, bounds, 0.5 * scene.cell);
    for side in [-1.0, 1.0] {
        let at = Vec2::new(150.0, side * (100.0 + scene.half_width));
        spawn_wall(&mut app, at, Vec2::new(150.0, 100.0));
    }
    spawn_wall(&mut app, Vec2::new(-16.0, 0.0), Vec2::new(16.0, 300.0));
    run_slowly(&mut app, 5);
    let solid = (
        Collider::ball(scene.player_radius),
        CollisionGroups::new(Group::GROUP_3, Group::ALL),
    );
    let body_parts = (
        scene.player_body,
        GravityScale(0.0),
        Velocity::zero(),
        LockedAxes::ROTATION_LOCKED,
    );
    let player_at = Vec2::new(scene.player_radius + 2.0, 0.0);
    let player = spawn(&mut app, (transform_at(player_at), body_parts, solid));
    if scene.player_body == RigidBody::KinematicPositionBased {
        let controller = bevy_pursuit::top_down_controller(scene.player_radius);
        give(&mut app, player, controller);
    }
    let chase = Chase::new(player).with_reach(scene.reach);
    let in_front = player_at + Vec2::X * (scene.reach - 2.0);
    let companion = spawn_large(&mut app, scene.body, in_front, chase);
    if scene.body != Body::Transform {
        give(
            &mut app,
            companion,
            CollisionGroups::new(AGENTS, Group::ALL),
        );
    }
    pass(&mut app, 1.0);
    let mut remaining_ticks = (6.0 * hz) as usize;
    while position(&app, player).x < 300.0 && remaining_ticks > 0 {
        match scene.player_body {
            RigidBody::Dynamic => {
                get_mut::<Velocity>(&mut app, player).linear = Vec2::X * scene.player_speed;
            }
            _ => {
                let mut controller = get_mut::<KinematicCharacterController>(&mut app, player);
                controller.translation = Some(Vec2::X * scene.player_speed / hz as f32);
            }
        }
        tick(&mut app);
        remaining_ticks -= 1;
    }
    let x = position(&app, player).x;
    assert!(x >= 300.0, "{scene:?}: the player is at x {x}");
    assert_eq!(reached_by(&app, companion).len(), 1, "{scene:?}");
}

#[test]
fn a_companion_gives_way_to_a_player_in_a_dead_end() {
    for player_body in [RigidBody::Dynamic, RigidBody::KinematicPositionBased] {
        for (body, reach) in [
            (Body::Kinematic, 30.0),
            (Body::Dynamic, 30.0),
            (Body::Kinematic, 45.0),
        ] {
            check_companion(&Companion {
                game: (60.0, PlanMode::Inline),
                player_body,
                player_radius: LARGE,
                player_speed: 100.0,
                body,
                reach,
                half_width: 12.0,
                cell: 16.0,
            });
        }
    }
}

#[test]
fn random_companions_give_way_to_a_player_in_a_dead_end() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let player_radius = 5.0 + 5.0 * random.f32();
        check_companion(&Companion {
            game: (
                [20.0, 60.0, 144.0][random.usize(..3)],
                MODES[random.usize(..2)],
            ),
            player_body: [RigidBody::Dynamic, RigidBody::KinematicPositionBased][random.usize(..2)],
            player_radius,
            player_speed: 60.0 + 60.0 * random.f32(),
            body: BODIES[random.usize(..3)],
            // A companion whose reach is less than about 1.6 times the sum of both radii may not give way.
            reach: (1.6 + 2.0 * random.f32()) * (player_radius + LARGE),
            half_width: 11.0 + 9.0 * random.f32(),
            cell: 3.0 + 3.0 * random.f32(),
        });
    }
}

#[test]
fn a_refused_agent_moves_nobody_and_does_not_arrive() {
    for is_sent in [true, false] {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
        let places = (0..50).map(|n| 20.0 * Vec2::new((n % 10) as f32 - 4.5, (n / 10) as f32));
        let places: Vec<Vec2> = places.collect();
        let idle: Vec<Entity> = (places.iter())
            .map(|at| spawn_large(&mut app, Body::Transform, *at, ()))
            .collect();
        let at = Vec2::new(3.0, 5.0);
        // The grid knows distances of up to 64.
        let agent = NavAgent::from_radius(70.0);
        let large = spawn(&mut app, (agent, transform_at(at)));
        if is_sent {
            give(&mut app, large, PathRequest::to(at));
        }
        run(&mut app, 120);
        for (agent, at) in idle.iter().zip(&places) {
            assert_eq!(position(&app, *agent), *at);
        }
        assert_eq!(
            (events(&app).reached.len(), locomotion(&app, large)),
            (0, Locomotion::Idle)
        );
        if is_sent {
            assert_status(
                &app,
                large,
                Failed(BadRadius),
                "a body larger than the grid knows",
            );
        }
    }
}

#[test]
fn an_agent_that_is_its_own_target_is_refused() {
    for n in 0..3 {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(400.0));
        let at = Vec2::new(20.0, 30.0);
        let agent = spawn_large(&mut app, Body::Transform, at, ());
        match n {
            0 => give(&mut app, agent, Chase::new(agent)),
            1 => give(
                &mut app,
                agent,
                Chase::new(agent).with_reach(60.0).surrounding(),
            ),
            _ => give(&mut app, agent, Flee::new(agent, 100.0)),
        }
        run(&mut app, 120);
        assert_eq!(position(&app, agent), at);
        assert_status(&app, agent, Failed(OwnTarget), n);
        assert_eq!(
            (events(&app).reached.len(), times_failed(&app, agent)),
            (0, 1)
        );
        let other = spawn_target(&mut app, Vec2::new(100.0, 30.0));
        give(&mut app, agent, Chase::new(other));
        remove::<Flee>(&mut app, agent);
        arrive(&mut app, agent, 300, n);
    }
}

#[test]
fn random_agents_that_are_their_own_targets_are_refused() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [20.0, 60.0, 144.0][random.usize(..3)];
        let mut app = arena(hz, MODES[random.usize(..2)], Vec2::splat(400.0));
        spawn_wall(&mut app, Vec2::new(0.0, 0.0), Vec2::new(8.0, 100.0));
        run_slowly(&mut app, 5);
        let at = Vec2::new(60.0 + 100.0 * random.f32(), 200.0 * random.f32() - 100.0);
        let body = BODIES[random.usize(..3)];
        let agent = spawn_large(&mut app, body, at, ());
        let reach = 20.0 + 80.0 * random.f32();
        let orders = random.usize(..5);
        match orders {
            0 => give(&mut app, agent, Chase::new(agent).with_reach(reach)),
            1 => give(
                &mut app,
                agent,
                Chase::new(agent).with_reach(reach).surrounding(),
            ),
            2 => give(
                &mut app,
                agent,
                Chase::new(agent).with_reach(reach).with_sight(),
            ),
            3 => give(&mut app, agent, Flee::new(agent, reach)),
            _ => {}
        }
        for _ in 0..hz as usize {
            // A game may insert the same chase in each tick.
            if orders == 4 {
                give(&mut app, agent, Chase::new(agent));
            }
            tick(&mut app);
        }
        let context = format!("{seed}: {hz} {body:?}, order {orders}");
        assert!(position(&app, agent).distance(at) < 0.01, "{context}");
        assert_status(&app, agent, Failed(OwnTarget), &context);
        let counts = (events(&app).reached.len(), times_failed(&app, agent));
        assert_eq!(counts, (0, 1), "{context}");
        // The agent then gets another target, which is behind the wall.
        let other = spawn_target(&mut app, Vec2::new(-at.x, at.y));
        give(&mut app, agent, Chase::new(other));
        remove::<Flee>(&mut app, agent);
        pass(&mut app, 5.0);
        assert_eq!(reached_by(&app, agent), [Some(other)], "{context}");
    }
}
