//! Grounds with tables, in builds that have the feature `tables`. In others none has any.

use pursuit::Ground;

/// Gives a ground tables if it can have some. Whether it has them now.
#[cfg(feature = "tables")]
pub(crate) fn bake(ground: &Ground) -> bool {
    let tables = pursuit::tables::SearchTables::build(ground.grid(), ground.diagonals());
    tables.is_ok_and(|tables| ground.set_tables(tables))
}

#[cfg(not(feature = "tables"))]
pub(crate) fn bake(_ground: &Ground) -> bool {
    false
}

#[cfg(feature = "tables")]
pub(crate) fn is_baked(ground: &Ground) -> bool {
    ground.tables().is_some()
}

#[cfg(not(feature = "tables"))]
pub(crate) fn is_baked(_ground: &Ground) -> bool {
    false
}
