//! Agents of all bodies come around a round pillar, wherever they start: a path may touch it, and
//! no body may hang at the waypoint where it does.

use std::f32::consts::TAU;

use crate::common::*;

const PILLAR: f32 = 45.0;
const STARTS: usize = 40;
/// Distance from the pillar's center to where agents that come from afar start and go.
const AFAR: f32 = 260.0;

fn world(node_radius: f32) -> App {
    let mut app = game(60.0, PlanMode::Inline);
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(320.0));
    let grid = nav_grid(bounds, node_radius).with_max_clearance_cells(8.0);
    spawn(&mut app, grid);
    let pillar = spawn_wall(&mut app, Vec2::ZERO, Vec2::ONE);
    give(&mut app, pillar, Collider::ball(PILLAR));
    run(&mut app, 3);
    app
}

/// Forty agents around the pillar, each with a goal on its other side, for each size of cells, each body and each
/// kind of intent.
fn check(radius: f32, start: f32) {
    let sizes = [2.5, 4.0, 5.0].into_iter();
    for (node_radius, body) in sizes.flat_map(|size| BODIES.map(|body| (size, body))) {
        let mut app = world(node_radius);
        disable_avoidance(&mut app);
        let mut agents = Vec::new();
        for chases in [false, true] {
            for n in 0..STARTS {
                let away = Vec2::from_angle(TAU * n as f32 / STARTS as f32);
                let goal = -away * AFAR;
                let agent = spawn_sent(&mut app, body, away * start, goal, chases);
                set_size(&mut app, agent, body, radius);
                agents.push((agent, n, chases));
            }
        }
        let what = format!("{body:?} of {radius} on cells of {}", 2.0 * node_radius);
        for _ in 0..600 {
            if agents.iter().all(|(agent, ..)| has_arrived(&app, *agent)) {
                break;
            }
            app.update();
            for (agent, n, chases) in &agents {
                let which = (&what, "start", n, "chase", chases);
                assert_away(&app, *agent, Vec2::ZERO, PILLAR + 0.97 * radius.., which);
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
            "{what}, from {start}: {} of {} never arrive, {stuck} told stuck; start, chase, \
             locomotion: {late:?}",
            late.len(),
            agents.len()
        );
    }
}

#[test]
fn small_bodies_come_around_a_pillar_from_afar() {
    check(10.0, AFAR);
}

#[test]
fn small_bodies_come_around_a_pillar_that_they_start_beside() {
    check(10.0, PILLAR + 1.02 * 10.0);
}

#[test]
fn large_bodies_come_around_a_pillar_from_afar() {
    check(30.0, AFAR);
}

#[test]
fn large_bodies_come_around_a_pillar_that_they_start_beside() {
    check(30.0, PILLAR + 1.02 * 30.0);
}
