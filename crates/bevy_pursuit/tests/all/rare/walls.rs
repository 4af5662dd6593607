//! Agents keep off walls when their plans become invalid: agents grow, grids vanish, stages are gated, and the grid
//! does not cover an agent's position.

use super::{set_search_budget, spawn_filler_requests};
use crate::common::*;

/// A wall with a gap, through which a body of radius 0.8 does not fit.
const GAP: &str = "
    ........#.......
    ........#.......
    ........#.......
    ................
    ........#.......
    ........#.......
    ........#.......
";

/// Spawns an agent that fits through the gap and walks through it.
fn spawn_small(app: &mut App) -> Entity {
    let agent = spawn_walker(app, Body::Transform, cell(1, 3), cell(14, 3));
    set_radius(app, agent, 0.2);
    agent
}

fn set_radius(app: &mut App, agent: Entity, radius: f32) {
    give(app, agent, NavAgent::from_radius(radius).with_speed(8.0));
}

#[test]
fn an_agent_that_grows_while_the_queue_is_long_keeps_off_walls() {
    let mut app = level(PlanMode::Inline, GAP);
    let agent = spawn_small(&mut app);
    run(&mut app, 10);
    set_search_budget(&mut app, 1);
    spawn_filler_requests(&mut app, 200, cell(0, 0), cell(0, 6));
    app.update();
    set_radius(&mut app, agent, 0.8);
    run_off_walls(&mut app, agent, 400, "grown");
}

#[test]
fn an_agent_that_grows_keeps_off_walls_while_its_search_runs() {
    for walked in 30..60 {
        let mut app = level(PlanMode::Async, GAP);
        let agent = spawn_small(&mut app);
        run_slowly(&mut app, walked);
        let here = position(&app, agent);
        if wall_distance(&mut app, here) < 0.8 {
            return;
        }
        set_radius(&mut app, agent, 0.8);
        run_off_walls(&mut app, agent, 60, walked);
    }
}

#[test]
fn a_new_wall_is_avoided_when_a_grid_despawns_and_the_queue_is_long() {
    let mut app = level(PlanMode::Inline, &open(20, 6));
    spawn_grid(&mut app, Rect::new(-1.0, -1.0, 22.0, 7.0), 0.5);
    run(&mut app, 3);
    let agent = spawn_walker(&mut app, Body::Transform, cell(1, 3), cell(18, 3));
    run(&mut app, 10);
    let used = get::<NavPath>(&app, agent).grid().expect("a path");
    assert!(app.world().get::<NavGrid>(used).is_some());
    set_search_budget(&mut app, 1);
    spawn_filler_requests(&mut app, 300, cell(0, 0), cell(0, 5));
    app.update();
    despawn(&mut app, used);
    spawn_wall(&mut app, Vec2::new(10.5, 3.0), Vec2::new(0.5, 2.0));
    run_off_walls(&mut app, agent, 400, "beside the new wall");
}

#[test]
fn a_new_wall_on_a_new_grid_is_avoided_while_planning_is_gated() {
    let mut app = game(60.0, PlanMode::Inline);
    add_gates(&mut app);
    build_level(&mut app, &open(20, 6));
    run(&mut app, 3);
    let agent = spawn_walker(&mut app, Body::Transform, cell(1, 3), cell(18, 3));
    run(&mut app, 10);
    set_gates(&mut app, [true, true, true, false, true, true]);
    let grid = grid_entity(&mut app);
    despawn(&mut app, grid);
    build_level(&mut app, &open(20, 6));
    spawn_wall(&mut app, Vec2::new(10.5, 3.0), Vec2::new(0.5, 2.0));
    run_off_walls(&mut app, agent, 200, "beside the new wall");
}

#[test]
fn an_agent_in_an_alley_that_the_grid_misses_keeps_off_its_walls() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 10));
        for x in [5.0, 5.9] {
            spawn_wall(&mut app, Vec2::new(x, 5.0), Vec2::new(0.01, 6.0));
        }
        run_slowly(&mut app, 5);
        let agent = spawn_walker(&mut app, Body::Transform, Vec2::new(5.45, 5.5), cell(15, 5));
        run_off_walls(&mut app, agent, 200, mode);
    }
}

#[test]
fn an_agent_in_a_corridor_that_the_grid_misses_is_not_led_through_walls() {
    // The corridors are one unit wide. The cells are equally wide, but shifted by a quarter of a unit.
    const CROSS: &str = "
        ####.#####
        ####.#####
        ####.#####
        ........##
        ####.#####
        ####......
        ##########
    ";
    let mut worst = (f32::INFINITY, Vec2::ZERO, Vec2::ZERO);
    for mode in MODES {
        for (x, y) in [(1, 3), (4, 0), (4, 3), (4, 4), (6, 5), (9, 5), (7, 3)] {
            for goal in [cell(0, 3), cell(4, 0), cell(9, 5), Vec2::new(-2.0, 8.0)] {
                let mut app = level(mode, CROSS);
                let grid = grid_entity(&mut app);
                get_mut::<NavGrid>(&mut app, grid).bounds = Rect::new(-3.25, -3.25, 14.0, 10.0);
                run_slowly(&mut app, 3);
                let agent = spawn_walker(&mut app, Body::Transform, cell(x, y), goal);
                for _ in 0..120 {
                    app.update();
                    let here = position(&app, agent);
                    let away = wall_distance(&mut app, here);
                    if away < worst.0 {
                        worst = (away, cell(x, y), goal);
                    }
                }
            }
        }
    }
    // No cell of such a corridor is free. The body finds its way out by the distances that are stored for the cells: it
    // may graze a wall but never walks through one.
    assert!(
        worst.0 >= 0.8 * RADIUS,
        "too close to a wall: (distance, from, to) = {worst:?}"
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn bare_agents_keep_off_walls_through_gates_switches_and_teleports() {
    const MAZE: &str = "
        ....................
        ..####..#.....####..
        ..#.....#..#.....#..
        ..#..####..#..#..#..
        ..#........#..#.....
        ..####..####..####..
        ........#...........
        .######.#..######.#.
        ........#.........#.
    ";
    for seed in 0..12_u64 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = game(60.0, MODES[seed as usize % 2]);
        add_gates(&mut app);
        let walls = build_level(&mut app, MAZE);
        run(&mut app, 3);
        let targets: Vec<Entity> = (0..3).map(|_| spawn_target(&mut app, cell(0, 0))).collect();
        let free: Vec<Vec2> = (0..20)
            .flat_map(|x| (0..9).map(move |y| cell(x, y)))
            .filter(|at| wall_distance(&mut app, *at) >= 0.5)
            .collect();
        let mut agents = Vec::new();
        for n in 0..12 {
            let at = free[random.usize(0..free.len())];
            let agent = spawn_bare(&mut app, at, Chase::new(targets[n % 3]));
            agents.push(agent);
        }
        let mut walls = walls;
        for n in 0..500 {
            let agent = agents[random.usize(0..agents.len())];
            let target = targets[random.usize(0..3)];
            let at = Vec2::new(random.f32() * 20.0, random.f32() * 9.0);
            match random.u32(0..14) {
                0 => give(&mut app, agent, Flee::new(target, 6.0)),
                1 => give(&mut app, agent, PathRequest::to(at)),
                2 => remove::<PathRequest>(&mut app, agent),
                3 | 4 => set_position(&mut app, target, at),
                5 => {
                    let mut gates = [true; 6];
                    gates[random.usize(0..6)] = random.bool();
                    gates[random.usize(0..6)] = random.bool();
                    // Agents can only avoid walls that the observe and bake stages have processed.
                    gates[0] = true;
                    gates[1] = true;
                    set_gates(&mut app, gates);
                }
                6 => {
                    let mut settings = settings(&mut app);
                    settings.search_budget = [1, 200_000][random.usize(0..2)];
                    settings.sight_range_cells = [f32::NAN, 0.0, 64.0][random.usize(0..3)];
                    settings.plan_mode = MODES[random.usize(0..2)];
                }
                // Walls are only removed, never added, so no agent gets shut in.
                7 if walls.len() > 20 => {
                    let wall = walls.swap_remove(random.usize(0..walls.len()));
                    despawn(&mut app, wall);
                }
                8 => give(&mut app, agent, Chase::new(agents[random.usize(0..12)])),
                9 => {
                    let speed = [1.0, 8.0, 40.0, 400.0][random.usize(0..4)];
                    let fast = NavAgent::from_radius(RADIUS).with_speed(speed);
                    give(&mut app, agent, fast);
                }
                10 => {
                    let grid = grid_entity(&mut app);
                    // The offset is a whole number of cells: otherwise corridors as wide as a cell do not exist on the
                    // grid.
                    let by = [0.0, 1.0, 2.0][random.usize(0..3)];
                    get_mut::<NavGrid>(&mut app, grid).bounds =
                        Rect::new(-by, -by, 20.0 + by, 9.0 + by);
                }
                _ => {}
            }
            app.update();
            for agent in &agents {
                assert_off_walls(&mut app, *agent, 0.98 * RADIUS, (seed, n));
            }
        }
        set_gates(&mut app, [true; 6]);
        run_slowly(&mut app, 200);
        let stats = stats(&app);
        assert!(
            stats.queued + stats.tasks_in_flight <= 12,
            "seed {seed} {stats:?}"
        );
    }
}
