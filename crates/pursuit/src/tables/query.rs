//! Answers a query from the tables.

use super::bake::{Index, SearchTables};
use super::climb::{Climb, ClimbScratch};
use super::labels::{LabelEntry, Labels};
use super::rays::octile_units;
use crate::cell::Cell;
use crate::cost::octile;
use crate::path::{keep_turns, push_diagonal_first, push_straight_first};
use crate::search::SearchStats;

/// What queries write to and the next one uses again. One per thread; any tables may use it.
#[derive(Clone, Debug, Default)]
pub(super) struct TablesScratch {
    start: Vec<Link>,
    goal: Vec<Link>,
    /// By hub, the stamp of the query that wrote last, and the distance from its start.
    ///
    /// ```text
    /// bit   63   32 31       0
    /// word  [stamp] [distance]
    /// ```
    ///
    /// Stamps fall from query to query. So a word of an older query is larger than any that this query
    /// writes, and the minimum of both replaces it.
    hubs: Vec<u64>,
    stamp: u64,
    climb: ClimbScratch,
}

/// A corner that an end of the path leads to.
#[derive(Clone, Copy, Debug)]
struct Link {
    corner: u32,
    cost: u32,
    /// No path over it to the other end is cheaper than this.
    least: u32,
}

const OLDEST: u64 = (u32::MAX as u64 - 1) << 32;

impl TablesScratch {
    /// A new stamp for the hubs' array, which holds at least `hubs` of them.
    fn begin(&mut self, hubs: usize) {
        if self.hubs.len() < hubs {
            self.hubs.resize(hubs, OLDEST);
        }
        if self.stamp == 0 {
            self.hubs.fill(OLDEST);
            self.stamp = OLDEST;
        }
        self.stamp -= 1 << 32;
    }
}

/// What the cheapest path found so far passes.
#[derive(Clone, Copy)]
enum Via {
    /// One corner.
    Corner { corner: u32 },
    /// A hub of two corners.
    Hub { from: u32, to: u32, hub: u32 },
    /// A node where two climbs met.
    Meet { node: u32 },
}

impl SearchTables {
    /// Finds the cheapest path between two cells and writes the cells at which it turns to `turns`, from
    /// `start` to `goal`, both included: between two of them it goes straight or diagonally. Gives its cost, in units of
    /// what each cell costs. `None` when no path joins them, or when one of them is blocked or outside.
    ///
    /// Allocates only until `scratch` and `turns` are large enough.
    pub(super) fn find(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut TablesScratch,
        turns: &mut Vec<Cell>,
    ) -> Option<(u64, SearchStats)> {
        turns.clear();
        if !self.regions.connected(start, goal) {
            return None;
        }
        turns.push(start);
        let mut stats = SearchStats::default();
        let direct = octile(start, goal);
        if self.rays.sees(&self.corners, start, goal) {
            push_diagonal_first(turns, start, goal);
            return Some((direct, stats));
        }
        if self.rays.sees(&self.corners, goal, start) {
            push_straight_first(turns, start, goal);
            return Some((direct, stats));
        }
        let (cost, via) = self.search(start, goal, scratch, &mut stats)?;
        match via {
            Via::Corner { corner } => {
                let corner = self.corners.cell(corner);
                push_diagonal_first(turns, start, corner);
                push_straight_first(turns, corner, goal);
            }
            Via::Hub { from, to, hub } => {
                self.unpack(from, to, hub, (start, goal), turns);
            }
            Via::Meet { node } => {
                self.unpack_climb(node, (start, goal), scratch, turns);
            }
        }
        keep_turns(turns);
        Some((2 * u64::from(cost), stats))
    }

    fn search(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut TablesScratch,
        stats: &mut SearchStats,
    ) -> Option<(u32, Via)> {
        self.list_links(goal, start, &mut scratch.goal);
        // A path turns last at one of these. Either the start sees it, or it turns before, too.
        let mut best = (u32::MAX, None);
        for link in &scratch.goal {
            let corner = link.corner;
            if link.least < best.0
                && self
                    .rays
                    .sees(&self.corners, start, self.corners.cell(corner))
            {
                best = (link.least, Some(Via::Corner { corner }));
            }
        }
        self.list_links(start, goal, &mut scratch.start);
        let better = match &self.index {
            Index::Labels(labels) => self.meet_at_hub(labels, best.0, scratch, stats),
            Index::Climb(climb) => self.climb(climb, (start, goal), best.0, scratch, stats),
        };
        better.or(best.1.map(|via| (best.0, via)))
    }

    /// A path over a hub of two corners that is cheaper than `best`.
    fn meet_at_hub(
        &self,
        labels: &Labels,
        best: u32,
        scratch: &mut TablesScratch,
        stats: &mut SearchStats,
    ) -> Option<(u32, Via)> {
        scratch.begin(labels.hubs());
        let TablesScratch {
            start: from,
            goal: to,
            hubs,
            stamp,
            ..
        } = scratch;
        for link in from.iter().filter(|link| link.least < best) {
            let label = labels.label(link.corner);
            // An entry of a label is a word, and so is what is known of its hub.
            let base = *stamp + u64::from(link.cost);
            for entry in label {
                let known = &mut hubs[entry.hub as usize];
                *known = (*known).min(base + u64::from(entry.distance));
            }
            stats.expanded += 1;
            stats.pushed += label.len() as u32;
        }
        let mut best = (best, None);
        for link in to.iter() {
            if link.least >= best.0 {
                continue;
            }
            let label = labels.label(link.corner);
            // An entry of a label is a word, and so is what is known of its hub.
            stats.expanded += 1;
            stats.pushed += label.len() as u32;
            let through = |entry: &LabelEntry| hubs[entry.hub as usize] + u64::from(entry.distance);
            let least = label.iter().map(through).fold(u64::MAX, u64::min) - *stamp;
            let cost = least + u64::from(link.cost);
            let is_least = |entry: &&LabelEntry| through(entry) - *stamp == least;
            if cost < u64::from(best.0)
                && let Some(LabelEntry { hub, .. }) = label.iter().find(is_least)
            {
                best = (cost as u32, Some((link.corner, *hub)));
            }
        }
        let (to, hub) = best.1?;
        let from = nearest_link(labels, from, hub)?;
        Some((best.0, Via::Hub { from, to, hub }))
    }

    fn climb(
        &self,
        climb: &Climb,
        (start, goal): (Cell, Cell),
        best: u32,
        scratch: &mut TablesScratch,
        stats: &mut SearchStats,
    ) -> Option<(u32, Via)> {
        let TablesScratch {
            start: from,
            goal: to,
            climb: state,
            ..
        } = scratch;
        let can_be_cheaper = |link: &&Link| link.least < best;
        let ends = |link: &Link| (link.corner, link.cost);
        let from = from.iter().filter(can_be_cheaper).map(ends);
        let to = to.iter().filter(can_be_cheaper).map(ends);
        let found = climb.search((start, from), (goal, to), best, state, stats);
        found.map(|(node, cost)| (cost, Via::Meet { node }))
    }

    /// Lists the corners at which a path from `from` can turn first.
    fn list_links(&self, from: Cell, to: Cell, links: &mut Vec<Link>) {
        links.clear();
        self.rays.jump_points(&self.corners, from, |corner, cost| {
            let least = cost + octile_units(self.corners.cell(corner), to);
            links.push(Link {
                corner,
                cost,
                least,
            });
        });
    }

    fn unpack_climb(
        &self,
        meet: u32,
        (start, goal): (Cell, Cell),
        scratch: &mut TablesScratch,
        turns: &mut Vec<Cell>,
    ) {
        let Index::Climb(climb) = &self.index else {
            return;
        };
        let mut last = start;
        climb.walk(meet, &mut scratch.climb, |cell| {
            push_diagonal_first(turns, last, cell);
            last = cell;
        });
        push_straight_first(turns, last, goal);
    }

    fn unpack(
        &self,
        from: u32,
        to: u32,
        hub: u32,
        (start, goal): (Cell, Cell),
        turns: &mut Vec<Cell>,
    ) {
        let Index::Labels(labels) = &self.index else {
            return;
        };
        let mut last = start;
        labels.walk(from, hub, |corner| {
            let cell = self.corners.cell(corner);
            push_diagonal_first(turns, last, cell);
            last = cell;
        });
        // The other half leads from the goal to the hub. It is written after this one and turned around.
        let middle = turns.len();
        let mut next = goal;
        turns.push(goal);
        labels.walk(to, hub, |corner| {
            let cell = self.corners.cell(corner);
            push_diagonal_first(turns, next, cell);
            next = cell;
        });
        // Both halves hold the hub.
        turns.pop();
        turns[middle..].reverse();
    }
}

/// The corner of the link by which the hub is nearest.
fn nearest_link(labels: &Labels, links: &[Link], hub: u32) -> Option<u32> {
    links
        .iter()
        .filter_map(|link| {
            let distance = labels.distance(link.corner, hub)?;
            Some((link.cost + distance, link.corner))
        })
        .min()
        .map(|(_, corner)| corner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::DiagonalPolicy;
    use crate::path::Path;
    use crate::search::oracle::{self, cases};
    use crate::tables::bake::Limits;
    use crate::tables::naive::any_grid_of;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

        /// The bounds of a bake decide how its queries are answered, but not what they cost.
        #[test]
        fn the_bounds_of_a_bake_change_no_cost(
            grid in any_grid_of(prop_oneof![1 => (1u32..50, 1u32..50), 4 => (1u32..14, 1u32..14)]),
            degree in 0usize..20,
            labeled: bool,
            sx in 0i32..50, sy in 0i32..50,
        ) {
            let start = Cell::new(sx % grid.width() as i32, sy % grid.height() as i32);
            let entries = if labeled { usize::MAX / 2 } else { 0 };
            let tables = SearchTables::bake(&grid, Limits { degree, entries }, crate::cancel::Cancel::NEVER).unwrap();
            let expected = oracle::distances(&grid, start, DiagonalPolicy::NoCornerCut);
            let (mut scratch, mut turns) = (TablesScratch::default(), Vec::new());
            for (goal, expected) in grid.rect().cells().zip(expected) {
                let answer = tables.find(start, goal, &mut scratch, &mut turns);
                prop_assert_eq!(answer.map(|(cost, _)| cost), expected, "to {}", goal);
                if let Some(cost) = expected {
                    let path = Path { turns: turns.clone(), cost };
                    let walked = oracle::path_cost(&grid, &path, DiagonalPolicy::NoCornerCut);
                    prop_assert_eq!(walked, Some(cost), "to {}", goal);
                }
            }
        }
    }
}
