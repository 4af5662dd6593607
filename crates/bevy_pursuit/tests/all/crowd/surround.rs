//! Chasers that surround their target.

use std::f32::consts::TAU;

use super::*;

const RING_RADIUS: f32 = 4.0;

/// Pillars above and below the place of the target, on the circle around it.
const PILLARS: &str = "
    ....................................
    ....................................
    ....................................
    .................###................
    .................###................
    .................###................
    ....................................
    ....................................
    ....................................
    ....................................
    ....................................
    .................###................
    .................###................
    .................###................
    ....................................
    ....................................
    ....................................
";

/// A room with walls above and on the left of the map. It is open to the right and below.
const CORNER: &str = "
    ....................
    ....................
    ..........##########
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ....................
    ....................
";

fn surround_from(app: &mut App, body: Body, starts: &[Vec2], target: Entity) -> Vec<Entity> {
    let chase = Chase::new(target)
        .with_reach(RING_RADIUS)
        .with_sight()
        .surrounding();
    let spawn = |at: &Vec2| spawn_with(app, body, *at, chase);
    starts.iter().map(spawn).collect()
}

/// The largest gap between neighbors on the circle, divided by the gap between evenly spaced agents.
fn largest_gap(app: &App, agents: &[Entity], center: Vec2) -> f32 {
    let places = places(app, agents).into_iter();
    let mut angles: Vec<f32> = places.map(|at| (at - center).to_angle()).collect();
    angles.sort_by(f32::total_cmp);
    let around = angles.iter().cycle().skip(1).zip(&angles);
    let gaps = around.map(|(next, one)| (next - one).rem_euclid(TAU));
    gaps.fold(0.0, f32::max) * agents.len() as f32 / TAU
}

/// The smallest and the largest distance from a point.
fn distances(app: &App, agents: &[Entity], center: Vec2) -> (f32, f32) {
    let away = places(app, agents)
        .into_iter()
        .map(|at| at.distance(center));
    away.fold((f32::INFINITY, 0.0), |(nearest, farthest), it| {
        (nearest.min(it), farthest.max(it))
    })
}

#[test]
fn surrounding_chasers_from_one_side_spread_around_the_target() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 30));
        let center = cell(25, 15);
        let player = spawn(
            &mut app,
            (transform_at(center), CrowdObstacle { radius: RADIUS }),
        );
        let starts = rows(12, 3, cell(3, 10), 1.1);
        let all = surround_from(&mut app, body, &starts, player);
        run(&mut app, 900);
        let gap = largest_gap(&app, &all, center);
        assert!(
            gap < 1.3,
            "{body:?}: the chasers leave a gap of {gap} on the circle"
        );
        let (nearest, farthest) = distances(&app, &all, center);
        assert!(
            nearest > 0.9 * RING_RADIUS && farthest < 1.1 * RING_RADIUS,
            "{body:?}: the chasers stand {nearest} to {farthest} away, not on the circle"
        );
        assert_eq!(times_reached(&app, &all), (12, 12), "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        let step = farthest_step(&mut app, &all, 60);
        assert!(
            step < 0.02 * RADIUS,
            "{body:?}: a chaser still moves, {step} in 60 ticks"
        );
    }
}

/// The number of agents that arrived, and the number of all their arrivals.
fn times_reached(app: &App, agents: &[Entity]) -> (usize, usize) {
    let times = agents.iter().map(|agent| reached_by(app, *agent).len());
    times.fold((0, 0), |(agents_that_arrived, arrivals), it| {
        (agents_that_arrived + usize::from(it > 0), arrivals + it)
    })
}

#[test]
fn a_surrounding_circle_moves_with_its_target() {
    let mut app = level(PlanMode::Inline, &open(60, 30));
    let player = spawn(&mut app, transform_at(cell(12, 15)));
    let starts = rows(8, 4, cell(3, 3), 1.1);
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    run(&mut app, 400);
    for tick in 0..600 {
        let at = cell(12, 15) + Vec2::X * (0.03 * tick as f32);
        set_position(&mut app, player, at);
        app.update();
        let (nearest, farthest) = distances(&app, &all, at);
        assert!(
            nearest > 0.6 * RING_RADIUS && farthest < 1.6 * RING_RADIUS,
            "in tick {tick} the chasers are {nearest} to {farthest} away"
        );
    }
    run(&mut app, 120);
    let center = position(&app, player);
    assert!(largest_gap(&app, &all, center) < 1.3);
    // One chaser dies, and the others close the gap.
    app.world_mut().despawn(all[3]);
    let rest: Vec<Entity> = all.iter().copied().filter(|one| *one != all[3]).collect();
    run(&mut app, 300);
    assert!(largest_gap(&app, &rest, center) < 1.3);
}

#[test]
fn surrounding_chasers_without_a_place_come_within_reach_or_settle() {
    // The target stands in the corner of a room: a quarter of the circle is free, and none of it is behind a wall.
    for apart in [0.95, 1.04, 1.1, 1.2] {
        let mut app = level(PlanMode::Inline, CORNER);
        let center = cell(11, 6);
        let player = spawn(&mut app, transform_at(center));
        let starts = rows(20, 5, cell(2, 0), apart);
        let all = surround_from(&mut app, Body::Transform, &starts, player);
        run(&mut app, 1200);
        let center = position(&app, player);
        for one in &all {
            let at = position(&app, *one);
            let locomotion = locomotion(&app, *one);
            let stands = matches!(locomotion, Locomotion::Arrived | Locomotion::Settled);
            let away = at.distance(center);
            assert!(
                stands,
                "{one} at {at} is {locomotion:?} and has not come to rest, {away} from {center}"
            );
            assert!(
                locomotion == Locomotion::Settled || away < 1.2 * RING_RADIUS,
                "{one} arrived out of reach: {away}"
            );
        }
        assert_eq!(events(&app).stuck, []);
        assert!(smallest_gap(&places(&app, &all)) > 0.9);
    }
}

#[test]
fn surrounding_can_be_switched_on_and_off() {
    let mut app = level(PlanMode::Inline, &open(40, 30));
    let center = cell(25, 15);
    let player = spawn(&mut app, transform_at(center));
    let starts = rows(8, 2, cell(3, 10), 1.1);
    let chase = Chase::new(player).with_reach(RING_RADIUS);
    let all: Vec<Entity> = starts
        .iter()
        .map(|at| spawn_with(&mut app, Body::Transform, *at, chase))
        .collect();
    run(&mut app, 600);
    let from_one_side = largest_gap(&app, &all, center);
    assert!(
        from_one_side > 2.0,
        "the chasers surround before they should: the largest gap is {from_one_side}"
    );
    for one in &all {
        app.world_mut().get_mut::<Chase>(*one).unwrap().surround = true;
    }
    run(&mut app, 600);
    assert!(largest_gap(&app, &all, center) < 1.3);
    for one in &all {
        *app.world_mut().get_mut::<Chase>(*one).unwrap() = Chase::new(player);
    }
    run(&mut app, 300);
    let (_, farthest) = distances(&app, &all, center);
    assert!(
        farthest < 0.8 * RING_RADIUS,
        "a chaser stays on the circle, {farthest} away"
    );
}

#[test]
fn surplus_chasers_settle_behind_a_full_circle() {
    let mut app = level(PlanMode::Inline, &open(40, 40));
    let center = cell(22, 20);
    let player = spawn(&mut app, transform_at(center));
    let starts = rows(40, 4, cell(3, 10), 1.1);
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    run(&mut app, 1200);
    for one in &all {
        let locomotion = locomotion(&app, *one);
        let stands = matches!(locomotion, Locomotion::Arrived | Locomotion::Settled);
        assert!(
            stands,
            "{one} at {} is {locomotion:?} and has not come to rest",
            position(&app, *one)
        );
    }
    let places = places(&app, &all).into_iter();
    let on_circle = places
        .filter(|at| at.distance(center) < 1.1 * RING_RADIUS)
        .count();
    // 28 chasers fit, and one more may stand between them and the player.
    assert!(
        (26..=29).contains(&on_circle),
        "{on_circle} chasers stand on the circle"
    );
    assert_eq!(events(&app).stuck, []);
    let step = farthest_step(&mut app, &all, 60);
    assert!(
        step < 0.02 * RADIUS,
        "a chaser still moves, {step} in 60 ticks"
    );
}

#[test]
fn a_paused_chaser_takes_no_slot_on_the_circle() {
    let mut app = level(PlanMode::Inline, &open(40, 30));
    let center = cell(20, 15);
    let player = spawn(&mut app, transform_at(center));
    let starts = [center + Vec2::Y * 6.0, center - Vec2::X * 8.0];
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    give(&mut app, all[0], NavPaused);
    run(&mut app, 300);
    // Where a lone chaser stands. With a slot for each, the two would stand opposite each other.
    let nearest = center - Vec2::X * RING_RADIUS;
    assert_away(&app, all[1], nearest, ..RADIUS, "beside a paused chaser");
}

#[test]
fn surrounding_chasers_spread_past_walls_beside_the_target() {
    let mut app = level(PlanMode::Inline, PILLARS);
    let center = cell(18, 8);
    let player = spawn(&mut app, transform_at(center));
    let starts = rows(8, 2, cell(2, 4), 1.1);
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    run(&mut app, 900);
    let gap = largest_gap(&app, &all, center);
    assert!(
        gap < 2.8,
        "the chasers stay on one side: the largest gap is {gap}"
    );
}
