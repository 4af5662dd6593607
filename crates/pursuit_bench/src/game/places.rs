//! The places where a body can be: the largest connected region of a level, and the other regions.

use std::cmp::Reverse;

use fastrand::Rng;
use pursuit::{
    BodyLayers, Cell, Clearance, DiagonalPolicy, FoundPath, Grid, PathOptions, RegionId,
    SearchScratch,
};

use crate::ground::complete;

/// Distances to walls are computed up to this distance, in cells. Paths need only the radius of the body.
const MAX_CLEARANCE: f32 = 2.0;

/// The cells of a level on which a body of one radius can stand.
pub(crate) struct Places {
    pub(crate) clearance: Clearance,
    /// The layers of the level for this body.
    pub(crate) layers: BodyLayers,
    /// Cells of the largest region.
    pub(crate) largest: Vec<Cell>,
    /// Cells of all other regions. They cannot be reached from the largest region.
    pub(crate) others: Vec<Cell>,
}

impl Places {
    /// Finds the places of a body of `radius` cells. `None` if the body does not fit anywhere.
    pub(crate) fn new(level: &Grid, radius: f32) -> Option<Self> {
        let clearance = Clearance::from_grid(level, MAX_CLEARANCE);
        let grid = clearance.walkable(radius, DiagonalPolicy::default());
        let layers = BodyLayers::from_grid(grid, DiagonalPolicy::default());
        let regions = layers.regions();
        let number = regions
            .ids()
            .max_by_key(|&id| (regions.size(id), Reverse(id)))?;
        let walkable = layers.grid().rect().cells();
        let walkable = walkable.filter_map(|cell| Some((cell, regions.region(cell)?)));
        let (largest, others): (Vec<_>, Vec<_>) = walkable.partition(|&(_, at)| at == number);
        let cells = |places: Vec<(Cell, RegionId)>| places.into_iter().map(|(cell, _)| cell);
        let (largest, others) = (cells(largest).collect(), cells(others).collect());
        Some(Places {
            clearance,
            layers,
            largest,
            others,
        })
    }

    /// The shortest walk over cells between two random places of the largest region.
    pub(crate) fn walk(&self, random: &mut Rng, scratch: &mut SearchScratch) -> Option<FoundPath> {
        let &from = random.choice(&self.largest)?;
        let &to = random.choice(&self.largest)?;
        complete((self.layers).find_path(from, to, &PathOptions::default(), scratch))
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use pursuit::Cell;
    use pursuit::maps::parse_ascii;

    #[test]
    fn free_cells_are_divided_into_the_largest_region_and_the_others() {
        let level = parse_ascii("....#.\n....##\n#.....\n").unwrap().grid;
        let places = Places::new(&level, 0.4).unwrap();
        assert_eq!(places.others, [Cell::new(5, 0)]);
        assert_eq!(places.largest.len(), 13);
        let full = parse_ascii("###\n###\n").unwrap().grid;
        assert!(Places::new(&full, 0.4).is_none());
    }
}
