//! Measures how natural walking looks, with the exact shortest path of the body as the reference.
//!
//! In the first part, every agent makes one trip to its own standing target. All trips are walked at 30, 60 and 144
//! ticks per second. In the second part, all agents chase a player that never stops. Agents are bare transforms and do
//! not touch each other. All planning runs within the frame, so the same seed gives the same figures.

mod around;
mod figures;
mod gait;
mod moving;
mod reference;
mod trips;
pub(crate) mod turns;
mod walker;
mod world;

use std::path::{Path, PathBuf};

use bevy::math::DVec2;
use clap::Args;
use pursuit::Grid;
use serde_json::{Value, json};

use crate::cli::{GameArgs, MapArgs};
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::pools::Pools;
use crate::game::positions::Hash;
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{Mode, TICK_RATE};
use crate::mapset;
use crate::numbers::{agents, positive};
use crate::report::{Report, joined, short};
use crate::samples::Samples;
use trips::Trips;
use turns::Turns;
use world::Walked;

#[derive(Args, Clone, Debug)]
pub(crate) struct FeelPlan {
    /// A MovingAI .map file. The option can be repeated.
    #[arg(long, value_name = "FILE", required_unless_present = "maps")]
    pub(crate) map: Vec<PathBuf>,
    /// A folder of .map files, each with a .map.scen file beside it. The option can be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: Vec<PathBuf>,
    /// Number of trips on each map, and number of chasing agents there, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = agents())]
    pub(crate) agents: usize,
    /// Game time of each part, in seconds. Trips are chosen so that they end within this time.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Seed of the trips and of the player's course.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) pools: Pools,
}

/// Ticks per second at which all trips are walked, in addition to [`TICK_RATE`].
const OTHER_RATES: [f64; 2] = [30.0, 144.0];

/// Runs the benchmark on all maps. The report has the worst figures of all maps, and the figures of each map.
pub(crate) fn run(plan: &FeelPlan) -> Result<Report, BenchError> {
    let mut maps = plan.map.clone();
    for folder in &plan.maps {
        let sets = mapset::find_sets(folder)?;
        maps.extend(sets.into_iter().flat_map(|set| set.maps));
    }
    let maps = maps.iter().map(|map| run_map(plan, map));
    let maps = maps.collect::<Result<Vec<_>, _>>()?;
    let mut faults = Vec::new();
    for (map, figures) in &maps {
        let name = map["map"].as_str().unwrap_or_default();
        let of_map = figures::faults(figures).into_iter();
        faults.extend(of_map.map(|fault| format!("{name}: {fault}")));
    }
    let figures = maps.iter().map(|(_, figures)| figures.clone());
    let worst = figures.reduce(|a, b| figures::worse(&a, &b));
    let maps = maps.into_iter().map(|(map, figures)| joined(map, figures));
    let head = json!({
        "agents": plan.agents,
        "seconds": plan.seconds,
        "seed": plan.seed,
        // The body of the shortest paths: a disc of the agent's radius.
        "reference": "disc",
        "maps": maps.collect::<Value>(),
    });
    let figures = joined(
        head,
        worst.ok_or_else(|| BenchError::of("no map to walk on"))?,
    );
    Ok(Report { figures, faults })
}

/// Runs the benchmark on a map. Returns a description of the run, and its figures.
fn run_map(plan: &FeelPlan, map: &Path) -> Result<(Value, Value), BenchError> {
    let no_room = || BenchError::no_room(map);
    let level = mapset::load_map(map)?;
    let walls = WallBoxes::of(&level);
    let trips = trips::choose(&level, plan.agents, plan.seconds, plan.seed);
    let trips = trips.ok_or_else(no_room)?;
    let walk = |rate| world::walk(&trips, &walls, &plan.pools, rate, plan.seconds);
    let walked = walk(TICK_RATE);
    let others = OTHER_RATES.map(walk);
    let tour = Tour::new(&level, AGENT_RADIUS, plan.seed).ok_or_else(no_room)?;
    let play = GameArgs {
        common: MapArgs {
            map: map.to_path_buf(),
            seed: plan.seed,
            pools: plan.pools,
        },
        agents: plan.agents,
        seconds: plan.seconds,
        pace: 0.0,
        mode: Mode::Inline,
    };
    let (moving, hash) = moving::run(&play, &walls, tour);
    let hashes = [walked.gait.positions, hash].map(Hash::hex);
    let head = json!({
        "map": mapset::file_name(map),
        // Speed of the agents in the first part, in cells per second. Agents are slower on a map that is too small for
        // long trips.
        "speed": short(trips.agent.speed),
        // Hashes of the bits of all positions at 60 ticks per second, one for each part.
        "positions_hashes": hashes,
    });
    Ok((head, figures_of(&level, &trips, &walked, &others, &moving)))
}

fn figures_of(
    level: &Grid,
    trips: &Trips,
    walked: &Walked,
    others: &[Walked],
    moving: &Value,
) -> Value {
    let islands = around::islands(level);
    let mut ratios = Samples::default();
    let (mut path_ratios, mut same_way) = (Samples::default(), Samples::default());
    let (mut spreads, mut arrived) = (Samples::default(), 0);
    for (number, trip) in trips.trips.iter().enumerate() {
        let all = others.iter().chain([walked]);
        let times: Option<Samples> = all.map(|walked| walked.times[number]).collect();
        arrived += usize::from(times.is_some());
        spreads.extend(times.as_ref().and_then(spread));
        ratios.extend(walked.times[number].map(|time| time / trip.time));
        let path: Vec<DVec2> = walked.paths[number].iter().map(|p| p.as_dvec2()).collect();
        let length: f64 = path.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        path_ratios.push(length / trip.route.length);
        if !around::passes_another_side(&islands, &path, &trip.route.points) {
            same_way.push(length / trip.route.length);
        }
    }
    let wall_ratios = others.iter().map(|walked| walked.gait.wall_ratio_min);
    let wall_ratio_min = wall_ratios.fold(walked.gait.wall_ratio_min, f32::min);
    let count = trips.trips.len();
    let other_way = (count - same_way.len()) as f64 / count.max(1) as f64;
    json!({
        "trips": count,
        // Number of trips whose agent arrived in time at every tick rate.
        "arrived": arrived,
        // Time of a trip, divided by the time of the reference.
        "ratio_p50": ratios.percentile(0.5),
        "ratio_p95": ratios.percentile(0.95),
        // Length of the planned path, divided by the length of the reference.
        "path_ratio_p50": path_ratios.percentile(0.5),
        "path_ratio_p95": path_ratios.percentile(0.95),
        // Fraction of the trips that pass a wall on a different side from the reference. Then the 95th percentile of
        // the path ratio of all trips that pass walls on the same side.
        "other_way_share": (count > 0).then_some(other_way),
        "same_way_path_ratio_p95": same_way.percentile(0.95),
        // Turns back and forth per minute, of an agent's heading and of the reference's heading.
        "reversals_per_minute": walked.gait.reversals_per_minute(),
        "reference_reversals_per_minute": reference_reversals(trips),
        // Fraction of the time in which agents moved at less than 90 % of their speed, although nothing kept them from
        // walking at full speed.
        "slow_share": walked.gait.slow_share(),
        // Least distance of an agent's center to a wall, in radii. It is never greater than 1.
        "wall_ratio_min": short(wall_ratio_min),
        // Greatest spread of the times of a trip at 30, 60 and 144 ticks per second: `(max − min) / mean`.
        "hz_spread": spreads.max(),
        "moving": moving,
    })
}

/// Relative spread of times: `(max − min) / mean`.
fn spread(times: &Samples) -> Option<f64> {
    Some((times.max()? - times.percentile(0.0)?) / times.mean()?)
}

/// How many times per minute a body turns back and forth when it walks the shortest paths at full speed.
fn reference_reversals(trips: &Trips) -> Option<f64> {
    let step = trips.walker.speed / TICK_RATE;
    let (mut reversals, mut seconds) = (0, 0.0);
    for trip in &trips.trips {
        let mut turns = Turns::default();
        let mut last: Option<DVec2> = None;
        for (tick, place) in (0_u32..).zip(places(&trip.route.points, step)) {
            if let Some(last) = last {
                turns.step(f64::from(tick) / TICK_RATE, (place - last).as_vec2());
            }
            last = Some(place);
        }
        reversals += turns.reversals;
        seconds += trip.route.length / trips.walker.speed;
    }
    (seconds > 0.0).then(|| reversals as f64 * 60.0 / seconds)
}

/// Points on a line at intervals of `step`, measured along the line.
fn places(line: &[DVec2], step: f64) -> Vec<DVec2> {
    let mut places = Vec::new();
    let mut left = 0.0;
    for leg in line.windows(2) {
        let length = leg[0].distance(leg[1]);
        while left < length {
            places.push(leg[0].lerp(leg[1], left / length));
            left += step;
        }
        left -= length;
    }
    places
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{FeelPlan, places, run, spread};
    use crate::game::pools::Pools;
    use crate::samples::Samples;
    use crate::tests::fixture::{Folder, HOUSE};
    use bevy::math::DVec2;

    pub(crate) fn plan(folder: &Folder, seed: u64) -> FeelPlan {
        FeelPlan {
            map: vec![folder.write("house.map", HOUSE)],
            maps: Vec::new(),
            agents: 6,
            seconds: 30.0,
            seed,
            pools: Pools::default(),
        }
    }

    #[test]
    fn all_trips_arrive_by_paths_no_shorter_than_the_reference_and_equal_seeds_agree() {
        let folder = Folder::new("feel");
        let [report, again, other] = [1, 1, 2].map(|seed| run(&plan(&folder, seed)).unwrap());
        let figure = |key: &str| report.figures[key].as_f64();
        assert_eq!((figure("trips"), figure("arrived")), (Some(6.0), Some(6.0)));
        assert!(figure("ratio_p50") > Some(0.995), "{report:?}");
        assert!(figure("path_ratio_p50") >= Some(1.0), "{report:?}");
        assert!(figure("wall_ratio_min") >= Some(0.98), "{report:?}");
        assert_eq!(report, again);
        let [hashes, others] =
            [&report, &other].map(|report| &report.figures["maps"][0]["positions_hashes"]);
        assert_ne!(hashes, others);
    }

    #[test]
    fn the_spread_is_divided_by_the_mean() {
        assert_eq!(spread(&Samples::from_iter([9.0, 10.0, 11.0])), Some(0.2));
        assert_eq!(spread(&Samples::default()), None);
    }

    #[test]
    fn places_along_a_path_are_evenly_spaced_around_corners() {
        let ell = [(0.0, 0.0), (1.5, 0.0), (1.5, 2.0)].map(DVec2::from);
        let expected = [(0.0, 0.0), (1.0, 0.0), (1.5, 0.5), (1.5, 1.5)].map(DVec2::from);
        assert_eq!(places(&ell, 1.0), expected);
    }
}
