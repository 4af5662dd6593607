//! Who needs a search now: compares what an entity wants with what its path was planned for.

use std::sync::Arc;

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::platform::time::Instant;
use bevy::time::Time;

use super::queue::PlanQueue;
use super::recheck::{Held, Verdict};
use super::recorder::PathRecorder;
use crate::agent::{
    Drift, FailReason, Intent, Locomotion, NavAgent, NavPath, PathCursor, PathStatus, Place,
    Planning, Purpose, Want, retry_delay,
};
use crate::events::{PathFailed, tell};
use crate::grid::{BakedGrid, BodyLayers, NavSnapshot};
use crate::stats::PursuitStats;

/// Seconds until an agent that lost its path, or whose goal moved on from its end, asks again.
pub(super) const LOST: f32 = 0.1;
/// Seconds until an agent that is stuck asks again; twice as many each time.
pub(super) const STUCK: f32 = 0.5;
/// Ticks within which every path that may lead to a better place is looked at.
const TURNS: u32 = 8;

/// An entity as planning sees it.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Asker {
    entity: Entity,
    intent: &'static Intent,
    place: &'static Place,
    planning: &'static mut Planning,
    status: &'static mut PathStatus,
    path: &'static mut NavPath,
    walker: Option<(&'static NavAgent, &'static Locomotion, &'static PathCursor)>,
    recorder: Option<&'static mut PathRecorder>,
}

/// Puts in line who needs a search, and stops who wants none.
pub(crate) fn order_paths(
    time: Res<Time>,
    grids: Query<&BakedGrid>,
    mut tick: Local<u32>,
    mut layers: Local<LastLayers>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut askers: Query<Asker>,
) {
    *tick = tick.wrapping_add(1);
    let now = time.elapsed_secs_f64();
    let since = Instant::now();
    for mut asker in &mut askers {
        asker.drop_copies();
        asker.follow_clock(now);
        let want = asker.intent.errand.want;
        if !want.is_path() {
            if asker.settle(want)
                && let Want::Refused(reason) = want
            {
                stats.count_failure(reason);
                let failed = PathFailed {
                    entity: asker.entity,
                    reason,
                    partial: false,
                    latency: since.elapsed(),
                };
                tell(&mut commands, failed);
            }
            continue;
        }
        if asker.planning.is_pending {
            if asker.planning.number != asker.intent.errand.number {
                asker.status.set_if_neq(PathStatus::Queued);
            }
            continue;
        }
        let grid = asker
            .intent
            .errand
            .grid
            .and_then(|grid| grids.get(grid).ok());
        let snapshot = grid.and_then(BakedGrid::snapshot).map(AsRef::as_ref);
        let turn = tick.wrapping_add(asker.intent.phase.into());
        let turn = turn.is_multiple_of(TURNS);
        let verdict = match snapshot {
            _ if asker.wants_another() || asker.waits_for_record() => Verdict::Ask,
            Some(snapshot) => asker.judge(snapshot, &mut layers, now, turn),
            None => asker.judge_without_grid(grid),
        };
        if verdict != Verdict::Holds {
            asker.order(verdict, now, since, &mut queue);
        }
    }
    // A bake that begins in this frame may want to write to it.
    *layers = LastLayers::default();
}

/// What the radius looked at last can walk on: crowds are of few sizes.
#[derive(Default)]
pub(crate) struct LastLayers {
    key: Option<(Option<Entity>, u64, u32)>,
    layers: Option<Arc<BodyLayers>>,
}

impl LastLayers {
    fn get(&mut self, snapshot: &NavSnapshot, path: &NavPath) -> Option<&BodyLayers> {
        let key = (
            path.errand.grid,
            snapshot.generation(),
            path.errand.radius.to_bits(),
        );
        if self.key != Some(key) {
            self.key = Some(key);
            self.layers = snapshot.layers_if_ready(path.errand.radius);
        }
        self.layers.as_deref()
    }
}

impl AskerItem<'_, '_> {
    /// Drops status and path if they came with the entity as copies of somebody else's.
    fn drop_copies(&mut self) {
        // A path that was removed and came back is nobody's either.
        if self.planning.is_owner && !self.path.is_added() {
            return;
        }
        self.planning.is_owner = true;
        self.planning.is_pending = false;
        // Not the errand of an intent that was never ordered for.
        self.planning.number = self.intent.errand.number.wrapping_sub(1);
        self.status.set_if_neq(PathStatus::Idle);
        self.drop_path();
        if let Some(recorder) = &mut self.recorder {
            recorder.begin_anew();
        }
    }

    /// A clock that was set back counts from now on: else the agent would wait until it is as late as before.
    fn follow_clock(&mut self, now: f64) {
        if self.planning.asked_at > now {
            self.planning.bypass_change_detection().asked_at = now;
        }
    }

    /// Whether a search is to be recorded, and none was yet.
    fn waits_for_record(&self) -> bool {
        self.recorder
            .as_ref()
            .is_some_and(|recorder| recorder.waits())
    }

    fn drop_path(&mut self) {
        if !self.path.is_empty() || self.path.errand.grid.is_some() {
            *self.path = NavPath {
                serial: self.path.serial.wrapping_add(1),
                ..NavPath::default()
            };
        }
    }

    /// Drops path and order of who wants no path. Whether the status is a new one, or answers a new
    /// sending.
    fn settle(&mut self, want: Want) -> bool {
        let status = match want {
            Want::Lost => PathStatus::TargetLost,
            Want::Refused(reason) => PathStatus::Failed(reason),
            _ => PathStatus::Idle,
        };
        let planning = self.planning.bypass_change_detection();
        planning.is_pending = false;
        planning.number = self.intent.errand.number.wrapping_sub(1);
        let is_sent = planning.sending != self.intent.sending;
        planning.sending = self.intent.sending;
        self.drop_path();
        self.status.set_if_neq(status) || is_sent
    }

    /// Whether the entity was sent once more for what could not be done before. Who has a path already
    /// need not look for it again.
    fn is_sent_again(&self) -> bool {
        self.planning.sending != self.intent.sending && *self.status != PathStatus::Found
    }

    /// Whether the entity wants something else than what its path was planned for.
    fn wants_another(&self) -> bool {
        let (intent, path) = (self.intent, &*self.path);
        self.planning.number != intent.errand.number
            || self.is_sent_again()
            || !path.errand.is_served(&intent.errand, path.end)
    }

    /// Whether the entity needs a search where its grid is not baked: one that is gone, or cannot be
    /// baked, leaves no path.
    fn judge_without_grid(&self, grid: Option<&BakedGrid>) -> Verdict {
        let is_gone = grid.is_none_or(|grid| grid.error().is_some());
        let is_told = *self.status == PathStatus::Failed(FailReason::NoGrid);
        if self.intent.errand.grid.is_some() && is_gone && !is_told {
            Verdict::Ask
        } else {
            Verdict::Holds
        }
    }

    /// Whether the entity needs a search.
    fn judge(
        &mut self,
        snapshot: &NavSnapshot,
        layers: &mut LastLayers,
        now: f64,
        turn: bool,
    ) -> Verdict {
        let (intent, path) = (self.intent, &*self.path);
        let locomotion = self.walker.map_or(Locomotion::Moving, |(_, how, _)| *how);
        let fell_short = self.status.reason().is_some();
        let held = Held {
            path,
            status: *self.status,
            snapshot,
            layers: fell_short.then(|| layers.get(snapshot, path)).flatten(),
            position: self.place.0,
            goal: intent.errand.goal,
            next: self.walker.map_or(1, |(.., cursor)| cursor.next()),
        };
        if fell_short && held.can_succeed() {
            return Verdict::Ask;
        }
        // Who stands and waits can be looked at in turns.
        let is_behind = path.generation != snapshot.generation();
        if is_behind && (turn || locomotion != Locomotion::Waiting) {
            match held.after_bake() {
                Verdict::Ask => return Verdict::Ask,
                Verdict::Check if turn => return Verdict::Check,
                // Looked at in a later tick.
                Verdict::Check | Verdict::WayBack => {}
                // The path stays what it was: no change that anyone need look at.
                Verdict::Holds => {
                    self.path.bypass_change_detection().generation = snapshot.generation();
                }
            }
        }
        if self.is_due(snapshot, locomotion, now) {
            Verdict::Ask
        } else if locomotion == Locomotion::Moving && self.is_past_detour(snapshot, now) {
            Verdict::WayBack
        } else {
            Verdict::Holds
        }
    }

    /// Whether time has come for another search, by how the agent is moving and by its policy.
    fn is_due(&mut self, snapshot: &NavSnapshot, locomotion: Locomotion, now: f64) -> bool {
        let is_answered = self.planning.is_changed();
        let planning = self.planning.bypass_change_detection();
        let lost_sight = planning.saw_target && locomotion != Locomotion::Straight;
        planning.saw_target = locomotion == Locomotion::Straight;
        if locomotion != Locomotion::Stuck && locomotion != Locomotion::Waiting {
            planning.stuck = 0;
        }
        if is_answered {
            // Nobody walked it yet: how the agent is moving tells of the path before.
            return false;
        }
        let elapsed = (now - planning.asked_at) as f32;
        let (intent, path, status) = (self.intent, &*self.path, *self.status);
        let drift = Drift {
            elapsed,
            is_baked_anew: planning.asked_on != snapshot.generation() as u32,
            ..Drift::new(
                intent.errand.goal,
                path.errand.goal,
                self.place.0,
                intent.errand.radius,
            )
        };
        let is_found = status == PathStatus::Found;
        match locomotion {
            Locomotion::Arrived | Locomotion::Straight => return false,
            Locomotion::Stuck => {
                return elapsed >= STUCK * f32::from(1_u8 << planning.stuck.min(4));
            }
            _ if lost_sight => return true,
            _ if elapsed < retry_delay(planning.failures) => return false,
            Locomotion::Waiting if elapsed >= LOST => {
                let is_at_end = self.is_at_end();
                let goes_on = status.reason() == Some(FailReason::LimitReached);
                // Who fled as far as it gets stays, until the threat moves.
                let is_cornered = intent.errand.want == Want::Away && path.length == 0.0;
                if is_found && !is_cornered || goes_on || !is_at_end {
                    return true;
                }
            }
            _ => {}
        }
        // Asked again for the same, a request that fell short would fall short again.
        let can_differ = is_found || drift.moved > 0.0;
        can_differ && drift.is_due(intent.interval)
    }

    /// Whether the entity got away from the place that its path leads around, and may look whether the
    /// usual path leads elsewhere by now. The goal of that is the same.
    fn is_past_detour(&self, snapshot: &NavSnapshot, now: f64) -> bool {
        let (intent, path) = (self.intent, &*self.path);
        let away = 2.0 * intent.errand.radius + snapshot.layout().cell_size();
        path.avoids.is_some_and(|place| {
            self.place.0.distance(place) > away
                && path.errand.goal.distance(intent.errand.goal) <= intent.errand.radius
                && now - self.planning.asked_at >= f64::from(STUCK)
        })
    }

    /// Whether the entity stands where its path ends, not carried off since.
    fn is_at_end(&self) -> bool {
        let path = &*self.path;
        let has_walked = |cursor: &PathCursor| cursor.next() >= path.waypoints.len();
        let has_walked = self.walker.is_none_or(|(.., cursor)| has_walked(cursor));
        has_walked && (path.is_empty() || path.end.distance(self.place.0) <= path.errand.radius)
    }

    /// Puts the entity in line.
    fn order(&mut self, verdict: Verdict, now: f64, since: Instant, queue: &mut PlanQueue) {
        let is_new = self.planning.number != self.intent.errand.number || self.is_sent_again();
        if is_new {
            self.status.set_if_neq(PathStatus::Queued);
        }
        let locomotion = self.walker.map(|(_, how, _)| *how);
        let is_stuck = locomotion == Some(Locomotion::Stuck);
        let away = self.place.0.distance_squared(self.intent.errand.goal);
        let planning = self.planning.bypass_change_detection();
        if is_new {
            planning.is_told = false;
            planning.failures = 0;
        }
        planning.number = self.intent.errand.number;
        planning.sending = self.intent.sending;
        planning.is_pending = true;
        planning.purpose = match verdict {
            Verdict::Check => Purpose::Check(()),
            Verdict::WayBack => Purpose::WayBack(()),
            Verdict::Ask if is_stuck => Purpose::Detour(()),
            Verdict::Ask | Verdict::Holds => Purpose::Path,
        };
        if verdict != Verdict::Check {
            planning.stuck = planning.stuck.saturating_add(u8::from(is_stuck));
            planning.asked_at = now;
        }
        planning.ticket = queue.push(self.entity, since, away);
    }
}

#[cfg(test)]
mod tests {
    use bevy::MinimalPlugins;
    use bevy::app::{App, PostUpdate};
    use bevy::math::{Rect, Vec2};
    use bevy::transform::TransformPlugin;

    use super::*;
    use crate::schedule::PursuitSystems;
    use crate::{NavGrid, PathRequest, PlanMode, PursuitPlugins, PursuitSettings};

    /// What the field of errands that only tests know is set to, between the stages that decide and plan.
    #[derive(Resource)]
    struct Probe(u8);

    #[test]
    fn a_field_that_is_added_to_errands_is_planned_for_and_kept_by_the_path() {
        let mut app = App::new();
        let between = |probe: Res<Probe>, mut intents: Query<&mut Intent>| {
            for mut intent in &mut intents {
                intent.errand.probe = probe.0;
            }
        };
        let between = between
            .after(PursuitSystems::Request)
            .before(PursuitSystems::Plan);
        app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..PursuitSettings::default()
            })
            .insert_resource(Probe(0))
            .add_systems(PostUpdate, between);
        let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(400.0));
        app.world_mut().spawn(NavGrid::covering(bounds));
        let at = bevy::transform::components::Transform::from_xyz(50.0, 50.0, 0.0);
        let request = PathRequest::to(Vec2::splat(350.0));
        let agent = app
            .world_mut()
            .spawn((NavAgent::default(), request, at))
            .id();
        let play = |app: &mut App, probe: u8| {
            app.insert_resource(Probe(probe));
            (0..8).for_each(|_| app.update());
            let path = app.world().get::<NavPath>(agent).expect("an agent has one");
            assert!(!path.is_empty(), "probe {probe}");
            (
                path.errand.probe,
                app.world().resource::<PursuitStats>().searches,
            )
        };
        assert_eq!(play(&mut app, 0), (0, 1));
        assert_eq!(
            play(&mut app, 7),
            (7, 2),
            "another errand needs another path"
        );
        assert_eq!(play(&mut app, 7), (7, 2), "and the same one none");
    }
}
