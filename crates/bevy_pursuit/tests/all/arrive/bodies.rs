//! Bodies as games build them, and events that are rare and true.

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

/// What happens to an agent and its target after the agent arrived for the first time, 4 seconds after the start.
type Act = fn(&mut App, Entity, Entity);

#[test]
fn an_arrival_is_reported_again_only_after_a_departure_or_if_the_agent_is_sent_again() {
    let cases: [(&str, usize, Act); 12] = [
        ("nothing", 1, |_, _, _| {}),
        ("the agent is blown away", 2, |app, agent, _| {
            set_position(app, agent, Vec2::new(583.0, 0.0));
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
            run(app, 20);
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
                run(app, 120);
                give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)));
            },
        ),
        ("the same request in each tick", 2, |app, agent, _| {
            for _ in 0..200 {
                give(app, agent, PathRequest::to(Vec2::new(0.0, 90.0)));
                run(app, 1);
            }
        }),
    ];
    for (body, avoids) in BODIES
        .into_iter()
        .flat_map(|body| [(body, true), (body, false)])
    {
        for (case, expected, act) in cases {
            let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(700.0));
            if !avoids {
                disable_avoidance(&mut app);
            }
            let target = spawn_target(&mut app, Vec2::ZERO);
            let agent = spawn_large(&mut app, body, Vec2::new(60.0, 0.0), Chase::new(target));
            run(&mut app, 60);
            assert_eq!(reached_by(&app, agent).len(), 1, "{body:?} {case}");
            act(&mut app, agent, target);
            run(&mut app, 330);
            let context = format!("{body:?}, avoids {avoids}: {case}");
            assert_eq!(reached_by(&app, agent).len(), expected, "{context}");
            assert!(has_arrived(&app, agent), "{context}");
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
            assert!(once.0.abs_diff(again.0) <= 2, "{context}");
            assert!((once.1 - again.1).abs() < 0.1, "{context}");
            assert_eq!((again.2, once.3), (1, again.3), "{context}");
        }
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

#[test]
fn nobody_in_a_mixed_crowd_around_a_resting_target_arrives_twice() {
    for (body, plain, around, reach) in [
        (Body::Transform, 20, 20, 40.0),
        (Body::Kinematic, 20, 20, 60.0),
        (Body::Dynamic, 20, 20, 50.0),
        (Body::Transform, 0, 20, 60.0),
        (Body::Transform, 40, 30, 60.0),
    ] {
        let mut app = arena(60.0, PlanMode::Inline, Vec2::splat(500.0));
        let target = spawn_target(&mut app, Vec2::ZERO);
        let ring = Chase::new(target).with_reach(reach).surrounding();
        let chasers: Vec<Entity> = (0..plain + around)
            .map(|n| {
                let away = (150.0 + 7.0 * n as f32).min(450.0);
                let is_plain = n % 2 == 0 && n / 2 < plain || n >= 2 * around;
                let chase = if is_plain { Chase::new(target) } else { ring };
                spawn_large(
                    &mut app,
                    body,
                    Vec2::from_angle(n as f32 * 2.4) * away,
                    chase,
                )
            })
            .collect();
        run(&mut app, 900);
        let context = format!("{body:?} {plain} + {around}, reach {reach}");
        let times = chasers.iter().map(|one| reached_by(&app, *one).len());
        assert!(events(&app).reached.len() > 10, "{context}");
        assert_eq!(times.max(), Some(1), "{context}");
    }
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
