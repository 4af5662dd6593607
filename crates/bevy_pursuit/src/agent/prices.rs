//! Prices, which are kept apart from the map: discs around places where an agent could not get through, or before which
//! agents wait in line. Paths lead around these discs.

use std::mem;
use std::sync::Arc;

use bevy::ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use pursuit::steer::closest_on_segment;

use super::NavBody;
use crate::visitor::map_keys;

/// Maximum number of prices on a grid. With a greater value, searches in a level full of blocked places take longer.
/// With a smaller one, agents forget a place when many others are noted.
const MAX_PRICES: usize = 32;
/// Maximum reach of a price that grows, in body radii. With a greater value, detours are longer and searches larger.
/// With a smaller one, agents do not get around a wide crate.
const MAX_REACH_RADII: f32 = 16.0;
/// Factor by which a disc grows when a body gets stuck near it again. With a greater value, the body takes a longer
/// detour. With a smaller one, a body in front of a wide crate takes longer to find a way around the crate.
const GROWTH_FACTOR: f32 = 2.0;
/// For how long a disc counts as recent after a body noted it, as a share of the time from that note until the disc
/// fades. A recent disc does not grow by [`GROWTH_FACTOR`], and only at a recent disc can [`Prices::look`] find a
/// blocker for the first time. With a greater value, a body in front of a wide crate takes longer to find a way around
/// the crate, and a price may end because a body that only passed by has left. With a smaller one, bodies that get
/// stuck beside each other make the disc too large, and looks find no blocker.
const RECENT_SHARE: f32 = 0.02;
/// A body that is stuck within `NEAR_REACHES × reach + NEAR_RADII × (radius of the body)` of the center of a disc is
/// still stuck at that disc. With greater values, a disc grows toward another obstacle, and paths become longer than
/// necessary. With smaller ones, a body at the end of a wide crate begins with a new, small disc.
const NEAR_REACHES: f32 = 2.0;
/// See [`NEAR_REACHES`].
const NEAR_RADII: f32 = 4.0;
/// Minimum number of waiting agents of a new line, and of a line that was there before. With greater values, short lines
/// use one door of two. With smaller ones, a few agents that stop for a moment cause searches.
const MIN_LINE: [f32; 2] = [4.0, 2.0];
/// Factor by which the number of agents in a line has to grow before agents compare their paths with the line again.
/// With a greater value, agents join a line although another way is faster. With a smaller one, agents search more
/// often.
const LINE_GROWTH: f32 = 1.25;
/// How far a path may lead in the direction of [`Price::ahead_of`] before it can enter a disc, in radii of the body
/// that got stuck. The value matters to a body that is already in the disc. With a greater value, a path that leads on
/// against the obstacle counts as a detour. With a smaller one, a path along the obstacle counts as a path into the
/// disc.
const ENTRY_DEPTH_RADII: f32 = 0.25;
/// Maximum distance from a disc at which a body may be what blocks the disc, in radii of the body that got stuck. With
/// a greater value, prices stay because of bodies beside the disc. With a smaller one, a price ends although the body
/// still stands there.
const SIGHT_RADII: f32 = 0.25;

/// A line of agents that wait before a narrow place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// Number of agents that wait.
    pub(crate) count: f32,
    /// Straight distance from the narrow place to the farthest agent of the line, in world units.
    pub(crate) length: f32,
    /// Distance that an agent walks while one agent passes the narrow place, in world units.
    pub(crate) headway: f32,
    /// Value of `count` when agents last compared their paths with the line.
    pub(crate) noted: f32,
}

impl Line {
    /// How much longer another way may be for an agent at the distance `away` from the narrow place. Both lengths are
    /// in world units.
    ///
    /// In the line, the agent waits for the agents ahead. On the other way, it waits for the agents that have turned,
    /// and for the agents behind it, which would turn first. Waiting agents spread over an area, so the number of
    /// agents ahead grows with the square of the distance. The line gets shorter while an agent that is still beyond
    /// the end of the line walks there.
    fn worth(&self, away: f32) -> f32 {
        let ahead = (away / self.length).min(1.0).powi(2);
        let more = (2.0 * ahead - 1.0) * self.count;
        (more * self.headway - (away - self.length).max(0.0)).max(0.0)
    }
}

/// A disc that an agent could not get through, or before which a line of agents waits, so that paths through the disc
/// are expensive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Price {
    /// The center, in grid coordinates.
    pub(crate) place: Vec2,
    /// Radius of the disc, in world units.
    pub(crate) reach: f32,
    /// Position of the body that could not get through, when it noted the price. For a line, a place one radius before
    /// the narrow place, on the side of the line.
    pub(crate) from: Vec2,
    /// Unit vector in which the latest body could not go on, if the disc has grown in the open. The center of such a
    /// disc may lie beside this body. `None` if the disc has not grown, or closes a passage.
    ahead: Option<Vec2>,
    /// The body that could not get through, or the narrowest body of the line. The price binds all bodies of the same
    /// class that are at least as wide.
    pub(crate) body: NavBody,
    /// The tick in which the price ends. `u64::MAX` for a line, because its price ends when the line is no longer
    /// found.
    pub(crate) fades_at: u64,
    /// The tick in which a body last noted the price. 0 for a line.
    noted_at: u64,
    /// The latest tick in which a look found a body at the disc. `None` if no look has found one.
    seen_at: Option<u64>,
    /// The line of agents that waits before the disc. `None` if an agent got stuck at the disc.
    pub(crate) line: Option<Line>,
    /// [`GridPrices::revision`] at which the price was noted, or at which its disc or its line last grew.
    revision: u32,
}

impl Price {
    /// A price for the disc of radius `reach` around `place`, noted by a body at `from`.
    pub(crate) fn new(
        (place, reach): (Vec2, f32),
        (body, from): (NavBody, Vec2),
        fades_at: u64,
    ) -> Self {
        Self {
            place,
            reach,
            from,
            body,
            fades_at,
            ..Self::default()
        }
    }

    /// How much longer a way around the disc may be for a body at `here`, in world units. `None` if there is no limit.
    pub(crate) fn worth(&self, here: Vec2) -> Option<f32> {
        let worth = self.line?.worth(here.distance(self.place));
        Some(if self.is_before(here) { worth } else { 0.0 })
    }

    /// Whether a place is on the same side of a narrow place as the line.
    pub(crate) fn is_before(&self, here: Vec2) -> bool {
        (self.place - here).dot(self.place - self.from) > 0.0
    }

    /// Unit vector in which the disc blocks a body at `here`: to the center, or inside a disc that has grown, `ahead`, or
    /// the opposite vector for a body that is beyond the obstacle.
    pub(crate) fn ahead_of(&self, here: Vec2) -> Vec2 {
        let to_center = self.place - here;
        let is_beyond = |ahead: Vec2| (here - self.from).dot(ahead) > self.body.radius;
        let inside = self.ahead.filter(|_| to_center.length() <= self.reach);
        let inside = inside.map(|ahead| if is_beyond(ahead) { -ahead } else { ahead });
        inside.unwrap_or(to_center.normalize_or_zero())
    }

    pub(crate) fn binds(&self, body: NavBody) -> bool {
        body.class == self.body.class && body.radius >= self.body.radius
    }

    /// Distance from the center within which a body may be what blocks the disc, in world units.
    pub(crate) fn sight_radius(&self) -> f32 {
        self.reach + SIGHT_RADII * self.body.radius
    }

    /// Whether a body at `place` may be what blocks the disc. Such a body is ahead of the body that got stuck. The body
    /// that got stuck and the bodies behind it block nothing.
    pub(crate) fn may_be_blocked_from(&self, place: Vec2, radius: f32) -> bool {
        let ahead = (self.place - self.from).normalize_or_zero();
        place.distance(self.place) <= self.sight_radius() + radius
            && (place - self.from).dot(ahead) > SIGHT_RADII * self.body.radius
    }

    /// Whether the disc counts as recent in `tick`: see [`RECENT_SHARE`].
    fn is_recent(&self, tick: u64) -> bool {
        let life = self.fades_at.saturating_sub(self.noted_at) as f32;
        tick.saturating_sub(self.noted_at) as f32 <= RECENT_SHARE * life
    }

    /// Whether the price has faded, or a body was seen at the disc, but not since tick `unseen_since`. The price of a
    /// line does not depend on bodies at the disc.
    pub(crate) fn is_over(&self, tick: u64, unseen_since: u64) -> bool {
        let is_unseen = self.line.is_none() && self.seen_at.is_some_and(|seen| seen < unseen_since);
        self.fades_at <= tick || is_unseen
    }

    /// Whether the straight line to `to` enters the disc, for a body that is at `from`.
    pub(crate) fn meets(&self, from: Vec2, to: Vec2) -> bool {
        self.meets_any(from, [from, to])
    }

    /// Whether the line through `points` enters the disc, for a body that is at `body`. Only the part of the disc in
    /// the direction of [`Self::ahead_of`] counts, because nothing blocks the body in other directions.
    pub(crate) fn meets_any(&self, body: Vec2, points: impl IntoIterator<Item = Vec2>) -> bool {
        let mut points = points.into_iter();
        let mut last = points.next().unwrap_or(body);
        let ahead = self.ahead_of(body);
        let depth = |point: Vec2| (point - body).dot(ahead) - ENTRY_DEPTH_RADII * self.body.radius;
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

    /// Whether a body that is stuck at `place` may be stuck at this disc. `false` for the disc of a line.
    pub(crate) fn is_near(&self, place: Vec2, body: NavBody) -> bool {
        let near = NEAR_REACHES * self.reach + NEAR_RADII * body.radius;
        self.line.is_none() && self.binds(body) && self.place.distance(place) <= near
    }

    /// This price with the newer state of its line that `latest` has. `None` if `latest` has another line: a line
    /// before another place, or of another class.
    fn with_line(&self, latest: &Self, revision: u32) -> Option<Self> {
        let (known, mut line) = (self.line?, latest.line?);
        let apart = self.place.distance(latest.place);
        let is_same = apart <= self.reach + latest.reach && self.is_before(latest.from);
        if !is_same || self.body.class != latest.body.class {
            return None;
        }
        let has_grown =
            line.count > LINE_GROWTH * known.noted || latest.body.radius < self.body.radius;
        let noted = known.noted.min(LINE_GROWTH * line.count);
        line.noted = if has_grown { line.count } else { noted };
        Some(Self {
            line: Some(line),
            body: latest.body,
            revision: if has_grown { revision } else { self.revision },
            ..*self
        })
    }

    /// A disc that contains `latest`, and as much of `self` as possible. Its reach is at most [`MAX_REACH_RADII`] body
    /// radii, or the larger one of the two reaches if that is more.
    fn grown(&self, latest: &Self, now: u64) -> Self {
        let apart = self.place - latest.place;
        let both = 0.5 * (self.reach + apart.length() + latest.reach);
        // Of bodies that get stuck beside each other, only the first one makes the disc grow by the factor.
        let is_recent = self.is_recent(now);
        // A disc that is larger than the body closes a passage: see `stuck_at` in `plan/dispatch`.
        let is_open = latest.reach <= latest.body.radius;
        let factor = if is_recent { 1.0 } else { GROWTH_FACTOR };
        let reach = (factor * self.reach).max(both);
        let reach = reach.min(MAX_REACH_RADII * latest.body.radius);
        let reach = reach.max(self.reach).max(latest.reach);
        Self {
            place: latest.place + apart.clamp_length_max(reach - latest.reach),
            reach,
            ahead: is_open.then(|| (latest.place - latest.from).normalize_or_zero()),
            fades_at: self.fades_at.max(latest.fades_at),
            seen_at: self.seen_at,
            revision: self.revision,
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
    pub(crate) ended: u32,
}

impl GridPrices {
    /// The prices that bind a body.
    pub(crate) fn binding(&self, body: NavBody) -> impl Iterator<Item = &Price> {
        self.list.iter().filter(move |price| price.binds(body))
    }

    /// Whether the line from a body at `here` through `points` enters a disc that binds the body, and that was noted or
    /// has grown after revision `seen`.
    pub(crate) fn is_newly_met(
        &self,
        seen: u32,
        (body, here): (NavBody, Vec2),
        points: impl Iterator<Item = Vec2> + Clone,
    ) -> bool {
        let new = self.binding(body).filter(|price| price.revision > seen);
        let mut new = new.filter(|price| price.worth(here) != Some(0.0));
        new.any(|price| price.meets_any(here, [here].into_iter().chain(points.clone())))
    }

    /// Notes a price. If a body of the same size and class was stuck nearby before, the nearest disc of such a body
    /// grows instead. A disc that cannot grow far enough to be in the way of the body stays as it is, and the body gets
    /// a new one.
    fn note(&mut self, latest: Price, now: u64) {
        let ahead = 2.0 * latest.place - latest.from;
        let grown = |known: &Price| {
            let is_near = known.body == latest.body && known.is_near(latest.place, latest.body);
            let grown = is_near.then(|| known.grown(&latest, now));
            grown.filter(|grown| grown.meets(latest.from, ahead))
        };
        let mut list = self.list.to_vec();
        let away = |known: &Price| known.place.distance_squared(latest.place);
        let near = (0..list.len()).filter_map(|at| Some((at, grown(&list[at])?)));
        let nearest = near.min_by(|a, b| away(&list[a.0]).total_cmp(&away(&list[b.0])));
        let known = nearest.map(|(at, _)| list.swap_remove(at));
        let mut price = nearest.map_or(latest, |(_, grown)| grown);
        price.noted_at = now;
        if list.len() >= MAX_PRICES {
            let first = (0..list.len()).min_by_key(|at| (list[*at].fades_at, list[*at].revision));
            first.map(|at| list.swap_remove(at));
            self.ended = self.revision + 1;
        }
        let is_known = known.is_some_and(|it| (it.place, it.reach) == (price.place, price.reach));
        if !is_known {
            self.revision += 1;
            price.revision = self.revision;
        }
        list.push(price);
        self.list = list.into();
    }

    /// Replaces the prices of all lines on the grid. A line that is already known keeps its disc. Agents compare their
    /// paths with the lines again if a line is new, has grown by [`LINE_GROWTH`], or has ended.
    fn set_lines(&mut self, lines: &[Price]) {
        let (known, mut list): (Vec<Price>, Vec<Price>) =
            self.list.iter().partition(|price| price.line.is_some());
        if known.is_empty() && lines.is_empty() {
            return;
        }
        let next = self.revision + 1;
        for latest in lines {
            let known = known.iter().find_map(|known| known.with_line(latest, next));
            let least = MIN_LINE[usize::from(known.is_some())];
            if latest.line.is_some_and(|line| line.count >= least) {
                list.push(known.unwrap_or(Price {
                    revision: next,
                    ..*latest
                }));
            }
        }
        list.truncate(MAX_PRICES);
        let has_ended = |known: &Price| !list.iter().any(|price| price.place == known.place);
        if known.iter().any(has_ended) {
            (self.revision, self.ended) = (next, next);
        } else if list.iter().any(|price| price.revision == next) {
            self.revision = next;
        }
        self.list = list.into();
    }

    /// Removes the prices for which `is_over` is true.
    fn end(&mut self, is_over: impl Fn(&Price) -> bool) {
        if self.list.iter().any(&is_over) {
            let list = self.list.iter().copied();
            self.list = list.filter(|price| !is_over(price)).collect();
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
    pub(crate) fn note(&mut self, grid: Entity, price: Price, now: u64) {
        self.grids.entry(grid).or_default().note(price, now);
    }

    /// Replaces the prices of the lines on all grids. Grids that are not in `lines` have no lines.
    pub(crate) fn set_lines(&mut self, lines: &[(Entity, Vec<Price>)]) {
        for (grid, _) in lines {
            self.grids.entry(*grid).or_default();
        }
        for (grid, prices) in &mut self.grids {
            let own = lines.iter().find(|(own, _)| own == grid);
            prices.set_lines(own.map_or(&[], |(_, lines)| lines));
        }
    }

    /// Notes that a body stands at each disc for which `sees` is true. The first body counts only while the disc is
    /// recent, because a body that comes later is not what blocks the disc: see [`RECENT_SHARE`].
    pub(crate) fn look(&mut self, tick: u64, mut sees: impl FnMut(Entity, &Price) -> bool) {
        for (grid, prices) in &mut self.grids {
            for price in Arc::make_mut(&mut prices.list) {
                let may_block = price.seen_at.is_some() || price.is_recent(tick);
                if may_block && sees(*grid, price) {
                    price.seen_at = Some(tick);
                }
            }
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
        Price::new((Vec2::new(x, 3.0), reach), (0.4.into(), HERE), 100)
    }

    #[test]
    fn a_grown_disc_encloses_the_new_disc_and_below_its_limit_the_old_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let (before, max_reach) = (0.4 + 3.0 * random.f32(), 6.4);
            let one = price(0.0, before);
            let latest = price(30.0 * random.f32() - 15.0, 0.4);
            let grown = one.grown(
                &Price {
                    fades_at: 200,
                    ..latest
                },
                100,
            );
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
    fn a_blocked_place_is_one_price_and_stops_growing_at_its_largest_reach() {
        let mut prices = GridPrices::default();
        for tick in 100..120 {
            let fades_at = tick + 10;
            let latest = price(1.0, 0.4);
            prices.note(Price { fades_at, ..latest }, tick);
            let reach = prices.list[0].reach;
            prices.note(Price { fades_at, ..latest }, tick);
            assert_eq!(prices.list[0].reach, reach, "another body in the same tick");
        }
        let revision = prices.revision;
        prices.note(price(1.0, 0.4), 90);
        assert_eq!((prices.list.len(), prices.list[0].reach), (1, 6.4));
        assert_eq!(prices.revision, revision, "nothing has changed");
    }

    #[test]
    fn a_grid_keeps_the_latest_prices() {
        let mut prices = GridPrices::default();
        for n in 0..40 {
            let x = 100.0 * n as f32;
            prices.note(
                Price {
                    fades_at: n,
                    from: Vec2::new(x - 0.4, 3.0),
                    ..price(x, 0.4)
                },
                0,
            );
        }
        assert_eq!(prices.list.len(), MAX_PRICES);
        assert!(prices.list.iter().all(|price| price.fades_at >= 8));
        prices.end(|price| price.fades_at <= 20);
        assert_eq!(prices.list.len(), 19);
        assert!(prices.ended >= prices.revision);
    }

    #[test]
    fn a_price_ends_when_its_blocker_leaves_and_not_when_a_body_has_passed_by() {
        for (first_look, ends) in [(102, true), (140, false)] {
            let (grid, mut prices) = (Entity::PLACEHOLDER, Prices::default());
            let fades_at = 100 + 200;
            prices.note(
                grid,
                Price {
                    fades_at,
                    ..price(1.0, 0.4)
                },
                100,
            );
            for tick in (100..200).step_by(2) {
                prices.look(tick, |_, _| (first_look..first_look + 20).contains(&tick));
                prices.end(|_| true, |_, price| price.is_over(tick, tick - 4));
            }
            assert_eq!(prices.is_empty(), ends, "first seen in tick {first_look}");
        }
    }

    /// The body that got stuck faces an obstacle at x = 1. The center of the grown disc is four units to its left.
    #[test]
    fn a_body_in_a_grown_disc_is_blocked_toward_the_obstacle_and_not_along_it() {
        let (place, reach) = (Vec2::new(1.0, 7.0), 8.0);
        let disc = Price {
            place,
            reach,
            ahead: Some(Vec2::X),
            ..price(1.0, 0.4)
        };
        assert_eq!(disc.ahead_of(HERE), Vec2::X);
        assert_eq!(disc.ahead_of(HERE - 2.0 * Vec2::Y), Vec2::X);
        assert_eq!(
            disc.ahead_of(HERE + 2.0 * Vec2::X),
            -Vec2::X,
            "beyond the obstacle"
        );
        assert_eq!(disc.ahead_of(Vec2::new(-20.0, 7.0)), Vec2::X, "outside");
        assert_eq!(disc.ahead_of(Vec2::new(1.0, -20.0)), Vec2::Y, "outside");
        let along = HERE + 4.0 * Vec2::Y;
        assert!(!disc.meets(HERE, along), "along the obstacle");
        assert!(
            disc.meets(HERE, along + 2.0 * Vec2::X),
            "through the obstacle"
        );
    }

    #[test]
    fn a_disc_that_grows_keeps_the_blocked_direction_unless_it_closes_a_passage() {
        let one = price(1.0, 0.4);
        assert_eq!(one.ahead, None);
        assert_eq!(one.grown(&one, 60).ahead, Some(Vec2::X));
        assert_eq!(one.grown(&price(1.0, 0.9), 60).ahead, None, "a passage");
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

    /// A price of a line of `count` agents before a narrow place at `x`. The last agent is 10 units away from the place.
    fn line(x: f32, count: f32) -> Price {
        let line = Line {
            count,
            length: 10.0,
            headway: 1.5,
            noted: count,
        };
        Price {
            line: Some(line),
            ..Price::new(
                (Vec2::new(x, 3.0), 0.4),
                (0.4.into(), Vec2::new(x - 0.4, 3.0)),
                100,
            )
        }
    }

    #[test]
    fn only_the_last_agents_of_a_line_may_take_a_longer_way() {
        let worth = |away: f32| line(0.0, 20.0).worth(Vec2::new(-away, 3.0));
        assert_eq!(worth(10.0), Some(30.0), "20 agents wait");
        assert_eq!(worth(7.0), Some(0.0), "half of the agents are ahead");
        assert_eq!(worth(0.0), Some(0.0));
        assert_eq!(
            worth(25.0),
            Some(15.0),
            "while the agent walks to the line, the line gets shorter"
        );
        assert_eq!(worth(1000.0), Some(0.0));
        assert_eq!(
            line(0.0, 20.0).worth(Vec2::new(10.0, 3.0)),
            Some(0.0),
            "behind the door"
        );
        assert_eq!(price(0.0, 0.4).worth(HERE), None);
    }

    #[test]
    fn paths_are_compared_with_a_line_when_it_begins_has_grown_by_a_quarter_or_ends() {
        let mut prices = GridPrices::default();
        prices.note(price(50.0, 0.4), 0);
        let mut changes = |x: f32, count: f32| {
            let before = (prices.revision, prices.ended);
            let lines = (count > 0.0).then(|| line(x, count));
            prices.set_lines(lines.as_slice());
            assert_eq!(prices.list.len(), 1 + usize::from(count > 0.0));
            assert!(count == 0.0 || prices.list[1].place.x == 0.0, "{x} moved");
            (prices.revision != before.0, prices.ended != before.1)
        };
        assert_eq!(changes(0.0, 8.0), (true, false));
        assert_eq!(changes(0.3, 9.0), (false, false));
        assert_eq!(changes(-0.3, 11.0), (true, false));
        assert_eq!(changes(0.0, 5.0), (false, false));
        assert_eq!(changes(0.0, 0.0), (true, true));
        assert_eq!(changes(0.0, 0.0), (false, false));
    }
}
