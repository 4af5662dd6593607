//! Tests of replays in the overlay: a key records a search, keys and the mouse control its replay, and gizmos draw it.

use std::sync::Arc;

use bevy_pursuit::PathRecorder;
use pursuit::{Cell, Grid, Layout, PathOptions, STRAIGHT, SearchScratch};
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::Replay;

use crate::common::*;

fn replay_of(app: &App) -> Option<&Replay> {
    app.world().resource::<OverlayReplay>().replay()
}

fn replay(app: &App) -> &Replay {
    replay_of(app).expect("a replay is shown")
}

fn has_replay(app: &mut App) -> bool {
    replay_of(app).is_some()
}

/// Whether the searches of the agent are recorded.
fn is_recorded(app: &App, agent: Entity) -> bool {
    app.world().entity(agent).contains::<PathRecorder>()
}

fn press_alt(app: &mut App, key: KeyCode) {
    press(app, &[KeyCode::AltLeft, key]);
}

/// An app that replays the chaser's search around the wall. Also returns the chaser.
fn replaying() -> (App, Entity) {
    let (mut app, agent) = seen(400.0);
    show(&mut app, &[OverlayCategory::Searches]);
    pick(&mut app, agent);
    run(&mut app, 5);
    press_alt(&mut app, KeyCode::KeyR);
    run_until(&mut app, "a replay", has_replay);
    (app, agent)
}

#[test]
fn a_key_records_the_picked_agent_and_the_replay_runs_to_its_end() {
    let (mut app, agent) = replaying();
    assert!(is_recorded(&app, agent));
    assert!(replay(&app).is_playing());
    run_until(&mut app, "cells", |app| line_count::<SearchGizmos>(app) > 0);
    let paths = line_count::<PursuitGizmos>(&app);
    run_until(&mut app, "the end", |app| replay(app).is_at_end());
    run(&mut app, 1);
    assert!(
        line_count::<PursuitGizmos>(&app) > paths,
        "the path is not drawn"
    );
    press_alt(&mut app, KeyCode::KeyR);
    run(&mut app, 2);
    assert!(!is_recorded(&app, agent));
    assert_eq!(line_count::<SearchGizmos>(&app), 0);
}

#[test]
fn the_cost_of_a_search_is_shown_in_cells_of_plain_ground() {
    let (mut app, agent) = seen(400.0);
    spread_mud(&mut app);
    show(&mut app, &[OverlayCategory::Searches]);
    pick(&mut app, agent);
    run(&mut app, 5);
    press_alt(&mut app, KeyCode::KeyR);
    run_until(&mut app, "a replay", has_replay);
    let end = replay(&app).recording().end().expect("an answer");
    let cost = end.cost as f64 / f64::from(16 * STRAIGHT);
    assert!(cost < 100.0, "{cost} cells");
    let text = format!("costs {cost:.1}");
    run_until(&mut app, &text, |app| says(app, &text));
}

#[test]
fn the_key_with_shift_records_by_a_star_and_the_next_press_stops() {
    let (mut app, agent) = replaying();
    let name = |app: &App| {
        let latest = app.world().get::<PathRecorder>(agent)?.latest()?;
        Some(latest.recording.search().name.clone())
    };
    assert_eq!(name(&app).as_deref(), Some("jump points"));
    let keys = [KeyCode::AltLeft, KeyCode::ShiftLeft, KeyCode::KeyR];
    press(&mut app, &keys);
    run_until(&mut app, "a search by A* and its replay", |app| {
        let shown = replay_of(app).map(|shown| shown.recording().search().name.as_str());
        name(app).as_deref() == Some("A*") && shown == Some("A*")
    });
    press(&mut app, &keys);
    run(&mut app, 2);
    assert!(!is_recorded(&app, agent));
}

#[test]
fn keys_pause_and_step_a_replay_and_change_its_speed() {
    let (mut app, _) = replaying();
    press_alt(&mut app, KeyCode::KeyP);
    assert!(!replay(&app).is_playing());
    // The first step shows the start, before anything is expanded.
    press_alt(&mut app, KeyCode::Period);
    let expanded = |app: &App| replay(app).counts().expanded;
    let before = expanded(&app);
    press_alt(&mut app, KeyCode::Period);
    assert_eq!(expanded(&app), before + 1);
    press_alt(&mut app, KeyCode::Comma);
    assert_eq!(expanded(&app), before);
    let cursor = replay(&app).cursor();
    press_alt(&mut app, KeyCode::KeyL);
    assert_eq!(replay(&app).cursor(), cursor + 1);
    press_alt(&mut app, KeyCode::KeyK);
    assert_eq!(replay(&app).cursor(), cursor);
    let rate = replay(&app).pace().rate;
    press_alt(&mut app, KeyCode::BracketRight);
    assert_eq!(replay(&app).pace().rate, 2.0 * rate);
    press(&mut app, &[KeyCode::Period]);
    assert_eq!(expanded(&app), before, "a key without Alt moves the replay");
}

/// Gives a node of the overlay an area, as the layout in a window would.
fn lay_out(app: &mut App, entity: Entity, area: Rect) {
    let scale = app.world().get_resource::<UiScale>();
    let node = ComputedNode {
        size: area.size(),
        inverse_scale_factor: 1.0 / scale.map_or(1.0, |scale| scale.0),
        ..default()
    };
    let place = UiGlobalTransform::from_translation(area.center());
    app.world_mut().entity_mut(entity).insert((node, place));
}

/// Lays out the bar of the replay in an area, at the bottom of an inspector that is twice as high.
fn bar_in(app: &mut App, area: Rect) {
    let world = app.world_mut();
    let mut named = world.query::<(Entity, &Name, &ChildOf)>();
    let is_bar = |name: &Name| name.as_str() == "pursuit overlay: bar of the replay";
    let found = named.iter(world).find(|(_, name, _)| is_bar(name));
    let (bar, _, inspector) = found.expect("a bar");
    let inspector = inspector.parent();
    let shown = world.get::<Node>(bar).expect("a node").display;
    assert_eq!(shown, Display::Flex, "there is a replay");
    lay_out(app, bar, area);
    let above = Rect {
        min: area.min - Vec2::new(0.0, area.height()),
        ..area
    };
    lay_out(app, inspector, above);
}

/// Points at a pixel for one frame, and presses `button` if it is not `None`. Returns the replay's position.
fn drag(app: &mut App, pixel: Vec2, button: Option<MouseButton>) -> u32 {
    point_at_pixel(app, pixel);
    let mut input = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
    input.clear();
    button.into_iter().for_each(|button| input.press(button));
    app.update();
    replay(app).cursor()
}

#[test]
fn dragging_the_bar_moves_the_replay_at_every_ui_scale() {
    for scale in [1.0, 2.0] {
        let (mut app, agent) = replaying();
        app.insert_resource(UiScale(scale));
        run(&mut app, 2);
        let [min, max] = [Vec2::new(100.0, 40.0), Vec2::new(300.0, 50.0)].map(|at| at * scale);
        bar_in(&mut app, Rect { min, max });
        let at = |x: f32, y: f32| scale * Vec2::new(x, y);
        let events = replay(&app).len();
        let part = |part: f64| (f64::from(events) * part).round() as u32;
        drag(&mut app, at(150.0, 45.0), Some(MouseButton::Right));
        assert!(
            replay(&app).is_playing(),
            "the right button moves the replay"
        );
        let pressed = drag(&mut app, at(150.0, 45.0), Some(MouseButton::Left));
        assert_eq!(pressed, part(0.25), "scale {scale}");
        assert!(
            !replay(&app).is_playing(),
            "the replay plays on while it is dragged"
        );
        let beside = drag(&mut app, at(250.0, 300.0), None);
        assert_eq!(beside, part(0.75), "dragging ends beside the bar");
        assert_eq!(drag(&mut app, at(20.0, 45.0), None), 0);
        assert_eq!(drag(&mut app, at(620.0, 45.0), None), events);
        let middle = drag(&mut app, at(200.0, 45.0), None);
        let mut input = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
        input.reset_all();
        let after = drag(&mut app, at(120.0, 45.0), None);
        assert_eq!(
            after, middle,
            "dragging goes on after the button is released"
        );
        drag(&mut app, at(120.0, 300.0), Some(MouseButton::Left));
        let elsewhere = drag(&mut app, at(120.0, 45.0), None);
        assert_eq!(elsewhere, middle, "a press beside the bar drags it");
        assert_eq!(picked(&app), Some(agent));
    }
}

#[test]
fn a_click_on_the_inspector_does_not_reach_the_agent_below_it() {
    let (mut app, agent) = replaying();
    run(&mut app, 2);
    let at = place_of(&app, agent);
    point_at(&mut app, at, Vec2::ZERO, 400.0);
    bar_in(&mut app, Rect::new(0.0, 0.0, 1280.0, 720.0));
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(
        picked(&app),
        Some(agent),
        "the click goes through the inspector"
    );
    bar_in(&mut app, Rect::new(1000.0, 600.0, 1200.0, 610.0));
    press(&mut app, &[MouseButton::Left]);
    assert_eq!(picked(&app), None);
}

/// Whether an agent has recorded another search since the one that is shown.
fn searched_on(app: &App, agent: Entity, shown: &Arc<Recording>) -> bool {
    let recorder = app.world().get::<PathRecorder>(agent);
    let latest = recorder.and_then(PathRecorder::latest);
    latest.is_some_and(|latest| !Arc::ptr_eq(&latest.recording, shown))
}

fn move_target(app: &mut App, agent: Entity, by: f32) {
    let target = app.world().get::<Chase>(agent).expect("a Chase").target;
    let mut place = app.world_mut().get_mut::<Transform>(target);
    place.as_mut().expect("a Transform").translation.y += by;
}

#[test]
fn a_paused_replay_stays_while_its_agent_searches_again() {
    let (mut app, agent) = replaying();
    press_alt(&mut app, KeyCode::KeyP);
    press_alt(&mut app, KeyCode::Period);
    let (shown, cursor) = (replay(&app).recording().clone(), replay(&app).cursor());
    move_target(&mut app, agent, -40.0);
    run_until(&mut app, "another", |app| searched_on(app, agent, &shown));
    run(&mut app, 20);
    assert!(Arc::ptr_eq(replay(&app).recording(), &shown));
    assert_eq!(replay(&app).cursor(), cursor);
}

#[test]
fn a_finished_replay_rests_before_a_newer_one_replaces_it() {
    let (mut app, agent) = replaying();
    let shown = replay(&app).recording().clone();
    let is_shown = |app: &App| Arc::ptr_eq(replay(app).recording(), &shown);
    run_until(&mut app, "the end", |app| replay(app).is_at_end());
    assert!(is_shown(&app));
    // For three seconds the target moves, so that the agent searches again.
    for frame in 0..187 {
        move_target(&mut app, agent, if frame < 90 { -1.0 } else { 1.0 });
        app.update();
        assert!(is_shown(&app), "the replay is gone after {frame} frames");
    }
    assert!(searched_on(&app, agent, &shown));
    run_until(&mut app, "the newer one", |app| !is_shown(app));
    assert!(!replay(&app).is_at_end());
}

#[test]
fn the_screen_shows_the_replayed_search_its_speed_and_the_keys() {
    let (mut app, _) = replaying();
    // Slow the replay down, because this search is short.
    for _ in 0..6 {
        press_alt(&mut app, KeyCode::BracketLeft);
    }
    run(&mut app, 30);
    for text in [
        "search  jump points: ",
        ", plays, 0.25 expansions per s",
        "[ ] slower, faster",
    ] {
        assert_says(&mut app, text);
    }
    press_alt(&mut app, KeyCode::KeyP);
    run(&mut app, 30);
    assert_says(&mut app, ", paused, ");
}

#[test]
fn picking_another_agent_removes_the_replay_of_the_previous_one() {
    let (mut app, agent) = replaying();
    let other = app.world_mut().entity_mut(agent).clone_and_spawn();
    pick(&mut app, other);
    let shown = replay(&app).recording().clone();
    run(&mut app, 2);
    let is_old = |now: &Replay| Arc::ptr_eq(now.recording(), &shown);
    assert!(!replay_of(&app).is_some_and(is_old));
}

#[test]
fn switching_the_overlay_off_or_despawning_the_agent_removes_the_replay() {
    let (mut app, agent) = replaying();
    press(&mut app, &[KeyCode::F1]);
    run(&mut app, 2);
    assert!(!has_replay(&mut app));
    assert_eq!(line_count::<SearchGizmos>(&app), 0);
    press(&mut app, &[KeyCode::F1]);
    run_until(&mut app, "the replay again", has_replay);
    app.world_mut().despawn(agent);
    run(&mut app, 3);
    assert!(!has_replay(&mut app));
}

#[test]
fn a_recording_from_the_game_is_shown_and_the_amount_drawn_is_bounded() {
    let mut app = bare_app();
    show(&mut app, &[OverlayCategory::Searches]);
    let side = 512;
    let grid = Grid::from_fn(side, side, |cell| cell.x != 256 || cell.y > 500).expect("a grid");
    let (start, goal) = (Cell::new(2, 2), Cell::new(509, 2));
    let options = PathOptions {
        algorithm: pursuit::Algorithm::AStar,
        ..PathOptions::default()
    };
    let scratch = &mut SearchScratch::new();
    let recording = Recording::of_path(&grid, start, goal, &options, scratch).expect("a path");
    let layout = Layout::new(Vec2::ZERO, 1.0, side, side).expect("a layout");
    let mut shown = app.world_mut().resource_mut::<OverlayReplay>();
    shown.show(layout, recording);
    run_until(&mut app, "a replay", has_replay);
    let mut shown = app.world_mut().resource_mut::<OverlayReplay>();
    shown.replay_mut().expect("shown").seek(u32::MAX);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    for width in [20.0, 300.0, 600.0, 4000.0] {
        look_at(&mut app, Vec2::new(250.0, 250.0), width);
        run(&mut app, 2);
        let drawn = line_count::<SearchGizmos>(&app);
        let max = MAX_SEARCH_SQUARES as usize + 400;
        assert!((1..=max).contains(&drawn), "{drawn} in {width}");
    }
    run(&mut app, 30);
    assert_says(&mut app, "search  A*: ");
    look_at(&mut app, Vec2::new(240.0, 250.0), 20.0);
    run(&mut app, 2);
    let points = strip_points::<NumberGizmos>(&app);
    // Each cell has three numbers, with about ten points for each digit.
    assert!((10_000..200_000).contains(&points), "{points} near");
    look_at(&mut app, Vec2::new(240.0, 250.0), 40.0);
    run(&mut app, 2);
    assert_eq!(strip_points::<NumberGizmos>(&app), 0, "too small to read");
    let mut shown = app.world_mut().resource_mut::<OverlayReplay>();
    shown.clear();
    run(&mut app, 2);
    assert_eq!(line_count::<SearchGizmos>(&app), 0);
}
