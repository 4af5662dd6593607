//! Layers with tables, in builds that have the feature `tables`. In others none have any.

use pursuit::BodyLayers;

/// Gives layers tables if they can have some. Whether they have them now.
#[cfg(feature = "tables")]
pub(crate) fn bake(layers: &BodyLayers) -> bool {
    let tables = pursuit::tables::SearchTables::build(
        layers.grid(),
        layers.diagonals(),
        pursuit::Cancel::NEVER,
    );
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
