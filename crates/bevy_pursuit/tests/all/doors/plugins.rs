//! Games without one of Pursuit's plugins.

use bevy::app::PluginGroupBuilder;
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::plugins::*;
use pursuit::{Clearance, DiagonalPolicy};

use super::{move_by_hand, open_level};
use crate::common::*;

/// Leaves out each plugin whose bit is set.
fn without_plugins(mut plugins: PluginGroupBuilder, omitted: u32) -> PluginGroupBuilder {
    for plugin in (0..8).filter(|plugin| omitted >> plugin & 1 == 1) {
        plugins = match plugin {
            0 => plugins.disable::<BakePlugin>(),
            1 => plugins.disable::<DecidePlugin>(),
            2 => plugins.disable::<PlanPlugin>(),
            3 => plugins.disable::<FollowPlugin>(),
            4 => plugins.disable::<DrivePlugin>(),
            5 => plugins.disable::<DiagnosticsPlugin>(),
            6 => plugins.disable::<AvoidPlugin>(),
            _ => plugins.disable::<SchedulePlugin>(),
        };
    }
    plugins
}

/// A [`game`] with the Pursuit plugins that `choose` keeps, with or without Rapier.
fn inline_game(
    with_rapier: bool,
    choose: impl FnOnce(PluginGroupBuilder) -> PluginGroupBuilder,
) -> App {
    game_with_plugins(60.0, PlanMode::Inline, with_rapier, choose)
}

/// Builds a level with a chaser of each body kind and a target behind a corner.
fn spawn_chase_level(app: &mut App) -> Vec<Entity> {
    build_level(app, "........\n...#....\n...#....\n........\n");
    let target = spawn_target(app, cell(6, 1));
    let chasers = BODIES.map(|body| spawn_chaser(app, body, cell(1, 1), target));
    give(app, chasers[1], NavAvoidance::None);
    chasers.to_vec()
}

#[test]
fn a_game_runs_without_any_combination_of_plugins() {
    for with_rapier in [true, false] {
        for omitted in 0..256 {
            let mut app = inline_game(with_rapier, |plugins| without_plugins(plugins, omitted));
            let chasers = spawn_chase_level(&mut app);
            run(&mut app, 10);
            give(&mut app, chasers[0], NavPaused);
            remove::<NavAgent>(&mut app, chasers[1]);
            set_disabled(&mut app, chasers[2], true);
            run(&mut app, 5);
        }
    }
}

#[test]
fn without_drive_the_game_moves_agents_by_their_desired_velocity() {
    for with_rapier in [true, false] {
        let mut app = inline_game(with_rapier, |plugins| plugins.disable::<DrivePlugin>());
        open_level(&mut app, 30, 5);
        let agent = spawn_walker(&mut app, Body::Transform, cell(1, 2), cell(28, 2));
        run(&mut app, 30);
        assert_eq!(position(&app, agent), cell(1, 2));
        assert!(desired(&app, agent).x > 1.0);
        app.add_systems(FixedUpdate, move_by_hand.after(PursuitSystems::Drive));
        arrive(&mut app, agent, 600, "moved by the game");
        assert_eq!(events(&app).reached.len(), 1);
    }
}

#[test]
fn without_follow_paths_are_planned_and_the_game_steers() {
    for with_rapier in [true, false] {
        let mut app = inline_game(with_rapier, |plugins| plugins.disable::<FollowPlugin>());
        open_level(&mut app, 30, 5);
        let agent = spawn_walker(&mut app, Body::Transform, cell(1, 2), cell(28, 2));
        run(&mut app, 30);
        assert_eq!(status(&app, agent), PathStatus::Found);
        assert_eq!(events(&app).found.len(), 1);
        assert_eq!(position(&app, agent), cell(1, 2));
        let steer = |mut agents: Query<(&NavPath, &mut DesiredVelocity)>| {
            for (path, mut desired) in &mut agents {
                let points = waypoints(path);
                let direction = points
                    .windows(2)
                    .last()
                    .map_or(Vec2::ZERO, |leg| leg[1] - leg[0]);
                desired.0 = 4.0 * direction.normalize_or_zero().extend(0.0);
            }
        };
        app.add_systems(FixedUpdate, steer.in_set(PursuitSystems::Follow));
        run(&mut app, 60);
        let moved = position(&app, agent).x - cell(1, 2).x;
        assert!((moved - 4.0).abs() < 0.2, "the agent moved by {moved}");
    }
}

#[test]
fn without_follow_each_agent_of_a_crowd_keeps_a_path() {
    let mut app = inline_game(false, |plugins| plugins.disable::<FollowPlugin>());
    open_level(&mut app, 40, 40);
    let target = spawn_target(&mut app, cell(38, 20));
    let places = (0..120).map(|n| cell(1 + n % 8, 1 + n / 8));
    let places: Vec<Vec2> = places.collect();
    let crowd = places
        .into_iter()
        .map(|place| spawn_chaser(&mut app, Body::Transform, place, target));
    let crowd: Vec<Entity> = crowd.collect();
    run(&mut app, 300);
    for one in crowd {
        let path = get::<NavPath>(&app, one);
        assert_ne!(path.waypoints().len(), 0, "{one}");
    }
}

#[test]
fn without_plan_a_chaser_goes_to_a_target_that_it_sees() {
    let mut app = inline_game(true, |plugins| plugins.disable::<PlanPlugin>());
    let grid = Rect::from_corners(Vec2::ZERO, Vec2::new(30.0, 5.0));
    spawn(&mut app, NavGrid::covering(grid).with_node_radius(0.5));
    let (agent, _) = spawn_chase(&mut app, Body::Kinematic, cell(1, 2), cell(20, 2));
    arrive(&mut app, agent, 600, "in sight");
    assert_eq!(status(&app, agent), PathStatus::Idle);
    assert_eq!(events(&app).found, []);
}

#[test]
fn without_decide_grids_are_baked_and_agents_stay_idle() {
    let mut app = inline_game(true, |plugins| plugins.disable::<DecidePlugin>());
    let chasers = spawn_chase_level(&mut app);
    run(&mut app, 60);
    let grid = grid_entity(&mut app);
    assert!(get::<BakedGrid>(&app, grid).snapshot().is_some());
    for chaser in chasers {
        assert_eq!(locomotion(&app, chaser), Locomotion::Idle);
        assert_eq!(position(&app, chaser), cell(1, 1));
    }
}

/// The position of an archer in each tick of a game.
fn archer_positions(with_diagnostics: bool, bystanders: usize) -> Vec<Vec2> {
    let mut app = inline_game(true, |plugins| {
        if with_diagnostics {
            plugins
        } else {
            plugins.disable::<DiagnosticsPlugin>()
        }
    });
    open_level(&mut app, 60, 30);
    spawn_wall(&mut app, Vec2::new(25.0, 10.0), Vec2::new(0.5, 10.0));
    run(&mut app, 3);
    for _ in 0..bystanders {
        app.world_mut().spawn_empty();
    }
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(3, 3), cell(50, 3));
    let chase = Chase::new(target).with_reach(12.0).with_sight();
    give(&mut app, agent, chase);
    let places = (0..700).map(|tick| {
        set_position(&mut app, target, cell(50, 3) + Vec2::Y * 0.01 * tick as f32);
        app.update();
        position(&app, agent)
    });
    places.collect()
}

#[test]
fn diagnostics_and_unrelated_entities_do_not_change_an_agents_path() {
    let plain = archer_positions(true, 0);
    assert!(
        plain[699].distance(cell(3, 3)) > 20.0,
        "the archer did not walk"
    );
    let first_difference = |other: Vec<Vec2>| other.iter().zip(&plain).position(|(a, b)| a != b);
    assert_eq!(
        first_difference(archer_positions(false, 0)),
        None,
        "other positions without diagnostics"
    );
    for bystanders in 1..6 {
        let differs_at = first_difference(archer_positions(true, bystanders));
        assert_eq!(
            differs_at, None,
            "other positions with {bystanders} more entities"
        );
    }
}

#[test]
fn without_bake_the_game_supplies_its_own_grid() {
    for with_rapier in [true, false] {
        let mut app = inline_game(with_rapier, |plugins| plugins.disable::<BakePlugin>());
        let bounds = Rect::from_corners(Vec2::ZERO, Vec2::new(30.0, 9.0));
        let grid = NavGrid::covering(bounds).with_node_radius(0.5);
        let grid_entity = spawn(&mut app, grid);
        let agent = spawn_walker(&mut app, Body::Transform, cell(1, 1), cell(28, 1));
        run(&mut app, 10);
        assert_eq!(
            status(&app, agent),
            PathStatus::Queued,
            "the agent does not wait for a grid"
        );
        let layout = grid.layout().unwrap();
        let mut clearance = Clearance::open(layout.width(), layout.height(), 4.0).unwrap();
        for cell in layout.rect().cells().filter(|cell| cell.y < 5) {
            let away = (layout.center(cell).x - 14.5).abs();
            clearance.limit_center(cell, away);
        }
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::NoCornerCut, 1);
        give(&mut app, grid_entity, BakedGrid::from_snapshot(snapshot));
        arrive(&mut app, agent, 900, "on the game's own grid");
        let path = get::<NavPath>(&app, agent);
        let highest = waypoints(&path).into_iter().map(|point| point.y);
        assert!(
            highest.fold(0.0, f32::max) > 5.0,
            "the path does not lead around the wall"
        );
    }
}

#[test]
fn without_diagnostics_or_avoidance_chasers_still_arrive() {
    for omitted in [1 << 5, 1 << 6, 3 << 5] {
        let mut app = inline_game(true, |plugins| without_plugins(plugins, omitted));
        let chasers = spawn_chase_level(&mut app);
        arrive_or_settle(&mut app, &chasers, 600, "a chaser");
    }
}

#[test]
fn a_missing_schedule_plugin_is_added_with_the_schedule_of_the_group() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(
            PursuitPlugins::default()
                .in_fixed_schedule()
                .build()
                .disable::<SchedulePlugin>(),
        );
    let added = app.get_added_plugins::<SchedulePlugin>();
    assert_eq!(added.len(), 1);
    assert_eq!(format!("{:?}", added[0].schedule), "FixedUpdate");
}
