//! The crate `pathfinding`: A* with the same costs, rules and heuristic as ours.

use std::cell::Cell as Counter;

use pathfinding::directed::astar::astar;
use pursuit::{Cell, DIAGONAL, Grid, STRAIGHT};

use super::finder::{Answer, Finder};

/// A map as a user of that crate would hold it: a flag per cell.
pub(crate) struct Pathfinding {
    width: i32,
    free: Vec<bool>,
}

type Node = (i32, i32);

impl Pathfinding {
    pub(crate) fn new(grid: &Grid) -> Self {
        Pathfinding {
            width: grid.width() as i32,
            free: grid.rect().cells().map(|cell| grid.is_free(cell)).collect(),
        }
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        let inside = (0..self.width).contains(&x) && y >= 0;
        inside && self.free.get((y * self.width + x) as usize) == Some(&true)
    }

    /// Steps without corner cutting, in an array: no allocation per node.
    fn neighbors(&self, (x, y): Node) -> impl Iterator<Item = (Node, u32)> + use<> {
        let [east, west] = [self.is_free(x + 1, y), self.is_free(x - 1, y)];
        let [south, north] = [self.is_free(x, y + 1), self.is_free(x, y - 1)];
        let straight = |open: bool, to: Node| open.then_some((to, STRAIGHT));
        let diagonal = |open: bool, to: Node| {
            let open = open && self.is_free(to.0, to.1);
            open.then_some((to, DIAGONAL))
        };
        let steps = [
            straight(east, (x + 1, y)),
            straight(west, (x - 1, y)),
            straight(south, (x, y + 1)),
            straight(north, (x, y - 1)),
            diagonal(east && south, (x + 1, y + 1)),
            diagonal(west && south, (x - 1, y + 1)),
            diagonal(east && north, (x + 1, y - 1)),
            diagonal(west && north, (x - 1, y - 1)),
        ];
        steps.into_iter().flatten()
    }
}

impl Finder for Pathfinding {
    /// The cheapest path and the number of nodes whose neighbors were asked for.
    type Found = (Option<Vec<Node>>, u32);

    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found {
        let expanded = Counter::new(0);
        let goal = (goal.x, goal.y);
        let found = astar(
            &(start.x, start.y),
            |&node| {
                expanded.set(expanded.get() + 1);
                self.neighbors(node)
            },
            |&node| octile(node, goal),
            |&node| node == goal,
        );
        (found.map(|(path, _)| path), expanded.get())
    }

    fn read((path, expanded): Self::Found) -> Answer {
        let cells = path.map(|nodes| nodes.into_iter().map(|(x, y)| Cell::new(x, y)).collect());
        Answer {
            cells,
            expanded: Some(expanded),
        }
    }
}

fn octile(from: Node, to: Node) -> u32 {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    let (long, short) = (dx.max(dy), dx.min(dy));
    (long - short) * STRAIGHT + short * DIAGONAL
}
