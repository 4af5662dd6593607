//! Tests of the gizmos that the overlay draws, in a headless app with real bakes and paths.

use bevy::ecs::system::RunSystemOnce;
use bevy_pursuit::BakedGrid;
use pursuit::FlowField;

use crate::common::*;

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
    let mut app = app(100.0);
    look(&mut app, 400.0);
    run(&mut app, 10);
    assert_eq!((amount(&mut app), texts(&mut app).len()), (0, 0));
    press(&mut app, &[KeyCode::F1]);
    run_until(&mut app, "squares", |app| !squares(app).is_empty());
    assert!(strip_points::<PursuitGizmos>(&app) > 0);
    assert_says(&mut app, "grid    level: 20 x 20");
    press(&mut app, &[KeyCode::F1]);
    run(&mut app, 2);
    assert_eq!((amount(&mut app), texts(&mut app).len()), (0, 0));
}

#[test]
fn every_cell_in_view_is_drawn_in_its_color() {
    let (mut app, _) = seen(400.0);
    run(&mut app, 10);
    let layers = snapshot(&mut app).layers(RADIUS);
    let (free, all) = (layers.grid().free_count(), layers.grid().cell_count());
    assert!(free > 0 && free < all);
    shows_cells(&mut app, free, all - free);
    show(&mut app, &[OverlayCategory::Walkable]);
    shows_cells(&mut app, free, 0);
    show(&mut app, &[OverlayCategory::Blocked]);
    shows_cells(&mut app, 0, all - free);
}

/// Runs until these numbers of walkable and blocked cells are drawn.
#[track_caller]
fn shows_cells(app: &mut App, walkable: usize, blocked: usize) {
    let colors = settings(app).colors.clone();
    run_until(app, &format!("{walkable} and {blocked} cells"), |app| {
        let shown = [colors.walkable, colors.blocked].map(|color| cells_of(app, color));
        shown == [walkable, blocked]
    });
}

#[test]
fn each_category_can_be_switched_off_by_its_key() {
    let (mut app, agent) = seen(400.0);
    show_all(&mut app);
    pick(&mut app, agent);
    run(&mut app, 30);
    freeze(&mut app);
    let look = |app: &mut App| (amount(app), square_colors(app));
    // Waits for the tasks that make squares.
    let settle = |app: &mut App| {
        for _ in 0..20 {
            app.update();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        look(app)
    };
    let before = settle(&mut app);
    let has_replays = cfg!(feature = "recorder");
    let keys = KEYS.into_iter();
    let keys = keys.filter(|key| has_replays || *key != KeyCode::Digit6);
    let keys = OverlayCategory::ALL.into_iter().zip(keys);
    // The keys of walkable cells and areas change nothing here, because the heat map and the regions cover both. The
    // key of searches changes nothing, because there is no replay, and the key of fields changes nothing, because a path
    // leads the agent.
    let plain = ["walkable cells", "areas", "searches", "fields"];
    for (category, key) in keys.filter(|(category, _)| !plain.contains(&category.name())) {
        press(&mut app, &[key]);
        let shows = settings(&mut app).shows(category);
        assert!(shows, "{category:?} is switched without Alt");
        press(&mut app, &[KeyCode::AltLeft, key]);
        assert_ne!(settle(&mut app), before, "{category:?} is still drawn");
        press(&mut app, &[KeyCode::AltRight, key]);
        assert_eq!(settle(&mut app), before, "{category:?} came back changed");
    }
}

/// The documented keys of all categories.
const KEYS: [KeyCode; 10] = {
    use KeyCode::*;
    [
        Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, Digit0,
    ]
};

/// A weighted sum of the colors of all squares. It is different with and without the heat map.
fn square_colors(app: &mut App) -> u64 {
    let colors = squares(app).into_iter().map(|(_, color)| color);
    colors
        .map(|color| (color.red + 3.0 * color.green + 7.0 * color.blue) as f64 * 1e3)
        .sum::<f64>() as u64
}

#[test]
fn the_toggle_key_can_be_changed_and_alt_keys_can_be_switched_off() {
    let mut app = app(100.0);
    settings(&mut app).enabled = true;
    settings(&mut app).toggle = Some(KeyCode::F9);
    press(&mut app, &[KeyCode::AltLeft, KeyCode::Digit8]);
    assert!(!settings(&mut app).shows(OverlayCategory::Paths));
    settings(&mut app).alt_keys = false;
    press(&mut app, &[KeyCode::AltLeft, KeyCode::Digit8]);
    assert!(!settings(&mut app).shows(OverlayCategory::Paths));
    settings(&mut app).alt_keys = true;
    press(&mut app, &[KeyCode::F1]);
    assert!(settings(&mut app).enabled);
    press(&mut app, &[KeyCode::F9]);
    press(&mut app, &[KeyCode::AltLeft, KeyCode::Digit8]);
    let shows = settings(&mut app).show.has(OverlayCategory::Paths);
    assert!(!shows, "a key switches a category while the overlay is off");
}

#[test]
fn a_grid_of_a_million_cells_stays_within_the_bounds_at_every_zoom() {
    let mut app = app(NODE_RADIUS * 1024.0);
    show_all(&mut app);
    look(&mut app, 100.0);
    run(&mut app, 3);
    for width in [100.0, 1000.0, 3000.0, 6000.0, 12_000.0, 40_000.0] {
        look(&mut app, width);
        run_until(&mut app, "squares are drawn", |app| {
            app.update();
            !squares(app).is_empty()
        });
        run(&mut app, 20);
        let max = settings(&mut app).max_squares as usize;
        let strokes = squares(&mut app).len();
        assert!(strokes <= 2 * max, "{strokes} strokes at width {width}");
        // The only agent needs a few points and lines.
        let points = strip_points::<PursuitGizmos>(&app);
        assert!(points <= 200, "{points} points at width {width}");
        let lines = line_count::<PursuitGizmos>(&app);
        assert!(lines <= 100, "{lines} at {width}");
    }
}

#[test]
fn the_field_to_the_goal_of_the_picked_agent_is_drawn() {
    let (mut app, agent) = seen(400.0);
    show(&mut app, &[OverlayCategory::Fields]);
    pick(&mut app, agent);
    run(&mut app, 10);
    assert_eq!(drawn_field(&app), [], "a path leads the agent");
    let horde = spawn_horde(&mut app, agent);
    let last = horde[0];
    pick(&mut app, last);
    let layout = *snapshot(&mut app).layout();
    // The field changes when the first agents stand at the target, because it then leads around them.
    run_until(&mut app, "a field around standing agents", |app| {
        let Some(field) = field_of(app, last) else {
            return false;
        };
        let cells = layout.rect().cells();
        let leads = cells.filter_map(|cell| {
            let direction = field.direction(cell).filter(|it| *it != Vec2::ZERO)?;
            Some((layout.center(cell), direction))
        });
        let drawn = drawn_field(app);
        assert_eq!(leads.clone().count(), drawn.len());
        for ((center, direction), (from, to)) in leads.zip(drawn) {
            assert!(center.distance((from + to) / 2.0) < 0.01);
            assert!(direction.distance((to - from).normalize()) < 0.01);
        }
        field.goals().len() > 1
    });
    press(&mut app, &[KeyCode::AltLeft, KeyCode::Digit7]);
    assert_eq!(drawn_field(&app), [], "the category is off");
}

/// The tail and the head of each arrow, if only fields are shown.
fn drawn_field(app: &App) -> Vec<(Vec2, Vec2)> {
    let lines = drawn::<PursuitGizmos>(app).map(|asset| &asset.buffer().list_positions);
    // An arrow has three lines, and the first one is its shaft.
    let arrows = lines.into_iter().flat_map(|lines| lines.chunks(6));
    arrows
        .map(|arrow| (arrow[0].truncate(), arrow[1].truncate()))
        .collect()
}

/// The flow field that leads an agent.
fn field_of(app: &mut App, agent: Entity) -> Option<FlowField> {
    let find = move |navigation: Navigation| navigation.field_of(agent).cloned();
    let found = app.world_mut().run_system_once(find);
    found.expect("the system runs")
}

/// Spawns more chasers of an agent's target, enough that a flow field leads them.
fn spawn_horde(app: &mut App, agent: Entity) -> Vec<Entity> {
    let target = app.world().get::<Chase>(agent).expect("a chase").target;
    let chaser = |number: usize| {
        let place = Vec2::new((number / 20) as f32, (number % 20) as f32) * 9.0 - 90.0;
        let place = Transform::from_translation(place.extend(0.0));
        (NavAgent::from_radius(RADIUS), Chase::new(target), place)
    };
    app.world_mut()
        .spawn_batch((0..100).map(chaser).collect::<Vec<_>>())
        .collect()
}

#[test]
fn agents_that_stand_or_queue_are_drawn_in_their_colors() {
    let (mut app, agent) = seen(400.0);
    show(&mut app, &[OverlayCategory::Agents]);
    spawn_horde(&mut app, agent);
    let mut most = (0, 0);
    for _ in 0..600 {
        app.update();
        let colors = settings(&mut app).colors.clone();
        let drawn = [colors.settled, colors.queued].map(|color| strips_of(&app, color));
        let mut agents = app.world_mut().query::<&Locomotion>();
        let all: Vec<Locomotion> = agents.iter(app.world()).copied().collect();
        let count = |state| all.iter().filter(|one| **one == state).count();
        let standing = count(Locomotion::Arrived) + count(Locomotion::Settled);
        let queued = count(Locomotion::Queued);
        assert_eq!(drawn, [standing, queued]);
        most = (most.0.max(standing), most.1.max(queued));
    }
    assert!(most.0 > 10 && most.1 > 10, "{most:?} stood and queued");
}

#[test]
fn an_agent_that_yields_is_drawn_in_its_color() {
    let mut app = bare_app();
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(100.0));
    let grid = NavGrid::covering(bounds).with_node_radius(NODE_RADIUS);
    app.world_mut().spawn(grid);
    // Between the walls is a corridor that is one cell wide.
    spawn_wall(&mut app, "above", Vec2::Y * 60.0, Vec2::new(60.0, 50.0));
    spawn_wall(&mut app, "below", Vec2::Y * -50.0, Vec2::new(60.0, 50.0));
    for x in [-80.0, 80.0] {
        let place = Transform::from_xyz(x, 5.0, 0.0);
        let request = PathRequest::to(Vec2::new(-x, 5.0));
        app.world_mut()
            .spawn((NavAgent::from_radius(RADIUS), request, place));
    }
    look(&mut app, 400.0);
    show(&mut app, &[OverlayCategory::Agents]);
    let color = settings(&mut app).colors.yielding;
    let count = |navigation: Navigation, states: Query<(Entity, &Locomotion)>| {
        // An agent that is stuck before it yields keeps the color of stuck agents.
        let free = states.iter().filter(|(_, it)| **it != Locomotion::Stuck);
        free.filter(|(agent, _)| navigation.is_yielding(*agent))
            .count()
    };
    run_until(&mut app, "an agent yields", |app| {
        let count = app.world_mut().run_system_once(count);
        let count = count.expect("the system runs");
        assert_eq!(strips_of(app, color), count);
        count > 0
    });
}

#[test]
fn overlapping_grids_show_each_place_once() {
    let (mut app, _) = seen(400.0);
    // Add two more grids around the same center. One is as large as the level, and one is larger.
    for half in [100.0, 150.0] {
        let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(half));
        let grid = NavGrid::covering(bounds).with_node_radius(NODE_RADIUS);
        app.world_mut()
            .spawn((Name::new(format!("of {half}")), grid));
    }
    run_until(&mut app, "each place once", |app| {
        let spans = squares(app).into_iter().map(|(ends, _)| span(&ends));
        spans.sum::<usize>() == 30 * 30
    });
    assert_says(&mut app, "walkable: level");
    assert_says(&mut app, "walkable: of 150");
}

#[test]
fn squares_of_a_coarser_grid_are_as_wide_as_its_cells() {
    let (mut app, _) = seen(800.0);
    // Add a grid beside the level, with cells three times as wide.
    let bounds = Rect::from_center_half_size(Vec2::new(250.0, 0.0), Vec2::splat(90.0));
    let grid = NavGrid::covering(bounds).with_node_radius(3.0 * NODE_RADIUS);
    app.world_mut().spawn((Name::new("meadow"), grid));
    let is_wide = |width: f32, other: f32| (width - 3.0 * other).abs() < 1e-3;
    run_until(&mut app, "two widths", |app| {
        let world = app.world_mut();
        let mut gizmos = world.query::<&Gizmo>();
        let widths = gizmos.iter(world).map(|gizmo| gizmo.line_config.width);
        let widths: Vec<f32> = widths.collect();
        matches!(widths[..], [a, b] if is_wide(a, b) || is_wide(b, a))
    });
}

#[test]
fn agents_with_an_invalid_radius_do_not_panic() {
    let (mut app, _) = seen(400.0);
    show_all(&mut app);
    for radius in [f32::NAN, -4.0, f32::INFINITY] {
        let agent = NavAgent {
            radius,
            ..NavAgent::default()
        };
        let agent = (agent, Transform::default(), PathRequest::to(Vec2::ONE));
        let agent = app.world_mut().spawn(agent).id();
        run(&mut app, 5);
        pick(&mut app, agent);
        run(&mut app, 5);
    }
    run_until(&mut app, "the panel", |app| says(app, "agents  4\n"));
}

#[test]
fn the_panel_says_when_more_agents_are_in_view_than_are_drawn() {
    let (mut app, _) = seen(400.0);
    show(&mut app, &[OverlayCategory::Agents]);
    for number in 0..1200 {
        let angle = Vec2::from_angle(number as f32);
        let place = angle * (20.0 + 60.0 * number as f32 / 1200.0);
        let agent = NavAgent::from_radius(RADIUS);
        let place = Transform::from_translation(place.extend(0.0));
        app.world_mut().spawn((agent, NavAvoidance::None, place));
    }
    run(&mut app, 30);
    assert_says(&mut app, "agents  1201, 1000 of 1201 in view drawn");
    let asset = drawn::<PursuitGizmos>(&app).expect("circles");
    let points = asset.buffer().strip_positions.iter();
    let farthest = points.map(|at| at.truncate().length()).fold(0.0, f32::max);
    assert!(
        farthest < 80.0,
        "an agent at {farthest} is drawn instead of one nearer to the middle"
    );
    settings(&mut app).show = OverlayCategories::NONE;
    run(&mut app, 30);
    assert!(!says(&mut app, "in view drawn"));
}

#[test]
fn cells_are_shown_for_the_picked_agent_else_the_set_radius_else_the_smallest_agent() {
    let (mut app, _) = seen(400.0);
    let agent = NavAgent::from_radius(14.0);
    let sent = (agent, PathRequest::to(Vec2::splat(-80.0)));
    let large = (sent, Transform::from_xyz(-60.0, 60.0, 0.0));
    let large = app.world_mut().spawn(large).id();
    run(&mut app, 10);
    let all = snapshot(&mut app).layout().rect().cell_count() as usize;
    let free = |app: &mut App, radius| snapshot(app).layers(radius).grid().free_count();
    let [small, wide, set] = [RADIUS, 14.0, 20.0].map(|radius| free(&mut app, radius));
    assert!(wide < small && set < wide);
    // The cells are shown first for the smallest agent, then for the radius in the settings, and then for the picked
    // agent.
    shows_cells(&mut app, small, all - small);
    settings(&mut app).radius = Some(20.0);
    shows_cells(&mut app, set, all - set);
    pick(&mut app, large);
    shows_cells(&mut app, wide, all - wide);
}

#[test]
fn far_from_the_origin_squares_lie_where_the_grid_does() {
    let center = Vec2::new(200_000.0, -100_000.0);
    let mut app = bare_app();
    spawn_level(&mut app, center, 100.0);
    look_at(&mut app, center, 400.0);
    show_all(&mut app);
    run_until(&mut app, "squares", |app| !squares(app).is_empty());
    for at in squares(&mut app).into_iter().flat_map(|(ends, _)| ends) {
        let away = (at.truncate() - center).abs().max_element();
        assert!(away <= 100.1, "{at}");
    }
    point_at(&mut app, center, center, 400.0);
    run(&mut app, 30);
    assert_says(&mut app, "inside of wall");
}

#[test]
fn without_a_camera_nothing_is_drawn_and_nothing_breaks() {
    let mut app = app(100.0);
    show_all(&mut app);
    point_at(&mut app, Vec2::ZERO, Vec2::ZERO, 400.0);
    press(&mut app, &[MouseButton::Left]);
    run(&mut app, 5);
    assert_eq!(amount(&mut app), 0);
    assert_says(&mut app, "grid    level");
}

#[test]
fn agents_walk_the_same_with_and_without_the_overlay() {
    // The plugin is added in both runs, so that the agent has the same entity index in both. The index decides in which
    // ticks an agent looks for its goal, and in some versions of Bevy each resource takes up an entity.
    let walk = |overlay: bool| {
        let (mut app, agent) = seen(400.0);
        settings(&mut app).enabled = false;
        if overlay {
            show_all(&mut app);
            pick(&mut app, agent);
        }
        let walk = (0..120).map(|_| {
            app.update();
            place_of(&app, agent)
        });
        walk.collect::<Vec<_>>()
    };
    let plain = walk(false);
    assert_ne!(plain.first(), plain.last(), "the agent walks");
    assert_eq!(plain, walk(true));
}

#[test]
fn the_squares_of_a_despawned_grid_are_removed() {
    let (mut app, _) = seen(400.0);
    show_all(&mut app);
    run_until(&mut app, "squares", |app| !squares(app).is_empty());
    let world = app.world_mut();
    let grid = world
        .query_filtered::<Entity, With<NavGrid>>()
        .single(world);
    world.despawn(grid.expect("one grid"));
    run(&mut app, 2);
    assert!(squares(&mut app).is_empty());
}
