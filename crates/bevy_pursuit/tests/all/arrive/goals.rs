//! Very fast agents arrive at few ticks.

use fastrand::Rng;

use crate::common::*;

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
    fn drawn(random: &mut Rng) -> Self {
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

    /// Seconds until the agent arrives. `None` if it does not within 10 seconds, or if it crosses a wall.
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
                println!("{self:?}: through a wall from {before} to {here}");
                return None;
            }
            before = here;
        }
        println!(
            "{self:?}: {before} {:?} {:?} {:?}",
            locomotion(&app, agent),
            status(&app, agent),
            desired(&app, agent)
        );
        None
    }
}

fn check_zigzags(seeds: std::ops::Range<u64>) {
    let late: Vec<Zigzag> = seeds
        .map(|seed| Zigzag::drawn(&mut Rng::with_seed(seed)))
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
