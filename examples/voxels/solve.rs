//! One search among cubes: timed without anybody listening, then told to a recording.

use std::time::{Duration, Instant};

use pursuit::{Heuristic, SearchScratch, SearchSpace};
use pursuit_lab::recording::Recording;
use pursuit_lab::recording::{RecordedSearch, VoxelRecorder};
use pursuit_lab::voxels::{Movement, Voxel, VoxelOptions, VoxelPath, VoxelPathError, VoxelSpace};

use crate::level::Level;

/// Most bytes of a recording: some 50 million events.
const LIMIT: usize = 256 << 20;
/// A search is timed that often, for the least of the times.
const TIMES: usize = 9;

/// How the body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gait {
    /// A step up or down is one cube high.
    Walk,
    /// It may be two.
    Climb,
    Fly,
}

impl Gait {
    /// In the order in which a key chooses them.
    pub(crate) const ALL: [Self; 3] = [Self::Walk, Self::Climb, Self::Fly];

    /// As the core has it.
    pub(crate) fn movement(self) -> Movement {
        match self {
            Self::Walk => Movement::Walk { climb: 1 },
            Self::Climb => Movement::Walk { climb: 2 },
            Self::Fly => Movement::Fly,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Climb => "climb",
            Self::Fly => "fly",
        }
    }

    /// What it means.
    pub(crate) fn idea(self) -> &'static str {
        match self {
            Self::Walk => "steps of one cube",
            Self::Climb => "steps of two cubes",
            Self::Fly => "all six sides",
        }
    }

    /// The one that a recording tells of; `None` for others than there are here.
    pub(crate) fn of(movement: Movement) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|gait| gait.movement() == movement)
    }

    pub(crate) fn next(self) -> Self {
        match self {
            Self::Walk => Self::Climb,
            Self::Climb => Self::Fly,
            Self::Fly => Self::Walk,
        }
    }
}

/// What leads the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The Manhattan distance.
    AStar,
    /// Nothing.
    Dijkstra,
}

impl Method {
    /// From the left on.
    pub(crate) const ALL: [Self; 2] = [Self::AStar, Self::Dijkstra];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AStar => "A*",
            Self::Dijkstra => "Dijkstra",
        }
    }

    /// The one that was recorded.
    pub(crate) fn of(recording: &Recording) -> Self {
        match recording.search().heuristic {
            Heuristic::Zero => Self::Dijkstra,
            _ => Self::AStar,
        }
    }

    pub(crate) fn idea(self) -> &'static str {
        match self {
            Self::AStar => "f = g + Manhattan distance",
            Self::Dijkstra => "f = g, no estimate",
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// Every event, and the answer.
    pub(crate) recording: Recording,
    /// The path, and the work done.
    pub(crate) found: VoxelPath,
    /// The least time of several searches that nobody listened to.
    pub(crate) took: Duration,
}

/// Times a search, and records it.
///
/// # Errors
///
/// [`VoxelPathError`]: ends that are no places for the body, and maps that are too large.
pub(crate) fn solve(
    level: &Level,
    gait: Gait,
    method: Method,
    scratch: &mut SearchScratch,
) -> Result<Solved, VoxelPathError> {
    let Level {
        grid, start, goal, ..
    } = level;
    let mut options = VoxelOptions::default();
    options.movement = gait.movement();
    options.has_estimate = method == Method::AStar;
    let mut took = Duration::MAX;
    for _ in 0..TIMES {
        let begun = Instant::now();
        grid.find_path(*start, *goal, &options, scratch)?;
        took = took.min(begun.elapsed());
    }
    let search = RecordedSearch::voxels(grid, *start, *goal, &options);
    let search = search.ok_or(VoxelPathError::TooLarge)?;
    let mut recording = Recording::new(search.named(method.name())).with_limit(LIMIT);
    let recorder = &mut VoxelRecorder::new(grid, &mut recording);
    let found = grid.find_path_recorded(*start, *goal, &options, scratch, recorder)?;
    recording.finish_voxels(&found, Some(took));
    Ok(Solved {
        recording,
        found,
        took,
    })
}

/// The cubes that somebody who walks can come to from the start; none if nobody can be there.
pub(crate) fn reachable(level: &Level) -> Vec<Voxel> {
    let Level { grid, start, .. } = level;
    let space = VoxelSpace::new(grid, Gait::Walk.movement(), *start);
    let (Some(space), Some(first)) = (space, grid.node(*start)) else {
        return Vec::new();
    };
    if !space.holds(*start) {
        return Vec::new();
    }
    let mut is_known = vec![false; grid.node_count() as usize];
    let mut known = vec![first];
    is_known[first as usize] = true;
    let mut next = 0;
    while let Some(&node) = known.get(next) {
        next += 1;
        space.for_each_neighbor(node, space.place(node), |node, _, _| {
            if !std::mem::replace(&mut is_known[node as usize], true) {
                known.push(node);
            }
        });
    }
    known.into_iter().map(|node| grid.voxel(node)).collect()
}

#[cfg(test)]
mod tests {
    use pursuit_lab::replay::{Mark, Replay};

    use super::*;
    use crate::hill::hill;

    #[test]
    fn both_find_the_same_cost_and_the_estimate_saves_work() {
        let level = hill().expect("a good size");
        let scratch = &mut SearchScratch::new();
        for gait in Gait::ALL {
            let [led, other] = Method::ALL
                .map(|method| solve(&level, gait, method, scratch).expect("both ends are free"));
            assert_eq!(led.found.cost, other.found.cost);
            assert!(led.found.is_complete());
            assert!(led.found.stats.expanded < other.found.stats.expanded);
        }
    }

    #[test]
    fn what_is_recorded_is_what_the_search_counted() {
        let level = hill().expect("a good size");
        let scratch = &mut SearchScratch::new();
        for method in Method::ALL {
            let solved = solve(&level, Gait::Fly, method, scratch).expect("both ends are free");
            let counts = solved.recording.counts();
            assert_eq!(counts.expanded, u64::from(solved.found.stats.expanded));
            assert_eq!(counts.pushed, u64::from(solved.found.stats.pushed));
            assert!(!solved.recording.is_cut());
        }
    }

    #[test]
    fn a_replay_leads_back_from_the_goal_to_the_start_by_legal_steps() {
        let level = hill().expect("a good size");
        let solved = solve(&level, Gait::Walk, Method::AStar, &mut SearchScratch::new());
        let solved = solved.expect("both ends are free");
        let layers = solved.recording.search().voxels.expect("cubes");
        let cell = |voxel| layers.cell(voxel).expect("inside");
        let mut replay = Replay::new(solved.recording);
        replay.seek(u32::MAX);
        let way = replay.way_to(cell(level.goal));
        assert_eq!(
            way.len(),
            solved.found.voxels.len(),
            "of one cost and no detours"
        );
        assert_eq!(way.first(), Some(&cell(level.start)));
        assert_eq!(replay.mark(cell(level.start)), Mark::Path);
        let voxels = way.iter().map(|&at| layers.voxel(at));
        assert!(voxels.clone().all(|at| level.grid.is_walkable(at)));
        let voxels: Vec<Voxel> = voxels.collect();
        assert!(
            voxels
                .windows(2)
                .all(|step| step[0].manhattan(step[1]) <= 2)
        );
    }

    #[test]
    fn a_start_in_the_air_is_refused_to_those_who_walk() {
        let mut level = hill().expect("a good size");
        level.start = level.start.offset(0, 0, 3);
        let scratch = &mut SearchScratch::new();
        let refused = solve(&level, Gait::Walk, Method::AStar, scratch).expect_err("in the air");
        assert_eq!(refused, VoxelPathError::StartBlocked(level.start));
        assert!(solve(&level, Gait::Fly, Method::AStar, scratch).is_ok());
    }
}
