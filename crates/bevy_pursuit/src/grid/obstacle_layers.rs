//! The layers that decide which obstacles block a grid.

use std::fmt;

use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// A set of collision layers, one bit each, with the same bits as Rapier's `Group`.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub struct ObstacleLayers(pub u32);

impl ObstacleLayers {
    /// Every layer.
    pub const ALL: Self = Self(u32::MAX);

    /// No layer: nothing is an obstacle.
    pub const NONE: Self = Self(0);

    /// Whether a collider with these membership bits is on one of the layers.
    pub const fn meet(self, memberships: u32) -> bool {
        self.0 & memberships != 0
    }
}

impl Default for ObstacleLayers {
    fn default() -> Self {
        Self::ALL
    }
}

/// Names the layers as Rapier does: `GROUP_1 | GROUP_3`.
impl fmt::Display for ObstacleLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ALL => f.write_str("ALL"),
            Self::NONE => f.write_str("NONE"),
            Self(bits) => {
                let mut separator = "";
                for group in (0..32).filter(|bit| bits >> bit & 1 == 1) {
                    write!(f, "{separator}GROUP_{}", group + 1)?;
                    separator = " | ";
                }
                Ok(())
            }
        }
    }
}
