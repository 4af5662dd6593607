//! The plane of a grid: where it lies in the world, and the conversion of coordinates.

use bevy::prelude::*;

/// Tolerance for the axes of a frame: the lengths of the axes may differ from 1 by this much, and the cosine of the
/// angle between them from 0.
const AXIS_TOLERANCE: f32 = 1e-3;

/// Coordinate frame of a grid: its origin in the world, and the directions of its two axes.
///
/// It belongs on the entity of a [`NavGrid`](crate::NavGrid), whose bounds and cells are in these coordinates.
/// The default is the plane of 2D games; a 3D game with its ground on X and Z uses [`XZ`](Self::XZ).
///
/// The height of agents and walls above or below the plane is ignored. If grids lie above one another, an agent uses
/// the grid whose plane is nearest, unless [`OnGrid`](crate::OnGrid) names one; put the obstacles of each floor on
/// layers of their own. Agents with a Rapier body use grids in the XY plane, the only plane of 2D physics; these grids
/// may be moved and turned within the plane.
///
/// Written by the user. A frame is meant for levels, not for ships: when it changes, the whole grid is baked again, and
/// agents stand until they have new paths.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::{NavFrame, NavGrid};
/// # fn setup(mut commands: Commands) {
/// let ground = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(50.0));
/// commands.spawn((NavGrid::covering(ground).with_cell_size(0.5), NavFrame::XZ));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavFrame {
    /// World position of the grid's point (0, 0), in world units. Finite. Default: the world's origin.
    pub origin: Vec3,
    /// Direction in which the first coordinate grows. Length 1. Default: [`Vec3::X`].
    pub x: Vec3,
    /// Direction in which the second coordinate grows. Length 1, at a right angle to the first. Default:
    /// [`Vec3::Y`].
    pub y: Vec3,
}

impl NavFrame {
    /// The plane of 2D games: grid coordinates are the world's x and y.
    pub const XY: Self = Self {
        origin: Vec3::ZERO,
        x: Vec3::X,
        y: Vec3::Y,
    };

    /// The ground of 3D games: the second coordinate is the world's z.
    pub const XZ: Self = Self {
        origin: Vec3::ZERO,
        x: Vec3::X,
        y: Vec3::Z,
    };

    /// Moves the frame, so that the grid's point (0, 0) is at `origin`.
    pub const fn at(mut self, origin: Vec3) -> Self {
        self.origin = origin;
        self
    }

    /// Turns the frame about its origin, from the first axis toward the second.
    pub fn turned(mut self, by: impl Into<Rot2>) -> Self {
        let Rot2 { cos, sin } = by.into();
        (self.x, self.y) = (self.x * cos + self.y * sin, self.y * cos - self.x * sin);
        self
    }

    /// Converts a point from grid to world coordinates.
    pub fn to_world(&self, point: Vec2) -> Vec3 {
        self.origin + self.direction_to_world(point)
    }

    /// Converts a direction or a velocity from grid to world coordinates.
    pub fn direction_to_world(&self, direction: Vec2) -> Vec3 {
        self.x * direction.x + self.y * direction.y
    }

    /// Converts a point from world to grid coordinates. The height of the point above the plane is dropped.
    pub fn to_grid(&self, point: Vec3) -> Vec2 {
        self.direction_to_grid(point - self.origin)
    }

    /// Converts a direction or a velocity from world to grid coordinates. The component along the plane's normal is
    /// dropped.
    pub fn direction_to_grid(&self, direction: Vec3) -> Vec2 {
        Vec2::new(self.x.dot(direction), self.y.dot(direction))
    }

    /// Converts a pose to grid coordinates. Of its rotation, only the angle about the plane's normal is kept.
    pub(crate) fn pose_to_grid(&self, pose: Isometry3d) -> Isometry2d {
        let at = self.to_grid(pose.translation.into());
        let normal = self.x.cross(self.y);
        if normal.z > 1.0 - AXIS_TOLERANCE {
            // The plane of 2D physics. Rapier also uses this angle for a rotation about another axis.
            let angle = pose.rotation.to_scaled_axis().z - self.x.y.atan2(self.x.x);
            let (sin, cos) = angle.sin_cos();
            return Isometry2d::new(at, Rot2 { cos, sin });
        }
        // A pose without a rotation has the world's x and y axes, tilted into this plane along the shortest arc.
        let laid = Quat::from_rotation_arc(Vec3::Z, normal.normalize_or(Vec3::Z));
        let axis = self.direction_to_grid(pose.rotation * (laid * Vec3::X));
        let axis = axis.try_normalize().unwrap_or(Vec2::X);
        let [cos, sin] = axis.to_array();
        Isometry2d::new(at, Rot2 { cos, sin })
    }

    /// All numbers as bits, so that NaN equals itself.
    pub(crate) fn bits(&self) -> [u32; 9] {
        let [a, b, c] = [self.origin, self.x, self.y].map(|part| part.to_array());
        let all = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        all.map(f32::to_bits)
    }

    /// Distance between a point of the world and the plane, in world units.
    pub(crate) fn height(&self, point: Vec3) -> f32 {
        (point - self.origin).dot(self.x.cross(self.y)).abs()
    }

    /// Whether the origin is finite, and the axes have length 1 and are at a right angle.
    pub(crate) fn is_valid(&self) -> bool {
        let is_unit = |axis: Vec3| (axis.length() - 1.0).abs() <= AXIS_TOLERANCE;
        let is_right = self.x.dot(self.y).abs() <= AXIS_TOLERANCE;
        // The XY plane seen from behind would mirror all outlines.
        let is_mirrored = self.x.cross(self.y).z < AXIS_TOLERANCE - 1.0;
        let is_plane = is_unit(self.x) && is_unit(self.y) && is_right && !is_mirrored;
        self.origin.is_finite() && is_plane
    }
}

/// A [`NavFrame`] with a fast test for the XY plane, in which most grids lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridPlane {
    frame: NavFrame,
    /// Whether the frame is [`NavFrame::XY`].
    is_xy: bool,
}

#[expect(
    clippy::wrong_self_convention,
    reason = "the type is large, so methods borrow it, although it is `Copy` for its owners"
)]
impl GridPlane {
    pub(crate) const XY: Self = Self {
        frame: NavFrame::XY,
        is_xy: true,
    };

    pub(crate) fn frame(&self) -> &NavFrame {
        &self.frame
    }

    pub(crate) fn is_xy(&self) -> bool {
        self.is_xy
    }

    /// Whether this is the XY plane, which may be moved, and turned about its normal.
    pub(crate) fn is_flat_in_xy(&self) -> bool {
        self.is_xy() || self.frame.x.cross(self.frame.y).z > 1.0 - AXIS_TOLERANCE
    }

    #[inline]
    pub(crate) fn to_grid(&self, point: Vec3) -> Vec2 {
        if self.is_xy() {
            return point.xy();
        }
        self.frame.to_grid(point)
    }

    #[inline]
    pub(crate) fn direction_to_grid(&self, direction: Vec3) -> Vec2 {
        if self.is_xy() {
            return direction.xy();
        }
        self.frame.direction_to_grid(direction)
    }

    #[inline]
    pub(crate) fn to_world(&self, point: Vec2) -> Vec3 {
        if self.is_xy() {
            return point.extend(0.0);
        }
        self.frame.to_world(point)
    }

    #[inline]
    pub(crate) fn direction_to_world(&self, direction: Vec2) -> Vec3 {
        if self.is_xy() {
            return direction.extend(0.0);
        }
        self.frame.direction_to_world(direction)
    }
}

impl From<NavFrame> for GridPlane {
    fn from(frame: NavFrame) -> Self {
        let is_xy = frame == NavFrame::XY;
        Self { frame, is_xy }
    }
}

impl Default for GridPlane {
    fn default() -> Self {
        Self::XY
    }
}

impl PartialEq for GridPlane {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_xy == other.is_xy && (self.is_xy || self.frame == other.frame)
    }
}

impl Default for NavFrame {
    fn default() -> Self {
        Self::XY
    }
}

/// A position in the world, as games store it: a `Vec3`, or a `Vec2` for a point in the world's XY plane. The frame of
/// the grid does not matter.
pub trait WorldPoint: Copy {
    /// Converts the position to three dimensions.
    fn in_world(self) -> Vec3;
    /// Converts a point of the world to this type. A `Vec2` drops the z coordinate.
    fn from_world(point: Vec3) -> Self;
}

impl WorldPoint for Vec3 {
    fn in_world(self) -> Vec3 {
        self
    }

    fn from_world(point: Vec3) -> Self {
        point
    }
}

impl WorldPoint for Vec2 {
    fn in_world(self) -> Vec3 {
        self.extend(0.0)
    }

    fn from_world(point: Vec3) -> Self {
        point.xy()
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_6;

    use super::*;

    #[test]
    fn points_and_directions_survive_a_round_trip_to_the_world() {
        let frames = [
            NavFrame::XY,
            NavFrame::XZ,
            NavFrame::XZ.at(Vec3::new(3.0, -7.0, 11.0)),
            NavFrame::XY
                .at(Vec3::new(100.0, 20.0, 5.0))
                .turned(FRAC_PI_6),
            NavFrame::XZ.turned(2.0),
        ];
        for frame in frames {
            assert!(frame.is_valid(), "{frame:?}");
            for point in [Vec2::ZERO, Vec2::new(3.0, -4.0)] {
                let far = frame.to_world(point) + 9.0 * frame.x.cross(frame.y);
                assert!(frame.to_grid(far).distance(point) < 1e-4, "{frame:?}");
                let back = frame.direction_to_grid(frame.direction_to_world(point));
                assert!(back.distance(point) < 1e-4, "{frame:?}");
            }
        }
        assert_eq!(
            NavFrame::XY.to_grid(Vec3::new(0.1, 0.7, 3.0)),
            Vec2::new(0.1, 0.7)
        );
    }

    #[test]
    fn invalid_axes_are_refused() {
        let short = NavFrame {
            x: Vec3::X * 0.5,
            ..NavFrame::XY
        };
        let skew = NavFrame {
            x: Vec3::Y,
            ..NavFrame::XY
        };
        let mirrored = NavFrame {
            y: Vec3::NEG_Y,
            ..NavFrame::XY
        };
        let nowhere = NavFrame::XY.at(Vec3::NAN);
        for frame in [short, skew, mirrored, nowhere] {
            assert!(!frame.is_valid(), "{frame:?}");
        }
    }

    #[test]
    fn world_rotations_become_rotations_in_the_plane() {
        let turned = Isometry3d::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_z(0.5));
        let pose = NavFrame::XY.pose_to_grid(turned);
        assert!((pose.rotation.as_radians() - 0.5).abs() < 1e-6);
        // A grid with the same rotation sees no rotation.
        let pose = NavFrame::XY.turned(0.5).pose_to_grid(turned);
        assert!(pose.rotation.as_radians().abs() < 1e-6);
        // In the XZ plane, only the rotation about the vertical axis matters. The angle is measured from x to z.
        let placed = |rotation| Isometry3d::new(Vec3::new(1.0, 2.0, 3.0), rotation);
        let pose = NavFrame::XZ.pose_to_grid(placed(Quat::IDENTITY));
        assert_eq!(pose.translation, Vec2::new(1.0, 3.0));
        assert!(pose.rotation.as_radians().abs() < 1e-6);
        let pose = NavFrame::XZ.pose_to_grid(placed(Quat::from_rotation_y(0.5)));
        assert!((pose.rotation.as_radians() + 0.5).abs() < 1e-6);
    }
}
