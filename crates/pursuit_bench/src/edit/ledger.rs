//! Records when each edit was baked, and how long that took.

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
const EDIT_STAGES: [&str; 2] = ["observe", "bake"];
/// Maximum number of quiet frames before an edit that the edit is compared with.
const MAX_QUIET_FRAMES: usize = 15;
/// Maximum age of these quiet frames, in frames.
const MAX_QUIET_AGE_FRAMES: u64 = 60;

/// Edits that are not baked yet, and figures of those that are.
#[derive(Default)]
pub(super) struct Ledger {
    pending: Vec<Pending>,
    baked: Vec<Baked>,
    /// Microseconds that the two stages take in a frame in which nothing is edited.
    pub(super) quiet_us: Samples,
    /// The last of these figures, each with its frame.
    recent: VecDeque<(u64, f64)>,
    /// Microseconds that the two stages take in any frame.
    pub(super) frames_us: Samples,
    /// Bakes so far.
    bakes: u64,
}

/// An edit that a snapshot shows.
struct Baked {
    is_closing: bool,
    latency_frames: f64,
    work_us: f64,
    main_thread_us: f64,
    /// The difference to the median of quiet frames just before the edit; `None` if no frame was quiet lately.
    own_us: Option<f64>,
}

struct Pending {
    edit: Toggled,
    tick: u64,
    /// Microseconds of the main thread in the frame of the edit.
    main_thread_us: f64,
    /// Median microseconds of the quiet frames before it; `None` if no frame was quiet lately.
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

    /// Median microseconds that the stages take in the quiet frames just before the frame `tick`.
    fn quiet_before(&self, tick: u64) -> Option<f64> {
        let recent = self
            .recent
            .iter()
            .filter(|(at, _)| at + MAX_QUIET_AGE_FRAMES >= tick);
        let samples: Samples = recent.map(|&(_, spent)| spent).collect();
        samples.percentile(0.5)
    }

    /// Looks at the world at the end of the frame `tick`.
    pub(super) fn read(&mut self, world: &mut World, doors: &Doors, tick: u64) {
        let stages = world.get_resource::<StageClock>();
        let spent = stages.map_or(0.0, |clock| 1e3 * clock.latest_ms(&EDIT_STAGES));
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
            self.recent.truncate(MAX_QUIET_FRAMES - 1);
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
            let (installing, frames) = if is_same_frame {
                (0.0, 1.0)
            } else {
                (spent, 2.0)
            };
            let main_thread_us = edit.main_thread_us + installing;
            self.baked.push(Baked {
                is_closing: is_wall,
                latency_frames: (tick - edit.tick) as f64,
                work_us,
                main_thread_us,
                own_us: edit.quiet_us.map(|quiet| main_thread_us - frames * quiet),
            });
        }
    }

    /// Figures of all edits that were baked, or of those that closed doors or opened them. `by_layer` is the time that the
    /// core alone takes for the same doors, see the module `layers`.
    pub(super) fn figures(&self, is_closing: Option<bool>, by_layer: &ByLayer) -> Value {
        let is_one = |edit: &&Baked| is_closing.is_none_or(|it| it == edit.is_closing);
        let of = |figure: fn(&Baked) -> Option<f64>| -> Samples {
            let edits = self.baked.iter().filter(is_one);
            edits.filter_map(figure).collect()
        };
        let latency = of(|edit| Some(edit.latency_frames));
        let work = of(|edit| Some(edit.work_us)).spread();
        json!({
            "edits": latency.len(),
            // Frames from the frame of the edit to the one in which a snapshot shows it.
            "latency_frames_p50": latency.percentile(0.5),
            "latency_frames_p99": latency.percentile(0.99),
            // Microseconds of the bake that brought an edit, where it ran. One bake may bring several.
            "work_us": joined(work, json!({ "by_layer": by_layer })),
            // The time that the plugin's stages `Observe` and `Bake` take of the frame of the edit and of the frame in which
            // the snapshot is installed.
            "main_thread_us": of(|edit| Some(edit.main_thread_us)).spread(),
            // The difference to the median of quiet frames just before the edit. `null` if no frame was quiet lately.
            "own_main_thread_us": of(|edit| edit.own_us).spread(),
        })
    }
}
