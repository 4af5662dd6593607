//! Crowds that go to one place: they share fields where that is cheaper, arrive about as early as without fields, and
//! walk through no wall.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{PlanMode, PursuitStats};
use fastrand::Rng;

use crate::common::*;

/// A map of rooms, each with doors a few cells apart, so that hardly any agent sees far.
pub(crate) fn rooms(random: &mut Rng) -> String {
    let is_wall = |x: usize, y: usize| x.is_multiple_of(6) || y.is_multiple_of(6);
    let mut rows = vec![vec!['.'; 49]; 49];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, sign) in row.iter_mut().enumerate() {
            if is_wall(x, y) {
                *sign = '#';
            }
        }
    }
    for line in (6..48).step_by(6) {
        for room in (0..48).step_by(6) {
            let door = room + 2 + random.usize(0..2);
            for step in 0..2 {
                rows[line][door + step] = '.';
                rows[door + step][line] = '.';
            }
        }
    }
    let rows: Vec<String> = rows
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    rows.join("\n")
}

pub(crate) fn free_place(random: &mut Rng) -> Vec2 {
    let mut at = || 6 * random.usize(0..8) + random.usize(2..5);
    cell(at(), at())
}

/// A crowd chases one target, which walks from room to room. Returns all positions in each tick, and the statistics.
fn run_chase(share_fields: bool, ticks: usize) -> (Vec<Vec2>, PursuitStats) {
    let mut random = Rng::with_seed(4);
    let mut app = level(PlanMode::Inline, &rooms(&mut random));
    settings(&mut app).share_fields = share_fields;
    let target = spawn_target(&mut app, free_place(&mut random));
    let crowd: Vec<Entity> = (0..150)
        .map(|_| spawn_chaser(&mut app, Body::Transform, free_place(&mut random), target))
        .collect();
    let mut places = Vec::new();
    for tick in 0..ticks {
        if tick % 60 == 59 {
            set_position(&mut app, target, free_place(&mut random));
        }
        app.update();
        if tick % 5 == 0 {
            assert_off_walls(&mut app, crowd[tick % crowd.len()], 0.98 * RADIUS, tick);
        }
        places.extend(crowd.iter().map(|agent| position(&app, *agent)));
    }
    (places, stats(&app).clone())
}

#[test]
fn shared_fields_cost_less_and_are_deterministic() {
    let (places, shared) = run_chase(true, 400);
    let (again, _) = run_chase(true, 400);
    assert_eq!(places, again);
    let (_, alone) = run_chase(false, 400);
    assert_eq!((alone.fields, alone.paths_shared), (0, 0));
    assert!(shared.fields > 1, "{shared:?}");
    assert!(shared.paths_shared > shared.searches / 2, "{shared:?}");
    let [with_fields, without_fields] = [&shared, &alone].map(|stats| stats.cells_expanded);
    assert!(
        with_fields < without_fields,
        "{with_fields} cells expanded with shared fields, {without_fields} without"
    );
    assert_eq!(shared.paths_failed, alone.paths_failed);
}

#[test]
fn requests_to_one_goal_share_fields_and_avoid_a_new_wall() {
    for plan_mode in [PlanMode::Inline, PlanMode::Async] {
        let mut random = Rng::with_seed(5);
        let mut app = level(plan_mode, &rooms(&mut random));
        disable_avoidance(&mut app);
        let goal = cell(26, 27);
        let crowd: Vec<Entity> = (0..200)
            .map(|_| spawn_walker(&mut app, Body::Transform, free_place(&mut random), goal))
            .collect();
        run_slowly(&mut app, 40);
        assert!(stats(&app).paths_shared > 20, "{:?}", stats(&app));
        let built = stats(&app).fields;
        // Walls appear only where no agent is.
        let places: Vec<Vec2> = crowd.iter().map(|agent| position(&app, *agent)).collect();
        let is_empty = |at: &Vec2| places.iter().all(|place| place.distance(*at) > 2.0);
        let walls = (1..48).map(|x| cell(x, 21)).filter(is_empty);
        for at in walls.step_by(3).collect::<Vec<Vec2>>() {
            spawn_wall(&mut app, at, Vec2::splat(0.5));
        }
        arrive_off_walls(&mut app, &crowd, 1500, plan_mode);
        for agent in &crowd {
            give(&mut app, *agent, PathRequest::to(cell(3, 45)));
        }
        arrive_off_walls(&mut app, &crowd, 2500, plan_mode);
        assert!(stats(&app).fields > built, "{:?}", stats(&app));
    }
}

/// A cluttered map with a wall along the middle that is open on the left.
fn cluttered(random: &mut Rng, width: usize, height: usize) -> String {
    let wall = |x: usize, y: usize| y == height / 2 && x >= 20;
    let rows = (0..height).map(|y| {
        let sign = |x| match wall(x, y) || x > 24 && x < width - 10 && random.u8(0..10) == 0 {
            true => '#',
            false => '.',
        };
        (0..width).map(sign).collect::<String>() + "\n"
    });
    rows.collect()
}

/// The target of a crowd gets to the other side of a wall in a single step, and moves on.
#[test]
fn a_field_serves_a_target_that_has_passed_a_wall() {
    let run_past_wall = |share_fields| {
        let mut random = Rng::with_seed(3);
        let mut app = level(PlanMode::Inline, &cluttered(&mut random, 120, 41));
        disable_avoidance(&mut app);
        settings(&mut app).share_fields = share_fields;
        let target = spawn_target(&mut app, cell(115, 18));
        let spawn = |n: usize| {
            let agent = spawn_chaser(&mut app, Body::Transform, cell(n % 15, n % 40), target);
            give(
                &mut app,
                agent,
                NavAgent::from_radius(RADIUS).with_speed(8.0),
            );
            agent
        };
        let crowd: Vec<Entity> = (0..60).map(spawn).collect();
        for tick in 0..60 {
            set_position(
                &mut app,
                target,
                Vec2::new(115.5, 18.5 + 0.001 * tick as f32),
            );
            app.update();
        }
        let mut tick = 0.0_f32;
        let ticks = run_until(&mut app, 3000, |app| {
            tick += 1.0;
            set_position(
                app,
                target,
                Vec2::new(115.5 + 0.5 * (0.1 * tick).sin(), 22.5),
            );
            crowd.iter().all(|agent| has_arrived(app, *agent))
        });
        (ticks, stats(&app).paths_shared)
    };
    let [(shared, answered), (alone, _)] = [true, false].map(run_past_wall);
    assert!(answered > 20, "only {answered} answers came from a field");
    assert!(
        10 * shared <= 11 * alone,
        "{shared} ticks with shared fields, {alone} without"
    );
}

/// In each tick, a crowd gets a goal one cell farther away. Nearly all agents see the goal and need no search. The
/// searches of the few agents that do not see it come first.
#[test]
fn fields_at_most_double_the_cost_of_a_crowd_that_sees_its_goal() {
    let run_toward_goal = |share_fields| {
        let mut random = Rng::with_seed(4);
        let mut sign = |x: usize, y: usize| {
            let is_cluttered = (20..40).contains(&x) && (100..200).contains(&y);
            if is_cluttered && random.u8(0..4) == 0 {
                '#'
            } else {
                '.'
            }
        };
        let rows = (0..300).map(|y| (0..400).map(|x| sign(x, y)).collect::<String>() + "\n");
        let mut app = level(PlanMode::Inline, &rows.collect::<String>());
        settings(&mut app).share_fields = share_fields;
        let far = (0..5).map(|n| cell(3 + n, 150));
        let near = (0..400).map(|n| cell(290 + n % 20, 140 + n / 20));
        let spawn = |at| spawn_agent(&mut app, Body::Transform, at);
        let crowd: Vec<Entity> = far.chain(near).map(spawn).collect();
        for tick in 0..30 {
            for agent in &crowd {
                give(&mut app, *agent, PathRequest::to(cell(315 + tick, 150)));
            }
            app.update();
        }
        stats(&app).cells_expanded
    };
    let [shared, alone] = [true, false].map(run_toward_goal);
    assert!(
        alone > 1000,
        "only {alone} cells expanded without shared fields"
    );
    assert!(
        shared <= 2 * alone,
        "{shared} cells expanded with shared fields, {alone} without"
    );
}
