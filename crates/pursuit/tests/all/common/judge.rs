//! Checks results of searches against the oracle's costs for all cells.

use pursuit::{Cell, DiagonalPolicy, FoundPath, Grid, Outcome, PartialReason, octile, oracle};

/// The lowest costs from a start to all cells.
pub(crate) struct Judge<'g> {
    grid: &'g Grid,
    start: Cell,
    diagonals: DiagonalPolicy,
    costs: Vec<Option<u64>>,
}

impl<'g> Judge<'g> {
    pub(crate) fn new(grid: &'g Grid, start: Cell, diagonals: DiagonalPolicy) -> Self {
        let costs = oracle::distances(grid, start, diagonals);
        Self {
            grid,
            start,
            diagonals,
            costs,
        }
    }

    pub(crate) fn cost_to(&self, cell: Cell) -> Option<u64> {
        self.grid
            .index(cell)
            .and_then(|index| self.costs[index.get()])
    }

    /// Checks that a path is legal, ends at the expected cell and has the cost that it states. Returns the lowest cost
    /// to its end.
    #[track_caller]
    pub(crate) fn check(&self, goal: Cell, found: &FoundPath) -> u64 {
        let (path, start) = (&found.path, self.start);
        assert_eq!(path.start(), Some(start));
        let walked = oracle::path_cost(self.grid, path, self.diagonals);
        assert_eq!(walked, Some(path.cost), "a step of {path:?} is illegal");
        let end = path.end().expect("a path has an end");
        let cheapest = self
            .cost_to(end)
            .expect("the path must lead to a reachable cell");
        let most = found.bound * cheapest as f64 * (1.0 + 1e-12);
        assert!(found.bound >= 1.0 && path.cost >= cheapest);
        assert!(
            path.cost as f64 <= most,
            "the cost exceeds the stated bound"
        );
        if found.outcome == Outcome::Partial(PartialReason::LimitReached) {
            assert_ne!(end, goal);
            return cheapest;
        }
        let expected = match self.cost_to(goal) {
            Some(_) => Outcome::Complete,
            None if self.grid.is_free(goal) => Outcome::Partial(PartialReason::Unreachable),
            None => Outcome::Partial(PartialReason::GoalBlocked),
        };
        assert_eq!(found.outcome, expected, "from {start} to {goal}");
        let cells = self.grid.rect().cells();
        let reachable = cells.filter(|&cell| self.cost_to(cell).is_some());
        let nearest = reachable.min_by_key(|&cell| octile(cell, goal));
        assert_eq!(
            Some(end),
            nearest,
            "the path must end at the cell nearest to {goal}"
        );
        cheapest
    }
}
