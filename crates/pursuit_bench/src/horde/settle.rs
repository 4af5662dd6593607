//! Measures a crowd that walks to a target and stands there: how soon, how still and how densely it stands, and how
//! soon it follows a target that leaves.

use bevy::prelude::*;
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::near::median_spacing;
use super::site::{LEAVE_SECONDS, Site};
use super::target_field::TargetField;
use super::world::{Avoidance, Bodies, HordeAgents, Positions, RADIUS, Target, spawn};
use crate::chase::world::PLAYER_SPEED_FRACTION;
use crate::error::BenchError;
use crate::game::pools::Pools;
use crate::game::walls::WallBoxes;
use crate::game::{self, Mode};
use crate::numbers::agents;
use crate::report::{Report, joined, not_zero};
use crate::samples::Samples;

/// An agent stands if it moves less than this distance between two checks, in radii.
const MAX_STANDING_MOTION_RADII: f32 = 0.05;
/// Time between two checks, in seconds.
const STANDING_CHECK_SECONDS: f64 = 0.25;
/// The crowd stands if 99 % of the agents stand in this number of consecutive checks.
const STANDING_CHECKS: usize = 8;
/// Maximum time until the crowd stands, in seconds.
const MAX_WAIT_SECONDS: f64 = 120.0;
/// Time for which a standing crowd is watched, in seconds.
const WATCH_SECONDS: f64 = 10.0;

pub(crate) use super::site::SettleScene;

/// The options of `settle`.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct SettlePlan {
    /// Where the target is.
    #[arg(long, value_enum)]
    pub(crate) scene: SettleScene,
    /// Number of agents.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = agents())]
    pub(crate) agents: usize,
    /// Seed of the starts.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) bodies: Bodies,
}

/// Lets the crowd walk to the target and stand there. If the target leaves, the crowd follows it.
pub(crate) fn run(plan: &SettlePlan) -> Result<Report, BenchError> {
    let kind = HordeAgents::new(Avoidance::Separation, RADIUS, plan.bodies);
    let site = Site::new(plan.scene, kind.largest(), plan.agents)?;
    let walls = WallBoxes::of(&site.level);
    let starts = site.starts(&walls, kind.largest(), plan.agents, plan.seed);
    let ideal = site.ideal(&walls, plan.agents);
    let ideal = ideal.filter(|_| starts.len() == plan.agents);
    let (mean, farthest) = ideal.ok_or_else(|| BenchError::of("no room for that many agents"))?;
    let mut app = game::app_at(plan.bodies.rate, Mode::Inline, &Pools::default(), &walls);
    spawn(&mut app, kind, site.target, &starts);
    game::start(&mut app);
    app.update();
    let mut crowd = WatchedCrowd {
        app,
        walls,
        kind,
        positions: Positions {
            places: starts,
            ..Positions::default()
        },
    };
    let settled = crowd.until_all_stand();
    let path = crowd.path(WATCH_SECONDS);
    let spacing = median_spacing(&crowd.positions.places, |number| kind.radius_of(number));
    let away = crowd.positions.places.iter();
    let away = away.map(|place| f64::from(place.distance(site.target)));
    let away: Samples = away.collect();
    let of_ideal =
        |away: Option<f64>, ideal| away.filter(|_| !plan.bodies.mixed).map(|it| it / ideal);
    let left = (plan.scene == SettleScene::Leaves).then(|| crowd.until_all_left(site.target));
    let mut target_field = TargetField::new(&site.level, RADIUS);
    target_field.lead_to(site.target);
    let seconds = |tick: usize| tick as f64 / plan.bodies.rate;
    let figures = json!({
        // Median distance to the nearest neighbor, in diameters: sums of the two radii.
        "spacing_diameters": spacing,
        // Distance of the farthest agent from the target, and mean distance of all agents. Both are divided by the
        // distances in an ideal crowd: a hexagonal lattice of bodies that touch, as close to the target as there is
        // room. `null` for mixed radii.
        "extent": of_ideal(away.max(), farthest),
        "mean_distance_of_ideal": of_ideal(away.mean(), mean),
        // Time of one step of a point along a field, in nanoseconds. It shows how fast the machine is.
        "anchor_ns": target_field.anchor_ns(),
        // Time until 99 % of the agents stand, and continue to do so for two seconds.
        "seconds_to_99_percent": settled.map(seconds),
        // Mean speed of an agent in the ten seconds after the crowd stands.
        "path_radii_per_second": path,
        // The target leaves at 0.6 times the agents' speed. Time after that until the first agent has moved by a
        // radius, and until all agents have.
        "seconds_to_follow": left.and_then(|left| left.0).map(seconds),
        "seconds_to_break_up": left.and_then(|left| left.1).map(seconds),
        // Number of agent-ticks with a wall closer to the center than 0.98 radii.
        "wall_overlaps": crowd.positions.wall_overlaps,
        "positions_hash": crowd.positions.hash.hex(),
    });
    let figures = joined(json!(plan), figures);
    let mut faults = not_zero(
        &figures,
        &[("wall_overlaps", "too close to walls {} times")],
    );
    if settled.is_none() {
        faults.push("the crowd does not stand".to_string());
    }
    Ok(Report { figures, faults })
}

/// A game with a crowd, and its measurements.
struct WatchedCrowd {
    app: App,
    walls: WallBoxes,
    kind: HordeAgents,
    positions: Positions,
}

impl WatchedCrowd {
    fn ticks(&self, seconds: f64) -> usize {
        (seconds * self.kind.bodies.rate).round() as usize
    }

    fn tick(&mut self) {
        self.app.update();
        let wall_distance = |place, radius| self.walls.clearance(place, radius);
        (self.positions).read(self.app.world_mut(), &self.kind, wall_distance);
    }

    /// The tick after which 99 % of the agents stand. `None` if they do not stand within the maximum time.
    fn until_all_stand(&mut self) -> Option<usize> {
        let mut before = self.positions.places.clone();
        let mut rested = 0;
        let (max_ticks, still) = (
            self.ticks(MAX_WAIT_SECONDS),
            self.ticks(STANDING_CHECK_SECONDS).max(1),
        );
        for tick in 1..=max_ticks {
            self.tick();
            if !tick.is_multiple_of(still) {
                continue;
            }
            let standing = standing(&before, &self.positions.places);
            before.clone_from(&self.positions.places);
            rested = if standing >= 0.99 { rested + 1 } else { 0 };
            if rested == STANDING_CHECKS {
                return Some(tick - STANDING_CHECKS * still);
            }
        }
        None
    }

    /// Plays for `seconds`. Returns the mean speed of an agent, in radii per second.
    fn path(&mut self, seconds: f64) -> f64 {
        let mut sum = 0.0;
        for _ in 0..self.ticks(seconds) {
            let before = self.positions.places.clone();
            self.tick();
            let steps = before.iter().zip(&self.positions.places);
            sum += steps
                .map(|(from, to)| f64::from(from.distance(*to)))
                .sum::<f64>();
        }
        sum / f64::from(RADIUS) / self.positions.places.len() as f64 / seconds
    }

    /// Lets the target leave. Returns the ticks in which the first agent and the last agent have left their places.
    fn until_all_left(&mut self, target: Vec2) -> (Option<usize>, Option<usize>) {
        let from = self.positions.places.clone();
        let mut has_left = vec![false; from.len()];
        let (mut first, mut place) = (None, target);
        let step = PLAYER_SPEED_FRACTION * self.kind.speed() / self.kind.bodies.rate as f32;
        for tick in 1..=self.ticks(LEAVE_SECONDS as f64) {
            place.x += step;
            let world = self.app.world_mut();
            let mut targets = world.query_filtered::<&mut Transform, With<Target>>();
            for mut target in targets.iter_mut(world) {
                target.translation = place.extend(0.0);
            }
            self.tick();
            let both = from.iter().zip(&self.positions.places);
            for (left, (from, now)) in has_left.iter_mut().zip(both) {
                *left |= from.distance(*now) > RADIUS;
            }
            first = first.or_else(|| has_left.contains(&true).then_some(tick));
            if !has_left.contains(&false) {
                return (first, Some(tick));
            }
        }
        (first, None)
    }
}

/// The fraction of the agents that stand, judging by their positions before and now.
fn standing(before: &[Vec2], now: &[Vec2]) -> f64 {
    let both = before.iter().zip(now);
    let still = both.filter(|(from, to)| from.distance(**to) < MAX_STANDING_MOTION_RADII * RADIUS);
    still.count() as f64 / now.len() as f64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{SettlePlan, SettleScene, run, standing};
    use crate::horde::Bodies;
    use crate::horde::world::RADIUS;
    use bevy::math::Vec2;

    pub(crate) fn plan(scene: SettleScene) -> SettlePlan {
        SettlePlan {
            scene,
            agents: 30,
            seed: 1,
            bodies: Bodies::PLAIN,
        }
    }

    #[test]
    fn a_settled_crowd_stands_and_follows_a_leaving_target() {
        let report = run(&plan(SettleScene::Leaves)).unwrap();
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let figure = |key: &str| report.figures[key].as_f64();
        assert!(
            figure("path_radii_per_second").is_some_and(|it| it < 0.1),
            "{report:?}"
        );
        assert!(
            (0.9..1.1).contains(&figure("spacing_diameters").unwrap()),
            "{report:?}"
        );
        assert!(
            (0.9..2.0).contains(&figure("mean_distance_of_ideal").unwrap()),
            "{report:?}"
        );
        assert!(
            figure("seconds_to_follow") > Some(0.0)
                && figure("seconds_to_follow") <= figure("seconds_to_break_up"),
            "{report:?}"
        );
        assert!(
            figure("seconds_to_break_up").is_some_and(|it| it < 8.0),
            "{report:?}"
        );
    }

    #[test]
    fn agents_that_move_less_than_a_twentieth_of_their_radius_are_standing() {
        let from = [Vec2::ZERO; 4];
        let now = [0.0, 0.04, 0.06, 1.0].map(|radii| Vec2::new(radii * RADIUS, 0.0));
        assert_eq!(standing(&from, &now), 0.5);
    }
}
