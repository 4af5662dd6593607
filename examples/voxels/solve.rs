//! One search among cubes: timed without anybody listening, then told to a recording.

use std::time::{Duration, Instant};

use pursuit::recording::RecordedSearch;
use pursuit::search::{SpacePath, SpaceSearch, astar};
use pursuit::voxels::{Movement, Voxel, VoxelGrid, VoxelPathError, VoxelSpace};
use pursuit::{
    Algorithm, Cell, Change, Grid, GridError, Heuristic, Outcome, PathOptions, Progress, Recording,
    SearchLimits, SearchRecorder, SearchScratch, SearchSpace, Way,
};
use thiserror::Error;

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

    pub(crate) fn idea(self) -> &'static str {
        match self {
            Self::AStar => "f = g + Manhattan distance",
            Self::Dijkstra => "f = g, no estimate",
        }
    }
}

/// Why there is no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum SolveError {
    #[error(transparent)]
    Search(#[from] VoxelPathError),
    /// Its layers do not fit on a picture.
    #[error("the map is too large to be replayed: {0}")]
    Picture(#[from] GridError),
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// Every event, on a picture of the layers.
    pub(crate) recording: Recording,
    /// The path.
    pub(crate) voxels: Vec<Voxel>,
    /// The path, and the work done.
    pub(crate) found: SpacePath,
    /// The least time of several searches that nobody listened to.
    pub(crate) took: Duration,
}

impl Solved {
    /// Whether the path ends at the goal.
    pub(crate) fn is_complete(&self) -> bool {
        self.found.outcome == Outcome::Complete
    }
}

/// The layers of a grid beside each other on one picture: node and cell have the same number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    width: u32,
}

impl Picture {
    pub(crate) fn of(grid: &VoxelGrid) -> Self {
        // A row of the grid with its rim.
        Self {
            width: grid.size()[0] + 2,
        }
    }

    /// The cell of a node.
    pub(crate) fn cell(self, node: u32) -> Cell {
        Cell::new((node % self.width) as i32, (node / self.width) as i32)
    }

    /// The node of a cell that [`cell`](Self::cell) gave.
    pub(crate) fn node(self, cell: Cell) -> u32 {
        cell.y as u32 * self.width + cell.x as u32
    }

    /// One that is large enough.
    fn grid(self, grid: &VoxelGrid) -> Result<Grid, GridError> {
        Grid::from_fn(self.width, grid.node_count() / self.width, |_| true)
    }
}

/// Tells a recording of nodes as of cells.
struct Teller<'r> {
    recording: &'r mut Recording,
    picture: Picture,
}

impl Teller<'_> {
    fn way(&self, way: Way<u32>) -> Way {
        Way {
            node: self.picture.cell(way.node),
            parent: way.parent.map(|parent| self.picture.cell(parent)),
            g: way.g,
            h: way.h,
            f: way.f,
        }
    }
}

impl SearchRecorder<u32> for Teller<'_> {
    fn started(&mut self) {
        self.recording.started();
    }

    fn relaxed(&mut self, way: Way<u32>, change: Change) {
        self.recording.relaxed(self.way(way), change);
    }

    fn expanded(&mut self, way: Way<u32>) {
        self.recording.expanded(self.way(way));
    }

    fn dropped(&mut self, node: u32) {
        self.recording.dropped(self.picture.cell(node));
    }

    fn reached(&mut self, way: Way<u32>) {
        self.recording.reached(self.way(way));
    }
}

/// Times a search, and records it.
///
/// # Errors
///
/// [`SolveError`]: ends that are no places for the body, and maps that are too large.
pub(crate) fn solve(
    level: &Level,
    gait: Gait,
    method: Method,
    scratch: &mut SearchScratch,
) -> Result<Solved, SolveError> {
    let Level {
        grid, start, goal, ..
    } = level;
    let node = grid.node(*start);
    let node = node.ok_or(VoxelPathError::StartOutside(*start))?;
    let space = VoxelSpace::new(grid, gait.movement(), *goal);
    let space = space.ok_or(VoxelPathError::GoalOutside(*goal))?;
    if !space.holds(*start) {
        return Err(VoxelPathError::StartBlocked(*start).into());
    }
    let space = match method {
        Method::AStar => space,
        Method::Dijkstra => space.without_estimate(),
    };
    let took = time(&space, node, scratch)?;
    let picture = Picture::of(grid);
    let mut recording = recording(level, picture, method)?;
    let limits = SearchLimits::default();
    let search =
        SpaceSearch::start(&space, node, &limits, scratch).map_err(VoxelPathError::from)?;
    let mut search = search.ok_or(VoxelPathError::StartOutside(*start))?;
    let mut teller = Teller {
        recording: &mut recording,
        picture,
    };
    let found = loop {
        let progress = search.step_recorded(u32::MAX, &mut teller);
        if let Progress::Done(found) = progress.map_err(VoxelPathError::from)? {
            break found;
        }
    };
    Ok(Solved {
        recording,
        voxels: found.nodes.iter().map(|&node| grid.voxel(node)).collect(),
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

/// An empty recording, on the picture of a grid. It is not told the path: the cells of that do not touch each other where
/// it leads from layer to layer.
fn recording(level: &Level, picture: Picture, method: Method) -> Result<Recording, GridError> {
    let cell = |voxel| picture.cell(level.grid.node(voxel).unwrap_or(0));
    let options = PathOptions {
        algorithm: Algorithm::AStar,
        heuristic: match method {
            Method::AStar => Heuristic::Manhattan,
            Method::Dijkstra => Heuristic::Zero,
        },
        ..PathOptions::default()
    };
    let grid = picture.grid(&level.grid)?;
    let search = RecordedSearch::new(&grid, cell(level.start), cell(level.goal), &options);
    Ok(Recording::new(search.named(method.name())).with_limit(LIMIT))
}

fn time(
    space: &VoxelSpace<'_>,
    node: u32,
    scratch: &mut SearchScratch,
) -> Result<Duration, VoxelPathError> {
    let limits = SearchLimits::default();
    let mut least = Duration::MAX;
    for _ in 0..TIMES {
        let begun = Instant::now();
        astar(space, node, &limits, scratch)?;
        least = least.min(begun.elapsed());
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use pursuit::{Mark, Replay};

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
            assert!(led.is_complete());
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
        let picture = Picture::of(&level.grid);
        let cell = |voxel| picture.cell(level.grid.node(voxel).expect("inside"));
        let mut replay = Replay::new(solved.recording);
        replay.seek(u32::MAX);
        let way = replay.way_to(cell(level.goal));
        assert_eq!(way.len(), solved.voxels.len(), "of one cost and no detours");
        assert_eq!(way.first(), Some(&cell(level.start)));
        assert_eq!(replay.mark(cell(level.start)), Mark::Closed);
        let voxels = way.iter().map(|&at| level.grid.voxel(picture.node(at)));
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
        assert_eq!(refused, VoxelPathError::StartBlocked(level.start).into());
        assert!(solve(&level, Gait::Fly, Method::AStar, scratch).is_ok());
    }
}
