//! Taut paths on a map, and the widest body that gets from one cell to another.

use std::sync::atomic::AtomicBool;

use glam::Vec2;

use super::ground::Ground;
use super::nav_map::{NavMap, NavScratch};
use crate::cancel::{Cancelled, Watch};
use crate::cell::{Cell, CellRect};
use crate::search::{Algorithm, FindPathError, Outcome, PathOptions, SearchRecorder};
use crate::sight::line_of_sight_until;
use crate::smooth::taut_path_until;

/// What [`NavMap::taut_way`] finds: a way by few straight lines, and how it came about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TautWay {
    /// What [`NavMap::taut_path`] gives.
    pub points: Vec<Vec2>,
    /// Whether it leads to the goal's cell. Its last point is the goal, or the center of the nearest cell that can be
    /// reached.
    pub is_whole: bool,
    /// As [`SearchStats::expanded`](crate::SearchStats::expanded). 0 where the straight line is free.
    pub expanded: u32,
    /// As [`SearchStats::pushed`](crate::SearchStats::pushed).
    pub pushed: u32,
}

impl NavMap {
    /// The way of a body from one point to another, by few straight lines: `start`, the points where it
    /// turns, and `goal`; or, if the goal cannot be reached, the center of the nearest cell that can. So
    /// `path.last() == Some(&goal)` tells that it leads to the goal.
    ///
    /// The body fits along every line, except perhaps along the first. If it is nearer to a wall than its radius,
    /// it goes straight to a free cell near by, its own or one that no wall separates it from, and fits from there
    /// on. If there is no such cell, it cannot stand at `start`: [`nearest_free`](Self::nearest_free) tells where
    /// it can.
    ///
    /// Terrain costs decide between ways around obstacles, and nothing else: lines are pulled straight over
    /// whatever lies between. To keep off costly ground, walk the cells of [`find_path`](Self::find_path).
    ///
    /// # Errors
    ///
    /// - [`FindPathError::BadRadius`], [`StartNotFinite`](FindPathError::StartNotFinite) and
    ///   [`GoalNotFinite`](FindPathError::GoalNotFinite) for numbers that make no sense;
    /// - [`StartOutside`](FindPathError::StartOutside) and [`GoalOutside`](FindPathError::GoalOutside) for a
    ///   point that is in no cell;
    /// - [`StartBlocked`](FindPathError::StartBlocked) if the body does not fit at `start`, nor in a cell near
    ///   by that no wall separates it from.
    pub fn taut_path(
        &self,
        start: Vec2,
        goal: Vec2,
        radius: f32,
        scratch: &mut NavScratch,
    ) -> Result<Vec<Vec2>, FindPathError> {
        self.taut_path_until(start, goal, radius, None, scratch)
    }

    /// As [`taut_path`](Self::taut_path), with a flag to give up: the search looks at it as
    /// [`PathOptions::cancel`] says, and all that comes before and after it at least once in 4,096 words, as
    /// [`taut_path_until`](crate::smooth::taut_path_until) says.
    ///
    /// # Errors
    ///
    /// Those of [`taut_path`](Self::taut_path), and [`FindPathError::Cancelled`] if the flag became `true`
    /// before the path was known.
    pub fn taut_path_until(
        &self,
        start: Vec2,
        goal: Vec2,
        radius: f32,
        cancel: Option<&AtomicBool>,
        scratch: &mut NavScratch,
    ) -> Result<Vec<Vec2>, FindPathError> {
        let way = self.taut_way(start, goal, radius, cancel, scratch, &mut ())?;
        Ok(way.points)
    }

    /// As [`taut_path_until`](Self::taut_path_until), with the work that it took, told to a recorder. Tables have nothing
    /// to tell, so they do not answer if the recorder listens.
    ///
    /// # Errors
    ///
    /// Those of [`taut_path_until`](Self::taut_path_until).
    pub fn taut_way<R: SearchRecorder>(
        &self,
        start: Vec2,
        goal: Vec2,
        radius: f32,
        cancel: Option<&AtomicBool>,
        scratch: &mut NavScratch,
        recorder: &mut R,
    ) -> Result<TautWay, FindPathError> {
        self.check_radius(radius)?;
        if !start.is_finite() {
            return Err(FindPathError::StartNotFinite);
        }
        if !goal.is_finite() {
            return Err(FindPathError::GoalNotFinite);
        }
        let own = self.cell_at(start).map_err(FindPathError::StartOutside)?;
        let goal_cell = self.cell_at(goal).map_err(FindPathError::GoalOutside)?;
        let watch = &mut Watch::new(cancel);
        // Nothing is shorter.
        if line_of_sight_until(self.clearance(), start, goal, radius, watch)? {
            return Ok(TautWay {
                points: vec![start, goal],
                is_whole: true,
                expanded: 0,
                pushed: 0,
            });
        }
        let ground = self.ground_until(radius, cancel)?;
        let from = self.entry(&ground, start, own, watch)?;
        let from = from.ok_or(FindPathError::StartBlocked(own))?;
        let options = PathOptions {
            cancel,
            algorithm: match R::LISTENS && ground.shortcut().is_baked() {
                true => Algorithm::JumpPoint,
                false => Algorithm::Auto,
            },
            ..PathOptions::default()
        };
        let search = &mut scratch.search;
        let found = ground.find_path_recorded(from, goal_cell, &options, search, recorder)?;
        let is_whole = found.outcome == Outcome::Complete;
        let end = is_whole.then_some(goal);
        let turns = &found.path.turns;
        let (clearance, taut) = (self.clearance(), &mut scratch.taut);
        Ok(TautWay {
            points: taut_path_until(clearance, start, turns, end, radius, cancel, taut)?,
            is_whole,
            expanded: found.stats.expanded,
            pushed: found.stats.pushed,
        })
    }

    /// The cell that a point is in, as an error if that lies outside.
    pub(crate) fn cell_at(&self, point: Vec2) -> Result<Cell, Cell> {
        let cell = Cell::at(point);
        self.rect().contains(cell).then_some(cell).ok_or(cell)
    }

    /// Where a body at a point in the cell `own` enters the ground: the nearest free cell that it can go to as
    /// a whole, else the nearest one that a point can go to, else its own cell.
    fn entry(
        &self,
        ground: &Ground,
        point: Vec2,
        own: Cell,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Cell>, Cancelled> {
        let is_own_free = ground.grid().is_free(own);
        let (center, radius) = (own.center(), ground.radius());
        if is_own_free && line_of_sight_until(self.clearance(), point, center, radius, watch)? {
            return Ok(Some(own));
        }
        // A body that fits nowhere in that reach is too near to a wall to get there.
        let reach = radius.max(0.0).ceil() as u32 + 1;
        let around = CellRect::new(own, own.offset(1, 1)).grow(reach);
        let mut cells = Vec::new();
        for cell in around.intersect(&self.rect()).cells() {
            watch.pass(1)?;
            if ground.grid().is_free(cell) {
                // The bits of numbers that are not negative are in the order of the numbers.
                let apart = cell.center().distance_squared(point).to_bits();
                cells.push((apart, cell.y, cell.x));
            }
        }
        watch.sort(&mut cells)?;
        for radius in [radius, 0.0] {
            for &(_, y, x) in &cells {
                let center = Cell::new(x, y).center();
                if line_of_sight_until(self.clearance(), point, center, radius, watch)? {
                    return Ok(Some(Cell::new(x, y)));
                }
            }
        }
        Ok(is_own_free.then_some(own))
    }

    /// The radius of the largest body that can walk from one cell to another: see
    /// [`Clearance::widest_radius`](crate::Clearance::widest_radius).
    #[must_use]
    pub fn widest_radius(&self, from: Cell, to: Cell) -> Option<f32> {
        self.clearance().widest_radius(from, to, self.diagonals())
    }

    /// As [`widest_radius`](Self::widest_radius), with a flag to give up: see
    /// [`Clearance::widest_radius_until`](crate::Clearance::widest_radius_until).
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the flag became `true` before the answer was known.
    pub fn widest_radius_until(
        &self,
        from: Cell,
        to: Cell,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<f32>, Cancelled> {
        let clearance = self.clearance();
        clearance.widest_radius_until(from, to, self.diagonals(), cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::looks;
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;

    #[test]
    fn the_flag_ends_a_taut_path_at_whichever_look_it_goes_up() {
        let mut random = fastrand::Rng::with_seed(17);
        let grid = Grid::from_fn(150, 120, |_| random.u8(0..6) > 0).expect("a good size");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let ends = [Vec2::ZERO, Vec2::new(149.0, 119.0)];
        let [from, to] = ends.map(|end| map.nearest_free(end, 0.4).expect("a free cell").center());
        let scratch = &mut NavScratch::new();
        // So that its making takes no looks.
        let whole = map.taut_path(from, to, 0.4, scratch).expect("a path");
        assert!(whole.len() > 20 && whole.last() == Some(&to), "{whole:?}");
        let mut ask = |up_at: usize| {
            looks::count(up_at, |flag| {
                map.taut_path_until(from, to, 0.4, flag, scratch)
            })
        };
        let (found, all) = ask(usize::MAX);
        assert!(all > 10, "{all} looks");
        for up_at in 0..all {
            let cancelled = (Err(FindPathError::Cancelled), up_at + 1);
            assert_eq!(ask(up_at), cancelled, "of {all} looks");
        }
        assert_eq!(found.as_ref(), Ok(&whole));
        assert_eq!(ask(usize::MAX), (found, all), "nothing of it was kept");
    }

    #[test]
    fn the_flag_ends_a_look_along_a_line_that_is_long() {
        let grid = Grid::from_fn(20_000, 3, |_| true).expect("a good size");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let (from, to) = (Vec2::new(0.0, 1.0), Vec2::new(19_999.0, 1.0));
        let look = |up_at: usize| {
            looks::count(up_at, |flag| {
                let watch = &mut Watch::new(flag);
                line_of_sight_until(map.clearance(), from, to, 0.4, watch).ok()
            })
        };
        let (seen, all) = look(usize::MAX);
        assert!(seen == Some(true) && all > 20_000 / 4096, "{all} looks");
        for up_at in 0..all {
            assert_eq!(look(up_at), (None, up_at + 1), "of {all} looks");
        }
    }

    #[test]
    fn the_flag_ends_the_search_for_the_widest_radius() {
        let mut random = fastrand::Rng::with_seed(19);
        let grid = Grid::from_fn(150, 120, |_| random.u8(0..9) > 0).expect("a good size");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let ends = [Vec2::ZERO, Vec2::new(149.0, 119.0)];
        let [from, to] = ends.map(|end| map.nearest_free(end, 0.4).expect("a free cell"));
        let ask = |flag: Option<&AtomicBool>| map.widest_radius_until(from, to, flag);
        let (widest, all) = looks::assert_each_ends(&Err(Cancelled), ask);
        assert!(all > 0 && widest != Ok(None), "{all} looks");
        assert_eq!(widest, Ok(map.widest_radius(from, to)));
    }

    /// Where a body enters the ground, by all cells near by in order.
    fn naive_entry(map: &NavMap, ground: &Ground, point: Vec2, own: Cell) -> Option<Cell> {
        let sees = |cell: &Cell, radius| map.line_of_sight(point, cell.center(), radius);
        let is_own_free = ground.grid().is_free(own);
        if is_own_free && sees(&own, ground.radius()) {
            return Some(own);
        }
        let reach = ground.radius().ceil() as i32 + 1;
        let is_near = |cell: &Cell| (cell.x - own.x).abs().max((cell.y - own.y).abs()) <= reach;
        let all = map.rect().cells().filter(is_near);
        let mut cells: Vec<Cell> = all.filter(|cell| ground.grid().is_free(*cell)).collect();
        let apart = |cell: &Cell| cell.center().distance_squared(point);
        cells.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        let fits = cells.iter().find(|cell| sees(cell, ground.radius()));
        let is_seen = cells.iter().find(|cell| sees(cell, 0.0));
        fits.or(is_seen).copied().or(is_own_free.then_some(own))
    }

    #[test]
    fn a_body_enters_at_the_nearest_cell_that_it_gets_to() {
        let mut entered = [0; 3];
        for seed in 0..400 {
            let mut random = fastrand::Rng::with_seed(seed);
            let walls = random.u8(1..6);
            let grid = Grid::from_fn(20, 16, |_| random.u8(0..20) >= walls).expect("a good size");
            let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
            let radius = random.f32() * 3.0;
            let ground = map.ground(radius);
            let point = Vec2::new(random.f32() * 19.0, random.f32() * 15.0);
            // Often as far from several centers.
            let point = if random.bool() {
                (2.0 * point).round() / 2.0
            } else {
                point
            };
            let own = map.cell_at(point).expect("within the map");
            let found = map.entry(&ground, point, own, &mut Watch::new(None));
            let expected = naive_entry(&map, &ground, point, own);
            assert_eq!(found.ok(), Some(expected), "case {seed}: from {point}");
            let kind = expected.map_or(0, |cell| if cell == own { 1 } else { 2 });
            entered[kind] += 1;
        }
        assert!(entered.iter().all(|count| *count > 30), "{entered:?}");
    }

    #[test]
    fn the_flag_ends_the_search_for_where_a_wide_body_enters() {
        // It stands beside a wall, and the cells where it fits are at the far side of what is looked at.
        let grid = Grid::from_fn(200, 200, |cell| cell.x > 0).expect("a good size");
        let map = NavMap::new(&grid, 64.0, DiagonalPolicy::NoCornerCut);
        let ground = map.ground(60.0);
        let (point, own) = (Vec2::new(9.0, 100.0), Cell::new(9, 100));
        let (entry, all) = looks::assert_each_ends(&None, |flag| {
            let watch = &mut Watch::new(flag);
            map.entry(&ground, point, own, watch).ok()
        });
        assert_eq!(entry, Some(naive_entry(&map, &ground, point, own)));
        let (rows, columns) = (2 * 61 + 1, 9 + 61 + 1);
        assert!(all > rows * columns / 512, "{all} looks");
    }
}
