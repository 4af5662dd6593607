//! Obstacles without physics.

use bevy::ecs::component::Component;
use bevy::ecs::entity::{Entity, EntityHashMap, EntityHashSet};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::lifecycle::RemovedComponents;
use bevy::ecs::prelude::ReflectComponent;
use bevy::ecs::query::{Added, Changed, Or, With};
use bevy::ecs::system::{Local, Query, Res, ResMut, SystemParam};
use bevy::log::warn;
use bevy::math::{DVec2, Vec2, Vec3Swizzles};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use bevy::transform::components::{GlobalTransform, Transform};
use bevy_rapier2d::geometry::get_snapped_scale;
use bevy_rapier2d::parry::shape::{Ball, Capsule, ConvexPolygon, SharedShape};

use super::carriers::{Bodies, Carrier, Carriers};
use super::colliders::{DEFAULT_SUBDIVISIONS, pose_of};
use super::frames::Attendance;
use super::record::{ObservedObstacles, Obstacle, Source};
use crate::grid::{ObstacleLayers, convex_hull};

/// An obstacle for paths that needs no physics: nothing bumps into it, but agents walk around it.
///
/// It stands where the entity's [`GlobalTransform`] says, turned and scaled with it, and follows
/// each change. It is an obstacle for the [`NavGrid`](crate::NavGrid)s whose
/// [`obstacles`](crate::NavGrid::obstacles) meet its [`layers`](Self::layers), unless the
/// entity is `Disabled`, or is on or below a [`NavAgent`](crate::NavAgent). Works
/// with and without Rapier's plugin.
///
/// Lengths are in **world units** before the scale. Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct NavObstacle {
    /// Its outline. Everything inside is blocked.
    ///
    /// Default: a circle.
    pub shape: ObstacleShape,
    /// The layers that it is on.
    ///
    /// Default: [`ObstacleLayers::ALL`].
    pub layers: ObstacleLayers,
}

/// Outline of a [`NavObstacle`], around the entity's position. Lengths are in world units.
///
/// A shape with a number that is not finite, or a length below zero, is left out of the grids. The
/// log says so once.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObstacleShape {
    /// A disc. With a scale that differs between x and y it becomes a polygon, as in Rapier.
    Circle {
        /// Distance from the center to the edge. Finite, `>= 0.0`. Default: `8.0`.
        radius: f32,
    },
    /// A rectangle whose sides are along the entity's own axes.
    Rectangle {
        /// Half the width and half the height. Finite, `>= 0.0`.
        half_size: Vec2,
    },
    /// A rectangle along the entity's own y-axis with a half circle at each end.
    Capsule {
        /// Half the distance between the centers of the half circles. Finite, `>= 0.0`.
        half_length: f32,
        /// Radius of the half circles. Finite, `>= 0.0`.
        radius: f32,
    },
    /// The smallest convex polygon around some points, which may come in any order.
    ConvexPolygon {
        /// The points, relative to the entity. Finite, at least one.
        points: Vec<Vec2>,
    },
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Circle { radius: 8.0 }
    }
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

    /// A rectangle of `half_size` times two around the entity's position.
    pub fn rectangle(half_size: Vec2) -> Self {
        Self::new(ObstacleShape::Rectangle { half_size })
    }

    /// A capsule along the entity's y-axis. `half_length` does not count the round ends.
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

    /// Sets the layers that it is on: Rapier's `Group`, or [`ObstacleLayers`].
    pub fn with_layers(mut self, layers: impl Into<ObstacleLayers>) -> Self {
        self.layers = layers.into();
        self
    }
}

impl ObstacleShape {
    /// What is wrong with the numbers, if something is.
    fn flaw(&self) -> Option<String> {
        let is_length = |length: f32| length.is_finite() && length >= 0.0;
        let length = |name: &str, value: f32| {
            (!is_length(value)).then(|| format!("{name} must be finite and >= 0, got {value}"))
        };
        match self {
            Self::Circle { radius } => length("radius", *radius),
            Self::Rectangle { half_size } => {
                length("half_size.x", half_size.x).or_else(|| length("half_size.y", half_size.y))
            }
            Self::Capsule {
                half_length,
                radius,
            } => length("half_length", *half_length).or_else(|| length("radius", *radius)),
            Self::ConvexPolygon { points } if points.is_empty() => {
                Some("a polygon needs at least one point".to_string())
            }
            Self::ConvexPolygon { points } => {
                let bad = points.iter().find(|point| !point.is_finite());
                bad.map(|point| format!("points must be finite, got {point}"))
            }
        }
    }

    /// The shape in the world, made as Rapier makes it. The numbers must be without flaw, and the
    /// scale finite.
    fn scaled(&self, scale: Vec2) -> SharedShape {
        let factor = scale.x.abs();
        let is_uniform = factor == scale.y.abs();
        match self {
            Self::Circle { radius } if is_uniform => SharedShape::ball(radius * factor),
            Self::Circle { radius } => {
                polygon(&Ball::new(*radius).to_polyline(DEFAULT_SUBDIVISIONS), scale)
            }
            Self::Rectangle { half_size } => {
                let half = *half_size * scale.abs();
                SharedShape::cuboid(half.x, half.y)
            }
            Self::Capsule {
                half_length,
                radius,
            } => {
                let (low, high) = (Vec2::NEG_Y * *half_length, Vec2::Y * *half_length);
                if is_uniform {
                    return SharedShape::capsule(low * factor, high * factor, radius * factor);
                }
                let capsule = Capsule::new(low, high, *radius);
                polygon(&capsule.to_polyline(DEFAULT_SUBDIVISIONS), scale)
            }
            Self::ConvexPolygon { points } => scaled_hull(points, scale),
        }
    }
}

/// The convex hull of `points`, times `scale`. Rapier leaves out corners that are hardly any, and
/// scales afterwards.
fn scaled_hull(points: &[Vec2], scale: Vec2) -> SharedShape {
    match ConvexPolygon::from_convex_polyline(hull(points, Vec2::ONE)) {
        Some(polygon) => {
            let corners = hull(polygon.points(), scale);
            let scaled = SharedShape::convex_polyline_unmodified(corners.clone());
            scaled.unwrap_or_else(|| longest_line(&corners))
        }
        None => longest_line(&hull(points, scale)),
    }
}

/// The convex hull of `points` times `scale`.
fn polygon(points: &[Vec2], scale: Vec2) -> SharedShape {
    let corners = hull(points, scale);
    let polygon = SharedShape::convex_polyline(corners.clone());
    polygon.unwrap_or_else(|| longest_line(&corners))
}

fn hull(points: &[Vec2], scale: Vec2) -> Vec<Vec2> {
    let scaled: Vec<DVec2> = points.iter().map(|p| (*p * scale).as_dvec2()).collect();
    let corners = convex_hull(&scaled);
    corners.iter().map(|corner| corner.as_vec2()).collect()
}

/// What is left of a polygon that is as good as flat, which parry refuses.
fn longest_line(corners: &[Vec2]) -> SharedShape {
    let before = |a: &&Vec2, b: &&Vec2| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
    let first = corners.iter().min_by(before).copied().unwrap_or_default();
    let last = corners.iter().max_by(before).copied().unwrap_or_default();
    SharedShape::segment(first, last)
}

/// Names the obstacles that may count differently than before.
#[derive(SystemParam)]
pub(in crate::bake) struct ObstacleChanges<'w, 's> {
    changed: Query<
        'w,
        's,
        Entity,
        (
            With<NavObstacle>,
            Or<(Changed<NavObstacle>, Changed<GlobalTransform>)>,
        ),
    >,
    disabled: Query<'w, 's, Entity, (With<NavObstacle>, With<Disabled>, Added<Disabled>)>,
    removed: RemovedComponents<'w, 's, NavObstacle>,
    removed_transform: RemovedComponents<'w, 's, GlobalTransform>,
    enabled: RemovedComponents<'w, 's, Disabled>,
}

impl ObstacleChanges<'_, '_> {
    fn collect_into(&mut self, touched: &mut EntityHashSet) {
        touched.extend(&self.changed);
        touched.extend(&self.disabled);
        touched.extend(self.removed.read());
        touched.extend(self.removed_transform.read());
        touched.extend(self.enabled.read());
    }
}

/// Makes obstacles of components, and remembers what it made.
#[derive(Default)]
pub(in crate::bake) struct Made {
    shapes: EntityHashMap<(ObstacleShape, Vec2, SharedShape)>,
    /// Those that the log spoke of.
    refused: EntityHashSet,
}

impl Made {
    /// `None` if a number makes no sense, which is said once.
    fn obstacle(
        &mut self,
        entity: Entity,
        obstacle: &NavObstacle,
        transform: Option<&GlobalTransform>,
    ) -> Option<Obstacle> {
        let placed = transform.copied().unwrap_or_default().compute_transform();
        let scale = get_snapped_scale(placed.scale.xy());
        let flaw = obstacle.shape.flaw().or_else(|| {
            let is_finite = placed.is_finite() && scale.is_finite();
            (!is_finite).then(|| "its transform must be finite".to_string())
        });
        if let Some(flaw) = flaw {
            self.shapes.remove(&entity);
            if self.refused.insert(entity) {
                warn!("NavObstacle {entity} is left out of the navigation grids: {flaw}");
            }
            return None;
        }
        // Scaled to nothing, as before it grows.
        if scale.x == 0.0 && scale.y == 0.0 {
            return None;
        }
        let known = self.shapes.get(&entity);
        let known = known.filter(|known| known.0 == obstacle.shape && known.1 == scale);
        let shape = match known {
            Some((.., shape)) => shape.clone(),
            None => {
                let shape = obstacle.shape.scaled(scale);
                let made = (obstacle.shape.clone(), scale, shape.clone());
                self.shapes.insert(entity, made);
                shape
            }
        };
        Some(Obstacle {
            shape,
            pose: pose_of(transform),
            layers: obstacle.layers.0,
        })
    }

    fn forget(&mut self, entity: Entity) {
        self.shapes.remove(&entity);
        self.refused.remove(&entity);
    }
}

/// Whether there is any, or was.
pub(in crate::bake) fn any_nav_obstacle(
    obstacles: Query<(), With<NavObstacle>>,
    observed: Res<ObservedObstacles>,
) -> bool {
    !obstacles.is_empty() || observed.entities(Source::NavObstacle).next().is_some()
}

/// Keeps the records of all [`NavObstacle`]s. After a pause it compares them all with the world.
pub(in crate::bake) fn observe_nav_obstacles(
    mut attendance: Attendance,
    mut changes: ObstacleChanges,
    obstacles: Query<(Entity, &NavObstacle, Option<&GlobalTransform>)>,
    bodies: Bodies,
    carriers: Res<Carriers>,
    mut observed: ResMut<ObservedObstacles>,
    mut made: Local<Made>,
    mut touched: Local<EntityHashSet>,
) {
    changes.collect_into(&mut touched);
    touched.extend(&carriers.touched);
    if attendance.missed_a_frame() {
        touched.extend(obstacles.iter().map(|(entity, ..)| entity));
        touched.extend(observed.entities(Source::NavObstacle));
    }
    for entity in touched.drain() {
        let now = match obstacles.get(entity) {
            Ok((_, obstacle, transform)) => {
                let is_free = bodies.carrier(entity, &carriers) != Carrier::Excluded;
                is_free
                    .then(|| made.obstacle(entity, obstacle, transform))
                    .flatten()
            }
            Err(_) => {
                made.forget(entity);
                None
            }
        };
        observed.set(Source::NavObstacle, entity, now);
    }
}
