//! Notes the lines of agents that wait before narrow places. Searches compare the wait with other ways.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::math::Vec2;
use bevy::time::Time;
use pursuit::steer::{advance, length};

use super::dispatch::passage;
use crate::agent::{
    ByMarker, CrowdState, FollowMemory, Intent, Line, NavAgent, NavBody, NavPath, OffFields,
    PathCursor, Planning, Price, Prices, TickPosition,
};
use crate::grid::{Grids, NavSnapshot};
use crate::schedule::TickCount;

/// Minimum number of waiting agents that are a line. With a greater value, short lines use one door of two. With a
/// smaller one, a few agents that stop for a moment cause searches.
const MIN_LINE: usize = 4;
/// Maximum number of agents off the fields that are compared with each other, which limits the time of a frame.
const MAX_COMPARED: usize = 512;
/// Time for which others must hold an agent up before it is part of a line, in seconds. With a greater value, agents
/// turn to another door later. With a smaller one, an agent that stops for a moment is part of a line.
const HELD_UP_SECONDS: f32 = 0.12;
/// Time for which an agent that turned to another way is counted as ahead on that way, in seconds. With a greater value,
/// the agents behind it wait longer before they follow. With a smaller one, too many follow it.
const TURNED_SECONDS: f64 = 1.5;
/// Distance that an agent walks while a narrow place lets one agent pass, as a share of the mean distance of agents that
/// fill the place. With a greater value, agents turn to ways that take longer than the wait. With a smaller one, they
/// wait although another way is faster.
const HEADWAY_SHARE: f32 = 1.3;
/// Distance ahead of the first agent of a line within which a narrow place is sought, in radii of the agent. With a
/// greater value, a line is blamed on a place that it has not reached. With a smaller one, the narrow place is missed.
const AHEAD_RADII: u8 = 8;

/// The components of an agent that may be part of a line.
#[derive(QueryData)]
pub(super) struct InLine {
    agent: &'static NavAgent,
    position: &'static TickPosition,
    crowd: &'static CrowdState,
    intent: &'static Intent,
    path: &'static NavPath,
    cursor: &'static PathCursor,
    memory: &'static FollowMemory,
    planning: &'static Planning,
}

/// An agent that waits behind others, or that has turned to another way.
struct Member {
    grid: Entity,
    body: NavBody,
    /// In grid coordinates, like `way`.
    place: Vec2,
    /// The rest of the way, from `place`.
    way: Vec<Vec2>,
    remaining: f32,
    waits: bool,
    key: [u32; 3],
}

/// Notes the lines of all grids.
pub(super) fn note_lines(
    (ticks, time): (Res<TickCount>, Res<Time>),
    (grids, off_fields): (Res<Grids>, Res<OffFields>),
    mut agents: ByMarker<InLine>,
    mut prices: ResMut<Prices>,
) {
    let now = time.elapsed_secs_f64();
    let mut members = Vec::new();
    let listed = off_fields.entities.as_deref();
    let listed = listed.filter(|_| off_fields.tick == ticks.0);
    agents.for_listed(listed, |one| {
        if members.len() <= MAX_COMPARED {
            members.extend(one.member(&grids, now));
        }
    });
    if members.len() > MAX_COMPARED || members.iter().filter(|it| it.waits).count() < MIN_LINE {
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
        Some((grid, find_lines(snapshot, members)))
    });
    prices.set_lines(&Vec::from_iter(lines));
}

impl InLineItem<'_, '_> {
    fn member(&self, grids: &Grids, now: f64) -> Option<Member> {
        let (order, memory) = (&self.intent.order, &self.crowd.memory);
        let waits = memory.held_up_seconds > HELD_UP_SECONDS && !memory.is_settled;
        let has_turned =
            || self.path.is_led_around && now - self.planning.asked_at < TURNED_SECONDS;
        if !order.want.is_path() || order.is_flight() || !(waits || has_turned()) {
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
            waits,
            key: self.position.sort_key(),
        })
    }
}

/// The prices of the lines on a grid. The prices end when the lines are no longer found. `members` are in the order of their remaining ways, the shortest one first.
fn find_lines(snapshot: &NavSnapshot, members: &[Member]) -> Vec<Price> {
    let mut waiting: Vec<&Member> = members.iter().filter(|it| it.waits).collect();
    let mut prices = Vec::new();
    while let [first, ..] = waiting[..] {
        let Some((place, width)) = first.narrow_place(snapshot) else {
            waiting.remove(0);
            continue;
        };
        let reach = first.body.radius.max(0.5 * width);
        let mut price = Price::new((place, reach), (first.body, first.place), u64::MAX);
        let passes = |it: &Member| {
            it.body.class == first.body.class && price.meets_any(it.place, it.way.iter().copied())
        };
        let line = waiting.extract_if(.., |it| passes(it) || it.key == first.key);
        let line = Vec::from_iter(line);
        if line.len() < MIN_LINE {
            continue;
        }
        let turned = members.iter().filter(|it| !it.waits && !passes(it));
        price.line = Some(Line {
            count: line.len() as f32,
            turned: turned.count() as f32,
            length: line
                .iter()
                .fold(reach, |most, it| most.max(it.place.distance(place))),
            noted: line.len() as f32,
            headway: HEADWAY_SHARE * 4.0 * first.body.radius.powi(2) / (2.0 * reach),
        });
        let radius = line.iter().map(|it| it.body.radius);
        price.body.radius = radius.fold(first.body.radius, f32::min);
        prices.push(price);
    }
    prices
}

impl Member {
    /// The middle and the width of the narrowest place that is near ahead. `None` in the open.
    fn narrow_place(&self, snapshot: &NavSnapshot) -> Option<(Vec2, f32)> {
        let radius = self.body.radius;
        let (mut next, mut at) = (1, self.place);
        let passages = (0..AHEAD_RADII).filter_map(|_| {
            let moved = advance(&self.way, next, at, radius);
            let ahead = moved.offset.try_normalize()? * radius;
            (next, at) = (moved.next, at + moved.offset);
            passage(snapshot, at, ahead)
        });
        passages.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
