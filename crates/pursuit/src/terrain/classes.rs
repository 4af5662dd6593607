//! What areas cost whom.

use std::fmt;

/// What each area costs a class of bodies, or that it is forbidden to them.
///
/// ```
/// use pursuit::AreaCosts;
///
/// let (mud, water, road) = (1, 2, 3);
/// let walker = AreaCosts::plain()
///     .with(mud, 24) // one and a half times as dear as plain ground
///     .with(road, 8)
///     .with(water, AreaCosts::FORBIDDEN);
/// assert_eq!(walker.cost(road), Some(8));
/// assert_eq!(walker.cost(water), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AreaCosts([u8; 256]);

impl AreaCosts {
    /// What plain ground costs. Costs are multiples of a sixteenth of that.
    pub const PLAIN: u8 = 16;

    /// In place of a cost: bodies of the class do not walk there.
    pub const FORBIDDEN: u8 = 0;

    /// All areas are as plain ground.
    #[must_use]
    pub const fn plain() -> Self {
        Self([Self::PLAIN; 256])
    }

    /// For costs of cells that are numbers of areas at the same time.
    pub(crate) fn by_number() -> Self {
        Self(std::array::from_fn(|area| area as u8))
    }

    /// The same, except for what one area costs, in sixteenths of plain ground, or that it is
    /// [forbidden](Self::FORBIDDEN).
    #[must_use]
    pub const fn with(mut self, area: u8, cost: u8) -> Self {
        self.0[area as usize] = cost;
        self
    }

    /// What an area costs, in sixteenths of plain ground; `None` where it is forbidden.
    #[must_use]
    pub fn cost(&self, area: u8) -> Option<u8> {
        let cost = self.0[usize::from(area)];
        (cost != Self::FORBIDDEN).then_some(cost)
    }
}

impl Default for AreaCosts {
    fn default() -> Self {
        Self::plain()
    }
}

impl fmt::Debug for AreaCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = (0..=u8::MAX).map(|area| (area, self.0[usize::from(area)]));
        let special = all.filter(|&(_, cost)| cost != Self::PLAIN);
        f.debug_map().entries(special).finish()
    }
}
