//! Finds the entities that need a search now: compares what an entity wants with what its path was planned for.

use std::mem;
use std::sync::Arc;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::query::QueryData;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::judge::{Case, Due};
use super::queue::{Pending, PlanQueue};
use super::reason::PlanReason;
use super::recheck::is_crossed_beyond;
use super::recorder::PathRecorder;
use crate::agent::{
    ByMarker, FailReason, GridPrices, Intent, Locomotion, NavBody, NavBodyKey, NavPath, OffFields,
    PathStatus, Planning, Prices, Purpose, TickPosition, Walk, WalkState, WalkerParts, Wants,
};
use crate::events::{PathFailed, TargetLost, trigger_if_alive};
use crate::grid::{BakedGrid, BodyLayers, Grids, NavSnapshot, why_none};
use crate::schedule::TickCount;
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// Number of ticks between two checks of an entity for a better path. Not all entities check in the same tick.
const LOOK_INTERVAL_TICKS: u32 = 8;

/// The components of an entity that planning reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct PlanningData {
    entity: Entity,
    intent: &'static Intent,
    position: &'static TickPosition,
    planning: &'static mut Planning,
    status: &'static mut PathStatus,
    path: &'static mut NavPath,
    walker: Option<WalkerParts<'static>>,
    recorder: Option<&'static mut PathRecorder>,
    walk_state: Option<&'static WalkState>,
}

/// Requests a search for each entity that needs one. Drops the paths of entities that want no path.
pub(crate) fn enqueue_searches(
    time: Res<Time>,
    (grids, prices): (Res<Grids>, Res<Prices>),
    (ticks, off_fields): (Res<TickCount>, Res<OffFields>),
    settings: Res<PursuitSettings>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut entities: ByMarker<PlanningData>,
) {
    let mut pass = EnqueuePass {
        grids: &grids,
        prices: &prices,
        why_none: why_none(grids.iter().map(|grid| grid.baked)),
        now: time.elapsed_secs_f64(),
        since: Instant::now(),
        tick: ticks.0 as u32,
        layers: LastLayers::default(),
        is_inline: settings.plan_mode == PlanMode::Inline,
    };
    let (mut new, mut ended) = (Vec::new(), Vec::new());
    let listed = off_fields.entities.as_deref();
    let listed = listed.filter(|_| off_fields.tick == ticks.0);
    entities.for_listed(listed, |mut one| {
        if one.walk_state.is_some_and(|walk| walk.field().is_some()) {
            return;
        }
        one.drop_copies();
        one.follow_clock(pass.now);
        let want = one.intent.order.want;
        if !want.is_path() {
            let serial = one.planning.serial;
            if one.settle(want) {
                ended.push(((serial, one.position.sort_key()), one.entity));
            }
        } else if one.planning.serial == 0 {
            new.push((one.position.sort_key(), one.entity));
        } else {
            pass.judge(&mut one, &mut queue);
        }
    });
    // New entities get serials in the order of their positions. Only entities at one position get them in the order of
    // the world's storage.
    new.sort_by_key(|(place, _)| *place);
    for (_, entity) in new {
        if let Some(mut one) = entities.get_mut(entity) {
            let serial = queue.next_serial();
            one.planning.bypass_change_detection().serial = serial;
            one.path.bypass_change_detection().planned_for = serial;
            pass.judge(&mut one, &mut queue);
        }
    }
    ended.sort_by_key(|(order, _)| *order);
    for (_, entity) in ended {
        if let Some(one) = entities.get_mut(entity) {
            one.report_end(&mut commands, &mut stats, pass.since);
        }
    }
}

/// The inputs of planning in one tick that are the same for all entities.
struct EnqueuePass<'a> {
    grids: &'a Grids,
    prices: &'a Prices,
    /// The reason why no grid contains a position outside of all grids.
    why_none: FailReason,
    /// In seconds of game time.
    now: f64,
    /// Real time of this tick. The latency of searches is measured from here.
    since: Instant,
    tick: u32,
    layers: LastLayers,
    is_inline: bool,
}

impl EnqueuePass<'_> {
    /// Requests a search for the entity if one is due.
    fn judge(&mut self, one: &mut PlanningDataItem, queue: &mut PlanQueue) {
        let by_id = |grid| self.grids.get(Some(grid)).map(|grid| grid.baked);
        let grid = one.intent.order.grid.and_then(by_id);
        let turn = self.tick.wrapping_add(one.planning.serial);
        let charged = self.is_inline.then_some(&queue.charged_bodies);
        let is_turn = turn.is_multiple_of(LOOK_INTERVAL_TICKS);
        let place = BakedGrid::plane_of(grid).to_grid(one.position.0);
        if one.planning.is_pending {
            one.note_order(place);
            return;
        }
        let is_crossed = one.path.has_many_legs()
            && is_crossed_beyond(&one.path, one.walk().next, one.position.0, by_id);
        if !is_crossed {
            one.hold_beyond(by_id);
        }
        let looks = (self.now, is_turn, place, is_crossed);
        let prices = self.prices.of(one.intent.order.grid);
        let grid_state = (grid, prices, self.why_none);
        let case = one.case(grid_state, (&mut self.layers, charged), looks);
        let abreast = case.find_abreast();
        let (due, holds) = Case { abreast, ..case }.judge();
        one.path.bypass_change_detection().abreast = abreast;
        let path_grid = one.path.order.grid;
        if let Some(snapshot) = grid.and_then(BakedGrid::snapshot).filter(|_| holds) {
            // The path itself stays the same, so change detection need not notice.
            let path = one.path.bypass_change_detection();
            path.hold(path_grid, snapshot.generation());
        }
        let purpose = match due {
            Due::Now(purpose, _) => Some(purpose),
            Due::After(_, PlanReason::WayChanged) => None,
            // An agent at rest compares its path with the prices when it sets out again.
            _ if matches!(one.walk().how, Locomotion::Arrived | Locomotion::Settled) => None,
            _ => {
                one.planning.bypass_change_detection().prices = prices.revision;
                None
            }
        };
        one.note_motion(purpose);
        if let Some(purpose) = purpose {
            one.enqueue((purpose, place), self, queue);
        }
    }
}

/// The layers of the body that was judged last. One entry is enough, because a crowd has few different bodies.
#[derive(Default)]
pub(crate) struct LastLayers {
    key: Option<(Option<Entity>, u64, NavBodyKey)>,
    layers: Option<Arc<BodyLayers>>,
}

/// See [`PlanQueue::charged_bodies`].
type ChargedBodies = EntityHashMap<Vec<NavBodyKey>>;

impl LastLayers {
    /// The layers of a body, if they exist. With `charged`, layers count as existing if `charged` contains the body, so
    /// that the answer does not depend on earlier queries of the map.
    fn get(
        &mut self,
        (grid, snapshot): (Option<Entity>, &NavSnapshot),
        body: NavBody,
        charged: Option<&ChargedBodies>,
    ) -> Option<&BodyLayers> {
        let key = (grid, snapshot.generation(), body.key());
        if self.key != Some(key) {
            self.key = Some(key);
            let of_grid = charged.zip(grid);
            let is_charged = |charged: &Vec<NavBodyKey>| charged.contains(&body.key());
            self.layers = match of_grid.map(|(charged, grid)| charged.get(&grid)) {
                Some(charged) => (charged.is_some_and(is_charged)).then(|| snapshot.layers(body)),
                None => snapshot.layers_if_ready(body),
            };
        }
        self.layers.as_deref()
    }
}

impl PlanningDataItem<'_, '_> {
    /// Notes that legs on other grids than the path's own are valid for the newest bakes. `grid` looks up a grid.
    fn hold_beyond<'g>(&mut self, grid: impl Fn(Entity) -> Option<&'g BakedGrid>) {
        let path = self.path.bypass_change_detection();
        let own = path.order.grid;
        for leg in path.legs.iter_mut().filter(|leg| Some(leg.grid) != own) {
            let snapshot = grid(leg.grid).and_then(BakedGrid::snapshot);
            leg.generation = snapshot.map_or(leg.generation, |snapshot| snapshot.generation());
        }
    }

    fn walk(&self) -> Walk {
        self.walker.into()
    }

    /// Drops the status and the path if they are copies from another entity.
    fn drop_copies(&mut self) {
        if self.path.is_of(&self.planning) {
            return;
        }
        let planning = self.planning.bypass_change_detection();
        planning.is_pending = false;
        // No order has this revision, so a search is due.
        planning.revision = 0;
        self.status.set_if_neq(PathStatus::Idle);
        self.drop_path();
        self.path.bypass_change_detection().planned_for = self.planning.serial;
        if let Some(recorder) = &mut self.recorder {
            recorder.begin_anew();
        }
    }

    /// If the clock was set back, moves the time of the latest search to `now`, in seconds of game time. Otherwise the
    /// agent would wait until the clock shows the old time again.
    fn follow_clock(&mut self, now: f64) {
        if self.planning.asked_at > now {
            self.planning.bypass_change_detection().asked_at = now;
        }
    }

    /// Whether a recorder still waits for its first search.
    fn waits_for_record(&self) -> bool {
        let recorder = self.recorder.as_ref();
        recorder.is_some_and(|recorder| recorder.waits())
    }

    fn drop_path(&mut self) {
        if !self.path.is_empty() || self.path.order.grid.is_some() {
            *self.path = NavPath {
                planned_for: self.path.planned_for,
                revision: self.path.revision.wrapping_add(1),
                ..NavPath::default()
            };
        }
    }

    /// Drops the path and the search of an entity that wants no path. Returns whether an event should be triggered,
    /// because the status is new or the intent has a new revision.
    fn settle(&mut self, want: Wants) -> bool {
        let status = match want {
            Wants::Lost => PathStatus::TargetLost,
            Wants::Refused(reason) => PathStatus::Failed(reason),
            _ => PathStatus::Idle,
        };
        let planning = self.planning.bypass_change_detection();
        planning.serial = 0;
        planning.is_pending = false;
        planning.is_answered = false;
        // An agent whose target was lost, and that then had to leave forbidden ground, does not lose it a second time.
        let is_lost = want == Wants::Lost;
        let was_lost = mem::replace(&mut planning.is_lost, is_lost) && is_lost;
        let is_sent = planning.revision != self.intent.revision;
        planning.revision = self.intent.revision;
        self.drop_path();
        self.path.bypass_change_detection().planned_for = 0;
        self.status.set_if_neq(status) && !was_lost || is_sent
    }

    /// Triggers the event for an entity that has no path because its order is refused or its target is lost.
    fn report_end(&self, commands: &mut Commands, stats: &mut PursuitStats, since: Instant) {
        let entity = self.entity;
        match (self.intent.order.want, self.intent.order.target) {
            (Wants::Refused(reason), _) => {
                stats.count_failure(reason);
                let failed = PathFailed {
                    entity,
                    reason,
                    partial: false,
                    latency: since.elapsed(),
                };
                trigger_if_alive(commands, failed);
            }
            (Wants::Lost, Some(target)) => {
                trigger_if_alive(commands, TargetLost { entity, target })
            }
            _ => {}
        }
    }

    /// The inputs of the decision whether the entity needs a search.
    fn case<'c>(
        &'c self,
        (grid, prices, why_none): (Option<&'c BakedGrid>, &'c GridPrices, FailReason),
        (layers, charged): (&'c mut LastLayers, Option<&ChargedBodies>),
        (now, is_turn, position, is_crossed_beyond): (f64, bool, Vec2, bool),
    ) -> Case<'c> {
        let fell_short = self.status.reason().is_some();
        let snapshot = grid.and_then(BakedGrid::snapshot);
        let snapshot = snapshot.filter(|_| fell_short);
        Case {
            intent: self.intent,
            planning: &self.planning,
            status: *self.status,
            path: &self.path,
            position,
            is_crossed_beyond,
            walk: self.walk(),
            grid,
            prices,
            why_none,
            layers: snapshot.and_then(|snapshot| {
                let snapshot = (self.intent.order.grid, &**snapshot);
                layers.get(snapshot, self.path.order.body(), charged)
            }),
            wants_record: self.waits_for_record(),
            now,
            is_turn,
            abreast: self.path.abreast,
        }
    }

    /// Notes that the answer was handled and, unless a check is due, how the agent is moving. During a check the old
    /// motion is kept, so that planning reacts after the check to a target that went out of sight.
    fn note_motion(&mut self, purpose: Option<Purpose>) {
        let planning = self.planning.bypass_change_detection();
        planning.is_answered = false;
        if purpose == Some(Purpose::Check) {
            return;
        }
        let how = Walk::from(self.walker).how;
        // While other agents hold this agent up, `saw_target` keeps its value.
        if !matches!(how, Locomotion::Settled | Locomotion::Queued) {
            planning.saw_target = how == Locomotion::Straight;
        }
        if !matches!(how, Locomotion::Stuck | Locomotion::Waiting) {
            planning.stuck = 0;
        }
    }

    /// Updates the status of an entity that got a new order while it waits for a search.
    fn note_order(&mut self, place: Vec2) {
        if self.planning.has_new_order(self.intent) {
            self.wait_in_line(place);
        }
    }

    /// Sets the status to queued, unless the entity got a new order and already has a path that nearly serves it.
    fn wait_in_line(&mut self, place: Vec2) {
        let wanted = &self.intent.order;
        let has_answer = matches!(*self.status, PathStatus::Found | PathStatus::Partial(_));
        let is_sent_on = self.planning.has_new_order(self.intent);
        if !(has_answer && is_sent_on && self.path.leads_nearly_to(wanted, place)) {
            self.status.set_if_neq(PathStatus::Queued);
        }
    }

    fn enqueue(
        &mut self,
        (purpose, place): (Purpose, Vec2),
        pass: &EnqueuePass,
        queue: &mut PlanQueue,
    ) {
        let before = *self.status;
        if self.planning.is_sent(self.intent, before) {
            self.wait_in_line(place);
        }
        let away = place.distance_squared(self.intent.order.goal);
        let planning = self.planning.bypass_change_detection();
        planning.take_on(self.intent, before);
        planning.is_pending = true;
        planning.purpose = purpose;
        if purpose != Purpose::Check {
            let is_stuck = Walk::from(self.walker).how == Locomotion::Stuck;
            planning.stuck = planning.stuck.saturating_add(is_stuck.into());
            planning.asked_at = pass.now;
        }
        planning.enqueued_in = pass.tick;
        queue.waiting.push(Pending {
            entity: self.entity,
            ticket: planning.ticket(),
            since: pass.since,
            away,
        });
    }
}

#[cfg(test)]
mod tests {
    use bevy::MinimalPlugins;
    use bevy::app::{App, PostUpdate};
    use bevy::math::Rect;
    use bevy::transform::TransformPlugin;

    use super::*;
    use crate::agent::NavAgent;
    use crate::schedule::PursuitSystems;
    use crate::{NavGrid, PathRequest, PlanMode, PursuitPlugins, PursuitSettings};

    /// The radius of all orders, which is set between the stages that decide and plan.
    #[derive(Resource)]
    struct OrderedRadius(f32);

    #[test]
    fn an_order_with_another_radius_causes_a_search_and_is_kept_by_the_path() {
        let mut app = App::new();
        let between = |radius: Res<OrderedRadius>, mut intents: Query<&mut Intent>| {
            for mut intent in &mut intents {
                intent.order.radius = radius.0;
            }
        };
        let between = between
            .after(PursuitSystems::Decide)
            .before(PursuitSystems::Plan);
        app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..PursuitSettings::default()
            })
            .insert_resource(OrderedRadius(8.0))
            .add_systems(PostUpdate, between);
        let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(400.0));
        app.world_mut().spawn(NavGrid::covering(bounds));
        let at = bevy::transform::components::Transform::from_xyz(50.0, 50.0, 0.0);
        let request = PathRequest::to(Vec2::splat(350.0));
        let agent = app
            .world_mut()
            .spawn((NavAgent::default(), request, at))
            .id();
        let play = |app: &mut App, radius: f32| {
            app.insert_resource(OrderedRadius(radius));
            (0..8).for_each(|_| app.update());
            let path = app.world().get::<NavPath>(agent).expect("an agent has one");
            assert!(!path.is_empty(), "radius {radius}");
            (
                path.order.radius,
                app.world().resource::<PursuitStats>().searches,
            )
        };
        assert_eq!(play(&mut app, 8.0), (8.0, 1));
        assert_eq!(
            play(&mut app, 9.0),
            (9.0, 2),
            "another order needs another path"
        );
        assert_eq!(play(&mut app, 9.0), (9.0, 2), "an equal order needs none");
    }
}
