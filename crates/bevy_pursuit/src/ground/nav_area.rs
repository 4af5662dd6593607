//! Components that mark areas of ground, and obstacles that agents see across.

use bevy::prelude::*;

use super::AreaId;

/// Sets the kind of ground within a shape: the entity's [`NavObstacle`](crate::NavObstacle), which then does
/// not block, or its collider, which has to be a `Sensor`.
///
/// The area covers the cells whose centers are in the shape. A shape narrower than a cell might not contain any center.
/// The area applies to grids that share a layer with the obstacle or collider; a collider without `CollisionGroups` is
/// on every layer. A shape that an agent carries has no effect.
///
/// Agents stay out of an area or go around it according to its cost: see [`NavAreas`](super::NavAreas). An area is not
/// a wall: agents see and shoot across it, and bodies are not stopped.
///
/// Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavArea {
    /// The kind of ground.
    ///
    /// Default: [`AreaId::PLAIN`], which makes a clearing in other areas.
    pub area: AreaId,
    /// Where areas overlap, the one with the highest priority applies. If priorities are equal, the one with the
    /// highest cost in [`NavAreas`](super::NavAreas) applies, even if it costs some class less. If costs are also
    /// equal, the one with the highest [`AreaId`] applies.
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
