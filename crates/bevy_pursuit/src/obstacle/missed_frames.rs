//! Detects whether a system missed a frame.

use std::sync::atomic::{AtomicU32, Ordering};

use bevy::ecs::resource::Resource;
use bevy::ecs::system::{Local, Res, ResMut, SystemParam};

/// Counts frames, including frames in which the game does not run the stages.
#[derive(Resource)]
pub(crate) struct FrameCounter {
    /// Unique number of this counter. A counter that is created again, for example by a rollback, gets a new number.
    count: u32,
    frame: u64,
}

impl Default for FrameCounter {
    fn default() -> Self {
        static COUNTERS: AtomicU32 = AtomicU32::new(0);
        Self {
            count: COUNTERS.fetch_add(1, Ordering::Relaxed),
            frame: 0,
        }
    }
}

/// Counts a frame. This system belongs to no stage, so no run condition of the game skips it.
pub(crate) fn count_frames(mut frames: ResMut<FrameCounter>) {
    frames.frame += 1;
}

/// Remembers the last frame in which its system ran.
///
/// Bevy keeps removals and similar changes for two frames. A system that missed a frame must look at everything
/// instead.
#[derive(SystemParam)]
pub(crate) struct MissedFrames<'w, 's> {
    frames: Res<'w, FrameCounter>,
    last: Local<'s, Option<(u32, u64)>>,
}

impl MissedFrames<'_, '_> {
    /// Whether the system did not run in the previous frame, or never ran. Call this once per run.
    pub(crate) fn any(&mut self) -> bool {
        let now = (self.frames.count, self.frames.frame);
        let last = self.last.replace(now);
        last.is_none_or(|last| last.0 != now.0 || now.1.wrapping_sub(last.1) > 1)
    }
}
