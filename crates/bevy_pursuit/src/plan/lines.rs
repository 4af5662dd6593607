//! Finds the lines of agents that wait before narrow places, and notes a price for each line. Searches compare the wait
//! in a line with other ways.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::math::Vec2;
use pursuit::steer::{advance, length};

use super::dispatch::passage;
use crate::agent::{
    ByMarker, CrowdState, Decided, FollowMemory, Intent, Line, NavBody, NavPath, OffFields,
    PathCursor, Price, Prices, TickPosition,
};
use crate::grid::{Grids, NavSnapshot};
use crate::schedule::TickCount;

/// Maximum number of agents on a grid for which one look seeks a narrow place. With a greater value, a look takes more
/// time in its tick. With a smaller one, the line behind a crowd that waits in the open is not found.
const MAX_LOOKS: usize = 64;
/// Maximum gap between two agents of a line, in radii. With a greater value, agents that wait at another place on the
/// same way count as part of the line. With a smaller one, the agents behind a gap do not count.
const GAP_RADII: f32 = 8.0;
/// Maximum number of agents that wait. If there are more, no lines are noted. With a greater value, a look at a large
/// crowd takes more time in its tick. With a smaller one, large crowds that no field leads wait at the nearest door.
const MAX_COMPARED: usize = 512;
/// Time for which others must hold an agent up before the agent is part of a line, in seconds. With a greater value,
/// agents turn to another door later. With a smaller one, an agent that stops for a moment is part of a line.
const HELD_UP_SECONDS: f32 = 0.12;
/// Distance that an agent walks while one agent passes a narrow place, as a multiple of the length of the place that
/// each agent would take up if agents filled the whole width. With a greater value, agents turn to ways that take
/// longer than the wait. With a smaller one, agents wait although another way is faster.
const HEADWAY_SHARE: f32 = 1.3;
/// Maximum distance ahead of the first agent of a line at which a narrow place is found, in radii of the agent. With a
/// greater value, agents count as a line before a place that they have not reached. With a smaller one, the place
/// before which they wait is not found.
const AHEAD_RADII: u8 = 8;

/// The components of an agent that may be part of a line.
#[derive(QueryData)]
pub(super) struct InLine {
    position: &'static TickPosition,
    crowd: &'static CrowdState,
    intent: &'static Intent,
    path: &'static NavPath,
    cursor: &'static PathCursor,
    memory: &'static FollowMemory,
    decided: &'static Decided,
}

/// An agent that waits behind others.
struct Member {
    grid: Entity,
    body: NavBody,
    /// Position of the agent, in grid coordinates.
    place: Vec2,
    /// The rest of the agent's way, from its position, in grid coordinates.
    way: Vec<Vec2>,
    /// Length of `way`, in world units.
    remaining: f32,
    /// See [`TickPosition::sort_key`].
    key: [u32; 3],
}

/// Finds the lines on all grids, and replaces the prices of all lines.
pub(super) fn note_lines(
    (ticks, grids, off_fields): (Res<TickCount>, Res<Grids>, Res<OffFields>),
    mut agents: ByMarker<InLine>,
    mut prices: ResMut<Prices>,
) {
    let mut members = Vec::new();
    let listed = off_fields.entities.as_deref();
    let listed = listed.filter(|_| off_fields.tick == ticks.0);
    agents.for_listed(listed, |one| {
        if members.len() <= MAX_COMPARED {
            members.extend(one.member(&grids));
        }
    });
    if members.len() > MAX_COMPARED {
        members.clear();
    }
    members.sort_by(|a, b| {
        let by_way = a.remaining.total_cmp(&b.remaining);
        a.grid.cmp(&b.grid).then(by_way).then(a.key.cmp(&b.key))
    });
    let same_grid = members.chunk_by(|a, b| a.grid == b.grid);
    let lines = same_grid.filter_map(|members| {
        let grid = members[0].grid;
        let snapshot = grids.get(Some(grid))?.snapshot()?;
        Some((
            grid,
            find_lines(snapshot, members, &prices.of(Some(grid)).list),
        ))
    });
    let lines = Vec::from_iter(lines);
    prices.set_lines(&lines);
}

impl InLineItem<'_, '_> {
    /// The agent as a [`Member`]. `None` if it does not wait.
    fn member(&self, grids: &Grids) -> Option<Member> {
        let (order, memory) = (&self.intent.order, &self.crowd.memory);
        let waits = memory.held_up_seconds > HELD_UP_SECONDS && !memory.is_settled;
        if !order.want.is_path() || order.is_flight() || !waits || self.decided.has_field {
            return None;
        }
        let (grid, goal) = (order.grid?, [order.goal]);
        let place = grids.plane_of(Some(grid)).to_grid(self.position.0);
        let next = self.cursor.next();
        let leg = self.path.leg_to(next);
        let keeps_path = !self.memory.left_path && leg.grid == Some(grid);
        let ahead = leg.waypoints.get(next.saturating_sub(leg.first)..);
        let ahead = ahead.filter(|ahead| keeps_path && !ahead.is_empty());
        let way = [&[place], ahead.unwrap_or(&goal)].concat();
        Some(Member {
            grid,
            body: order.body(),
            place,
            remaining: length(&way),
            way,
            key: self.position.sort_key(),
        })
    }
}

/// The prices of the lines on a grid. These prices do not fade. They end when a look no longer finds the line.
/// `members` are in the order of their remaining ways, the shortest one first.
fn find_lines(snapshot: &NavSnapshot, members: &[Member], known: &[Price]) -> Vec<Price> {
    let mut waiting = members.iter().collect::<Vec<_>>();
    let mut prices = Vec::new();
    for _ in 0..MAX_LOOKS {
        let [first, ..] = waiting[..] else {
            break;
        };
        let Some((place, reach, ahead)) = first.narrow_place(snapshot, known) else {
            waiting.remove(0);
            continue;
        };
        let mut price = Price::new((place, reach), (first.body, place - ahead), u64::MAX);
        let mut length = reach.max(first.place.distance(place));
        let line = waiting.extract_if(.., |it| {
            let away = it.place.distance(place);
            let passes = price.meets_any(it.place, it.way.iter().copied());
            let is_next = away <= length + GAP_RADII * it.body.radius && price.is_before(it.place);
            let is_own = is_next && passes && it.body.class == first.body.class;
            length = if is_own { length.max(away) } else { length };
            is_own || it.key == first.key
        });
        let line = Vec::from_iter(line);
        let radius = line.iter().map(|it| it.body.radius);
        price.body.radius = radius.fold(first.body.radius, f32::min);
        price.line = Some(Line {
            count: line.len() as f32,
            length,
            headway: HEADWAY_SHARE * 2.0 * first.body.radius.powi(2) / reach,
            noted: line.len() as f32,
        });
        prices.push(price);
    }
    prices
}

impl Member {
    /// The middle and half of the width of the narrowest place that is near ahead, and the direction through it, one
    /// radius long. The place of a known line comes first. `None` in the open.
    fn narrow_place(&self, snapshot: &NavSnapshot, known: &[Price]) -> Option<(Vec2, f32, Vec2)> {
        let radius = self.body.radius;
        let near = f32::from(AHEAD_RADII) * radius;
        let is_ahead = |price: &&Price| {
            let is_near = price.place.distance(self.place) <= near && price.is_before(self.place);
            price.line.is_some() && is_near && price.meets_any(self.place, self.way.iter().copied())
        };
        if let Some(known) = known.iter().find(is_ahead) {
            return Some((known.place, known.reach, known.place - known.from));
        }
        let (mut next, mut at) = (1, self.place);
        let passages = (0..AHEAD_RADII).filter_map(|_| {
            let moved = advance(&self.way, next, at, radius);
            let ahead = moved.offset.try_normalize()? * radius;
            (next, at) = (moved.next, at + moved.offset);
            let (place, width) = passage(snapshot, at, ahead)?;
            Some((place, radius.max(0.5 * width), ahead))
        });
        passages.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
