//! The ground of a map, and its costs for each class of bodies.

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::Vec2;

use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect};
use crate::grid::{CellCosts, Grid};
use crate::terrain::{AreaCosts, Areas, cells_of_line};

/// Length of a line that may lie on wrong ground because of rounding, in cells.
const LINE_ROUNDING_CELLS: f64 = 1e-4;

/// The extremes of the costs on a map for a class.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    /// The lowest and the highest cost of a cell.
    cheapest: u8,
    dearest: u8,
    /// Whether the map has an area that is forbidden to the class.
    forbids: bool,
}

/// Areas, and their costs for each class.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// `None` if all cells are plain ground.
    areas: Option<Areas>,
    /// The costs of each class. There is at least one class. A class without costs has the costs of the first one.
    classes: Arc<[AreaCosts]>,
    /// The extremes of each class, for the current areas.
    extremes: Arc<[Extremes]>,
    /// The cost of plain ground.
    unit: u8,
}

impl Ground {
    /// Ground on which every cell costs 1.
    pub(super) fn even() -> Self {
        Self::new(None, Arc::new([AreaCosts::by_number()]), 1)
    }

    /// Creates ground with the costs of a grid. All classes have the same costs.
    pub(super) fn of_costs(grid: &Grid) -> Self {
        let areas = match grid.costs() {
            CellCosts::Flat(1) => return Self::even(),
            CellCosts::Flat(all) => vec![all; grid.walls().node_count() as usize].into(),
            CellCosts::Each(costs) => costs,
        };
        let areas = Areas::of_nodes(grid.walls().size(), areas);
        Self::new(Some(areas), Arc::new([AreaCosts::by_number()]), 1)
    }

    /// Ground with areas, and their costs for each class. Without classes, all ground is plain.
    pub(super) fn of_areas(areas: Areas, classes: &[AreaCosts]) -> Self {
        let plain = [AreaCosts::plain()];
        let classes = if classes.is_empty() { &plain } else { classes };
        Self::new(Some(areas), classes.into(), AreaCosts::PLAIN)
    }

    fn new(areas: Option<Areas>, classes: Arc<[AreaCosts]>, unit: u8) -> Self {
        let mut ground = Self {
            areas,
            classes,
            extremes: Arc::new([]),
            unit,
        };
        ground.find_extremes();
        ground
    }

    /// Updates the extremes after areas changed.
    pub(super) fn find_extremes(&mut self) {
        let all = self.classes.iter().map(|costs| {
            let Some(areas) = &self.areas else {
                return Extremes {
                    cheapest: self.unit,
                    dearest: self.unit,
                    forbids: false,
                };
            };
            let there = || areas.present().map(|area| costs.cost(area));
            let (low, high) = (there().flatten().min(), there().flatten().max());
            Extremes {
                cheapest: low.unwrap_or(self.unit),
                dearest: high.unwrap_or(self.unit),
                forbids: there().any(|cost| cost.is_none()),
            }
        });
        self.extremes = all.collect();
    }

    /// The cost of plain ground.
    pub(super) fn unit(&self) -> u8 {
        self.unit
    }

    pub(super) fn areas(&self) -> Option<&Areas> {
        self.areas.as_ref()
    }

    pub(super) fn areas_mut(&mut self) -> Option<&mut Areas> {
        self.areas.as_mut()
    }

    /// Whether the areas of any cell in a rectangle differ. The rectangle lies inside the map.
    pub(super) fn differs_in(&self, other: &Self, rect: CellRect) -> bool {
        match (&self.areas, &other.areas) {
            (Some(own), Some(other)) => own.differs_in(other, rect),
            (own, other) => own.is_some() != other.is_some(),
        }
    }

    /// Copies the extremes of a map with the same areas.
    pub(super) fn take_extremes(&mut self, same: &Self) {
        self.extremes = same.extremes.clone();
    }

    /// The entry of a class in a list with at least one entry. A class without an entry has the first one.
    fn of<T>(all: &[T], class: u8) -> &T {
        let own = all.get(usize::from(class));
        own.unwrap_or(&all[0])
    }

    fn table(&self, class: u8) -> &AreaCosts {
        Self::of(&self.classes, class)
    }

    fn extremes(&self, class: u8) -> Extremes {
        *Self::of(&self.extremes, class)
    }

    /// The cost of a cell for a class. `None` if the cell is forbidden.
    pub(super) fn cost(&self, cell: Cell, class: u8) -> Option<u8> {
        match &self.areas {
            Some(areas) => self.table(class).cost(areas.area(cell)),
            None => Some(self.unit),
        }
    }

    /// The costs of all cells for a class.
    pub(super) fn costs(&self, class: u8) -> CellCosts {
        let Some(areas) = self.areas.as_ref().filter(|_| !self.is_even(class)) else {
            return CellCosts::Flat(self.extremes(class).cheapest);
        };
        let table = self.table(class);
        if *table == AreaCosts::by_number() {
            return CellCosts::Each(areas.nodes().clone());
        }
        let cost = |&area: &u8| table.cost(area).unwrap_or(self.unit);
        CellCosts::Each(areas.nodes().iter().map(cost).collect())
    }

    /// An edit that blocks the cells that are forbidden to a class, for
    /// [`Walls::edit_words`](crate::walls::Walls::edit_words). `None` if no cells are forbidden to the class.
    pub(super) fn closing(
        &self,
        class: u8,
        cancel: Cancel<'_>,
    ) -> Option<impl Fn(&mut [u64], usize, CellRect) -> Result<(), Cancelled>> {
        let close = move |words: &mut [u64], row_words: usize, rect: CellRect| {
            for y in rect.min.y..rect.max.y {
                cancel.check()?;
                let row = (y as usize + 1) * row_words;
                for x in rect.min.x..rect.max.x {
                    if self.cost(Cell::new(x, y), class).is_none() {
                        words[row + x as usize / 64] &= !(1 << (x % 64));
                    }
                }
            }
            Ok(())
        };
        self.forbids(class).then_some(close)
    }

    /// Updates the costs of a grid to the costs of a class in some rectangles.
    pub(super) fn recost(
        &self,
        class: u8,
        grid: &mut Grid,
        rects: impl Iterator<Item = CellRect> + Clone,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let Some(areas) = &self.areas else {
            return Ok(());
        };
        let (table, nodes) = (self.table(class), areas.nodes());
        let cost = |node: u32| table.cost(nodes[node as usize]).unwrap_or(self.unit);
        grid.recost(rects, cost, cancel)
    }

    /// The cost of a straight line for a class, in cells of plain ground. `None` if the line enters forbidden ground. A
    /// line that begins on forbidden ground may leave it, at the highest cost that ground can have.
    pub(super) fn line_cost(&self, line: (Vec2, Vec2), class: u8) -> Option<f32> {
        let length = line.0.distance(line.1);
        let Some(areas) = &self.areas else {
            return Some(length);
        };
        if self.is_even(class) {
            return Some(length * self.share(self.extremes(class).cheapest));
        }
        let table = self.table(class);
        let (mut mean, mut stands_well, mut enters) = (0.0, false, false);
        cells_of_line(line, areas.rect(), |cell, share| {
            let cost = table.cost(areas.area(cell));
            // Because of rounding, a line through a corner may enter a forbidden cell.
            enters =
                stands_well && cost.is_none() && share * f64::from(length) > LINE_ROUNDING_CELLS;
            stands_well |= cost.is_some();
            mean += share * f64::from(cost.unwrap_or(u8::MAX));
            if enters {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        (!enters).then(|| length * mean as f32 / f32::from(self.unit))
    }

    /// Whether all ground has the same cost for a class, and nothing is forbidden to the class.
    pub(super) fn is_even(&self, class: u8) -> bool {
        let Extremes {
            cheapest,
            dearest,
            forbids,
        } = self.extremes(class);
        cheapest == dearest && !forbids
    }

    /// Whether some ground is forbidden to a class.
    pub(super) fn forbids(&self, class: u8) -> bool {
        self.extremes(class).forbids
    }

    /// The lowest cost of a cell for a class, in cells of plain ground.
    pub(super) fn least(&self, class: u8) -> f32 {
        self.share(self.extremes(class).cheapest)
    }

    fn share(&self, cost: u8) -> f32 {
        f32::from(cost) / f32::from(self.unit)
    }
}
