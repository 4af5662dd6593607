//! The component for obstacles without physics, and the system that observes it.

use std::sync::Arc;

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::prelude::*;

use super::carriers::{Carriers, CarryingAgents};
use super::changes::ObstacleChanges;
use super::missed_frames::MissedFrames;
use super::outline::Outline;
use super::record::{ObservedObstacles, Obstacle, ObstacleId, ObstacleSource, pose_of};
use super::shape::ObstacleShape;
use crate::grid::ObstacleLayers;
use crate::ground::{NavArea, TransparentObstacle};

/// The source of [`NavObstacle`]s.
const SOURCE: ObstacleSource = ObstacleSource("NavObstacle");

/// An obstacle for paths that needs no physics: nothing collides with it, but agents walk around it.
///
/// The obstacle follows every change of the entity's [`GlobalTransform`], including rotation and scale. The obstacle
/// blocks the [`NavGrid`](crate::NavGrid)s whose [`obstacles`](crate::NavGrid::obstacles) contain at least one of its
/// [`layers`](Self::layers), unless the entity is `Disabled`, is on or below a [`NavAgent`](crate::NavAgent), or
/// belongs to a moving body that is chased. `NavObstacle` needs no plugin of Rapier.
///
/// The outline is in the plane of the grid. On the ground of a 3D game, [`NavFrame::XZ`](crate::NavFrame::XZ), the
/// outline's y-axis runs along the world's z-axis, but the outline is still multiplied by the y of the entity's scale.
/// So keep the scale of such an entity at 1.
///
/// Lengths are in **world units** before scaling. Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct NavObstacle {
    /// The outline. Everything inside the outline is blocked.
    ///
    /// Default: a circle.
    pub shape: ObstacleShape,
    /// The layers that the obstacle is on.
    ///
    /// Default: [`ObstacleLayers::ALL`].
    pub layers: ObstacleLayers,
}

impl NavObstacle {
    /// An obstacle of this shape, on all layers.
    pub fn new(shape: ObstacleShape) -> Self {
        Self {
            shape,
            layers: ObstacleLayers::ALL,
        }
    }

    /// A disc around the entity's position.
    pub fn circle(radius: f32) -> Self {
        Self::new(ObstacleShape::Circle { radius })
    }

    /// A rectangle around the entity's position, given **half** of its width and height, like Rapier's
    /// `Collider::cuboid`.
    pub fn rectangle(half_size: Vec2) -> Self {
        Self::new(ObstacleShape::Rectangle { half_size })
    }

    /// A capsule along the entity's y-axis. `half_length` does not include the round ends.
    pub fn capsule(half_length: f32, radius: f32) -> Self {
        Self::new(ObstacleShape::Capsule {
            half_length,
            radius,
        })
    }

    /// The smallest convex polygon around `points`, which are relative to the entity.
    pub fn convex_polygon(points: impl Into<Vec<Vec2>>) -> Self {
        let points = points.into();
        Self::new(ObstacleShape::ConvexPolygon { points })
    }

    /// Sets the layers that the obstacle is on: Rapier's `Group`, or [`ObstacleLayers`].
    pub fn with_layers(mut self, layers: impl Into<ObstacleLayers>) -> Self {
        self.layers = layers.into();
        self
    }
}

/// Creates obstacles from components, and caches their outlines.
#[derive(Default)]
pub(crate) struct OutlineCache {
    outlines: EntityHashMap<(ObstacleShape, Vec2, Arc<dyn Outline>)>,
    /// Entities with an invalid number, for which a warning was logged.
    refused: EntityHashSet,
}

impl OutlineCache {
    /// Creates an obstacle. `None` if a number is invalid, which is logged once per entity, or if the scale is
    /// zero.
    fn obstacle(
        &mut self,
        entity: Entity,
        obstacle: &NavObstacle,
        transform: Option<&GlobalTransform>,
        (area, is_transparent): (Option<&NavArea>, bool),
    ) -> Option<Obstacle> {
        let placed = transform.copied().unwrap_or_default().compute_transform();
        let scale = snapped(placed.scale.xy());
        let flaw = obstacle.shape.flaw().or_else(|| {
            let is_finite = placed.is_finite() && scale.is_finite();
            (!is_finite).then(|| "its transform must be finite".to_string())
        });
        if let Some(flaw) = flaw {
            self.outlines.remove(&entity);
            if self.refused.insert(entity) {
                warn!("NavObstacle {entity} is left out of the navigation grids: {flaw}");
            }
            return None;
        }
        // An obstacle that is scaled to nothing may grow later, so this is not an error.
        if scale.x == 0.0 && scale.y == 0.0 {
            return None;
        }
        let known = self.outlines.get(&entity);
        let known = known.filter(|known| known.0 == obstacle.shape && known.1 == scale);
        let outline = match known {
            Some((.., outline)) => Arc::clone(outline),
            None => {
                let outline: Arc<dyn Outline> = Arc::new(obstacle.shape.scaled(scale));
                let entry = (obstacle.shape.clone(), scale, Arc::clone(&outline));
                self.outlines.insert(entity, entry);
                outline
            }
        };
        Some(Obstacle {
            outline,
            pose: pose_of(transform),
            layers: obstacle.layers,
            area: area.copied(),
            is_transparent,
        })
    }

    fn forget(&mut self, entity: Entity) {
        self.outlines.remove(&entity);
        self.refused.remove(&entity);
    }
}

/// Updates the records of [`NavObstacle`]s that changed. If this system did not run in the previous frame, it compares
/// all records with the world.
pub(crate) fn observe_nav_obstacles(
    mut missed_frames: MissedFrames,
    mut changes: ObstacleChanges<NavObstacle, Changed<NavObstacle>>,
    obstacles: Query<(
        Entity,
        &NavObstacle,
        Option<&GlobalTransform>,
        (Option<&NavArea>, Has<TransparentObstacle>),
    )>,
    agents: CarryingAgents,
    carriers: Res<Carriers>,
    mut observed: ResMut<ObservedObstacles>,
    mut cache: Local<OutlineCache>,
    mut touched: Local<EntityHashSet>,
) {
    if obstacles.is_empty() && observed.entities(SOURCE).next().is_none() {
        return;
    }
    changes.collect_into(&mut touched, &EntityHashSet::new());
    touched.extend(&carriers.touched);
    if missed_frames.any() {
        touched.extend(obstacles.iter().map(|(entity, ..)| entity));
        touched.extend(observed.entities(SOURCE));
    }
    for entity in touched.drain() {
        let now = match obstacles.get(entity) {
            Ok(_) if agents.carry(entity, &carriers) => None,
            Ok((_, obstacle, transform, kind)) => cache.obstacle(entity, obstacle, transform, kind),
            Err(_) => {
                cache.forget(entity);
                None
            }
        };
        observed.note(ObstacleId::of(entity, SOURCE), now);
    }
}

/// A scale from a matrix, rounded to four decimal places, as in Rapier, to remove rounding errors.
fn snapped(scale: Vec2) -> Vec2 {
    (scale * 1e4).map(f32::round) / 1e4
}
