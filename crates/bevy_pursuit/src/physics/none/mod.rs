//! Moves bare transforms, which no physics engine moves.

pub(super) mod transform;
