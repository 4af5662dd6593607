//! Grids that move, appear and vanish, and that bodies of many sizes use.

use super::set_search_budget;
use crate::common::*;

#[test]
fn an_agent_follows_a_moving_grid_toward_a_goal_outside_it() {
    let mut app = level(PlanMode::Inline, &open(20, 6));
    let agent = spawn_walker(&mut app, Body::Transform, cell(2, 2), Vec2::new(100.0, 2.5));
    run(&mut app, 300);
    let before = position(&app, agent);
    assert!(before.x > 19.0, "{before}");
    let grid = grid_entity(&mut app);
    get_mut::<NavGrid>(&mut app, grid).bounds = Rect::new(5.0, 0.0, 25.0, 6.0);
    run(&mut app, 600);
    let after = position(&app, agent);
    assert!(after.x > 24.0, "{:?} at {after}", status(&app, agent));
}

#[test]
fn chased_bodies_update_when_one_chaser_sleeps_and_another_wakes() {
    let mut app = level(PlanMode::Inline, &open(20, 12));
    let [first, second] = [cell(10, 3), cell(10, 8)].map(|at| {
        let groups = CollisionGroups::new(WALLS, Group::ALL);
        let body = (RigidBody::Dynamic, GravityScale(0.0), Collider::ball(0.4));
        spawn(&mut app, (body, groups, transform_at(at)))
    });
    let sleeper = spawn_chaser(&mut app, Body::Transform, cell(1, 3), first);
    let waker = spawn_chaser(&mut app, Body::Transform, cell(1, 8), second);
    for chaser in [sleeper, waker] {
        get_mut::<NavAgent>(&mut app, chaser).speed = 0.0;
    }
    set_disabled(&mut app, waker, true);
    run(&mut app, 10);
    let grid = grid_entity(&mut app);
    let free = |app: &App| {
        let snapshot = snapshot(app, grid);
        [first, second].map(|body| snapshot.free(position(app, body), 0.1))
    };
    assert_eq!(free(&app), [true, false]);
    set_disabled(&mut app, sleeper, true);
    set_disabled(&mut app, waker, false);
    run(&mut app, 10);
    assert_eq!(
        free(&app),
        [false, true],
        "the body that is chased now still blocks"
    );
}

#[test]
fn agents_of_many_sizes_in_walls_search_a_limited_number_of_times() {
    let mut app = level(PlanMode::Inline, &open(60, 12));
    spawn_wall(&mut app, Vec2::new(30.0, 6.0), Vec2::new(29.0, 5.0));
    run(&mut app, 3);
    let agents: Vec<Entity> = (0..24)
        .map(|n| {
            let sized = NavAgent::from_radius(0.2 + 0.01 * n as f32);
            let sent = (sized, PathRequest::to(cell(0, 0)));
            spawn_bare(&mut app, cell(10 + n, 6), sent)
        })
        .collect();
    run(&mut app, 60);
    assert_status(&app, &agents, Failed(StartBlocked), "in walls");
    let before = searches(&app);
    run(&mut app, 120);
    let more = searches(&app) - before;
    assert!(
        more <= 240,
        "24 agents made {more} searches in 2 s in which nothing changed"
    );
}

#[test]
fn agents_arrive_after_doors_bounds_and_grids_changed_in_every_tick() {
    for seed in 0..4_u64 {
        let mode = MODES[seed as usize % 2];
        let mut app = level(mode, &open(24, 8));
        let whole = Rect::new(0.0, 0.0, 24.0, 8.0);
        let nav = |bounds| nav_grid(bounds, 0.5);
        let mut second = spawn(&mut app, nav(whole.inflate(1.0)));
        let mut first = grid_entity(&mut app);
        let target = spawn_target(&mut app, cell(22, 4));
        let agents: Vec<Entity> = (0..8)
            .map(|n| spawn_chaser(&mut app, BODIES[n % 3], cell(1, n), target))
            .collect();
        set_search_budget(&mut app, 1);
        let mut door = spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 3.0));
        for n in 0..300 {
            if n % 2 == 0 {
                despawn(&mut app, door);
            } else {
                door = spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 3.0));
            }
            let by = (n % 5) as f32;
            if n % 20 == 0 {
                despawn(&mut app, first);
                first = spawn(&mut app, nav(whole));
            } else if n % 20 == 10 {
                despawn(&mut app, second);
                second = spawn(&mut app, nav(whole.inflate(1.0)));
            } else if seed > 1 {
                get_mut::<NavGrid>(&mut app, first).bounds = whole.inflate(by);
            }
            settings(&mut app).plan_mode = MODES[n % 2];
            app.update();
        }
        // The door exists after the last change.
        settings(&mut app).plan_mode = mode;
        arrive_or_settle(&mut app, &agents, 900, "after the last change");
        run_slowly(&mut app, 100);
        let before = searches(&app);
        run_slowly(&mut app, 300);
        assert!(
            searches(&app) - before <= 8,
            "seed {seed}: agents at rest still search"
        );
        assert_status(&app, &agents, PathStatus::Found, ("seed", seed));
    }
}

#[cfg(feature = "deep_bake")]
#[test]
fn agents_arrive_after_deep_bakes_of_grids_that_vanish_and_change() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut app = level(PlanMode::Async, &open(40, 40));
    let target = spawn_target(&mut app, cell(38, 38));
    let agents: Vec<Entity> = (0..6)
        .map(|n| spawn_chaser(&mut app, BODIES[n % 3], cell(1, n), target))
        .collect();
    for n in 0..300 {
        let grid = grid_entity(&mut app);
        match random.u32(0..12) {
            0 => {
                despawn(&mut app, grid);
                build_level(&mut app, &open(40, 40));
            }
            1 | 2 => {
                let rest = std::time::Duration::from_millis(random.u64(0..30));
                get_mut::<NavGrid>(&mut app, grid).deep_bake = Some(rest);
            }
            3 => {
                let at = cell(random.usize(10..30), random.usize(10..30));
                spawn_wall(&mut app, at, Vec2::splat(0.5));
            }
            4 => {
                let size = 40.0 + random.f32() * 3.0;
                get_mut::<NavGrid>(&mut app, grid).bounds = Rect::new(0.0, 0.0, size, size);
            }
            _ => {}
        }
        if n % 60 == 0 {
            let at = cell(random.usize(0..40), random.usize(0..40));
            set_position(&mut app, target, at);
        }
        run_slowly(&mut app, 1);
    }
    set_position(&mut app, target, cell(38, 1));
    arrive_or_settle(&mut app, &agents, 1200, "after deep bakes");
}
