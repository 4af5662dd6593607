//! Who flees from one that it touches, and where there is no way out.

use crate::common::*;

#[test]
fn whoever_flees_from_one_in_its_own_cell_runs() {
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
    assert!(caught.is_empty(), "(offset, how far it got) {caught:?}");
}

#[test]
fn two_agents_in_one_place_that_flee_from_each_other_part() {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let [one, other] = [cell(15, 15), cell(15, 15) + Vec2::new(0.2, 0.0)]
        .map(|at| spawn_agent(&mut app, Body::Transform, at));
    give(&mut app, one, Flee::new(other, 6.0));
    give(&mut app, other, Flee::new(one, 6.0));
    run(&mut app, 300);
    let away = position(&app, one).distance(position(&app, other));
    assert!(away > 5.0, "{away}");
}

#[test]
fn whoever_flees_where_it_cannot_get_away_comes_to_rest() {
    const PEN: &str = "
        ##########
        #........#
        #........#
        ##########
        ..........
    ";
    let mut app = level(PlanMode::Inline, PEN);
    // Behind the wall: on foot it never comes.
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
        "walks {walked} and searches {more} in 5 s"
    );
}

#[test]
fn two_hundred_that_flee_far_have_their_ways_within_a_second() {
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
    let asks = |&&agent: &&Entity| status(&app, agent) != PathStatus::Found;
    let waiting = herd.iter().filter(asks).count();
    assert_eq!(waiting, 0, "wait for their ways");
}
