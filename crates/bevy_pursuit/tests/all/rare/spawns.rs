//! Entities that are spawned and despawned in the middle of a tick.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy_pursuit::top_down_controller;

use crate::common::*;

#[derive(Component)]
struct Prey;

fn spawn_wave<const BODY: u8>(mut commands: Commands, target: Query<Entity, With<Prey>>) {
    let Ok(target) = target.single() else {
        return;
    };
    for _ in 0..4 {
        let mut agent = commands.spawn((
            NavAgent::from_radius(RADIUS),
            Chase::new(target),
            Collider::ball(RADIUS),
            Transform::from_xyz(1.0, 1.0, 0.0),
        ));
        match BODY {
            0 => agent.insert(RigidBody::KinematicPositionBased),
            1 => agent.insert(RigidBody::Dynamic),
            _ => agent.insert((
                RigidBody::KinematicPositionBased,
                top_down_controller(RADIUS),
            )),
        };
    }
}

fn cull_wave(mut commands: Commands, agents: Query<Entity, With<NavAgent>>) {
    for agent in agents.iter().skip(1) {
        commands.entity(agent).despawn();
    }
}

fn cull_waves<M>(spawn: impl IntoScheduleConfigs<bevy::ecs::system::ScheduleSystem, M>) {
    let mut app = level(PlanMode::Inline, &open(20, 6));
    let target = spawn_target(&mut app, cell(15, 1));
    give(&mut app, target, Prey);
    app.add_systems(FixedUpdate, (spawn, cull_wave).chain());
    run(&mut app, 20);
}

#[test]
fn a_wave_of_agents_spawned_and_culled_in_one_tick_does_not_panic() {
    cull_waves(spawn_wave::<0>);
    cull_waves(spawn_wave::<1>);
    cull_waves(spawn_wave::<2>);
}

/// Despawns all agents except the one whose hook runs.
fn despawn_others(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| {
        let mut agents = world.query_filtered::<Entity, With<NavAgent>>();
        let others: Vec<Entity> = agents
            .iter(world)
            .filter(|agent| *agent != entity)
            .collect();
        for agent in others {
            world.despawn(agent);
        }
    });
}

#[test]
fn a_kinematic_agent_despawned_by_the_hook_of_another_does_not_panic() {
    let mut app = level(PlanMode::Inline, &open(20, 6));
    let hooks = app.world_mut();
    hooks
        .register_component_hooks::<KinematicCharacterController>()
        .on_add(despawn_others);
    let target = spawn_target(&mut app, cell(15, 1));
    for x in 0..3 {
        spawn_chaser(&mut app, Body::Kinematic, cell(x, 1), target);
    }
    run(&mut app, 5);
}

#[derive(Resource)]
struct Killer(fastrand::Rng);

/// Despawns the entity of an event, its target, the grid or a wall, or changes the entity.
fn kill_something(
    entity: Entity,
    killer: &mut Killer,
    commands: &mut Commands,
    chases: &Query<&Chase>,
    grids: &Query<Entity, With<NavGrid>>,
    walls: &Query<Entity, (With<Collider>, Without<NavAgent>)>,
) {
    let choice = killer.0.u32(0..12);
    let gone = match choice {
        0 | 1 => Some(entity),
        2 => chases.get(entity).ok().map(|chase| chase.target),
        3 => grids.iter().next(),
        4 => walls.iter().next(),
        _ => None,
    };
    if let Some(gone) = gone {
        commands.entity(gone).try_despawn();
    }
    let mut changed = commands.entity(entity);
    match choice {
        5 => changed.try_remove::<NavAgent>(),
        6 => changed.try_remove::<(Chase, PathRequest)>(),
        7 => changed.try_insert(PathRequest::to(cell(9, 1))),
        8 => changed.try_remove::<Transform>(),
        9 => changed.try_insert(NavAgent::from_radius(f32::NAN)),
        10 => changed.try_insert(RigidBody::Dynamic),
        11 => changed.try_remove::<(RigidBody, Collider)>(),
        _ => &mut changed,
    };
}

macro_rules! observe_kills {
    ($app:expr, $($event:ty),*) => {
        $($app.add_observer(
            |event: On<$event>, mut killer: ResMut<Killer>, mut commands: Commands,
             chases: Query<&Chase>, grids: Query<Entity, With<NavGrid>>,
             walls: Query<Entity, (With<Collider>, Without<NavAgent>)>| {
                kill_something(event.entity, &mut killer, &mut commands, &chases, &grids, &walls);
            },
        );)*
    };
}

#[test]
fn nothing_panics_whatever_observers_despawn_or_change() {
    for seed in 0..6 {
        let mode = MODES[seed as usize % 2];
        let mut app = level(mode, &open(30, 12));
        app.insert_resource(Killer(fastrand::Rng::with_seed(seed)));
        observe_kills!(app, PathFound, PathFailed, GoalReached, AgentStuck);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..600 {
            if n % 3 == 0 {
                let at = cell(random.usize(0..30), random.usize(0..12));
                let to = cell(random.usize(0..30), random.usize(0..12));
                let target = spawn_target(&mut app, to);
                let body = BODIES[random.usize(0..3)];
                let agent = spawn_chaser(&mut app, body, at, target);
                if random.bool() {
                    give(&mut app, agent, PathRequest::to(to));
                }
            }
            if n % 40 == 0 {
                spawn_wall(&mut app, cell(random.usize(0..30), 5), Vec2::new(0.4, 3.0));
                let mut grids = app.world_mut().query::<&NavGrid>();
                if grids.iter(app.world()).len() == 0 {
                    build_level(&mut app, &open(30, 12));
                }
            }
            app.update();
        }
        run_slowly(&mut app, 60);
        let stats = stats(&app);
        assert_eq!((stats.queued, stats.tasks_in_flight), (0, 0), "seed {seed}");
    }
}
