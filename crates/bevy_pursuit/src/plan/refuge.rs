//! Searches for the refuge of a fleeing agent and the path there. Pure, except for memory that is kept between
//! searches.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use pursuit::{
    AreaCosts, Cell, CellRect, DIAGONAL, DiagonalPolicy, FieldBounds, FieldError, Grid,
    IntegrationField, NEIGHBORS, Path, STRAIGHT, octile,
};

/// Maximum distance at which a refuge is searched for, in cells.
const MAX_REFUGE_DISTANCE_CELLS: u32 = 64;
/// Cost of an unreachable cell.
const UNREACHABLE_COST: u64 = u64::MAX;

/// A fleeing agent, in cell coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) start: Cell,
    /// The cell of the threat. The cell may be blocked for the agent's body, because the threat's body may be smaller.
    pub(super) threat: Cell,
    /// Distance along paths up to which a refuge is searched for, in cells.
    pub(super) reach: u32,
}

/// How good a refuge is; the greatest rank is the best. The first parts decide: whether the cell is at the end of the
/// reach, the cost of the threat's path there, the distance from the threat if the threat has no path there, and how
/// little the agent's path there costs.
type Rank = (bool, u64, u64, Reverse<u64>, Cell);

/// The integration fields of a search for a refuge: costs of paths from the threat, and from the agent.
#[derive(Default)]
pub(super) struct RefugeFields {
    theirs: IntegrationField,
    own: IntegrationField,
}

impl RefugeFields {
    /// The path from the start to the refuge, and the number of settled cells. The refuge is the cell within reach with
    /// the most expensive path for the threat, among the cells where the agent is first all along its own path. Cells
    /// at the end of the reach are preferred, because no path leads on from the others.
    ///
    /// The first grid is the agent's, the second one the threat's. With `is_known`, the latest flight was from the same
    /// threat, on the same grid, with the same reach, so the threat's field is used again.
    ///
    /// The costs come from two integration fields. If both bodies have the same grid, an agent that is first in a cell
    /// is first all along its cheapest path there, so the two costs of the cell are enough. If the grids differ, each
    /// cell of that path is checked.
    ///
    /// ```text
    /// cell       t  s  a  b  c        both get to `b` over `a`: the one that is first in `b` was first in `a`
    /// theirs     0  1  2  3  4
    /// own        1  0  1  2  3
    /// ```
    pub(super) fn refuge(
        &mut self,
        ([grid, their_grid], diagonals): ([&Grid; 2], DiagonalPolicy),
        flight: Flight,
        is_known: bool,
        cancel: &AtomicBool,
    ) -> Result<(Path, u64), FieldError> {
        let Flight { start, threat, .. } = flight;
        let reach = flight.reach.clamp(2, MAX_REFUGE_DISTANCE_CELLS);
        let uniform = grid.uniform_cost();
        let plain = uniform.map_or(AreaCosts::PLAIN.into(), u32::from);
        let limit = reach * STRAIGHT * plain;
        let near = around(start, reach).intersect(&grid.rect());
        let own = FieldBounds {
            rect: Some(near),
            max_cost: Some(limit),
        };
        (self.own).start_from(grid, &[(start, 0)], own, diagonals, cancel.into())?;
        if !is_known {
            let theirs = FieldBounds {
                rect: Some(around(threat, 2 * reach).intersect(&grid.rect())),
                max_cost: None,
            };
            let seeds = first_steps(their_grid, threat, diagonals);
            (self.theirs).start_from(their_grid, &seeds, theirs, diagonals, cancel.into())?;
        }
        let settled_before = self.theirs.expanded();

        let limit = u64::from(limit);
        // If the threat is in the same cell, the agent leaves first in each direction.
        let lead = u64::from(STRAIGHT * plain) * u64::from(start == threat);
        let mut ranked = BinaryHeap::new();
        for cell in near.cells() {
            if cell.x == near.min.x && cancel.load(Ordering::Relaxed) {
                return Err(FieldError::Cancelled);
            }
            if let Some((own, theirs)) = self.costs_where_first(cell, lead)? {
                let leads_on = own + u64::from(DIAGONAL * plain) >= limit;
                let beeline = u64::from(theirs == UNREACHABLE_COST) * octile(threat, cell);
                ranked.push((leads_on, theirs, beeline, Reverse(own), cell));
            }
        }
        let mut path = self.way_to_best(ranked, lead, cancel)?.unwrap_or(Path {
            turns: vec![start],
            cost: 0,
        });
        path.turns.reverse();
        let settled = self.own.expanded() + self.theirs.expanded() - settled_before;
        Ok((path, settled.into()))
    }

    /// Costs of the agent's path and of the threat's path to a cell. `None` if the agent is not there first.
    fn costs_where_first(
        &mut self,
        cell: Cell,
        lead: u64,
    ) -> Result<Option<(u64, u64)>, FieldError> {
        let Some(own) = self.own.cost(cell)? else {
            return Ok(None);
        };
        // A path that costs more than a field can hold counts as no path.
        let theirs = self.theirs.cost(cell).ok().flatten();
        let theirs = theirs.unwrap_or(UNREACHABLE_COST);
        Ok((own < theirs.saturating_add(lead)).then_some((own, theirs)))
    }

    /// The path from the best cell back to the start, among the cells where the agent is first all along its path.
    fn way_to_best(
        &mut self,
        mut ranked: BinaryHeap<Rank>,
        lead: u64,
        cancel: &AtomicBool,
    ) -> Result<Option<Path>, FieldError> {
        let mut beyond = HashSet::new();
        while let Some((.., cell)) = ranked.pop() {
            if beyond.contains(&cell) {
                continue;
            }
            self.own.settle_to(cell, cancel.into())?;
            let Some(path) = self.own.path(cell)? else {
                continue;
            };
            let is_crossed = |cell| {
                let costs = self.costs_where_first(cell, lead);
                beyond.contains(&cell) || !matches!(costs, Ok(Some(_)))
            };
            let crossed = path.cells().position(is_crossed);
            match crossed {
                Some(crossed) => beyond.extend(path.cells().take(crossed)),
                None => return Ok(Some(path)),
            }
        }
        Ok(None)
    }
}

/// The square of all cells at most `far` columns and rows from a cell.
fn around(cell: Cell, far: u32) -> CellRect {
    CellRect::new(cell, cell.offset(1, 1)).grow(far)
}

/// The cells where the threat's field begins, and their costs: the threat's cell. If that cell is blocked for the body
/// of this grid, the neighbors to which a step leads.
fn first_steps(grid: &Grid, threat: Cell, diagonals: DiagonalPolicy) -> Vec<(Cell, u32)> {
    if grid.is_free(threat) {
        return vec![(threat, 0)];
    }
    let is_free = |dx, dy| grid.is_free(threat.offset(dx, dy));
    let steps = NEIGHBORS.into_iter().filter(|&(dx, dy)| {
        let is_straight = dx == 0 || dy == 0;
        is_free(dx, dy) && (is_straight || diagonals.allows(is_free(dx, 0), is_free(0, dy)))
    });
    let seeds = steps.map(|(dx, dy)| {
        let next = threat.offset(dx, dy);
        let step = octile(threat, next) as u32;
        let costs = u32::from(grid.cost(threat)) + u32::from(grid.cost(next));
        (next, step / 2 * costs)
    });
    seeds.collect()
}

#[cfg(test)]
mod tests {
    use pursuit::maps::parse_ascii;
    use pursuit::oracle::{self, cases};

    use super::*;

    static NEVER_CANCELLED: AtomicBool = AtomicBool::new(false);

    fn find(grid: &Grid, policy: DiagonalPolicy, start: Cell, threat: Cell, reach: u32) -> Path {
        let flight = Flight {
            start,
            threat,
            reach,
        };
        let mut fields = RefugeFields::default();
        let found = fields.refuge(([grid; 2], policy), flight, false, &NEVER_CANCELLED);
        found.expect("nobody cancels it").0
    }

    /// The path of an agent at `S` that flees from `G`.
    fn flee(map: &str, reach: u32) -> Vec<Cell> {
        let rows: Vec<&str> = map.lines().map(str::trim).collect();
        let map = parse_ascii(&rows.join("\n")).expect("a map");
        let [start, threat] = ['S', 'G'].map(|letter| map.find(letter).expect("a letter"));
        let policy = DiagonalPolicy::NoCornerCut;
        find(&map.grid, policy, start, threat, reach)
            .cells()
            .collect()
    }

    #[test]
    fn a_flight_leads_away_and_not_past_the_threat() {
        let way = flee("..............\n....GS........\n..............", 5);
        assert_eq!(way.first(), Some(&Cell::new(5, 1)));
        assert!(way.last().is_some_and(|end| end.x >= 9), "{way:?}");
    }

    #[test]
    fn a_flight_avoids_a_dead_end_if_there_is_another_way() {
        // To the right is a dead end of four cells. The path down leads on.
        let map = "
            ##########
            #GS.....##
            ##.#######
            ##.#######
            ##.......#
            ########.#
            ########.#
        ";
        let end = flee(map.trim(), 6).last().copied().expect("an end");
        assert!(end.y > 1, "runs into the dead end at {end}");
    }

    #[test]
    fn an_agent_flees_a_threat_in_its_own_cell() {
        let map = parse_ascii("..........\n....S.....").expect("a map");
        let start = map.find('S').expect("an S");
        let policy = DiagonalPolicy::NoCornerCut;
        let path = find(&map.grid, policy, start, start, 4);
        assert!(path.cells().count() > 3, "{path:?}");
    }

    #[test]
    fn a_cornered_agent_stays() {
        assert_eq!(flee("S.G", 5).last(), Some(&Cell::new(0, 0)));
        assert_eq!(flee("SG", 5), [Cell::new(0, 0)]);
    }

    #[test]
    fn a_cancelled_flight_has_no_refuge() {
        let grid = Grid::from_fn(200, 200, |_| true).expect("a size");
        let flight = Flight {
            start: Cell::new(100, 100),
            threat: Cell::new(90, 100),
            reach: 64,
        };
        let (policy, raised) = (DiagonalPolicy::default(), AtomicBool::new(true));
        let mut fields = RefugeFields::default();
        let found = fields.refuge(([&grid; 2], policy), flight, false, &raised);
        assert_eq!(found, Err(FieldError::Cancelled));
        assert!(
            fields
                .refuge(([&grid; 2], policy), flight, false, &NEVER_CANCELLED)
                .is_ok()
        );
    }

    /// Costs of the cheapest paths from `source` to the cells of a window (Dijkstra, 1959). A cell is entered only if
    /// `may` allows the cell and the cost.
    fn flood(
        (grid, policy, rect): (&Grid, DiagonalPolicy, CellRect),
        source: Cell,
        may: impl Fn(Cell, u64) -> bool,
    ) -> Vec<u64> {
        let slot = |cell: Cell| {
            let (x, y) = (cell.x - rect.min.x, cell.y - rect.min.y);
            (y as u32 * rect.width() + x as u32) as usize
        };
        let mut costs = vec![UNREACHABLE_COST; rect.cell_count() as usize];
        let mut open = BinaryHeap::new();
        if rect.contains(source) {
            costs[slot(source)] = 0;
            open.push((Reverse(0), source));
        }
        while let Some((Reverse(cost), cell)) = open.pop() {
            for (dx, dy) in NEIGHBORS {
                let next = cell.offset(dx, dy);
                let is_free = |dx, dy| grid.is_free(cell.offset(dx, dy));
                let is_diagonal = dx != 0 && dy != 0;
                let is_legal = !is_diagonal || policy.allows(is_free(dx, 0), is_free(0, dy));
                let step = if is_diagonal { DIAGONAL } else { STRAIGHT };
                let ground = u32::from(grid.cost(cell)) + u32::from(grid.cost(next));
                let cost = cost + u64::from(step / 2 * ground);
                if is_legal
                    && is_free(dx, dy)
                    && rect.contains(next)
                    && cost < costs[slot(next)]
                    && may(next, cost)
                {
                    costs[slot(next)] = cost;
                    open.push((Reverse(cost), next));
                }
            }
        }
        costs
    }

    /// The refuge and the cost of the path there, by floods. With `passes`, the agent's flood goes on through cells
    /// where the threat would be first.
    fn naive(
        ([grid, their_grid], policy): ([&Grid; 2], DiagonalPolicy),
        (start, threat): (Cell, Cell),
        reach: u32,
        passes: bool,
    ) -> (Cell, u64) {
        let reach = reach.clamp(2, MAX_REFUGE_DISTANCE_CELLS);
        let plain = grid
            .uniform_cost()
            .map_or(AreaCosts::PLAIN.into(), u32::from);
        let limit = u64::from(reach * STRAIGHT * plain);
        let rect = grid.rect();
        let wide = around(threat, 2 * reach);
        let theirs = flood((their_grid, policy, rect), threat, |cell, _| {
            wide.contains(cell)
        });
        let slot = |cell: Cell| {
            let (x, y) = (cell.x - rect.min.x, cell.y - rect.min.y);
            (y as u32 * rect.width() + x as u32) as usize
        };
        let lead = u64::from(STRAIGHT * plain) * u64::from(start == threat);
        let is_first = |cell, cost| cost < theirs[slot(cell)].saturating_add(lead);
        let own = flood((grid, policy, rect), start, |cell, cost| {
            cost <= limit && (passes || is_first(cell, cost))
        });
        let is_refuge =
            |&cell: &Cell| own[slot(cell)] != UNREACHABLE_COST && is_first(cell, own[slot(cell)]);
        let cells = rect.cells().filter(is_refuge);
        let ranked = cells.map(|cell| {
            let (own, theirs) = (own[slot(cell)], theirs[slot(cell)]);
            let leads_on = own + u64::from(DIAGONAL * plain) >= limit;
            let beeline = u64::from(theirs == UNREACHABLE_COST) * octile(threat, cell);
            (leads_on, theirs, beeline, Reverse(own), cell)
        });
        let (.., Reverse(cost), refuge) = ranked.max().expect("the start is one");
        (refuge, cost)
    }

    #[test]
    fn no_flight_leads_past_a_threat_that_walks_on_other_ground() {
        let mut random = fastrand::Rng::with_seed(41);
        let mut fields = RefugeFields::default();
        let (mut ran, mut passed_over) = (0, 0);
        for round in 0..cases(1200) {
            let (width, height) = (random.u32(8..40), random.u32(8..40));
            let walls = [0, 1, 2, 3][round % 4];
            let grids = [(); 2].map(|()| {
                let is_free = |_| random.u32(0..10) >= walls;
                let grid = Grid::from_fn(width, height, is_free).expect("a size");
                let mut costs = grid.to_builder();
                for cell in grid.rect().cells().filter(|cell| cell.y % 3 == 0) {
                    costs.set_cost(cell, random.u8(8..40)).expect("inside");
                }
                costs.build()
            });
            let [grid, their_grid] = &grids;
            let mut cell = || Cell::new(random.i32(0..width as i32), random.i32(0..height as i32));
            let flight = Flight {
                start: cell(),
                threat: cell(),
                reach: 20,
            };
            if !grid.is_free(flight.start) || !their_grid.is_free(flight.threat) {
                continue;
            }
            let policy = DiagonalPolicy::ALL[round % DiagonalPolicy::ALL.len()];
            let both = ([grid, their_grid], policy);
            let found = fields.refuge(both, flight, false, &NEVER_CANCELLED);
            let path = found.expect("nobody cancels it").0;
            let near = around(flight.threat, 40);
            let theirs = flood(
                (their_grid, policy, grid.rect()),
                flight.threat,
                |cell, _| near.contains(cell),
            );
            let lead = u64::from(STRAIGHT * 16) * u64::from(flight.start == flight.threat);
            let cells: Vec<Cell> = path.cells().collect();
            for (number, cell) in cells.iter().enumerate() {
                let own = oracle::walk_cost(grid, &cells[..=number], policy);
                let theirs = theirs[(cell.y as u32 * width + cell.x as u32) as usize];
                let is_first = own.is_some_and(|own| own < theirs.saturating_add(lead));
                assert!(is_first, "{flight:?}: {cell}");
            }
            ran += u32::from(path.cost > 0);
            // The refuge if the agent had to be first only at the end of its path.
            let ends = (flight.start, flight.threat);
            let best = naive(both, ends, flight.reach, true).0;
            passed_over += u32::from(path.end() != Some(best));
        }
        assert!(
            ran > cases(500) && passed_over > cases(20),
            "{ran}, {passed_over}"
        );
    }

    #[test]
    fn refuges_match_a_naive_flood_that_stops_where_the_threat_is_first() {
        let mut random = fastrand::Rng::with_seed(27);
        let mut fields = RefugeFields::default();
        let (mut ran, mut from_walls, mut shared) = (0, 0, 0);
        for round in 0..cases(1200) {
            let (width, height) = (random.u32(1..70), random.u32(1..70));
            let walls = [0, 1, 2, 4, 5][round % 5];
            let grid = Grid::from_fn(width, height, |_| random.u32(0..10) >= walls);
            let mut grid = grid.expect("a size");
            if round % 3 == 0 {
                let mut costs = grid.to_builder();
                for cell in grid.rect().cells() {
                    costs.set_cost(cell, random.u8(8..40)).expect("inside");
                }
                grid = costs.build();
            }
            let mut cell = || Cell::new(random.i32(0..width as i32), random.i32(0..height as i32));
            let [start, threat, other] = [(); 3].map(|()| cell());
            if !grid.is_free(start) {
                continue;
            }
            let policy = DiagonalPolicy::ALL[round % DiagonalPolicy::ALL.len()];
            let reach = random.u32(0..20);
            // Another agent flees from the same threat.
            for (start, is_known) in [(start, false), (other, true)] {
                if !grid.is_free(start) {
                    continue;
                }
                let flight = Flight {
                    start,
                    threat,
                    reach,
                };
                let found = fields.refuge(([&grid; 2], policy), flight, is_known, &NEVER_CANCELLED);
                let path = found.expect("nobody cancels it").0;
                let (refuge, cost) = naive(([&grid; 2], policy), (start, threat), reach, false);
                assert_eq!((path.start(), path.end()), (Some(start), Some(refuge)));
                assert_eq!(path.cost, cost, "{flight:?}");
                let walked = oracle::walk_cost(&grid, &path.cells().collect::<Vec<_>>(), policy);
                assert_eq!(walked, Some(cost), "{flight:?}");
                ran += u32::from(cost > 0);
                from_walls += u32::from(!grid.is_free(threat) && cost > 0);
                shared += u32::from(is_known && cost > 0);
            }
        }
        assert!(
            ran > cases(500) && from_walls > cases(50),
            "{ran}, {from_walls}"
        );
        assert!(shared > cases(300), "{shared}");
    }
}
