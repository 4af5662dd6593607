//! The gizmo groups that the overlay draws with.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::detail::GAP;

/// Groups for squares of so many sizes: grids differ in the size of their cells, and a group has one line width.
/// Where more sizes are in view, the largest share a group.
pub(crate) const SIZES: usize = 4;

/// Gizmos of outlines, paths and agents. Its line width is yours to set.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct PursuitGizmos;

/// Gizmos of the finer squares. The overlay sets its line width every frame. `SIZE` 0 is for the smallest squares
/// in view; grids of larger cells have 1, 2 and 3.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct FineGizmos<const SIZE: usize = 0>;

/// Gizmos of the coarser squares that fade in when zooming out. The overlay sets its line width
/// every frame. `SIZE` is that of the finer squares of the same grid.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct CoarseGizmos<const SIZE: usize = 0>;

/// Gizmos of the squares of a replay. The overlay sets its line width every frame.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct SearchGizmos;

/// Gizmos of the numbers in the cells of a replay. Its line width is yours to set.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct NumberGizmos;

/// The groups of squares, the finer and the coarser ones, by size.
#[derive(SystemParam)]
pub(crate) struct SquareGizmos<'w, 's> {
    fine: (
        Gizmos<'w, 's, FineGizmos<0>>,
        Gizmos<'w, 's, FineGizmos<1>>,
        Gizmos<'w, 's, FineGizmos<2>>,
        Gizmos<'w, 's, FineGizmos<3>>,
    ),
    coarse: (
        Gizmos<'w, 's, CoarseGizmos<0>>,
        Gizmos<'w, 's, CoarseGizmos<1>>,
        Gizmos<'w, 's, CoarseGizmos<2>>,
        Gizmos<'w, 's, CoarseGizmos<3>>,
    ),
}

impl SquareGizmos<'_, '_> {
    /// Draws finer squares in a row.
    #[inline]
    pub(crate) fn fine(&mut self, size: usize, from: Vec2, to: Vec2, color: LinearRgba) {
        match size {
            0 => self.fine.0.line_2d(from, to, color),
            1 => self.fine.1.line_2d(from, to, color),
            2 => self.fine.2.line_2d(from, to, color),
            _ => self.fine.3.line_2d(from, to, color),
        }
    }

    /// Draws coarser squares in a row.
    #[inline]
    pub(crate) fn coarse(&mut self, size: usize, from: Vec2, to: Vec2, color: LinearRgba) {
        match size {
            0 => self.coarse.0.line_2d(from, to, color),
            1 => self.coarse.1.line_2d(from, to, color),
            2 => self.coarse.2.line_2d(from, to, color),
            _ => self.coarse.3.line_2d(from, to, color),
        }
    }
}

/// Registers the groups in the order in which they are drawn: lines on top of squares.
pub(crate) fn add_groups(app: &mut App) {
    app.init_gizmo_group::<CoarseGizmos<0>>()
        .init_gizmo_group::<CoarseGizmos<1>>()
        .init_gizmo_group::<CoarseGizmos<2>>()
        .init_gizmo_group::<CoarseGizmos<3>>()
        .init_gizmo_group::<FineGizmos<0>>()
        .init_gizmo_group::<FineGizmos<1>>()
        .init_gizmo_group::<FineGizmos<2>>()
        .init_gizmo_group::<FineGizmos<3>>()
        .init_gizmo_group::<SearchGizmos>()
        .insert_gizmo_config(PursuitGizmos, line_config(2.0))
        .insert_gizmo_config(NumberGizmos, line_config(1.5));
}

/// Makes the lines of a size as wide as its squares, of so many pixels.
pub(crate) fn set_width(config: &mut GizmoConfigStore, size: usize, side: f32) {
    let (fine, coarse) = (square_line(side), square_line(2.0 * side));
    match size {
        0 => set_lines::<0>(config, fine, coarse),
        1 => set_lines::<1>(config, fine, coarse),
        2 => set_lines::<2>(config, fine, coarse),
        _ => set_lines::<3>(config, fine, coarse),
    }
}

fn set_lines<const SIZE: usize>(
    config: &mut GizmoConfigStore,
    fine: GizmoLineConfig,
    coarse: GizmoLineConfig,
) {
    config.config_mut::<FineGizmos<SIZE>>().0.line = fine;
    config.config_mut::<CoarseGizmos<SIZE>>().0.line = coarse;
}

/// A dashed line whose dashes are squares of `side` pixels, gap included.
pub(crate) fn square_line(side: f32) -> GizmoLineConfig {
    let style = GizmoLineStyle::Dashed {
        gap_scale: GAP / (1.0 - GAP),
        line_scale: 1.0,
    };
    GizmoLineConfig {
        width: side * (1.0 - GAP),
        style,
        ..default()
    }
}

/// How lines are drawn until a game says otherwise.
fn line_config(width: f32) -> GizmoConfig {
    GizmoConfig {
        line: GizmoLineConfig { width, ..default() },
        ..default()
    }
}
