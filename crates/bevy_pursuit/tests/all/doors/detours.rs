//! Agents that went around a place where they were stuck.

use super::{move_by_hand, spawn_driven};
use crate::common::*;

/// An agent in the open that the game holds until it is stuck.
fn held(mode: PlanMode, start: Vec2, goal: Vec2) -> (App, Entity) {
    let mut app = level(mode, &open(60, 40));
    let agent = spawn_driven(&mut app, Body::Transform, start, goal, NavDrive::Manual);
    run(&mut app, 150);
    assert!(!events(&app).stuck.is_empty(), "nobody moved it");
    let corners = waypoints(&get::<NavPath>(&app, agent)).len();
    assert!(corners > 2, "goes around the place where it was stuck");
    (app, agent)
}

#[test]
fn who_got_away_from_where_it_was_stuck_goes_the_usual_way_again() {
    for mode in MODES {
        let (start, goal) = (cell(4, 4), cell(56, 24));
        let (mut app, agent) = held(mode, start, goal);
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
            "{mode:?}: walked {walked}, and straight it is {straight}"
        );
        let path = get::<NavPath>(&app, agent);
        assert_eq!(waypoints(&path).len(), 2, "{mode:?}: {path:?}");
        assert_eq!(events(&app).found.len(), 1, "no new errand");
        assert_eq!(events(&app).reached.len(), 1);
    }
}

/// What the grid knows nothing of: nobody gets nearer to `center` than `radius`.
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
fn who_goes_around_by_another_gate_is_not_sent_back_to_the_barred_one() {
    let mut app = level(PlanMode::Inline, &open(60, 40));
    // Two gates, each as wide as a cell.
    for (from, to) in [(0.0, 12.0), (13.0, 20.0), (21.0, 40.0)] {
        let center = Vec2::new(20.5, 0.5 * (from + to));
        spawn_wall(&mut app, center, Vec2::new(0.5, 0.5 * (to - from)));
    }
    run(&mut app, 3);
    let (start, goal) = (cell(4, 20), cell(56, 20));
    let agent = spawn_driven(&mut app, Body::Transform, start, goal, NavDrive::Manual);
    // What the grid does not know bars the first gate.
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
    assert_eq!(stuck, 1, "walks to the barred gate {stuck} times");
    assert_eq!(events(&app).stuck, [], "another way helped");
}
