//! Kinds of ground, where they are, and what they cost each class of agents.

mod areas;
mod classes;
mod nav_area;
mod rules;

use bevy::app::App;

pub use areas::{AreaId, AreaInfo, NavAreas};
pub use classes::{AgentClass, AgentClasses, ClassId, TooManyClasses};
pub use nav_area::{NavArea, TransparentObstacle};
pub(crate) use rules::{GroundRules, Rules, follow_rules};

/// Registers the types with which a game describes the ground.
pub(crate) fn register_ground(app: &mut App) {
    app.register_type::<NavArea>()
        .register_type::<TransparentObstacle>()
        .register_type::<NavAreas>()
        .register_type::<AgentClasses>()
        .init_resource::<NavAreas>()
        .init_resource::<AgentClasses>()
        .init_resource::<GroundRules>();
}
