//! Records when each edit was baked, and how long the bake took.

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

/// The stages of the plugin that process an edit.
const EDIT_STAGES: [&str; 2] = ["observe", "bake"];
/// Maximum number of quiet frames with which an edit is compared. These are the last quiet frames before the edit.
const MAX_QUIET_FRAMES: usize = 15;
/// An edit is only compared with quiet frames from at most this many frames before it.
const MAX_QUIET_AGE_FRAMES: u64 = 60;

/// Edits that are not baked yet, and measurements of the baked edits.
#[derive(Default)]
pub(super) struct Ledger {
    pending: Vec<Pending>,
    baked: Vec<Baked>,
    /// Time of the two stages in quiet frames, in microseconds. A frame is quiet if no edit is pending and no bake
    /// ended.
    pub(super) quiet_us: Samples,
    /// The latest times of quiet frames, each with the number of its frame.
    recent: VecDeque<(u64, f64)>,
    /// Time of the two stages in all frames after the first second, in microseconds.
    pub(super) frames_us: Samples,
    /// Number of bakes so far.
    bakes: u64,
}

/// An edit that a snapshot shows.
struct Baked {
    is_closing: bool,
    latency_frames: f64,
    work_us: f64,
    main_thread_us: f64,
    /// `main_thread_us` minus the median of the quiet frames just before the edit. `None` if none of the recent frames
    /// was quiet.
    own_us: Option<f64>,
}

struct Pending {
    edit: Toggled,
    tick: u64,
    /// Time of the two stages in the frame of the edit, in microseconds.
    main_thread_us: f64,
    /// Median time of the two stages in the quiet frames just before the edit, in microseconds. `None` if none of the
    /// recent frames was quiet.
    quiet_us: Option<f64>,
}

impl Ledger {
    /// Whether a door has no pending edit.
    pub(super) fn is_at_rest(&self, door: usize) -> bool {
        self.pending.iter().all(|pending| pending.edit.door != door)
    }

    /// Number of edits that are not baked yet.
    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Records an edit that was made just before the frame `tick`.
    pub(super) fn add(&mut self, edit: Toggled, tick: u64) {
        self.pending.push(Pending {
            edit,
            tick,
            main_thread_us: 0.0,
            quiet_us: self.quiet_before(tick),
        });
    }

    /// Median time of the two stages in the quiet frames just before the frame `tick`, in microseconds. `None` if none
    /// of the recent frames was quiet.
    fn quiet_before(&self, tick: u64) -> Option<f64> {
        let is_recent = |(at, _): &&(u64, f64)| at + MAX_QUIET_AGE_FRAMES >= tick;
        let recent = self.recent.iter().filter(is_recent);
        let samples: Samples = recent.map(|&(_, spent)| spent).collect();
        samples.percentile(0.5)
    }

    /// Measures the world at the end of the frame `tick`.
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

    /// Figures of all baked edits. With `is_closing`, the figures cover only the edits that closed doors (`true`) or
    /// opened them (`false`). `by_layer` has the times of the core alone for the same doors: see the module `layers`.
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
            // Number of frames from the frame of the edit to the frame in which a snapshot shows the edit.
            "latency_frames_p50": latency.percentile(0.5),
            "latency_frames_p99": latency.percentile(0.99),
            // Duration of the bake that contained the edit, in microseconds. A bake can contain several edits.
            "work_us": joined(work, json!({ "by_layer": by_layer })),
            // Time of the plugin's stages `Observe` and `Bake` in the frame of the edit, plus their time in the frame
            // in which the snapshot is installed.
            "main_thread_us": of(|edit| Some(edit.main_thread_us)).spread(),
            // `main_thread_us` minus the median of the quiet frames just before the edit. `null` if none of the recent
            // frames was quiet.
            "own_main_thread_us": of(|edit| edit.own_us).spread(),
        })
    }
}
