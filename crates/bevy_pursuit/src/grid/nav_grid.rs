//! The component that a game spawns to get a navigation grid.
//!
//! The systems that read and write it are in `bake`.

#[cfg(feature = "deep_bake")]
use std::time::Duration;

use bevy::prelude::*;
use pursuit::{DiagonalPolicy, Layout, LayoutError};

use super::baked::{BakeError, BakedGrid};
use super::obstacle_layers::ObstacleLayers;
use crate::agent::NavFrame;

/// A part of the world that agents can walk in, baked from the obstacles in it.
///
/// Obstacles are:
///
/// - Rapier's colliders whose `CollisionGroups` memberships meet [`obstacles`](Self::obstacles). A collider without
///   `CollisionGroups` is on every layer, but is an obstacle only if it has no rigid body or a fixed one.
/// - [`NavObstacle`](crate::NavObstacle)s whose layers meet [`obstacles`](Self::obstacles).
///
/// Sensors, disabled colliders, colliders of disabled bodies, and everything on or below a
/// [`NavAgent`](crate::NavAgent) never block. A dynamic or kinematic body does not block while it, or something
/// that it carries, is chased. A collider on an entity with Bevy's `Disabled` stays an obstacle as long as
/// Rapier keeps it in its world.
///
/// A change to an obstacle bakes the touched cells again; a change to this component bakes everything again. Changes
/// are noticed even if they happened while the game did not run the stages, or while the grid was `Disabled`. A
/// `Transform` on the grid's entity has no effect: [`bounds`](Self::bounds) are in coordinates of the grid's
/// [`NavFrame`], which a 3D game sets.
///
/// Lengths are in **world units** unless they say otherwise. Written by the user, never by this crate. The result is in
/// [`BakedGrid`], and is announced by [`GridBaked`](crate::GridBaked).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(BakedGrid, NavFrame)]
pub struct NavGrid {
    /// The area to cover, in world units, in coordinates of the grid's [`NavFrame`]. Agents and goals outside
    /// of it find no path.
    ///
    /// Default: 1024 × 1024 around the origin.
    pub bounds: Rect,
    /// Half the side of a cell, in world units. Finite, `> 0.0`.
    ///
    /// With a smaller value, agents find narrower gaps, but half the value means four times as many cells. A good start
    /// is about the radius of the smallest agent.
    ///
    /// Default: `8.0`.
    pub node_radius: f32,
    /// Layers whose colliders and [`NavObstacle`](crate::NavObstacle)s are obstacles.
    ///
    /// Default: [`ObstacleLayers::ALL`].
    pub obstacles: ObstacleLayers,
    /// How far from obstacles distances to them are still known, in **cells**. Finite, `>= 1.0`.
    ///
    /// Agents with a larger radius find no path. Raise the value for large agents on small cells. The first bake then
    /// takes three to five times as long, and each edit bakes more cells around it.
    ///
    /// Default: `4.0`.
    pub max_clearance_cells: f32,
    /// Which diagonal steps between two free cells are allowed.
    ///
    /// Default: [`Diagonals::NoCornerCut`].
    pub diagonals: Diagonals,
    /// Game time without a bake after which search tables are built for the grid. `None` means never.
    ///
    /// Tables make long searches several times as fast. Short searches, like those of a chaser near its target,
    /// take up to twice as long, and longer still among scattered single walls.
    ///
    /// Use tables for levels that do not change: the next bake drops them. They are built for each radius in use, one
    /// radius after the other, in a thread of their own, so that searches continue. [`diagonals`](Self::diagonals) must
    /// be [`Diagonals::NoCornerCut`], and all ground must cost the same: a class of agents for which costs differ gets
    /// no tables. If tables cannot be built, a warning is logged once. With
    /// [`PlanMode::Inline`](crate::settings::PlanMode::Inline) tables are built inside the frame, and that frame takes
    /// longer by the time of the build. On maps of games and cities, a build takes up to a few seconds, and the tables
    /// take 3 to 14 bytes per cell on average, 36 at worst. With scattered walls and small rooms, a build takes tens of
    /// seconds, and the tables up to 80 bytes per cell. With tables a path may lead through other cells at the same
    /// cost. [`BodyLayers::tables`](crate::grid::BodyLayers::tables) returns them once they are ready.
    ///
    /// Only with the feature `deep_bake`.
    ///
    /// Default: `None`.
    #[cfg(feature = "deep_bake")]
    pub deep_bake: Option<Duration>,
}

impl NavGrid {
    /// A grid over `bounds` (world units) with default values otherwise.
    pub fn covering(bounds: Rect) -> Self {
        Self {
            bounds,
            node_radius: 8.0,
            obstacles: ObstacleLayers::ALL,
            max_clearance_cells: 4.0,
            diagonals: Diagonals::default(),
            #[cfg(feature = "deep_bake")]
            deep_bake: None,
        }
    }

    /// Sets the area to cover, in world units.
    pub fn with_bounds(mut self, bounds: Rect) -> Self {
        self.bounds = bounds;
        self
    }

    /// Sets the side of a cell, in world units: twice the [`node_radius`](Self::node_radius).
    pub fn with_cell_size(self, cell_size: f32) -> Self {
        self.with_node_radius(0.5 * cell_size)
    }

    /// Sets half the side of a cell, in world units.
    pub fn with_node_radius(mut self, node_radius: f32) -> Self {
        self.node_radius = node_radius;
        self
    }

    /// Sets the layers whose colliders and [`NavObstacle`](crate::NavObstacle)s are obstacles: Rapier's
    /// `Group`, or [`ObstacleLayers`].
    pub fn with_obstacles(mut self, layers: impl Into<ObstacleLayers>) -> Self {
        self.obstacles = layers.into();
        self
    }

    /// Sets how far from obstacles distances to them are still known, in cells.
    pub fn with_max_clearance_cells(mut self, cells: f32) -> Self {
        self.max_clearance_cells = cells;
        self
    }

    /// Sets which diagonal steps are allowed.
    pub fn with_diagonals(mut self, diagonals: Diagonals) -> Self {
        self.diagonals = diagonals;
        self
    }

    /// Sets the game time without a bake after which tables for faster searches are built.
    #[cfg(feature = "deep_bake")]
    pub fn with_deep_bake(mut self, rest: Duration) -> Self {
        self.deep_bake = Some(rest);
        self
    }

    /// Position and number of the cells. They start at the lower corner of [`bounds`](Self::bounds) and cover all of
    /// it.
    ///
    /// # Errors
    ///
    /// See [`LayoutError`].
    pub fn layout(&self) -> Result<Layout, LayoutError> {
        Layout::covering(self.bounds.min, self.bounds.max, 2.0 * self.node_radius)
    }

    /// All values that a bake depends on, as bits, so that NaN equals itself.
    pub(crate) fn bits(&self) -> [u32; 8] {
        let Rect { min, max } = self.bounds;
        let [a, b, c, d] = [min.x, min.y, max.x, max.y].map(f32::to_bits);
        let [e, f] = [self.node_radius, self.max_clearance_cells].map(f32::to_bits);
        [a, b, c, d, e, f, self.obstacles.0, self.diagonals as u32]
    }

    /// Checks all values, including those of the grid's frame, and returns the layout.
    pub(crate) fn validate_in(&self, frame: &NavFrame) -> Result<Layout, BakeError> {
        let layout = self.validate()?;
        let is_plane = frame.is_valid().then_some(layout);
        is_plane.ok_or(BakeError::Frame(*frame))
    }

    /// Checks all values and returns the layout.
    ///
    /// # Errors
    ///
    /// See [`BakeError`].
    pub fn validate(&self) -> Result<Layout, BakeError> {
        if !(self.node_radius.is_finite() && self.node_radius > 0.0) {
            return Err(BakeError::NodeRadius(self.node_radius));
        }
        if !(self.max_clearance_cells.is_finite() && self.max_clearance_cells >= 1.0) {
            return Err(BakeError::MaxClearance(self.max_clearance_cells));
        }
        self.layout().map_err(|error| match error {
            LayoutError::Empty { .. } => BakeError::Bounds(self.bounds),
            other => other.into(),
        })
    }
}

impl Default for NavGrid {
    fn default() -> Self {
        Self::covering(Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(512.0)))
    }
}

/// Which diagonal steps are allowed between two free cells; the reflected twin of [`DiagonalPolicy`].
///
/// Under [`OneFree`](Self::OneFree) and [`Always`](Self::Always), a body keeps away from corners that its steps
/// could cut, so corridors of one cell are closed to it.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub enum Diagonals {
    /// No diagonal steps.
    Never,
    /// Both cells beside the step must be free.
    #[default]
    NoCornerCut,
    /// At least one of the two cells beside the step must be free.
    OneFree,
    /// Every diagonal step, even between two blocked cells.
    Always,
}

impl From<Diagonals> for DiagonalPolicy {
    fn from(diagonals: Diagonals) -> Self {
        match diagonals {
            Diagonals::Never => Self::Never,
            Diagonals::NoCornerCut => Self::NoCornerCut,
            Diagonals::OneFree => Self::OneFree,
            Diagonals::Always => Self::Always,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let grid = NavGrid::default();
        assert_eq!(grid.bounds, Rect::new(-512.0, -512.0, 512.0, 512.0));
        assert_eq!(grid.node_radius, 8.0);
        assert_eq!(grid.obstacles, ObstacleLayers::ALL);
        assert_eq!(grid.max_clearance_cells, 4.0);
        assert_eq!(grid.diagonals, Diagonals::NoCornerCut);
        #[cfg(feature = "deep_bake")]
        assert_eq!(grid.deep_bake, None);
        assert_eq!(
            DiagonalPolicy::from(Diagonals::default()),
            DiagonalPolicy::default()
        );
    }

    #[test]
    fn the_cell_size_is_twice_the_node_radius() {
        let layout = NavGrid::covering(Rect::new(-40.0, -30.0, 40.0, 30.0))
            .with_node_radius(5.0)
            .validate()
            .unwrap();
        assert_eq!(
            (layout.width(), layout.height(), layout.cell_size()),
            (8, 6, 10.0)
        );
        assert_eq!(layout.min_corner(), Vec2::new(-40.0, -30.0));
    }

    #[test]
    fn invalid_numbers_are_refused_by_name() {
        let grid = NavGrid::default();
        for bad in [0.0, -8.0, f32::NAN, f32::INFINITY] {
            let refused = grid.with_node_radius(bad).validate();
            assert!(
                matches!(refused, Err(BakeError::NodeRadius(_))),
                "node radius {bad}"
            );
        }
        for bad in [0.5, f32::NAN, f32::INFINITY] {
            let refused = grid.with_max_clearance_cells(bad).validate();
            assert!(
                matches!(refused, Err(BakeError::MaxClearance(_))),
                "clearance {bad}"
            );
        }
        let corners = |min: Vec2, max: Vec2| NavGrid {
            bounds: Rect { min, max },
            ..grid
        };
        for bounds in [
            corners(Vec2::ZERO, Vec2::ZERO),
            corners(Vec2::ZERO, Vec2::new(40.0, 0.0)),
            corners(Vec2::splat(10.0), Vec2::ZERO),
        ] {
            assert_eq!(bounds.validate(), Err(BakeError::Bounds(bounds.bounds)));
        }
        for bounds in [
            corners(Vec2::ZERO, Vec2::new(f32::NAN, 10.0)),
            corners(Vec2::splat(-1e7), Vec2::splat(1e7)),
        ] {
            let refused = bounds.validate();
            assert!(
                matches!(refused, Err(BakeError::Layout(_))),
                "{:?}",
                bounds.bounds
            );
        }
    }

    #[test]
    fn empty_bounds_give_an_error_that_says_what_is_needed() {
        let line = Rect::new(-40.0, 15.0, 60.0, 15.0);
        let refused = NavGrid::covering(line).validate().expect_err("no area");
        assert_eq!(
            refused.to_string(),
            "bounds must be wider and higher than 0, with min below max, \
             got [-40, 15] to [60, 15], which is 100 x 0"
        );
    }

    #[test]
    fn layers_are_named_like_rapiers_groups() {
        assert_eq!(ObstacleLayers(0b101).to_string(), "GROUP_1 | GROUP_3");
        assert_eq!(ObstacleLayers(1 << 31).to_string(), "GROUP_32");
        assert_eq!(ObstacleLayers::ALL.to_string(), "ALL");
        assert_eq!(ObstacleLayers::NONE.to_string(), "NONE");
    }

    #[test]
    fn diagonals_are_the_policies_of_the_core() {
        use Diagonals::{Always, Never, NoCornerCut, OneFree};
        let policies = [Never, NoCornerCut, OneFree, Always].map(DiagonalPolicy::from);
        assert_eq!(policies, DiagonalPolicy::ALL);
    }
}
