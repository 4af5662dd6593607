//! An agent that is sent elsewhere while it walks does not stop in between.

use fastrand::Rng;

use crate::common::*;

/// How a game sends an agent to another place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Send {
    Insert,
    Change,
    Request,
}

const SENDS: [Send; 3] = [Send::Insert, Send::Change, Send::Request];

fn send(app: &mut App, agent: Entity, target: Entity, how: Send) {
    match how {
        Send::Insert => give(app, agent, Chase::new(target)),
        Send::Change => get_mut::<Chase>(app, agent).target = target,
        Send::Request => {
            let goal = position(app, target);
            give(app, agent, PathRequest::to(goal));
        }
    }
}

fn meadow(mode: PlanMode, hz: f64) -> App {
    let mut app = game(hz, mode);
    spawn_grid(
        &mut app,
        Rect::from_center_size(Vec2::ZERO, Vec2::new(1200.0, 800.0)),
        8.0,
    );
    app
}

fn spawn_runner(app: &mut App, body: Body, place: Vec2, target: Entity) -> Entity {
    let agent = spawn_agent(app, body, place);
    set_size(app, agent, body, 8.0);
    give(app, agent, Chase::new(target));
    agent
}

/// The lowest speed that an agent wants in the ticks after it was sent elsewhere, as a share of its top speed. At a
/// corner an agent walks to the corner itself in one tick, so two ticks count together.
fn least_speed(app: &mut App, agent: Entity, ticks: usize) -> f32 {
    let top = get::<NavAgent>(app, agent).speed;
    let (mut least, mut before) = (f32::INFINITY, 1.0);
    for _ in 0..ticks {
        tick(app);
        let speed = desired(app, agent).length() / top;
        assert!(speed > 0.0, "{:?}", locomotion(app, agent));
        least = least.min(0.5 * (speed + before));
        before = speed;
        assert_off_walls(app, agent, 0.98 * 8.0, "on the way");
    }
    least
}

#[test]
fn a_runner_that_gets_another_target_keeps_its_speed() {
    for (mode, body) in modes_and_bodies() {
        for how in SENDS {
            for hz in [30.0, 60.0, 144.0] {
                let mut app = meadow(mode, hz);
                spawn_wall(&mut app, Vec2::new(0.0, -50.0), Vec2::new(200.0, 10.0));
                run_slowly(&mut app, 3);
                let (a, b) = (Vec2::new(300.0, 0.0), Vec2::new(0.0, -150.0));
                let [a, b] = [a, b].map(|place| spawn_target(&mut app, place));
                let agent = spawn_runner(&mut app, body, Vec2::ZERO, a);
                run_slowly_until(&mut app, 400, |app| position(app, agent).x > 137.0);
                assert_eq!(locomotion(&app, agent), Locomotion::Straight);
                send(&mut app, agent, b, how);
                let least = least_speed(&mut app, agent, (0.4 * hz) as usize);
                println!("straight, {mode:?} {body:?} {how:?} {hz}: {least:.2}");
                assert!(least > 0.95, "{mode:?} {body:?} {how:?} {hz}: {least}");
            }
        }
    }
}

#[test]
fn a_walker_on_a_path_that_gets_another_target_keeps_its_speed() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let mode = MODES[random.usize(..2)];
        let (body, how) = (BODIES[random.usize(..3)], SENDS[random.usize(..3)]);
        let mut app = meadow(mode, 60.0);
        for column in -2..=2 {
            let place = Vec2::new(200.0 * column as f32, 300.0 * (random.f32() - 0.5));
            spawn_wall(&mut app, place, Vec2::new(10.0, 150.0));
        }
        run_slowly(&mut app, 3);
        let place = |random: &mut Rng| Vec2::new(450.0, 600.0 * (random.f32() - 0.5));
        let [a, b] = [(); 2].map(|()| spawn_target(&mut app, place(&mut random)));
        let agent = spawn_runner(&mut app, body, -place(&mut random), a);
        run_slowly(&mut app, 40 + random.usize(..120));
        send(&mut app, agent, b, how);
        let least = least_speed(&mut app, agent, 24);
        println!("path, {seed} {mode:?} {body:?} {how:?}: {least:.2}");
        assert!(least > 0.8, "{seed} {mode:?} {body:?} {how:?}: {least}");
    }
}

/// A crowd that a field leads to the first of two targets.
struct LedCrowd {
    app: App,
    grid: Entity,
    crowd: Vec<Entity>,
    other: Entity,
    context: String,
}

/// Largest share of the fast agents of a crowd that may be slow in a tick after a change.
const MAX_SLOW_SHARE: f32 = 0.05;

impl LedCrowd {
    fn new(random: &mut Rng, count: usize, (mode, body, hz): (PlanMode, Body, f64)) -> Self {
        let mut app = game(hz, mode);
        let size = Vec2::new(1200.0, 800.0);
        let grid = spawn_grid(&mut app, Rect::from_center_size(Vec2::ZERO, size), 8.0);
        spawn_wall(
            &mut app,
            Vec2::new(150.0, 300.0 * (random.f32() - 0.5)),
            Vec2::new(10.0, 200.0),
        );
        run_slowly(&mut app, 3);
        let (a, b) = (Vec2::new(550.0, 0.0), Vec2::new(500.0, 350.0));
        let [a, other] = [a, b].map(|place| spawn_target(&mut app, place));
        let mut places: Vec<Vec2> = Vec::new();
        while places.len() < count {
            let place = Vec2::new(random.f32() * 500.0 - 580.0, random.f32() * 760.0 - 380.0);
            if places.iter().all(|it| it.distance(place) > 10.0) {
                places.push(place);
            }
        }
        let spawn_one = |place: &Vec2| {
            let agent = spawn_agent(&mut app, body, *place);
            set_size(&mut app, agent, body, 4.0);
            give(
                &mut app,
                agent,
                (NavAgent::from_radius(4.0).with_speed(100.0), Chase::new(a)),
            );
            agent
        };
        let crowd: Vec<Entity> = places.iter().map(spawn_one).collect();
        run_slowly(&mut app, (1.5 * hz) as usize);
        let is_led = |agent: &&Entity| get::<NavPath>(&app, **agent).is_empty();
        let led = crowd.iter().filter(is_led).count();
        let context = format!("{mode:?} {body:?} {hz} Hz, {count} agents");
        assert!(3 * led > 2 * count, "{context}: a field leads {led}");
        Self {
            app,
            grid,
            crowd,
            other,
            context,
        }
    }

    /// A crowd, and its tick rate in hertz, drawn at random.
    fn random(seed: u64) -> (Self, f64) {
        let mut random = Rng::with_seed(seed);
        let (mode, body) = (MODES[random.usize(..2)], BODIES[random.usize(..3)]);
        let hz = [20.0, 30.0, 60.0, 144.0][random.usize(..4)];
        let count = random.usize(110..180);
        (Self::new(&mut random, count, (mode, body, hz)), hz)
    }

    fn is_slow(&self, agent: Entity) -> bool {
        desired(&self.app, agent).length() < 50.0
    }

    /// Runs a fifth of a second. Asserts that agents that were fast stay fast.
    #[track_caller]
    fn assert_goes_on(mut self, hz: f64) {
        let fast = self.crowd.iter().copied();
        let fast: Vec<Entity> = fast.filter(|one| !self.is_slow(*one)).collect();
        let mut slow = Vec::new();
        for _ in 0..(0.2 * hz).max(4.0) as usize {
            tick(&mut self.app);
            slow.push(fast.iter().filter(|one| self.is_slow(**one)).count());
        }
        let most = slow.iter().max().copied().unwrap_or_default();
        let limit = MAX_SLOW_SHARE * fast.len() as f32 + 1.0;
        assert!(most as f32 <= limit, "{}: {slow:?}", self.context);
    }
}

#[test]
fn a_crowd_on_a_field_that_gets_another_target_goes_on() {
    for (mode, is_apart) in MODES
        .into_iter()
        .flat_map(|mode| [(mode, true), (mode, false)])
    {
        let mut random = Rng::with_seed(4);
        let mut led = LedCrowd::new(&mut random, 300, (mode, Body::Transform, 60.0));
        for agent in led.crowd.iter().filter(|_| !is_apart) {
            give(&mut led.app, *agent, NavAvoidance::None);
        }
        run(&mut led.app, 2);
        for agent in &led.crowd {
            get_mut::<Chase>(&mut led.app, *agent).target = led.other;
        }
        led.assert_goes_on(60.0);
    }
}

#[test]
fn crowds_on_fields_that_get_another_target_go_on() {
    for seed in 0..20 {
        let (mut led, hz) = LedCrowd::random(seed);
        for agent in &led.crowd {
            get_mut::<Chase>(&mut led.app, *agent).target = led.other;
        }
        led.assert_goes_on(hz);
    }
}

#[test]
fn a_crowd_on_a_field_whose_grid_grows_goes_on() {
    for seed in 0..20 {
        let (mut led, hz) = LedCrowd::random(seed);
        get_mut::<NavGrid>(&mut led.app, led.grid).bounds.max.x += 80.0;
        led.assert_goes_on(hz);
    }
}
