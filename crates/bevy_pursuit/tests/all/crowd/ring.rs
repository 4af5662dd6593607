//! Around a target that rests.

use super::*;

/// A level of 30 by 30 with a player in its middle, and chasers on a circle around that.
fn ring(body: Body, count: usize) -> (App, Entity, Vec<Entity>) {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let player = spawn(
        &mut app,
        (transform_at(cell(15, 15)), NavAvoided { radius: RADIUS }),
    );
    let chasers = (0..count).map(|n| {
        let turn = Vec2::from_angle(n as f32 * std::f32::consts::TAU / count as f32);
        let at = cell(15, 15) + turn * (8.0 + (n % 3) as f32);
        spawn_chaser(&mut app, body, at, player)
    });
    let chasers = chasers.collect();
    (app, player, chasers)
}

/// Who was told that it reached the player, and at what distance.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, f32)>);

fn note_how_far(reached: On<GoalReached>, places: Query<&Transform>, mut told: ResMut<Told>) {
    let target = reached.target.expect("a chase");
    let [one, other] = [reached.entity, target].map(|one| places.get(one).expect("a place"));
    let away = one.translation.distance(other.translation);
    told.0.push((reached.entity, away));
}

fn times_reached(app: &App, agents: &[Entity]) -> usize {
    let times = agents.iter().map(|agent| reached_by(app, *agent).len());
    times.max().unwrap_or(0)
}

#[test]
fn twelve_chasers_of_a_player_who_rests_stood_in_one_another_and_arrived_again_and_again() {
    for body in BODIES {
        let (mut app, player, chasers) = ring(body, 12);
        app.init_resource::<Told>().add_observer(note_how_far);
        run(&mut app, 1800);
        for (who, away) in &app.world().resource::<Told>().0 {
            assert!(*away <= 2.2 * 1.05 * RADIUS, "{body:?}: {who} at {away}");
        }
        let mut all = places(&app, &chasers);
        all.push(position(&app, player));
        assert!(
            smallest_gap(&all) >= 0.9,
            "{body:?}: {}",
            smallest_gap(&all)
        );
        assert!(times_reached(&app, &chasers) <= 1, "{body:?}");
        for chaser in &chasers {
            let is_there = has_arrived(&app, *chaser);
            assert!(
                !is_there || reached_by(&app, *chaser).len() == 1,
                "{body:?}"
            );
        }
        let reached = events(&app).reached.len();
        assert!(reached >= 4, "{body:?}: {reached}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        for chaser in &chasers {
            let locomotion = locomotion(&app, *chaser);
            let stands = matches!(locomotion, Locomotion::Arrived | Locomotion::Settled);
            assert!(stands, "{body:?}: {chaser} is {locomotion:?}");
        }
        let step = farthest_step(&mut app, &chasers, 60);
        assert!(step < 0.02 * RADIUS, "{body:?}: {step}");
    }
}

#[test]
fn a_ring_follows_a_player_who_leaves() {
    let (mut app, player, chasers) = ring(Body::Transform, 12);
    run(&mut app, 400);
    set_position(&mut app, player, cell(25, 15));
    let is_on = |app: &App, agent: &Entity| position(app, *agent).x > 16.5;
    run(&mut app, 180);
    let late = chasers.iter().filter(|one| !is_on(&app, one)).count();
    assert_eq!(late, 0, "{:?}", places(&app, &chasers));
    run(&mut app, 300);
    assert!(smallest_gap(&places(&app, &chasers)) >= 0.9);
    assert_eq!(events(&app).stuck, []);
    // Their paths lead to where the player was before.
    for chaser in chasers {
        let left = ask(&mut app, move |nav| nav.distance_left(chaser));
        let away = position(&app, chaser).distance(position(&app, player));
        assert!(
            left.is_ok_and(|left| (left - away).abs() < 1e-3),
            "{left:?}, not {away}"
        );
    }
}

#[test]
fn a_chaser_went_on_at_its_own_pace_behind_a_player_who_runs() {
    let (mut app, player, chasers) = ring(Body::Transform, 3);
    for tick in 0..300 {
        let at = cell(15, 15) + 6.0 * (Vec2::from_angle(tick as f32 * 0.01) - Vec2::X);
        set_position(&mut app, player, at);
        app.update();
    }
    let goal = position(&app, player);
    for chaser in &chasers {
        assert_away(&app, *chaser, goal, ..4.0 * RADIUS, "runs in a circle");
    }
}

#[test]
fn those_behind_some_who_paused_at_the_player_queued_for_ever() {
    for body in BODIES {
        let (mut app, player, first) = ring(body, 6);
        run(&mut app, 300);
        for one in &first {
            give(&mut app, *one, NavPaused);
        }
        let starts = rows(24, 6, cell(3, 3), 1.2);
        let others: Vec<Entity> = (starts.iter())
            .map(|at| spawn_chaser(&mut app, body, *at, player))
            .collect();
        run(&mut app, 900);
        let settled = |one: &&Entity| locomotion(&app, **one) == Locomotion::Settled;
        let settled = others.iter().filter(settled).count();
        assert!(settled >= 20, "{body:?}: {settled}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        // They are in the way of those who go on.
        set_position(&mut app, player, cell(26, 26));
        run(&mut app, 900);
        for one in &others {
            assert_away(&app, *one, cell(26, 26), ..6.0, body);
        }
    }
}
