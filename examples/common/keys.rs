//! Keys that mean the same in both.

use bevy::prelude::*;

/// Keys that pause.
pub const PAUSE: [KeyCode; 2] = [KeyCode::KeyP, KeyCode::Escape];
