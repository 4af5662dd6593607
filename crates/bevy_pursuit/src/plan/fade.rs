//! Ends the prices that have faded, and the prices of grids that are gone.

use bevy::prelude::*;

use crate::agent::Prices;
use crate::grid::Grids;
use crate::schedule::TickCount;

/// Whether any grid has prices. A run condition.
pub(super) fn any_price(prices: Res<Prices>) -> bool {
    !prices.is_empty()
}

/// Ends the prices that have faded, and the prices of grids that are gone.
pub(super) fn fade_prices(ticks: Res<TickCount>, grids: Res<Grids>, mut prices: ResMut<Prices>) {
    let is_known = |grid| grids.index(grid).is_some();
    prices.end(is_known, |_, price| price.fades_at <= ticks.0);
}
