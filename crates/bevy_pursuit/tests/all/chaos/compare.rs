//! The oracle: a world that is built anew from the components of another one.

use bevy::ecs::entity::{EntityHashMap, EntityMapper};
use bevy::ecs::reflect::AppTypeRegistry;

use super::fields::Open;
use super::game::{Chaos, is_often, lay_ground};
use crate::common::*;

/// A target that was at rest for this many frames is where everybody plans to go.
const RESTED: usize = 180;

/// Whether what one is told depends on its past.
fn may_differ(chaos: &Chaos, entity: Entity) -> bool {
    is_between_near_and_far_enough(chaos, entity)
        || may_keep_an_older_goal(chaos, entity)
        || is_just_done(chaos, entity)
}

/// Builds a new game from `chaos` and compares what all who ask are told.
pub(crate) fn assert_like_new(chaos: &mut Chaos, mode: PlanMode, what: &str) {
    let (mut fresh, twins) = build_anew(chaos, mode);
    settle(&mut fresh, &twins);
    let mut wrong = Vec::new();
    for entity in chaos.agents.iter().chain(&chaos.requests).copied() {
        let twin = twins[&entity];
        if may_differ(chaos, entity) {
            continue;
        }
        let (old, new) = (status(&chaos.app, entity), status(&fresh, twin));
        let rest = [(&chaos.app, entity), (&fresh, twin)]
            .map(|(app, entity)| app.world().get(entity) == Some(&Locomotion::Arrived));
        let ends = [(&chaos.app, entity), (&fresh, twin)]
            .map(|(app, entity)| path_end(&get::<NavPath>(app, entity)));
        let is_about_there = is_about_there(chaos, entity, ends[0]);
        if rest[0] && !rest[1] && !is_about_there {
            wrong.push(format!("{}: not there, anew", portrait(chaos, entity)));
            continue;
        }
        // Whose target moves may search in any frame; what is for once is done at once where it is anew.
        let is_searching = matches!(old, PathStatus::Queued | PathStatus::Searching);
        let is_done = !fresh.world().entity(twin).contains::<PathRequest>()
            && chaos.app.world().entity(entity).contains::<PathRequest>();
        if is_searching || is_done && is_about_there {
            continue;
        }
        // Who is there keeps the answer that led there.
        if old != new && rest != [true, true] {
            wrong.push(format!(
                "{}: {old:?}, anew {new:?}",
                portrait(chaos, entity)
            ));
            continue;
        }
        // A path and a field lead the same way.
        let flows_anew = new == PathStatus::Found && ends[1].is_none();
        let old = generation_is_newest(&chaos.app, entity);
        let new = generation_is_newest(&fresh, twin);
        if !(old && new) {
            wrong.push(format!(
                "{}: its path is of an older bake: {}, anew: {}",
                portrait(chaos, entity),
                !old,
                !new
            ));
        }
        if has_still_goal(chaos, entity) && !flows_anew && !is_same_end(chaos, entity, ends) {
            wrong.push(format!(
                "{}: its path ends at {:?}, anew at {:?}",
                portrait(chaos, entity),
                ends[0],
                ends[1]
            ));
        }
    }
    let all = chaos.agents.len() + chaos.requests.len();
    assert!(
        wrong.is_empty(),
        "{what}: {} of {all} are not as in a world built anew:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Updates until all who ask have an answer. Everybody stands, so that both worlds look at the same
/// places; at last all look once whether they are there.
fn settle(fresh: &mut App, twins: &EntityHashMap<Entity>) {
    add_gates(fresh);
    set_gates(fresh, [true, true, true, true, false, false]);
    for _ in 0..4000 {
        run_slowly(fresh, 5);
        let waits = |twin: &Entity| {
            let status = fresh.world().get::<PathStatus>(*twin);
            matches!(status, Some(PathStatus::Queued | PathStatus::Searching))
        };
        if !twins.values().any(waits) {
            break;
        }
    }
    set_gates(fresh, [true, true, true, true, true, false]);
    run_slowly(fresh, 20);
}

/// What there is to know about an entity when it is not as it should be.
fn portrait(chaos: &Chaos, entity: Entity) -> String {
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

/// Whoever flees runs on until it is a quarter farther away than where it would begin to: in between
/// one that ran has still a path, and a new one stands.
fn is_between_near_and_far_enough(chaos: &Chaos, entity: Entity) -> bool {
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

/// Whether an agent that arrived is between its reach and the distance at which it leaves again: a
/// new agent would still walk.
fn is_about_there(chaos: &Chaos, entity: Entity, end: Option<Vec2>) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let Some((agent, goal)) = entity_ref.get::<NavAgent>().zip(goal_of(chaos, entity)) else {
        return false;
    };
    let (reach, least) = match (entity_ref.get::<PathRequest>(), entity_ref.get::<Chase>()) {
        (Some(request), _) => (request.reach, 0.0),
        (None, chase) => {
            let target = chase.and_then(|chase| chaos.app.world().get::<NavAgent>(chase.target));
            let other = target.map_or(RADIUS, |target| target.radius);
            let kept = chase.and_then(|chase| chaos.app.world().get::<NavAvoided>(chase.target));
            let other = other.max(kept.map_or(0.0, |kept| kept.radius));
            (
                chase.and_then(|chase| chase.reach),
                1.1 * (agent.radius + other.max(RADIUS)),
            )
        }
    };
    let reach = reach.or(agent.reach).unwrap_or(least).max(least);
    let away = |from: Vec2| position(&chaos.app, entity).distance(from);
    // The rim of what the goal lies in.
    let is_at_end = end.is_some_and(|end| away(end) <= 0.3 * agent.radius);
    // Somebody who passes pushes it aside just now.
    let is_pushed = entity_ref.get::<DesiredVelocity>() != Some(&DesiredVelocity::default());
    let is_there = entity_ref.get::<Locomotion>() == Some(&Locomotion::Arrived);
    is_at_end || is_there && is_pushed || away(goal) <= 1.2 * reach + 0.3 * agent.radius
}

/// Whether its request was for once and was done in this very tick: in the next one it wants nothing.
fn is_just_done(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let asks = entity_ref.contains::<PathRequest>()
        || entity_ref.contains::<Chase>()
        || entity_ref.contains::<Flee>();
    !asks && status(&chaos.app, entity) == PathStatus::Found
}

/// Where the entity is to go.
fn goal_of(chaos: &Chaos, entity: Entity) -> Option<Vec2> {
    let entity_ref = chaos.app.world().entity(entity);
    let request = entity_ref.get::<PathRequest>();
    request.map(|request| request.goal.truncate()).or_else(|| {
        let chase = entity_ref.get::<Chase>()?;
        let target = chaos.app.world().get::<Transform>(chase.target)?;
        Some(target.translation.truncate())
    })
}

/// Whether an older goal is what was asked for: that was changed, or moved, and the interval is long.
fn may_keep_an_older_goal(chaos: &Chaos, entity: Entity) -> bool {
    let entity_ref = chaos.app.world().entity(entity);
    let request = entity_ref.get::<PathRequest>().map(|one| one.repath);
    let repath = request.or(entity_ref.get::<Chase>().map(|one| one.repath));
    let is_slow = |repath| repath != RepathPolicy::Dynamic && !is_often(repath);
    let end = entity_ref.get::<NavPath>().and_then(end);
    let is_there = end
        .zip(goal_of(chaos, entity))
        .is_some_and(|(end, goal)| end.distance(goal) <= 0.1);
    repath.is_some_and(is_slow) && !is_there
}

/// Whether the goal has been where it is for a while, and the agent still goes there.
///
/// Who has arrived keeps the path that led there, until the goal leaves. Who sees its target needs
/// no path, nor does one that others keep from it. Who is stuck tries a way around. Who flees chooses its goal itself.
fn has_still_goal(chaos: &Chaos, entity: Entity) -> bool {
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
        moved.is_some_and(|(_, since)| chaos.now - since >= RESTED)
    };
    let chase = entity_ref.get::<Chase>();
    let may_flee = entity_ref.contains::<Flee>();
    // Along a field.
    let flows = entity_ref.get::<NavPath>().and_then(end).is_none();
    chase.is_some_and(|chase| on_its_way && !may_flee && !flows && rests(chase.target))
}

/// The same place; or, where the goal cannot be reached itself, one as near to it.
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
    if fits_by_a_hair(chaos, entity, goal) && old.max(new) <= HALF_DIAGONAL {
        return true;
    }
    // The rim of an obstacle where who waits for its target came to is not always the nearest.
    let most = match status(&chaos.app, entity) {
        PathStatus::Partial(FailReason::GoalBlocked) => 0.25 * old.min(new) + 2.0,
        // Cells may have lain elsewhere when it came there.
        PathStatus::Partial(_) => 0.75,
        _ => 0.1,
    };
    old > 0.1 && new > 0.1 && (old - new).abs() <= most
}

/// From the center of a cell to its corners.
const HALF_DIAGONAL: f32 = 0.71;

/// Whether the body fits on its goal with next to nothing to spare. Whether the last line to it is proven then depends on
/// the side from which it comes; else the path ends at the center of the goal's cell.
fn fits_by_a_hair(chaos: &Chaos, entity: Entity, goal: Vec2) -> bool {
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

/// Whether the path was planned on, or proven by, the newest bake of its grid.
fn generation_is_newest(app: &App, entity: Entity) -> bool {
    let path = get::<NavPath>(app, entity);
    let grid = path
        .grid()
        .and_then(|grid| app.world().get::<BakedGrid>(grid));
    let snapshot = grid.and_then(BakedGrid::snapshot);
    let newest = snapshot.map(|snapshot| snapshot.generation());
    path.is_empty() || newest == Some(path.generation())
}

/// Copies what a game writes, and nothing that the plugin wrote.
fn build_anew(chaos: &Chaos, mode: PlanMode) -> (App, EntityHashMap<Entity>) {
    let mut fresh = game(60.0, mode);
    lay_ground(fresh.world_mut());
    let old = chaos.app.world();
    fresh.insert_resource(old.resource::<AgentClasses>().clone());
    let all = old
        .iter_entities()
        .filter(|entity| entity.contains::<Transform>() || entity.contains::<NavGrid>());
    let mut all: Vec<EntityRef> = all.collect();
    all.sort_by_key(|entity| entity.id());
    let gone = fresh.world_mut().spawn_empty().id();
    let mut twins = Twins {
        of: EntityHashMap::default(),
        gone,
    };
    for entity in &all {
        twins.of.insert(entity.id(), spawn(&mut fresh, ()));
    }
    fresh.world_mut().despawn(gone);
    let registry = old.resource::<AppTypeRegistry>().read();
    for entity in all {
        let mut new = fresh.world_mut().entity_mut(twins.of[&entity.id()]);
        copy::<Transform>(entity, &mut new);
        copy::<RigidBody>(entity, &mut new);
        copy::<Collider>(entity, &mut new);
        copy::<CollisionGroups>(entity, &mut new);
        copy::<Sensor>(entity, &mut new);
        copy::<ColliderDisabled>(entity, &mut new);
        for Open { component, .. } in &chaos.open {
            let Some(value) = component.reflect(entity) else {
                continue;
            };
            let mut value = value
                .reflect_clone()
                .expect("open components can be cloned");
            component.map_entities(&mut *value, &mut twins);
            component.insert(&mut new, value.as_partial_reflect(), &registry);
        }
    }
    (fresh, twins.of)
}

/// The entities of a world built anew, by those of the old one.
struct Twins {
    of: EntityHashMap<Entity>,
    /// The twin of all that do not exist.
    gone: Entity,
}

impl EntityMapper for Twins {
    fn get_mapped(&mut self, old: Entity) -> Entity {
        self.of.get(&old).copied().unwrap_or(self.gone)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

fn copy<C: Component + Clone>(old: EntityRef, new: &mut EntityWorldMut) {
    if let Some(component) = old.get::<C>() {
        new.insert(component.clone());
    }
}
