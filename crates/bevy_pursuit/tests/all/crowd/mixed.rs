//! Crowds and what is unlike them: giants, those who flee, walls that appear.

use super::*;

#[test]
fn a_wall_that_appears_in_a_crowd_and_a_gate_that_shuts_on_it_kept_nobody_inside() {
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
        let still: Vec<bool> = chasers.iter().map(|one| is_through(&app, one)).collect();
        assert_eq!(through, still, "{body:?}: nobody passes the gate");
        let gap = smallest_gap(&places(&app, &chasers));
        assert!(gap > 0.9, "{body:?}: {gap}");
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
        assert!(gap > 0.9, "{gap}");
        for rat in &rats {
            let away = position(&app, *rat).distance(position(&app, giant));
            assert!(away > 0.95 * (1.6 + RADIUS), "{away}");
        }
        assert_eq!(events(&app).stuck, []);
        ticks
    };
    let (alone, among) = (cross(0), cross(64));
    assert!(among < alone * 3 / 2, "{among} ticks, not {alone}");
}

#[test]
fn those_who_flee_get_through_those_who_chase() {
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
    let mut least = f32::INFINITY;
    for _ in 0..900 {
        tick(&mut app);
        least = least.min(smallest_gap(&places(&app, &all)));
    }
    assert!(least > 0.5, "{least}");
    for one in &cowards {
        assert_away(&app, *one, cell(12, 10), 17.0.., "flees");
    }
    for one in &brave {
        assert_away(&app, *one, cell(12, 10), ..6.0, "chases");
    }
    assert_eq!(events(&app).stuck, []);
}

/// The small, the middling and the large.
const SIZES: [f32; 3] = [0.2, 0.4, 0.6];

#[test]
fn those_of_three_sizes_around_one_target_never_stood() {
    for body in [Body::Transform, Body::Kinematic] {
        let mut app = level(PlanMode::Inline, &open(60, 60));
        let target = spawn_target(&mut app, cell(30, 30));
        let chasers: Vec<Entity> = (rows(90, 10, cell(4, 4), 1.4).iter().enumerate())
            .map(|(n, at)| {
                let chaser = spawn_chaser(&mut app, body, *at, target);
                let radius = SIZES[n % 3];
                give(&mut app, chaser, NavAgent::from_radius(radius));
                if body == Body::Kinematic {
                    give(&mut app, chaser, Collider::ball(radius));
                }
                chaser
            })
            .collect();
        run(&mut app, 900);
        let step = farthest_step(&mut app, &chasers, 120);
        assert!(step < 0.1, "{body:?}: {step}");
        let stand = |one: &Entity| {
            matches!(
                locomotion(&app, *one),
                Locomotion::Arrived | Locomotion::Settled
            )
        };
        let standing = chasers.iter().filter(|one| stand(one)).count();
        assert_eq!(standing, 90, "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn archers_behind_a_crowd_of_swords_pushed_for_ever() {
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
    assert!(step < 0.02, "{step}");
    assert_eq!(events(&app).stuck, []);
}

#[test]
fn swords_and_bows_sent_to_one_place_stood_behind_each_other() {
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
