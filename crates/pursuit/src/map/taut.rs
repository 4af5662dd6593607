//! Taut paths on a map.

use glam::Vec2;

use super::body::Body;
use super::layers::BodyLayers;
use super::nav_map::{NavMap, NavScratch};
use crate::cancel::Cancel;
use crate::cell::{Cell, CellRect};
use crate::search::{FindPathError, Outcome, PathOptions};
use crate::sight::line_of_sight;

impl NavMap {
    /// The path of a body from one point to another, as the corners of a few straight lines: `start`, the points where
    /// the path turns, and `goal`. If the goal cannot be reached, the path ends at the center of the reachable cell
    /// nearest to it. So the path leads to the goal if and only if `path.last() == Some(&goal)`.
    ///
    /// The body fits along every line, except perhaps along the first one. If `start` is closer to a wall than the
    /// body's radius, the first line leads straight to a free cell nearby: the body's own cell, or a cell that no wall
    /// separates from the body. From there on, the body fits along all lines. If there is no such cell, the body cannot
    /// stand at `start`; [`nearest_free`](Self::nearest_free) finds a cell where it can.
    ///
    /// On uneven ground, the path costs no more than the cheapest path over cell centers. Its cost is the sum of the
    /// [costs](Self::line_cost) of its lines.
    ///
    /// # Errors
    ///
    /// - [`FindPathError::BadRadius`], [`StartNotFinite`](FindPathError::StartNotFinite) and
    ///   [`GoalNotFinite`](FindPathError::GoalNotFinite) for invalid numbers;
    /// - [`StartOutside`](FindPathError::StartOutside) and [`GoalOutside`](FindPathError::GoalOutside) for a
    ///   point outside the map;
    /// - [`StartBlocked`](FindPathError::StartBlocked) if the body fits neither at `start` nor in a cell
    ///   nearby that no wall separates from it.
    pub fn taut_path(
        &self,
        start: Vec2,
        goal: Vec2,
        body: impl Into<Body>,
        scratch: &mut NavScratch,
    ) -> Result<Vec<Vec2>, FindPathError> {
        let body = body.into();
        self.check_radius(body.radius)?;
        if !start.is_finite() {
            return Err(FindPathError::StartNotFinite);
        }
        if !goal.is_finite() {
            return Err(FindPathError::GoalNotFinite);
        }
        let own = self.cell_at(start).map_err(FindPathError::StartOutside)?;
        let goal_cell = self.cell_at(goal).map_err(FindPathError::GoalOutside)?;
        // Nothing is shorter or cheaper.
        let least = self.least_cost(start, goal, body.class);
        if self.can_go_straight_within(start, goal, body, least) {
            return Ok(vec![start, goal]);
        }
        let layers = self.layers(body);
        let from = self.entry(&layers, start, own);
        let from = from.ok_or(FindPathError::StartBlocked(own))?;
        let NavScratch { search, taut } = scratch;
        let found = layers.find_path(from, goal_cell, &PathOptions::default(), search)?;
        let end = (found.outcome == Outcome::Complete).then_some(goal);
        let whose = (body.radius.into(), body.class);
        let turns = &found.path.turns;
        Ok(self.pull_taut((start, end), turns, whose, taut, Cancel::NEVER)?)
    }

    /// The cell that a point is in, as an error if that lies outside.
    pub(crate) fn cell_at(&self, point: Vec2) -> Result<Cell, Cell> {
        let cell = Cell::at(point);
        self.rect().contains(cell).then_some(cell).ok_or(cell)
    }

    /// Where a body at a point in the cell `own` enters the ground: the nearest free cell that it can go to as
    /// a whole, else the nearest one that a point can go to, else its own cell.
    fn entry(&self, layers: &BodyLayers, point: Vec2, own: Cell) -> Option<Cell> {
        let is_own_free = layers.grid().is_free(own);
        let (center, radius) = (own.center(), layers.radius());
        if is_own_free && line_of_sight(self.clearance(), point, center, radius) {
            return Some(own);
        }
        // A body that fits nowhere in that reach is too near to a wall to get there.
        let reach = radius.max(0.0).ceil() as u32 + 1;
        let around = CellRect::new(own, own.offset(1, 1)).grow(reach);
        let mut cells = Vec::new();
        for cell in around.intersect(&self.rect()).cells() {
            if layers.grid().is_free(cell) {
                // The bits of numbers that are not negative are in the order of the numbers.
                let apart = cell.center().distance_squared(point).to_bits();
                cells.push((apart, cell.y, cell.x));
            }
        }
        cells.sort_unstable();
        for radius in [radius, 0.0] {
            for &(_, y, x) in &cells {
                let center = Cell::new(x, y).center();
                if line_of_sight(self.clearance(), point, center, radius) {
                    return Some(Cell::new(x, y));
                }
            }
        }
        // Out of ground that is forbidden to it, however far that is.
        let leaves = || layers.nearest_free(point);
        let is_lost = self.is_forbidden(point, layers.body().class);
        is_own_free.then_some(own).or_else(|| is_lost.then(leaves)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::DiagonalPolicy;
    use crate::random::{any_walls, each_case};
    use crate::search::oracle::cases;

    /// Where a body enters the ground, by all cells near by in order.
    fn naive_entry(map: &NavMap, layers: &BodyLayers, point: Vec2, own: Cell) -> Option<Cell> {
        let sees = |cell: &Cell, radius| map.line_of_sight(point, cell.center(), radius);
        let is_own_free = layers.grid().is_free(own);
        if is_own_free && sees(&own, layers.radius()) {
            return Some(own);
        }
        let reach = layers.radius().ceil() as i32 + 1;
        let is_near = |cell: &Cell| (cell.x - own.x).abs().max((cell.y - own.y).abs()) <= reach;
        let all = map.rect().cells().filter(is_near);
        let mut cells: Vec<Cell> = all.filter(|cell| layers.grid().is_free(*cell)).collect();
        let apart = |cell: &Cell| cell.center().distance_squared(point);
        cells.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        let fits = cells.iter().find(|cell| sees(cell, layers.radius()));
        let is_seen = cells.iter().find(|cell| sees(cell, 0.0));
        fits.or(is_seen).copied().or(is_own_free.then_some(own))
    }

    #[test]
    fn a_body_enters_at_the_nearest_cell_that_it_can_reach() {
        let mut entered = [0; 3];
        each_case(400, |random| {
            let grid = any_walls(random, 20, 16, 1..6);
            let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
            let radius = random.f32() * 3.0;
            let layers = map.layers(radius);
            let point = Vec2::new(random.f32() * 19.0, random.f32() * 15.0);
            // Often as far from several centers.
            let point = if random.bool() {
                (2.0 * point).round() / 2.0
            } else {
                point
            };
            let own = map.cell_at(point).expect("within the map");
            let found = map.entry(&layers, point, own);
            let expected = naive_entry(&map, &layers, point, own);
            assert_eq!(found, expected, "from {point}");
            let kind = expected.map_or(0, |cell| if cell == own { 1 } else { 2 });
            entered[kind] += 1;
        });
        assert!(entered.into_iter().min() > Some(cases(30)), "{entered:?}");
    }
}
