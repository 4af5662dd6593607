//! Turns what users ask for into orders: a [`PathRequest`], a [`Chase`] that is due.

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::helper::TransformHelper;

use crate::intent::chase::{ChaseIndex, index_chases};
use crate::motion::agent::{
    AskedBy, Chase, ChaseMemory, Locomotion, NavAgent, NavPath, PathCursor, PathRequest,
    PathStatus, PlanTicket, RepathPolicy,
};
use crate::motion::place::world_position;
use crate::plan::queue::{Order, OrderKind, PlanQueue};
use crate::schedule::PursuitSystems;

/// Turns requests and chases into orders.
pub(crate) struct RequestPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for RequestPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PlanQueue>()
            .init_resource::<ChaseIndex>()
            .register_type::<Chase>()
            .register_type::<PathRequest>()
            .register_type::<ChaseMemory>()
            .register_type::<AskedBy>()
            .add_systems(
                self.schedule,
                (index_chases, order_stops, order_requests, order_chases)
                    .chain()
                    .in_set(PursuitSystems::Request),
            );
    }
}

/// Stops entities whose request or chase is gone.
///
/// Looks at what is there rather than at removals, whose news are gone after two frames: time may be
/// paused, or many frames pass from tick to tick.
fn order_stops(
    mut queue: ResMut<PlanQueue>,
    mut asked: Query<
        (Entity, &mut AskedBy),
        (
            Without<PathRequest>,
            Or<(Without<Chase>, Without<NavAgent>)>,
        ),
    >,
) {
    for (entity, mut asked) in &mut asked {
        if asked.set_if_neq(AskedBy::Nobody) {
            queue.push(Order {
                entity,
                kind: OrderKind::Stop(PathStatus::Idle),
            });
        }
    }
}

/// Orders a path for each request that was inserted or changed, and for each whose agent lost its
/// path.
fn order_requests(
    mut queue: ResMut<PlanQueue>,
    mut requests: Query<(
        Entity,
        Ref<PathRequest>,
        &NavPath,
        &PathCursor,
        &PlanTicket,
        &mut AskedBy,
        Option<(&NavAgent, &Locomotion)>,
    )>,
) {
    for (entity, request, path, cursor, ticket, mut asked, agent) in &mut requests {
        let radius = request
            .radius
            .or(agent.map(|(agent, _)| agent.radius))
            .unwrap_or(0.0);
        let is_same = *asked == AskedBy::Request(*request);
        // Something carried the agent off, or it grew.
        let is_lost = !ticket.pending
            && cursor.next() < path.waypoints().len()
            && agent.is_some_and(|(_, legs)| *legs == Locomotion::Waiting || radius != path.radius);
        let is_new = request.is_changed() && !(is_same && ticket.pending);
        if !(is_new || is_lost) {
            continue;
        }
        *asked = AskedBy::Request(*request);
        queue.push(Order {
            entity,
            kind: OrderKind::Plan {
                goal: request.goal,
                radius,
                tolerance: request.tolerance,
                refresh: is_lost && !is_new,
            },
        });
    }
}

/// What a chase reads of its entity, and remembers.
type ChaserData<'a> = (
    Entity,
    &'a Chase,
    &'a NavAgent,
    &'a NavPath,
    &'a PathStatus,
    &'a PlanTicket,
    &'a Locomotion,
    &'a mut ChaseMemory,
    &'a mut AskedBy,
);

/// Orders a path for each chaser whose path is due, and stops those whose target is gone.
fn order_chases(
    time: Res<Time>,
    transforms: TransformHelper,
    mut queue: ResMut<PlanQueue>,
    mut chasers: Query<ChaserData, Without<PathRequest>>,
) {
    let dt = time.delta_secs();
    for (entity, chase, agent, path, status, ticket, legs, mut memory, mut asked) in &mut chasers {
        let takes_over = asked.set_if_neq(AskedBy::Chase);
        let Some(target) = world_position(&transforms, chase.target) else {
            if *status != PathStatus::TargetLost {
                queue.push(Order {
                    entity,
                    kind: OrderKind::Stop(PathStatus::TargetLost),
                });
            }
            continue;
        };
        let Some(position) = world_position(&transforms, entity) else {
            continue;
        };
        let mut next = if takes_over {
            ChaseMemory::default()
        } else {
            note_answer(*memory, dt, status, ticket)
        };
        let look = Look {
            position,
            target,
            status,
            legs: *legs,
            has_path: !path.is_empty(),
        };
        if takes_over || !ticket.pending && is_due(chase, agent, &next, &look) {
            next = ChaseMemory {
                target: Some(chase.target),
                asked_for: target,
                since_asked: 0.0,
                ..next
            };
            queue.push(Order {
                entity,
                kind: OrderKind::Plan {
                    goal: target,
                    radius: agent.radius,
                    tolerance: agent.arrival_distance,
                    refresh: !takes_over,
                },
            });
        }
        next.legs = *legs;
        memory.set_if_neq(next);
    }
}

/// Lets time pass in the memory and counts searches that failed in a row.
fn note_answer(
    memory: ChaseMemory,
    dt: f32,
    status: &PathStatus,
    ticket: &PlanTicket,
) -> ChaseMemory {
    let mut next = ChaseMemory {
        since_asked: memory.since_asked + dt,
        ..memory
    };
    match status {
        PathStatus::Found => next.failures = 0,
        PathStatus::Partial(_) | PathStatus::Failed(_)
            if !ticket.pending && ticket.serial != next.failed_serial =>
        {
            next.failed_serial = ticket.serial;
            next.failures = (next.failures + 1).min(5);
        }
        _ => {}
    }
    next
}

/// What a chaser knows when it decides whether to plan anew.
struct Look<'a> {
    position: Vec2,
    target: Vec2,
    status: &'a PathStatus,
    legs: Locomotion,
    has_path: bool,
}

/// Whether a chaser should plan anew now.
fn is_due(chase: &Chase, agent: &NavAgent, memory: &ChaseMemory, look: &Look) -> bool {
    if memory.target != Some(chase.target) {
        return true;
    }
    if memory.since_asked < retry_delay(memory.failures) {
        return false;
    }
    if matches!(look.status, PathStatus::Failed(_)) {
        return true;
    }
    let is_found = *look.status == PathStatus::Found;
    let lost_sight = memory.legs == Locomotion::Straight && look.legs != Locomotion::Straight;
    match look.legs {
        Locomotion::Arrived | Locomotion::Straight => false,
        _ if lost_sight || !look.has_path => true,
        Locomotion::Stuck => memory.since_asked >= 0.5,
        Locomotion::Waiting if is_found && memory.since_asked >= 0.1 => true,
        _ => is_policy_due(chase.repath, agent, memory, look),
    }
}

/// Seconds to wait after `failures` searches in a row that did not reach the target.
fn retry_delay(failures: u32) -> f32 {
    if failures == 0 {
        0.0
    } else {
        0.125 * 2f32.powi(failures as i32)
    }
}

/// The repath policy alone, in seconds and world units.
fn is_policy_due(
    policy: RepathPolicy,
    agent: &NavAgent,
    memory: &ChaseMemory,
    look: &Look,
) -> bool {
    match policy {
        RepathPolicy::Every(interval) => memory.since_asked >= interval.as_secs_f32(),
        RepathPolicy::Dynamic => {
            let moved = look.target.distance(memory.asked_for);
            let away = look.position.distance(memory.asked_for).max(agent.radius);
            let fraction = moved * 10.0 / away;
            fraction > 1.0 || memory.since_asked >= 2.0 * (1.0 - fraction)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn due(policy: RepathPolicy, since: f32, moved: f32) -> bool {
        let agent = NavAgent::from_radius(1.0);
        let memory = ChaseMemory {
            asked_for: Vec2::ZERO,
            since_asked: since,
            ..ChaseMemory::default()
        };
        let look = Look {
            position: Vec2::new(-100.0, 0.0),
            target: Vec2::new(moved, 0.0),
            status: &PathStatus::Found,
            legs: Locomotion::Moving,
            has_path: true,
        };
        is_policy_due(policy, &agent, &memory, &look)
    }

    #[test]
    fn a_far_chaser_tolerates_a_tenth_of_the_distance() {
        assert!(due(RepathPolicy::Dynamic, 0.0, 10.1));
        assert!(!due(RepathPolicy::Dynamic, 0.5, 5.0));
        assert!(due(RepathPolicy::Dynamic, 1.01, 5.0));
        assert!(
            due(RepathPolicy::Dynamic, 2.0, 0.0),
            "two seconds at the latest"
        );
    }

    #[test]
    fn a_fixed_interval_does_not_look_at_the_target() {
        let policy = RepathPolicy::Every(Duration::from_millis(200));
        assert!(!due(policy, 0.19, 1000.0));
        assert!(due(policy, 0.2, 0.0));
    }

    #[test]
    fn failures_in_a_row_wait_longer_and_longer() {
        let delays: Vec<f32> = (0..=5).map(retry_delay).collect();
        assert_eq!(delays, [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]);
    }
}
