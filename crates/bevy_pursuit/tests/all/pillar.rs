//! Agents with any body get around a round pillar from any start. A path may touch the pillar, and no body may get
//! stuck at the waypoint where it does.

use std::f32::consts::TAU;

use crate::common::*;

const PILLAR_RADIUS: f32 = 45.0;
const STARTS: usize = 40;
/// Distance from the pillar's center to the goals, and to the starts of agents that come from afar, in world units.
const FAR_DISTANCE: f32 = 260.0;

fn world(node_radius: f32) -> App {
    let mut app = game(60.0, PlanMode::Inline);
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(320.0));
    let grid = nav_grid(bounds, node_radius).with_max_clearance_cells(8.0);
    spawn(&mut app, grid);
    let pillar = spawn_wall(&mut app, Vec2::ZERO, Vec2::ONE);
    give(&mut app, pillar, Collider::ball(PILLAR_RADIUS));
    run(&mut app, 3);
    app
}

/// Sends forty agents from all sides around the pillar, each to the opposite side, for each cell size, each body and
/// each kind of intent.
fn check_all_around(radius: f32, start: f32) {
    let sizes = [2.5, 4.0, 5.0].into_iter();
    for (node_radius, body) in sizes.flat_map(|size| BODIES.map(|body| (size, body))) {
        let mut app = world(node_radius);
        disable_avoidance(&mut app);
        let mut agents = Vec::new();
        for chases in [false, true] {
            for n in 0..STARTS {
                let away = Vec2::from_angle(TAU * n as f32 / STARTS as f32);
                let goal = -away * FAR_DISTANCE;
                let agent = spawn_sent(&mut app, body, away * start, goal, chases);
                set_size(&mut app, agent, body, radius);
                agents.push((agent, n, chases));
            }
        }
        let context = format!("{body:?} of {radius} on cells of {}", 2.0 * node_radius);
        for _ in 0..600 {
            if agents.iter().all(|(agent, ..)| has_arrived(&app, *agent)) {
                break;
            }
            app.update();
            for (agent, n, chases) in &agents {
                let details = (&context, "start", n, "chase", chases);
                assert_away(
                    &app,
                    *agent,
                    Vec2::ZERO,
                    PILLAR_RADIUS + 0.97 * radius..,
                    details,
                );
            }
        }
        let late: Vec<_> = agents
            .iter()
            .filter(|(agent, ..)| !has_arrived(&app, *agent))
            .map(|(agent, n, chases)| (*n, *chases, locomotion(&app, *agent)))
            .collect();
        let stuck = events(&app).stuck.len();
        assert!(
            late.is_empty() && stuck == 0,
            "{context}, from {start}: {} of {} agents did not arrive, {stuck} were reported stuck; (start, chase, \
              locomotion): {late:?}",
            late.len(),
            agents.len()
        );
    }
}

#[test]
fn small_bodies_get_around_a_pillar_from_afar() {
    check_all_around(10.0, FAR_DISTANCE);
}

#[test]
fn small_bodies_get_around_a_pillar_that_they_start_beside() {
    check_all_around(10.0, PILLAR_RADIUS + 1.02 * 10.0);
}

#[test]
fn large_bodies_get_around_a_pillar_from_afar() {
    check_all_around(30.0, FAR_DISTANCE);
}

#[test]
fn large_bodies_get_around_a_pillar_that_they_start_beside() {
    check_all_around(30.0, PILLAR_RADIUS + 1.02 * 30.0);
}
