//! Answers queries from the tables.

use super::bake::SearchTables;
use super::error::MAX_TABLE_COST;
use super::labels::{LabelEntry, Labels};
use super::rays::{Turn, octile_units};
use crate::cell::Cell;
use crate::cost::octile;
use crate::path::{Path, keep_turns, push_diagonal_first, push_straight_first};
use crate::search::SearchStats;

/// Working memory that queries reuse. A thread needs only one, for any tables.
#[derive(Debug, Default)]
pub(super) struct TablesScratch {
    start: Vec<Link>,
    goal: Vec<Link>,
    /// The distance of each hub from the start. All distances are [`UNREACHED_DISTANCE`] before and after each query.
    hubs: Vec<u32>,
    /// The cells where the path begins, turns and ends.
    turns: Vec<Cell>,
}

/// A corner at which a path from the start or the goal can turn first.
#[derive(Clone, Copy, Debug)]
struct Link {
    turn: Turn,
    /// A lower bound of the cost of a path from one end over this corner to the other end.
    least: u32,
}

/// A distance longer than any path. It is small enough that a distance and the cost of a link can be added without
/// overflow.
const UNREACHED_DISTANCE: u32 = u32::MAX - 2 * MAX_TABLE_COST;

/// What the cheapest known path passes.
#[derive(Clone, Copy)]
enum Via {
    /// The path passes only this corner.
    Corner(u32),
    /// The path passes the corners `from` and `to`, and between them a hub of both.
    Hub { from: u32, to: u32, hub: u32 },
}

impl SearchTables {
    /// Finds the cheapest path between two cells. Its cost is computed as if every cell had the cost 1. `None` if
    /// no path joins the cells, or if one of them is blocked or outside of the grid.
    pub(super) fn find_path(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut TablesScratch,
    ) -> Option<(Path, SearchStats)> {
        if !self.regions.connected(start, goal) {
            return None;
        }
        let mut stats = SearchStats::default();
        scratch.turns.clear();
        scratch.turns.push(start);
        let cost = if self.rays.sees(start, goal) {
            push_diagonal_first(&mut scratch.turns, start, goal);
            octile(start, goal)
        } else if self.rays.sees(goal, start) {
            push_straight_first(&mut scratch.turns, start, goal);
            octile(start, goal)
        } else {
            let (cost, via) = self.search(start, goal, scratch, &mut stats)?;
            let turns = &mut scratch.turns;
            match via {
                Via::Corner(corner) => {
                    let corner = self.corners.cell(corner);
                    push_diagonal_first(turns, start, corner);
                    push_straight_first(turns, corner, goal);
                }
                Via::Hub { from, to, hub } => self.unpack((from, to, hub), (start, goal), turns),
            }
            keep_turns(turns);
            2 * u64::from(cost)
        };
        let turns = scratch.turns.clone();
        Some((Path { turns, cost }, stats))
    }

    fn search(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut TablesScratch,
        stats: &mut SearchStats,
    ) -> Option<(u32, Via)> {
        self.list_links(goal, start, &mut scratch.goal);
        // A path turns last at the corner of one of these links. Either the start sees that corner, or the path turns
        // at another corner before it.
        let mut best = (UNREACHED_DISTANCE, None);
        for link in &scratch.goal {
            let corner = link.turn.corner;
            if link.least < best.0 && self.rays.sees(start, self.corners.cell(corner)) {
                best = (link.least, Some(Via::Corner(corner)));
            }
        }
        self.list_links(start, goal, &mut scratch.start);
        let better = self.meet_at_hub(best.0, scratch, stats);
        better.or(best.1.map(|via| (best.0, via)))
    }

    /// A path over a hub of two corners that is cheaper than `best`.
    fn meet_at_hub(
        &self,
        best: u32,
        scratch: &mut TablesScratch,
        stats: &mut SearchStats,
    ) -> Option<(u32, Via)> {
        let (labels, hubs) = (&self.labels, &mut scratch.hubs);
        if hubs.len() < labels.hubs() {
            hubs.resize(labels.hubs(), UNREACHED_DISTANCE);
        }
        let from = scratch.start.iter().filter(|link| link.least < best);
        for link in from.clone() {
            let label = labels.label(link.turn.corner);
            for entry in label {
                let known = &mut hubs[entry.hub as usize];
                *known = (*known).min(link.turn.cost + entry.distance);
            }
            stats.expanded += 1;
            stats.pushed += label.len() as u32;
        }
        let mut best = (best, None);
        for link in &scratch.goal {
            if link.least >= best.0 {
                continue;
            }
            let label = labels.label(link.turn.corner);
            stats.expanded += 1;
            stats.pushed += label.len() as u32;
            let through = |entry: &LabelEntry| hubs[entry.hub as usize] + entry.distance;
            let least = label.iter().map(through).fold(u32::MAX, u32::min);
            let hub = label.iter().find(|entry| through(entry) == least);
            if let Some(LabelEntry { hub, .. }) = hub
                && least < best.0.saturating_sub(link.turn.cost)
            {
                best = (least + link.turn.cost, Some((link.turn.corner, *hub)));
            }
        }
        for entry in from.flat_map(|link| labels.label(link.turn.corner)) {
            hubs[entry.hub as usize] = UNREACHED_DISTANCE;
        }
        let (to, hub) = best.1?;
        let from = nearest_link(labels, &scratch.start, hub)?;
        Some((best.0, Via::Hub { from, to, hub }))
    }

    /// Lists the corners at which a path from `from` can turn first.
    fn list_links(&self, from: Cell, to: Cell, links: &mut Vec<Link>) {
        links.clear();
        self.rays.first_turns(&self.corners, from, &mut |turn| {
            let least = turn.cost + octile_units(self.corners.cell(turn.corner), to);
            links.push(Link { turn, least });
        });
        links.sort_unstable_by_key(|link| link.turn.order);
    }

    /// Writes the turns of the path that leads from one corner over a hub to another.
    fn unpack(
        &self,
        (from, to, hub): (u32, u32, u32),
        (start, goal): (Cell, Cell),
        turns: &mut Vec<Cell>,
    ) {
        let mut last = start;
        self.labels.walk(from, hub, |corner| {
            let cell = self.corners.cell(corner);
            push_diagonal_first(turns, last, cell);
            last = cell;
        });
        // The second half is written from the goal to the hub, after the first half, and then reversed.
        let middle = turns.len();
        let mut next = goal;
        turns.push(goal);
        self.labels.walk(to, hub, |corner| {
            let cell = self.corners.cell(corner);
            push_diagonal_first(turns, next, cell);
            next = cell;
        });
        // Both halves contain the hub.
        turns.pop();
        turns[middle..].reverse();
    }
}

/// The corner of the link over which the path to the hub is cheapest.
fn nearest_link(labels: &Labels, links: &[Link], hub: u32) -> Option<u32> {
    let ways = links.iter().filter_map(|link| {
        let distance = labels.distance(link.turn.corner, hub)?;
        Some((link.turn.cost + distance, link.turn.corner))
    });
    ways.min().map(|(_, corner)| corner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::Cancel;
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;
    use crate::search::oracle::{self, cases};
    use crate::tables::bake::Limits;
    use crate::tables::error::TablesError;
    use crate::tables::naive::any_grid_of;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

        /// The number of contracted corners decides where labels come from, but not the cost of paths.
        #[test]
        fn the_size_of_the_core_changes_no_cost(
            grid in any_grid_of(prop_oneof![1 => (1u32..50, 1u32..50), 4 => (1u32..14, 1u32..14)]),
            degree in 0usize..20,
            sx in 0i32..50, sy in 0i32..50,
        ) {
            let start = Cell::new(sx % grid.width() as i32, sy % grid.height() as i32);
            let limits = Limits { degree, entries: usize::MAX / 2 };
            let tables = SearchTables::bake(&grid, limits, Cancel::NEVER).unwrap();
            let expected = oracle::distances(&grid, start, DiagonalPolicy::NoCornerCut);
            let mut scratch = TablesScratch::default();
            for (goal, expected) in grid.rect().cells().zip(expected) {
                let path = tables.find_path(start, goal, &mut scratch).map(|(path, _)| path);
                prop_assert_eq!(path.as_ref().map(|path| path.cost), expected, "to {}", goal);
                let walked = path.and_then(|path| oracle::path_cost(&grid, &path, DiagonalPolicy::NoCornerCut));
                prop_assert_eq!(walked, expected, "to {}", goal);
                prop_assert!(scratch.hubs.iter().all(|&distance| distance == UNREACHED_DISTANCE), "left by {}", goal);
            }
        }
    }

    #[test]
    fn a_bake_with_too_many_label_entries_is_refused() {
        let grid = Grid::from_fn(40, 40, |cell| cell.x % 3 > 0 || cell.y % 3 > 0);
        let bake = |entries| {
            let limits = Limits {
                degree: 16,
                entries,
            };
            SearchTables::bake(&grid.clone().expect("a good size"), limits, Cancel::NEVER)
        };
        assert!(bake(1 << 20).is_ok());
        assert_eq!(bake(1 << 8).err(), Some(TablesError::Scattered));
    }
}
