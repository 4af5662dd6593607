//! A flight that gains nothing gives way to the chase. Without a chase, the agent stays in its corner.

use fastrand::Rng;

use crate::common::*;

fn wants(app: &mut App, agent: Entity) -> Wants {
    let report = ask(app, move |navigation| navigation.report(agent));
    report.expect("an agent has a report").wants
}

/// An archer in a dead end that is shut at x = 200. A player comes to x = 60. The game lets the archer shoot once a
/// second. All lengths are multiples of an eighth of the archer's radius.
struct DeadEnd {
    app: App,
    archer: Entity,
    player: Entity,
    hz: f64,
    unit: f32,
    ticks: usize,
    cooldown: f64,
    shots: usize,
    changes: usize,
    wanted: Wants,
}

impl DeadEnd {
    fn new(hz: f64, mode: PlanMode, body: Body, half_width: f32, radius: f32) -> Self {
        let mut app = game(hz, mode);
        lift_speed_cap(&mut app);
        let unit = radius / 8.0;
        let half_size = unit * Vec2::new(400.0, 200.0);
        spawn_grid(&mut app, Rect::from_corners(-half_size, half_size), radius);
        for y in [-1.0, 1.0] {
            let center = unit * Vec2::new(0.0, y * (half_width + 88.0));
            spawn_wall(&mut app, center, unit * Vec2::new(400.0, 88.0));
        }
        let end = unit * Vec2::new(216.0, 0.0);
        spawn_wall(&mut app, end, unit * Vec2::new(16.0, 100.0));
        run_slowly(&mut app, 5);
        let player = spawn_target(&mut app, unit * Vec2::new(-300.0, 0.0));
        let chase = Chase::new(player).with_reach(unit * 250.0).with_sight();
        let wishes = (chase, Flee::new(player, unit * 200.0));
        let archer = spawn_with(&mut app, body, unit * Vec2::new(100.0, 0.0), wishes);
        set_size(&mut app, archer, body, radius);
        Self {
            app,
            archer,
            player,
            hz,
            unit,
            ticks: 0,
            cooldown: 0.0,
            shots: 0,
            changes: 0,
            wanted: Wants::Nothing,
        }
    }

    /// Plays while the player is at `place(seconds)`.
    fn play(&mut self, seconds: f64, place: impl Fn(f32) -> f32) {
        (self.shots, self.changes) = (0, 0);
        for tick in 0..(seconds * self.hz) as usize {
            let x = place((tick as f64 / self.hz) as f32);
            set_position(&mut self.app, self.player, self.unit * Vec2::new(x, 0.0));
            self::tick(&mut self.app);
            self.ticks += 1;
            self.cooldown -= 1.0 / self.hz;
            if has_arrived(&self.app, self.archer) && self.cooldown <= 0.0 {
                self.shots += 1;
                self.cooldown = 1.0;
            }
            let wanted = wants(&mut self.app, self.archer);
            self.changes += usize::from(wanted != self.wanted);
            self.wanted = wanted;
        }
    }
}

/// The archer shoots while it is cornered, and flees again when it can.
fn check_archer((hz, mode, body): (f64, PlanMode, Body), half_width: f32, radius: f32) {
    let mut scene = DeadEnd::new(hz, mode, body, half_width, radius);
    let context = format!("{hz} {mode:?} {body:?} {half_width} {radius}");
    scene.play(6.0, |seconds| (-300.0 + 120.0 * seconds).min(60.0));
    let searched = searches(&scene.app);
    scene.play(20.0, |_| 60.0);
    assert!(scene.shots >= 19, "{context}: {} shots", scene.shots);
    assert!(scene.changes <= 1, "{context}: {} changes", scene.changes);
    let searched = searches(&scene.app) - searched;
    assert!(searched <= 4, "{context}: {searched} searches");
    // The player paces: the archer tries to flee now and then, and shoots in between.
    let searched = searches(&scene.app);
    scene.play(20.0, |seconds| 60.0 - 60.0 * (0.7 * seconds).sin());
    assert!(scene.shots >= 15, "{context}: {} shots", scene.shots);
    assert!(scene.changes <= 40, "{context}: {} changes", scene.changes);
    let searched = searches(&scene.app) - searched;
    assert!(searched <= 40, "{context}: {searched} searches");
    // The player goes around the archer, into the dead end: the archer flees, out of it.
    let archer = scene.archer;
    set_position(&mut scene.app, archer, scene.unit * Vec2::new(100.0, 0.0));
    scene.play(4.0, |_| 180.0);
    let here = position(&scene.app, archer).x / scene.unit;
    assert!(
        here < 180.0 - 190.0,
        "{context}: the archer stays at {here}"
    );
}

#[test]
fn a_cornered_archer_shoots_and_flees_again_when_it_can() {
    for (settings, half_width) in [
        ((60.0, PlanMode::Inline, Body::Transform), 24.0),
        ((60.0, PlanMode::Async, Body::Kinematic), 24.0),
        ((20.0, PlanMode::Inline, Body::Kinematic), 12.0),
        ((120.0, PlanMode::Inline, Body::Dynamic), 40.0),
    ] {
        check_archer(settings, half_width, 8.0);
    }
}

#[test]
#[ignore = "slow"]
fn random_cornered_archers_shoot_and_flee_again_when_they_can() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [15.0, 30.0, 60.0, 144.0, 240.0][random.usize(..5)];
        let settings = (hz, MODES[random.usize(..2)], BODIES[random.usize(..3)]);
        let radius = [0.4, 4.0, 20.0][random.usize(..3)];
        check_archer(settings, 12.0 + 40.0 * random.f32(), radius);
    }
}

#[test]
fn archers_that_crowd_into_one_dead_end_all_shoot() {
    let mut app = game(60.0, PlanMode::Inline);
    spawn_grid(&mut app, Rect::new(-400.0, -200.0, 400.0, 200.0), 8.0);
    for y in [-112.0, 112.0] {
        spawn_wall(&mut app, Vec2::new(0.0, y), Vec2::new(400.0, 88.0));
    }
    spawn_wall(&mut app, Vec2::new(216.0, 0.0), Vec2::new(16.0, 100.0));
    run(&mut app, 5);
    let player = spawn_target(&mut app, Vec2::new(0.0, 0.0));
    let archers = [0.0, 1.0, 2.0, 3.0, 4.0].map(|n| {
        let chase = Chase::new(player).with_reach(250.0).with_sight();
        let at = Vec2::new(80.0 + 20.0 * n, 0.0);
        let archer = spawn_bare(&mut app, at, (chase, Flee::new(player, 200.0)));
        set_size(&mut app, archer, Body::Transform, 8.0);
        archer
    });
    run(&mut app, 240);
    let mut ticks_arrived = [0; 5];
    for _ in 0..600 {
        run(&mut app, 1);
        for (ticks, archer) in ticks_arrived.iter_mut().zip(archers) {
            *ticks += u32::from(has_arrived(&app, archer));
        }
    }
    assert!(
        ticks_arrived.iter().all(|ticks| *ticks > 400),
        "{ticks_arrived:?}"
    );
}

/// An agent that only flees stays in its corner, and reports that once.
fn check_fleer((hz, mode, body): (f64, PlanMode, Body), half_width: f32, radius: f32) {
    let mut scene = DeadEnd::new(hz, mode, body, half_width, radius);
    let archer = scene.archer;
    remove::<Chase>(&mut scene.app, archer);
    scene.play(8.0, |seconds| (-300.0 + 120.0 * seconds).min(60.0));
    assert_eq!(scene.wanted, Wants::Flee);
    assert!(position(&scene.app, archer).x > 180.0 * scene.unit);
    // The agent reports only once that it cannot get farther away, even while the player paces.
    let searched = searches(&scene.app);
    scene.play(8.0, |seconds| 60.0 + 20.0 * (2.0 * seconds).sin());
    let (how, searched) = (
        locomotion(&scene.app, archer),
        searches(&scene.app) - searched,
    );
    let context = format!("{hz} {mode:?} {body:?} {half_width} {radius}: {searched} searches");
    assert_status(&scene.app, archer, Partial(Cornered), &context);
    assert_eq!(
        (how, times_failed(&scene.app, archer)),
        (Locomotion::Waiting, 1),
        "{context}"
    );
    assert!(searched <= 17, "{context}");
    // When the player is gone, the agent wants nothing. When the player comes back, the agent reports again.
    scene.play(1.0, |_| -300.0);
    assert_status(&scene.app, archer, PathStatus::Idle, &context);
    scene.play(3.0, |_| 60.0);
    assert_eq!(times_failed(&scene.app, archer), 2, "{context}");
}

#[test]
fn an_agent_that_only_flees_reports_once_that_it_is_cornered() {
    for settings in [
        (60.0, PlanMode::Inline, Body::Transform),
        (30.0, PlanMode::Async, Body::Kinematic),
        (144.0, PlanMode::Inline, Body::Dynamic),
    ] {
        check_fleer(settings, 24.0, 8.0);
    }
}

#[test]
#[ignore = "slow"]
fn random_agents_that_only_flee_report_once_that_they_are_cornered() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let hz = [15.0, 30.0, 60.0, 144.0, 240.0][random.usize(..5)];
        let settings = (hz, MODES[random.usize(..2)], BODIES[random.usize(..3)]);
        let radius = [0.4, 4.0, 20.0][random.usize(..3)];
        check_fleer(settings, 12.0 + 40.0 * random.f32(), radius);
    }
}
