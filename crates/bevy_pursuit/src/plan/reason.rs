//! Why an entity is planned for.

use bevy::reflect::Reflect;

/// Why an entity is planned for.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum PlanReason {
    /// It was sent for something new.
    NewErrand,
    /// The goal moved since the latest search.
    GoalMoved,
    /// The grid was baked again since the latest search.
    GridChanged,
    /// The goal moves, or the grid changes where that can open a way.
    GoalOrGrid,
    /// Its policy asks for a search at fixed intervals.
    Interval,
    /// The agent is stuck and tries another way.
    Stuck,
    /// The agent is past the place that its path leads around because it was stuck there.
    PastDetour,
    /// The path is walked to its end, and the goal is not there.
    PathEnded,
    /// The agent loses sight of the target that it walks straight to.
    SightLost,
    /// The goal moves out of reach.
    OutOfReach,
    /// A recorder waits for a search.
    Recording,
}
