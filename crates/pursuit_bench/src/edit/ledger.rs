//! What became of every edit: when it was baked, and what it took.

use std::collections::VecDeque;

use bevy::ecs::world::World;
use bevy_pursuit::{BakedGrid, PursuitStats};
use serde_json::{Value, json};

use super::doors::{Doors, Toggled};
use super::layers::ByLayer;
use crate::game::FIRST_SECOND;
use crate::game::stages::StageClock;
use crate::report::joined;
use crate::samples::Samples;

/// Stages of the plugin that an edit keeps busy.
const STAGES: [&str; 2] = ["observe", "bake"];
/// Quiet frames that an edit is compared with: so many before it, if they are no older than so many frames.
const QUIET: usize = 15;
const RECENT: u64 = 60;

/// Edits that are not baked yet, and figures of those that are.
#[derive(Default)]
pub(super) struct Ledger {
    pending: Vec<Pending>,
    pub(super) openings: Taken,
    pub(super) closings: Taken,
    /// What the two stages take of a frame in which nothing is edited, in microseconds.
    pub(super) quiet_us: Samples,
    /// The last of those, each with its frame.
    recent: VecDeque<(u64, f64)>,
    /// What they take of any frame.
    pub(super) frames_us: Samples,
    /// Bakes so far.
    bakes: u64,
}

/// What edits took.
#[derive(Clone, Default)]
pub(super) struct Taken {
    pub(super) latency_frames: Samples,
    pub(super) work_us: Samples,
    pub(super) main_thread_us: Samples,
    /// What of that is above what as many quiet frames just before the edit took.
    pub(super) own_us: Samples,
}

struct Pending {
    edit: Toggled,
    tick: u64,
    /// Microseconds of the main thread in the frame of the edit.
    main_thread_us: f64,
    /// The same of a quiet frame before it; `None` where there was none lately.
    quiet_us: Option<f64>,
}

impl Ledger {
    /// Whether a door has no edit under way.
    pub(super) fn is_at_rest(&self, door: usize) -> bool {
        self.pending.iter().all(|pending| pending.edit.door != door)
    }

    /// Edits that are not baked yet.
    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Takes down an edit that was made before the frame `tick`.
    pub(super) fn add(&mut self, edit: Toggled, tick: u64) {
        self.pending.push(Pending {
            edit,
            tick,
            main_thread_us: 0.0,
            quiet_us: self.quiet_before(tick),
        });
    }

    /// What the stages take of a quiet frame, on the median of those just before the frame `tick`.
    fn quiet_before(&self, tick: u64) -> Option<f64> {
        let recent = self.recent.iter().filter(|(at, _)| at + RECENT >= tick);
        let samples: Samples = recent.map(|&(_, spent)| spent).collect();
        samples.percentile(0.5)
    }

    /// Looks at the world at the end of the frame `tick`.
    pub(super) fn read(&mut self, world: &mut World, doors: &Doors, tick: u64) {
        let stages = world.get_resource::<StageClock>();
        let spent = stages.map_or(0.0, |clock| 1e3 * clock.latest_ms(&STAGES));
        let stats = world.resource::<PursuitStats>();
        let (bakes, work_us) = (stats.bakes, stats.last_bake.as_secs_f64() * 1e6);
        let mut grids = world.query::<&BakedGrid>();
        let Some(snapshot) = grids.iter(world).find_map(BakedGrid::snapshot) else {
            return;
        };
        if tick > FIRST_SECOND as u64 {
            self.frames_us.push(spent);
        }
        if self.pending.is_empty() && bakes == self.bakes {
            self.quiet_us.push(spent);
            self.recent.truncate(QUIET - 1);
            self.recent.push_front((tick, spent));
        }
        self.bakes = bakes;
        for mut edit in std::mem::take(&mut self.pending) {
            let is_wall = snapshot.clearance().center(doors.middle(edit.edit.door)) <= 0.0;
            let is_same_frame = edit.tick == tick;
            if is_same_frame {
                edit.main_thread_us = spent;
            }
            if is_wall != edit.edit.is_closing {
                self.pending.push(edit);
                continue;
            }
            let taken = if edit.edit.is_closing {
                &mut self.closings
            } else {
                &mut self.openings
            };
            let (installing, frames) = if is_same_frame {
                (0.0, 1.0)
            } else {
                (spent, 2.0)
            };
            taken.latency_frames.push((tick - edit.tick) as f64);
            taken.work_us.push(work_us);
            let spent = edit.main_thread_us + installing;
            taken.main_thread_us.push(spent);
            if let Some(quiet_us) = edit.quiet_us {
                taken.own_us.push(spent - frames * quiet_us);
            }
        }
    }
}

impl Taken {
    /// With those of another.
    pub(super) fn and(&self, other: &Self) -> Self {
        Taken {
            latency_frames: self.latency_frames.and(&other.latency_frames),
            work_us: self.work_us.and(&other.work_us),
            main_thread_us: self.main_thread_us.and(&other.main_thread_us),
            own_us: self.own_us.and(&other.own_us),
        }
    }

    /// With what the core alone takes for the same doors, see the module `layers`.
    pub(super) fn figures(&self, by_layer: &ByLayer) -> Value {
        let by_layer = json!({ "by_layer": by_layer });
        json!({
            "edits": self.latency_frames.len(),
            // Frames from the one of the edit to the one in which a snapshot shows it.
            "latency_frames_p50": self.latency_frames.percentile(0.5),
            "latency_frames_p99": self.latency_frames.percentile(0.99),
            // Microseconds of the bake that brought an edit, where it ran. One bake may bring several.
            "work_us": joined(self.work_us.spread(), by_layer),
            // What the plugin's stages `Observe` and `Bake` take of the frame of the edit and of the one in
            // which the snapshot is installed.
            "main_thread_us": self.main_thread_us.spread(),
            // The same less what as many quiet frames just before the edit took, on their median. None where
            // no frame was quiet lately.
            "own_main_thread_us": self.own_us.spread(),
        })
    }
}
