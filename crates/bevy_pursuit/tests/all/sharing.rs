//! Crowds that go to one place: they share fields where that is cheaper, walk no worse, and through no wall.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{PlanMode, PursuitStats};
use fastrand::Rng;

use crate::common::*;

/// Rooms with a door each, some cells apart, so that hardly anybody sees a place far off.
fn rooms(random: &mut Rng) -> String {
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

fn free_place(random: &mut Rng) -> Vec2 {
    let mut at = || 6 * random.usize(0..8) + random.usize(2..5);
    cell(at(), at())
}

/// A crowd that chases one target, which walks from room to room: where all are in each tick, and what that took.
fn chase(share_fields: bool, ticks: usize) -> (Vec<Vec2>, PursuitStats) {
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
            place(&mut app, target, free_place(&mut random));
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
fn a_crowd_that_shares_fields_does_less_and_the_same_in_each_run() {
    let (places, shared) = chase(true, 400);
    let (again, _) = chase(true, 400);
    assert_eq!(places, again);
    let (_, alone) = chase(false, 400);
    assert_eq!((alone.fields, alone.paths_shared), (0, 0));
    assert!(shared.fields > 1, "{shared:?}");
    assert!(shared.paths_shared > shared.searches / 2, "{shared:?}");
    let [all, single] = [&shared, &alone].map(|stats| stats.cells_expanded);
    assert!(all < single, "{all} nodes, and {single} by searches");
    assert_eq!(shared.paths_failed, alone.paths_failed);
}

#[test]
fn requests_to_one_place_share_and_a_wall_that_appears_is_walked_around() {
    for plan_mode in [PlanMode::Inline, PlanMode::Async] {
        let mut random = Rng::with_seed(5);
        let mut app = level(plan_mode, &rooms(&mut random));
        let goal = cell(26, 27);
        let crowd: Vec<Entity> = (0..200)
            .map(|_| spawn_walker(&mut app, Body::Transform, free_place(&mut random), goal))
            .collect();
        run_slowly(&mut app, 40);
        assert!(stats(&app).paths_shared > 20, "{:?}", stats(&app));
        let built = stats(&app).fields;
        // Where nobody is just now.
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
