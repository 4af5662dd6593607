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
    /// Draws finer squares, as rows of them.
    pub(crate) fn fine(&mut self, size: usize, rows: Rows<impl Iterator<Item = LinearRgba>>) {
        match size {
            0 => rows.draw(&mut self.fine.0),
            1 => rows.draw(&mut self.fine.1),
            2 => rows.draw(&mut self.fine.2),
            _ => rows.draw(&mut self.fine.3),
        }
    }

    /// Draws coarser squares, as rows of them.
    pub(crate) fn coarse(&mut self, size: usize, rows: Rows<impl Iterator<Item = LinearRgba>>) {
        match size {
            0 => rows.draw(&mut self.coarse.0),
            1 => rows.draw(&mut self.coarse.1),
            2 => rows.draw(&mut self.coarse.2),
            _ => rows.draw(&mut self.coarse.3),
        }
    }
}

/// Many lines at once: the ends of each, and as many colors.
pub(crate) struct Rows<'a, C> {
    pub(crate) ends: &'a [[Vec3; 2]],
    pub(crate) colors: C,
}

impl<C: Iterator<Item = LinearRgba>> Rows<'_, C> {
    /// As `line` for each of them, which takes longer.
    fn draw<G: GizmoConfigGroup>(self, gizmos: &mut Gizmos<G>) {
        if gizmos.config.enabled {
            let ends = self.ends.as_flattened();
            gizmos.list_positions.extend_from_slice(ends);
            let colors = self.colors.flat_map(|color| [color, color]);
            gizmos.list_colors.extend(colors.take(ends.len()));
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
