//! Taut paths over ground of different costs. Such a path costs no more than the walk that it replaces.
//!
//! A walk is pulled taut as if all ground were plain. If the result costs no more than the walk, it is the path.
//! Otherwise, each stretch over ground of one cost is pulled taut by itself. Then a part of the path is replaced by a
//! straight line if the line costs no more.

use glam::Vec2;

use super::body::Body;
use super::nav_map::{COST_ROUNDING_FACTOR, NavMap};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::path::Path;
use crate::smooth::{self, Room, TautScratch, last_in_reach};

/// A part of a walk.
struct Stretch {
    start: Vec2,
    turns: Vec<Cell>,
    goal: Vec2,
}

impl Stretch {
    fn points(&self) -> impl Iterator<Item = Vec2> {
        let centers = self.turns.iter().map(|cell| cell.center());
        [self.start].into_iter().chain(centers).chain([self.goal])
    }
}

impl NavMap {
    /// Pulls a walk over cells taut for a [class](crate::Body::class) of bodies. `turns` may be all cells of the walk,
    /// or only its ends and the cells where it turns. This works like [`taut_path`](crate::taut_path), but the path
    /// costs no more than the walk, and enters forbidden ground only where the walk does. Checks `cancel` for each
    /// corner.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if `cancel` ends the work before the path is known.
    pub fn pull_taut(
        &self,
        (start, goal): (Vec2, Option<Vec2>),
        turns: &[Cell],
        (room, class): (Room, u8),
        scratch: &mut TautScratch,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Vec2>, Cancelled> {
        let is_allowed = |goal: &Vec2| self.ground.cost(Cell::at(*goal), class).is_some();
        let goal = goal.filter(is_allowed);
        let ends = (start, goal);
        let taut = smooth::pull(self.clearance(), ends, turns, room, scratch, cancel)?;
        if self.ground.is_even(class) {
            return Ok(taut);
        }
        let goal = goal.filter(|goal| taut.last() == Some(goal));
        let mut stretches = self.stretches(turns, class);
        if let [first, ..] = &mut stretches[..] {
            first.start = start;
        }
        if let ([.., last], Some(goal)) = (&mut stretches[..], goal) {
            last.goal = goal;
        }
        let walk: Vec<Vec2> = stretches.iter().flat_map(Stretch::points).collect();
        let costs = self.running_costs(&walk, class);
        let max_cost = costs.last().map(|cost| *cost as f32);
        let is_cheap = |points: &[Vec2], max_cost: f32| {
            let cost = self.cost_of(points, class);
            cost.is_some_and(|cost| cost <= max_cost * COST_ROUNDING_FACTOR)
        };
        if is_cheap(&taut, max_cost.unwrap_or_default()) {
            return Ok(taut);
        }
        let mut points = Vec::new();
        for stretch in &stretches {
            let (ends, clearance) = ((stretch.start, Some(stretch.goal)), self.clearance());
            let pulled = smooth::pull(clearance, ends, &stretch.turns, room, scratch, cancel)?;
            let walked: Vec<Vec2> = stretch.points().collect();
            let max_cost = self.cost_of(&walked, class).unwrap_or(f32::INFINITY);
            let is_better = pulled.last() == walked.last() && is_cheap(&pulled, max_cost);
            points.extend(if is_better { pulled } else { walked });
        }
        points.dedup();
        self.leave_out(&points, (room, class), cancel)
    }

    /// A walk in stretches over ground of one cost.
    fn stretches(&self, turns: &[Cell], class: u8) -> Vec<Stretch> {
        let (turns, cost) = (turns.to_vec(), 0);
        let cells: Vec<Cell> = Path { turns, cost }.cells().collect();
        let is_even =
            |a: &Cell, b: &Cell| self.ground.cost(*a, class) == self.ground.cost(*b, class);
        let stretches = cells.chunk_by(is_even);
        let of_cells = |cells: &[Cell]| Stretch {
            start: cells[0].center(),
            goal: cells[cells.len() - 1].center(),
            turns: Path::from_cells(cells.to_vec(), cost).turns,
        };
        stretches.map(of_cells).collect()
    }

    /// Leaves out points: from each point that stays, the path continues straight to a later point, at no higher cost.
    /// The later point is found by strides that double, then by halves.
    fn leave_out(
        &self,
        points: &[Vec2],
        (room, class): (Room, u8),
        cancel: Cancel<'_>,
    ) -> Result<Vec<Vec2>, Cancelled> {
        let costs = self.running_costs(points, class);
        let last = points.len().saturating_sub(1);
        let radius = room.wanted(self.clearance());
        let body = Body { radius, class };
        let may_go = |from: usize, to: usize| {
            let max_cost = (costs[to] - costs[from]) as f32;
            self.can_go_straight_within(points[from], points[to], body, max_cost)
        };
        let (mut kept, mut at) = (points.get(..1).unwrap_or_default().to_vec(), 0);
        while at < last {
            cancel.check()?;
            at = last_in_reach(at + 1..last + 1, |to| may_go(at, to));
            kept.push(points[at]);
        }
        Ok(kept)
    }

    /// Costs from the start of a polyline to each of its points. A line that enters forbidden ground costs as much as a
    /// line over plain ground.
    fn running_costs(&self, points: &[Vec2], class: u8) -> Vec<f64> {
        let mut sum = 0.0;
        let lines = points.windows(2).map(|line| {
            let length = line[0].distance(line[1]);
            sum += f64::from(self.line_cost(line[0], line[1], class).unwrap_or(length));
            sum
        });
        std::iter::once(0.0).chain(lines).collect()
    }

    /// Cost of a polyline; `None` if it enters forbidden ground.
    fn cost_of(&self, points: &[Vec2], class: u8) -> Option<f32> {
        let cost = |line: &[Vec2]| self.line_cost(line[0], line[1], class);
        points.windows(2).map(cost).sum()
    }
}
