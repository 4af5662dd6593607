//! What no physics moves: bare transforms.

pub(super) mod transform;
