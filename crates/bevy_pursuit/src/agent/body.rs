//! The size and the class of a body, which decide where it fits.

use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use crate::ground::ClassId;

/// The size and the class of a body, which decide where it fits. A radius converts into a body of class 0.
///
/// Every query of [`Navigation`](crate::Navigation) about a position or a path takes a body.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct NavBody {
    /// Radius, in world units. `0.0` is a point.
    pub radius: f32,
    /// Index into [`AgentClasses`](crate::AgentClasses): see [`NavAgent::class`](crate::NavAgent::class).
    pub class: ClassId,
}

impl NavBody {
    /// A body of the same class whose radius is `factor` times as large.
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self {
            radius: factor * self.radius,
            ..self
        }
    }

    /// Key for tables by body: the radius as [`f32::to_bits`] gives it, and the class.
    pub(crate) fn key(self) -> NavBodyKey {
        (self.radius.to_bits(), self.class)
    }
}

/// See [`NavBody::key`].
pub(crate) type NavBodyKey = (u32, ClassId);

impl From<f32> for NavBody {
    fn from(radius: f32) -> Self {
        Self {
            radius,
            class: ClassId::default(),
        }
    }
}
