//! Agents that flee from a threat that touches them, and agents that cannot get away.

use crate::common::*;

#[test]
fn an_agent_flees_a_threat_in_its_own_cell() {
    let mut caught = Vec::new();
    for offset in [Vec2::ZERO, Vec2::new(0.3, 0.1), Vec2::new(0.45, 0.0)] {
        let mut app = level(PlanMode::Inline, &open(30, 30));
        let danger = spawn_target(&mut app, cell(15, 15) + offset);
        let agent = spawn_bare(&mut app, cell(15, 15), Flee::new(danger, 8.0));
        run(&mut app, 300);
        let away = position(&app, agent).distance(cell(15, 15) + offset);
        if away < 7.0 {
            caught.push((offset, away));
        }
    }
    assert!(
        caught.is_empty(),
        "caught agents, with (offset, distance reached): {caught:?}"
    );
}

#[test]
fn two_overlapping_agents_that_flee_each_other_separate() {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let [one, other] = [cell(15, 15), cell(15, 15) + Vec2::new(0.2, 0.0)]
        .map(|at| spawn_agent(&mut app, Body::Transform, at));
    give(&mut app, one, Flee::new(other, 6.0));
    give(&mut app, other, Flee::new(one, 6.0));
    run(&mut app, 300);
    let away = position(&app, one).distance(position(&app, other));
    assert!(away > 5.0, "the agents are only {away} apart");
}

#[test]
fn a_fleeing_agent_that_cannot_get_away_comes_to_rest() {
    const PEN: &str = "
        ##########
        #........#
        #........#
        ##########
        ..........
    ";
    let mut app = level(PlanMode::Inline, PEN);
    // The danger stands behind a wall, and no path leads to the agent.
    let danger = spawn_target(&mut app, cell(5, 4));
    let agent = spawn_bare(&mut app, cell(5, 2), Flee::new(danger, 20.0));
    run(&mut app, 600);
    let (before, at) = (searches(&app), position(&app, agent));
    let mut walked = 0.0;
    let mut here = at;
    for _ in 0..300 {
        app.update();
        walked += position(&app, agent).distance(here);
        here = position(&app, agent);
    }
    let more = searches(&app) - before;
    assert!(
        walked < 1.0 && more <= 5,
        "the agent walks {walked} and searches {more} times in 5 s"
    );
}

#[test]
fn two_hundred_fleeing_agents_have_paths_within_a_second() {
    let mut app = level(PlanMode::Inline, &open(160, 160));
    let danger = spawn_target(&mut app, cell(80, 80));
    let herd: Vec<Entity> = (0..200)
        .map(|n| {
            let agent = spawn_agent(&mut app, Body::Transform, cell(70 + n % 20, 70 + n / 20));
            give(&mut app, agent, Flee::new(danger, 60.0));
            agent
        })
        .collect();
    run(&mut app, 60);
    let has_no_path = |&&agent: &&Entity| status(&app, agent) != PathStatus::Found;
    let waiting = herd.iter().filter(has_no_path).count();
    assert_eq!(waiting, 0, "{waiting} agents wait for their paths");
}
