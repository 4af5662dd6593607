//! Where the ground is of some kind.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::AreaId;

/// Says what the ground is within a shape: within the entity's [`NavObstacle`](crate::NavObstacle), which then does not
/// block, or within its collider, which has to be a `Sensor`. It concerns the cells whose centers are in the shape, on
/// grids with the obstacle's or the collider's layers, a collider without `CollisionGroups` on all. What is narrower than
/// a cell may have no center in it. What an agent carries is no ground.
///
/// Agents stay out of an area or go around it as its cost says: see [`NavAreas`](super::NavAreas). It is no wall: looks
/// and shots pass over it, and bodies are not stopped.
///
/// Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavArea {
    /// What the ground is.
    ///
    /// Default: [`AreaId::PLAIN`], a clearing in other areas.
    pub area: AreaId,
    /// Where areas overlap, the one of the highest priority counts; of those, the dearest as
    /// [`NavAreas`](super::NavAreas) says, whatever it costs a class; of equally dear ones the one with the highest number.
    ///
    /// Default: 0.
    pub priority: i16,
}

impl NavArea {
    /// An area of priority 0.
    pub const fn new(area: AreaId) -> Self {
        Self { area, priority: 0 }
    }

    /// Sets the priority.
    pub const fn with_priority(mut self, priority: i16) -> Self {
        self.priority = priority;
        self
    }
}

/// Lets looks and shots pass over an obstacle that stops bodies: a fence, a chasm, a low wall. Beside a collider or a
/// [`NavObstacle`](crate::NavObstacle).
///
/// Inserted and removed by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavSeeThrough;
