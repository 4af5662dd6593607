//! The errors of a bake.

use thiserror::Error;

use crate::cancel::Cancelled;
use crate::cell::DiagonalPolicy;

/// Largest cost in the tables. Its unit is half the unit of searches.
pub(super) const MAX_TABLE_COST: u32 = 1 << 29;

/// The reason why tables cannot be baked for a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// Not all free cells cost the same.
    #[error("tables are for grids on which all free cells cost the same")]
    Terrain,
    /// The diagonal policy is not [`DiagonalPolicy::NoCornerCut`].
    #[error("tables are for paths that cut no corner, not for {0:?}")]
    Diagonals(DiagonalPolicy),
    /// A path on the grid may be too long for the tables.
    #[error("the grid is too large")]
    TooLarge,
    /// The labels would have more than eight entries per cell. That happens on large maps of scattered single walls.
    #[error("the map has too many scattered walls")]
    Scattered,
    /// The bake was [cancelled](crate::Cancel).
    #[error("the bake was cancelled")]
    Cancelled,
}

impl From<Cancelled> for TablesError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
