//! Why an edit of a map is refused.

use thiserror::Error;

use crate::cancel::Cancelled;
use crate::grid_error::GridError;

/// Why [`LiveMap::edit`](crate::LiveMap::edit) or [`edit_all`](crate::LiveMap::edit_all) did not change the map.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// The edited field and the map have different sizes: see [`GridError::OtherSize`].
    #[error(transparent)]
    Size(#[from] GridError),
    /// The edited field and the map have different [caps](crate::Clearance::cap).
    #[error("the map's distances have a cap of {cap} cells, an edit left one of {other_cap}")]
    OtherCap {
        /// Cap of the map, in cells.
        cap: f32,
        /// Cap of the edited field, in cells.
        other_cap: f32,
    },
    /// The edit was [cancelled](crate::Cancel) before the map was ready.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
