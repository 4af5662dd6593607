//! What games do to the plugin by mistake: numbers that are none, entities that vanish, grids and
//! settings that change under way. Nothing panics, nothing is silent, nothing goes on for ever.

mod common;

use std::f32::consts::FRAC_PI_4;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use common::*;

const ROOM: &str = "
    ..........
    ..........
    .....#....
    .....#....
    .....#####
    .....#....
";

const BAD_NUMBERS: [f32; 8] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    -f32::MAX,
    1e30,
    -1.0,
    0.0,
];

fn level(mode: PlanMode, map: &str) -> App {
    let mut app = game(60.0, mode);
    build_level(&mut app, map);
    run(&mut app, 3);
    app
}

fn open(width: usize, height: usize) -> String {
    format!("{}\n", ".".repeat(width)).repeat(height)
}

fn ask(app: &mut App, from: Vec2, request: PathRequest) -> Entity {
    app.world_mut()
        .spawn((request, Transform::from_translation(from.extend(0.0))))
        .id()
}

fn is_settled(status: PathStatus) -> bool {
    !matches!(
        status,
        PathStatus::Idle | PathStatus::Queued | PathStatus::Searching
    )
}

/// Updates until the status is an answer, with time for tasks to run.
fn answered(app: &mut App, entity: Entity) -> PathStatus {
    run_until(app, 5000, |app| {
        std::thread::sleep(Duration::from_micros(200));
        is_settled(get::<PathStatus>(app, entity))
    });
    get::<PathStatus>(app, entity)
}

fn grid_entity(app: &mut App) -> Entity {
    app.world_mut()
        .query_filtered::<Entity, With<NavGrid>>()
        .iter(app.world())
        .next()
        .expect("the level has a grid")
}

/// Runs and checks in each tick that no agent overlaps a wall by more than 2 % of its radius.
fn run_clear_of_walls(app: &mut App, agents: &[Entity], ticks: usize) {
    for tick in 0..ticks {
        app.update();
        for agent in agents {
            let here = position(app, *agent);
            let radius = get::<NavAgent>(app, *agent).radius;
            let away = wall_distance(app, here);
            assert!(
                away >= 0.98 * radius,
                "tick {tick}: {here} is {away} from a wall, radius {radius}"
            );
        }
    }
}

fn legs(app: &App, agent: Entity) -> Locomotion {
    get::<Locomotion>(app, agent)
}

#[test]
fn agents_of_impossible_numbers_neither_panic_nor_move() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let mut agents = Vec::new();
        for bad in BAD_NUMBERS {
            for field in 0..4 {
                let mut agent = NavAgent::from_radius(RADIUS);
                match field {
                    0 => agent.radius = bad,
                    1 => agent.speed = bad,
                    2 => agent.acceleration = bad,
                    _ => agent.reach = Some(bad),
                }
                let entity = spawn_chaser(&mut app, body, cell(0, 0), target);
                app.world_mut().entity_mut(entity).insert(agent);
                agents.push((entity, agent));
            }
        }
        run(&mut app, 120);
        for (entity, agent) in agents {
            let here = position(&app, entity);
            assert!(here.is_finite(), "{body:?} {agent:?} at {here}");
            assert!(
                agent.is_valid() || here == cell(0, 0),
                "{body:?} {agent:?} walked to {here}"
            );
            assert_ne!(get::<PathStatus>(&app, entity), PathStatus::Idle);
        }
    }
}

#[test]
fn agents_at_impossible_places_say_so() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        for bad in BAD_NUMBERS.into_iter().filter(|bad| *bad != 0.0) {
            let agent = spawn_chaser(&mut app, Body::Transform, Vec2::new(bad, 1.0), target);
            assert_eq!(
                answered(&mut app, agent),
                PathStatus::Failed(FailReason::OutsideGrid),
                "at {bad}"
            );
        }
        run(&mut app, 60);
    }
}

#[test]
fn chasers_of_targets_at_impossible_places_say_so_and_recover() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_chaser(&mut app, body, cell(0, 0), target);
        for bad in BAD_NUMBERS {
            place(&mut app, target, Vec2::new(bad, bad));
            run(&mut app, 60);
            assert!(position(&app, agent).is_finite(), "{body:?} after {bad}");
            assert_ne!(get::<PathStatus>(&app, agent), PathStatus::Idle);
        }
        place(&mut app, target, cell(9, 3));
        run_until(&mut app, 900, |app| {
            let arrived = legs(app, agent) == Locomotion::Arrived;
            arrived && position(app, agent).distance(cell(9, 3)) < 2.0
        });
    }
}

#[test]
fn requests_of_impossible_numbers_are_refused_with_a_reason() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, ROOM);
        for bad in BAD_NUMBERS {
            for request in [
                PathRequest::to(Vec2::new(bad, 1.0)),
                PathRequest::to(cell(9, 0)).with_radius(bad),
                PathRequest::to(cell(9, 0)).with_reach(bad),
            ] {
                let entity = ask(&mut app, cell(0, 0), request);
                answered(&mut app, entity);
            }
        }
    }
}

#[test]
fn grids_of_impossible_numbers_leave_a_reason_and_can_be_mended() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let good = NavGrid::covering(Rect::new(0., 0., 10., 10.)).with_node_radius(0.5);
        let bounds = |min: Vec2, max: Vec2| NavGrid {
            bounds: Rect { min, max },
            ..good
        };
        let mut bad = vec![
            bounds(Vec2::splat(f32::NAN), Vec2::splat(10.0)),
            bounds(Vec2::splat(10.0), Vec2::ZERO),
            bounds(Vec2::ZERO, Vec2::ZERO),
            bounds(Vec2::ZERO, Vec2::splat(f32::INFINITY)),
            bounds(Vec2::splat(-f32::MAX), Vec2::splat(f32::MAX)),
            bounds(Vec2::ZERO, Vec2::new(100_000.0, 10_000.0)),
        ];
        bad.extend(
            [f32::NAN, 0.0, -1.0, f32::INFINITY, f32::MAX, 1e-40].map(|r| good.with_node_radius(r)),
        );
        bad.extend(
            [f32::NAN, 0.0, f32::INFINITY].map(|cells| good.with_max_clearance_cells(cells)),
        );
        let mut app = game(60.0, mode);
        let grid = app.world_mut().spawn(good).id();
        let entity = ask(&mut app, cell(0, 0), PathRequest::to(cell(9, 9)));
        assert_eq!(answered(&mut app, entity), PathStatus::Found);
        let mut generation = get::<NavPath>(&app, entity).generation();
        for bad in bad {
            app.world_mut().entity_mut(grid).insert(bad);
            run(&mut app, 2);
            assert!(get::<BakedGrid>(&app, grid).error().is_some(), "{bad:?}");
            app.world_mut()
                .entity_mut(entity)
                .insert(PathRequest::to(cell(8, 9)));
            run(&mut app, 1);
            assert_eq!(
                answered(&mut app, entity),
                PathStatus::Failed(FailReason::NoGrid),
                "{bad:?}"
            );
            app.world_mut().entity_mut(grid).insert(good);
            run_until(&mut app, 2000, |app| {
                std::thread::sleep(Duration::from_micros(200));
                get::<PathStatus>(app, entity) == PathStatus::Found
            });
            let next = get::<NavPath>(&app, entity).generation();
            assert!(next > generation, "from {generation} to {next}");
            generation = next;
        }
    }
}

#[test]
fn a_grid_that_is_moved_resized_and_relayered_under_way_is_followed() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, &open(20, 6));
        let grid = grid_entity(&mut app);
        let target = spawn_target(&mut app, cell(19, 3));
        let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        for n in 0..60 {
            let shift = Vec2::splat(-0.37 * (n % 7) as f32);
            let mut nav = NavGrid::covering(Rect::new(0., 0., 20., 6.))
                .with_node_radius(0.3 + 0.05 * (n % 5) as f32)
                .with_obstacles(if n % 2 == 0 { WALLS } else { AGENTS });
            nav.bounds.min += shift;
            app.world_mut().entity_mut(grid).insert(nav);
            run(&mut app, 3);
            std::thread::sleep(Duration::from_micros(500));
        }
        run_until(&mut app, 600, |app| legs(app, agent) == Locomotion::Arrived);
    }
}

#[test]
fn a_grid_that_changes_in_every_frame_is_baked_all_the_same() {
    let mut app = game(60.0, PlanMode::Async);
    let grid = app
        .world_mut()
        .spawn(NavGrid::covering(Rect::new(0., 0., 200., 200.)).with_node_radius(0.25))
        .id();
    run_until(&mut app, 500, |app| {
        let mut entity = app.world_mut().entity_mut(grid);
        entity.get_mut::<NavGrid>().unwrap().bounds.max.x += 0.5;
        entity.get::<BakedGrid>().unwrap().snapshot().is_some()
    });
}

#[test]
fn an_agent_on_the_second_grid_does_not_wait_for_the_first() {
    let mut app = game(60.0, PlanMode::Async);
    for (x, node_radius) in [(1000.0, 0.2), (0.0, 0.5)] {
        let bounds = Rect::new(x, 0., x + 800. * node_radius, 800. * node_radius);
        app.world_mut()
            .spawn(NavGrid::covering(bounds).with_node_radius(node_radius));
    }
    let entity = ask(&mut app, cell(0, 0), PathRequest::to(cell(9, 9)));
    assert_eq!(answered(&mut app, entity), PathStatus::Found);
}

#[test]
fn two_overlapping_grids_lead_to_the_target() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, ROOM);
        app.world_mut().spawn(
            NavGrid::covering(Rect::new(3.3, -4.0, 30.0, 8.0))
                .with_node_radius(0.4)
                .with_obstacles(WALLS),
        );
        run(&mut app, 10);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), target);
        run_clear_of_walls(&mut app, &[agent], 400);
        assert_eq!(legs(&app, agent), Locomotion::Arrived);
    }
}

#[test]
fn a_path_on_a_grid_that_is_gone_is_not_walked_on() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, &open(30, 6));
        let walker = spawn_agent(&mut app, Body::Transform, cell(0, 1));
        app.world_mut()
            .entity_mut(walker)
            .insert(PathRequest::to(cell(29, 1)));
        let target = spawn_target(&mut app, cell(29, 3));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        for agent in [walker, chaser] {
            answered(&mut app, agent);
        }
        run(&mut app, 20);
        let grid = grid_entity(&mut app);
        app.world_mut().despawn(grid);
        run(&mut app, 5);
        for agent in [walker, chaser] {
            let none = PathStatus::Failed(FailReason::NoGrid);
            assert_eq!(answered(&mut app, agent), none);
        }
        let before = position(&app, walker);
        run(&mut app, 20);
        assert_eq!(position(&app, walker), before);
        app.world_mut().spawn(
            NavGrid::covering(Rect::new(0., 0., 30., 6.))
                .with_node_radius(0.5)
                .with_obstacles(WALLS),
        );
        for agent in [walker, chaser] {
            run_until(&mut app, 1000, |app| {
                std::thread::sleep(Duration::from_micros(100));
                legs(app, agent) == Locomotion::Arrived
            });
        }
    }
}

#[test]
fn removals_count_even_when_many_frames_pass_between_two_ticks() {
    let mut app = level(PlanMode::Inline, &open(40, 6));
    let target = spawn_target(&mut app, cell(39, 3));
    let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
    let walker = spawn_agent(&mut app, Body::Transform, cell(0, 1));
    app.world_mut()
        .entity_mut(walker)
        .insert(PathRequest::to(cell(39, 1)));
    run(&mut app, 20);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(1)));
    run(&mut app, 20);
    app.world_mut().entity_mut(chaser).remove::<Chase>();
    app.world_mut().entity_mut(walker).remove::<PathRequest>();
    run(&mut app, 40);
    for agent in [chaser, walker] {
        assert_eq!(get::<PathStatus>(&app, agent), PathStatus::Idle);
        assert_eq!(get::<DesiredVelocity>(&app, agent).0, Vec2::ZERO);
    }
}

#[test]
fn a_body_whose_agent_is_taken_away_comes_to_rest() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 6));
        let target = spawn_target(&mut app, cell(39, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 3), target);
        run(&mut app, 30);
        app.world_mut().entity_mut(agent).remove::<NavAgent>();
        run(&mut app, 3);
        let before = position(&app, agent);
        run(&mut app, 30);
        let drift = position(&app, agent).distance(before);
        assert!(drift < 1e-3, "{body:?} drifts by {drift}");
        assert_eq!(get::<PathStatus>(&app, agent), PathStatus::Idle, "{body:?}");
    }
}

#[test]
fn an_agent_knocked_off_its_requested_path_finds_a_new_one() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let agent = spawn_agent(&mut app, body, cell(0, 5));
        app.world_mut()
            .entity_mut(agent)
            .insert(PathRequest::to(cell(3, 5)));
        run(&mut app, 5);
        place(&mut app, agent, cell(7, 3));
        run_until(&mut app, 600, |app| {
            legs(app, agent) == Locomotion::Arrived
                && position(app, agent).distance(cell(3, 5)) < 0.1
        });
    }
}

#[test]
fn a_target_despawned_and_respawned_in_one_frame_is_lost_then_chased() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, ROOM);
        let mut target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_chaser(&mut app, Body::Kinematic, cell(0, 5), target);
        for n in 0..40 {
            app.world_mut().despawn(target);
            target = spawn_target(&mut app, cell(9, n % 4));
            if n % 2 == 0 {
                app.world_mut().entity_mut(agent).insert(Chase::new(target));
            }
            run(&mut app, 2);
            if n % 2 == 1 {
                assert_eq!(get::<PathStatus>(&app, agent), PathStatus::TargetLost);
            }
        }
        app.world_mut().entity_mut(agent).insert(Chase::new(target));
        run_until(&mut app, 600, |app| legs(app, agent) == Locomotion::Arrived);
    }
}

#[test]
fn an_agent_that_chases_itself_has_arrived() {
    let mut app = level(PlanMode::Inline, ROOM);
    let agent = spawn_agent(&mut app, Body::Dynamic, cell(0, 0));
    app.world_mut().entity_mut(agent).insert(Chase::new(agent));
    run(&mut app, 60);
    assert_eq!(legs(&app, agent), Locomotion::Arrived);
    assert_eq!(heard(&app).reached.len(), 1);
}

#[test]
fn a_target_without_a_transform_is_lost_until_it_has_one() {
    let mut app = level(PlanMode::Inline, ROOM);
    let target = app.world_mut().spawn_empty().id();
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 0), target);
    run(&mut app, 10);
    assert_eq!(get::<PathStatus>(&app, agent), PathStatus::TargetLost);
    app.world_mut()
        .entity_mut(target)
        .insert(Transform::from_translation(cell(9, 3).extend(0.0)));
    run_until(&mut app, 600, |app| legs(app, agent) == Locomotion::Arrived);
}

#[test]
fn a_chase_swapped_or_reinserted_in_every_frame_still_arrives() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        for reinsert in [false, true] {
            let mut app = level(mode, ROOM);
            let targets = [cell(9, 3), cell(9, 2)].map(|at| spawn_target(&mut app, at));
            let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), targets[0]);
            let mut n = 0;
            run_until(&mut app, 2000, |app| {
                n += 1;
                std::thread::sleep(Duration::from_micros(100));
                let mut entity = app.world_mut().entity_mut(agent);
                if reinsert {
                    entity.remove::<Chase>();
                }
                entity.insert(Chase::new(targets[n % 2]));
                legs(app, agent) == Locomotion::Arrived
            });
        }
    }
}

#[test]
fn a_request_reinserted_in_every_frame_is_answered_and_walked() {
    for moving in [false, true] {
        let mut app = level(PlanMode::Async, &open(200, 200));
        let agent = spawn_agent(&mut app, Body::Transform, cell(0, 0));
        let mut n = 0;
        run_until(&mut app, 1000, |app| {
            n += 1;
            std::thread::sleep(Duration::from_millis(2));
            let goal = cell(150, 150) + Vec2::X * if moving { (n % 10) as f32 } else { 0.0 };
            app.world_mut()
                .entity_mut(agent)
                .insert(PathRequest::to(goal));
            position(app, agent).x > 40.0
        });
    }
}

#[test]
fn request_and_chase_may_come_and_go_in_every_order() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = level(mode, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_agent(&mut app, Body::Transform, cell(0, 5));
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let mut entity = app.world_mut().entity_mut(agent);
            for _ in 0..random.usize(1..3) {
                match random.u32(0..4) {
                    0 => entity.insert(Chase::new(target)),
                    1 => entity.remove::<Chase>(),
                    2 => entity.insert(PathRequest::to(cell(3, 5))),
                    _ => entity.remove::<PathRequest>(),
                };
            }
            let asks = entity.contains::<Chase>() || entity.contains::<PathRequest>();
            run(&mut app, 1 + random.usize(0..4));
            let status = get::<PathStatus>(&app, agent);
            assert_eq!(status == PathStatus::Idle, !asks, "{status:?}");
        }
        app.world_mut().entity_mut(agent).insert(Chase::new(target));
        app.world_mut().entity_mut(agent).remove::<PathRequest>();
        run_until(&mut app, 600, |app| legs(app, agent) == Locomotion::Arrived);
    }
}

#[test]
fn a_target_that_teleports_in_every_tick_is_followed_without_harm() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..400 {
            let at = Vec2::new(random.f32() * 12.0 - 1.0, random.f32() * 8.0 - 1.0);
            place(&mut app, target, at);
            run_clear_of_walls(&mut app, &[agent], 1);
        }
        place(&mut app, target, cell(9, 3));
        run_until(&mut app, 900, |app| {
            legs(app, agent) == Locomotion::Arrived
                && position(app, agent).distance(cell(9, 3)) < 2.0
        });
    }
}

#[test]
fn children_of_moved_turned_and_scaled_parents_walk_in_the_world() {
    for scale in [
        Vec3::ONE,
        Vec3::new(2.0, 0.5, 1.0),
        Vec3::new(-1.0, 1.0, 1.0),
    ] {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let parent = Transform::from_xyz(3.0, -2.0, 0.0)
            .with_rotation(Quat::from_rotation_z(1.0))
            .with_scale(scale);
        let parent = app.world_mut().spawn(parent).id();
        let place = app.world().get::<Transform>(parent).unwrap().to_matrix();
        let local = place.inverse().transform_point3(cell(0, 5).extend(0.0));
        let agent = app
            .world_mut()
            .spawn((
                NavAgent::from_radius(RADIUS),
                Chase::new(target),
                Transform::from_translation(local),
                ChildOf(parent),
            ))
            .id();
        for _ in 0..600 {
            app.update();
            let local = app.world().get::<Transform>(agent).unwrap().translation;
            let here = place.transform_point3(local).truncate();
            assert!(wall_distance(&mut app, here) >= 0.98 * RADIUS, "at {here}");
        }
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "scale {scale}");
    }
}

#[test]
fn a_child_of_a_flattened_parent_stays_a_number() {
    let mut app = level(PlanMode::Inline, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let parent = app
        .world_mut()
        .spawn(Transform::from_xyz(0.5, 0.5, 0.0).with_scale(Vec3::ZERO))
        .id();
    let agent = spawn_chaser(&mut app, Body::Transform, Vec2::ZERO, target);
    app.world_mut().entity_mut(agent).insert(ChildOf(parent));
    run(&mut app, 120);
    assert!(position(&app, agent).is_finite());
}

#[test]
fn arriving_is_told_once_however_time_runs() {
    for body in BODIES {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..default()
            })
            .init_resource::<Heard>()
            .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
            .add_plugins(PursuitPlugins::default())
            .add_observer(|event: On<TargetReached>, mut heard: ResMut<Heard>| {
                heard.reached.push(*event);
            });
        app.finish();
        app.cleanup();
        build_level(&mut app, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        let frames = [0.0, 0.016, 5.0, 0.0, 0.001, 0.2, 0.0, 0.033];
        for n in 0..1600 {
            let frame = Duration::from_secs_f32(frames[n % frames.len()]);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
            if n == 700 {
                app.world_mut().resource_mut::<Time<Virtual>>().pause();
            }
            if n == 720 {
                app.world_mut().resource_mut::<Time<Virtual>>().unpause();
            }
            app.update();
            let here = position(&app, agent);
            let away = wall_distance(&mut app, here);
            assert!(away >= 0.98 * RADIUS, "{body:?}: {here} is {away} away");
        }
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?}");
        assert_eq!(heard(&app).reached.len(), 1, "{body:?}");
    }
}

#[test]
fn agents_go_on_after_time_and_physics_were_paused() {
    for body in BODIES {
        let mut app = level(PlanMode::Async, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        run(&mut app, 10);
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let before = position(&app, agent);
        run(&mut app, 30);
        assert_eq!(position(&app, agent), before, "{body:?} moves while paused");
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        let set_active = |app: &mut App, active: bool| {
            let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
            for mut config in configs.iter_mut(app.world_mut()) {
                config.physics_pipeline_active = active;
            }
        };
        set_active(&mut app, false);
        run(&mut app, 30);
        set_active(&mut app, true);
        run_until(&mut app, 900, |app| {
            std::thread::sleep(Duration::from_micros(100));
            legs(app, agent) == Locomotion::Arrived
        });
    }
}

#[test]
fn an_obstacle_that_moves_across_the_path_in_every_frame_starves_nobody() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        for body in BODIES {
            let mut app = level(mode, &open(24, 12));
            let door = spawn_wall(&mut app, Vec2::new(12.0, 6.0), Vec2::new(0.5, 2.0));
            let target = spawn_target(&mut app, cell(23, 2));
            let agent = spawn_chaser(&mut app, body, cell(0, 6), target);
            let mut n = 0;
            run_until(&mut app, 2400, |app| {
                n += 1;
                let slide = 3.0 * (n as f32 * 0.05).sin();
                place(app, door, Vec2::new(12.0, 6.0 + slide));
                let aim = cell(23, 2) + Vec2::Y * (n as f32 / 40.0).min(8.0);
                place(app, target, aim);
                legs(app, agent) == Locomotion::Arrived
            });
        }
    }
}

#[test]
fn an_obstacle_spawned_on_an_agent_lets_it_go_or_says_why() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(16, 8));
        let target = spawn_target(&mut app, cell(15, 4));
        let agent = spawn_chaser(&mut app, body, cell(0, 4), target);
        run(&mut app, 20);
        let here = position(&app, agent);
        let wall = spawn_wall(&mut app, here, Vec2::splat(0.45));
        run(&mut app, 240);
        let done = legs(&app, agent) == Locomotion::Arrived;
        let said = !heard(&app).stuck.is_empty() || !heard(&app).failed.is_empty();
        assert!(done || said, "{body:?}: {:?}", legs(&app, agent));
        app.world_mut().despawn(wall);
        run_until(&mut app, 600, |app| legs(app, agent) == Locomotion::Arrived);
    }
}

#[test]
fn thin_walls_between_cells_are_never_crossed() {
    for body in BODIES {
        for turn in [0.0, FRAC_PI_4, 0.3] {
            let mut app = level(PlanMode::Inline, &open(16, 16));
            // A wall with a gap at one end, off the cell borders.
            let wall = spawn_wall(&mut app, Vec2::new(8.03, 6.0), Vec2::new(0.01, 7.0));
            app.world_mut().get_mut::<Transform>(wall).unwrap().rotation =
                Quat::from_rotation_z(turn);
            let target = spawn_target(&mut app, Vec2::new(10.0, 5.0));
            let agent = spawn_chaser(&mut app, body, Vec2::new(5.0, 7.0), target);
            run(&mut app, 2);
            for n in 0..600 {
                run_clear_of_walls(&mut app, &[agent], 1);
                if n == 300 {
                    place(&mut app, target, Vec2::new(3.0, 2.0));
                }
            }
            assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?} {turn}");
        }
    }
}

#[test]
fn corridors_as_wide_as_the_body_are_walked_from_end_to_end() {
    const MAZE: &str = "
        ###########
        #.........#
        #########.#
        #.........#
        #.#########
        #.........#
        ###########
    ";
    for body in BODIES {
        let mut app = level(PlanMode::Inline, MAZE);
        let target = spawn_target(&mut app, cell(9, 5));
        let agent = spawn_chaser(&mut app, body, cell(1, 1), target);
        app.world_mut().entity_mut(agent).insert(NavAgent {
            radius: 0.5,
            ..NavAgent::from_radius(0.5).with_speed(8.0)
        });
        // A character controller keeps a gap to walls: its collider has to be that much slimmer.
        let collider = match body {
            Body::Transform => None,
            Body::Kinematic => Some(Collider::ball(0.49)),
            Body::Dynamic => Some(Collider::ball(0.5)),
        };
        if let Some(collider) = collider {
            app.world_mut().entity_mut(agent).insert(collider);
        }
        for _ in 0..900 {
            run_clear_of_walls(&mut app, &[agent], 1);
        }
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?}");
        assert!(heard(&app).stuck.is_empty(), "{body:?}");
    }
}

#[test]
fn a_diagonal_corridor_of_turned_walls_is_walked() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(20, 20));
        for side in [-1.0, 1.0] {
            let offset = Vec2::new(-1.0, 1.0).normalize() * side * 1.3;
            let wall = spawn_wall(&mut app, Vec2::splat(10.0) + offset, Vec2::new(14.0, 0.1));
            app.world_mut().get_mut::<Transform>(wall).unwrap().rotation =
                Quat::from_rotation_z(FRAC_PI_4);
        }
        run(&mut app, 2);
        let target = spawn_target(&mut app, Vec2::splat(18.0));
        let agent = spawn_chaser(&mut app, body, Vec2::splat(2.0), target);
        run_clear_of_walls(&mut app, &[agent], 400);
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?}");
    }
}

#[test]
fn grids_of_one_cell_and_of_one_row_are_walked() {
    for (width, height) in [(1, 1), (1, 12), (12, 1), (2, 2)] {
        for body in BODIES {
            let mut app = level(PlanMode::Inline, &open(width, height));
            let target = spawn_target(&mut app, cell(width - 1, height - 1));
            let agent = spawn_chaser(&mut app, body, cell(0, 0), target);
            run_until(&mut app, 400, |app| legs(app, agent) == Locomotion::Arrived);
            let walker = spawn_agent(&mut app, body, cell(0, 0));
            let goal = cell(width - 1, height - 1) + Vec2::splat(0.2);
            app.world_mut()
                .entity_mut(walker)
                .insert(PathRequest::to(goal));
            run_until(&mut app, 400, |app| {
                legs(app, walker) == Locomotion::Arrived
            });
        }
    }
}

#[test]
fn agents_on_the_grids_border_come_in_and_those_outside_say_so() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(10, 10));
        let target = spawn_target(&mut app, cell(5, 5));
        for at in [
            Vec2::ZERO,
            Vec2::splat(10.0),
            Vec2::new(10.0, 5.0),
            Vec2::new(5.0, 0.0),
        ] {
            let agent = spawn_chaser(&mut app, body, at, target);
            run_until(&mut app, 400, |app| legs(app, agent) == Locomotion::Arrived);
        }
        let outside = spawn_chaser(&mut app, body, Vec2::new(10.3, 5.0), target);
        run(&mut app, 30);
        let refused = PathStatus::Failed(FailReason::OutsideGrid);
        assert_eq!(get::<PathStatus>(&app, outside), refused);
    }
}

#[test]
fn an_agent_seven_cells_wide_keeps_off_walls() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(48, 32));
        spawn_wall(&mut app, Vec2::new(24.0, 8.0), Vec2::new(0.5, 8.0));
        run(&mut app, 2);
        let target = spawn_target(&mut app, cell(42, 6));
        let agent = spawn_chaser(&mut app, body, cell(6, 6), target);
        app.world_mut()
            .entity_mut(agent)
            .insert(NavAgent::from_radius(3.5));
        if body != Body::Transform {
            app.world_mut()
                .entity_mut(agent)
                .insert(Collider::ball(3.5));
        }
        run_clear_of_walls(&mut app, &[agent], 400);
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?}");
    }
}

#[test]
fn thousands_of_requests_with_despawns_among_them_leave_nothing_behind() {
    let mut app = level(PlanMode::Async, &open(40, 40));
    let mut random = fastrand::Rng::with_seed(5);
    let mut alive = Vec::new();
    for _ in 0..60 {
        for _ in 0..60 {
            let [from, to] = [(); 2].map(|()| cell(random.usize(0..40), random.usize(0..40)));
            alive.push(ask(&mut app, from, PathRequest::to(to)));
        }
        for _ in 0..40 {
            let one = alive.swap_remove(random.usize(0..alive.len()));
            app.world_mut().despawn(one);
        }
        app.update();
    }
    for one in &alive {
        assert_eq!(answered(&mut app, *one), PathStatus::Found);
    }
    run(&mut app, 3);
    let stats = app.world().resource::<PursuitStats>();
    assert_eq!((stats.tasks_in_flight, stats.queued), (0, 0));
}

#[test]
fn the_plan_mode_may_change_in_every_frame() {
    let mut app = level(PlanMode::Async, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let door = spawn_wall(&mut app, cell(5, 1), Vec2::splat(0.5));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), target);
    let mut n = 0;
    run_until(&mut app, 900, |app| {
        n += 1;
        app.world_mut().resource_mut::<PursuitSettings>().plan_mode = if n % 2 == 0 {
            PlanMode::Async
        } else {
            PlanMode::Inline
        };
        let away = Vec2::X * 0.01 * (n % 3) as f32;
        place(app, door, cell(5, 1) + away);
        legs(app, agent) == Locomotion::Arrived
    });
}

#[test]
fn a_body_that_need_not_come_near_stops_at_its_target_exactly() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        app.world_mut().entity_mut(agent).insert(NavAgent {
            reach: Some(0.0),
            ..NavAgent::from_radius(RADIUS)
        });
        run_until(&mut app, 900, |app| legs(app, agent) == Locomotion::Arrived);
    }
}
