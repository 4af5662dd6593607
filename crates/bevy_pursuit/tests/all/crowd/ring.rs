//! Chasers around a target that rests.

use super::*;

/// A level of 30 by 30 with a player in its middle and chasers on a circle around it.
fn ring(body: Body, count: usize) -> (App, Entity, Vec<Entity>) {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let player = spawn(
        &mut app,
        (transform_at(cell(15, 15)), CrowdObstacle { radius: RADIUS }),
    );
    let chasers = (0..count).map(|n| {
        let turn = Vec2::from_angle(n as f32 * std::f32::consts::TAU / count as f32);
        let at = cell(15, 15) + turn * (8.0 + (n % 3) as f32);
        spawn_chaser(&mut app, body, at, player)
    });
    let chasers = chasers.collect();
    (app, player, chasers)
}

/// The agents that reached the player, each with its distance at that moment.
#[derive(Resource, Default)]
struct Arrivals(Vec<(Entity, f32)>);

fn record_arrival(
    reached: On<GoalReached>,
    places: Query<&Transform>,
    mut arrivals: ResMut<Arrivals>,
) {
    let target = reached.target.expect("a chase");
    let [one, other] = [reached.entity, target].map(|one| places.get(one).expect("a place"));
    let away = one.translation.distance(other.translation);
    arrivals.0.push((reached.entity, away));
}

fn max_times_reached(app: &App, agents: &[Entity]) -> usize {
    let times = agents.iter().map(|agent| reached_by(app, *agent).len());
    times.max().unwrap_or(0)
}

#[test]
fn chasers_around_a_resting_player_stand_apart_and_arrive_at_most_once() {
    for body in BODIES {
        let (mut app, player, chasers) = ring(body, 12);
        app.init_resource::<Arrivals>().add_observer(record_arrival);
        run(&mut app, 1800);
        for (agent, away) in &app.world().resource::<Arrivals>().0 {
            assert!(
                *away <= 2.2 * 1.05 * RADIUS,
                "{body:?}: {agent} arrived at a distance of {away}"
            );
        }
        let mut all = places(&app, &chasers);
        all.push(position(&app, player));
        assert!(
            smallest_gap(&all) >= 0.9,
            "{body:?}: agents overlap, the smallest gap is {}",
            smallest_gap(&all)
        );
        assert!(
            max_times_reached(&app, &chasers) <= 1,
            "{body:?}: a chaser arrived twice"
        );
        for chaser in &chasers {
            let is_there = has_arrived(&app, *chaser);
            assert!(
                !is_there || reached_by(&app, *chaser).len() == 1,
                "{body:?}: a chaser stands as arrived without an event"
            );
        }
        let reached = events(&app).reached.len();
        assert!(reached >= 4, "{body:?}: only {reached} chasers arrived");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        for chaser in &chasers {
            let locomotion = locomotion(&app, *chaser);
            let stands = matches!(locomotion, Locomotion::Arrived | Locomotion::Settled);
            assert!(stands, "{body:?}: {chaser} is {locomotion:?}");
        }
        let step = farthest_step(&mut app, &chasers, 60);
        assert!(
            step < 0.02 * RADIUS,
            "{body:?}: a chaser still moves, {step} in 60 ticks"
        );
    }
}

#[test]
fn a_ring_follows_a_player_that_leaves() {
    let (mut app, player, chasers) = ring(Body::Transform, 12);
    run(&mut app, 400);
    set_position(&mut app, player, cell(25, 15));
    let has_followed = |app: &App, agent: &Entity| position(app, *agent).x > 16.5;
    run(&mut app, 180);
    let late = chasers
        .iter()
        .filter(|one| !has_followed(&app, one))
        .count();
    assert_eq!(
        late,
        0,
        "some chasers did not follow: {:?}",
        places(&app, &chasers)
    );
    run(&mut app, 300);
    assert!(smallest_gap(&places(&app, &chasers)) >= 0.9);
    assert_eq!(events(&app).stuck, []);
    // Their paths still lead to the former place of the player.
    for chaser in chasers {
        let remaining_distance = ask(&mut app, move |nav| nav.remaining_distance(chaser));
        let away = position(&app, chaser).distance(position(&app, player));
        assert!(
            remaining_distance
                .is_ok_and(|remaining_distance| (remaining_distance - away).abs() < 1e-3),
            "the distance is {remaining_distance:?}, not {away}"
        );
    }
}

#[test]
fn chasers_keep_up_with_a_player_running_in_a_circle() {
    let (mut app, player, chasers) = ring(Body::Transform, 3);
    for tick in 0..300 {
        let at = cell(15, 15) + 6.0 * (Vec2::from_angle(tick as f32 * 0.01) - Vec2::X);
        set_position(&mut app, player, at);
        app.update();
    }
    let goal = position(&app, player);
    for chaser in &chasers {
        assert_away(
            &app,
            *chaser,
            goal,
            ..4.0 * RADIUS,
            "the player runs in a circle",
        );
    }
}

#[test]
fn chasers_settle_behind_paused_ones_and_follow_a_leaving_player() {
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
        assert!(settled >= 20, "{body:?}: only {settled} chasers settled");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        // The paused chasers are in the way of the others.
        set_position(&mut app, player, cell(26, 26));
        run(&mut app, 900);
        for one in &others {
            assert_away(&app, *one, cell(26, 26), ..6.0, body);
        }
    }
}
