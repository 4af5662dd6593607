//! Measures how agents pass a door, in several rooms.

use bevy::math::{Rect, Vec2};
use bevy::prelude::*;
use clap::Args;
use fastrand::Rng;
use pursuit::Grid;
use serde::Serialize;
use serde_json::json;

use super::near::{Closeness, lattice};
use super::target_field::TargetField;
use super::world::{Avoidance, Bodies, HordeAgents, HordeMember, Positions, spawn};
use crate::error::BenchError;
use crate::game::pools::Pools;
use crate::game::positions::Hash;
use crate::game::walls::{WallBoxes, distance_to};
use crate::game::{self, Mode};
use crate::numbers::{agents, at_least_one, positive};
use crate::report::{Report, joined, not_zero, short};
use crate::samples::Samples;

/// Columns and rows of the room in front of the door.
const FRONT_SIZE: (u32, u32) = (60, 41);
/// Columns of the room behind the door.
const BACK_WIDTH: u32 = 30;
/// An agent has passed the door when it is this far behind the front of the wall, in cells. It is then despawned.
const PASSED_DISTANCE: f32 = 3.0;
/// Radius of an agent, in cells. With mixed radii, this is the middle one.
const RADIUS: f32 = 0.5;
/// Distance between the starts of neighbors, in radii.
const START_SPACING_RADII: f32 = 2.04;
/// A game ends when no agent has passed the door for this time, in seconds.
const MAX_WAIT_SECONDS: f64 = 30.0;

/// The options of `door`.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct DoorPlan {
    /// Width of the door, in diameters of an agent.
    #[arg(long, value_name = "W", value_parser = positive)]
    pub(crate) width: f64,
    /// Adds a second door of the same width, at this distance from the first one, in cells.
    #[arg(long, value_name = "CELLS", value_parser = positive)]
    pub(crate) beside: Option<f64>,
    /// Number of agents.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = agents())]
    pub(crate) agents: usize,
    /// Number of rooms. Each room has other random starts.
    #[arg(long, value_name = "K", default_value_t = 16, value_parser = at_least_one())]
    pub(crate) seeds: usize,
    /// Seed of the starts in the first room. Each further room has the next seed.
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) bodies: Bodies,
}

/// The results of one room.
#[derive(Default)]
struct Passage {
    closeness: Closeness,
    /// The time at which each agent passed, in seconds.
    pass_seconds: Vec<f64>,
    /// Number of agents that passed the second door.
    by_second: usize,
    agents: usize,
    positions: Positions,
}

impl Passage {
    /// How many agents pass per second, not counting the first and the last tenth. `None` if not even nine tenths
    /// passed.
    fn rate(&self) -> Option<f64> {
        let (from, to) = (self.agents / 10, self.agents - 1 - self.agents / 10);
        let took = self.pass_seconds.get(to)? - self.pass_seconds.get(from)?;
        (took > 0.0).then(|| (to - from) as f64 / took)
    }

    /// The longest time between two agents that pass one after the other, in seconds.
    fn longest_gap(&self) -> Option<f64> {
        let gaps = self.pass_seconds.windows(2).map(|pair| pair[1] - pair[0]);
        gaps.collect::<Samples>().max()
    }
}

/// Sends all agents through the door, in each room. Each figure is the worst figure of all rooms.
pub(crate) fn run(plan: &DoorPlan) -> Result<Report, BenchError> {
    let columns = plan.width.floor().max(1.0);
    // The speed is twenty radii per second. So ten bodies per second pass in a column without gaps.
    let capacity = columns * 10.0;
    let seeds = (0..plan.seeds as u64).map(|number| plan.seed.wrapping_add(number));
    let rooms = seeds.map(|seed| play_room(plan, seed));
    let rooms: Vec<Passage> = rooms.collect::<Result<_, _>>()?;
    let of = |figure: &dyn Fn(&Passage) -> Option<f64>| {
        rooms.iter().filter_map(figure).collect::<Samples>()
    };
    let flow = of(&|room| Some(room.rate().unwrap_or(0.0) / capacity));
    let by_second = of(&|room| Some(room.by_second as f64 / plan.agents as f64));
    let passed = rooms
        .iter()
        .filter(|room| room.pass_seconds.len() == plan.agents);
    let passed = passed.count();
    let mut positions = Hash::default();
    rooms
        .iter()
        .for_each(|room| positions.add_hash(room.positions.hash));
    let mut target_field = TargetField::new(&level()?, RADIUS);
    target_field.lead_to(target());
    let figures = json!({
        "radius": short(RADIUS),
        // Time of one step of a point along a field, in nanoseconds. It shows how fast the machine is.
        "anchor_ns": target_field.anchor_ns(),
        // How many agents pass per second, not counting the first and the last tenth, divided by the capacity of the
        // door. At capacity, columns of bodies pass side by side, without gaps and at full speed. For mixed radii, the
        // capacity is computed for the middle radius.
        "flow_of_capacity": flow.percentile(0.0),
        // Whether all agents passed in every room, and the number of rooms in which all passed. A game ends when no
        // agent has passed for half a minute.
        "all_passed": passed == rooms.len(),
        "rooms_passed": passed,
        // The least number of agents that passed in a room.
        "agents_passed": rooms.iter().map(|room| room.pass_seconds.len()).min(),
        // The longest time between two agents that pass one after the other, in seconds.
        "longest_gap_s": of(&|room| room.longest_gap()).max(),
        // The time at which the last agent passed, in seconds, and the least fraction of agents that passed the second
        // door.
        "last_s": of(&|room| room.pass_seconds.last().copied()).max(),
        "by_second": plan.beside.and_then(|_| by_second.percentile(0.0)),
        // Fraction of agent-ticks with a neighbor closer than 1.5 radii, and the deepest overlap, in diameters.
        "deep": of(&|room| room.closeness.deep()).max(),
        "worst": of(&|room| room.closeness.worst()).max(),
        // Number of agent-ticks with a wall closer to the center than 0.98 radii.
        "wall_overlaps": rooms.iter().map(|room| room.positions.wall_overlaps).sum::<u64>(),
        // Hash of all positions at the end of all ticks in all rooms.
        "positions_hash": positions.hex(),
    });
    let figures = joined(json!(plan), figures);
    let mut faults = not_zero(
        &figures,
        &[("wall_overlaps", "too close to walls {} times")],
    );
    if passed < rooms.len() {
        faults.push(format!(
            "all agents passed in {passed} of {} rooms",
            rooms.len()
        ));
    }
    Ok(Report { figures, faults })
}

/// The two rooms, without the wall between them.
fn level() -> Result<Grid, BenchError> {
    let level = Grid::from_fn(FRONT_SIZE.0 + BACK_WIDTH, FRONT_SIZE.1, |_| true);
    level.map_err(|error| BenchError::of(error.to_string()))
}

fn target() -> Vec2 {
    Vec2::new(
        (FRONT_SIZE.0 + BACK_WIDTH) as f32 - 4.5,
        FRONT_SIZE.1 as f32 / 2.0,
    )
}

/// The parts of the wall beside the doors.
fn walls(plan: &DoorPlan) -> Vec<Rect> {
    let (middle, half) = (FRONT_SIZE.1 as f32 / 2.0, plan.width as f32 * RADIUS);
    let second = plan.beside.map(|beside| middle - beside as f32);
    let doors = second.into_iter().chain([middle]);
    let (x, end) = (FRONT_SIZE.0 as f32, FRONT_SIZE.1 as f32);
    let mut from = 0.0;
    let mut parts = Vec::new();
    for (below, above) in doors
        .map(|door| (door - half, door + half))
        .chain([(end, end)])
    {
        if from < below {
            parts.push(Rect::new(x, from, x + 1.0, below));
        }
        from = above;
    }
    parts
}

fn play_room(plan: &DoorPlan, seed: u64) -> Result<Passage, BenchError> {
    let mut app = game::app_at(
        plan.bodies.rate,
        Mode::Inline,
        &Pools::default(),
        &WallBoxes::of(&level()?),
    );
    let kind = HordeAgents::new(Avoidance::Separation, RADIUS, plan.bodies);
    let starts = starts(plan.agents, kind.largest(), seed);
    let no_room = || BenchError::of("no room for that many agents before the door");
    spawn(&mut app, kind, target(), &starts.ok_or_else(no_room)?);
    let walls = walls(plan);
    for wall in &walls {
        app.world_mut().spawn(game::wall(wall));
    }
    game::start(&mut app);
    app.update();
    Ok(play_until_passed(&mut app, plan, &walls))
}

/// Random points of a lattice. `None` if the lattice has fewer points than there are agents.
fn starts(agents: usize, radius: f32, seed: u64) -> Option<Vec<Vec2>> {
    let size = Vec2::new(FRONT_SIZE.0 as f32 - 5.0, FRONT_SIZE.1 as f32) - 2.0 * radius;
    let mut places = lattice(size, Vec2::ZERO, START_SPACING_RADII * radius);
    Rng::with_seed(seed).shuffle(&mut places);
    places.truncate(agents);
    let places: Vec<Vec2> = places.into_iter().map(|place| place + radius).collect();
    (places.len() == agents).then_some(places)
}

fn play_until_passed(app: &mut App, plan: &DoorPlan, walls: &[Rect]) -> Passage {
    let kind = HordeAgents::new(Avoidance::Separation, RADIUS, plan.bodies);
    let mut passage = Passage {
        agents: plan.agents,
        ..Passage::default()
    };
    passage.positions.places = vec![Vec2::NAN; plan.agents];
    let wall_distance = |place: Vec2, radius: f32| {
        let distances = walls.iter().map(|wall| distance_to(wall, place));
        distances.fold(radius, f32::min)
    };
    let between = plan
        .beside
        .map(|beside| (FRONT_SIZE.1 as f32 - beside as f32) / 2.0);
    for tick in 1_u64.. {
        let now = tick as f64 / plan.bodies.rate;
        if now - passage.pass_seconds.last().unwrap_or(&0.0) > MAX_WAIT_SECONDS {
            break;
        }
        app.update();
        let world = app.world_mut();
        let mut members = world.query_filtered::<(Entity, &Transform), With<HordeMember>>();
        let is_through =
            |place: &Transform| place.translation.x > FRONT_SIZE.0 as f32 + PASSED_DISTANCE;
        let members = members.iter(world);
        let through: Vec<(Entity, Vec2)> = members
            .filter(|(_, place)| is_through(place))
            .map(|(entity, place)| (entity, place.translation.truncate()))
            .collect();
        for (entity, place) in through {
            world.despawn(entity);
            passage.pass_seconds.push(now);
            passage.by_second += usize::from(between.is_some_and(|between| place.y < between));
        }
        if passage.pass_seconds.len() == plan.agents {
            break;
        }
        (passage.positions).read(world, &kind, wall_distance);
        let places = &passage.positions.places;
        (passage.closeness).read(places, |number| kind.radius_of(number), |_| true);
    }
    passage
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{DoorPlan, Passage, run};
    use crate::horde::Bodies;

    pub(crate) fn plan(width: f64) -> DoorPlan {
        DoorPlan {
            width,
            beside: None,
            agents: 30,
            seeds: 2,
            seed: 1,
            bodies: Bodies::PLAIN,
        }
    }

    #[test]
    fn all_agents_pass_a_wide_door_and_no_agent_passes_a_narrow_one() {
        let report = run(&plan(2.0)).unwrap();
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let figure = |key: &str| report.figures[key].as_f64();
        assert!(figure("flow_of_capacity") > Some(0.05), "{report:?}");
        assert!(figure("longest_gap_s") > Some(0.0) && figure("worst").is_some_and(|it| it < 0.6));
        let report = run(&DoorPlan {
            agents: 3,
            seeds: 1,
            ..plan(0.7)
        })
        .unwrap();
        assert_eq!(report.figures["flow_of_capacity"], 0.0);
        assert_eq!(report.faults.len(), 1);
    }

    #[test]
    fn agents_divide_between_two_doors_side_by_side() {
        let report = run(&DoorPlan {
            beside: Some(8.0),
            agents: 150,
            seeds: 1,
            ..plan(1.0)
        })
        .unwrap();
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let figure = |key: &str| report.figures[key].as_f64();
        assert!(figure("by_second") > Some(0.2) && figure("by_second").is_some_and(|it| it < 0.8));
        assert!(
            figure("last_s").is_some_and(|it| it < 150.0 / 7.0),
            "{report:?}"
        );
    }

    #[test]
    fn flow_is_measured_in_the_middle_of_a_passage_and_gaps_in_all_of_it() {
        // Ten agents pass per second, but the first one passes early and the last one late.
        let mut pass_seconds: Vec<f64> = (0..20).map(|at| f64::from(at) / 10.0).collect();
        (pass_seconds[0], pass_seconds[19]) = (-3.0, 9.0);
        let passage = |pass_seconds| Passage {
            pass_seconds,
            agents: 20,
            ..Passage::default()
        };
        let whole = passage(pass_seconds.clone());
        assert!((whole.rate().unwrap() - 10.0).abs() < 1e-6);
        assert!((whole.longest_gap().unwrap() - 7.2).abs() < 1e-6);
        pass_seconds.truncate(17);
        assert_eq!(passage(pass_seconds).rate(), None);
    }
}
