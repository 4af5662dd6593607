//! The crate `pathfinding`: A* with the same costs, rules and heuristic as Pursuit's searches.

use std::cell::Cell as Counter;

use pathfinding::directed::astar::astar;
use pursuit::{Cell, DIAGONAL, Grid, STRAIGHT};

use super::finder::{Finder, FinderAnswer};

/// A map as a user of the crate would store it: a byte per cell.
pub(crate) struct Pathfinding {
    width: i32,
    /// The cost of each cell. 0 for a wall.
    costs: Vec<u8>,
    /// The cost of the cheapest free cell.
    cheapest: u32,
}

type Node = (i32, i32);

impl Pathfinding {
    pub(crate) fn new(grid: &Grid) -> Self {
        let cost = |cell| {
            if grid.is_free(cell) {
                grid.cost(cell)
            } else {
                0
            }
        };
        let costs: Vec<u8> = grid.rect().cells().map(cost).collect();
        let cheapest = costs.iter().copied().filter(|&cost| cost > 0).min();
        Pathfinding {
            width: grid.width() as i32,
            costs,
            cheapest: u32::from(cheapest.unwrap_or(1)),
        }
    }

    fn cost(&self, (x, y): Node) -> u32 {
        let inside = (0..self.width).contains(&x) && y >= 0;
        let cost = inside.then(|| self.costs.get((y * self.width + x) as usize));
        u32::from(cost.flatten().copied().unwrap_or(0))
    }

    /// The steps from a node, without corner cutting. They are in an array, to avoid an allocation per node.
    fn neighbors(&self, (x, y): Node) -> impl Iterator<Item = (Node, u32)> + use<> {
        let here = self.cost((x, y));
        let straight = |to: Node| (to, self.cost(to));
        let [east, west] = [straight((x + 1, y)), straight((x - 1, y))];
        let [south, north] = [straight((x, y + 1)), straight((x, y - 1))];
        let step = |(to, cost): (Node, u32), length: u32| {
            (cost > 0).then(|| (to, length / 2 * (here + cost)))
        };
        let diagonal = |beside: (Node, u32), ahead: (Node, u32)| {
            let to = (beside.0.0, ahead.0.1);
            let open = beside.1 > 0 && ahead.1 > 0;
            open.then(|| step((to, self.cost(to)), DIAGONAL)).flatten()
        };
        let steps = [
            step(east, STRAIGHT),
            step(west, STRAIGHT),
            step(south, STRAIGHT),
            step(north, STRAIGHT),
            diagonal(east, south),
            diagonal(west, south),
            diagonal(east, north),
            diagonal(west, north),
        ];
        steps.into_iter().flatten()
    }
}

impl Finder for Pathfinding {
    /// The cheapest path, and the number of expanded nodes.
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
            |&node| self.cheapest * octile(node, goal),
            |&node| node == goal,
        );
        (found.map(|(path, _)| path), expanded.get())
    }

    fn read((path, expanded): Self::Found) -> FinderAnswer {
        let cells = path.map(|nodes| nodes.into_iter().map(|(x, y)| Cell::new(x, y)).collect());
        FinderAnswer {
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
