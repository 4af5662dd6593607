//! Requests that are removed on arrival.

use crate::common::*;

const NEAR: Vec2 = Vec2::new(6.5, 2.5);
const FAR: Vec2 = Vec2::new(15.5, 2.5);

/// An agent that walks to [`NEAR`] by a one-time request. Observers of its arrival run `act`.
fn app_with_once_request(
    mode: PlanMode,
    body: Body,
    act: impl Fn(&mut EntityWorldMut) + Send + Sync + Copy + 'static,
) -> (App, Entity) {
    let mut app = level(mode, &open(20, 5));
    app.add_observer(move |event: On<GoalReached>, mut commands: Commands| {
        let mut agent = commands.entity(event.entity);
        agent.queue(move |mut agent: EntityWorldMut| act(&mut agent));
    });
    let agent = spawn_with(&mut app, body, cell(1, 2), PathRequest::to(NEAR).once());
    (app, agent)
}

fn has_request(app: &App, agent: Entity) -> bool {
    app.world().entity(agent).contains::<PathRequest>()
}

#[test]
fn a_once_request_is_removed_on_arrival_and_the_chase_resumes() {
    for (mode, body) in modes_and_bodies() {
        let (mut app, agent) = app_with_once_request(mode, body, |_| {});
        let target = spawn_target(&mut app, FAR);
        give(&mut app, agent, Chase::new(target));
        run_slowly_until(&mut app, 900, |app| !events(app).reached.is_empty());
        assert!(
            !has_request(&app, agent),
            "{mode:?} {body:?}: the request was not removed on arrival"
        );
        assert!(position(&app, agent).distance(NEAR) < RADIUS);
        run_slowly_until(&mut app, 900, |app| events(app).reached.len() == 2);
        let reached = reached_by(&app, agent);
        assert_eq!(reached, [None, Some(target)], "{mode:?} {body:?}");
        run_slowly(&mut app, 60);
        assert_eq!(events(&app).reached.len(), 2, "{mode:?} {body:?}");
    }
}

#[test]
fn a_request_that_an_observer_of_the_arrival_writes_is_kept() {
    fn insert_other(agent: &mut EntityWorldMut) {
        if agent
            .get::<PathRequest>()
            .is_some_and(|request| request.goal.truncate() == NEAR)
        {
            agent.insert(PathRequest::to(FAR).once());
        }
    }
    fn write_other(agent: &mut EntityWorldMut) {
        if let Some(mut request) = agent.get_mut::<PathRequest>() {
            request.goal = FAR.extend(0.0);
        }
    }
    for act in [insert_other, write_other] {
        let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, act);
        run_until(&mut app, 900, |app| events(app).reached.len() == 1);
        assert_eq!(get::<PathRequest>(&app, agent).goal.truncate(), FAR);
        run_until(&mut app, 900, |app| !has_request(app, agent));
        assert!(position(&app, agent).distance(FAR) < RADIUS);
    }
    // The observer inserts the same request at each arrival, so this never ends.
    fn insert_same(agent: &mut EntityWorldMut) {
        agent.insert(PathRequest::to(NEAR).once());
    }
    let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, insert_same);
    run_until(&mut app, 900, |app| events(app).reached.len() == 3);
    assert!(has_request(&app, agent));
    // An agent that an observer disables has arrived nevertheless.
    fn switch_off(agent: &mut EntityWorldMut) {
        agent.insert(bevy::ecs::entity_disabling::Disabled);
    }
    let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, switch_off);
    run_until(&mut app, 900, |app| events(app).reached.len() == 1);
    assert!(!has_request(&app, agent));
    fn despawn(agent: &mut EntityWorldMut) {
        let agent_id = agent.id();
        agent.world_scope(|world| world.despawn(agent_id));
    }
    let (mut app, _) = app_with_once_request(PlanMode::Inline, Body::Transform, despawn);
    run(&mut app, 300);
    assert_eq!(events(&app).reached.len(), 1);
}

#[test]
fn a_reached_request_is_removed_when_it_becomes_a_once_request() {
    let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, |_| {});
    get_mut::<PathRequest>(&mut app, agent).once = false;
    arrive(&mut app, agent, 900, "a plain request");
    run(&mut app, 10);
    assert!(has_request(&app, agent));
    get_mut::<PathRequest>(&mut app, agent).once = true;
    run(&mut app, 2);
    assert!(!has_request(&app, agent));
    assert_eq!(events(&app).reached.len(), 1);
}

#[test]
fn a_once_request_stays_until_its_agent_arrives() {
    // The agent is paused within reach of its goal.
    let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, |_| {});
    run(&mut app, 5);
    give(&mut app, agent, NavPaused);
    set_position(&mut app, agent, NEAR);
    run(&mut app, 30);
    assert!(
        has_request(&app, agent),
        "the request of a paused agent was removed"
    );
    remove::<NavPaused>(&mut app, agent);
    run(&mut app, 2);
    assert!(!has_request(&app, agent));
    // The goal is behind a wall.
    let mut app = level(PlanMode::Inline, "...#..");
    let agent = spawn_bare(&mut app, cell(0, 0), PathRequest::to(cell(5, 0)).once());
    run(&mut app, 120);
    assert_status(&app, agent, Partial(Unreachable), "behind a wall");
    assert!(has_request(&app, agent));
    // The request belongs to an entity that is not an agent and never arrives.
    let request = spawn_request(&mut app, cell(0, 0), PathRequest::to(cell(0, 0)).once());
    run(&mut app, 10);
    assert!(has_request(&app, request));
}

#[test]
fn a_clone_keeps_its_once_request_until_it_arrives() {
    let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, |_| {});
    run(&mut app, 10);
    let copied = clone_entity(&mut app, agent);
    set_position(&mut app, copied, FAR);
    run_until(&mut app, 900, |app| !has_request(app, agent));
    assert!(has_request(&app, copied));
    run_until(&mut app, 900, |app| !has_request(app, copied));
    assert_eq!(events(&app).reached.len(), 2);
}

#[test]
fn gated_stages_do_not_revive_a_finished_request() {
    for gated in (0..6).map(|stage| 1_u32 << stage) {
        let (mut app, agent) = app_with_once_request(PlanMode::Inline, Body::Transform, |_| {});
        add_gates(&mut app);
        set_position(&mut app, agent, NEAR - Vec2::X);
        run(&mut app, 3);
        set_gates(&mut app, gates_of(gated));
        run(&mut app, 60);
        set_gates(&mut app, [true; 6]);
        run(&mut app, 60);
        assert!(!has_request(&app, agent), "{gated:06b}");
        assert_eq!(events(&app).reached.len(), 1, "{gated:06b}");
        assert_eq!(status(&app, agent), PathStatus::Idle, "{gated:06b}");
    }
}
