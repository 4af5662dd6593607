//! Entities that are despawned during an event, return from a pool, or change their components.

use crate::common::*;

/// Marks an entity that an observer of the game has handled.
#[derive(Component)]
struct Notified;

/// Adds observers that despawn a whole wave at its first event.
macro_rules! blow_up {
    ($app:expr, $($event:ty),*) => {
        $($app.add_observer(
            |event: On<$event>, mut commands: Commands, agents: Query<Entity, With<Intruder>>| {
                commands.entity(event.entity).insert(Notified);
                for agent in &agents {
                    commands.entity(agent).despawn();
                }
            },
        );)*
    };
}

#[derive(Component)]
struct Intruder;

#[test]
fn no_event_is_sent_for_an_agent_that_an_observer_despawned() {
    for mode in MODES {
        // All agents of a wave arrive, find a path, fail in a search, are refused or get stuck in the same tick.
        for kind in 0..5 {
            let mut app = level(mode, &open(12, 8));
            let target = spawn_target(&mut app, cell(6, 4));
            blow_up!(app, PathFound, PathFailed, GoalReached, AgentStuck);
            for _ in 0..4 {
                let agent = spawn_agent(&mut app, Body::Transform, cell(6, 4));
                let mut agent = entity_mut(&mut app, agent);
                match kind {
                    0 => agent.insert(Chase::new(target)),
                    1 => agent.insert(PathRequest::to(cell(9, 4))),
                    2 => agent.insert(PathRequest::to(Vec2::splat(-50.0))),
                    3 => agent.insert((NavAgent::from_radius(-1.0), Chase::new(target))),
                    _ => agent.insert((NavDrive::Manual, PathRequest::to(cell(9, 4)))),
                };
                agent.insert(Intruder);
            }
            run_slowly(&mut app, 200);
            let events = events(&app);
            let event_count = events.found.len() + events.failed.len() + events.reached.len();
            assert_eq!(
                event_count + events.stuck.len(),
                1,
                "{mode:?} {kind}: {events:?}"
            );
        }
    }
}

#[test]
fn pooled_agents_that_return_walk_and_arrive_again() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, "..........\n....#.....\n....#.....\n..........\n");
        let (agent, target) = spawn_chase(&mut app, body, cell(1, 1), cell(8, 1));
        for round in 0..6 {
            run_slowly(&mut app, 10 + 17 * round);
            // The agent is put into the pool on its way or beside its target, in each of the ways that games use.
            match round % 3 {
                0 => set_disabled(&mut app, agent, true),
                1 => remove::<Chase>(&mut app, agent),
                _ => give(&mut app, agent, NavPaused),
            }
            set_position(&mut app, agent, Vec2::splat(1e6));
            run_slowly(&mut app, 15);
            set_position(&mut app, agent, cell(1, 1));
            match round % 3 {
                0 => set_disabled(&mut app, agent, false),
                1 => give(&mut app, agent, Chase::new(target)),
                _ => remove::<NavPaused>(&mut app, agent),
            }
            let first = position(&app, agent);
            run_slowly(&mut app, 3);
            let step = position(&app, agent).distance(first);
            assert!(
                step < 0.5,
                "{mode:?} {body:?} {round}: the agent leapt by {step}"
            );
            arrive(&mut app, agent, 600, (mode, body, round));
            set_position(&mut app, target, cell(8, 1 + round % 2));
            give(&mut app, agent, Chase::new(target));
            run_slowly(&mut app, 1);
        }
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn agents_arrive_after_random_component_changes_below_a_turned_parent() {
    for mode in MODES {
        for body in BODIES {
            let mut random = fastrand::Rng::with_seed(body as u64);
            let mut app = level(mode, "..........\n....#.....\n....#.....\n..........\n");
            let target = spawn_target(&mut app, cell(8, 1));
            let parent = Transform::from_xyz(3.0, 2.0, 0.0)
                .with_rotation(Quat::from_rotation_z(2.0))
                .with_scale(Vec3::new(2.0, 2.0, 1.0));
            let parent = spawn(&mut app, parent);
            let agent = spawn_chaser(&mut app, body, cell(1, 1), target);
            for _ in 0..500 {
                let mut entity = app.world_mut().entity_mut(agent);
                match random.u32(0..14) {
                    0 => entity.insert(NavPaused),
                    1 => entity.remove::<NavPaused>(),
                    2 => entity.insert(NavDrive::Grip(
                        [0.0, 0.2, 1.0, f32::NAN][random.usize(0..4)],
                    )),
                    3 => entity.remove::<NavDrive>(),
                    4 => entity.insert(NavTurn::new([5.0, f32::INFINITY, 0.0][random.usize(0..3)])),
                    5 => entity.remove::<NavTurn>(),
                    6 => entity.insert(Flee::new(target, [3.0, f32::INFINITY][random.usize(0..2)])),
                    7 => entity
                        .insert(PathRequest::to(cell(random.usize(0..10), 3)).with_reach(-1.0)),
                    8 => entity.remove::<(PathRequest, Flee)>(),
                    9 => entity.insert(ChildOf(parent)),
                    10 => entity.remove::<ChildOf>(),
                    11 => entity.insert(NavAgent::from_radius([0.3, 0.4, 9.0][random.usize(0..3)])),
                    12 => entity.insert(OnGrid(target)),
                    _ => entity.remove::<OnGrid>(),
                };
                tick(&mut app);
                let transform = get::<Transform>(&app, agent);
                assert!(transform.is_finite(), "{mode:?} {body:?} {transform:?}");
            }
            let mut entity = app.world_mut().entity_mut(agent);
            entity.remove::<(NavPaused, NavDrive, NavTurn, PathRequest)>();
            entity.remove::<(Flee, ChildOf, OnGrid)>();
            entity.insert((NavAgent::from_radius(RADIUS), transform_at(cell(1, 1))));
            run(&mut app, 2);
            arrive(&mut app, agent, 900, (mode, body));
        }
    }
}
