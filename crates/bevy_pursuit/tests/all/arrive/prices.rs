//! An agent that could not get through a place makes other agents choose another way.

use crate::common::*;

/// A wall along the y axis with gates, in units of an eighth of a body radius.
#[derive(Debug)]
struct Walls {
    mode: PlanMode,
    hz: f64,
    body: Body,
    /// Radius of the bodies, in world units.
    radius: f32,
    /// Cell size, in units.
    cell: f32,
    /// The corners of the grid, in units.
    bounds: [f32; 4],
    /// Center and width of each gate, in units, in the order of their centers.
    gates: Vec<(f32, f32)>,
}

impl Walls {
    fn new(mode: PlanMode, body: Body, gates: &[(f32, f32)]) -> Self {
        let top = gates.last().map_or(0.0, |gate| gate.0);
        Self {
            mode,
            hz: 60.0,
            body,
            radius: RADIUS,
            cell: 16.0,
            bounds: [-500.0, -300.0, 500.0, top + 300.0],
            gates: gates.to_vec(),
        }
    }

    fn unit(&self) -> f32 {
        self.radius / 8.0
    }

    fn at(&self, x: f32, y: f32) -> Vec2 {
        Vec2::new(x, y) * self.unit()
    }

    fn build(&self) -> App {
        let mut app = game(self.hz, self.mode);
        let [left, low, right, high] = self.bounds;
        let bounds = Rect::from_corners(self.at(left, low), self.at(right, high));
        let mut grid = nav_grid(bounds, 0.5 * self.cell * self.unit());
        // Twice the radius of the body.
        grid.max_clearance_cells = grid.max_clearance_cells.max(16.0 / self.cell);
        spawn(&mut app, grid);
        let ends = self.gates.iter().map(|(y, width)| y - 0.5 * width);
        let begins = self.gates.iter().map(|(y, width)| y + 0.5 * width);
        let walls = [low].into_iter().chain(begins).zip(ends.chain([high]));
        for (from, to) in walls {
            let center = self.at(0.0, 0.5 * (from + to));
            spawn_wall(&mut app, center, self.at(8.0, 0.5 * (to - from)));
        }
        run(&mut app, 3);
        app
    }

    /// A body that the grid does not contain.
    fn spawn_crate(&self, app: &mut App, center: Vec2, half_size: Vec2) -> Entity {
        let shape = Collider::cuboid(half_size.x, half_size.y);
        let fixed = (RigidBody::Dynamic, LockedAxes::all());
        spawn(app, (fixed, shape, transform_at(center)))
    }

    fn spawn_agent(&self, app: &mut App, at: Vec2, rest: impl Bundle) -> Entity {
        let agent = spawn_agent(app, self.body, at);
        let own = NavAgent::from_radius(self.radius);
        give(app, agent, own);
        if self.body != Body::Transform {
            give(app, agent, Collider::ball(self.radius));
        }
        give(app, agent, rest);
        agent
    }

    fn ticks(&self, seconds: f32) -> usize {
        (f64::from(seconds) * self.hz) as usize
    }
}

/// Counts how often agents come near a place, and leave it again or arrive.
struct Visits {
    place: Vec2,
    near: f32,
    inside: Vec<bool>,
    count: Vec<usize>,
}

impl Visits {
    fn new(place: Vec2, near: f32, agents: usize) -> Self {
        Self {
            place,
            near,
            inside: vec![false; agents],
            count: vec![0; agents],
        }
    }

    fn note(&mut self, app: &App, agents: &[Entity]) {
        for (index, agent) in agents.iter().enumerate() {
            let away = position(app, *agent).distance(self.place);
            let is_in = away < self.near || self.inside[index] && away < 2.0 * self.near;
            self.count[index] += usize::from(is_in && !self.inside[index]);
            self.inside[index] = is_in;
        }
    }
}

/// Moves the target up and down, `swing` units to either side of the middle, at 40 units per second.
fn swing(walls: &Walls, app: &mut App, target: Entity, (middle, swing): (Vec2, f32), tick: usize) {
    let walked = 40.0 * (tick as f64 / walls.hz) as f32;
    let phase = (walked / (2.0 * swing).max(1.0)) % 2.0;
    let y = if phase < 1.0 {
        2.0 * phase - 1.0
    } else {
        3.0 - 2.0 * phase
    };
    let offset = walls.at(0.0, swing * y);
    set_position(app, target, middle + offset);
}

/// Sends `count` chasers, `apart` seconds apart, to a target behind a gate that a crate bars. Returns the time until
/// all have arrived, in seconds, the visits of each to the crate, and the searches per second and agent.
fn chase_past_bar(
    walls: &Walls,
    (count, apart): (usize, f32),
    (y, swings): (f32, f32),
    seconds: f32,
) -> (f32, Vec<usize>, f32) {
    let mut app = walls.build();
    let middle = walls.at(300.0, y);
    let target = spawn_target(&mut app, middle);
    let gate = walls.gates[0];
    let half = walls.at(8.0, 0.5 * gate.1);
    walls.spawn_crate(&mut app, walls.at(0.0, gate.0), half);
    let mut agents = Vec::new();
    let mut visits = Visits::new(walls.at(-16.0, gate.0), 4.0 * walls.radius, count);
    let before = searches(&app);
    let mut at = None;
    for tick in 0..walls.ticks(seconds) {
        if agents.len() < count && tick >= walls.ticks(apart * agents.len() as f32) {
            let start = walls.at(-300.0, 0.0);
            agents.push(walls.spawn_agent(&mut app, start, Chase::new(target)));
        }
        swing(walls, &mut app, target, (middle, swings), tick);
        app.update();
        if walls.mode == PlanMode::Async {
            let_tasks_run();
        }
        visits.note(&app, &agents);
        let goal = position(&app, target);
        let is_near = |agent: Entity| position(&app, agent).distance(goal) < 10.0 * walls.radius;
        let is_done = |agent: &Entity| has_arrived_or_settled(&app, *agent) || is_near(*agent);
        if agents.len() == count && agents.iter().all(is_done) {
            at = Some(tick as f32 / walls.hz as f32);
            break;
        }
    }
    let time = at.unwrap_or(f32::INFINITY);
    let asked = (searches(&app) - before) as f32 / count as f32 / time.min(seconds);
    (time, visits.count, asked)
}

#[test]
fn a_barred_gate_costs_one_visit() {
    let gates = [(0.0, 40.0), (400.0, 40.0)];
    for (mode, body) in [
        (PlanMode::Inline, Body::Dynamic),
        (PlanMode::Inline, Body::Kinematic),
        (PlanMode::Async, Body::Dynamic),
    ] {
        for (y, swings) in [(0.0, 60.0), (150.0, 60.0), (0.0, 0.0)] {
            let walls = Walls::new(mode, body, &gates);
            let (time, visits, asked) = chase_past_bar(&walls, (1, 0.0), (y, swings), 40.0);
            let context =
                format!("{mode:?} {body:?} y {y} swing {swings}: {asked} searches a second");
            assert!(time < 11.0 && asked <= 2.0, "{context}, {time} s");
            assert_eq!(visits, [1], "{context}");
        }
    }
}

#[test]
fn later_chasers_avoid_a_gate_that_barred_an_earlier_one() {
    let gates = [(0.0, 40.0), (400.0, 40.0)];
    for (mode, apart) in [
        (PlanMode::Inline, 1.0),
        (PlanMode::Async, 1.0),
        (PlanMode::Inline, 0.2),
    ] {
        for swings in [60.0, 0.0] {
            let walls = Walls::new(mode, Body::Dynamic, &gates);
            let (time, visits, asked) = chase_past_bar(&walls, (8, apart), (0.0, swings), 60.0);
            let context = format!("{mode:?} {apart} apart, swing {swings}: visits {visits:?}");
            assert!(time < 17.0, "{context}, {time} s");
            assert!(asked <= 2.0, "{context}, {asked} searches a second");
            assert!(visits.iter().all(|count| *count <= 1), "{context}");
            let total: usize = visits.iter().sum();
            assert!(apart < 1.0 || total <= 4, "{context}");
        }
    }
}

/// What stands in a door.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plug {
    Arrived,
    Paused,
    Idle,
    Obstacle,
    Crate,
}

fn spawn_plug(walls: &Walls, app: &mut App, plug: Plug, at: Vec2) -> Entity {
    match plug {
        Plug::Arrived => walls.spawn_agent(app, at, PathRequest::to(at)),
        Plug::Paused => walls.spawn_agent(app, at, (PathRequest::to(at + 40.0), NavPaused)),
        Plug::Idle => walls.spawn_agent(app, at, ()),
        Plug::Obstacle => {
            let radius = walls.radius;
            spawn(app, (transform_at(at), CrowdObstacle { radius }))
        }
        Plug::Crate => {
            let half = walls.at(8.0, 0.5 * walls.gates[0].1);
            walls.spawn_crate(app, at, half)
        }
    }
}

#[test]
fn a_body_that_stands_in_a_door_is_passed_by_another_door() {
    for plug in [Plug::Arrived, Plug::Paused, Plug::Idle, Plug::Obstacle] {
        for (body, is_chase, solid) in [
            (Body::Transform, false, false),
            (Body::Dynamic, true, false),
            (Body::Kinematic, false, false),
            (Body::Kinematic, true, true),
            (Body::Kinematic, false, true),
            (Body::Dynamic, false, true),
        ] {
            let walls = Walls {
                cell: 8.0,
                bounds: [-300.0, -100.0, 300.0, 300.0],
                ..Walls::new(PlanMode::Inline, body, &[(0.0, 24.0), (200.0, 24.0)])
            };
            let mut app = walls.build();
            let one = spawn_plug(&walls, &mut app, plug, walls.at(0.0, 0.0));
            if solid && plug != Plug::Obstacle {
                remove::<CollisionGroups>(&mut app, one);
            }
            run(&mut app, 30);
            let (from, to) = (walls.at(-150.0, 0.0), walls.at(150.0, 0.0));
            let agent = walls.spawn_agent(&mut app, from, ());
            if solid {
                remove::<CollisionGroups>(&mut app, agent);
            }
            if is_chase {
                let target = spawn_target(&mut app, to);
                give(&mut app, agent, Chase::new(target));
            } else {
                give(&mut app, agent, PathRequest::to(to));
            }
            let before = searches(&app);
            let mut ticks = 0;
            while ticks < 2400 && !has_arrived(&app, agent) {
                app.update();
                ticks += 1;
            }
            let time = ticks as f32 / 60.0;
            let asked = (searches(&app) - before) as f32 / time;
            let context = format!("{plug:?} {body:?}, chase {is_chase}, solid {solid}");
            assert!(
                time < 8.0 && asked <= 2.0,
                "{context}: {time} s, {asked} searches a second"
            );
        }
    }
}

#[test]
fn agents_leave_a_detour_when_its_blocker_is_gone() {
    for plug in [Plug::Crate, Plug::Idle, Plug::Obstacle, Plug::Paused] {
        for (leaves, moves) in [(2.5, false), (1.6, false), (2.5, true)] {
            let walls = Walls::new(
                PlanMode::Inline,
                Body::Dynamic,
                &[(0.0, 40.0), (400.0, 40.0)],
            );
            let walls = match plug {
                Plug::Crate => walls,
                _ => Walls {
                    cell: 8.0,
                    gates: vec![(0.0, 24.0), (400.0, 40.0)],
                    ..walls
                },
            };
            let mut app = walls.build();
            let bar = spawn_plug(&walls, &mut app, plug, walls.at(0.0, 0.0));
            let (from, to) = (walls.at(-300.0, 0.0), walls.at(300.0, 0.0));
            let agent = walls.spawn_agent(&mut app, from, PathRequest::to(to));
            let mut contact = None;
            let (mut ticks, mut away) = (0, 0.0);
            while ticks < 2400 && !has_arrived(&app, agent) {
                app.update();
                let here = position(&app, agent);
                if contact.is_none() && here.x > walls.at(-27.0, 0.0).x {
                    contact = Some(ticks);
                }
                if contact.is_some_and(|contact| ticks == contact + walls.ticks(leaves)) {
                    away = here.distance(walls.at(0.0, 0.0)) / walls.unit();
                    match moves {
                        true => set_position(&mut app, bar, walls.at(-400.0, -250.0)),
                        false => despawn(&mut app, bar),
                    }
                }
                ticks += 1;
            }
            let time = ticks as f32 / 60.0;
            // At 160 units per second, the way back costs as much as the way that is already walked.
            let latest = contact.map_or(0.0, |contact| contact as f32 / 60.0) + leaves + 3.0;
            let latest = (latest + away / 80.0).min(9.0);
            let context = format!("{plug:?} after {leaves} s, moves {moves}: {away} away");
            assert!(time < latest, "{context}: {time} s, expected {latest}");
        }
    }
}

#[test]
fn any_barred_gate_costs_one_visit() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mode = MODES[random.usize(0..2)];
        let body = [Body::Kinematic, Body::Dynamic][random.usize(0..2)];
        let width = 24.0 + 60.0 * random.f32();
        let other = 120.0 + 400.0 * random.f32();
        let walls = Walls {
            hz: [20.0, 30.0, 60.0, 120.0, 240.0][random.usize(0..5)],
            radius: [0.25, 0.4, 1.0][random.usize(0..3)],
            cell: [8.0, 12.0, 16.0][random.usize(0..3)],
            ..Walls::new(
                mode,
                body,
                &[(0.0, width), (other, 44.0 + 40.0 * random.f32())],
            )
        };
        let (y, swings) = (200.0 * random.f32() - 50.0, 80.0 * random.f32());
        let (time, visits, asked) = chase_past_bar(&walls, (1, 0.0), (y, swings), 30.0);
        let way = 300.0 + other + 300.0_f32.hypot(other - y);
        let context = format!(
            "{seed}: {mode:?} {body:?} at {} Hz, radius {}, cell {}, width {width}, other {other}",
            walls.hz, walls.radius, walls.cell
        );
        assert!(time < way / 160.0 + 5.0, "{context}: {time} s");
        assert!(
            visits[0] <= 1 && asked <= 2.0,
            "{context}: {visits:?}, {asked} searches"
        );
    }
}

#[test]
fn a_horde_on_a_field_is_led_around_a_barred_gate() {
    let gates = [(0.0, 64.0), (400.0, 64.0)];
    let walls = Walls::new(PlanMode::Inline, Body::Dynamic, &gates);
    let mut app = walls.build();
    let target = spawn_target(&mut app, walls.at(300.0, 0.0));
    walls.spawn_crate(&mut app, walls.at(0.0, 0.0), walls.at(8.0, 32.0));
    let starts = (0..110).map(|n| (18.0 * (n % 11) as f32, 18.0 * (n / 11) as f32));
    let agents: Vec<Entity> = starts
        .map(|(x, y)| {
            let at = walls.at(x - 450.0, y - 90.0);
            walls.spawn_agent(&mut app, at, Chase::new(target))
        })
        .collect();
    run_until(&mut app, walls.ticks(25.0), |app| {
        agents.iter().all(|agent| position(app, *agent).x > 0.0)
    });
    assert_eq!(events(&app).stuck, []);
}

/// A random scene with the given gates.
fn random_walls(random: &mut fastrand::Rng, body: Body, gates: &[(f32, f32)]) -> Walls {
    Walls {
        hz: [20.0, 60.0, 144.0, 240.0][random.usize(0..4)],
        radius: [0.25, 0.4, 1.0, 8.0][random.usize(0..4)],
        cell: [8.0, 12.0, 16.0][random.usize(0..3)],
        ..Walls::new(MODES[random.usize(0..2)], body, gates)
    }
}

/// Runs until the agent arrives. Returns the time in seconds, the length of the agent's way in eighths of a body
/// radius, and the number of searches per second.
fn time_of(walls: &Walls, app: &mut App, agent: Entity, seconds: f32) -> (f32, f32, f32) {
    let before = searches(app);
    let (mut ticks, mut way, mut here) = (0, 0.0, position(app, agent));
    while ticks < walls.ticks(seconds) && !has_arrived(app, agent) {
        tick(app);
        let there = position(app, agent);
        way += here.distance(there) / walls.unit();
        here = there;
        ticks += 1;
    }
    let time = ticks as f32 / walls.hz as f32;
    (time, way, (searches(app) - before) as f32 / time)
}

/// Checks that an agent gets around a crate in the open that is 5 to 40 radii wide.
fn check_wide_crate(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let body = [Body::Kinematic, Body::Dynamic][random.usize(0..2)];
    let width = 40.0 + 280.0 * random.f32();
    let walls = Walls {
        bounds: [-500.0, -500.0, 500.0, 500.0],
        ..random_walls(&mut random, body, &[(0.0, 980.0)])
    };
    let mut app = walls.build();
    let offset = 0.5 * width * (2.0 * random.f32() - 1.0);
    walls.spawn_crate(&mut app, walls.at(0.0, offset), walls.at(8.0, 0.5 * width));
    let target = spawn_target(&mut app, walls.at(250.0, 60.0 * random.f32() - 30.0));
    let agent = walls.spawn_agent(&mut app, walls.at(-250.0, 0.0), Chase::new(target));
    let least = 500.0 + width - 2.0 * offset.abs();
    let (time, way, asked) = time_of(&walls, &mut app, agent, 60.0);
    let context = format!(
        "seed {seed}, {walls:?}, width {width:.0}, offset {offset:.0}: {time:.1} s, way {way:.0} of {least:.0}, {asked} searches a second",
    );
    assert!(time < 60.0 && asked <= 2.0, "{context}");
}

/// Checks that an agent takes the second of two doors if a body stands in the first one.
fn check_plug(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let body = BODIES[random.usize(0..3)];
    let plugs = [Plug::Arrived, Plug::Paused, Plug::Idle, Plug::Obstacle];
    let plug = plugs[random.usize(0..4)];
    let (width, other) = (24.0 + 8.0 * random.f32(), 120.0 + 280.0 * random.f32());
    let walls = Walls {
        cell: [4.0, 8.0][random.usize(0..2)],
        ..random_walls(&mut random, body, &[(0.0, width), (other, 40.0)])
    };
    let mut app = walls.build();
    let one = spawn_plug(&walls, &mut app, plug, walls.at(0.0, 0.0));
    let solid = plug != Plug::Obstacle && random.bool();
    if solid {
        remove::<CollisionGroups>(&mut app, one);
    }
    run(&mut app, 30);
    let to = walls.at(150.0, 0.0);
    let agent = walls.spawn_agent(&mut app, walls.at(-150.0, 0.0), ());
    if solid {
        remove::<CollisionGroups>(&mut app, agent);
    }
    if random.bool() {
        let target = spawn_target(&mut app, to);
        give(&mut app, agent, Chase::new(target));
    } else {
        give(&mut app, agent, PathRequest::to(to));
        // The agent may push the body to the goal, and then stands behind it.
        get_mut::<NavAgent>(&mut app, agent).reach = Some(walls.radius);
    }
    let (time, _, asked) = time_of(&walls, &mut app, agent, 60.0);
    let context = format!(
        "seed {seed}, {walls:?}, {plug:?}, solid {solid}: {time} s, {asked} searches a second"
    );
    assert!(
        time < (150.0 + 2.0 * other + 150.0) / 160.0 + 5.0 && asked <= 2.0,
        "{context}"
    );
}

/// Checks that an agent on a detour turns back when the body that stood in the first of two doors leaves. Returns
/// whether there was a detour: an agent may push an idle body through the door instead.
fn check_left_detour(seed: u64) -> bool {
    let mut random = fastrand::Rng::with_seed(seed);
    let body = BODIES[random.usize(0..3)];
    let plugs = [
        Plug::Arrived,
        Plug::Paused,
        Plug::Idle,
        Plug::Obstacle,
        Plug::Crate,
    ];
    let plug = match body {
        Body::Transform => plugs[random.usize(0..4)],
        _ => plugs[random.usize(0..5)],
    };
    let other = 500.0 + 300.0 * random.f32();
    let walls = Walls {
        cell: 8.0,
        ..random_walls(&mut random, body, &[(0.0, 24.0), (other, 40.0)])
    };
    let mut app = walls.build();
    let bar = spawn_plug(&walls, &mut app, plug, walls.at(0.0, 0.0));
    let agent = walls.spawn_agent(
        &mut app,
        walls.at(-150.0, 0.0),
        PathRequest::to(walls.at(150.0, 0.0)),
    );
    let (mut ticks, mut gone) = (0, None);
    let turn = 40.0 + 160.0 * random.f32();
    while ticks < walls.ticks(30.0) && !has_arrived(&app, agent) {
        tick(&mut app);
        ticks += 1;
        let away = position(&app, agent).y / walls.unit();
        if gone.is_none() && away > turn {
            gone = Some(ticks);
            match random.bool() {
                true => set_position(&mut app, bar, walls.at(-400.0, -250.0)),
                false => despawn(&mut app, bar),
            }
        }
    }
    let is_pushed = gone.is_none() && has_arrived(&app, agent) && plug == Plug::Idle;
    if is_pushed {
        return false;
    }
    let after = (ticks - gone.unwrap_or(0)) as f32 / walls.hz as f32;
    let context = format!("seed {seed}, {walls:?}, {plug:?}: {after} s after it left at {turn}");
    // The time for the way back, and two seconds for looking and turning.
    assert!(
        has_arrived(&app, agent) && after < (turn + 60.0 + 180.0) / 160.0 + 2.0,
        "{context}"
    );
    true
}

#[test]
fn agents_get_past_random_blockers() {
    for seed in 0..4 {
        check_wide_crate(seed);
        check_plug(seed);
    }
}

#[test]
fn agents_leave_random_detours_when_the_blocker_is_gone() {
    assert!(
        (0..20).filter(|seed| check_left_detour(*seed)).count() > 12,
        "too few scenes had a detour"
    );
}

#[test]
#[ignore = "takes a minute"]
fn agents_get_past_many_random_blockers() {
    (0..20).for_each(check_plug);
    assert!(
        (20..120).filter(|seed| check_left_detour(*seed)).count() > 60,
        "too few scenes had a detour"
    );
}

#[test]
#[ignore = "takes a minute"]
fn agents_get_around_many_random_crates() {
    (0..40).for_each(check_wide_crate);
}

/// The plug is stuck at a crate that the look for blockers does not see.
#[test]
fn agents_leave_a_detour_when_a_stuck_blocker_walks_on() {
    for body in [Body::Dynamic, Body::Kinematic] {
        let walls = Walls {
            cell: 8.0,
            ..Walls::new(PlanMode::Inline, body, &[(0.0, 24.0), (600.0, 40.0)])
        };
        let mut app = walls.build();
        let bar = walls.spawn_crate(&mut app, walls.at(18.0, 0.0), walls.at(8.0, 12.0));
        let way_on = PathRequest::to(walls.at(300.0, -100.0));
        let plug = walls.spawn_agent(&mut app, walls.at(0.0, 0.0), (way_on, NavAvoidance::None));
        let agent = walls.spawn_agent(
            &mut app,
            walls.at(-300.0, 0.0),
            PathRequest::to(walls.at(300.0, 0.0)),
        );
        for one in [plug, agent] {
            remove::<CollisionGroups>(&mut app, one);
        }
        let (mut ticks, mut gone) = (0, None);
        while ticks < 1200 && !has_arrived(&app, agent) {
            app.update();
            ticks += 1;
            let here = position(&app, agent) / walls.unit();
            if gone.is_none() && here.y > 150.0 {
                gone = Some(ticks);
                despawn(&mut app, bar);
            }
        }
        let after = gone.map(|gone| (ticks - gone) as f32 / 60.0);
        assert!(
            after.is_some_and(|after| after < 6.0),
            "{body:?}: {after:?} s after the blocker left"
        );
    }
}

/// A game with a price: an agent with the given kind of body is led around a crate in the first of two gates.
fn game_with_price(body: Body, cell: f32) -> (Walls, App) {
    let gates = [(0.0, 40.0), (400.0, 40.0)];
    let walls = Walls {
        cell,
        ..Walls::new(PlanMode::Inline, body, &gates)
    };
    let mut app = walls.build();
    walls.spawn_crate(&mut app, walls.at(0.0, 0.0), walls.at(8.0, 20.0));
    let goal = PathRequest::to(walls.at(300.0, 0.0));
    let agent = walls.spawn_agent(&mut app, walls.at(-300.0, 0.0), goal);
    run_until(&mut app, 600, |app| {
        position(app, agent).y > 100.0 * walls.unit()
    });
    (walls, app)
}

#[test]
fn a_price_binds_all_kinds_of_bodies_of_one_size_and_paths_of_navigation() {
    for noted_by in [Body::Kinematic, Body::Dynamic] {
        for body in BODIES {
            let (mut walls, mut app) = game_with_price(noted_by, 16.0);
            walls.body = body;
            let (from, to) = (walls.at(-300.0, 0.0), walls.at(300.0, 0.0));
            let one = walls.spawn_agent(&mut app, from, PathRequest::to(to));
            run(&mut app, 1);
            let path: NavPath = get(&app, one);
            let context = format!("{body:?} after {noted_by:?}");
            let planned: Vec<Vec2> = path.waypoints().map(|point| point.truncate()).collect();
            let is_led_around =
                |points: &[Vec2]| points.iter().any(|point| point.y > 200.0 * walls.unit());
            assert!(is_led_around(&planned), "{context}: {planned:?}");
            let own = path.body();
            assert_eq!(
                ask(&mut app, move |nav| nav.path(from, to, own)),
                Ok(planned),
                "{context}"
            );
            let radius = walls.radius;
            let [same, narrower] = [radius, 0.5 * radius].map(|radius| {
                ask(&mut app, move |nav| nav.path(from, to, radius)).expect("a path")
            });
            assert!(
                is_led_around(&same) && !is_led_around(&narrower),
                "{context}"
            );
        }
    }
}

/// Number of cells that some searches expand. A price in the first gate does not concern these searches: it does not
/// bind the body, or the path does not cross its disc.
fn cells_expanded(walls: &Walls, app: &mut App) -> u64 {
    let before = stats(app).cells_expanded;
    for (from, to, radius) in [
        ((-300.0, 250.0), (300.0, 250.0), 8.0),
        ((-300.0, 600.0), (300.0, 300.0), 8.0),
        ((-300.0, -100.0), (300.0, 20.0), 7.0),
        ((-100.0, 100.0), (200.0, 0.0), 4.0),
    ] {
        let [from, to] = [from, to].map(|(x, y)| walls.at(x, y));
        let one = walls.spawn_agent(app, from, PathRequest::to(to));
        give(app, one, NavAgent::from_radius(radius * walls.unit()));
        run(app, 1);
        assert_eq!(times_found(app, one), 1);
    }
    stats(app).cells_expanded - before
}

fn check_cost_of_price(cell: f32) {
    let gates = [(0.0, 40.0), (400.0, 40.0)];
    let plain = Walls {
        cell,
        ..Walls::new(PlanMode::Inline, Body::Transform, &gates)
    };
    let mut app = plain.build();
    let usual = cells_expanded(&plain, &mut app);
    assert!(usual > 0);
    let (mut walls, mut app) = game_with_price(Body::Dynamic, cell);
    walls.body = Body::Transform;
    assert_eq!(cells_expanded(&walls, &mut app), usual);
}

#[test]
fn a_live_price_does_not_change_searches_that_it_does_not_concern() {
    check_cost_of_price(8.0);
}

#[test]
#[ignore = "bakes a large grid"]
fn a_live_price_on_a_large_grid_does_not_change_other_searches() {
    check_cost_of_price(1000.0 / 1024.0);
}

#[test]
fn a_new_price_keeps_the_map_and_makes_no_other_agent_search() {
    let gates = [(0.0, 40.0), (400.0, 40.0)];
    let walls = Walls::new(PlanMode::Inline, Body::Dynamic, &gates);
    let mut app = walls.build();
    walls.spawn_crate(&mut app, walls.at(0.0, 0.0), walls.at(8.0, 20.0));
    let grid = grid_entity(&mut app);
    let snapshot = |app: &App| {
        app.world()
            .get::<BakedGrid>(grid)
            .and_then(|it| it.snapshot().cloned())
    };
    let before = snapshot(&app).expect("a map");
    let goal = PathRequest::to(walls.at(300.0, 0.0));
    let stuck = walls.spawn_agent(&mut app, walls.at(-150.0, 0.0), goal);
    let others: Vec<Entity> = [(-450.0, 650.0), (-450.0, 250.0), (-450.0, 550.0)]
        .map(|(x, y)| {
            walls.spawn_agent(
                &mut app,
                walls.at(x, y),
                PathRequest::to(walls.at(450.0, y)),
            )
        })
        .into();
    run_until(&mut app, 600, |app| {
        position(app, stuck).y > 100.0 * walls.unit()
    });
    assert!(Arc::ptr_eq(&before, &snapshot(&app).expect("a map")));
    assert_eq!(searches(&app), 2 + others.len() as u64);
    let walked: Vec<usize> = others.iter().map(|one| times_found(&app, *one)).collect();
    assert_eq!(walked, [1; 3]);
}
