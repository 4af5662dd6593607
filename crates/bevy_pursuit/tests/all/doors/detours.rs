//! Agents that take a detour around a place where they were stuck.

use super::{move_by_hand, spawn_driven};
use crate::common::*;

/// An open level with an agent that the game has held in place until the agent was stuck.
fn level_with_held_agent(mode: PlanMode, start: Vec2, goal: Vec2) -> (App, Entity) {
    let mut app = level(mode, &open(60, 40));
    let agent = spawn_driven(&mut app, Body::Transform, start, goal, NavDrive::Manual);
    run(&mut app, 150);
    assert!(
        !events(&app).stuck.is_empty(),
        "the agent was not reported stuck"
    );
    (app, agent)
}

#[test]
fn an_agent_that_gets_free_walks_hardly_farther_than_before() {
    for mode in MODES {
        let (start, goal) = (cell(4, 4), cell(56, 24));
        let (mut app, agent) = level_with_held_agent(mode, start, goal);
        app.add_systems(FixedUpdate, move_by_hand.after(PursuitSystems::Drive));
        let (mut walked, mut before) = (0.0, start);
        run_slowly_until(&mut app, 1200, |app| {
            let here = position(app, agent);
            walked += before.distance(here);
            before = here;
            has_arrived(app, agent)
        });
        let straight = start.distance(goal);
        assert!(
            walked < straight + 1.5,
            "{mode:?}: the agent walked {walked}, the straight way is {straight}"
        );
        assert_eq!(
            events(&app).found.len(),
            1,
            "the detour was reported as a new path"
        );
        assert_eq!(events(&app).reached.len(), 1);
    }
}

/// An obstacle that the grid does not contain: it keeps all agents at least `radius` away from `center`.
fn keep_out(center: Vec2, radius: f32) -> impl Fn(Query<&mut Transform, With<NavAgent>>) {
    move |mut agents| {
        for mut transform in &mut agents {
            let off = transform.translation.truncate() - center;
            if off.length() < radius {
                let rim = center + off.normalize_or(Vec2::NEG_X) * radius;
                transform.translation = rim.extend(0.0);
            }
        }
    }
}

#[test]
fn an_agent_that_takes_another_gate_does_not_return_to_the_barred_one() {
    let mut app = level(PlanMode::Inline, &open(60, 40));
    // Two gates, each as wide as a cell.
    for (from, to) in [(0.0, 12.0), (13.0, 20.0), (21.0, 40.0)] {
        let center = Vec2::new(20.5, 0.5 * (from + to));
        spawn_wall(&mut app, center, Vec2::new(0.5, 0.5 * (to - from)));
    }
    run(&mut app, 3);
    let (start, goal) = (cell(4, 20), cell(56, 20));
    let agent = spawn_driven(&mut app, Body::Transform, start, goal, NavDrive::Manual);
    // An obstacle that the grid does not contain blocks the first gate.
    let bar = keep_out(cell(20, 20), 0.6);
    app.add_systems(
        FixedUpdate,
        (move_by_hand, bar).chain().after(PursuitSystems::Drive),
    );
    let mut stuck = 0;
    let mut was = Locomotion::Moving;
    run_until(&mut app, 1800, |app| {
        let now = locomotion(app, agent);
        stuck += usize::from(now == Locomotion::Stuck && was != now);
        was = now;
        now == Locomotion::Arrived
    });
    assert_eq!(stuck, 1, "the agent walks to the barred gate {stuck} times");
    assert_eq!(
        events(&app).stuck,
        [],
        "the agent was reported stuck although another way helped"
    );
}
