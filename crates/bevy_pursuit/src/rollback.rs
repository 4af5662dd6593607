//! Lists the types that hold Pursuit's state, for games with rollback.

use crate::agent::{
    BodySize, BodyState, ChaseIndex, CrowdObstacle, CrowdState, Decided, DesiredVelocity,
    FollowMemory, Intent, Locomotion, NavAgent, NavAvoidance, NavDrive, NavFrame, NavPath,
    NavPaused, NavPriority, OffField, OffFields, PathCursor, PathStatus, Planning, Prices,
    TargetPositions, TickPosition, WalkState, WalkedGrid,
};
use crate::avoid::{LatestSerial, Scratch};
use crate::fields::FieldCache;
use crate::grid::{BakedGrid, Grids, NavGrid, OnGrid};
use crate::ground::{AgentClasses, NavArea, NavAreas, TransparentObstacle};
use crate::intent::cornered::Cornered;
use crate::intent::decided::DecideInEachTick;
use crate::intent::{Chase, Flee, PathRequest};
use crate::obstacle::{Carriers, FrameCounter, NavObstacle, ObservedObstacles};
use crate::physics::NavTurn;
use crate::plan::ask::AskLimit;
use crate::plan::batch::SearchTasks;
use crate::plan::queue::PlanQueue;
use crate::plan::recorder::PathRecorder;
use crate::schedule::{AvoidTick, DriveTick, FollowTick, TickCount};
use crate::settings::PursuitSettings;
use crate::stats::{FrameClock, PursuitStats};

pub use crate::visitor::StateVisitor;

/// Calls a visitor with each type that a game has to save for a rollback, in the order in which the types have to be
/// restored.
///
/// With [`PlanMode::Inline`](crate::PlanMode::Inline) and bare transforms, a run that continues from a restored
/// state repeats the first run exactly, tick for tick. Save between two ticks, together with the game's own
/// data: transforms, parents, and the clocks ([`Time`](bevy::time::Time), also `Time<Virtual>` and
/// `Time<Fixed>`). If an entity gets another id when it is restored, call
/// [`Component::map_entities`](bevy::ecs::component::Component::map_entities) on each component and resource.
///
/// Saving costs a clone of each value. The clones share maps, but obstacles and paths are copied. Searches and bakes
/// that run in tasks are not saved: with [`PlanMode::Async`](crate::PlanMode::Async), agents search again, and a grid
/// that was being baked is baked again as a whole. Two features do not roll back, so a game with rollback should use
/// neither: search tables (`NavGrid::deep_bake`), and several identical grids, of which the one with the lower entity
/// id is chosen.
///
/// ```
/// use bevy::ecs::component::Mutable;
/// use bevy::prelude::*;
/// use bevy_pursuit::rollback::{StateVisitor, visit_state};
///
/// /// Counts the types. A real visitor registers each type with a rollback crate.
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
///     fn computed<R: Resource<Mutability = Mutable> + Default>(&mut self) {}
/// }
///
/// let mut count = Count::default();
/// visit_state(&mut count);
/// assert!(count.0 > 20);
/// ```
pub fn visit_state(visitor: &mut impl StateVisitor) {
    // The state that games write is restored first, because inserting a component may set a flag in a component further
    // down.
    visit_state_of_games(visitor);

    visitor.component::<TickPosition>();
    visitor.component::<Intent>();
    visitor.component::<Cornered>();
    visitor.component::<Planning>();
    visitor.component::<PathStatus>();
    visitor.component::<NavPath>();
    visitor.component::<PathCursor>();
    visitor.component::<FollowMemory>();
    visitor.component::<WalkState>();
    visitor.component::<WalkedGrid>();
    visitor.component::<OffField>();
    visitor.component::<Decided>();
    visitor.component::<CrowdState>();
    visitor.component::<Locomotion>();
    visitor.component::<DesiredVelocity>();
    visitor.component::<BodyState>();
    visitor.component::<BodySize>();
    visitor.component::<BakedGrid>();
    visitor.component::<PathRecorder>();
    crate::physics::visit_state(visitor);

    visitor.resource::<TickCount>();
    visitor.resource::<FollowTick>();
    visitor.resource::<AvoidTick>();
    visitor.resource::<DriveTick>();
    visitor.resource::<LatestSerial>();
    visitor.resource::<ChaseIndex>();
    visitor.resource::<Prices>();
    visitor.resource::<PlanQueue>();
    visitor.resource::<SearchTasks>();
    visitor.resource::<FieldCache>();
    visitor.resource::<ObservedObstacles>();
    crate::bake::visit_state(visitor);
    visitor.resource::<PursuitStats>();

    visitor.computed::<AskLimit>();
    visitor.computed::<Grids>();
    visitor.computed::<OffFields>();
    visitor.computed::<TargetPositions>();
    visitor.computed::<Carriers>();
    visitor.computed::<FrameClock>();
    visitor.computed::<FrameCounter>();
    visitor.computed::<Scratch>();
}

/// Passes everything that games write to a visitor.
fn visit_state_of_games(visitor: &mut impl StateVisitor) {
    visitor.component::<NavGrid>();
    visitor.component::<NavFrame>();
    visitor.component::<NavObstacle>();
    visitor.component::<NavArea>();
    visitor.component::<TransparentObstacle>();
    visitor.component::<NavAgent>();
    visitor.component::<NavDrive>();
    visitor.component::<NavTurn>();
    visitor.component::<NavPaused>();
    visitor.component::<NavAvoidance>();
    visitor.component::<NavPriority>();
    visitor.component::<CrowdObstacle>();
    visitor.component::<OnGrid>();
    visitor.component::<PathRequest>();
    visitor.component::<Chase>();
    visitor.component::<Flee>();
    visitor.resource::<PursuitSettings>();
    visitor.resource::<DecideInEachTick>();
    visitor.resource::<NavAreas>();
    visitor.resource::<AgentClasses>();
}
