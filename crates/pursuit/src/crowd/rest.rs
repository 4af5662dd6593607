//! Rest: a settled member among others that stand still is skipped.

use glam::Vec2;

use super::body::{CrowdBody, Disc, MemberPlan};
use super::buckets::{Buckets, MemberRanges};
use super::settle::{is_goal_far, sunk};
use super::{CrowdMemory, Member};

/// After this many seconds, it is checked again whether the position of a resting member is still a good one, and
/// free of walls. With a longer time, a member behind a gap or inside a new wall notices it later. With a shorter
/// one, a standing crowd takes more computing time.
const REST_CHECK_SECONDS: f32 = 0.1;

/// A member does not rest if it would have to check more than this many others, as a giant among thousands would.
const MAX_REST_CHECKS: usize = 128;

/// Whether a member stood still in the previous tick. While all members around it are still, contacts cannot move
/// it. If the game moves or removes a member, the others notice it within [`REST_CHECK_SECONDS`].
pub(super) fn is_still(member: &Member) -> bool {
    member.memory.is_settled && member.velocity == Vec2::ZERO && !member.is_fixed()
}

/// Decides whether a member is skipped in this tick. `around` has a flag for each member, which says whether the
/// member [is still](is_still).
pub(super) fn find_rest(
    own: usize,
    plan: &mut MemberPlan,
    around: (&Buckets, &[CrowdBody], &[Disc], &[bool]),
) {
    plan.rests = plan.memory.rests && rests(own, plan, around);
    if plan.memory.rests && !plan.rests {
        plan.memory.unsettled_seconds = 0.0;
    }
}

fn rests(
    own: usize,
    plan: &MemberPlan,
    (buckets, bodies, discs, still): (&Buckets, &[CrowdBody], &[Disc], &[bool]),
) -> bool {
    let (body, memory) = (&bodies[own], &plan.memory);
    let is_due =
        memory.unsettled_seconds >= REST_CHECK_SECONDS || !(plan.settles && body.is_settled);
    if is_due || is_goal_far(memory, plan.has_arrived, body) {
        return false;
    }
    let mut runs = MemberRanges::default();
    let mut checked = 0;
    let mut levels = buckets.levels_near(body.plane, discs[own]);
    levels.all(|(level, far)| {
        let is_far = |other: usize| bodies[other].place.distance_squared(body.place) > far * far;
        let Some(runs) = buckets.around(level, body.place, far, &mut runs) else {
            return false;
        };
        runs.each().all(|mut run| {
            checked += run.len();
            checked <= MAX_REST_CHECKS && run.all(|other| still[other] || is_far(other))
        })
    })
}

/// Updates the memory of a member that was skipped in a tick.
pub(super) fn leave_alone(memory: &mut CrowdMemory, remaining: f32, dt: f32) {
    memory.unsettled_seconds += dt;
    memory.least_remaining = memory.least_remaining.min(remaining);
    memory.held_up_seconds = sunk(memory.held_up_seconds, dt);
}

/// After a tick in which a member was checked, decides whether it is skipped in the next ticks. The next checks
/// of different members are spread over several ticks.
pub(super) fn look_again(memory: &mut CrowdMemory, serial: u32, stands: bool) {
    let began = !memory.rests;
    memory.rests = stands && memory.is_settled && memory.unsettled_seconds == 0.0;
    if memory.rests && began {
        memory.unsettled_seconds = REST_CHECK_SECONDS * (serial % 8) as f32 / 8.0;
    }
}
