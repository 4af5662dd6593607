//! Crowds of unlike agents: giants, fleeing agents, several sizes and reaches. Walls that appear in a crowd.

use super::*;

#[test]
fn a_crowd_keeps_off_a_gate_and_a_wall_that_appear_in_it() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = doors::rooms(4.2 * RADIUS);
        let target = spawn_target(&mut app, Vec2::new(37.0, 10.0));
        let starts = rows(60, 10, Vec2::new(8.0, 4.0), 1.2);
        let chasers: Vec<Entity> = (starts.iter())
            .map(|at| spawn_chaser(&mut app, body, *at, target))
            .collect();
        let is_through = |app: &App, one: &Entity| position(app, *one).x > 20.5;
        for _ in 0..1200 {
            tick(&mut app);
            if chasers.iter().filter(|one| is_through(&app, one)).count() >= 20 {
                break;
            }
        }
        spawn_wall(&mut app, Vec2::new(20.5, 10.0), Vec2::new(0.5, 1.0));
        spawn_wall(&mut app, Vec2::new(12.0, 10.0), Vec2::new(2.0, 1.0));
        run(&mut app, 240);
        let through: Vec<bool> = chasers.iter().map(|one| is_through(&app, one)).collect();
        run_off_walls(&mut app, &chasers, 120, body);
        let through_later: Vec<bool> = chasers.iter().map(|one| is_through(&app, one)).collect();
        assert_eq!(
            through, through_later,
            "{body:?}: an agent passed the shut gate"
        );
        let gap = smallest_gap(&places(&app, &chasers));
        assert!(
            gap > 0.9,
            "{body:?}: agents overlap, the smallest gap is {gap}"
        );
    }
}

#[test]
fn a_giant_wades_through_rats() {
    let cross = |rats: usize| {
        let mut app = level(PlanMode::Inline, &open(50, 24));
        let rats: Vec<Entity> = rows(rats, 8, Vec2::new(16.0, 8.0), 0.95)
            .into_iter()
            .map(|at| spawn_bare(&mut app, at, ()))
            .collect();
        let target = spawn_target(&mut app, cell(45, 12));
        let body = NavAgent::from_radius(1.6).with_speed(4.0);
        let giant = (body, Chase::new(target), NavPriority(4));
        let giant = spawn(&mut app, (giant, transform_at(cell(4, 12))));
        let ticks = run_until(&mut app, 3000, |app| has_arrived(app, giant));
        run(&mut app, 120);
        let gap = smallest_gap(&places(&app, &rats));
        assert!(gap > 0.9, "the rats overlap: the smallest gap is {gap}");
        for rat in &rats {
            let away = position(&app, *rat).distance(position(&app, giant));
            assert!(
                away > 0.95 * (1.6 + RADIUS),
                "the giant overlaps a rat, {away} apart"
            );
        }
        assert_eq!(events(&app).stuck, []);
        ticks
    };
    let (alone, among) = (cross(0), cross(64));
    assert!(
        among < alone * 3 / 2,
        "the giant took {among} ticks among rats, {alone} alone"
    );
}

#[test]
fn fleeing_agents_get_through_a_crowd_of_chasers() {
    let mut app = level(PlanMode::Inline, &open(60, 20));
    let threat = spawn_target(&mut app, cell(12, 10));
    let starts = rows(20, 4, cell(16, 6), 1.1);
    let cowards: Vec<Entity> = (starts.iter())
        .map(|at| spawn_bare(&mut app, *at, Flee::new(threat, 20.0)))
        .collect();
    let starts = rows(20, 4, cell(28, 6), 1.1);
    let brave: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, threat))
        .collect();
    let all: Vec<Entity> = cowards.iter().chain(&brave).copied().collect();
    let mut smallest = f32::INFINITY;
    for _ in 0..900 {
        tick(&mut app);
        smallest = smallest.min(smallest_gap(&places(&app, &all)));
    }
    assert!(
        smallest > 0.5,
        "agents overlap: the smallest gap is {smallest}"
    );
    for one in &cowards {
        assert_away(&app, *one, cell(12, 10), 17.0.., "a fleeing agent");
    }
    for one in &brave {
        assert_away(&app, *one, cell(12, 10), ..6.0, "a chaser");
    }
    assert_eq!(events(&app).stuck, []);
}

/// Radii of the small, the medium and the large agents, in world units.
const RADII: [f32; 3] = [0.2, 0.4, 0.6];

#[test]
fn chasers_of_three_sizes_come_to_rest_around_one_target() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = level(PlanMode::Inline, &open(60, 60));
        let target = spawn_target(&mut app, cell(30, 30));
        let chasers: Vec<Entity> = (rows(90, 10, cell(4, 4), 1.4).iter().enumerate())
            .map(|(n, at)| {
                let chaser = spawn_chaser(&mut app, body, *at, target);
                let radius = RADII[n % 3];
                give(&mut app, chaser, NavAgent::from_radius(radius));
                if body == Body::Kinematic {
                    give(&mut app, chaser, Collider::ball(radius));
                }
                chaser
            })
            .collect();
        run(&mut app, 900);
        let step = farthest_step(&mut app, &chasers, 120);
        assert!(
            step < 0.1,
            "{body:?}: a chaser still moves, {step} in 120 ticks"
        );
        let has_come_to_rest = |one: &Entity| {
            matches!(
                locomotion(&app, *one),
                Locomotion::Arrived | Locomotion::Settled
            )
        };
        let standing = chasers.iter().filter(|one| has_come_to_rest(one)).count();
        assert_eq!(standing, 90, "{body:?}: some chasers have not come to rest");
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn archers_settle_behind_a_crowd_of_swordsmen() {
    let mut app = level(PlanMode::Inline, &open(60, 60));
    let target = spawn_target(&mut app, cell(30, 30));
    for at in rows(120, 12, cell(4, 4), 1.0) {
        spawn_chaser(&mut app, Body::Transform, at, target);
    }
    run(&mut app, 600);
    let bow = Chase::new(target).with_reach(4.0 * RADIUS);
    let archers: Vec<Entity> = (rows(40, 10, cell(40, 50), 1.0).iter())
        .map(|at| spawn_bare(&mut app, *at, bow))
        .collect();
    run(&mut app, 900);
    let step = farthest_step(&mut app, &archers, 120);
    let settled = |one: &&Entity| locomotion(&app, **one) == Locomotion::Settled;
    assert_eq!(archers.iter().filter(settled).count(), 40);
    assert!(step < 0.02, "an archer still moves, {step} in 120 ticks");
    assert_eq!(events(&app).stuck, []);
}

#[test]
fn walkers_with_different_reach_come_to_rest_at_one_goal() {
    let mut app = level(PlanMode::Inline, &open(60, 60));
    let all: Vec<Entity> = (rows(60, 10, cell(4, 4), 1.0).iter().enumerate())
        .map(|(n, at)| {
            let walker = spawn_walker(&mut app, Body::Transform, *at, cell(40, 40));
            if n % 2 == 0 {
                let agent = NavAgent::from_radius(RADIUS).with_reach(5.0 * RADIUS);
                give(&mut app, walker, agent);
            }
            walker
        })
        .collect();
    run(&mut app, 900);
    assert!(farthest_step(&mut app, &all, 120) < 0.1 * RADIUS);
    assert_eq!(events(&app).stuck, []);
}
