//! Decides what each entity wants, in each tick again, from its present components.
//!
//! It does not remember earlier components, so nothing has to be undone when a component is removed, cloned,
//! disabled or replaced.

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::log::{warn, warn_once};
use bevy::math::Vec3;

use super::chase::index_chases;
use super::surround::{Places, Ring, Surrounder};
use super::targets::{Sighted, Targets};
use super::{Chase, Flee, PathRequest};
use crate::agent::{
    BodyState, ChaseIndex, DriverState, FailReason, FlowFollower, Following, GoalKind, Intent,
    NavAgent, NavDrive, NavOrder, NavPaused, Place, Plane, RepathPolicy, Wants, read_places,
};
use crate::grid::{BakedGrid, GridView, NavGrid, OnGrid, choose_grid, nearest_grid};
use crate::ground::register_ground;
use crate::names::Names;
use crate::schedule::{FlowSteps, PursuitSystems, TickBakes, ensure_schedule, on_main};

/// Distance at which a target counts as reached, as a multiple of the distance at which the bodies touch.
const REACH_FACTOR: f32 = 1.1;
/// Least reach for a solid target, as a multiple of the distance at which the bodies touch.
const MIN_REACH_FACTOR: f32 = 1.02;
/// Distance at which a fleeing agent stops, as a multiple of [`Flee::distance`].
const SAFE_DISTANCE_FACTOR: f32 = 1.25;

/// Decides what each entity wants: its [`PathRequest`], else its [`Flee`] while that threat is near, else its
/// [`Chase`]. An agent that wants none of these leaves ground that is forbidden to it.
///
/// Without this plugin no entity wants anything: grids are baked, and agents stand.
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
            .register_type::<Chase>()
            .register_type::<Flee>()
            .register_type::<PathRequest>()
            .register_type::<RepathPolicy>()
            .register_type::<OnGrid>()
            .add_systems(
                self.schedule,
                (
                    (on_main(index_chases), on_main(read_places))
                        .in_set(PursuitSystems::Prepare)
                        .after(TickBakes)
                        .after(FlowSteps::Leave),
                    on_main(decide_intents).in_set(PursuitSystems::Decide),
                ),
            );
    }
}

/// Everything that an entity's intent is computed from.
#[derive(QueryData)]
#[query_data(mutable)]
struct Asking {
    entity: Entity,
    place: &'static Place,
    intent: &'static mut Intent,
    agent: Option<(&'static NavAgent, &'static BodyState)>,
    memory: Option<&'static Following>,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    request: Option<&'static PathRequest>,
    chase: Option<&'static Chase>,
    flee: Option<&'static Flee>,
    on_grid: Option<&'static OnGrid>,
}

fn decide_intents(
    grids: Query<(Entity, &BakedGrid), With<NavGrid>>,
    (mut targets, index): (Targets, Res<ChaseIndex>),
    names: Names,
    mut asking: Query<Asking, Without<FlowFollower>>,
    (mut views, mut around): (Local<Vec<GridView>>, Local<Places>),
) {
    views.clear();
    views.extend(grids.iter().map(GridView::new));
    targets.known.clear();
    around.clear();
    if index.some_surround {
        surround_targets((&grids, &views), &asking, &mut targets, &mut around);
    }
    for mut one in &mut asking {
        let before = *one.intent;
        let mut next = decide(&one, &mut targets, &views, &around);
        next.count_sendings(&before);
        if let Wants::Refused(reason) = next.errand.want
            && before.errand.want != next.errand.want
        {
            warn_of_refusal(
                &names.of(one.entity),
                reason,
                one.agent.map(|(agent, _)| agent),
            );
        }
        *one.intent.bypass_change_detection() = next;
    }
}

impl Intent {
    /// Continues the counts of errands and sendings from the tick before. A refused agent is also sent, so that
    /// it gets the event once more.
    fn count_sendings(&mut self, before: &Self) {
        let (now, old) = (&self.errand, &before.errand);
        let is_same = (old.want, old.target) == (now.want, now.target);
        let is_elsewhere = now.want == Wants::Go && (old.goal, old.grid) != (now.goal, now.grid);
        let is_new = !is_same || before.is_renewed && is_elsewhere;
        let is_errand = is_new && now.want.is_path();
        let asks = now.want.is_path() || matches!(now.want, Wants::Refused(_));
        let is_sent = asks && (is_new || before.is_renewed);
        self.errand.number = before.errand.number.wrapping_add(u16::from(is_errand));
        self.sending = before.sending.wrapping_add(u8::from(is_sent));
    }
}

/// An intent without its grid, and the goal in world coordinates.
#[derive(Default)]
struct Wish {
    intent: Intent,
    goal: Vec3,
}

/// The intent without errand number and sending.
fn decide(one: &AskingItem, targets: &mut Targets, grids: &[GridView], around: &Places) -> Intent {
    let wish = wish(one, targets, grids);
    let Wish { mut intent, goal } = way_out(one, wish.intent.errand.want).unwrap_or(wish);
    let (before, errand) = (&one.intent.errand, &mut intent.errand);
    if errand.want.is_path() {
        let goal = (!errand.is_flight()).then_some(goal);
        errand.grid = grid_for(one, goal, grids);
    }
    errand.goal = frame_of(errand.grid, grids).to_grid(goal);
    let is_leaving = errand.want == Wants::Leave;
    if is_leaving && (before.want, before.grid) == (errand.want, errand.grid) {
        // The goal is the agent's position. It must not change with each step.
        errand.goal = before.goal;
    }
    let goes_on =
        (errand.want, errand.target, errand.grid) == (before.want, before.target, before.grid);
    if goes_on && let Some(place) = around.of(one.entity) {
        errand.take_place(place);
    }
    intent
}

/// Finds places for chasers that surround their target and already chased it in the tick before.
fn surround_targets(
    (grids, views): (&Query<(Entity, &BakedGrid), With<NavGrid>>, &[GridView]),
    asking: &Query<Asking, Without<FlowFollower>>,
    targets: &mut Targets,
    around: &mut Places,
) {
    let snapshot_of = |grid: Entity| grids.get(grid).ok().and_then(|(_, baked)| baked.snapshot());
    for one in asking {
        if one.chase.is_some_and(|chase| chase.surround) && !one.is_paused {
            let chaser = surrounder(&one, targets, views);
            let is_near = |it: &Surrounder| {
                let snapshot = snapshot_of(it.ring.grid).filter(|_| it.is_near());
                snapshot.is_some_and(|snapshot| it.is_beside(snapshot))
            };
            if let Some(chaser) = chaser.filter(is_near) {
                around.add(chaser);
            }
        }
    }
    around.find(|chaser, place| {
        let snapshot = snapshot_of(chaser.ring.grid);
        snapshot.is_some_and(|snapshot| chaser.fits(snapshot, place))
    });
}

/// The chaser as a [`Surrounder`], if it chases the target already.
fn surrounder(
    one: &AskingReadOnlyItem,
    targets: &mut Targets,
    views: &[GridView],
) -> Option<Surrounder> {
    let errand = &one.intent.errand;
    let (chase, (agent, _), grid) = (one.chase?, one.agent?, errand.grid?);
    let is_chasing = errand.want == Wants::Follow && errand.target == Some(chase.target);
    if !(is_chasing && agent.is_valid()) {
        return None;
    }
    let frame = frame_of(Some(grid), views);
    let wish = chase.intend(agent, targets.look_at(chase.target));
    let [target, place] = [wish.goal, one.place.0].map(|at| frame.to_grid(at));
    Some(Surrounder {
        entity: one.entity,
        ring: Ring::new(chase.target, grid, wish.intent.errand.reach),
        target,
        offset: place - target,
        body: errand.body(),
        had_place: errand.goal_kind == GoalKind::Place,
    })
}

/// The wish to leave, for an otherwise idle agent on ground that is forbidden to its class. An agent that is
/// paused, or that the game moves itself, stays.
fn way_out(one: &AskingItem, want: Wants) -> Option<Wish> {
    let (agent, driver) = one.agent?;
    let is_idle = matches!(want, Wants::Nothing | Wants::Lost) && !one.is_paused;
    let is_driven = driver.state == DriverState::Ready && NavDrive::effective(one.drive) > 0.0;
    let is_inside = one.memory.is_some_and(|memory| memory.on_forbidden);
    if !(is_idle && is_driven && is_inside && agent.is_valid()) {
        return None;
    }
    let intent = Intent {
        interval: RepathPolicy::Dynamic.interval(),
        behind: want,
        errand: NavOrder {
            want: Wants::Leave,
            radius: agent.radius + driver.gap,
            class: agent.class,
            ..NavOrder::default()
        },
        ..Intent::default()
    };
    Some(Wish {
        intent,
        goal: one.place.0,
    })
}

/// The grid to plan on.
fn grid_for(one: &AskingItem, goal: Option<Vec3>, grids: &[GridView]) -> Option<Entity> {
    let all = grids.iter().copied();
    let chosen = choose_grid(one.on_grid.copied(), one.place.0, goal, all.clone());
    let is_agent = one.agent.is_some();
    chosen.or_else(|| is_agent.then(|| nearest_grid(one.place.0, all)).flatten())
}

/// The plane of a grid; without a grid, the XY plane.
fn frame_of(grid: Option<Entity>, grids: &[GridView]) -> &Plane {
    let one = grids.iter().find(|one| Some(one.entity) == grid);
    one.map_or(&Plane::XY, |one| &one.frame)
}

fn wish(one: &AskingItem, targets: &mut Targets, grids: &[GridView]) -> Wish {
    if is_newborn(one, targets) {
        return Wish::default();
    }
    let agent = one.agent.map(|(agent, _)| agent);
    let chase = agent.zip(one.chase);
    let flight = agent.zip(one.flee).map(|(agent, flee)| {
        let before = &one.intent.errand;
        let was_away = before.want == Wants::Flee && before.target == Some(flee.from);
        let enough = if was_away { SAFE_DISTANCE_FACTOR } else { 1.0 };
        let from = targets.look_at(flee.from);
        let frame = match grids {
            [only] => &only.frame,
            _ => frame_of(grid_for(one, None, grids), grids),
        };
        let away = from
            .place
            .map(|from| frame.to_grid(one.place.0).distance(frame.to_grid(from)));
        flee.intend(agent, from, away, enough)
    });
    let flees = flight
        .as_ref()
        .is_some_and(|flight| flight.intent.errand.want == Wants::Flee);
    let Wish { mut intent, goal } = match (one.request, flight, chase) {
        (Some(request), ..) => request.intend(agent),
        (None, Some(flight), _) if flees => flight,
        (None, _, Some((agent, chase))) => chase.intend(agent, targets.look_at(chase.target)),
        (None, Some(flight), None) => flight,
        (None, None, None) => return Wish::default(),
    };
    intent.behind = match one.request {
        Some(_) if flees => Wants::Flee,
        None if !flees => Wants::Nothing,
        _ => chase.map_or(Wants::Nothing, |_| Wants::Follow),
    };
    if one.request.is_none_or(|request| request.radius.is_none()) {
        intent.errand.radius += one.agent.map_or(0.0, |(_, driver)| driver.gap);
    }
    if let Some(reason) = refusal(one, targets) {
        intent.errand.want = Wants::Refused(reason);
        intent.behind = Wants::Nothing;
    }
    Wish { intent, goal }
}

/// Why the entity cannot be moved or planned for at all.
fn refusal(one: &AskingItem, targets: &Targets) -> Option<FailReason> {
    if let Some((agent, driver)) = one.agent {
        if !agent.is_valid() {
            return Some(FailReason::BadAgent);
        }
        if driver.state == DriverState::Unable {
            return Some(FailReason::CannotMove);
        }
    }
    let has_no_place = one.place.0.is_nan() && targets.place(one.entity).is_none();
    has_no_place.then_some(FailReason::NoTransform)
}

/// Whether the entity got its components after positions were read. It waits for the next tick.
fn is_newborn(one: &AskingItem, targets: &Targets) -> bool {
    let place = one
        .place
        .0
        .is_nan()
        .then(|| targets.place(one.entity))
        .flatten();
    place.is_some_and(|place| place.is_finite())
}

fn warn_of_refusal(name: &str, reason: FailReason, agent: Option<&NavAgent>) {
    match (reason, agent) {
        (FailReason::BadAgent, Some(agent)) => warn!(
            "NavAgent on {name} is ignored: radius and acceleration must be finite and above 0, \
             speed and reach finite and not negative, got {agent:?}"
        ),
        (FailReason::NoTransform, _) => warn!(
            "{name} finds no path: it or an entity above it has no Transform. Give each parent of \
             an agent a Transform"
        ),
        // The drive stage logs why a body cannot be driven.
        _ => {}
    }
}

impl PathRequest {
    fn intend(&self, agent: Option<&NavAgent>) -> Wish {
        let own = agent.map(|agent| agent.radius);
        let reach = self.reach.or(agent.and_then(|agent| agent.reach));
        let intent = Intent {
            interval: self.repath.interval(),
            errand: NavOrder {
                want: Wants::Go,
                reach: usable(reach).unwrap_or(0.0),
                needs_sight: self.needs_sight,
                to_rim: true,
                radius: self.radius.or(own).unwrap_or(0.0),
                class: agent.map(|agent| agent.class).unwrap_or_default(),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        Wish {
            intent,
            goal: self.goal,
        }
    }
}

impl Chase {
    fn intend(&self, agent: &NavAgent, target: Sighted) -> Wish {
        let touching = agent.radius + target.radius;
        let reach = usable(self.reach.or(agent.reach)).unwrap_or(REACH_FACTOR * touching);
        let least = if target.is_solid {
            MIN_REACH_FACTOR * touching
        } else {
            0.0
        };
        let intent = Intent {
            interval: self.repath.interval(),
            errand: NavOrder {
                want: target.place.map_or(Wants::Lost, |_| Wants::Follow),
                reach: reach.max(least),
                needs_sight: self.needs_sight,
                goal_kind: target.goal_kind(),
                to_rim: target.is_obstacle,
                radius: agent.radius,
                class: agent.class,
                target: Some(self.target),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        Wish {
            intent,
            goal: target.place.unwrap_or(Vec3::NAN),
        }
    }
}

impl Flee {
    /// An agent that is farther away than `enough` times the distance wants nothing more.
    fn intend(&self, agent: &NavAgent, from: Sighted, away: Option<f32>, enough: f32) -> Wish {
        let known = from.place.zip(away);
        let Some((goal, away)) = known.filter(|_| usable(Some(self.distance)).is_some()) else {
            return Wish::default();
        };
        let intent = Intent {
            interval: RepathPolicy::Dynamic.interval(),
            errand: NavOrder {
                want: if away > enough * self.distance {
                    Wants::Nothing
                } else {
                    Wants::Flee
                },
                reach: self.distance,
                radius: agent.radius,
                class: agent.class,
                target: Some(self.from),
                ..NavOrder::default()
            },
            ..Intent::default()
        };
        Wish { intent, goal }
    }
}

/// A valid distance. An invalid one is logged once and counts as not given.
fn usable(reach: Option<f32>) -> Option<f32> {
    let reach = reach?;
    let is_usable = reach.is_finite() && reach >= 0.0;
    if !is_usable {
        warn_once!(
            "a reach or distance of {reach} is ignored: it must be finite and not negative (said once)"
        );
    }
    is_usable.then_some(reach)
}
