//! Tests of the overlay's texts about cells and agents, in a headless app with a pointer.

use crate::common::*;

const WIDTH: f32 = 400.0;

fn hover(app: &mut App, place: Vec2) {
    point_at(app, place, Vec2::ZERO, WIDTH);
    run(app, 3);
}

/// Picks the agent, and runs until its status has this reason and the inspector shows this text.
fn run_until_told(app: &mut App, agent: Entity, reason: FailReason, text: &str) {
    pick(app, agent);
    run_until(app, &format!("{reason:?}: {text}"), |app| {
        let status = app.world().get::<PathStatus>(agent).expect("an agent");
        status.reason() == Some(reason) && says(app, text)
    });
}

#[test]
fn a_cell_in_a_wall_names_the_wall_and_its_layer() {
    let (mut app, _) = seen(WIDTH);
    run(&mut app, 10);
    hover(&mut app, Vec2::new(2.0, 3.0));
    assert_says(&mut app, "blocked for radius 4.0\ninside of wall (");
    assert_says(&mut app, "on GROUP_1");
    hover(&mut app, Vec2::new(-23.0, 3.0));
    assert_says(&mut app, "cell 7, 10 of level\n");
    // The center of the cell is five units from the wall.
    assert_says(&mut app, "walkable for radius 4.0, cost 1\nregion 0 of ");
    assert_says(&mut app, "5.0 to wall (");
    hover(&mut app, Vec2::new(150.0, 0.0));
    assert!(
        !says(&mut app, " of level\n"),
        "the pointer is outside the grid"
    );
    settings(&mut app).hover = false;
    hover(&mut app, Vec2::new(2.0, 3.0));
    assert!(!says(&mut app, "inside of wall"));
}

#[test]
fn the_cost_of_a_cell_is_shown_as_a_multiple_of_plain_ground() {
    let (mut app, _) = seen(WIDTH);
    spread_mud(&mut app);
    hover(&mut app, Vec2::new(-23.0, 3.0));
    let text = "walkable for radius 4.0, cost 2.5, mud\n";
    run_until(&mut app, text, |app| says(app, text));
}

#[test]
fn a_radius_beyond_the_baked_clearance_names_the_setting_to_raise() {
    let (mut app, _) = seen(WIDTH);
    settings(&mut app).radius = Some(500.0);
    run(&mut app, 10);
    hover(&mut app, Vec2::new(-60.0, 3.0));
    let text = "raise max_clearance_cells";
    run_until(&mut app, text, |app| says(app, text));
}

#[test]
fn a_click_picks_an_agent_and_another_click_drops_it() {
    let (mut app, agent) = seen(WIDTH);
    run(&mut app, 10);
    freeze(&mut app);
    let at = place_of(&app, agent);
    hover(&mut app, at + Vec2::splat(2.0));
    press(&mut app, &[MouseButton::Right]);
    assert_eq!(picked(&app), None, "the right button picks an agent");
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(picked(&app), Some(agent));
    run(&mut app, 2);
    assert_says(&mut app, "chaser (");
    assert_says(&mut app, "walks along its path");
    assert_says(&mut app, "of target (");
    assert_says(&mut app, "path    a path leads to its goal");
    assert_says(&mut app, "plans   when its goal moves");
    hover(&mut app, Vec2::new(-90.0, -90.0));
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(
        picked(&app),
        Some(agent),
        "a click beside all agents unpicks the agent"
    );
    hover(&mut app, at);
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(picked(&app), None);
    settings(&mut app).enabled = false;
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(
        picked(&app),
        None,
        "a click picks although the overlay is off"
    );
}

#[test]
fn the_inspector_says_why_an_agent_waits_when_its_target_is_walled_in() {
    let (mut app, agent) = seen(WIDTH);
    // Build a room around the target.
    for (x, y, w, h) in [
        (85.0, 28.0, 28.0, 3.0),
        (85.0, -22.0, 28.0, 3.0),
        (60.0, 3.0, 3.0, 28.0),
        (97.0, 3.0, 3.0, 28.0),
    ] {
        spawn_wall(&mut app, "room", Vec2::new(x, y), Vec2::new(w, h));
    }
    let why = "no path leads there for a body of radius";
    run_until_told(&mut app, agent, FailReason::Unreachable, why);
    let next = "plans   when its goal moves, or a change of the grid may open a path";
    assert_says(&mut app, next);
}

#[test]
fn the_inspector_names_the_wall_that_an_agent_stands_in() {
    let (mut app, agent) = seen(WIDTH);
    let mut entity = app.world_mut().entity_mut(agent);
    entity.insert(Transform::default());
    spawn_wall(&mut app, "block", Vec2::ZERO, Vec2::splat(90.0));
    run_until_told(
        &mut app,
        agent,
        FailReason::StartBlocked,
        "it stands inside ",
    );
    assert_says(&mut app, "block (");
}

#[test]
fn a_despawned_agent_is_no_longer_picked() {
    let (mut app, agent) = seen(WIDTH);
    pick(&mut app, agent);
    run(&mut app, 5);
    assert_says(&mut app, "chaser (");
    app.world_mut().despawn(agent);
    run(&mut app, 3);
    assert_eq!(picked(&app), None);
    let world = app.world_mut();
    // Text blocks have no names. The bar of a replay has a name, and is left out here.
    let mut shown = world.query_filtered::<&Node, (With<Children>, Without<Name>)>();
    let hidden = shown
        .iter(world)
        .filter(|node| node.display == Display::None);
    assert_eq!(hidden.count(), 1, "the inspector is hidden");
}

#[test]
fn text_blocks_stand_in_the_corners_of_the_settings_and_vanish_without_one() {
    let (mut app, _) = seen(WIDTH);
    run(&mut app, 5);
    let before = texts(&mut app).len();
    assert!(before > 3);
    settings(&mut app).panel = Some(Corner::BottomLeft);
    run(&mut app, 3);
    assert_says(&mut app, "agents  1");
    assert_eq!(
        texts(&mut app).len(),
        before,
        "the old texts are not removed"
    );
    let mut blocks = settings(&mut app);
    (blocks.panel, blocks.legend, blocks.inspector) = (None, None, None);
    run(&mut app, 3);
    assert_eq!(texts(&mut app).len(), 0);
}

#[test]
fn texts_keep_out_of_the_margins() {
    let (mut app, _) = seen(WIDTH);
    run(&mut app, 10);
    let nodes = |app: &mut App, wanted: &str| -> Vec<Node> {
        hover(app, Vec2::new(50.0, 3.0));
        let world = app.world_mut();
        let mut named = world.query::<(&Name, &Node)>();
        let own = named
            .iter(world)
            .filter(|(name, _)| name.as_str() == wanted);
        own.map(|(_, node)| node.clone()).collect()
    };
    let edges = |app: &mut App| {
        let corners = nodes(app, "pursuit overlay").into_iter();
        let edges = corners.flat_map(|node| [node.left, node.right, node.top, node.bottom]);
        let mut edges: Vec<_> = edges.filter(|edge| *edge != Val::Auto).collect();
        edges.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
        edges
    };
    let plain = edges(&mut app);
    assert_eq!(plain, [px(12.0); 6], "three blocks in three corners");
    let hover_left = |app: &mut App| nodes(app, "pursuit overlay: cell")[0].left;
    assert_eq!(hover_left(&mut app), px(640.0 + 160.0 + 18.0));
    settings(&mut app).margins = Margins {
        left: 10.0,
        right: 600.0,
        top: 30.0,
        bottom: 40.0,
    };
    let moved = [22.0, 22.0, 42.0, 52.0, 612.0].map(px);
    let mut now = edges(&mut app);
    now.dedup();
    assert!(moved.iter().all(|edge| now.contains(edge)), "{now:?}");
    assert_eq!(hover_left(&mut app), px(1280.0 - 600.0 - 12.0));
}

#[test]
fn the_panel_says_why_a_grid_cannot_be_baked() {
    let (mut app, _) = seen(WIDTH);
    let grid = NavGrid::default().with_node_radius(f32::NAN);
    app.world_mut().spawn((Name::new("attic"), grid));
    let text = "attic: node_radius must be finite";
    run_until(&mut app, text, |app| says(app, text));
}
