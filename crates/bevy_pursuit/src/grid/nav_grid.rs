//! What to bake: the component a game spawns to get a navigation grid, and what it hears back.
//!
//! Components and messages only; the systems that read and write them live in `bake`.

#[cfg(feature = "deep_bake")]
use std::time::Duration;

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::{Rect, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::{DiagonalPolicy, Layout, LayoutError};

use super::baked::{BakeError, BakedGrid};
use super::obstacle_layers::ObstacleLayers;
use crate::agent::NavFrame;

/// A part of the world that agents can walk in, baked from the obstacles in it.
///
/// Obstacles are:
///
/// - Rapier's colliders whose `CollisionGroups` memberships meet [`obstacles`](Self::obstacles). A
///   collider without `CollisionGroups` is on every layer, but only counts if it has no rigid body or
///   a fixed one.
/// - [`NavObstacle`](crate::NavObstacle)s whose layers meet [`obstacles`](Self::obstacles).
///
/// Never an obstacle are sensors, disabled colliders, colliders of disabled bodies, and what is on or
/// below a [`NavAgent`](crate::NavAgent). A dynamic or kinematic body is none while
/// it is chased, or something that it carries is. A collider on an entity with Bevy's `Disabled` stays
/// an obstacle as long as Rapier keeps it in its world.
///
/// A change to an obstacle bakes the touched cells again; a change to this component bakes everything
/// again. Both are noticed also if they happened while the stages were gated or the grid was
/// `Disabled`. A `Transform` on the grid's entity has no effect: [`bounds`](Self::bounds) say where
/// the grid is, in its [`NavFrame`], which a 3D game sets.
///
/// Lengths are in **world units** unless they say otherwise. Written by the user, never by this
/// crate; the result arrives in [`BakedGrid`] and is announced by [`GridBaked`](crate::GridBaked).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(BakedGrid, NavFrame)]
pub struct NavGrid {
    /// The area to cover, in world units, in the grid's [`NavFrame`]. Agents and goals outside of it find no path.
    ///
    /// Default: 1024 × 1024 around the origin.
    pub bounds: Rect,
    /// Half the side of a cell, in world units. Finite, `> 0.0`.
    ///
    /// Lower it where gaps are missed; each halving takes four times the cells. About the radius
    /// of the smallest agent is a good start.
    ///
    /// Default: `8.0`.
    pub node_radius: f32,
    /// Colliders and [`NavObstacle`](crate::NavObstacle)s on one of these layers are obstacles.
    ///
    /// Default: [`ObstacleLayers::ALL`].
    pub obstacles: ObstacleLayers,
    /// Distances to obstacles are known up to this many **cells**. Finite, `>= 1.0`.
    ///
    /// Agents of a larger radius find no path. Raise it for large agents on small cells. The first
    /// bake then takes three to five times as long, and each edit bakes more cells around it.
    ///
    /// Default: `4.0`.
    pub max_clearance_cells: f32,
    /// Which diagonal steps between two free cells are allowed.
    ///
    /// Default: [`Diagonals::NoCornerCut`].
    pub diagonals: Diagonals,
    /// How long the grid must rest after a bake, in game time, before tables are built for it that
    /// make far searches several times as fast. Short ones, as of a chaser near its target, take up
    /// to twice as long then, among scattered single walls longer still. `None` is never.
    ///
    /// For levels that stay still: the next bake drops the tables. They are built beside the frame,
    /// one for each radius in use, in a thread of their own so that searches go on meanwhile, and
    /// only where [`diagonals`](Self::diagonals) are [`Diagonals::NoCornerCut`]; the log warns once
    /// if they cannot be built. Under [`PlanMode::Inline`](crate::settings::PlanMode::Inline)
    /// they are built inside the frame, which stands still meanwhile. On maps of games and cities
    /// that takes up to some seconds and 3 to 14 bytes per cell on average, 36 at worst; among
    /// scattered walls and small rooms tens of seconds and up to 80 bytes. With tables a path may take
    /// other cells at the same cost. See
    /// [`BodyLayers::tables`](crate::grid::BodyLayers::tables) for whether they are there.
    ///
    /// Only with the feature `deep_bake`. Default: `None`.
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

    /// Sets the layers whose colliders are obstacles: Rapier's `Group`, or [`ObstacleLayers`].
    pub fn with_obstacles(mut self, layers: impl Into<ObstacleLayers>) -> Self {
        self.obstacles = layers.into();
        self
    }

    /// Sets up to how many cells distances to obstacles are known.
    pub fn with_max_clearance_cells(mut self, cells: f32) -> Self {
        self.max_clearance_cells = cells;
        self
    }

    /// Sets which diagonal steps are allowed.
    pub fn with_diagonals(mut self, diagonals: Diagonals) -> Self {
        self.diagonals = diagonals;
        self
    }

    /// Lets tables for faster searches be built after this much game time without a bake.
    #[cfg(feature = "deep_bake")]
    pub fn with_deep_bake(mut self, rest: Duration) -> Self {
        self.deep_bake = Some(rest);
        self
    }

    /// Where the cells lie: from the lower corner of [`bounds`](Self::bounds), as many as it takes
    /// to cover it.
    ///
    /// # Errors
    ///
    /// See [`LayoutError`].
    pub fn layout(&self) -> Result<Layout, LayoutError> {
        Layout::covering(self.bounds.min, self.bounds.max, 2.0 * self.node_radius)
    }

    /// All values that a bake depends on, as bits: NaN, too, equals itself.
    pub(crate) fn bits(&self) -> [u32; 8] {
        let Rect { min, max } = self.bounds;
        let lengths = [
            min.x,
            min.y,
            max.x,
            max.y,
            self.node_radius,
            self.max_clearance_cells,
        ];
        let [a, b, c, d, e, f] = lengths.map(f32::to_bits);
        [a, b, c, d, e, f, self.obstacles.0, self.diagonals as u32]
    }

    /// Checks all values and those of the grid's frame, and gives the layout.
    pub(crate) fn validate_in(&self, frame: &NavFrame) -> Result<Layout, BakeError> {
        let layout = self.validate()?;
        let is_plane = frame.is_valid().then_some(layout);
        is_plane.ok_or(BakeError::Frame(*frame))
    }

    /// Checks all values and gives the layout.
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

/// Which diagonal steps are allowed between two free cells; the reflected twin of
/// [`DiagonalPolicy`].
///
/// Under [`OneFree`](Self::OneFree) and [`Always`](Self::Always) a body keeps away from corners that its steps could
/// cut: corridors of one cell are closed to it.
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
    /// Every one, also between two blocked cells.
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

impl From<DiagonalPolicy> for Diagonals {
    fn from(policy: DiagonalPolicy) -> Self {
        match policy {
            DiagonalPolicy::Never => Self::Never,
            DiagonalPolicy::NoCornerCut => Self::NoCornerCut,
            DiagonalPolicy::OneFree => Self::OneFree,
            DiagonalPolicy::Always => Self::Always,
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
    fn diagonals_survive_a_round_trip_to_the_core() {
        for policy in DiagonalPolicy::ALL {
            assert_eq!(DiagonalPolicy::from(Diagonals::from(policy)), policy);
        }
    }
}
