//! Which types hold the state of a run: what a game keeps that winds time back.

use crate::agent::{
    BodySize, BodyState, ChaseIndex, DesiredVelocity, FlowFollower, Following, Intent, Locomotion,
    NavAgent, NavAvoidance, NavAvoided, NavDrive, NavFrame, NavPath, NavPaused, NavPriority,
    Parting, PathCursor, PathStatus, Place, Planning,
};
use crate::avoid::{LatestSerial, Scratch};
use crate::flow::Flows;
use crate::grid::{BakedGrid, NavGrid, OnGrid};
use crate::ground::{AgentClasses, NavArea, NavAreas, NavSeeThrough};
use crate::intent::{Chase, Flee, PathRequest};
use crate::obstacle::{Carriers, Frames, NavObstacle, ObservedObstacles};
use crate::physics::NavTurn;
use crate::plan::ask::AskLimit;
use crate::plan::batch::SearchTasks;
use crate::plan::fields::SharedFields;
use crate::plan::queue::PlanQueue;
use crate::plan::recorder::PathRecorder;
use crate::schedule::{AvoidTick, DriveTick, FollowTick, Ticks};
use crate::settings::PursuitSettings;
use crate::stats::{FrameClock, PursuitStats};

pub use crate::visitor::StateVisitor;

/// Shows a visitor all that a game keeps of Pursuit to wind time back, in the order in which it is to be put back.
///
/// With [`PlanMode::Inline`](crate::PlanMode::Inline) and bare transforms a run that goes on from there is the same
/// again, tick for tick. Keep it between two ticks, beside what the game itself writes: transforms, parents, and the
/// clocks ([`Time`](bevy::time::Time), also `Time<Virtual>` and `Time<Fixed>`). Where an entity comes back under another
/// name, let each component and resource know by [`Component::map_entities`](bevy::ecs::component::Component::map_entities).
///
/// Takes what a clone takes: maps are shared, obstacles and paths are copied. Searches and bakes in tasks are not kept:
/// with [`PlanMode::Async`](crate::PlanMode::Async) agents ask once more, and a grid whose bake was under way is baked as
/// a whole. Search tables (`NavGrid::deep_bake`) do not go back, and of two grids that are alike in all the one with the
/// lower entity is taken: a game that winds back has neither.
///
/// ```
/// use bevy::ecs::component::Mutable;
/// use bevy::prelude::*;
/// use bevy_pursuit::rollback::{StateVisitor, visit_state};
///
/// /// Counts them. Another one registers each with a crate for rollback.
/// #[derive(Default)]
/// struct Count(usize);
///
/// impl StateVisitor for Count {
///     fn component<C: Component<Mutability = Mutable> + Clone>(&mut self) {
///         self.0 += 1;
///     }
///     fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) {
///         self.0 += 1;
///     }
///     fn derived<R: Resource<Mutability = Mutable> + Default>(&mut self) {}
/// }
///
/// let mut count = Count::default();
/// visit_state(&mut count);
/// assert!(count.0 > 20);
/// ```
pub fn visit_state(visitor: &mut impl StateVisitor) {
    // What games write. To insert one of them sets a flag in components further down: so these come first.
    visitor.component::<NavGrid>();
    visitor.component::<NavFrame>();
    visitor.component::<NavObstacle>();
    visitor.component::<NavArea>();
    visitor.component::<NavSeeThrough>();
    visitor.component::<NavAgent>();
    visitor.component::<NavDrive>();
    visitor.component::<NavTurn>();
    visitor.component::<NavPaused>();
    visitor.component::<NavAvoidance>();
    visitor.component::<NavPriority>();
    visitor.component::<NavAvoided>();
    visitor.component::<OnGrid>();
    visitor.component::<PathRequest>();
    visitor.component::<Chase>();
    visitor.component::<Flee>();
    visitor.resource::<PursuitSettings>();
    visitor.resource::<NavAreas>();
    visitor.resource::<AgentClasses>();

    visitor.component::<Place>();
    visitor.component::<Intent>();
    visitor.component::<Planning>();
    visitor.component::<PathStatus>();
    visitor.component::<NavPath>();
    visitor.component::<PathCursor>();
    visitor.component::<Following>();
    visitor.component::<FlowFollower>();
    visitor.component::<Parting>();
    visitor.component::<Locomotion>();
    visitor.component::<DesiredVelocity>();
    visitor.component::<BodyState>();
    visitor.component::<BodySize>();
    visitor.component::<BakedGrid>();
    visitor.component::<PathRecorder>();
    crate::physics::visit_state(visitor);

    visitor.resource::<Ticks>();
    visitor.resource::<FollowTick>();
    visitor.resource::<AvoidTick>();
    visitor.resource::<DriveTick>();
    visitor.resource::<LatestSerial>();
    visitor.resource::<ChaseIndex>();
    visitor.resource::<PlanQueue>();
    visitor.resource::<SearchTasks>();
    visitor.resource::<SharedFields>();
    visitor.resource::<Flows>();
    visitor.resource::<ObservedObstacles>();
    crate::bake::visit_state(visitor);
    visitor.resource::<PursuitStats>();

    visitor.derived::<AskLimit>();
    visitor.derived::<Carriers>();
    visitor.derived::<FrameClock>();
    visitor.derived::<Frames>();
    visitor.derived::<Scratch>();
}
