//! The behavior that runs away from an entity, and where it runs to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::prelude::ReflectComponent;
use bevy::reflect::Reflect;
use pursuit::{Cell, CellRect, DIAGONAL, DiagonalPolicy, Grid, NEIGHBORS, Path, STRAIGHT};

use crate::motion::agent::NavAgent;

/// Keeps an agent away from an entity: while that is nearer than [`distance`](Self::distance), the
/// agent runs to the place nearby that is farthest from it on foot.
///
/// It prefers places that ways lead on from, so that it does not run into a dead end if there is
/// another way. [`PathRequest`](super::PathRequest) and [`Chase`](super::Chase) go before it. Written
/// by the user; removing it stops the agent.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent)]
#[component(on_insert = super::renew)]
pub struct Flee {
    /// Whom to keep away from. While it has no place in the world, the agent stands.
    #[entities]
    pub from: Entity,
    /// The agent runs while the other is nearer than this, until it is a quarter farther away, in
    /// world units between the centers. Finite, `>= 0.0`.
    pub distance: f32,
}

impl Flee {
    /// Keeps the agent at least `distance` world units away from an entity.
    pub fn new(from: Entity, distance: f32) -> Self {
        Self { from, distance }
    }

    /// Sets the distance to keep, in world units.
    pub fn with_distance(mut self, distance: f32) -> Self {
        self.distance = distance;
        self
    }
}

/// Farthest that a refuge is looked for, in cells.
const FARTHEST: u32 = 64;
/// Not reached.
const FAR: u32 = u32::MAX;

/// The way from `start` to the cell within `reach` cells on foot that is farthest from `threat` on
/// foot, all of it over cells that `start` gets to first; and how many cells were looked at.
///
/// Two floods (Dijkstra, 1959): one from the threat, and one from the start that stops where the
/// threat would be first. Cells at the end of the reach go first: from others no way leads on.
pub(crate) fn refuge(
    grid: &Grid,
    diagonals: DiagonalPolicy,
    start: Cell,
    threat: Cell,
    reach: u32,
) -> (Path, u64) {
    let reach = reach.clamp(2, FARTHEST);
    let limit = reach * STRAIGHT;
    let around = CellRect::new(start, start.offset(1, 1)).grow(2 * reach);
    let window = Window {
        grid,
        diagonals,
        rect: around.intersect(&grid.rect()),
    };
    let theirs = window.flood(threat, FAR - DIAGONAL, |_, _| true);
    // From one in the same cell every way is as good: whoever runs first is first.
    let lead = if start == threat { STRAIGHT } else { 0 };
    let ours = window.flood(start, limit, |slot, cost| {
        cost < theirs[slot].saturating_add(lead)
    });
    let mut best = (false, 0, Reverse(FAR), start);
    for cell in window.rect.cells() {
        let slot = window.slot(cell);
        if ours[slot] != FAR {
            let leads_on = ours[slot] + DIAGONAL >= limit;
            best = best.max((leads_on, theirs[slot], Reverse(ours[slot]), cell));
        }
    }
    let settled = |costs: &[u32]| costs.iter().filter(|cost| **cost != FAR).count() as u64;
    let settled = settled(&theirs) + settled(&ours);
    (window.path(&ours, best.3), settled)
}

/// The part of a grid in which a refuge is looked for.
struct Window<'a> {
    grid: &'a Grid,
    diagonals: DiagonalPolicy,
    rect: CellRect,
}

impl Window<'_> {
    fn slot(&self, cell: Cell) -> usize {
        let (x, y) = (cell.x - self.rect.min.x, cell.y - self.rect.min.y);
        y as usize * self.rect.width() as usize + x as usize
    }

    /// The cells that one step leads to, and what each step costs.
    fn steps(&self, cell: Cell) -> impl Iterator<Item = (Cell, u32)> {
        let is_free = move |dx, dy| self.grid.is_free(cell.offset(dx, dy));
        NEIGHBORS.into_iter().filter_map(move |(dx, dy)| {
            let next = cell.offset(dx, dy);
            let is_diagonal = dx != 0 && dy != 0;
            let is_legal = !is_diagonal || self.diagonals.allows(is_free(dx, 0), is_free(0, dy));
            let cost = if is_diagonal { DIAGONAL } else { STRAIGHT };
            (is_legal && is_free(dx, dy) && self.rect.contains(next)).then_some((next, cost))
        })
    }

    /// What the cheapest way from `source` to each cell costs, up to `limit`, over cells that `may`
    /// be entered at their cost.
    fn flood(&self, source: Cell, limit: u32, may: impl Fn(usize, u32) -> bool) -> Vec<u32> {
        let mut costs = vec![FAR; self.rect.cell_count() as usize];
        let mut open = BinaryHeap::new();
        if self.rect.contains(source) {
            costs[self.slot(source)] = 0;
            open.push((Reverse(0), source));
        }
        while let Some((Reverse(cost), cell)) = open.pop() {
            if cost > costs[self.slot(cell)] {
                continue;
            }
            for (next, step) in self.steps(cell) {
                let (slot, cost) = (self.slot(next), cost + step);
                if cost <= limit && cost < costs[slot] && may(slot, cost) {
                    costs[slot] = cost;
                    open.push((Reverse(cost), next));
                }
            }
        }
        costs
    }

    /// The way to `end` along which the costs were found.
    fn path(&self, costs: &[u32], end: Cell) -> Path {
        let mut cells = vec![end];
        let mut at = end;
        while costs[self.slot(at)] > 0 {
            let cost = costs[self.slot(at)];
            let is_before = |(cell, step): &(Cell, u32)| {
                costs[self.slot(*cell)].checked_add(*step) == Some(cost)
            };
            let Some((before, _)) = self.steps(at).find(is_before) else {
                break;
            };
            at = before;
            cells.push(at);
        }
        cells.reverse();
        let cost = u64::from(costs[self.slot(end)]);
        Path::from_cells(cells, cost)
    }
}

#[cfg(test)]
mod tests {
    use pursuit::maps::parse_ascii;

    use super::*;

    /// The way from `S`, fleeing from `G`.
    fn flee(map: &str, reach: u32) -> Vec<Cell> {
        let rows: Vec<&str> = map.lines().map(str::trim).collect();
        let map = parse_ascii(&rows.join("\n")).expect("a map");
        let [start, threat] = ['S', 'G'].map(|letter| map.find(letter).expect("a letter"));
        let policy = DiagonalPolicy::NoCornerCut;
        refuge(&map.grid, policy, start, threat, reach)
            .0
            .cells()
            .collect()
    }

    #[test]
    fn it_runs_away_and_not_past_the_threat() {
        let way = flee("..............\n....GS........\n..............", 5);
        assert_eq!(way.first(), Some(&Cell::new(5, 1)));
        assert!(way.last().is_some_and(|end| end.x >= 9), "{way:?}");
    }

    #[test]
    fn it_does_not_run_into_a_dead_end_if_there_is_another_way() {
        // To the right four cells and no more; down a way that leads on.
        let map = "
            ##########
            #GS.....##
            ##.#######
            ##.#######
            ##.......#
            ########.#
            ########.#
        ";
        let end = flee(map.trim(), 6).last().copied().expect("an end");
        assert!(end.y > 1, "runs into the dead end at {end}");
    }

    #[test]
    fn who_has_the_threat_in_its_own_cell_runs() {
        let map = parse_ascii("..........\n....S.....").expect("a map");
        let start = map.find('S').expect("an S");
        let policy = DiagonalPolicy::NoCornerCut;
        let (path, _) = refuge(&map.grid, policy, start, start, 4);
        assert!(path.cells().count() > 3, "{path:?}");
    }

    #[test]
    fn who_is_cornered_stays() {
        assert_eq!(flee("S.G", 5).last(), Some(&Cell::new(0, 0)));
        assert_eq!(flee("SG", 5), [Cell::new(0, 0)]);
    }
}
