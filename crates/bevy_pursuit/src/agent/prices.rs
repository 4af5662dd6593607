//! Prices beside the map: discs around places where an agent could not get through. Paths lead around these discs.

use std::mem;
use std::sync::Arc;

use bevy::ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use pursuit::steer::closest_on_segment;

use super::NavBody;
use crate::visitor::map_keys;

/// Maximum number of prices on a grid. With a greater value, searches in a level full of jams take longer. With a
/// smaller one, agents forget a jam when many other jams are noted.
const MAX_PRICES: usize = 32;
/// Factor on the cost of a cell in a disc. With a greater value, agents take longer detours. With a smaller one, they
/// walk into the jam although there is another way.
const PRICE_FACTOR: u32 = 40;
/// Factor by which a disc grows when a body gets stuck near it again. With a greater value, the body takes a longer
/// detour. With a smaller one, a body in front of a wide crate takes longer to find a way around the crate.
const GROWTH: f32 = 2.0;
/// A body that is stuck within `NEAR_REACHES × reach + NEAR_RADII × (radius of the body)` of the center of a disc is
/// still stuck at that disc. With greater values, a disc grows toward another obstacle, and paths become longer than
/// necessary. With smaller ones, a body at the end of a wide crate begins with a new, small disc.
const NEAR_REACHES: f32 = 2.0;
/// See [`NEAR_REACHES`].
const NEAR_RADII: f32 = 4.0;

/// How far a path may lead toward the center of a disc before it can enter the disc, in radii of the body that got
/// stuck. This matters to a body that is already in the disc. With a greater value, a path that leads on against the
/// obstacle counts as a detour. With a smaller one, a path along the obstacle does not.
const AHEAD_RADII: f32 = 0.25;
/// Maximum distance from a disc at which a body may be what blocks the disc, in radii of the body that got stuck. With
/// a greater value, prices stay because of bodies beside the disc. With a smaller one, a price ends although the body
/// still stands there.
const SIGHT_RADII: f32 = 0.25;

/// A disc in which an agent could not get through, so that paths through the disc are expensive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Price {
    /// The center, in grid coordinates.
    pub(crate) place: Vec2,
    /// Radius of the disc, in world units.
    pub(crate) reach: f32,
    /// The body that could not get through. The price binds all bodies of the same class that are at least as wide.
    pub(crate) body: NavBody,
    /// Factor on the cost of a cell.
    pub(crate) factor: u32,
    /// The tick in which the price ends.
    pub(crate) fades_at: u64,
    /// The latest tick in which a look found a body at the disc. `None` if no look has found one.
    seen_at: Option<u64>,
    /// [`GridPrices::revision`] at which the disc was noted, or last grew.
    revision: u32,
}

impl Price {
    /// A price that a body notes at `place`.
    pub(crate) fn new((place, reach): (Vec2, f32), body: NavBody, fades_at: u64) -> Self {
        Self {
            place,
            reach,
            body,
            factor: PRICE_FACTOR,
            fades_at,
            seen_at: None,
            revision: 0,
        }
    }

    pub(crate) fn binds(&self, body: NavBody) -> bool {
        body.class == self.body.class && body.radius >= self.body.radius
    }

    /// Distance from the center within which a body may be what blocks the disc, in world units.
    pub(crate) fn sight_radius(&self) -> f32 {
        self.reach + SIGHT_RADII * self.body.radius
    }

    /// Whether the price has faded, or a body was seen at the disc, but not since tick `unseen_since`.
    pub(crate) fn is_over(&self, tick: u64, unseen_since: u64) -> bool {
        self.fades_at <= tick || self.seen_at.is_some_and(|seen| seen < unseen_since)
    }

    /// Whether the straight line to `to` enters the disc, for a body that is at `from`.
    pub(crate) fn meets(&self, from: Vec2, to: Vec2) -> bool {
        self.meets_any([from, to])
    }

    /// Whether a path enters the disc, for a body that is at the first of its points. The part of the disc behind the
    /// body does not count, because nothing blocks the body there.
    pub(crate) fn meets_any(&self, points: impl IntoIterator<Item = Vec2>) -> bool {
        let mut points = points.into_iter();
        let Some(body) = points.next() else {
            return false;
        };
        let ahead = (self.place - body).normalize_or_zero();
        let depth = |point: Vec2| (point - body).dot(ahead) - AHEAD_RADII * self.body.radius;
        let mut last = body;
        points.any(|to| {
            let from = mem::replace(&mut last, to);
            let (begin, end) = (depth(from), depth(to));
            // The part of the line that is ahead.
            let border = || from.lerp(to, begin / (begin - end));
            let from = if begin < 0.0 { border() } else { from };
            let to = if end < 0.0 { border() } else { to };
            let is_ahead = begin >= 0.0 || end >= 0.0;
            is_ahead && closest_on_segment(from, to, self.place).distance(self.place) < self.reach
        })
    }

    /// Whether a body that is stuck at `place` may be stuck at this disc.
    pub(crate) fn is_near(&self, place: Vec2, body: NavBody) -> bool {
        let near = NEAR_REACHES * self.reach + NEAR_RADII * body.radius;
        self.binds(body) && self.place.distance(place) <= near
    }

    /// A disc that contains `latest`, and as much of `self` as possible. Its reach is at most `max_reach`, or the
    /// larger one of the two reaches if that is more.
    fn grown(&self, latest: &Self, growth: f32, max_reach: f32) -> Self {
        let apart = self.place - latest.place;
        let both = 0.5 * (self.reach + apart.length() + latest.reach);
        let reach = (growth * self.reach).max(both).min(max_reach);
        let reach = reach.max(self.reach).max(latest.reach);
        Self {
            place: latest.place + apart.clamp_length_max(reach - latest.reach),
            reach,
            fades_at: self.fades_at.max(latest.fades_at),
            seen_at: self.seen_at,
            ..*latest
        }
    }
}

/// The prices of one grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridPrices {
    pub(crate) list: Arc<[Price]>,
    /// Number of changes so far. Agents compare it with the revision of their latest search.
    pub(crate) revision: u32,
    /// The revision at which a price last ended.
    ended: u32,
}

impl GridPrices {
    /// The prices that bind a body.
    pub(crate) fn binding(&self, body: NavBody) -> impl Iterator<Item = &Price> {
        self.list.iter().filter(move |price| price.binds(body))
    }

    /// Whether the line through `points` enters a disc that binds the body, and that was noted or has grown after
    /// revision `seen`.
    pub(crate) fn is_newly_met<P>(&self, seen: u32, body: NavBody, points: P) -> bool
    where
        P: IntoIterator<Item = Vec2> + Clone,
    {
        let mut new = self.binding(body).filter(|price| price.revision > seen);
        new.any(|price| price.meets_any(points.clone()))
    }

    /// Whether a price has ended after revision `seen`.
    pub(crate) fn has_ended_since(&self, seen: u32) -> bool {
        self.ended > seen
    }

    /// Notes a price for a body that is stuck at `from`. If a body of its class that is at least as wide was stuck
    /// near here before, the nearest disc of such a body grows instead, up to `max_reach`. `is_shared` says that other
    /// members of a crowd go the same way; then the disc grows only as much as needed. A disc that cannot grow far
    /// enough to be in the way of the body stays as it is, and the body gets a new one.
    fn note(&mut self, mut price: Price, from: Vec2, max_reach: f32, is_shared: bool) {
        let growth = if is_shared { 1.0 } else { GROWTH };
        let ahead = 2.0 * price.place - from;
        let grown = |known: &Price| {
            let is_as_wide = known.body.radius >= price.body.radius;
            let bound = Price {
                body: price.body,
                ..*known
            };
            let is_same = known.body.class == price.body.class && is_as_wide;
            let is_near = is_same && bound.is_near(price.place, price.body);
            let grown = is_near.then(|| known.grown(&price, growth, max_reach));
            grown.filter(|grown| grown.meets(from, ahead))
        };
        let mut list = self.list.to_vec();
        let all = list.iter().enumerate();
        let all = all.filter_map(|(at, known)| Some((at, *known, grown(known)?)));
        let away = |known: &Price| known.place.distance_squared(price.place);
        let nearest = all.min_by(|(_, a, _), (_, b, _)| away(a).total_cmp(&away(b)));
        let mut is_changed = true;
        if let Some((at, known, grown)) = nearest {
            is_changed = known.reach != grown.reach || known.body != grown.body;
            price = Price {
                revision: known.revision,
                ..grown
            };
            list.swap_remove(at);
        } else if list.len() >= MAX_PRICES {
            let first = (0..list.len()).min_by_key(|at| (list[*at].fades_at, list[*at].revision));
            first.map(|at| list.swap_remove(at));
            self.ended = self.revision + 1;
        }
        if is_changed {
            self.revision += 1;
            price.revision = self.revision;
        }
        list.push(price);
        self.list = list.into();
    }

    /// Notes that a body stands at each disc for which `sees` is true.
    fn look(&mut self, tick: u64, mut sees: impl FnMut(&Price) -> bool) {
        for price in Arc::make_mut(&mut self.list) {
            if sees(price) {
                price.seen_at = Some(tick);
            }
        }
    }

    /// Removes the prices for which `is_over` is true.
    fn end(&mut self, is_over: impl Fn(&Price) -> bool) {
        if self.list.iter().any(&is_over) {
            self.list = self
                .list
                .iter()
                .filter(|price| !is_over(price))
                .copied()
                .collect();
            self.revision += 1;
            self.ended = self.revision;
        }
    }
}

/// The prices of all grids.
#[derive(Resource, Clone, Debug, Default)]
#[component(map_entities)]
pub(crate) struct Prices {
    grids: EntityHashMap<GridPrices>,
    none: GridPrices,
}

impl Prices {
    /// The prices of a grid.
    pub(crate) fn of(&self, grid: Option<Entity>) -> &GridPrices {
        let known = grid.and_then(|grid| self.grids.get(&grid));
        known.unwrap_or(&self.none)
    }

    /// See [`GridPrices::note`].
    pub(crate) fn note(
        &mut self,
        grid: Entity,
        (price, from): (Price, Vec2),
        max_reach: f32,
        is_shared: bool,
    ) {
        let prices = self.grids.entry(grid).or_default();
        prices.note(price, from, max_reach, is_shared);
    }

    /// Notes that a body stands at each disc for which `sees` is true.
    pub(crate) fn look(&mut self, tick: u64, mut sees: impl FnMut(Entity, &Price) -> bool) {
        for (grid, prices) in &mut self.grids {
            prices.look(tick, |price| sees(*grid, price));
        }
    }

    /// Ends the prices for which `is_over` is true, and the prices of grids for which `is_known` is false.
    pub(crate) fn end(
        &mut self,
        is_known: impl Fn(Entity) -> bool,
        is_over: impl Fn(Entity, &Price) -> bool,
    ) {
        self.grids.retain(|grid, _| is_known(*grid));
        for (grid, prices) in &mut self.grids {
            prices.end(|price| is_over(*grid, price));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.grids.values().all(|prices| prices.list.is_empty())
    }
}

impl MapEntities for Prices {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        map_keys(&mut self.grids, mapper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that is stuck here touches a disc at x 1.
    const HERE: Vec2 = Vec2::new(0.6, 3.0);

    fn price(x: f32, reach: f32) -> Price {
        Price::new((Vec2::new(x, 3.0), reach), 0.4.into(), 100)
    }

    #[test]
    fn a_grown_disc_encloses_the_new_disc_and_below_its_limit_the_old_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let (before, max_reach) = (0.4 + 3.0 * random.f32(), 6.4);
            let one = price(0.0, before);
            let latest = price(30.0 * random.f32() - 15.0, 0.4);
            let grown = one.grown(&latest, GROWTH, max_reach);
            assert!(grown.reach >= (2.0 * before).min(max_reach));
            let holds =
                |part: &Price| part.place.distance(grown.place) + part.reach <= grown.reach + 1e-4;
            assert!(holds(&latest), "{one:?} {latest:?}");
            assert!(
                grown.reach == max_reach || holds(&one),
                "{one:?} {latest:?}"
            );
        }
    }

    #[test]
    fn a_jam_is_one_price_and_stops_growing_at_its_largest_reach() {
        let mut prices = GridPrices::default();
        for _ in 0..20 {
            prices.note(price(1.0, 0.4), HERE, 6.4, false);
        }
        let revision = prices.revision;
        prices.note(price(1.0, 0.4), HERE, 6.4, false);
        assert_eq!((prices.list.len(), prices.list[0].reach), (1, 6.4));
        assert_eq!(prices.revision, revision, "nothing has changed");
    }

    #[test]
    fn a_grid_keeps_the_latest_prices() {
        let mut prices = GridPrices::default();
        for n in 0..40 {
            let noted = Price {
                fades_at: n,
                ..price(100.0 * n as f32, 0.4)
            };
            prices.note(noted, noted.place - 0.4 * Vec2::X, 6.4, false);
        }
        assert_eq!(prices.list.len(), MAX_PRICES);
        assert!(prices.list.iter().all(|price| price.fades_at >= 8));
        prices.end(|price| price.fades_at <= 20);
        assert_eq!(prices.list.len(), 19);
        assert!(prices.has_ended_since(prices.revision - 1));
    }

    #[test]
    fn a_price_binds_bodies_of_its_class_that_are_at_least_as_wide() {
        let price = price(0.0, 0.4);
        for (radius, class, binds) in [
            (0.4, 0, true),
            (0.5, 0, true),
            (0.3, 0, false),
            (0.4, 1, false),
        ] {
            let class = crate::ground::ClassId(class);
            assert_eq!(
                price.binds(NavBody { radius, class }),
                binds,
                "{radius} {class:?}"
            );
        }
    }
}
