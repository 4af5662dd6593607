//! Who stands behind others that are there, and until when.

/// What a member remembers from tick to tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mind {
    /// Whether it stands: at its goal, or behind others that do.
    pub is_settled: bool,
    /// Whether it was held up in this tick.
    pub is_queued: bool,
    /// For how long it was held up, in seconds.
    pub held: f32,
    /// For how long it has had reason to settle, or none to stay so, in seconds.
    pub since: f32,
}

use glam::Vec2;

use super::Member;
use super::step::Body;

/// Seconds of reason to settle, and of none to stay so.
const SETTLES: f32 = 0.13;
const LEAVES: f32 = 0.25;

/// Who touches: within this many of the sum of radii; who stands still counts as touching a bit longer.
const TOUCHES: (f32, f32) = (1.15, 1.45);

/// A member whose part of its pace toward where it wants is below this gets nowhere.
const HELD_UP: f32 = 0.2;

pub(super) fn decide(
    own: usize,
    members: &[Member],
    bodies: &[Body],
    near: &[u32],
    made: Vec2,
    dt: f32,
) -> Mind {
    let (member, body) = (&members[own], &bodies[own]);
    let mut mind = member.mind;
    let progress = made.dot(member.heading);
    let is_held_up = member.pace > 0.0 && progress < HELD_UP * member.pace;
    mind.is_queued = is_held_up;
    mind.held = if is_held_up {
        mind.held + dt
    } else {
        (mind.held - 2.0 * dt).max(0.0)
    };
    mind.held = mind.held.min(2.0);
    if !member.settles {
        return Mind {
            is_queued: is_held_up,
            held: mind.held,
            ..Mind::default()
        };
    }
    let within = if body.is_settled {
        TOUCHES.1
    } else {
        TOUCHES.0
    };
    let is_behind = |other: &u32| {
        let (other, one) = (&members[*other as usize], &bodies[*other as usize]);
        let apart = other.place - member.place;
        let touching = within * (member.radius + other.radius);
        one.is_settled
            && one.group == body.group
            && other.left < member.left
            && apart.length_squared() < touching * touching
            && apart.dot(member.heading) > 0.0
    };
    let has_support = || member.is_there || near.iter().any(is_behind);
    if body.is_settled {
        mind.since = if has_support() { 0.0 } else { mind.since + dt };
        mind.is_settled = mind.since < LEAVES;
    } else {
        let has_reason = member.is_there || is_held_up && has_support();
        mind.since = if has_reason {
            mind.since + dt
        } else {
            (mind.since - dt).max(0.0)
        };
        mind.is_settled = member.is_there || mind.since >= SETTLES;
    }
    if mind.is_settled != body.is_settled {
        mind.since = 0.0;
    }
    mind
}
