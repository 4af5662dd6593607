//! Requests to one goal that follow one another: searched for one by one, or answered by one field.

use std::cell;
use std::sync::atomic::AtomicBool;

use pursuit::{Cell, FieldError, IntegrationField, Path};

use crate::agent::BodyKey;
use crate::grid::BodyLayers;

/// Cells of a field that are settled in the time in which a search expands one. Measured on
/// maps of 512 × 512 cells with goals all over them: 4 among random walls, 6 in mazes of wide
/// corridors, 9 to 14 in games and cities.
pub(super) const FIELD_CELLS: u64 = 5;

thread_local! {
    /// This thread's field while it is not in use. Its memory lasts from use to use.
    static SPARE_FIELD: cell::Cell<Option<IntegrationField>> = const { cell::Cell::new(None) };
}

/// Requests to one cell for one body.
pub(super) struct Group {
    to: Cell,
    body: BodyKey,
    /// Searches so far, and what they expanded.
    searches: u64,
    expanded: u64,
    field: Option<IntegrationField>,
}

impl Group {
    pub(super) fn new(to: Cell, body: BodyKey) -> Self {
        Self {
            to,
            body,
            searches: 0,
            expanded: 0,
            field: None,
        }
    }

    /// Whether it is of requests to that cell for that body.
    pub(super) fn is_of(&self, to: Cell, body: BodyKey) -> bool {
        (self.to, self.body) == (to, body)
    }

    /// Counts a search.
    pub(super) fn searched(&mut self, expanded: u32) {
        self.searches += 1;
        self.expanded += u64::from(expanded);
    }

    /// Whether it is now time for a field, with `same_goal` requests ahead: when as many searches as
    /// those so far would take longer than a flood of all that can be reached.
    pub(super) fn wants_field(&self, layers: &BodyLayers, same_goal: usize) -> bool {
        if self.field.is_some() || self.searches == 0 {
            return false;
        }
        let ahead = self.expanded / self.searches * same_goal as u64;
        let region = layers.regions().region(self.to);
        let cells = region.map_or(0, |region| layers.regions().size(region));
        ahead * FIELD_CELLS > cells as u64
    }

    /// Begins a field around the goal.
    pub(super) fn start_field(
        &mut self,
        layers: &BodyLayers,
        cancel: &AtomicBool,
    ) -> Result<(), FieldError> {
        let mut field = SPARE_FIELD.take().unwrap_or_default();
        field.start_until(layers.grid(), &[self.to], layers.diagonals(), cancel)?;
        self.field = Some(field);
        Ok(())
    }

    /// The way that the field knows. What is too far for it is to be searched for.
    pub(super) fn path(
        &mut self,
        from: Cell,
        cancel: &AtomicBool,
    ) -> Result<Option<Path>, FieldError> {
        let Some(field) = &mut self.field else {
            return Ok(None);
        };
        match field.path_until(from, cancel) {
            Err(FieldError::TooFar) => Ok(None),
            found => found,
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(field) = self.field.take() {
            SPARE_FIELD.set(Some(field));
        }
    }
}
