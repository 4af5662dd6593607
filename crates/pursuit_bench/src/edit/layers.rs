//! What an edit costs by the core's own interface, layer by layer, for the same doors on the same level.

use std::collections::BTreeMap;

use pursuit::{Cell, CellRect, Clearance, DiagonalPolicy, Grid, LiveMap, NavMap};

use crate::clock::Clock;
use crate::game::agent::AGENT_RADIUS;
use crate::samples::Samples;

/// Number of cells up to which the plugin computes distances by default.
const CAP: f32 = 4.0;
/// Doors that are measured: each takes a map of its own to compare with.
const MOST_DOORS: usize = 16;

/// Microseconds by layer, on the median of the doors.
pub(super) type ByLayer = BTreeMap<&'static str, f64>;

/// Of all doors, of those that open, and of those that close.
pub(super) type EditLayers = [ByLayer; 3];

type Tally = BTreeMap<&'static str, Samples>;

/// Opens and closes each door once, without the plugin.
///
/// - `distances`: those around the door, from known ones: without what it takes to measure them;
/// - `copies`: the distances that the second copy missed, and all that is derived from distances for one
///   radius, there and at the door;
/// - `regions`: the regions of one radius alone.
pub(super) fn measure(level: &Grid, sites: &[CellRect]) -> EditLayers {
    let clock = Clock::calibrated(1);
    let open = Clearance::from_grid(level, CAP);
    let map = NavMap::from_clearance(open.clone(), DiagonalPolicy::default());
    let mut live = LiveMap::new(map);
    // The first round makes the copies.
    let [mut both, mut openings, mut closings] = [(); 3].map(|()| Tally::default());
    for round in 0..2 {
        let most = if round == 0 { 2 } else { MOST_DOORS };
        [both, openings, closings] = [(); 3].map(|()| Tally::default());
        for site in sites.iter().take(most) {
            let mut builder = level.to_builder();
            builder.fill(*site, false);
            let closed = Clearance::from_grid(&builder.build(), CAP);
            let area = site.grow(CAP as u32 + 1);
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

/// Gives a map the distances of `after`, which differ within `area`. Microseconds by layer.
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
    edited.expect("both fields have one size and cap");
    let layers = live.map().layers(AGENT_RADIUS);
    // Once before, for what only the first edit of regions works out.
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
