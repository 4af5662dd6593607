//! Where the plane of a grid lies in the world.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::{Isometry2d, Isometry3d, Quat, Rot2, Vec2, Vec3, Vec3Swizzles};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// How far from 1 the lengths of the axes, and from 0 the cosine between them, may be.
const SKEW: f32 = 1e-3;

/// Where a grid lies in the world: an origin, and the directions in which its two coordinates grow.
///
/// On the entity of a [`NavGrid`](crate::NavGrid), whose bounds are in this frame, as its cells are. By default that is the
/// plane of 2D games. A 3D game with its ground on X and Z takes
/// [`XZ`](Self::XZ). All that is walked, planned and baked there lies in the plane: how far above or below it something is
/// does not count.
///
/// A grid whose frame changes is baked again as a whole. Agents with a Rapier body go by grids in the plane of X and Y, which
/// is the one that 2D physics knows; their grids may be moved and turned in it. Written by the user.
///
/// Height does not count for walls. Of grids above one another an agent takes the one whose plane is nearest, unless
/// [`OnGrid`](crate::OnGrid) names one; put the obstacles of each storey on layers of their own. A frame is for levels, not
/// for ships: where it changes, agents stand until they have new paths.
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
    /// Where (0, 0) of the grid is, in world units. Finite. Default: the origin.
    pub origin: Vec3,
    /// Direction in which the first coordinate grows. Of length 1. Default: [`Vec3::X`].
    pub x: Vec3,
    /// Direction in which the second coordinate grows. Of length 1, at a right angle to the first. Default: [`Vec3::Y`].
    pub y: Vec3,
}

impl NavFrame {
    /// The plane of 2D games: a point of the grid has the x and y that it has in the world.
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

    /// The same, with (0, 0) somewhere else.
    pub const fn at(mut self, origin: Vec3) -> Self {
        self.origin = origin;
        self
    }

    /// The same, turned about its origin, from the first axis to the second.
    pub fn turned(mut self, by: impl Into<Rot2>) -> Self {
        let Rot2 { cos, sin } = by.into();
        (self.x, self.y) = (self.x * cos + self.y * sin, self.y * cos - self.x * sin);
        self
    }

    /// Where a point of the grid is in the world.
    pub fn to_world(&self, point: Vec2) -> Vec3 {
        self.origin + self.direction_to_world(point)
    }

    /// A direction or a velocity on the grid, in the world.
    pub fn direction_to_world(&self, direction: Vec2) -> Vec3 {
        self.x * direction.x + self.y * direction.y
    }

    /// The point of the grid below or above a point of the world.
    pub fn to_grid(&self, point: Vec3) -> Vec2 {
        self.direction_to_grid(point - self.origin)
    }

    /// A direction or a velocity in the world, as seen on the grid.
    pub fn direction_to_grid(&self, direction: Vec3) -> Vec2 {
        Vec2::new(self.x.dot(direction), self.y.dot(direction))
    }

    /// Where something stands on the grid, and how it is turned about the normal of its plane.
    pub(crate) fn pose_to_grid(&self, pose: Isometry3d) -> Isometry2d {
        let at = self.to_grid(pose.translation.into());
        let normal = self.x.cross(self.y);
        if normal.z > 1.0 - SKEW {
            // The plane of 2D physics. Rapier takes this angle of what is turned about other axes, too.
            let angle = pose.rotation.to_scaled_axis().z - self.x.y.atan2(self.x.x);
            let (sin, cos) = angle.sin_cos();
            return Isometry2d::new(at, Rot2 { cos, sin });
        }
        // What is not turned has its x and y along those of the world, laid into this plane by the shortest way.
        let laid = Quat::from_rotation_arc(Vec3::Z, normal.normalize_or(Vec3::Z));
        let axis = self.direction_to_grid(pose.rotation * (laid * Vec3::X));
        let axis = axis.try_normalize().unwrap_or(Vec2::X);
        let turn = Rot2 {
            cos: axis.x,
            sin: axis.y,
        };
        Isometry2d::new(at, turn)
    }

    /// All its numbers, as bits: NaN, too, equals itself.
    pub(crate) fn bits(&self) -> [u32; 9] {
        let [a, b, c] = [self.origin, self.x, self.y].map(|part| part.to_array());
        let all = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        all.map(f32::to_bits)
    }

    /// How far a point of the world is above or below it.
    pub(crate) fn height(&self, point: Vec3) -> f32 {
        (point - self.origin).dot(self.x.cross(self.y)).abs()
    }

    /// Whether it is a plane with two axes of length 1 at a right angle.
    pub(crate) fn is_valid(&self) -> bool {
        let is_unit = |axis: Vec3| (axis.length() - 1.0).abs() <= SKEW;
        let is_right = self.x.dot(self.y).abs() <= SKEW;
        // Seen from behind, outlines would be mirrored.
        let is_mirrored = self.x.cross(self.y).z < SKEW - 1.0;
        let is_plane = is_unit(self.x) && is_unit(self.y) && is_right && !is_mirrored;
        self.origin.is_finite() && is_plane
    }
}

/// A frame as stages read it: most are the usual one, which is known at a glance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    frame: NavFrame,
    /// A number that another frame hardly shares; 0 for [`NavFrame::XY`] alone.
    tag: u16,
}

#[expect(
    clippy::wrong_self_convention,
    reason = "it is copied by those who keep it, not by each who asks"
)]
impl Plane {
    pub(crate) const XY: Self = Self {
        frame: NavFrame::XY,
        tag: 0,
    };

    pub(crate) fn frame(&self) -> &NavFrame {
        &self.frame
    }

    pub(crate) fn tag(&self) -> u16 {
        self.tag
    }

    pub(crate) fn is_xy(&self) -> bool {
        self.tag == 0
    }

    /// Whether it is the plane of X and Y, moved and turned in that or not.
    pub(crate) fn is_upright(&self) -> bool {
        self.is_xy() || self.frame.x.cross(self.frame.y).z > 1.0 - SKEW
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

impl From<NavFrame> for Plane {
    fn from(frame: NavFrame) -> Self {
        let mix = |all: u32, bits: u32| (all.rotate_left(5) ^ bits).wrapping_mul(0x9e37_79b9);
        let mixed = frame.bits().into_iter().fold(0, mix);
        let is_xy = frame == NavFrame::XY;
        let tag = if is_xy { 0 } else { (mixed >> 16) as u16 | 1 };
        Self { frame, tag }
    }
}

impl PartialEq for Plane {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag && (self.is_xy() || self.frame == other.frame)
    }
}

impl Default for NavFrame {
    fn default() -> Self {
        Self::XY
    }
}

/// A place in the world, as games have it: a `Vec3`, or a `Vec2` for a point in the plane of X and Y, whatever frame a grid
/// has.
pub trait WorldPoint: Copy {
    /// The same in three dimensions.
    fn in_world(self) -> Vec3;
    /// A point of the world; in two dimensions without its z.
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
        // On the ground, only a rotation about the vertical axis counts, from x to z.
        let placed = |rotation| Isometry3d::new(Vec3::new(1.0, 2.0, 3.0), rotation);
        let pose = NavFrame::XZ.pose_to_grid(placed(Quat::IDENTITY));
        assert_eq!(pose.translation, Vec2::new(1.0, 3.0));
        assert!(pose.rotation.as_radians().abs() < 1e-6);
        let pose = NavFrame::XZ.pose_to_grid(placed(Quat::from_rotation_y(0.5)));
        assert!((pose.rotation.as_radians() + 0.5).abs() < 1e-6);
    }
}
