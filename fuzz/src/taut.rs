//! Checks taut paths of walks that a body can take, and of cells that are not a walk.

use std::cell::RefCell;

use arbitrary::Arbitrary;
use pursuit::glam::{DVec2, Vec2};
use pursuit::sight::line_of_sight;
use pursuit::steer::length;
use pursuit::{
    BodyLayers, Cell, DiagonalPolicy, Outcome, PathOptions, Room, SearchScratch, TautScratch,
    taut_path,
};

use crate::exact::distance;
use crate::worlds::{AnyPoint, AnyRadius, AnyWorld};

/// Error allowed for rounding and for the documented tolerance, in cells.
const TOLERANCE_CELLS: f64 = 1e-3;

/// The start and goal of a walk, and the body that takes it.
#[derive(Arbitrary, Debug)]
pub struct AnyWalk {
    start: AnyPoint,
    goal: AnyPoint,
    radius: AnyRadius,
    /// Margin that the path keeps in addition to the radius, in hundredths of the radius.
    margin: i8,
    /// Whether the taut path is computed from only the turns of the walk.
    only_turns: bool,
    /// Arbitrary cells instead of a walk.
    other_cells: Option<Vec<(i32, i32)>>,
}

thread_local! {
    /// One scratch for all runs, because the data of earlier paths must not change a path.
    static SCRATCH: RefCell<TautScratch> = RefCell::new(TautScratch::new());
}

impl AnyWalk {
    /// Computes a taut path and checks it by exact distances.
    ///
    /// # Panics
    ///
    /// If the path is unsafe, too long, or does not lead from the start to an end.
    pub fn check(&self, world: &AnyWorld) {
        let field = &world.field;
        let (start, goal) = (self.start.on(field), self.goal.on(field));
        let radius = self.radius.cells();
        let margin = 0.01 * f32::from(self.margin) * radius;
        let lay = |cells: &[Cell], scratch: &mut TautScratch| {
            let room = Room { radius, margin };
            taut_path(field, start, cells, Some(goal), room, scratch)
        };
        if let Some(cells) = &self.other_cells {
            let cells: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::new(x, y)).collect();
            let taut = SCRATCH.with_borrow_mut(|scratch| lay(&cells, scratch));
            assert!(taut[0] == start || start.is_nan());
            return;
        }
        let Some(walk) = self.walk(world, start, goal, radius) else {
            return;
        };
        let taut = SCRATCH.with_borrow_mut(|scratch| lay(&walk, scratch));
        if !start.is_finite() {
            return;
        }
        assert_eq!(
            taut,
            lay(&walk, &mut TautScratch::new()),
            "the earlier contents of the scratch matter"
        );
        let end = walk[walk.len() - 1].center();
        let last = taut[taut.len() - 1];
        assert_eq!(taut[0], start);
        assert!(last == goal || last == end, "ends at {last}");
        check_safe(world, &walk, &taut, radius);
        let mut long = vec![start];
        long.extend(walk.iter().map(|cell| cell.center()));
        long.extend((last == goal).then_some(goal));
        assert!(
            length(&taut) <= length(&long) + 1e-3,
            "longer than the walk"
        );
        for corner in taut.windows(3) {
            let room = radius + margin.max(0.0);
            let is_needless = line_of_sight(field, corner[0], corner[2], room);
            assert!(!is_needless, "{} is needless", corner[1]);
        }
    }

    /// A walk of the lowest cost between the cells of two points. `None` if the body has no walk between these cells.
    fn walk(&self, world: &AnyWorld, start: Vec2, goal: Vec2, radius: f32) -> Option<Vec<Cell>> {
        let policy = DiagonalPolicy::NoCornerCut;
        let layers = BodyLayers::from_grid(world.field.walkable(radius, policy), policy);
        let [from, to] = [start, goal].map(|point| {
            let point = point.round().as_ivec2();
            Cell::new(point.x, point.y)
        });
        let options = PathOptions::default();
        let found = layers.find_path(from, to, &options, &mut SearchScratch::new());
        let found = found.ok()?;
        (found.outcome == Outcome::Complete).then(|| {
            if self.only_turns {
                found.path.turns
            } else {
                found.path.cells().collect()
            }
        })
    }
}

/// Asserts that the body is clear of obstacles along every line, except the line from the start into the first cell.
fn check_safe(world: &AnyWorld, walk: &[Cell], taut: &[Vec2], radius: f32) {
    for (i, ends) in taut.windows(2).enumerate() {
        let is_way_in = i == 0 && ends[1] == walk[0].center();
        let [a, b]: [DVec2; 2] = [ends[0].as_dvec2(), ends[1].as_dvec2()];
        let nearest = distance(&world.obstacles, a, b);
        let is_safe = nearest >= f64::from(radius) - TOLERANCE_CELLS;
        assert!(is_way_in || is_safe, "{a} to {b}: {nearest} < {radius}");
    }
}
