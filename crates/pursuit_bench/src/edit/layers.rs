//! What an edit costs by the core's own interface, layer by layer, for the same doors on the same level.

use std::collections::BTreeMap;

use pursuit::clearance::Step;
use pursuit::{CellRect, Clearance, DiagonalPolicy, Grid, NavMap};

use crate::clock::Clock;
use crate::game::agent::AGENT_RADIUS;
use crate::samples::Samples;

/// Up to how many cells the plugin works out distances, unless it is told otherwise.
const CAP: f32 = 4.0;
/// Doors that are measured: each takes a map of its own to compare with.
const MOST_DOORS: usize = 16;

/// Microseconds by layer, on the median of the doors.
pub(super) type ByLayer = BTreeMap<&'static str, f64>;

/// Of doors that open, and of doors that close.
pub(super) struct EditLayers {
    pub(super) openings: ByLayer,
    pub(super) closings: ByLayer,
}

/// Opens and closes each door once, without the plugin.
///
/// - `copy`: the distances of the whole level, for tasks may read the old ones;
/// - `distances`: those around the door, from known ones: without what it takes to measure them;
/// - `ground`: of one radius, all that is derived from the distances, regions included;
/// - `regions`: those alone.
pub(super) fn measure(level: &Grid, sites: &[CellRect]) -> EditLayers {
    let clock = Clock::calibrated(1);
    let policy = DiagonalPolicy::default();
    let open = NavMap::new(level, CAP, policy);
    let mut openings = Tally::default();
    let mut closings = Tally::default();
    for site in sites.iter().take(MOST_DOORS) {
        let mut builder = level.to_builder();
        builder.fill(*site, false);
        let closed = Clearance::from_grid(&builder.build(), CAP);
        let area = site.grow(CAP as u32 + 1);
        let closed = closings.edit(&clock, &open, &closed, area);
        openings.edit(&clock, &closed, open.clearance(), area);
    }
    EditLayers {
        openings: openings.medians(),
        closings: closings.medians(),
    }
}

#[derive(Default)]
struct Tally(BTreeMap<&'static str, Samples>);

impl Tally {
    /// Makes a map whose distances are those of `after`, which differ within `area`.
    fn edit(&mut self, clock: &Clock, map: &NavMap, after: &Clearance, area: CellRect) -> NavMap {
        let before = map.ground(AGENT_RADIUS);
        let (mut clearance, copy) = clock.time(|| map.clearance().clone());
        let ((), distances) = clock.time(|| redraw(&mut clearance, after, area));
        let (map, ground) = clock.time(|| map.redrawn(clearance, &[area]));
        let edited = map.ground(AGENT_RADIUS);
        let (_, regions) = clock.time(|| {
            let mut regions = before.regions().clone();
            regions.update(edited.grid(), area.grow(1));
            regions
        });
        let all = [
            ("copy", copy),
            ("distances", distances),
            ("ground", ground),
            ("regions", regions),
        ];
        for (layer, us) in all {
            self.0.entry(layer).or_default().push(us);
        }
        map
    }

    fn medians(&self) -> ByLayer {
        let layers = self.0.iter();
        let medians = layers.filter_map(|(layer, us)| Some((*layer, us.percentile(0.5)?)));
        medians.collect()
    }
}

/// Takes the distances within `area` over from another field.
fn redraw(field: &mut Clearance, from: &Clearance, area: CellRect) {
    field.reset(area);
    // Steps into the area begin one cell outside of it.
    for cell in area.grow(1).intersect(&from.rect()).cells() {
        field.lower_center(cell, from.center(cell));
        for step in Step::ALL {
            if from.rect().contains(step.end(cell)) {
                field.lower_step(cell, step, from.step(cell, step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CAP, measure, redraw};
    use pursuit::{Cell, CellRect, Clearance, Grid};

    #[test]
    fn distances_around_a_door_are_those_of_the_level_with_the_door() {
        let level = Grid::from_fn(40, 30, |cell| cell.x % 11 != 3).unwrap();
        let site = CellRect::new(Cell::new(18, 9), Cell::new(21, 12));
        let mut builder = level.to_builder();
        builder.fill(site, false);
        let [open, closed] = [level, builder.build()].map(|grid| Clearance::from_grid(&grid, CAP));
        let area = site.grow(CAP as u32 + 1);
        for (before, after) in [(&open, &closed), (&closed, &open)] {
            let mut field = before.clone();
            redraw(&mut field, after, area);
            assert_eq!(&field, after);
        }
    }

    #[test]
    fn every_layer_is_measured_both_ways() {
        let level = Grid::from_fn(40, 30, |_| true).unwrap();
        let site = CellRect::new(Cell::new(18, 9), Cell::new(21, 12));
        let layers = measure(&level, &[site]);
        for layers in [layers.openings, layers.closings] {
            let names: Vec<_> = layers.keys().copied().collect();
            assert_eq!(names, ["copy", "distances", "ground", "regions"]);
        }
    }
}
