//! Recorded searches: what a recording contains, and that it changes nothing else.

use bevy_pursuit::PathRecorder;
use bevy_pursuit::core::{Algorithm, Outcome};
use pursuit_lab::recording::{Event, Recording};
use pursuit_lab::replay::Replay;

use crate::common::*;

/// The latest recorded search.
fn recording(app: &App, entity: Entity) -> Option<Arc<Recording>> {
    let latest = app.world().get::<PathRecorder>(entity)?.latest()?;
    Some(latest.recording.clone())
}

fn has_recording(app: &App, entity: Entity) -> bool {
    recording(app, entity).is_some()
}

fn name(app: &App, entity: Entity) -> Option<String> {
    recording(app, entity).map(|one| one.search().name.clone())
}

/// A request for a path through the room, for a body of the usual size.
fn request() -> PathRequest {
    PathRequest::to(cell(9, 3)).with_radius(RADIUS)
}

#[test]
fn a_recorded_request_replays_to_its_path() {
    for mode in MODES {
        let mut app = unbaked_level(mode, ROOM);
        let plain = spawn_request(&mut app, cell(0, 5), request());
        let recorded = spawn_request(&mut app, cell(0, 5), request().recorded());
        run_slowly_until(&mut app, 2000, |app| {
            has_recording(app, recorded) && status(app, plain) == PathStatus::Found
        });
        let path = |entity| get::<NavPath>(&app, entity);
        assert_eq!(waypoints(&path(plain)), waypoints(&path(recorded)));
        let recorder = get::<PathRecorder>(&app, recorded);
        let latest = recorder.latest().expect("the search was recorded");
        assert_eq!(Some(latest.grid), path(recorded).grid());
        let end = latest.recording.end().expect("the search was finished");
        assert_eq!(end.outcome, Outcome::Complete);
        assert!(end.took.is_some());
        let mut replay = Replay::new(latest.recording.clone());
        replay.seek(u32::MAX);
        assert_eq!(replay.counts().expanded, u64::from(end.expanded));
        let goal = *end.path.last().expect("a path");
        let path = replay.way_to(goal);
        assert_eq!((path.first(), path.last()), (end.path.first(), Some(&goal)));
    }
}

#[test]
fn a_recorder_added_at_rest_causes_one_search_and_no_events() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let request = PathRequest::to(cell(9, 3));
    let agent = spawn_bare(&mut app, cell(0, 5), request);
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    let before = stats(&app).searches;
    let recorder = PathRecorder::default();
    give(&mut app, agent, recorder);
    run(&mut app, 120);
    assert!(has_recording(&app, agent));
    let after = stats(&app).searches;
    assert_eq!(
        after - before,
        1,
        "the recorder did not search exactly once"
    );
    assert_eq!(events(&app).reached.len(), 1);
    assert_eq!(events(&app).found.len(), 1);
    assert!(position(&app, agent).distance(cell(9, 3)) < 0.01);
}

#[test]
fn a_chase_is_recorded_again_when_its_target_moves() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let target = spawn(&mut app, transform_at(cell(9, 3)));
    let chase = Chase::new(target).recorded();
    let agent = spawn_bare(&mut app, cell(0, 5), chase);
    run_until(&mut app, 60, |app| has_recording(app, agent));
    let goal = |app: &App| recording(app, agent).map(|one| one.search().goal);
    let before = goal(&app);
    give(&mut app, target, transform_at(cell(9, 0)));
    run_until(&mut app, 120, |app| goal(app) != before);
}

#[test]
fn an_invalid_request_searches_at_most_once_and_leaves_no_recording() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let asked = request().with_radius(f32::NAN);
    let entity = spawn_request(&mut app, cell(0, 5), asked.recorded());
    run(&mut app, 30);
    assert!(!has_recording(&app, entity));
    assert!(events(&app).failed.len() <= 1, "{:?}", events(&app).failed);
    let searches_before = stats(&app).searches;
    run(&mut app, 30);
    assert!(stats(&app).searches <= searches_before + 1);
}

#[test]
fn a_recorder_uses_the_algorithm_given_at_its_creation() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let plain = spawn_request(&mut app, cell(0, 5), request());
    let entity = spawn_request(&mut app, cell(0, 5), request().recorded());
    run_until(&mut app, 60, |app| has_recording(app, entity));
    assert_eq!(name(&app, entity).as_deref(), Some("jump points"));
    let recorder = PathRecorder::by(Algorithm::AStar);
    give(&mut app, entity, recorder);
    run_until(&mut app, 60, |app| has_recording(app, entity));
    assert_eq!(name(&app, entity).as_deref(), Some("A*"));
    let length = |entity| get::<NavPath>(&app, entity).length();
    assert!((length(entity) - length(plain)).abs() < 1.0);
    let recording = recording(&app, entity).expect("recorded");
    // A* walks from cell to cell, so each parent is a neighbor.
    let events = recording.events();
    let far = events.filter(|event| match event {
        Event::Relaxed(edge, _) => {
            let parent = edge.parent.unwrap_or(edge.node);
            let [x, y] = [edge.node.x - parent.x, edge.node.y - parent.y];
            x.abs().max(y.abs()) > 1
        }
        _ => false,
    });
    assert_eq!(far.count(), 0);
    assert!(recording.counts().expanded > 5);
    assert_eq!(PathRecorder::default().algorithm(), Algorithm::Auto);
}

#[test]
fn a_recorder_replaced_during_a_search_records_the_new_algorithm() {
    for updates in 0..6 {
        let mut app = unbaked_level(PlanMode::Async, ROOM);
        let entity = spawn_request(&mut app, cell(0, 5), request().recorded());
        run_slowly_until(&mut app, 2000, |app| stats(app).bakes > 0);
        (0..updates).for_each(|_| app.update());
        let recorder = PathRecorder::by(Algorithm::AStar);
        give(&mut app, entity, recorder);
        run_slowly_until(&mut app, 2000, |app| has_recording(app, entity));
        let name = name(&app, entity);
        assert_eq!(name.as_deref(), Some("A*"), "after {updates} updates");
    }
}

#[test]
fn a_clone_records_for_itself() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let first = spawn_request(&mut app, cell(0, 5), request().recorded());
    run_until(&mut app, 60, |app| has_recording(app, first));
    let second = clone_entity(&mut app, first);
    give(&mut app, second, transform_at(cell(1, 4)));
    run(&mut app, 5);
    let start = |entity| recording(&app, entity).map(|one| one.search().start);
    assert_ne!(start(first), start(second));
}

#[test]
fn a_disabled_entity_gets_its_recording_and_a_despawned_one_is_ignored() {
    let mut app = unbaked_level(PlanMode::Async, ROOM);
    let disabled = spawn_request(&mut app, cell(0, 5), request().recorded());
    let gone = spawn_request(&mut app, cell(1, 5), request().recorded());
    let bare = spawn_request(&mut app, cell(2, 5), request().recorded());
    run_until(&mut app, 600, |app| status(app, bare) != PathStatus::Idle);
    give(&mut app, disabled, Disabled);
    despawn(&mut app, gone);
    remove::<PathRecorder>(&mut app, bare);
    run_slowly(&mut app, 200);
    remove::<Disabled>(&mut app, disabled);
    run_slowly_until(&mut app, 600, |app| has_recording(app, disabled));
    assert_eq!(status(&app, bare), PathStatus::Found);
}
