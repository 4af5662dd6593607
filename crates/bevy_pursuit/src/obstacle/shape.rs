//! The shapes of obstacles without physics, scaled the way Rapier scales colliders.

use std::f32::consts::{PI, TAU};

use bevy::math::{DVec2, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::outline::{Outline, Pieces};
use crate::grid::convex_hull;

/// Outline of a [`NavObstacle`](crate::NavObstacle), relative to the entity's position. Lengths are in world
/// units.
///
/// A shape with a NaN or infinite number, or with a length below zero, is left out of the grids. A warning is logged
/// once per entity.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObstacleShape {
    /// A disc. With different scales in x and y it becomes a polygon, as in Rapier.
    Circle {
        /// Distance from the center to the edge. Finite, `>= 0.0`. Default: `8.0`.
        radius: f32,
    },
    /// A rectangle whose sides are parallel to the entity's own axes.
    Rectangle {
        /// Half the width and half the height. Finite, `>= 0.0`.
        half_size: Vec2,
    },
    /// A rectangle along the entity's own y-axis, with a half circle at each end.
    Capsule {
        /// Half the distance between the centers of the half circles. Finite, `>= 0.0`.
        half_length: f32,
        /// Radius of the half circles. Finite, `>= 0.0`.
        radius: f32,
    },
    /// The smallest convex polygon around some points, which may be in any order.
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

impl ObstacleShape {
    /// Describes an invalid number. `None` if all numbers are valid.
    pub(crate) fn flaw(&self) -> Option<String> {
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

    /// The outline at a scale. The numbers must be valid, and the scale finite.
    pub(crate) fn scaled(&self, scale: Vec2) -> ScaledShape {
        let factor = scale.x.abs();
        let is_uniform = factor == scale.y.abs();
        match self {
            Self::Circle { radius } if is_uniform => ScaledShape::Hull {
                points: vec![Vec2::ZERO],
                radius: radius * factor,
            },
            Self::Circle { radius } => polygon(arc(*radius, TAU), scale),
            Self::Rectangle { half_size } => ScaledShape::Rectangle {
                half_size: *half_size * scale.abs(),
            },
            Self::Capsule {
                half_length,
                radius,
            } => {
                let (low, high) = (Vec2::NEG_Y * *half_length, Vec2::Y * *half_length);
                if is_uniform {
                    return ScaledShape::Hull {
                        points: vec![low * factor, high * factor],
                        radius: radius * factor,
                    };
                }
                let upper = arc(*radius, PI).into_iter().map(|point| point + high);
                polygon(upper.flat_map(|point| [point, -point]).collect(), scale)
            }
            Self::ConvexPolygon { points } => scaled_hull(points, scale),
        }
    }
}

/// A shape at a scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScaledShape {
    Hull { points: Vec<Vec2>, radius: f32 },
    Rectangle { half_size: Vec2 },
}

impl ScaledShape {
    fn polygon(points: Vec<Vec2>) -> Self {
        let radius = 0.0;
        Self::Hull { points, radius }
    }
}

impl Outline for ScaledShape {
    fn add_to(&self, pieces: &mut Pieces) {
        match self {
            Self::Hull { points, radius } => pieces.hull(points, *radius),
            Self::Rectangle { half_size } => pieces.rectangle(Vec2::ZERO, *half_size, 0.0),
        }
    }
}

/// Number of segments into which Rapier cuts a circle or a half circle that is scaled to an ellipse.
const SUBDIVISIONS: u8 = 10;

/// Points of an arc around the origin that starts at the x-axis and spans `angle` radians, without the arc's end.
fn arc(radius: f32, angle: f32) -> Vec<Vec2> {
    let step = angle / f32::from(SUBDIVISIONS);
    let mut now = 0.0_f32;
    let mut points = Vec::with_capacity(SUBDIVISIONS.into());
    for _ in 0..SUBDIVISIONS {
        points.push(Vec2::new(now.cos() * radius, now.sin() * radius));
        now += step;
    }
    points
}

/// The convex hull of `points`, multiplied by `scale`. Like Rapier, this function first drops corners that are almost
/// flat, and then scales.
fn scaled_hull(points: &[Vec2], scale: Vec2) -> ScaledShape {
    let Some(corners) = without_flat_corners(hull(points, Vec2::ONE)) else {
        return longest_line(&hull(points, scale));
    };
    let corners = hull(&corners, scale);
    match corners.len() > 2 && normals(&corners).is_some() {
        true => ScaledShape::polygon(corners),
        false => longest_line(&corners),
    }
}

/// The convex hull of `points` multiplied by `scale`.
fn polygon(points: Vec<Vec2>, scale: Vec2) -> ScaledShape {
    let corners = hull(&points, scale);
    without_flat_corners(corners.clone())
        .map_or_else(|| longest_line(&corners), ScaledShape::polygon)
}

fn hull(points: &[Vec2], scale: Vec2) -> Vec<Vec2> {
    let scaled: Vec<DVec2> = points.iter().map(|p| (*p * scale).as_dvec2()).collect();
    let corners = convex_hull(&scaled);
    corners.iter().map(|corner| corner.as_vec2()).collect()
}

/// The normals of a polygon's sides; `None` if a side has no length.
fn normals(corners: &[Vec2]) -> Option<Vec<Vec2>> {
    let ends = corners.iter().cycle().skip(1);
    let normal = |(from, to): (&Vec2, &Vec2)| (-(to - from).perp()).try_normalize();
    corners.iter().zip(ends).map(normal).collect()
}

/// A convex polygon without its almost flat corners. Parry's `ConvexPolygon::from_convex_polyline` drops these corners
/// as well. `None` if fewer than three corners remain, or a side has no length.
fn without_flat_corners(corners: Vec<Vec2>) -> Option<Vec<Vec2>> {
    let straight = 1.0 - f32::EPSILON.sqrt();
    let normals = normals(&corners)?;
    let before = normals.last().into_iter().chain(&normals);
    let sides = corners.into_iter().zip(&normals).zip(before);
    let turns = sides.filter(|((_, after), before)| after.dot(**before) <= straight);
    let turns: Vec<Vec2> = turns.map(|((corner, _), _)| corner).collect();
    (turns.len() > 2).then_some(turns)
}

/// The line between the outermost corners of a polygon that is almost flat. Corners are compared by x, then by y.
fn longest_line(corners: &[Vec2]) -> ScaledShape {
    let before = |a: &&Vec2, b: &&Vec2| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
    let first = corners.iter().min_by(before).copied().unwrap_or_default();
    let last = corners.iter().max_by(before).copied().unwrap_or_default();
    ScaledShape::polygon(vec![first, last])
}
