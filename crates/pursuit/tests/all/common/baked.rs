//! Layers with tables, in builds with the feature `tables`. In other builds, no layers have tables.

use pursuit::BodyLayers;

/// Builds tables for layers if they can have any. Returns whether the layers have tables afterwards.
#[cfg(feature = "tables")]
pub(crate) fn bake(layers: &BodyLayers) -> bool {
    let tables = pursuit::tables::SearchTables::build(layers.grid(), layers.diagonals());
    tables.is_ok_and(|tables| layers.set_tables(tables))
}

#[cfg(not(feature = "tables"))]
pub(crate) fn bake(_layers: &BodyLayers) -> bool {
    false
}

#[cfg(feature = "tables")]
pub(crate) fn is_baked(layers: &BodyLayers) -> bool {
    layers.tables().is_some()
}

#[cfg(not(feature = "tables"))]
pub(crate) fn is_baked(_layers: &BodyLayers) -> bool {
    false
}
