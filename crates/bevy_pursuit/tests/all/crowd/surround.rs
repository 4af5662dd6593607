//! Chasers that surround their target.

use std::f32::consts::TAU;

use super::*;

const RING: f32 = 4.0;

/// Pillars above and below the place of a target, where the circle is.
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

/// A room, open to the right, and a wall around its corner.
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
        .with_reach(RING)
        .with_sight()
        .surrounding();
    let spawn = |at: &Vec2| spawn_with(app, body, *at, chase);
    starts.iter().map(spawn).collect()
}

/// The largest gap between neighbors on the circle, in parts of the gap between those who stand evenly.
fn largest_gap(app: &App, agents: &[Entity], center: Vec2) -> f32 {
    let places = places(app, agents).into_iter();
    let mut angles: Vec<f32> = places.map(|at| (at - center).to_angle()).collect();
    angles.sort_by(f32::total_cmp);
    let around = angles.iter().cycle().skip(1).zip(&angles);
    let gaps = around.map(|(next, one)| (next - one).rem_euclid(TAU));
    gaps.fold(0.0, f32::max) * agents.len() as f32 / TAU
}

/// The least and the greatest distance from a place.
fn distances(app: &App, agents: &[Entity], center: Vec2) -> (f32, f32) {
    let away = places(app, agents)
        .into_iter()
        .map(|at| at.distance(center));
    away.fold((f32::INFINITY, 0.0), |(least, most), it| {
        (least.min(it), most.max(it))
    })
}

#[test]
fn twelve_who_came_from_one_side_stood_on_that_side_alone() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 30));
        let center = cell(25, 15);
        let player = spawn(
            &mut app,
            (transform_at(center), NavAvoided { radius: RADIUS }),
        );
        let starts = rows(12, 3, cell(3, 10), 1.1);
        let all = surround_from(&mut app, body, &starts, player);
        run(&mut app, 900);
        let gap = largest_gap(&app, &all, center);
        assert!(gap < 1.3, "{body:?}: {gap}");
        let (least, most) = distances(&app, &all, center);
        assert!(
            least > 0.9 * RING && most < 1.1 * RING,
            "{body:?}: {least} to {most}"
        );
        assert_eq!(times_reached(&app, &all), (12, 12), "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
        let step = farthest_step(&mut app, &all, 60);
        assert!(step < 0.02 * RADIUS, "{body:?}: {step}");
    }
}

/// How many were told to be there, and how often in all.
fn times_reached(app: &App, agents: &[Entity]) -> (usize, usize) {
    let times = agents.iter().map(|agent| reached_by(app, *agent).len());
    times.fold((0, 0), |(who, all), it| {
        (who + usize::from(it > 0), all + it)
    })
}

#[test]
fn a_circle_goes_with_its_target() {
    let mut app = level(PlanMode::Inline, &open(60, 30));
    let player = spawn(&mut app, transform_at(cell(12, 15)));
    let starts = rows(8, 4, cell(3, 3), 1.1);
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    run(&mut app, 400);
    for tick in 0..600 {
        let at = cell(12, 15) + Vec2::X * (0.03 * tick as f32);
        set_position(&mut app, player, at);
        app.update();
        let (least, most) = distances(&app, &all, at);
        assert!(
            least > 0.6 * RING && most < 1.6 * RING,
            "in tick {tick}: {least} to {most}"
        );
    }
    run(&mut app, 120);
    let center = position(&app, player);
    assert!(largest_gap(&app, &all, center) < 1.3);
    // One falls: the others close the gap.
    app.world_mut().despawn(all[3]);
    let rest: Vec<Entity> = all.iter().copied().filter(|one| *one != all[3]).collect();
    run(&mut app, 300);
    assert!(largest_gap(&app, &rest, center) < 1.3);
}

#[test]
fn who_has_no_place_on_the_circle_comes_within_reach_or_waits_behind() {
    // Into the corner of a room, where a quarter of the circle is free, and none of it through a wall.
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
                "{one} at {at} is {locomotion:?}, {away} from {center}"
            );
            assert!(
                locomotion == Locomotion::Settled || away < 1.2 * RING,
                "{one}: {away}"
            );
        }
        assert_eq!(events(&app).stuck, []);
        assert!(smallest_gap(&places(&app, &all)) > 0.9);
    }
}

#[test]
fn one_may_begin_and_end_to_surround_at_any_time() {
    let mut app = level(PlanMode::Inline, &open(40, 30));
    let center = cell(25, 15);
    let player = spawn(&mut app, transform_at(center));
    let starts = rows(8, 2, cell(3, 10), 1.1);
    let chase = Chase::new(player).with_reach(RING);
    let all: Vec<Entity> = starts
        .iter()
        .map(|at| spawn_with(&mut app, Body::Transform, *at, chase))
        .collect();
    run(&mut app, 600);
    let from_one_side = largest_gap(&app, &all, center);
    assert!(from_one_side > 2.0, "{from_one_side}");
    for one in &all {
        app.world_mut().get_mut::<Chase>(*one).unwrap().surround = true;
    }
    run(&mut app, 600);
    assert!(largest_gap(&app, &all, center) < 1.3);
    for one in &all {
        *app.world_mut().get_mut::<Chase>(*one).unwrap() = Chase::new(player);
    }
    run(&mut app, 300);
    let (_, most) = distances(&app, &all, center);
    assert!(most < 0.8 * RING, "{most}");
}

#[test]
fn those_for_whom_the_circle_had_no_room_pressed_on_it_for_ever() {
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
            "{one} at {} is {locomotion:?}",
            position(&app, *one)
        );
    }
    let places = places(&app, &all).into_iter();
    let on_circle = places.filter(|at| at.distance(center) < 1.1 * RING).count();
    assert!((26..=28).contains(&on_circle), "{on_circle}");
    assert_eq!(events(&app).stuck, []);
    let step = farthest_step(&mut app, &all, 60);
    assert!(step < 0.02 * RADIUS, "{step}");
}

#[test]
fn walls_beside_the_target_kept_all_on_the_side_that_they_came_from() {
    let mut app = level(PlanMode::Inline, PILLARS);
    let center = cell(18, 8);
    let player = spawn(&mut app, transform_at(center));
    let starts = rows(8, 2, cell(2, 4), 1.1);
    let all = surround_from(&mut app, Body::Transform, &starts, player);
    run(&mut app, 900);
    let gap = largest_gap(&app, &all, center);
    assert!(gap < 2.8, "{gap}");
}
