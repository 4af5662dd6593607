//! Records the present obstacles, and the changes that have not reached the grids yet.

use std::collections::BTreeMap;
use std::fmt;
use std::ptr;
use std::sync::Arc;

use bevy::ecs::entity::MapEntities;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::outline::Outline;
use crate::agent::NavFrame;
use crate::grid::ObstacleLayers;
use crate::ground::NavArea;
use crate::visitor::map_keys;

/// A move is treated as a rounding error if, on each axis, it is at most this fraction of the obstacle's coordinate
/// that is farthest from 0. A coordinate below one unit is treated as one unit.
const MOVE_TOLERANCE: f32 = 1e-6;

/// A rotation by at most this angle is treated as a rounding error, in radians.
const TURN_TOLERANCE_RADIANS: f32 = 4e-6;

/// A source of obstacles, identified by a unique name.
///
/// Pursuit's own sources are `"Collider"` and `"NavObstacle"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObstacleSource(pub &'static str);

/// Identifies an obstacle. An entity may have several obstacles from each source.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObstacleId {
    /// The entity that the obstacle belongs to. While this entity is chased, the obstacle does not block its chasers.
    /// The entity needs no components.
    #[entities]
    pub entity: Entity,
    /// The source that reported the obstacle.
    pub source: ObstacleSource,
    /// Index among the entity's obstacles from this source. If one part changes, only that part is baked again.
    pub part: u32,
}

impl ObstacleId {
    /// The first part of an entity from this source.
    pub const fn of(entity: Entity, source: ObstacleSource) -> Self {
        Self {
            entity,
            source,
            part: 0,
        }
    }

    /// Sets [`part`](Self::part).
    pub const fn with_part(mut self, part: u32) -> Self {
        self.part = part;
        self
    }
}

/// An obstacle or an area of ground: its outline, its pose, and its layers.
#[derive(Clone)]
pub struct Obstacle {
    /// The outline, relative to the pose.
    pub outline: Arc<dyn Outline>,
    /// Position and rotation in the world. A grid projects it into its plane. Default: the origin, not rotated.
    pub pose: Isometry3d,
    /// The layers that the obstacle is on. The obstacle concerns the [`NavGrid`](crate::NavGrid)s whose
    /// [`obstacles`](crate::NavGrid::obstacles) contain at least one of these layers. Default: [`ObstacleLayers::ALL`].
    pub layers: ObstacleLayers,
    /// The kind of ground, for an area that does not block. Default: `None`, a solid obstacle.
    pub area: Option<NavArea>,
    /// Whether agents see and shoot across the obstacle. Default: `false`.
    pub is_transparent: bool,
}

impl Obstacle {
    /// An obstacle at the origin, on all layers.
    pub fn new(outline: impl Outline) -> Self {
        Self {
            outline: Arc::new(outline),
            pose: Isometry3d::IDENTITY,
            layers: ObstacleLayers::ALL,
            area: None,
            is_transparent: false,
        }
    }

    /// Lets agents see and shoot across the obstacle.
    pub fn transparent(mut self) -> Self {
        self.is_transparent = true;
        self
    }

    /// An area of ground at the origin, on all layers.
    pub fn area(area: NavArea, outline: impl Outline) -> Self {
        Self {
            area: Some(area),
            ..Self::new(outline)
        }
    }

    /// Sets position and rotation in the XY plane.
    pub fn at(self, pose: impl Into<Isometry2d>) -> Self {
        let pose = pose.into();
        let turn = Quat::from_rotation_z(pose.rotation.as_radians());
        self.in_space(Isometry3d::new(pose.translation.extend(0.0), turn))
    }

    /// Sets position and rotation in the world.
    pub fn in_space(mut self, pose: impl Into<Isometry3d>) -> Self {
        self.pose = pose.into();
        self
    }

    /// Sets the layers that the obstacle is on.
    pub fn with_layers(mut self, layers: impl Into<ObstacleLayers>) -> Self {
        self.layers = layers.into();
        self
    }

    /// Whether both obstacles are equal for a grid in `frame`. A change of height alone, such as for the drawing order
    /// of sprites, makes no difference to a grid.
    pub(crate) fn is_same_on(&self, frame: &NavFrame, other: &Self) -> bool {
        frame.pose_to_grid(self.pose) == frame.pose_to_grid(other.pose) && self.is_alike(other)
    }

    /// Whether a bake gives the same result for both. Physics writes poses in every frame, so rounding differences are
    /// ignored.
    fn is_same(&self, other: &Self) -> bool {
        is_still(&self.pose, &other.pose) && self.is_alike(other)
    }

    /// Whether both have the same outline, layers, and effect on bodies and on lines of sight.
    fn is_alike(&self, other: &Self) -> bool {
        let is_same_outline = || {
            ptr::addr_eq(Arc::as_ptr(&self.outline), Arc::as_ptr(&other.outline))
                || self.outline.is_same(&*other.outline)
        };
        let kind = |one: &Self| (one.layers, one.area, one.is_transparent);
        kind(self) == kind(other) && is_same_outline()
    }
}

impl fmt::Debug for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Obstacle")
            .field("pose", &self.pose)
            .field("layers", &self.layers)
            .field("area", &self.area)
            .finish_non_exhaustive()
    }
}

/// The latest state of each obstacle that changed since the last bake began. `None` means that the obstacle is gone.
pub(crate) type Edits = HashMap<ObstacleId, Option<Obstacle>>;

/// Every obstacle in its last observed state, on any layers.
///
/// A game can add obstacles of its own here. An obstacle that the game [`set`](Self::set)s stays until the game
/// [`forget`](Self::forget)s it, even if the entity is despawned. Changes made before
/// [`PursuitSystems::Observe`](crate::PursuitSystems::Observe) reach the grids in the same frame, later changes in the
/// next frame. With [`PlanMode::Inline`](crate::PlanMode::Inline), the same holds for ticks instead of frames.
///
/// Inserted by [`BakePlugin`](crate::plugins::BakePlugin).
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_pursuit::obstacle::{
///     ObservedObstacles, Obstacle, ObstacleId, ObstacleSource, Outline, Pieces,
/// };
///
/// const CRATERS: ObstacleSource = ObstacleSource("my_game::Crater");
///
/// struct Crater;
///
/// impl Outline for Crater {
///     fn add_to(&self, pieces: &mut Pieces) {
///         pieces.disc(Vec2::ZERO, 12.0);
///     }
/// }
///
/// fn explode(level: Entity, number: u32, at: Vec2, mut obstacles: ResMut<ObservedObstacles>) {
///     let id = ObstacleId::of(level, CRATERS).with_part(number);
///     obstacles.set(id, Obstacle::new(Crater).at(Isometry2d::from_translation(at)));
/// }
/// ```
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub struct ObservedObstacles {
    sources: BTreeMap<ObstacleSource, BTreeMap<ObstacleId, Obstacle>>,
    /// The changes that have not been passed to the grids yet, oldest first.
    changes: Vec<ObservedChange>,
}

/// An obstacle that appeared, changed or vanished.
#[derive(Clone)]
pub(crate) struct ObservedChange {
    pub(crate) id: ObstacleId,
    /// The old state; `None` if the obstacle is new.
    pub(crate) old: Option<Obstacle>,
    /// The new state; `None` if the obstacle is gone.
    pub(crate) now: Option<Obstacle>,
}

impl ObservedObstacles {
    /// Sets the state of an obstacle. If it equals the present state, nothing is baked.
    pub fn set(&mut self, id: ObstacleId, obstacle: Obstacle) {
        self.note(id, Some(obstacle));
    }

    /// Removes an obstacle. Does nothing if it does not exist.
    pub fn forget(&mut self, id: ObstacleId) {
        self.note(id, None);
    }

    /// Removes all parts of an entity from one source.
    pub fn forget_all(&mut self, entity: Entity, source: ObstacleSource) {
        let parts: Vec<ObstacleId> = self.of(entity, source).map(|(id, _)| *id).collect();
        parts.into_iter().for_each(|id| self.forget(id));
    }

    /// Records the state of an obstacle. `now` is `None` if the obstacle is gone.
    pub(crate) fn note(&mut self, id: ObstacleId, now: Option<Obstacle>) {
        let records = self.sources.entry(id.source).or_default();
        let old = match &now {
            Some(now) => records.insert(id, now.clone()),
            None => records.remove(&id),
        };
        let is_same = match (&old, &now) {
            (Some(old), Some(now)) => old.is_same(now),
            (old, now) => old.is_none() && now.is_none(),
        };
        if is_same {
            // Keep the state that was baked, so that many small moves add up to a change.
            records.extend(old.map(|old| (id, old)));
            return;
        }
        self.changes.push(ObservedChange { id, old, now });
    }

    /// The entities with an obstacle of this source. An entity with several parts occurs once per part.
    pub(crate) fn entities(&self, source: ObstacleSource) -> impl Iterator<Item = Entity> {
        let records = self.sources.get(&source).into_iter();
        records.flat_map(|records| records.keys().map(|id| id.entity))
    }

    /// The parts of an entity from one source.
    fn of(
        &self,
        entity: Entity,
        source: ObstacleSource,
    ) -> impl Iterator<Item = (&ObstacleId, &Obstacle)> {
        let first = ObstacleId::of(entity, source);
        let records = self.sources.get(&source).into_iter();
        records.flat_map(move |records| records.range(first..=first.with_part(u32::MAX)))
    }

    /// The layers that an entity's solid obstacles are on; `None` if it has none.
    pub(crate) fn layers_of(&self, entity: Entity) -> Option<ObstacleLayers> {
        let sources = self.sources.keys();
        let own = sources.flat_map(|source| self.of(entity, *source));
        let walls = own.filter(|(_, one)| one.area.is_none());
        walls.map(|(_, one)| one.layers).reduce(union)
    }

    /// Takes the changes since the last call.
    pub(crate) fn take_changes(&mut self) -> impl Iterator<Item = ObservedChange> {
        self.changes.drain(..)
    }

    fn all(&self) -> impl Iterator<Item = (&ObstacleId, &Obstacle)> {
        self.sources.values().flatten()
    }

    /// All obstacles on these layers, as edits of an empty grid.
    pub(crate) fn on(&self, layers: ObstacleLayers) -> Edits {
        let mine = self.all().filter(|(_, one)| layers.meet(one.layers.0));
        mine.map(|(id, one)| (*id, Some(one.clone()))).collect()
    }

    /// All obstacles that stop bodies.
    fn solid(&self) -> impl Iterator<Item = &Obstacle> {
        let solid = self.all().map(|(_, one)| one);
        solid.filter(|one| one.area.is_none())
    }

    /// Number of solid obstacles, on any layers.
    pub(crate) fn len(&self) -> usize {
        self.solid().count()
    }

    /// The layers that contain at least one solid obstacle.
    pub(crate) fn layers(&self) -> ObstacleLayers {
        let layers = self.solid().map(|one| one.layers);
        layers.fold(ObstacleLayers::NONE, union)
    }
}

impl MapEntities for ObservedObstacles {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let records = self.sources.values_mut();
        records.for_each(|records| map_keys(records, mapper));
        let ids = self.changes.iter_mut().map(|change| &mut change.id);
        ids.for_each(|id| id.map_entities(mapper));
    }
}

fn union(a: ObstacleLayers, b: ObstacleLayers) -> ObstacleLayers {
    ObstacleLayers(a.0 | b.0)
}

fn is_still(a: &Isometry3d, b: &Isometry3d) -> bool {
    if a == b {
        return true;
    }
    let size = a.translation.abs().max_element().max(1.0);
    // The numbers of a quaternion change by half of the angle. A negated quaternion is the same rotation.
    let [a_turn, b_turn] = [a.rotation, b.rotation].map(Vec4::from);
    let turned = (a_turn - b_turn).abs().min((a_turn + b_turn).abs());
    let turned = 2.0 * turned.max_element();
    (a.translation - b.translation).abs().max_element() <= MOVE_TOLERANCE * size
        && turned <= TURN_TOLERANCE_RADIANS
}

/// Position and rotation of an outline whose entity has this transform. The scale is part of the outline.
pub(crate) fn pose_of(transform: Option<&GlobalTransform>) -> Isometry3d {
    let placed = transform.copied().unwrap_or_default().compute_transform();
    Isometry3d::new(placed.translation, placed.rotation)
}
