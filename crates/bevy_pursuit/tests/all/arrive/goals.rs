//! Agents that are sent to arbitrary places arrive there, or their status says that they fall short. Very fast agents
//! get through narrow places.

use fastrand::Rng;

use crate::common::*;

/// Radius of the agents, in world units.
const LARGE: f32 = 8.0;

/// Random boxes, and random places in which a body has at least `room` world units to every wall and to the border.
struct Boxes {
    app: App,
    places: Vec<Vec2>,
}

impl Boxes {
    fn new(seed: u64, (hz, mode): (f64, PlanMode), (count, room): (usize, f32)) -> Self {
        let mut app = game(hz, mode);
        disable_avoidance(&mut app);
        let mut random = Rng::with_seed(seed);
        let half = Vec2::splat(400.0);
        spawn_grid(&mut app, Rect::from_corners(-half, half), LARGE);
        let mut in_area = |size: Vec2| size * (2.0 * Vec2::new(random.f32(), random.f32()) - 1.0);
        for _ in 0..60 {
            let (at, size) = (in_area(half), in_area(Vec2::splat(40.0)).abs() + 6.0);
            let wall = spawn_wall(&mut app, at, size);
            let turned = Quat::from_rotation_z(in_area(Vec2::ONE).x);
            get_mut::<Transform>(&mut app, wall).rotation = turned;
        }
        run_slowly(&mut app, 5);
        let mut places = Vec::new();
        while places.len() < count {
            let at = in_area(half - room);
            if wall_distance(&mut app, at) > room {
                places.push(at);
            }
        }
        Self { app, places }
    }
}

/// Sends agents to random places. Returns how many reached their place, and how many have a status that says that they
/// fall short. Adds a description of each wrong result to `off`.
fn send_to_places(
    seed: u64,
    (hz, mode, body): (f64, PlanMode, Body),
    count: usize,
    off: &mut Vec<String>,
) -> [usize; 2] {
    let Boxes { mut app, places } = Boxes::new(seed, (hz, mode), (2 * count, 1.125 * LARGE));
    let agents: Vec<Entity> = (places.chunks(2))
        .map(|ends| {
            let agent = spawn_with(&mut app, body, ends[0], PathRequest::to(ends[1]));
            set_size(&mut app, agent, body, LARGE);
            let faster = NavAgent {
                speed: 640.0,
                ..NavAgent::from_radius(LARGE)
            };
            give(&mut app, agent, faster);
            agent
        })
        .collect();
    for _ in 0..(8.0 * hz) as usize {
        tick(&mut app);
    }
    let mut counts = [0, 0];
    for (agent, ends) in agents.iter().zip(places.chunks(2)) {
        let (from, to) = (ends[0], ends[1]);
        let (status, how) = (status(&app, *agent), locomotion(&app, *agent));
        let away = position(&app, *agent).distance(to);
        let reached = reached_by(&app, *agent).len();
        let asked = ask(&mut app, move |nav| {
            let path = nav.path(from, to, LARGE);
            let end = path.map(|path| path.last().map(|end| end.distance(to)));
            (nav.is_reachable(from, to, LARGE), end)
        });
        let is_same = match asked {
            (reachable, Ok(Some(short))) => reachable == Ok(true) && short < 0.1 * LARGE,
            (reachable, _) => reachable == Ok(false),
        };
        let is_same = is_same && asked.1.is_ok() == (status == PathStatus::Found);
        // A body that slips comes to rest beside the goal.
        let is_there = away < 0.25 * LARGE;
        let is_right = match status {
            PathStatus::Found => is_there && reached == 1 && how == Locomotion::Arrived,
            Partial(_) => reached == 0 && how != Locomotion::Arrived,
            _ => reached == 0,
        };
        counts[usize::from(status != PathStatus::Found)] += 1;
        if !is_right || body != Body::Kinematic && !is_same {
            off.push(format!(
                "{seed} {hz} {mode:?} {body:?}: from {from} to {to}, {away} off, {status:?} {how:?}, {reached} events, {asked:?}"
            ));
        }
    }
    counts
}

/// Checks 50 random requests for each seed.
fn check_random_requests(seeds: std::ops::Range<u64>) {
    let (mut off, mut counts) = (Vec::new(), [0, 0]);
    for seed in seeds {
        let mut random = Rng::with_seed(seed);
        let body = BODIES[seed as usize % 3];
        let hz = [20.0, 60.0, 60.0, 144.0][random.usize(..4)];
        let mode = MODES[usize::from(random.usize(..4) == 0)];
        let [there, short] = send_to_places(seed, (hz, mode, body), 50, &mut off);
        counts = [counts[0] + there, counts[1] + short];
    }
    assert!(off.is_empty(), "{off:#?}");
    assert!(
        5 * counts[1] < counts[0],
        "{counts:?} ended at the goal and short of it"
    );
}

#[test]
fn random_requests_end_at_the_goal_or_say_that_they_fall_short() {
    check_random_requests(0..14);
}

/// In this level, the physics stops a body 0.002 world units short of a waypoint beside a wall.
#[test]
fn a_body_that_comes_to_rest_just_before_a_waypoint_goes_on() {
    check_random_requests(140..141);
}

#[test]
#[ignore = "slow"]
fn thousands_of_random_requests_end_at_the_goal_or_say_that_they_fall_short() {
    check_random_requests(100..140);
}

/// A zigzag of baffles through which a very fast agent has to go.
#[derive(Clone, Copy, Debug)]
struct Zigzag {
    hz: f64,
    mode: PlanMode,
    body: Body,
    radius: f32,
    speed: f32,
    /// Distance between two baffles, and width of the gap at the end of a baffle, in agent radii.
    gap: f32,
    is_chase: bool,
}

impl Zigzag {
    fn random(random: &mut Rng) -> Self {
        Self {
            hz: [10.0, 20.0, 30.0, 60.0][random.usize(..4)],
            mode: MODES[random.usize(..2)],
            body: BODIES[random.usize(..3)],
            radius: [4.0, 8.0, 12.0][random.usize(..3)],
            speed: 2_000.0 * 10.0_f32.powf(random.f32()),
            gap: 6.0 + 6.0 * random.f32(),
            is_chase: random.bool(),
        }
    }

    /// Seconds until the agent arrives. `None` if it does not arrive within 10 seconds, or if it crosses a wall.
    fn seconds(&self) -> Option<f64> {
        let mut app = game(self.hz, self.mode);
        lift_speed_cap(&mut app);
        let gap = self.gap * self.radius;
        let (half_height, baffles) = (6.0 * gap, 8);
        let width = gap * (baffles + 1) as f32;
        let bounds = Rect::new(0.0, -half_height, width, half_height);
        spawn_grid(&mut app, bounds, self.radius);
        let half = Vec2::new(0.5 * self.radius, half_height - 0.5 * gap);
        for n in 1..=baffles {
            let side = if n % 2 == 0 { 0.5 } else { -0.5 };
            spawn_wall(&mut app, Vec2::new(gap * n as f32, side * gap), half);
        }
        run_slowly(&mut app, 5);
        let (from, to) = (Vec2::new(0.5 * gap, 0.0), Vec2::new(width - 0.5 * gap, 0.0));
        let agent = spawn_sent(&mut app, self.body, from, to, self.is_chase);
        set_size(&mut app, agent, self.body, self.radius);
        let fast = NavAgent {
            speed: self.speed,
            acceleration: 1e6,
            ..NavAgent::from_radius(self.radius)
        };
        give(&mut app, agent, fast);
        let mut before = from;
        for n in 0..(10.0 * self.hz) as usize {
            if has_arrived(&app, agent) {
                return Some(n as f64 / self.hz);
            }
            tick(&mut app);
            let here = position(&app, agent);
            if !is_line_clear(&mut app, before, here) {
                return None;
            }
            before = here;
        }
        None
    }
}

fn check_zigzags(seeds: std::ops::Range<u64>) {
    let late: Vec<Zigzag> = seeds
        .map(|seed| Zigzag::random(&mut Rng::with_seed(seed)))
        .filter(|zigzag| zigzag.seconds().is_none())
        .collect();
    assert!(late.is_empty(), "{} {late:#?}", late.len());
}

#[test]
fn very_fast_agents_get_through_a_zigzag() {
    check_zigzags(0..20);
}

#[test]
#[ignore = "slow"]
fn many_very_fast_agents_get_through_a_zigzag() {
    check_zigzags(100..180);
}
