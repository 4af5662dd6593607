//! The crate `pathfinding` on the same grid, costs and rules, set up as well as its interface lets.

use std::cell::Cell as Counter;

use pathfinding::directed::astar::astar;
use pursuit::search::{DIAGONAL, STRAIGHT};
use pursuit::{Cell, Grid};

/// A map as a user of that crate would hold it: a flag per cell.
pub(crate) struct PeerGrid {
    width: i32,
    free: Vec<bool>,
}

type Node = (i32, i32);

impl PeerGrid {
    pub(crate) fn new(grid: &Grid) -> Self {
        PeerGrid {
            width: grid.width() as i32,
            free: grid.rect().cells().map(|cell| grid.is_free(cell)).collect(),
        }
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        let inside = (0..self.width).contains(&x) && y >= 0;
        inside && self.free.get((y * self.width + x) as usize) == Some(&true)
    }

    /// The cheapest path and the number of nodes whose neighbors were asked for.
    pub(crate) fn find_path(&self, start: Cell, goal: Cell) -> (Option<Vec<Node>>, u32) {
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

fn octile(from: Node, to: Node) -> u32 {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    let (long, short) = (dx.max(dy), dx.min(dy));
    (long - short) * STRAIGHT + short * DIAGONAL
}

#[cfg(test)]
mod tests {
    use super::PeerGrid;
    use pursuit::Cell;
    use pursuit::maps::parse_ascii;

    #[test]
    fn the_peer_plays_by_the_same_rules() {
        let grid = parse_ascii(".#.\n...").unwrap().grid;
        let (path, expanded) = PeerGrid::new(&grid).find_path(Cell::new(0, 0), Cell::new(2, 0));
        assert_eq!(path, Some(vec![(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]));
        assert!(expanded >= 4);
    }

    #[test]
    fn the_peer_stays_on_the_map() {
        let grid = parse_ascii(".#.").unwrap().grid;
        let (path, _) = PeerGrid::new(&grid).find_path(Cell::new(0, 0), Cell::new(2, 0));
        assert_eq!(path, None);
    }
}
