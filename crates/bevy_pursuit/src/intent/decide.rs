//! Decides in every tick what each entity wants, from its present components.
//!
//! Earlier components are not remembered, so nothing has to be undone when a component is removed, cloned,
//! disabled or replaced. An intent is kept as long as nothing that it was decided from has changed: see `decided`.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

use super::chase::index_chases;
use super::cornered::Cornered;
use super::decided::{DecidedFrom, DecisionCache, Outdated};
use super::surround::{Ring, SurroundSlots, Surrounder, distance_for};
use super::targets::Targets;
use super::unplaced::UnplacedIntent;
use super::{Chase, Flee, PathRequest};
use crate::agent::{
    BodyState, ChaseIndex, Decided, DriverState, FailReason, FieldWalk, FollowMemory, GoalKind,
    Intent, NavAgent, NavDrive, NavOrder, NavPaused, OffFields, PathStatus, Present, RepathPolicy,
    TargetPositions, TickPosition, WalkSource, WalkState, Wants, read_positions,
};
use crate::fields::FieldCache;
use crate::grid::{Grids, OnGrid, choose_grid, nearest_grid};
use crate::ground::register_ground;
use crate::names::Names;
use crate::schedule::{InlineBakeSystems, MainSystems, PursuitSystems, TickCount, ensure_schedule};

/// Distance at which a fleeing agent stops, as a multiple of [`Flee::distance`].
const SAFE_DISTANCE_FACTOR: f32 = 1.25;

/// A cornered agent tries to flee again after it or its threat has moved by more than this fraction of
/// [`Flee::distance`].
const RETRY_SHARE: f32 = 0.25;

/// Decides what each entity wants. A [`PathRequest`] comes first, then a [`Flee`] while the threat is near, then a
/// [`Chase`]. A [`Flee`] that cannot get farther from the threat gives way to the [`Chase`]. An agent that wants none
/// of these leaves ground that is forbidden to it.
///
/// Without this plugin, grids are baked, but no entity wants anything, and all agents stand still.
#[derive(Clone, Copy, Debug)]
pub struct DecidePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for DecidePlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        register_ground(app);
        app.init_resource::<ChaseIndex>()
            .init_resource::<OffFields>()
            .init_resource::<TargetPositions>()
            .register_type::<Chase>()
            .register_type::<Flee>()
            .register_type::<PathRequest>()
            .register_type::<RepathPolicy>()
            .register_type::<OnGrid>()
            .add_main_systems(
                self.schedule,
                (
                    (index_chases, read_positions)
                        .in_set(PursuitSystems::Prepare)
                        .after(InlineBakeSystems::Bake),
                    decide_intents.in_set(PursuitSystems::Decide),
                ),
            );
    }
}

/// Everything that an entity's intent is computed from.
#[derive(QueryData)]
#[query_data(mutable)]
struct IntentData {
    entity: Entity,
    position: &'static TickPosition,
    intent: &'static mut Intent,
    decided: Option<&'static mut Decided>,
    agent: Option<(&'static NavAgent, &'static BodyState)>,
    /// Shows whether the agent stands on forbidden ground.
    memory: Option<&'static mut FollowMemory>,
    walk: Option<&'static mut WalkState>,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    request: Option<&'static PathRequest>,
    chase: Option<&'static Chase>,
    flee: Option<&'static Flee>,
    cornered: Option<&'static mut Cornered>,
    status: &'static PathStatus,
    on_grid: Option<&'static OnGrid>,
}

/// The queries of [`decide_intents`].
type DecideQueries<'w, 's> = (Query<'w, 's, DecidedFrom>, Query<'w, 's, IntentData>);

fn decide_intents(
    grids: Res<Grids>,
    (mut targets, index): (Targets, Res<ChaseIndex>),
    (mut cache, names): (DecisionCache, Names),
    (fields, ticks, time): (Option<Res<FieldCache>>, Res<TickCount>, Res<Time>),
    (mut off_fields, mut positions): (ResMut<OffFields>, ResMut<TargetPositions>),
    mut entities: ParamSet<DecideQueries>,
    mut slots: Local<SurroundSlots>,
) {
    targets.begin_tick(&index);
    let known = (&*grids, targets.known());
    let outdated = cache.outdated(&mut entities.p0(), known, ticks.0 as u32);
    let mut entities = entities.p1();
    slots.clear();
    if index.some_surround {
        let places = (&*grids, &*index);
        // The intent of a chaser with a place of its own is decided in each tick, so `outdated` has all these chasers.
        match &outdated {
            Outdated::All => surround_targets(places, entities.iter(), &mut targets, &mut slots),
            Outdated::These(found) => {
                let chasers = entities.iter_many(&found.outdated);
                surround_targets(places, chasers, &mut targets, &mut slots);
            }
        }
    }
    let mut decide = |mut one: IntentDataItem| {
        let before = *one.intent;
        let mut next = decide(&mut one, &mut targets, &grids, (&slots, time.delta_secs()));
        let is_one_time = one.request.is_some_and(|request| request.once);
        next.count_revisions(&before, (ticks.0, time.delta_secs()), is_one_time);
        next.is_paused = one.is_paused;
        if let Wants::Refused(reason) = next.order.want
            && before.order.want != next.order.want
        {
            let agent = one.agent.map(|(agent, _)| agent);
            warn_of_refusal(&names.of(one.entity), reason, agent);
        }
        // This also clears `is_renewed`.
        *one.intent.bypass_change_detection() = next;
        one.note_decision(cache.now(), &index);
        one.update_field_walk(fields.as_deref(), before.order.reach);
    };
    *off_fields = OffFields {
        tick: ticks.0,
        ..OffFields::default()
    };
    match outdated {
        Outdated::All => entities.iter_mut().for_each(decide),
        Outdated::These(found) => {
            off_fields.entities = found.off_fields;
            off_fields.joiners = Some(found.joiners);
            for entity in found.outdated {
                entities.get_mut(entity).into_iter().for_each(&mut decide);
            }
        }
    }
    positions.0.clear();
    positions.0.extend(targets.positions());
}

impl IntentDataItem<'_, '_> {
    /// Makes the agent leave its field if the field does not lead to where the agent is sent, or if the agent is
    /// paused. `reach` is the reach of the order in the previous tick.
    fn update_field_walk(&mut self, fields: Option<&FieldCache>, reach: f32) {
        let (walk, memory) = (self.walk.as_mut(), self.memory.as_mut());
        let Some(((walk, memory), decided)) = walk.zip(memory).zip(self.decided.as_mut()) else {
            return;
        };
        let order = &self.intent.order;
        let serves = |walk: &FieldWalk| {
            let flow = fields.and_then(|fields| fields.get(walk.flow));
            flow.is_none_or(|flow| flow.key.serves(order)) && !self.is_paused
        };
        let walk = walk.bypass_change_detection();
        let WalkSource::Field(field) = &mut walk.source else {
            return;
        };
        field.extend_reach(order.reach - reach);
        if !serves(field) {
            let memory = memory.bypass_change_detection();
            walk.leave_field((memory, decided.bypass_change_detection()), &self.intent);
        }
    }

    /// Notes a tick of a flight. Returns whether the flight gives way to the agent's chase. `flight` is `None` if the
    /// agent has no reason to flee, or no chase to which the flight could give way.
    fn note_flight(&mut self, flight: Option<&UnplacedIntent>, dt: f32) -> bool {
        let Some(cornered) = &mut self.cornered else {
            return false;
        };
        let cornered = cornered.bypass_change_detection();
        let Some((flight, (agent, _))) = flight.zip(self.agent) else {
            *cornered = Cornered::default();
            return false;
        };
        use PathStatus::{Queued, Searching};
        let waits = self.is_paused || matches!(self.status, Queued | Searching);
        let is_at_best = *self.status == PathStatus::Partial(FailReason::Cornered);
        let gain = agent.radius.min(0.5 * agent.speed);
        let lengths = (gain, RETRY_SHARE * flight.intent.order.reach);
        let dt = if waits { 0.0 } else { dt };
        cornered.note([self.position.0, flight.goal], lengths, is_at_best, dt)
    }

    /// Notes when the intent was decided, if it need not be decided again until something changes.
    fn note_decision(&mut self, now: Tick, index: &ChaseIndex) {
        let chaser = self.chase.zip(self.agent);
        let has_slot = chaser.is_some_and(|(chase, (agent, _))| index.gives_place(chase, agent));
        let order = &self.intent.order;
        let has_no_grid = order.want.is_path() && order.grid.is_none();
        // These intents depend on positions, so they are decided in every tick.
        let depends = has_slot || has_no_grid || self.flee.is_some();
        let is_kept = !depends && self.position.0.is_finite();
        let present = Present {
            request: self.request.is_some(),
            chase: self.chase.is_some(),
            drive: self.drive.is_some(),
            on_grid: self.on_grid.is_some(),
            pause: self.is_paused,
        };
        let has_field = (self.walk.as_ref()).is_some_and(|walk| walk.field().is_some());
        if let Some(decided) = &mut self.decided {
            let decided = decided.bypass_change_detection();
            decided.has_field = has_field;
            if is_kept {
                decided.note(now, present);
            } else {
                decided.forget();
            }
        }
    }
}

/// Decides the intent of an entity. The revisions of the returned intent are still 0.
fn decide(
    one: &mut IntentDataItem,
    targets: &mut Targets,
    grids: &Grids,
    (slots, dt): (&SurroundSlots, f32),
) -> Intent {
    let unplaced = unplaced_intent(one, targets, grids, dt);
    let UnplacedIntent { mut intent, goal } =
        leave_intent(one, unplaced.intent.order.want).unwrap_or(unplaced);
    let (before, order) = (&one.intent.order, &mut intent.order);
    if order.want.is_path() {
        let goal_to_cover = (!order.is_flight()).then_some(goal);
        order.grid = grid_for(one, goal_to_cover, grids);
    }
    order.goal = grids.plane_of(order.grid).to_grid(goal);
    let is_leaving = order.want == Wants::Leave;
    if is_leaving && (before.want, before.grid) == (order.want, order.grid) {
        // The goal is the position at which the agent began to leave. It must not follow the agent.
        order.goal = before.goal;
    }
    let goes_on =
        (order.want, order.target, order.grid) == (before.want, before.target, before.grid);
    if goes_on && let Some(offset) = slots.of(one.entity) {
        order.take_slot(offset, one.chase.is_some_and(|chase| chase.surround));
        intent.slot = Some(offset);
    }
    intent
}

/// Finds slots for surrounding chasers that already chased their target in the tick before.
fn surround_targets<'w, 's>(
    (grids, index): (&Grids, &ChaseIndex),
    entities: impl Iterator<Item = IntentDataReadOnlyItem<'w, 's>>,
    targets: &mut Targets,
    slots: &mut SurroundSlots,
) {
    let snapshot_of = |grid: Entity| grids.get(Some(grid))?.snapshot();
    let is_near = |it: &Surrounder| {
        let snapshot = snapshot_of(it.ring.grid).filter(|_| it.is_near());
        snapshot.is_some_and(|snapshot| it.is_beside(snapshot))
    };
    for one in entities.filter(|one| !one.is_paused) {
        let chaser = surrounder(&one, targets, (grids, index));
        if let Some(chaser) = chaser.filter(is_near) {
            slots.add(chaser);
        }
    }
    slots.find(|chaser, offset| {
        let snapshot = snapshot_of(chaser.ring.grid);
        snapshot.is_some_and(|snapshot| chaser.fits(snapshot, offset))
    });
}

/// The chaser as a [`Surrounder`]. `None` if its numbers are invalid, if it does not chase the target yet, or if it gets
/// no place of its own.
fn surrounder(
    one: &IntentDataReadOnlyItem,
    targets: &mut Targets,
    (grids, index): (&Grids, &ChaseIndex),
) -> Option<Surrounder> {
    let order = &one.intent.order;
    let (chase, (agent, _), grid) = (one.chase?, one.agent?, order.grid?);
    let is_chasing = order.want == Wants::Follow && order.target == Some(chase.target);
    if !(is_chasing && agent.is_valid() && index.gives_place(chase, agent)) {
        return None;
    }
    let plane = grids.plane_of(Some(grid));
    let unplaced = chase.intend(agent, targets.look_at(chase.target));
    let [target, position] = [unplaced.goal, one.position.0].map(|at| plane.to_grid(at));
    let reach = unplaced.intent.order.reach;
    let count = index.chasers.get(&chase.target).map_or(0, |it| it.melee);
    let distance = match chase.surround {
        true => reach,
        false => reach.max(distance_for(count, order.radius)),
    };
    Some(Surrounder {
        entity: one.entity,
        ring: Ring::new(chase.target, grid, distance),
        target,
        offset: position - target,
        body: order.body(),
        had_slot: order.goal_kind == GoalKind::Slot,
        // A circle beyond the reach needs a slot for every chaser. A chaser without a slot walks to the middle, and
        // meets chasers that walk from the middle to their slots.
        least_count: if distance > reach { count } else { 0 },
    })
}

/// The intent to leave forbidden ground, for an agent that stands there and wants nothing else. `None` for all other
/// agents, for a paused agent, and for an agent that Pursuit does not drive.
fn leave_intent(one: &IntentDataItem, want: Wants) -> Option<UnplacedIntent> {
    let (agent, body_state) = one.agent?;
    let is_idle = matches!(want, Wants::Nothing | Wants::Lost) && !one.is_paused;
    let is_driven = body_state.may_drive(NavDrive::grip_of(one.drive));
    let is_inside = one.memory.as_ref().is_some_and(|it| it.on_forbidden);
    if !(is_idle && is_driven && is_inside && agent.is_valid()) {
        return None;
    }
    let intent = Intent {
        behind: want,
        order: NavOrder {
            want: Wants::Leave,
            radius: agent.radius + body_state.gap,
            class: agent.class,
            ..NavOrder::default()
        },
        ..Intent::default()
    };
    let goal = one.position.0;
    Some(UnplacedIntent { intent, goal })
}

/// The grid to plan on. An agent outside of all grids gets the nearest one, and walks back to it.
fn grid_for(one: &IntentDataItem, goal: Option<Vec3>, grids: &Grids) -> Option<Entity> {
    let all = grids.iter();
    let chosen = choose_grid(one.on_grid.copied(), one.position.0, goal, all.clone());
    chosen.or_else(|| one.agent.and_then(|_| nearest_grid(one.position.0, all)))
}

/// The intent of an agent with a [`Flee`], as if it had no other component. The agent wants nothing while the threat is
/// far away.
fn flight(one: &IntentDataItem, targets: &mut Targets, grids: &Grids) -> Option<UnplacedIntent> {
    let ((agent, _), flee) = one.agent.zip(one.flee)?;
    let before = &one.intent.order;
    let was_away = before.want == Wants::Flee && before.target == Some(flee.from);
    let enough = if was_away { SAFE_DISTANCE_FACTOR } else { 1.0 };
    let (place, from) = (one.position.0, targets.look_at(flee.from));
    let plane = match grids.len() {
        // In the usual case there is only one grid.
        1 => grids.at(0).plane(),
        _ => grids.plane_of(grid_for(one, None, grids)),
    };
    let away = |from| plane.to_grid(place).distance(plane.to_grid(from));
    Some(flee.intend(agent, from, from.position.map(away), enough))
}

/// The intent from the first of these that applies: a request, a flight that does not give way, a chase.
fn unplaced_intent(
    one: &mut IntentDataItem,
    targets: &mut Targets,
    grids: &Grids,
    dt: f32,
) -> UnplacedIntent {
    if is_newborn(one, targets) {
        return UnplacedIntent::default();
    }
    let agent = one.agent.map(|(agent, _)| agent);
    let chase = agent.zip(one.chase);
    let flight = flight(one, targets, grids);
    let flees = (flight.as_ref()).is_some_and(|it| it.intent.order.want == Wants::Flee);
    let mut is_there = |(_, chase): (_, &Chase)| targets.look_at(chase.target).position.is_some();
    let may_yield = flees && one.request.is_none() && chase.is_some_and(&mut is_there);
    let is_cornered = one.note_flight(flight.as_ref().filter(|_| may_yield), dt);
    let UnplacedIntent { mut intent, goal } = match (one.request, flight, chase) {
        (Some(request), ..) => request.intend(agent),
        (None, Some(flight), _) if flees && !is_cornered => flight,
        (None, _, Some((agent, chase))) => chase.intend(agent, targets.look_at(chase.target)),
        (None, Some(flight), None) => flight,
        (None, None, None) => return UnplacedIntent::default(),
    };
    // What the entity wants afterwards: the next one of request, flight and chase.
    intent.behind = match one.request {
        _ if is_cornered => Wants::Flee,
        Some(_) if flees => Wants::Flee,
        None if !flees => Wants::Nothing,
        _ => chase.map_or(Wants::Nothing, |_| Wants::Follow),
    };
    // If the request names a radius, the path is planned for exactly this radius.
    if one.request.is_none_or(|request| request.radius.is_none()) {
        intent.order.radius += one.agent.map_or(0.0, |(_, body_state)| body_state.gap);
    }
    if let Some(reason) = refusal(one, targets, intent.order.target) {
        intent.order.want = Wants::Refused(reason);
        intent.behind = Wants::Nothing;
    }
    UnplacedIntent { intent, goal }
}

/// Why the entity's intent is refused: the entity cannot be moved, or no path can be planned for it. `None` if nothing
/// is wrong.
fn refusal(one: &IntentDataItem, targets: &Targets, target: Option<Entity>) -> Option<FailReason> {
    if target == Some(one.entity) {
        return Some(FailReason::OwnTarget);
    }
    if let Some((agent, body_state)) = one.agent {
        if !agent.is_valid() {
            return Some(FailReason::BadAgent);
        }
        if body_state.state == DriverState::Unable {
            return Some(FailReason::CannotMove);
        }
    }
    // An entity whose `Transform` is NaN does have a position: planning refuses it with `OutsideGrid`.
    let has_no_position = one.position.0.is_nan() && targets.position_of(one.entity).is_none();
    has_no_position.then_some(FailReason::NoTransform)
}

/// Whether the entity got its components after this tick's positions were read. It wants nothing until the next
/// tick.
fn is_newborn(one: &IntentDataItem, targets: &Targets) -> bool {
    let position = || targets.position_of(one.entity);
    one.position.0.is_nan() && position().is_some_and(Vec3::is_finite)
}

fn warn_of_refusal(name: &str, reason: FailReason, agent: Option<&NavAgent>) {
    match (reason, agent) {
        (FailReason::BadAgent, Some(agent)) => warn!(
            "NavAgent on {name} is ignored: radius and acceleration must be finite and above 0, \
             speed and reach finite and not negative, got {agent:?}"
        ),
        (FailReason::OwnTarget, _) => warn!(
            "{name} stands still: it is the target of its own Chase or Flee. Name another entity"
        ),
        (FailReason::NoTransform, _) => warn!(
            "{name} finds no path: it or an entity above it has no Transform. Give each parent of \
             an agent a Transform"
        ),
        // The drive stage logs why a body cannot be driven.
        _ => {}
    }
}
