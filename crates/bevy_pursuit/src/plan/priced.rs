//! Searches on a grid in which the cells of some discs cost more than usual. Pure.

use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::{
    Cell, FindPathError, FoundPath, GridSpace, Guarantee, Heuristic, Layout, Mapped, Path,
    PathOptions, SearchLimits, SearchRecorder, SearchScratch, SearchSpace, SpaceSearch,
};

use super::ends::{Ends, Trip};
use crate::agent::Price;
use crate::grid::{BodyLayers, NavSnapshot};

/// Factor on the cost of a cell in a disc that an agent could not get through. With a greater value, agents take longer
/// detours. With a smaller one, they walk into the disc although there is another way.
const PRICE_FACTOR: u32 = 40;

/// The discs whose prices bind the body of a trip at its start.
#[derive(Clone, Debug)]
pub(super) struct Discs {
    layout: Layout,
    /// Position of the body.
    from: Vec2,
    discs: Vec<Price>,
}

impl Discs {
    pub(super) fn new(snapshot: &NavSnapshot, prices: &[Price], trip: &Trip) -> Self {
        let body = trip.order.body();
        let binds = |price: &&Price| price.binds(body) && price.worth(trip.start) != Some(0.0);
        Self {
            layout: *snapshot.layout(),
            from: trip.start,
            discs: prices.iter().filter(binds).copied().collect(),
        }
    }

    /// The discs that a line through `points` does not enter. `None` if it enters all of them.
    pub(super) fn avoided_by(mut self, points: &[Vec2]) -> Option<Self> {
        (self.discs).retain(|disc| !disc.meets_any(self.from, points.iter().copied()));
        (!self.discs.is_empty()).then_some(self)
    }

    /// The first disc in the list that a line through `points` enters.
    pub(super) fn first_met(&self, points: &[Vec2]) -> Option<&Price> {
        let meets = |disc: &&Price| disc.meets_any(self.from, points.iter().copied());
        self.discs.iter().find(meets)
    }

    /// The direction in which a disc blocks the body: see [`Price::ahead_of`]. `None` if the body is neither in a disc
    /// nor at its rim. Discs of lines do not count. A detour must not begin at a cell in this direction, because the
    /// cell may be on the other side of what blocks the body.
    pub(super) fn ahead(&self) -> Option<Vec2> {
        let near = |disc: &&Price| {
            let reach = disc.reach + disc.body.radius;
            disc.line.is_none() && disc.place.distance(self.from) <= reach
        };
        Some(self.discs.iter().find(near)?.ahead_of(self.from))
    }

    /// Factor on the cost of a cell. Cells behind the body do not cost more, because nothing blocks the body there.
    /// With the factor in the disc of a line, a straight path through the center of the disc costs about as much as a
    /// path that is longer by [`Price::worth`].
    fn cost(&self, cell: Cell) -> u32 {
        let center = self.layout.center(cell);
        let half_cell = 0.5 * self.layout.cell_size();
        let costs_more = |disc: &&Price| {
            center.distance(disc.place) <= disc.reach + half_cell
                && (center - self.from).dot(disc.ahead_of(self.from)) > 0.0
        };
        let factor = |disc: &Price| match disc.worth(self.from) {
            Some(worth) => 1 + (0.5 * worth / (disc.reach + half_cell)) as u32,
            None => PRICE_FACTOR,
        };
        let near = self.discs.iter().filter(costs_more);
        near.map(factor).max().unwrap_or(1)
    }

    /// The cheapest path between two cells. The recorder gets the events of the search.
    pub(super) fn find_path(
        &self,
        layers: &BodyLayers,
        ends: &Ends,
        options: &PathOptions,
        scratch: &mut SearchScratch,
        recorder: &mut impl SearchRecorder,
        cancel: &AtomicBool,
    ) -> Result<FoundPath, FindPathError> {
        let outside = FindPathError::GoalOutside(ends.to);
        let grid = GridSpace::new(layers.grid(), options.diagonals, Heuristic::Octile, ends.to);
        let grid = grid.ok_or(outside)?;
        let (discs, goal) = (self, ends.to);
        let space = PricedSpace { grid, goal, discs };
        let limits = SearchLimits {
            max_expanded: options.max_expanded,
            ..SearchLimits::default()
        };
        let start = grid.node(ends.from);
        let start = start.ok_or(FindPathError::StartOutside(ends.from))?;
        let search = SpaceSearch::start(&space, start, &limits, scratch)?
            .ok_or(FindPathError::StartOutside(ends.from))?;
        let recorder = &mut Mapped::new(|node| grid.cell(node), recorder);
        let found = search.finish(recorder, cancel.into())?;
        let cells = found.nodes.iter().map(|node| grid.cell(*node)).collect();
        Ok(FoundPath {
            path: Path::from_cells(cells, found.cost),
            outcome: found.outcome,
            bound: 1.0,
            stats: found.stats,
        })
    }
}

/// A grid on which the cells of discs cost more. A step costs what it costs on the grid, times the mean of the factors
/// of its two cells.
struct PricedSpace<'a> {
    grid: GridSpace<'a>,
    goal: Cell,
    discs: &'a Discs,
}

impl PricedSpace<'_> {
    /// Factor of the cell at this offset from the goal, in columns and rows.
    fn cost(&self, (dx, dy): (i32, i32)) -> u32 {
        self.discs.cost(self.goal.offset(dx, dy))
    }
}

impl SearchSpace for PricedSpace<'_> {
    type Place = (i32, i32);

    fn node_count(&self) -> u32 {
        self.grid.node_count()
    }

    fn place(&self, node: u32) -> (i32, i32) {
        self.grid.place(node)
    }

    fn is_goal(&self, node: u32) -> bool {
        self.grid.is_goal(node)
    }

    fn heuristic(&self, place: (i32, i32)) -> u64 {
        self.grid.heuristic(place)
    }

    fn distance(&self, place: (i32, i32)) -> u64 {
        self.grid.distance(place)
    }

    /// The guarantee of the grid, because no step is cheaper than on the grid alone.
    fn guarantee(&self) -> Guarantee {
        self.grid.guarantee()
    }

    fn for_each_neighbor(
        &self,
        node: u32,
        place: (i32, i32),
        mut visit: impl FnMut(u32, (i32, i32), u32),
    ) {
        let here = self.cost(place);
        self.grid
            .for_each_neighbor(node, place, |next, there, step| {
                // The costs of steps are even, so `step / 2` is exact.
                visit(next, there, step / 2 * (here + self.cost(there)));
            });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use pursuit::oracle::{self, cases};
    use pursuit::{Clearance, DiagonalPolicy, Grid};

    use super::*;

    fn snapshot(grid: &Grid, policy: DiagonalPolicy) -> NavSnapshot {
        let (width, height) = (grid.width(), grid.height());
        let layout = Layout::new(Vec2::new(-7.0, 3.0), 0.5, width, height).expect("a layout");
        NavSnapshot::new(layout, Clearance::from_grid(grid, 3.0), policy, 1)
    }

    /// A position so far away that every cell of a disc is ahead of it.
    const FAR_AWAY: Vec2 = Vec2::splat(-1e4);

    /// A disc of `reach` around `place`, for a body at `from` to which every price applies.
    fn discs(snapshot: &NavSnapshot, (place, reach): (Vec2, f32), from: Vec2) -> Discs {
        let price = Price::new((place, reach), (0.0.into(), from), 1);
        Discs::new(snapshot, &[price], &Trip::between(from, place, 0.0))
    }

    /// A copy of a grid without areas, in which the cells of the discs have higher costs.
    fn copied(priced: &Discs, grid: &Grid) -> Grid {
        let mut copy = grid.to_builder();
        for cell in grid.rect().cells() {
            copy.set_cost(cell, priced.cost(cell) as u8)
                .expect("inside");
        }
        copy.build()
    }

    #[test]
    fn a_detour_costs_the_same_as_on_a_copy_of_the_grid() {
        let mut random = fastrand::Rng::with_seed(31);
        let (mut scratch, mut turned) = (SearchScratch::new(), 0);
        for round in 0..cases(600) {
            let (width, height) = (random.u32(8..60), random.u32(8..60));
            let walls = [0, 1, 2, 3][round % 4];
            let grid = Grid::from_fn(width, height, |_| random.u32(0..10) >= walls);
            let policy = DiagonalPolicy::ALL[round % DiagonalPolicy::ALL.len()];
            let snapshot = snapshot(&grid.expect("a size"), policy);
            let radius = [0.0, 0.2, 0.6, 1.4][random.usize(0..4)];
            let layers = snapshot.layers(radius);
            let mut cell = || Cell::new(random.i32(0..width as i32), random.i32(0..height as i32));
            let (from, to) = (cell(), cell());
            if !layers.regions().connected(from, to) {
                continue;
            }
            let ends = Ends {
                from,
                to,
                shortfall: None,
            };
            let options = PathOptions {
                diagonals: policy,
                ..PathOptions::default()
            };
            let plain = layers.find_path(from, to, &options, &mut scratch);
            let plain = plain.expect("a path").path;
            let on_the_way: Vec<Cell> = plain.cells().collect();
            let stuck = on_the_way[random.usize(0..on_the_way.len())];
            let place = snapshot.layout().center(stuck) + random.f32() * 0.2;
            let reach = radius * f32::from(1_u8 << (round % 3));
            let from_here = place + Vec2::from_angle(6.0 * random.f32());
            let priced = discs(&snapshot, (place, reach), from_here);
            let never = AtomicBool::new(false);
            let cell_path =
                priced.find_path(&layers, &ends, &options, &mut scratch, &mut (), &never);
            let cell_path = cell_path.expect("both ends are free");
            let copy = copied(&priced, layers.grid());
            let around = BodyLayers::from_grid(copy.clone(), policy);
            let expected = around.find_path(from, to, &options, &mut scratch);
            let expected = expected.expect("a path");
            assert_eq!(cell_path.path.cost, expected.path.cost, "round {round}");
            let walk: Vec<Cell> = cell_path.path.cells().collect();
            assert_eq!((walk[0], walk.last()), (from, Some(&to)));
            let walked = oracle::walk_cost(&copy, &walk, policy);
            assert_eq!(walked, Some(cell_path.path.cost), "round {round}");
            turned += u32::from(plain.cost < cell_path.path.cost);
        }
        assert!(turned > cases(30), "{turned} had to go around");
    }

    /// On such ground a plain cell costs 16, so the higher costs would not fit into the cells of a copied grid.
    #[cfg(feature = "recorder")]
    #[test]
    fn a_recorded_detour_over_mixed_ground_costs_the_same() {
        use crate::plan::recorder::record;

        let mut random = fastrand::Rng::with_seed(33);
        let never = AtomicBool::new(false);
        let (mut scratch, mut turned) = (SearchScratch::new(), 0);
        for round in 0..cases(300) {
            let grid = Grid::from_fn(40, 30, |_| random.u32(0..8) > 0).expect("a size");
            let policy = DiagonalPolicy::ALL[round % DiagonalPolicy::ALL.len()];
            let mut areas = pursuit::Areas::plain(40, 30).expect("a size");
            areas.paint(grid.rect(), |cell, _| ((cell.x / 7 + cell.y / 5) % 3) as u8);
            let costs = pursuit::AreaCosts::plain().with(1, 40).with(2, 4);
            let snapshot = snapshot(&grid, policy).with_areas(areas, &[costs]);
            let snapshot = snapshot.expect("the same size");
            let layers = snapshot.layers(0.2);
            let mut cell = || Cell::new(random.i32(0..40), random.i32(0..30));
            let (from, to) = (cell(), cell());
            if !layers.regions().connected(from, to) {
                continue;
            }
            let options = PathOptions {
                diagonals: policy,
                ..PathOptions::default()
            };
            let usual = layers.find_path(from, to, &options, &mut scratch);
            let usual = usual.expect("a path").path;
            let on_the_way: Vec<Cell> = usual.cells().collect();
            let stuck = on_the_way[random.usize(0..on_the_way.len())];
            let place = snapshot.layout().center(stuck);
            let priced = discs(&snapshot, (place, 0.2), FAR_AWAY);
            let ends = Ends {
                from,
                to,
                shortfall: None,
            };
            let plain = priced.find_path(&layers, &ends, &options, &mut scratch, &mut (), &never);
            let plain = plain.expect("a path").path;
            let recorded = record(&layers, Some(&priced), &ends, options, &never);
            let (cell_path, recording) = recorded.expect("a path");
            assert_eq!(cell_path.path, plain, "round {round}");
            let end = recording.end().expect("an answer");
            assert_eq!(end.cost, plain.cost, "round {round}");
            turned += u32::from(usual.cost < plain.cost);
        }
        assert!(turned > cases(30), "{turned} had to go around");
    }

    #[test]
    fn a_detour_is_cancelled_and_limited_like_other_searches() {
        let grid = Grid::from_fn(60, 60, |_| true).expect("a size");
        let snapshot = snapshot(&grid, DiagonalPolicy::default());
        let (layers, scratch) = (snapshot.layers(0.4), &mut SearchScratch::new());
        let ends = Ends {
            from: Cell::new(5, 30),
            to: Cell::new(55, 30),
            shortfall: None,
        };
        let place = snapshot.layout().center(Cell::new(30, 30));
        let priced = discs(&snapshot, (place, 0.4), FAR_AWAY);
        let mut options = PathOptions::default();
        let raised = AtomicBool::new(true);
        let cancelled = priced.find_path(&layers, &ends, &options, scratch, &mut (), &raised);
        assert_eq!(cancelled.err(), Some(FindPathError::Cancelled));
        options.max_expanded = Some(3);
        let never = AtomicBool::new(false);
        let short = priced.find_path(&layers, &ends, &options, scratch, &mut (), &never);
        let is_short = |found: FoundPath| found.outcome != pursuit::Outcome::Complete;
        assert!(short.is_ok_and(|found| found.stats.expanded == 3 && is_short(found)));
    }
}
