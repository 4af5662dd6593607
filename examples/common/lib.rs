//! What the examples share: levels from text, walls with colliders, a camera, keys and a brush.

pub mod camera;
pub mod keys;
pub mod level;
pub mod paint;
pub mod walls;
