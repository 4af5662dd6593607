//! The costs of areas for a class of bodies.

use std::fmt;

/// What each area costs for a class of bodies, or that it is forbidden to them.
///
/// ```
/// use pursuit::AreaCosts;
///
/// let (mud, water, road) = (1, 2, 3);
/// let walker = AreaCosts::plain()
///     .with(mud, 24) // one and a half times the cost of plain ground
///     .with(road, 8)
///     .with(water, AreaCosts::FORBIDDEN);
/// assert_eq!(walker.cost(road), Some(8));
/// assert_eq!(walker.cost(water), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AreaCosts([u8; 256]);

impl AreaCosts {
    /// The cost of plain ground. Costs are in sixteenths of the cost of plain ground.
    pub const PLAIN: u8 = 16;

    /// The value of a forbidden area, which bodies of the class do not enter.
    pub const FORBIDDEN: u8 = 0;

    /// Costs in which every area costs as much as plain ground.
    #[must_use]
    pub const fn plain() -> Self {
        Self([Self::PLAIN; 256])
    }

    /// Costs in which each area costs as much as its number.
    pub(crate) fn by_number() -> Self {
        Self(std::array::from_fn(|area| area as u8))
    }

    /// A copy in which `area` has another cost, in sixteenths of plain ground, or is
    /// [forbidden](Self::FORBIDDEN).
    #[must_use]
    pub const fn with(mut self, area: u8, cost: u8) -> Self {
        self.0[area as usize] = cost;
        self
    }

    /// The cost of an area, in sixteenths of plain ground. `None` if the area is forbidden.
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
