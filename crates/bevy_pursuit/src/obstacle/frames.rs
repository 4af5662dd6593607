//! Tells a system whether it ran in the frame before.

use bevy::ecs::resource::Resource;
use bevy::ecs::system::{Local, Res, ResMut, SystemParam};

/// Number of the frame. Counts on while a game gates the stages.
#[derive(Resource, Default)]
pub(crate) struct Frames(u64);

/// Counts a frame. In no stage, so that no run condition stops it.
pub(crate) fn count_frames(mut frames: ResMut<Frames>) {
    frames.0 += 1;
}

/// Remembers when its system ran last.
///
/// News such as removals last for two frames. A system that missed a frame must look at everything
/// once instead.
#[derive(SystemParam)]
pub(crate) struct Attendance<'w, 's> {
    frames: Res<'w, Frames>,
    last: Local<'s, Option<u64>>,
}

impl Attendance<'_, '_> {
    /// Whether the system did not run in the frame before, or never. Call it once per run.
    pub(crate) fn missed_a_frame(&mut self) -> bool {
        let now = self.frames.0;
        let last = self.last.replace(now);
        last.is_none_or(|last| now.wrapping_sub(last) > 1)
    }
}
