//! Agents that chase and flee: which intent takes precedence, and which one waits.

use crate::common::*;

const FLEE_DISTANCE: f32 = 6.0;
const REACH: f32 = 10.0;
const ARENA: &str = "
    ..............................
    ..............................
    ......###.............###.....
    ......###.............###.....
    ......###.............###.....
    ..............................
    ..............................
    ..............................
    .............####.............
    .............####.............
    .............####.............
    ..............................
    ..............................
    ..............................
    ......###.............###.....
    ......###.............###.....
    ......###.............###.....
    ..............................
    ..............................
    ..............................
";

fn spawn_archer(app: &mut App, body: Body, at: Vec2, prey: Entity) -> Entity {
    let chase = Chase::new(prey).with_reach(REACH).with_sight();
    spawn_with(app, body, at, (chase, Flee::new(prey, FLEE_DISTANCE)))
}

fn report(app: &mut App, agent: Entity) -> NavReport {
    let report = ask(app, move |navigation| navigation.report(agent));
    report.expect("an agent has a report")
}

#[test]
fn an_archer_that_chases_and_flees_stops_at_shooting_distance() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(40, 40));
        let prey = spawn_target(&mut app, cell(20, 20));
        let archer = spawn_archer(&mut app, body, cell(22, 20), prey);
        run_slowly(&mut app, 300);
        let away = position(&app, archer).distance(cell(20, 20));
        let context = format!("{mode:?} {body:?}: the archer is {away} away");
        assert!((FLEE_DISTANCE..=REACH).contains(&away), "{context}");
        assert_eq!(locomotion(&app, archer), Locomotion::Arrived, "{context}");
        assert_eq!(events(&app).reached.len(), 1, "{context}");
    }
}

#[test]
fn a_kiting_archer_keeps_its_distance_and_rarely_changes_its_intent() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ARENA);
        // The hunter is slower than the archer, and hunts it around the blocks.
        let hunter = spawn_agent(&mut app, Body::Transform, cell(2, 10));
        let archer = spawn_archer(&mut app, body, cell(8, 10), hunter);
        let slow = NavAgent::from_radius(RADIUS).with_speed(2.0);
        give(&mut app, hunter, (slow, Chase::new(archer)));
        let (mut nearest, mut shots, mut changes) = (f32::INFINITY, 0, 0);
        let mut wanted = Wants::Nothing;
        for tick in 0..2400 {
            // An agent decides by the positions at the start of the tick.
            let [from, to] = [archer, hunter].map(|agent| position(&app, agent));
            run(&mut app, 1);
            let away = from.distance(to);
            if tick > 120 {
                nearest = nearest.min(away);
            }
            if locomotion(&app, archer) == Locomotion::Arrived {
                shots += 1;
                let context = format!("{body:?}: the archer shoots from {from} to {to}");
                assert!(away <= 1.16 * REACH, "{context}, {away} away");
                assert!(
                    is_line_clear(&mut app, from, to),
                    "{context}, through a wall"
                );
            }
            let wants = report(&mut app, archer).wants;
            changes += u32::from(wants != wanted);
            wanted = wants;
        }
        let context =
            format!("{body:?}: nearest distance {nearest}, {shots} shots, {changes} changes");
        // Around a corner the hunter may come nearer than the distance at which the archer starts to flee.
        assert!(nearest > 0.75 * FLEE_DISTANCE, "{context}");
        assert!(shots > 800, "{context}");
        // Each flight covers a quarter of the flee distance. The hunter takes three quarters of a second to cover it.
        assert!((4..=80).contains(&changes), "{context}");
        let arrivals = events(&app).reached.iter();
        let arrivals = arrivals.filter(|event| event.entity == archer).count();
        assert!(
            arrivals as u32 <= changes / 2 + 1,
            "{context}, {arrivals} arrivals"
        );
    }
}

#[test]
fn the_report_shows_what_waits_behind_a_request_or_a_flight() {
    let mut app = level(PlanMode::Inline, &open(40, 9));
    let prey = spawn_target(&mut app, cell(20, 4));
    let agent = spawn_agent(&mut app, Body::Transform, cell(24, 4));
    let intents = |app: &mut App| {
        run(app, 2);
        let NavReport { wants, behind, .. } = report(app, agent);
        (wants, behind)
    };
    give(&mut app, agent, Chase::new(prey));
    assert_eq!(intents(&mut app), (Wants::Follow, None));
    give(&mut app, agent, PathRequest::to(cell(30, 4)));
    assert_eq!(intents(&mut app), (Wants::Go, Some(Wants::Follow)));
    // The threat is far, so the flight does not wait.
    give(&mut app, agent, Flee::new(prey, 2.0));
    assert_eq!(intents(&mut app), (Wants::Go, Some(Wants::Follow)));
    give(&mut app, agent, Flee::new(prey, 30.0));
    assert_eq!(intents(&mut app), (Wants::Go, Some(Wants::Flee)));
    remove::<PathRequest>(&mut app, agent);
    assert_eq!(intents(&mut app), (Wants::Flee, Some(Wants::Follow)));
    remove::<Chase>(&mut app, agent);
    assert_eq!(intents(&mut app), (Wants::Flee, None));
    give(&mut app, agent, Flee::new(prey, 2.0));
    assert_eq!(intents(&mut app), (Wants::Nothing, None));
    give(&mut app, agent, PathRequest::to(cell(30, 4)));
    assert_eq!(
        intents(&mut app),
        (Wants::Go, None),
        "a flight at rest is reported as waiting"
    );
    give(&mut app, agent, Chase::new(prey));
    get_mut::<NavAgent>(&mut app, agent).radius = -1.0;
    assert_eq!(
        intents(&mut app).1,
        None,
        "an invalid agent has a waiting intent"
    );
}
