//! The oracle: a new world that is built from the components of the old one.

use bevy::ecs::entity::{EntityHashMap, EntityMapper};
use bevy::ecs::reflect::AppTypeRegistry;

use super::fields::WritableComponent;
use super::game::{Chaos, add_ground, is_frequent};
use crate::common::*;

/// After this many frames at rest, every chaser plans toward the place of its target.
const RESTED_FRAMES: usize = 180;

/// Whether the state of the entity may depend on its past.
fn may_depend_on_its_past(chaos: &Chaos, entity: Entity) -> bool {
    is_in_flee_hysteresis(chaos, entity)
        || may_keep_old_goal(chaos, entity)
        || has_just_finished(chaos, entity)
}

/// Builds a new game from `chaos` and compares the state of every agent and every request.
pub(crate) fn assert_like_new(chaos: &mut Chaos, mode: PlanMode, context: &str) {
    let (mut fresh, twins) = rebuild(chaos, mode);
    run_until_answered(&mut fresh, &twins);
    let mut differences = Vec::new();
    for entity in chaos.agents.iter().chain(&chaos.requests).copied() {
        let twin = twins[&entity];
        if may_depend_on_its_past(chaos, entity) {
            continue;
        }
        let (old, new) = (status(&chaos.app, entity), status(&fresh, twin));
        let arrived = [(&chaos.app, entity), (&fresh, twin)]
            .map(|(app, entity)| app.world().get(entity) == Some(&Locomotion::Arrived));
        let ends = [(&chaos.app, entity), (&fresh, twin)]
            .map(|(app, entity)| path_end(&get::<NavPath>(app, entity)));
        let is_near_goal = is_near_goal(chaos, entity, ends[0]);
        if arrived[0] && !arrived[1] && !is_near_goal {
            differences.push(format!("{}: arrived too early", describe(chaos, entity)));
            continue;
        }
        // A chaser of a moving target may search in any frame. A one-time request at its goal is done in the first tick
        // of the new world.
        let is_searching = matches!(old, PathStatus::Queued | PathStatus::Searching);
        let is_done = !fresh.world().entity(twin).contains::<PathRequest>()
            && chaos.app.world().entity(entity).contains::<PathRequest>();
        if is_searching || is_done && is_near_goal {
            continue;
        }
        // An agent at its goal keeps the status with which it arrived.
        if old != new && arrived != [true, true] {
            differences.push(format!(
                "{}: {old:?}, in the new world {new:?}",
                describe(chaos, entity)
            ));
            continue;
        }
        // A path and a field lead in the same direction.
        let follows_field = new == PathStatus::Found && ends[1].is_none();
        let old = generation_is_newest(&chaos.app, entity);
        let new = generation_is_newest(&fresh, twin);
        if !(old && new) {
            differences.push(format!(
                "{}: its path is of an older bake: {}, in the new world: {}",
                describe(chaos, entity),
                !old,
                !new
            ));
        }
        if has_resting_goal(chaos, entity) && !follows_field && !is_same_end(chaos, entity, ends) {
            differences.push(format!(
                "{}: its path ends at {:?}, in the new world at {:?}",
                describe(chaos, entity),
                ends[0],
                ends[1]
            ));
        }
    }
    let all = chaos.agents.len() + chaos.requests.len();
    assert!(
        differences.is_empty(),
        "{context}: {} of {all} differ from a newly built world:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Updates until every request is answered. All agents stand, so that both worlds search from the same places. At the
/// end, the follow stage runs, so that agents notice whether they are at their goal.
fn run_until_answered(fresh: &mut App, twins: &EntityHashMap<Entity>) {
    add_gates(fresh);
    set_gates(fresh, [true, true, true, true, false, false]);
    for _ in 0..4000 {
        run_slowly(fresh, 5);
        let is_waiting = |twin: &Entity| {
            let status = fresh.world().get::<PathStatus>(*twin);
            matches!(status, Some(PathStatus::Queued | PathStatus::Searching))
        };
        if !twins.values().any(is_waiting) {
            break;
        }
    }
    set_gates(fresh, [true, true, true, true, true, false]);
    run_slowly(fresh, 20);
}

/// Describes an entity that differs, for a message.
fn describe(chaos: &Chaos, entity: Entity) -> String {
    let app = &chaos.app;
    let entity_ref = app.world().entity(entity);
    let target = entity_ref
        .get::<Chase>()
        .map(|chase| chase.target)
        .or(entity_ref.get::<Flee>().map(|flee| flee.from));
    let target_at = target.and_then(|target| {
        let target = app.world().get_entity(target).ok()?;
        Some(target.get::<Transform>()?.translation.truncate())
    });
    format!(
        "{entity} at {} {:?} body {:?} {:?} {:?} on {:?}, {:?} {:?} {:?}, target at {target_at:?}",
        position(app, entity),
        status(app, entity),
        entity_ref.get::<RigidBody>(),
        entity_ref.get::<Locomotion>(),
        entity_ref.get::<NavAgent>(),
        entity_ref
            .get::<OnGrid>()
            .map(|on| chaos.grids.iter().position(|grid| *grid == on.0)),
        entity_ref.get::<Chase>(),
        entity_ref.get::<PathRequest>(),
        entity_ref.get::<Flee>(),
    )
}

/// Whether a fleeing agent is between the distance at which it starts to flee and 1.25 times that distance, at which it
/// stops. In between, an old agent still has a path and a new agent stands.
fn is_in_flee_hysteresis(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let flee = entity_ref.get::<Flee>();
    let flee = flee.filter(|_| !entity_ref.contains::<PathRequest>());
    flee.is_some_and(|flee| {
        let from = chaos.app.world().get::<Transform>(flee.from);
        from.is_some_and(|from| {
            let away = position(&chaos.app, entity).distance(from.translation.truncate());
            (0.95..1.3).contains(&(away / flee.distance))
        })
    })
}

/// Whether an arrived agent is between its reach and the distance at which it leaves again. A new agent would still
/// walk there.
fn is_near_goal(chaos: &Chaos, entity: Entity, end: Option<Vec2>) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let Some((agent, goal)) = entity_ref.get::<NavAgent>().zip(goal_of(chaos, entity)) else {
        return false;
    };
    let (reach, min_reach) = match (entity_ref.get::<PathRequest>(), entity_ref.get::<Chase>()) {
        (Some(request), _) => (request.reach, 0.0),
        (None, chase) => {
            let target = chase.and_then(|chase| chaos.app.world().get::<NavAgent>(chase.target));
            let other = target.map_or(RADIUS, |target| target.radius);
            let kept = chase.and_then(|chase| chaos.app.world().get::<CrowdObstacle>(chase.target));
            let other = other.max(kept.map_or(0.0, |kept| kept.radius));
            (
                chase.and_then(|chase| chase.reach),
                1.1 * (agent.radius + other.max(RADIUS)),
            )
        }
    };
    let reach = reach.or(agent.reach).unwrap_or(min_reach).max(min_reach);
    let away = |from: Vec2| position(&chaos.app, entity).distance(from);
    // The goal is inside an obstacle, and the path ends beside the obstacle.
    let is_at_end = end.is_some_and(|end| away(end) <= 0.3 * agent.radius);
    // Another agent that passes is pushing this one aside.
    let is_pushed = entity_ref.get::<DesiredVelocity>() != Some(&DesiredVelocity::default());
    let is_there = entity_ref.get::<Locomotion>() == Some(&Locomotion::Arrived);
    is_at_end || is_there && is_pushed || away(goal) <= 1.2 * reach + 0.3 * agent.radius
}

/// Whether the one-time request of the entity was done in this tick. In the next tick, the entity wants nothing.
fn has_just_finished(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let has_intent = entity_ref.contains::<PathRequest>()
        || entity_ref.contains::<Chase>()
        || entity_ref.contains::<Flee>();
    !has_intent && status(&chaos.app, entity) == PathStatus::Found
}

/// The goal of the entity.
fn goal_of(chaos: &Chaos, entity: Entity) -> Option<Vec2> {
    let entity_ref = chaos.app.world().entity(entity);
    let request = entity_ref.get::<PathRequest>();
    request.map(|request| request.goal.truncate()).or_else(|| {
        let chase = entity_ref.get::<Chase>()?;
        let target = chaos.app.world().get::<Transform>(chase.target)?;
        Some(target.translation.truncate())
    })
}

/// Whether the entity may still go to an older goal: the goal changed or moved, and the repath interval is long.
fn may_keep_old_goal(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let request = entity_ref.get::<PathRequest>().map(|one| one.repath);
    let repath = request.or(entity_ref.get::<Chase>().map(|one| one.repath));
    let is_slow = |repath| repath != RepathPolicy::Dynamic && !is_frequent(repath);
    let end = entity_ref.get::<NavPath>().and_then(path_end);
    let is_there = end
        .zip(goal_of(chaos, entity))
        .is_some_and(|(end, goal)| end.distance(goal) <= 0.1);
    repath.is_some_and(is_slow) && !is_there
}

/// Whether the goal has not moved for a while, and the agent still walks to it.
///
/// An arrived agent keeps the path that led it there until the goal leaves. An agent that sees its target, or that
/// waits behind others, needs no path. A stuck agent tries a detour. A fleeing agent chooses its goal itself.
fn has_resting_goal(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    use Locomotion::{Arrived, Queued, Settled, Straight, Stuck};
    let on_its_way = !matches!(
        entity_ref.get::<Locomotion>(),
        Some(Arrived | Straight | Stuck | Settled | Queued)
    );
    if entity_ref.contains::<PathRequest>() {
        return on_its_way;
    }
    let rests = |target: Entity| {
        let moved = chaos.moved.get(&target);
        moved.is_some_and(|(_, since)| chaos.now - since >= RESTED_FRAMES)
    };
    let chase = entity_ref.get::<Chase>();
    let may_flee = entity_ref.contains::<Flee>();
    // The agent follows a field.
    let flows = entity_ref.get::<NavPath>().and_then(path_end).is_none();
    chase.is_some_and(|chase| on_its_way && !may_flee && !flows && rests(chase.target))
}

/// Whether both paths end at the same place, or at about the same distance from a goal that cannot be reached.
fn is_same_end(chaos: &Chaos, entity: Entity, ends: [Option<Vec2>; 2]) -> bool {
    let [Some(old), Some(new)] = ends else {
        return ends[0].is_none() && ends[1].is_none();
    };
    if old.distance(new) <= 0.1 {
        return true;
    }
    let Some(goal) = goal_of(chaos, entity) else {
        return false;
    };
    let [old, new] = [old, new].map(|end| end.distance(goal));
    if fits_barely(chaos, entity, goal) && old.max(new) <= HALF_DIAGONAL {
        return true;
    }
    // A waiting agent is not always at that point beside the obstacle that is nearest to its target.
    let max_difference = match status(&chaos.app, entity) {
        PathStatus::Partial(FailReason::GoalBlocked) => 0.25 * old.min(new) + 2.0,
        // The grid may have had other cells when the agent arrived there.
        PathStatus::Partial(_) => 0.75,
        _ => 0.1,
    };
    old > 0.1 && new > 0.1 && (old - new).abs() <= max_difference
}

/// The distance from the center of a unit cell to its corners, in world units.
const HALF_DIAGONAL: f32 = 0.71;

/// Whether the body only just fits at its goal. Then the direction of approach decides whether the last line to the
/// goal is proven. If it is not, the path ends at the center of the goal's cell.
fn fits_barely(chaos: &Chaos, entity: Entity, goal: Vec2) -> bool {
    let path = get::<NavPath>(&chaos.app, entity);
    let grid = path
        .grid()
        .and_then(|grid| chaos.app.world().get::<BakedGrid>(grid));
    grid.is_some_and(|grid| {
        let (snapshot, radius) = (grid.snapshot(), path.body().radius);
        let goal = grid.frame().to_grid(goal.extend(0.0));
        snapshot.is_some_and(|snapshot| {
            snapshot.free(goal, 0.98 * radius) && !snapshot.free(goal, 1.05 * radius)
        })
    })
}

/// Whether the path was planned on the newest bake of its grid, or was found to be valid on it.
fn generation_is_newest(app: &App, entity: Entity) -> bool {
    let path = get::<NavPath>(app, entity);
    let grid = path
        .grid()
        .and_then(|grid| app.world().get::<BakedGrid>(grid));
    let snapshot = grid.and_then(BakedGrid::snapshot);
    let newest = snapshot.map(|snapshot| snapshot.generation());
    path.is_empty() || newest == Some(path.generation())
}

/// Copies everything that a game writes, and nothing that the plugin wrote.
fn rebuild(chaos: &Chaos, mode: PlanMode) -> (App, EntityHashMap<Entity>) {
    let mut fresh = game(60.0, mode);
    add_ground(fresh.world_mut());
    let old = chaos.app.world();
    fresh.insert_resource(old.resource::<AgentClasses>().clone());
    let all = old
        .iter_entities()
        .filter(|entity| entity.contains::<Transform>() || entity.contains::<NavGrid>());
    let mut all: Vec<EntityRef> = all.collect();
    all.sort_by_key(|entity| entity.id());
    let gone = fresh.world_mut().spawn_empty().id();
    let mut twins = Twins {
        by_old: EntityHashMap::default(),
        gone,
    };
    for entity in &all {
        twins.by_old.insert(entity.id(), spawn(&mut fresh, ()));
    }
    fresh.world_mut().despawn(gone);
    let registry = old.resource::<AppTypeRegistry>().read();
    for entity in all {
        let mut new = fresh.world_mut().entity_mut(twins.by_old[&entity.id()]);
        copy::<Transform>(entity, &mut new);
        copy::<RigidBody>(entity, &mut new);
        copy::<Collider>(entity, &mut new);
        copy::<CollisionGroups>(entity, &mut new);
        copy::<Sensor>(entity, &mut new);
        copy::<ColliderDisabled>(entity, &mut new);
        for WritableComponent { component, .. } in &chaos.open {
            let Some(value) = component.reflect(entity) else {
                continue;
            };
            let mut value = value
                .reflect_clone()
                .expect("writable components can be cloned");
            component.map_entities(&mut *value, &mut twins);
            component.insert(&mut new, value.as_partial_reflect(), &registry);
        }
    }
    (fresh, twins.by_old)
}

/// Maps the entities of the old world to the entities of the new world.
struct Twins {
    by_old: EntityHashMap<Entity>,
    /// Stands for every entity that does not exist.
    gone: Entity,
}

impl EntityMapper for Twins {
    fn get_mapped(&mut self, old: Entity) -> Entity {
        self.by_old.get(&old).copied().unwrap_or(self.gone)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

fn copy<C: Component + Clone>(old: EntityRef, new: &mut EntityWorldMut) {
    if let Some(component) = old.get::<C>() {
        new.insert(component.clone());
    }
}
