//! Computes distances between neighbors without the plugin.

use std::collections::HashMap;

use bevy::math::{IVec2, Vec2};

use crate::samples::Samples;

/// The search stops at a neighbor that is closer than this, in sums of the two radii. Otherwise many bodies on one
/// point would take quadratic time.
const MIN_GAP: f32 = 0.01;
/// Maximum distance of neighbors in a standing crowd, in sums of the two radii.
const MAX_GAP: f32 = 2.0;

/// Bodies in a grid of squares, to find their neighbors.
pub(super) struct NeighborGrid {
    /// Maximum distance of neighbors, in sums of the two radii.
    reach: f32,
    /// Side of a square, in cells: the reach of two bodies of the largest radius.
    side: f32,
    squares: HashMap<IVec2, Vec<PlacedBody>>,
}

struct PlacedBody {
    place: Vec2,
    radius: f32,
    number: usize,
}

impl NeighborGrid {
    /// Puts bodies into the squares. A body whose position is not finite is left out.
    pub(super) fn new(places: &[Vec2], radius_of: impl Fn(usize) -> f32, reach: f32) -> Self {
        let largest = (0..places.len()).map(&radius_of).fold(0.0, f32::max);
        let mut grid = Self {
            reach,
            side: 2.0 * largest * reach,
            squares: HashMap::new(),
        };
        for (number, &place) in places.iter().enumerate().filter(|it| it.1.is_finite()) {
            let body = PlacedBody {
                place,
                radius: radius_of(number),
                number,
            };
            let square = grid.square(place);
            grid.squares.entry(square).or_default().push(body);
        }
        grid
    }

    fn square(&self, place: Vec2) -> IVec2 {
        (place / self.side).floor().as_ivec2()
    }

    /// Distance from body `number` at `place` to the nearest other body, in sums of the two radii. `None` if that body
    /// is beyond reach.
    pub(super) fn nearest(&self, number: usize, place: Vec2, radius: f32) -> Option<f32> {
        if !place.is_finite() {
            return None;
        }
        let middle = self.square(place);
        let mut least = f32::INFINITY;
        for offset in (-1..=1).flat_map(|y| [-1, 0, 1].map(|x| IVec2::new(x, y))) {
            for other in self.squares.get(&(middle + offset)).into_iter().flatten() {
                if other.number != number {
                    let touch = radius + other.radius;
                    least = least.min(place.distance_squared(other.place) / (touch * touch));
                    if least < MIN_GAP * MIN_GAP {
                        return Some(least.sqrt());
                    }
                }
            }
        }
        (least <= self.reach * self.reach).then(|| least.sqrt())
    }
}

/// Measures how much bodies overlap.
#[derive(Default)]
pub(super) struct Closeness {
    agent_ticks: u64,
    over: u64,
    deep: u64,
    worst: f32,
}

impl Closeness {
    /// Measures the bodies at the end of a tick. A body at a place where `counts` is false is not measured, but is
    /// still a neighbor of others.
    pub(super) fn read(
        &mut self,
        places: &[Vec2],
        radius_of: impl Fn(usize) -> f32,
        mut counts: impl FnMut(Vec2) -> bool,
    ) {
        let near = NeighborGrid::new(places, &radius_of, 1.0);
        for (number, &place) in places.iter().enumerate() {
            if !place.is_finite() || !counts(place) {
                continue;
            }
            self.agent_ticks += 1;
            let Some(gap) = near.nearest(number, place, radius_of(number)) else {
                continue;
            };
            self.over += u64::from(gap < 0.95);
            self.deep += u64::from(gap < 0.75);
            self.worst = self.worst.max(1.0 - gap);
        }
    }

    fn share(&self, count: u64) -> Option<f64> {
        (self.agent_ticks > 0).then(|| count as f64 / self.agent_ticks as f64)
    }

    /// Fraction of all agent-ticks with a neighbor closer than 1.9 radii, or 0.95 times the sum of the two radii.
    pub(super) fn over(&self) -> Option<f64> {
        self.share(self.over)
    }

    /// Fraction of all agent-ticks with a neighbor closer than 1.5 radii, or 0.75 times the sum of the two radii.
    pub(super) fn deep(&self) -> Option<f64> {
        self.share(self.deep)
    }

    /// The deepest overlap of two bodies, in diameters.
    pub(super) fn worst(&self) -> Option<f64> {
        (self.agent_ticks > 0).then_some(f64::from(self.worst))
    }
}

/// Median distance from a body to its nearest neighbor, at most [`MAX_GAP`], in sums of the two radii.
pub(super) fn median_spacing(places: &[Vec2], radius_of: impl Fn(usize) -> f32) -> Option<f64> {
    let near = NeighborGrid::new(places, &radius_of, MAX_GAP);
    let gaps = places.iter().enumerate().map(|(number, &place)| {
        let gap = near.nearest(number, place, radius_of(number));
        f64::from(gap.unwrap_or(MAX_GAP))
    });
    gaps.collect::<Samples>().percentile(0.5)
}

/// Radius of a disc of `count` bodies that touch in a hexagonal lattice.
pub(super) fn disc_radius(count: usize, radius: f32) -> f32 {
    let area = 12_f32.sqrt() * radius * radius;
    (count as f32 * area / std::f32::consts::PI).sqrt()
}

/// The points of a hexagonal lattice that lie in a rectangle from the world's origin to `size`. The distance between
/// neighbors is `apart`, and one point of the lattice is `origin`.
pub(super) fn lattice(size: Vec2, origin: Vec2, apart: f32) -> Vec<Vec2> {
    let height = apart * 0.75_f32.sqrt();
    let rows = |from: f32, to: f32| (from / height).ceil() as i32..=(to / height).floor() as i32;
    let mut places = Vec::new();
    for row in rows(-origin.y, size.y - origin.y) {
        let shift = if row % 2 == 0 { 0.0 } else { apart / 2.0 };
        let start = origin + Vec2::new(shift, row as f32 * height);
        let first = (-start.x / apart).ceil() as i32;
        let last = ((size.x - start.x) / apart).floor() as i32;
        places.extend((first..=last).map(|at| start + Vec2::new(at as f32 * apart, 0.0)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{Closeness, NeighborGrid, disc_radius, lattice, median_spacing};
    use bevy::math::Vec2;

    #[test]
    fn the_nearest_neighbor_equals_a_search_of_all_pairs() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut found = 0;
        for _ in 0..200 {
            let side = 1.0 + 9.0 * random.f32();
            let mut place = || side * (Vec2::new(random.f32(), random.f32()) - 0.5);
            let places: Vec<Vec2> = (0..30).map(|_| place()).chain([Vec2::NAN]).collect();
            let radius_of = |number: usize| 0.1 + 0.2 * (number % 3) as f32;
            let near = NeighborGrid::new(&places, radius_of, 1.1);
            for (number, place) in places.iter().enumerate() {
                let radius = radius_of(number);
                let others = places.iter().enumerate().filter(|other| other.0 != number);
                let least = others.map(|(it, at)| at.distance(*place) / (radius + radius_of(it)));
                let least = least.filter(|gap| *gap <= 1.1).min_by(f32::total_cmp);
                let nearest = near.nearest(number, *place, radius);
                found += usize::from(nearest.is_some());
                // The search may stop at the first body that is almost at the same place.
                let is_same = nearest.is_some() == least.is_some()
                    && nearest.unwrap_or(0.0) - least.unwrap_or(0.0) < 0.01;
                assert!(is_same, "{nearest:?} is not {least:?}");
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn overlaps_are_counted_per_agent_and_tick() {
        // Bodies of radius 1. The first two overlap deeply, the third overlaps the second slightly, and the fourth
        // touches no body.
        let places = [0.0, 1.4, 3.2, 5.2].map(|x| Vec2::new(x, 0.0));
        let mut closeness = Closeness::default();
        closeness.read(&places, |_| 1.0, |_| true);
        closeness.read(&places, |_| 1.0, |place| place.x > 3.0);
        assert_eq!(
            (closeness.over(), closeness.deep()),
            (Some(4.0 / 6.0), Some(2.0 / 6.0))
        );
        assert!((closeness.worst().unwrap() - 0.3).abs() < 1e-6);
        assert_eq!(Closeness::default().over(), None);
    }

    #[test]
    fn a_lattice_has_the_density_of_a_full_disc_and_the_given_spacing() {
        let middle = Vec2::splat(20.0);
        let places = lattice(Vec2::splat(40.0), middle, 0.6);
        let inside = places
            .iter()
            .filter(|place| place.distance(middle) < disc_radius(1000, 0.3));
        assert!(
            (980..1020).contains(&inside.clone().count()),
            "{}",
            inside.count()
        );
        assert!((median_spacing(&places, |_| 0.3).unwrap() - 1.0).abs() < 1e-4);
        let within = |place: &Vec2| place.min_element() >= 0.0 && place.max_element() <= 40.0;
        assert!(places.contains(&middle) && places.iter().all(within));
    }
}
