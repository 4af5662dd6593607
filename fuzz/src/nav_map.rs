//! Checks edits of a whole map: updated layers must be the same as layers made from scratch.

use std::sync::Arc;

use arbitrary::{Arbitrary, Unstructured};
use pursuit::{
    Cancel, CellRect, Clearance, DiagonalPolicy, Grid, LiveMap, NavMap, NavScratch, PathOptions,
    Regions, Step,
};

use crate::exact::{Obstacle, sample};
use crate::worlds::any_obstacle;
use crate::{AnyEdit, AnyGrid, AnyQuery, rebuilt};

/// Maximum number of edits of a map.
const MAX_EDITS: usize = 8;
/// Sides of a map of obstacles, in cells.
const OBSTACLE_MAP_SIZE: (u32, u32) = (70, 12);

/// A map, its edits, and the queries after each edit.
#[derive(Arbitrary, Debug)]
pub struct AnyHistory {
    source: AnySource,
    policy: u8,
    cap: u8,
    radii: [u8; 2],
    queries: [AnyQuery; 2],
    /// `rests` and `holds` have one bit for each edit. A bit of `rests` says whether the map settles after the edit. A
    /// bit of `holds` says whether a snapshot of the map is then kept in use.
    rests: u8,
    holds: u8,
}

/// The walls or obstacles of a map, and their changes.
#[derive(Arbitrary, Debug)]
enum AnySource {
    Walls(AnyGrid, Vec<AnyEdit>),
    Obstacles(Vec<AnyMove>),
}

/// A move of the obstacles: one appears, and another may disappear.
#[derive(Debug)]
struct AnyMove {
    comes: Obstacle,
    goes: Option<u8>,
}

impl<'a> Arbitrary<'a> for AnyMove {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let (comes, goes) = (any_obstacle(u)?, u.arbitrary()?);
        Ok(Self { comes, goes })
    }
}

impl AnySource {
    /// The costs of cells, and the distances to obstacles before the first edit and after each edit.
    fn fields(&self, cap: f32) -> (Grid, Vec<Clearance>) {
        match self {
            Self::Walls(walls, edits) => {
                let costs = walls.build();
                let mut walls = costs.clone();
                let mut fields = vec![Clearance::from_grid(&walls, cap)];
                fields.extend(edits.iter().take(MAX_EDITS).map(|edit| {
                    walls = edit.apply(&walls).0;
                    Clearance::from_grid(&walls, cap)
                }));
                (costs, fields)
            }
            Self::Obstacles(moves) => {
                let (width, height) = OBSTACLE_MAP_SIZE;
                let mut obstacles = Vec::new();
                let mut fields = vec![sample(width, height, cap, &obstacles)];
                fields.extend(moves.iter().take(MAX_EDITS).map(|change| {
                    if let Some(goes) = change.goes
                        && !obstacles.is_empty()
                    {
                        obstacles.swap_remove(usize::from(goes) % obstacles.len());
                    }
                    obstacles.push(change.comes);
                    sample(width, height, cap, &obstacles)
                }));
                let costs = Grid::from_fn(width, height, |_| true);
                (costs.expect("a good size"), fields)
            }
        }
    }
}

impl AnyHistory {
    /// Edits the map and compares it after each edit.
    ///
    /// # Panics
    ///
    /// If layers differ from layers made from scratch.
    pub fn check(&self) {
        let cap = 1.0 + f32::from(self.cap % 40) / 10.0;
        let (costs, fields) = self.source.fields(cap);
        let mut map = LiveMap::new(self.map(fields[0].clone(), &costs));
        let mut held = Vec::new();
        for (number, field) in fields[1..].iter().enumerate() {
            self.edit(&mut map, field, &costs);
            held.extend(self.rest(number, &mut map, &costs));
        }
    }

    fn policy(&self) -> DiagonalPolicy {
        DiagonalPolicy::ALL[usize::from(self.policy) % 4]
    }

    fn radii(&self) -> [f32; 2] {
        self.radii.map(|radius| f32::from(radius) / 100.0)
    }

    /// A map whose layers are already computed.
    fn map(&self, clearance: Clearance, costs: &Grid) -> NavMap {
        let map = NavMap::from_clearance(clearance, self.policy()).with_costs(costs);
        let map = map.expect("the same size");
        for radius in self.radii() {
            drop(map.layers(radius));
        }
        map
    }

    /// Applies an edit, which changes walls but no costs.
    fn edit(&self, live: &mut LiveMap, clearance: &Clearance, costs: &Grid) {
        let map = live.map().clone();
        let rects = changed(map.clearance(), clearance);
        let held = self.radii().map(|radius| map.layers(radius));
        let copy = |grid: &Grid| rebuilt(grid, |cell| grid.cost(cell));
        let before: Vec<Grid> = held.iter().map(|layers| copy(layers.grid())).collect();
        drop(map);
        let has_changed = live.edit(&rects, |distances| *distances = clearance.clone());
        assert_eq!(has_changed, Ok(!rects.is_empty()));
        assert_eq!(live.map().clearance(), clearance);
        for (layers, before) in held.iter().zip(&before) {
            assert_eq!(
                layers.grid(),
                before,
                "an edit changed layers that were held"
            );
        }
        self.compare(live.map(), costs);
    }

    /// Settles the map if its bit of `rests` is set. Returns the map if its bit of `holds` is set.
    fn rest(&self, number: usize, live: &mut LiveMap, costs: &Grid) -> Option<Arc<NavMap>> {
        if self.rests >> number & 1 == 1 {
            // If an earlier map is still in use, settling has to prepare a copy.
            assert!(live.settle(Cancel::NEVER).is_ok());
            assert_eq!(live.settle(Cancel::NEVER), Ok(false));
            assert!(live.is_settled());
            self.compare(live.map(), costs);
        }
        (self.holds >> number & 1 == 1).then(|| live.map().clone())
    }

    /// Compares a map with a map made from scratch from the same distances.
    fn compare(&self, map: &NavMap, costs: &Grid) {
        let fresh = self.map(map.clearance().clone(), costs);
        for radius in self.radii() {
            let (layers, new_layers) = (map.layers(radius), fresh.layers(radius));
            assert_eq!(layers.grid(), new_layers.grid(), "radius {radius}");
            assert_eq!(layers.regions(), new_layers.regions(), "radius {radius}");
            let regions = Regions::of(layers.grid(), self.policy());
            assert_eq!(*layers.regions(), regions);
            for query in &self.queries {
                self.ask(map, &fresh, radius, query);
            }
        }
    }

    fn ask(&self, map: &NavMap, fresh: &NavMap, radius: f32, query: &AnyQuery) {
        let (start, goal) = query.cells(map.layers(radius).grid());
        let find = |map: &NavMap| {
            let options = PathOptions::default();
            let found = map.find_path(start, goal, radius, &options, &mut NavScratch::new());
            found.map(|found| (found.outcome, found.path.cost, found.path.end()))
        };
        assert_eq!(find(map), find(fresh), "{start} to {goal}");
    }
}

/// The smallest rectangles around all differences between two fields: one in the left half, one in the right half.
fn changed(before: &Clearance, after: &Clearance) -> Vec<CellRect> {
    let one = |cell: pursuit::Cell| CellRect::new(cell, cell.offset(1, 1));
    let mut halves = [CellRect::EMPTY; 2];
    let mut add = |rect: CellRect, x: i32| {
        let half = &mut halves[usize::from(x >= before.rect().max.x / 2)];
        *half = half.union(&rect);
    };
    for cell in before.rect().cells() {
        if before.center(cell) != after.center(cell) {
            add(one(cell), cell.x);
        }
        for step in Step::ALL {
            if before.step(cell, step) != after.step(cell, step) {
                add(one(cell).union(&one(step.end(cell))), cell.x);
            }
        }
    }
    halves.into_iter().filter(|rect| !rect.is_empty()).collect()
}
