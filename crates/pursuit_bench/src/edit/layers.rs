//! Measures how long the core alone takes to open and close the same doors on the same level, layer by layer.

use std::collections::BTreeMap;

use pursuit::{Cell, CellRect, Clearance, DiagonalPolicy, Grid, LiveMap, NavMap};

use crate::clock::Clock;
use crate::game::agent::AGENT_RADIUS;
use crate::samples::Samples;

/// By default, the plugin computes distances to obstacles up to this distance, in cells.
const MAX_CLEARANCE_CELLS: f32 = 4.0;
/// Maximum number of doors that are measured. For each door, a second map has to be built.
const MAX_DOORS: usize = 16;

/// Median time of the doors for each layer, in microseconds.
pub(super) type ByLayer = BTreeMap<&'static str, f64>;

/// The times of all edits, of openings alone, and of closings alone.
pub(super) type EditLayers = [ByLayer; 3];

type Tally = BTreeMap<&'static str, Samples>;

/// Opens and closes each door once, without the plugin. Returns the times of three layers:
///
/// - `distances`: writing the known distances around the door. The time to compute these distances is not included;
/// - `copies`: the rest of the edit, which brings the second copy of the map up to date, and updates everything that is
///   derived from distances for one radius;
/// - `regions`: updating only the regions of one radius.
pub(super) fn measure(level: &Grid, sites: &[CellRect]) -> EditLayers {
    let clock = Clock::calibrated(1);
    let open = Clearance::from_grid(level, MAX_CLEARANCE_CELLS);
    let map = NavMap::from_clearance(open.clone(), DiagonalPolicy::default());
    let mut live = LiveMap::new(map);
    // The first round only creates the copies of the map. Its times are discarded.
    let [mut both, mut openings, mut closings] = [(); 3].map(|()| Tally::default());
    for round in 0..2 {
        let max_doors = if round == 0 { 2 } else { MAX_DOORS };
        [both, openings, closings] = [(); 3].map(|()| Tally::default());
        for site in sites.iter().take(max_doors) {
            let mut builder = level.to_builder();
            builder.fill(*site, false);
            let closed = Clearance::from_grid(&builder.build(), MAX_CLEARANCE_CELLS);
            let area = site.grow(MAX_CLEARANCE_CELLS as u32 + 1);
            for (tally, after) in [(&mut closings, &closed), (&mut openings, &open)] {
                for (layer, us) in edit(&clock, &mut live, after, area) {
                    tally.entry(layer).or_default().push(us);
                    both.entry(layer).or_default().push(us);
                }
            }
        }
    }
    [both, openings, closings].map(medians)
}

/// Gives a map the distances of `after`. They differ from the distances of the map only within `area`. Returns the time
/// of each layer, in microseconds.
fn edit(
    clock: &Clock,
    live: &mut LiveMap,
    after: &Clearance,
    area: CellRect,
) -> [(&'static str, f64); 3] {
    let mut regions = live.map().layers(AGENT_RADIUS).regions().clone();
    let mut distances = 0.0;
    let (edited, all) = clock.time(|| {
        live.edit(&[area], |clearance| {
            ((), distances) = clock.time(|| clearance.paste(after, Cell::new(0, 0), area));
        })
    });
    edited.expect("both fields have the same size and cap");
    let layers = live.map().layers(AGENT_RADIUS);
    // A first, empty update does the work that only the first update of regions needs.
    regions.update(layers.grid(), CellRect::EMPTY);
    let ((), regions) = clock.time(|| regions.update(layers.grid(), area.grow(1)));
    [
        ("distances", distances),
        ("copies", all - distances),
        ("regions", regions),
    ]
}

fn medians(tally: Tally) -> ByLayer {
    let layers = tally.into_iter();
    let medians = layers.filter_map(|(layer, us)| Some((layer, us.percentile(0.5)?)));
    medians.collect()
}
