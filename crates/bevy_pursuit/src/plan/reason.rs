//! The reason for a search.

use bevy::reflect::Reflect;

/// The reason for a search.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum PlanReason {
    /// The entity got a new order.
    NewOrder,
    /// The goal moved since the latest search.
    GoalMoved,
    /// The grid was baked again since the latest search.
    GridChanged,
    /// The goal moves, or the grid changes, so that a search that failed or fell short may succeed now.
    GoalOrGrid,
    /// The [`RepathPolicy`](crate::RepathPolicy) asks for a search at fixed intervals.
    Interval,
    /// The agent is stuck and looks for another way.
    Stuck,
    /// Another agent got stuck on this agent's way, agents wait in line there, or the place that this agent's path
    /// leads around may be free again.
    WayChanged,
    /// The agent is at the end of its path, but not at the goal.
    PathEnded,
    /// The agent loses sight of the target to which it walks straight.
    SightLost,
    /// The goal moves out of reach.
    OutOfReach,
    /// A `PathRecorder` waits for a search to record.
    Recording,
}
