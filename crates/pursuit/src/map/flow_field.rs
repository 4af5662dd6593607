//! Flow fields on the layers of a body.

use std::sync::atomic::AtomicBool;

use super::layers::BodyLayers;
use crate::cancel::Cancel;
use crate::cell::{Cell, DiagonalPolicy};
use crate::clearance::TOLERANCE;
use crate::flow::{FieldBounds, FieldError, FlowField, IntegrationField};

impl FlowField {
    /// The whole field of a body on its layers, toward seeds: goals, and what the ways from there cost already. Seeds
    /// that are blocked or beyond bounds are left out.
    ///
    /// `scratch` lends its buckets. Its costs become those of the field, so afterwards it has no cells.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use pursuit::glam::Vec2;
    /// use pursuit::maps::parse_ascii;
    /// use pursuit::{DiagonalPolicy, FieldBounds, FlowField, IntegrationField, NavMap, STRAIGHT};
    ///
    /// let level = parse_ascii("S......\n.......\n###....\nH......")?;
    /// let [goal, hidden] = ['S', 'H'].map(|mark| level.find(mark).expect("a mark"));
    /// let map = NavMap::new(&level.grid, 2.0, DiagonalPolicy::NoCornerCut);
    /// let (layers, never) = (map.layers(0.4), AtomicBool::new(false));
    /// let mut scratch = IntegrationField::new();
    /// let field = FlowField::build(&layers, &[(goal, 0)], FieldBounds::default(), &mut scratch, &never)?;
    ///
    /// assert_eq!(field.cost(goal.offset(5, 0)), Some(5 * STRAIGHT));
    /// assert_eq!(field.direction(hidden), Some(Vec2::X));
    /// assert!(!field.can_go_straight(hidden) && field.can_go_straight(goal.offset(5, 1)));
    /// assert!(field.is_of(&layers));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FieldError::Cancelled`] once the flag is `true`.
    pub fn build(
        layers: &BodyLayers,
        seeds: &[(Cell, u32)],
        bounds: FieldBounds,
        scratch: &mut IntegrationField,
        cancel: &AtomicBool,
    ) -> Result<Self, FieldError> {
        let grid = layers.grid();
        scratch.start_from(grid, seeds, bounds, layers.diagonals(), cancel)?;
        Self::of(scratch, grid, seeds, is_clear(layers), Cancel::by(cancel))
    }

    /// Whether it is of this very ground, without edits since. Layers that were worked out again are others.
    #[must_use]
    pub fn is_of(&self, layers: &BodyLayers) -> bool {
        self.is_of_grid(layers.grid())
    }
}

/// Whether a body fits everywhere in the square between four cells that are free. An obstacle in there would be too
/// near to one of the steps between them: they leave room for a circle with a radius of 0.207, without diagonal
/// ones of 0.5.
fn is_clear(layers: &BodyLayers) -> bool {
    let room = match layers.diagonals() {
        DiagonalPolicy::Never => 0.501,
        _ => 0.2072,
    };
    layers.radius() - TOLERANCE > room
}
