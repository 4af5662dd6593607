//! Random graphs and grids, and the expected contents of their tables, computed by loops over everything.

use proptest::prelude::*;

use super::contract::{Arc, Hierarchy};
use super::corners::Corners;
use super::rays::octile_units;
use crate::bits::rows::BitRows;
use crate::cancel::Cancel;
use crate::cell::{Cell, NEIGHBORS};
use crate::grid::Grid;
use crate::jump::naive::random;

/// Nodes at cells, some of them joined. No edge is cheaper than the octile distance between its ends.
#[derive(Debug)]
pub(super) struct TestGraph {
    /// Cells in row order, as corners are numbered.
    pub(super) cells: Vec<Cell>,
    pub(super) edges: Vec<Vec<Arc>>,
}

impl TestGraph {
    pub(super) fn count(&self) -> u32 {
        self.cells.len() as u32
    }

    pub(super) fn hierarchy(&self, max_degree: usize) -> Hierarchy {
        hierarchy(&self.edges, max_degree)
    }
}

pub(super) fn hierarchy(edges: &[Vec<Arc>], max_degree: usize) -> Hierarchy {
    let hierarchy = Hierarchy::of(edges.to_vec(), max_degree, Cancel::NEVER);
    hierarchy.expect("no cost is too large")
}

/// Corners at the given cells, without a grid.
pub(super) fn corners_at(cells: &[Cell]) -> Corners {
    let side = |of: fn(&Cell) -> i32| cells.iter().map(of).max().unwrap_or(0) as usize + 1;
    let (width, height) = (side(|cell| cell.x), side(|cell| cell.y));
    let row_words = width / 64 + 1;
    let mut words = vec![0; (height + 2) * row_words];
    for cell in cells {
        let (x, line) = (cell.x as usize, cell.y as usize + 1);
        words[line * row_words + x / 64] |= 1 << (x % 64);
    }
    Corners::of(&BitRows { row_words, words })
}

/// Edges in both directions, from their ends and costs.
pub(super) fn edges(count: u32, given: &[(u32, u32, u32)]) -> Vec<Vec<Arc>> {
    let mut edges = vec![Vec::new(); count as usize];
    for &(a, b, cost) in given {
        edges[a as usize].push(Arc::edge(a, b, cost));
        edges[b as usize].push(Arc::edge(b, a, cost));
    }
    edges
}

/// The nodes 0, 1, 2, ... in a line, with the costs of the edges between them.
pub(super) fn chain(costs: &[u32]) -> Vec<Vec<Arc>> {
    let given: Vec<(u32, u32, u32)> = (0..)
        .zip(costs)
        .map(|(at, &cost)| (at, at + 1, cost))
        .collect();
    edges(costs.len() as u32 + 1, &given)
}

/// Graphs with few or many edges, in one connected part or several, with or without paths of equal cost.
pub(super) fn any_graph() -> impl Strategy<Value = TestGraph> {
    let cells = |most| prop::collection::vec((0i32..70, 0i32..12), 0..most);
    let extra = prop_oneof![Just(0u32), 0u32..3, 0u32..3000, 0u32..200_000];
    let ends = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let joined = |most| prop::collection::vec((ends.clone(), extra.clone()), 0..most);
    let parts = prop_oneof![
        3 => (cells(10), joined(25)),
        3 => (cells(25), joined(60)),
        1 => (cells(60), joined(400)),
    ];
    parts.prop_map(|(cells, joined)| {
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::from).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        let mut given: Vec<(u32, u32, u32)> = Vec::new();
        for ((a, b), extra) in joined {
            if cells.is_empty() {
                break;
            }
            let (a, b) = (a.index(cells.len()), b.index(cells.len()));
            let ends = (a.min(b) as u32, a.max(b) as u32);
            if a != b && given.iter().all(|&(a, b, _)| (a, b) != ends) {
                let cost = octile_units(cells[a], cells[b]) + extra;
                given.push((ends.0, ends.1, cost));
            }
        }
        let edges = edges(cells.len() as u32, &given);
        TestGraph { cells, edges }
    })
}

/// Small grids of single walls, some of them wider or higher than a word.
pub(super) fn any_grid() -> impl Strategy<Value = Grid> {
    any_grid_of(prop_oneof![
        4 => (1u32..20, 1u32..20),
        1 => (60u32..70, 1u32..8),
        1 => (1u32..8, 60u32..70),
        1 => (125u32..131, 1u32..4),
    ])
}

/// Grids of single walls.
pub(super) fn any_grid_of(size: impl Strategy<Value = (u32, u32)>) -> impl Strategy<Value = Grid> {
    (size, 0u32..60, any::<u64>()).prop_map(|((width, height), percent, seed)| {
        let is_free = |cell: Cell| random(seed, cell.x, cell.y) % 100 >= percent;
        Grid::from_fn(width, height, is_free).expect("a good size")
    })
}

/// Whether a cell is free and has a blocked diagonal neighbor, and the two cells that are adjacent to both are free.
pub(super) fn is_corner(grid: &Grid, cell: Cell) -> bool {
    let is_free = |dx, dy| grid.is_free(cell.offset(dx, dy));
    let has_end = |&(dx, dy): &(i32, i32)| !is_free(dx, dy) && is_free(dx, 0) && is_free(0, dy);
    is_free(0, 0) && NEIGHBORS[4..].iter().any(has_end)
}

/// Distances between all nodes (Floyd, 1962; Warshall, 1962). `None` if no path joins two nodes. Each arc leads
/// only in its own direction.
pub(super) fn distances(edges: &[Vec<Arc>]) -> Vec<Vec<Option<u64>>> {
    let count = edges.len();
    let mut distances = vec![vec![None; count]; count];
    for from in 0..count {
        distances[from][from] = Some(0);
        for arc in &edges[from] {
            let known = &mut distances[from][arc.to as usize];
            *known = least(*known, Some(u64::from(arc.cost)));
        }
    }
    for over in 0..count {
        for from in 0..count {
            for to in 0..count {
                let detour = sum(distances[from][over], distances[over][to]);
                distances[from][to] = least(distances[from][to], detour);
            }
        }
    }
    distances
}

/// The smaller of two costs. `None` means that there is no path.
pub(super) fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

/// The cost of two paths, one after the other. `None` means that there is no path.
pub(super) fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    Some(a? + b?)
}

/// The label of a node, computed from all [`distances`] and the nodes of the hubs. It has each hub with its
/// distance, unless an earlier hub lies on a cheapest path to that hub.
pub(super) fn label(all: &[Vec<Option<u64>>], hubs: &[u32], node: usize) -> Vec<(u32, u32)> {
    let mut label = Vec::new();
    for (hub, &hub_node) in hubs.iter().enumerate() {
        let Some(distance) = all[node][hub_node as usize] else {
            continue;
        };
        let stands_in = |&earlier: &u32| {
            let over = sum(
                all[node][earlier as usize],
                all[hub_node as usize][earlier as usize],
            );
            over.is_some_and(|over| over <= distance)
        };
        if !hubs[..hub].iter().any(stands_in) {
            label.push((hub as u32, distance as u32));
        }
    }
    label
}

/// Cost of a walk over nodes. `None` if two successive nodes are not joined.
pub(super) fn walk_cost(edges: &[Vec<Arc>], nodes: &[u32]) -> Option<u64> {
    let cost = |pair: &[u32]| {
        let arc = edges[pair[0] as usize].iter().find(|arc| arc.to == pair[1]);
        arc.map(|arc| u64::from(arc.cost))
    };
    nodes.windows(2).map(cost).sum()
}
