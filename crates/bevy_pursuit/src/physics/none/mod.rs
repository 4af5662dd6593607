//! What no physics moves: bare transforms.

pub(super) mod followers;
pub(super) mod transform;
