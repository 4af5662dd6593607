//! The overlay in a headless app with real bakes and paths: what ends up in the gizmo buffers.

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::{
    CategoryKeys, CoarseGizmos, FineGizmos, MAX_ARROWS, MAX_FLASHES, OverlayCategories,
    OverlayCategory, OverlayField, OverlayModifier, OverlayPick, OverlayReplay, OverlayRoutes,
    PursuitDebugPlugin, PursuitDebugSettings, PursuitGizmos,
};
use bevy_rapier2d::prelude::*;
use common::*;
use pursuit::{Cell, IntegrationField, PathOptions, Recording, RouteMap, SearchScratch};

fn snapshot(app: &mut App) -> std::sync::Arc<bevy_pursuit::grid::NavSnapshot> {
    let world = app.world_mut();
    let mut grids = world.query::<&BakedGrid>();
    let baked = grids.iter(world).next().expect("a grid");
    baked.snapshot().expect("baked by now").clone()
}

#[test]
fn without_gizmos_the_overlay_does_nothing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(PursuitPlugins::default())
        .insert_resource(PursuitDebugSettings {
            enabled: true,
            ..default()
        })
        .add_plugins(PursuitDebugPlugin);
    app.finish();
    app.cleanup();
    run(&mut app, 3);
    assert!(texts(&mut app).is_empty());
}

#[test]
fn f1_switches_everything_on_and_off() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    run(&mut app, 10);
    assert_eq!((amount(&app), texts(&mut app).len()), (0, 0));
    press(&mut app, &[KeyCode::F1]);
    run(&mut app, 3);
    assert!(line_count::<FineGizmos>(&app) > 0);
    assert!(strip_points::<PursuitGizmos>(&app) > 0);
    assert!(
        says(&mut app, "grid    level: 20 x 20"),
        "{:?}",
        texts(&mut app)
    );
    press(&mut app, &[KeyCode::F1]);
    run(&mut app, 2);
    assert_eq!((amount(&app), texts(&mut app).len()), (0, 0));
}

#[test]
fn every_cell_in_view_is_drawn_in_its_color() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    run(&mut app, 10);
    let ground = snapshot(&mut app).ground(RADIUS);
    let (free, all) = (ground.grid().free_count(), ground.grid().cell_count());
    assert!(free > 0 && free < all);
    let colors = settings(&mut app).colors.clone();
    assert_eq!(cells_of(&app, colors.walkable), free);
    assert_eq!(cells_of(&app, colors.blocked), all - free);
    assert_eq!(cells_of(&app, colors.target), 1);
}

/// Two places and a road.
fn show_routes(app: &mut App) {
    let layout = *snapshot(app).layout();
    let mut builder = RouteMap::builder(0.5);
    let ends = [1.0, 9.0].map(|x| builder.place(&x.to_string(), Vec2::new(x, 1.0)));
    let [from, to] = ends.map(|end| end.expect("a place"));
    let between = [Vec2::new(4.0, 5.0)];
    builder.road(from, to, &between).expect("a road");
    let routes = builder.build().expect("routes");
    let mut shown = app.world_mut().resource_mut::<OverlayRoutes>();
    shown.show(&layout, &routes);
}

#[test]
fn a_waypoint_map_is_drawn_where_a_game_shows_one() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    settings(&mut app).show = OverlayCategories::NONE.with(OverlayCategory::Routes);
    run(&mut app, 10);
    assert_eq!(strip_points::<PursuitGizmos>(&app), 0);
    show_routes(&mut app);
    run(&mut app, 2);
    let drawn = strip_points::<PursuitGizmos>(&app);
    assert!(drawn > 3, "a road of 3 points and two circles, got {drawn}");
    app.world_mut().resource_mut::<OverlayRoutes>().clear();
    run(&mut app, 2);
    assert_eq!(strip_points::<PursuitGizmos>(&app), 0);
}

#[test]
fn each_category_can_be_switched_off_by_its_key() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    show_all(&mut app);
    run(&mut app, 20);
    let field = snapshot(&mut app)
        .ground(RADIUS)
        .field_to(&[Cell::new(1, 1)]);
    let layout = *snapshot(&mut app).layout();
    let mut shown = app.world_mut().resource_mut::<OverlayField>();
    shown.show(layout, field);
    show_routes(&mut app);
    let search = Recording::of_path(
        snapshot(&mut app).ground(RADIUS).grid(),
        Cell::new(1, 1),
        Cell::new(18, 18),
        &PathOptions::default(),
        &mut SearchScratch::new(),
    );
    let mut replay = app.world_mut().resource_mut::<OverlayReplay>();
    replay.show(layout, search.expect("a path"));
    run_until(&mut app, "a replay", |app| {
        app.world().resource::<OverlayReplay>().replay().is_some()
    });
    let mut replay = app.world_mut().resource_mut::<OverlayReplay>();
    replay.replay_mut().expect("shown").seek(u32::MAX);
    freeze(&mut app);
    let colors = settings(&mut app).colors.clone();
    // A flash lasts for real time; the other categories differ by amount or by color.
    let still = OverlayCategory::ALL
        .into_iter()
        .filter(|c| *c != OverlayCategory::Edits);
    for category in still {
        let look = |app: &App| {
            (
                amount(app),
                cells_of(app, colors.walkable),
                line_colors(app),
            )
        };
        let before = look(&app);
        let key = CategoryKeys::default().key(category).expect("a key");
        press(&mut app, &[key]);
        assert_eq!(look(&app), before, "{} without Alt", category.name());
        press(&mut app, &[KeyCode::AltLeft, key]);
        run(&mut app, 1);
        let off = look(&app);
        // Under heat and regions plain walkable squares are no others.
        if category != OverlayCategory::Walkable {
            assert_ne!(off, before, "{} is still drawn", category.name());
        }
        press(&mut app, &[KeyCode::AltRight, key]);
        run(&mut app, 1);
        assert_eq!(look(&app), before, "{} came back changed", category.name());
    }
}

/// The sum of all colors of squares, which tells one heat map from another.
fn line_colors(app: &App) -> u64 {
    let Some(asset) = drawn::<FineGizmos>(app) else {
        return 0;
    };
    let colors = asset.buffer().list_colors.iter();
    colors
        .map(|color| (color.red + 3.0 * color.green + 7.0 * color.blue) as f64 * 1e3)
        .sum::<f64>() as u64
}

#[test]
fn walkable_and_blocked_are_switched_apart() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    show(&mut app, &[OverlayCategory::Walkable]);
    run(&mut app, 10);
    let colors = settings(&mut app).colors.clone();
    assert!(cells_of(&app, colors.walkable) > 0);
    assert_eq!(cells_of(&app, colors.blocked), 0);
    show(&mut app, &[OverlayCategory::Blocked]);
    run(&mut app, 2);
    assert_eq!(cells_of(&app, colors.walkable), 0);
    assert!(cells_of(&app, colors.blocked) > 0);
}

#[test]
fn keys_and_modifier_are_yours_to_choose() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    let mut keys = CategoryKeys::NONE.with(OverlayCategory::Paths, KeyCode::KeyJ);
    keys.modifier = OverlayModifier::None;
    settings(&mut app).keys = keys;
    settings(&mut app).toggle = Some(KeyCode::F9);
    press(&mut app, &[KeyCode::KeyJ]);
    assert!(!settings(&mut app).shows(OverlayCategory::Paths));
    press(&mut app, &[KeyCode::AltLeft, KeyCode::Digit1]);
    assert!(settings(&mut app).shows(OverlayCategory::Walkable));
    press(&mut app, &[KeyCode::F1]);
    assert!(settings(&mut app).enabled);
    press(&mut app, &[KeyCode::F9]);
    assert!(!settings(&mut app).enabled);
    press(&mut app, &[KeyCode::KeyJ]);
    run(&mut app, 1);
    let show = settings(&mut app).show;
    assert!(
        !show.has(OverlayCategory::Paths),
        "keys count while the overlay is on"
    );
}

#[test]
fn a_grid_of_a_million_cells_stays_within_the_bounds_at_every_zoom() {
    let mut app = app(NODE_RADIUS * 1024.0, true);
    show_all(&mut app);
    look(&mut app, 100.0);
    run(&mut app, 3);
    for width in [100.0, 1000.0, 3000.0, 6000.0, 12_000.0, 40_000.0] {
        look(&mut app, width);
        let squares = |app: &App| line_count::<FineGizmos>(app) + line_count::<CoarseGizmos>(app);
        run_until(&mut app, "squares are drawn", |app| squares(app) > 0);
        run(&mut app, 20);
        let (most, squares) = (settings(&mut app).max_squares as usize, squares(&app));
        assert!(
            squares > 0 && squares <= 2 * most,
            "{squares} strokes at width {width}"
        );
        // Six points per chunk outline, and some for the one agent.
        let points = strip_points::<PursuitGizmos>(&app);
        assert!(points <= 6 * 4096 + 200, "{points} points at width {width}");
        let lines = line_count::<PursuitGizmos>(&app);
        assert!(
            lines <= 3 * MAX_ARROWS as usize + 2 * 4096 + 100,
            "{lines} at {width}"
        );
    }
}

#[test]
fn a_field_of_the_game_is_drawn_and_that_of_the_picked_agent_otherwise() {
    let mut app = app(100.0, true);
    look(&mut app, 250.0);
    show(&mut app, &[OverlayCategory::Fields]);
    run(&mut app, 10);
    let color = settings(&mut app).colors.field;
    assert_eq!(
        lines_of(&app, color),
        0,
        "nobody gave one, nobody is picked"
    );
    let snapshot = snapshot(&mut app);
    let mut field = IntegrationField::new();
    let ground = snapshot.ground(RADIUS);
    field.start(ground.grid(), &[Cell::new(0, 0)], ground.diagonals());
    app.world_mut()
        .resource_mut::<OverlayField>()
        .show(*snapshot.layout(), field);
    run(&mut app, 2);
    let given = lines_of(&app, color);
    assert!(given > 0 && given as u64 <= 3 * MAX_ARROWS);
    app.world_mut().resource_mut::<OverlayField>().clear();
    run(&mut app, 1);
    assert_eq!(lines_of(&app, color), 0);
    let world = app.world_mut();
    let agent = world
        .query_filtered::<Entity, With<NavAgent>>()
        .single(world);
    world.resource_mut::<OverlayPick>().agent = agent.ok();
    run_until(&mut app, "a field to its goal", |app| {
        lines_of(app, color) > 0
    });
    world_despawn_agents(&mut app);
    run(&mut app, 2);
    assert_eq!(lines_of(&app, color), 0, "it is gone");
}

fn world_despawn_agents(app: &mut App) {
    let world = app.world_mut();
    let agents: Vec<Entity> = world
        .query_filtered::<Entity, With<NavAgent>>()
        .iter(world)
        .collect();
    for agent in agents {
        world.despawn(agent);
    }
}

#[test]
fn tiles_flash_when_they_are_edited_and_only_those() {
    let mut app = app(400.0, true);
    look(&mut app, 1000.0);
    show(&mut app, &[OverlayCategory::Edits]);
    run(&mut app, 10);
    assert_eq!(
        strip_points::<PursuitGizmos>(&app),
        0,
        "the first bake is no edit"
    );
    spawn_wall(&mut app, "new", Vec2::new(200.0, 200.0), Vec2::splat(10.0));
    run_until(&mut app, "a flash", |app| {
        strip_points::<PursuitGizmos>(app) > 0
    });
    let tiles = strip_points::<PursuitGizmos>(&app) / 5;
    assert!(
        (1..=9).contains(&tiles),
        "{tiles} tiles for a wall of 2 x 2 cells"
    );
    let asset = drawn::<PursuitGizmos>(&app).expect("drawn");
    let near = |at: &&Vec3| at.is_nan() || at.truncate().distance(Vec2::splat(200.0)) < 160.0;
    let points = &asset.buffer().strip_positions;
    assert_eq!(points.iter().filter(near).count(), points.len());
    run_until(&mut app, "it fades", |app| {
        strip_points::<PursuitGizmos>(app) == 0
    });
    assert!(tiles <= MAX_FLASHES);
}

#[test]
fn overlapping_grids_show_each_place_once() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    // The same ground twice more: as large, and larger.
    for half in [100.0, 150.0] {
        let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(half));
        let grid = NavGrid::covering(bounds).with_node_radius(NODE_RADIUS);
        app.world_mut()
            .spawn((Name::new(format!("of {half}")), grid));
    }
    run(&mut app, 20);
    let squares = all_cells(&app);
    assert_eq!(squares, 30 * 30, "each place once");
    assert!(says(&mut app, "walkable: level") && says(&mut app, "walkable: of 150"));
}

#[test]
fn squares_of_a_coarser_grid_are_as_wide_as_its_cells() {
    let mut app = app(100.0, true);
    look(&mut app, 800.0);
    settings(&mut app).enabled = true;
    // Beside the level, of cells three times as large.
    let bounds = Rect::from_center_half_size(Vec2::new(250.0, 0.0), Vec2::splat(90.0));
    let grid = NavGrid::covering(bounds).with_node_radius(3.0 * NODE_RADIUS);
    app.world_mut().spawn((Name::new("meadow"), grid));
    run(&mut app, 20);
    assert!(line_count::<FineGizmos>(&app) > 0);
    let wide = drawn::<FineGizmos<1>>(&app).expect("squares of the meadow");
    let positions = &wide.buffer().list_positions;
    assert!(!positions.is_empty() && positions.iter().all(|at| at.x > 150.0));
    let store = app.world().resource::<GizmoConfigStore>();
    let fine = store.config::<FineGizmos>().0.line.width;
    let wide = store.config::<FineGizmos<1>>().0.line.width;
    assert!((wide / fine - 3.0).abs() < 1e-3, "{wide} beside {fine}");
}

#[test]
fn more_agents_than_are_drawn_are_told_in_the_panel() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    show(&mut app, &[OverlayCategory::Agents]);
    for number in 0..1200 {
        let angle = Vec2::from_angle(number as f32);
        let place = angle * (20.0 + 60.0 * number as f32 / 1200.0);
        let agent = NavAgent::from_radius(RADIUS);
        let place = Transform::from_translation(place.extend(0.0));
        app.world_mut().spawn((agent, place));
    }
    run(&mut app, 30);
    let expected = "agents  1,201, 1,000 of 1,201 in view drawn";
    assert!(says(&mut app, expected), "{:?}", texts(&mut app));
    let asset = drawn::<PursuitGizmos>(&app).expect("circles");
    let points = asset.buffer().strip_positions.iter();
    let farthest = points.map(|at| at.truncate().length()).fold(0.0, f32::max);
    assert!(farthest < 80.0, "those near the middle: {farthest}");
    settings(&mut app).show = OverlayCategories::NONE;
    run(&mut app, 30);
    assert!(!says(&mut app, "in view drawn"));
}

/// How many cells long all strokes are, the target's aside.
fn all_cells(app: &App) -> usize {
    let asset = drawn::<FineGizmos>(app).expect("squares");
    let ends = asset.buffer().list_positions.chunks(2);
    let length = |ends: &[Vec3]| ((ends[1].x - ends[0].x) / (2.0 * NODE_RADIUS)).ceil() as usize;
    ends.map(length).sum::<usize>() - 1
}

#[test]
fn the_cells_shown_are_those_of_the_picked_agent() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    let world = app.world_mut();
    let large = (
        NavAgent::from_radius(14.0),
        PathRequest::to(Vec2::new(-80.0, -80.0)),
        Transform::from_xyz(-60.0, 60.0, 0.0),
    );
    let large = world.spawn(large).id();
    run(&mut app, 10);
    let colors = settings(&mut app).colors.clone();
    let free = |app: &mut App, radius| snapshot(app).ground(radius).grid().free_count();
    let (small, wide) = (free(&mut app, RADIUS), free(&mut app, 14.0));
    assert!(wide < small);
    assert_eq!(
        cells_of(&app, colors.walkable),
        small,
        "the smallest agent's"
    );
    settings(&mut app).radius = Some(20.0);
    let set = free(&mut app, 20.0);
    run(&mut app, 5);
    assert_eq!(
        cells_of(&app, colors.walkable),
        set,
        "those of the radius set"
    );
    app.world_mut().resource_mut::<OverlayPick>().agent = Some(large);
    run(&mut app, 5);
    assert_eq!(
        cells_of(&app, colors.walkable),
        wide,
        "those of the picked one"
    );
}

#[test]
fn far_from_the_origin_squares_lie_where_the_grid_does() {
    let center = Vec2::new(200_000.0, -100_000.0);
    let mut app = bare_app(true);
    spawn_level(&mut app, center, 100.0);
    look_at(&mut app, center, 400.0);
    show_all(&mut app);
    run(&mut app, 20);
    let asset = drawn::<FineGizmos>(&app).expect("squares");
    let positions = &asset.buffer().list_positions;
    assert!(!positions.is_empty());
    for at in positions {
        assert!(
            (at.truncate() - center).abs().max_element() <= 100.1,
            "{at}"
        );
    }
    point_at(&mut app, center, center, 400.0);
    run(&mut app, 30);
    assert!(says(&mut app, "inside of wall"), "{:?}", texts(&mut app));
}

#[test]
fn without_a_camera_nothing_is_drawn_and_nothing_breaks() {
    let mut app = app(100.0, true);
    show_all(&mut app);
    point_at(&mut app, Vec2::ZERO, Vec2::ZERO, 400.0);
    click(&mut app, MouseButton::Left);
    run(&mut app, 5);
    assert_eq!(amount(&app), 0);
    assert!(says(&mut app, "grid    level"), "the panel needs none");
}

#[test]
fn agents_walk_alike_with_and_without_the_overlay() {
    // The plugin is there both times: an agent looks around at ticks that its entity's index decides,
    // and resources are entities in some versions of Bevy.
    let walk = |overlay: bool| {
        let mut app = app(100.0, true);
        look(&mut app, 400.0);
        if overlay {
            show_all(&mut app);
            let world = app.world_mut();
            let agent = world
                .query_filtered::<Entity, With<NavAgent>>()
                .single(world);
            world.resource_mut::<OverlayPick>().agent = agent.ok();
        }
        let mut positions = Vec::new();
        for _ in 0..120 {
            app.update();
            let mut agents = app
                .world_mut()
                .query_filtered::<&Transform, With<NavAgent>>();
            positions.extend(agents.iter(app.world()).map(|agent| agent.translation));
        }
        positions
    };
    let plain = walk(false);
    assert_ne!(plain.first(), plain.last(), "the agent walks");
    assert_eq!(plain, walk(true));
}

#[test]
fn intents_tell_who_goes_follows_and_flees() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    show(&mut app, &[OverlayCategory::Intents]);
    let world = app.world_mut();
    let threat = world.spawn(Transform::from_xyz(-80.0, 80.0, 0.0)).id();
    let at = |x: f32, y: f32| {
        (
            NavAgent::from_radius(RADIUS),
            Transform::from_xyz(x, y, 0.0),
        )
    };
    world.spawn((at(-60.0, 80.0), Flee::new(threat, 50.0)));
    world.spawn((at(60.0, -80.0), PathRequest::to(Vec2::new(80.0, -80.0))));
    run(&mut app, 5);
    let colors = settings(&mut app).colors.clone();
    assert_eq!(lines_of(&app, colors.follow), 1, "a line to the target");
    assert_eq!(lines_of(&app, colors.go), 3, "a line and a cross");
    assert_eq!(lines_of(&app, colors.flee), 3, "an arrow");
    let world = app.world_mut();
    let targets: Vec<Entity> = world
        .query::<&Chase>()
        .iter(world)
        .map(|c| c.target)
        .collect();
    world.despawn(targets[0]);
    run(&mut app, 2);
    assert_eq!(lines_of(&app, colors.follow), 0);
    assert_eq!(
        lines_of(&app, colors.failed),
        2,
        "a cross: the target is gone"
    );
}

#[test]
fn a_grid_that_is_gone_takes_its_squares_along() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    show_all(&mut app);
    run(&mut app, 10);
    assert!(line_count::<FineGizmos>(&app) > 0);
    let world = app.world_mut();
    let grid = world
        .query_filtered::<Entity, With<NavGrid>>()
        .single(world);
    world.despawn(grid.expect("one grid"));
    run(&mut app, 2);
    assert_eq!(
        line_count::<FineGizmos>(&app) + line_count::<CoarseGizmos>(&app),
        0
    );
    assert_eq!(Group::GROUP_1.bits(), 1);
}
