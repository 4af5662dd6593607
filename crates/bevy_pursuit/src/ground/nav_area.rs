//! Where the ground is of a certain kind.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::AreaId;

/// Sets the kind of ground within a shape: the entity's [`NavObstacle`](crate::NavObstacle), which then does
/// not block, or its collider, which has to be a `Sensor`.
///
/// It applies to the cells whose centers are in the shape. A shape narrower than a cell may contain no center.
/// It applies to grids that share a layer with the obstacle or collider; a collider without `CollisionGroups`
/// is on every layer. A shape that an agent carries has no effect.
///
/// Agents stay out of an area or go around it according to its cost: see [`NavAreas`](super::NavAreas). An area
/// is no wall: agents see and shoot across it, and bodies are not stopped.
///
/// Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavArea {
    /// The kind of ground.
    ///
    /// Default: [`AreaId::PLAIN`], a clearing in other areas.
    pub area: AreaId,
    /// Decides which of several overlapping areas applies: the one of the highest priority. Among equals, the
    /// one with the highest cost in [`NavAreas`](super::NavAreas), whatever it costs a class; among equal
    /// costs, the one with the highest [`AreaId`].
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

/// Lets agents see and shoot across an obstacle that stops bodies: a fence, a chasm, a low wall. Goes beside a
/// collider or a [`NavObstacle`](crate::NavObstacle).
///
/// Inserted and removed by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct TransparentObstacle;
