//! The size and the class of a body, on which the layers of a map depend.

/// A body: its size and its class. A radius alone is a body of class 0.
///
/// ```
/// use pursuit::{AreaCosts, Areas, Body, Cell, CellRect, DiagonalPolicy, Grid, NavMap};
///
/// let open = Grid::from_fn(7, 3, |_| true)?;
/// let map = NavMap::new(&open, 4.0, DiagonalPolicy::NoCornerCut);
/// // Column 3 is water, and bodies of class 1 do not swim.
/// let water = CellRect::new(Cell::new(3, 0), Cell::new(4, 3));
/// let mut areas = Areas::plain(7, 3)?;
/// areas.fill(water, 1);
/// let lubber = AreaCosts::plain().with(1, AreaCosts::FORBIDDEN);
/// let map = map.with_areas(areas, &[AreaCosts::plain(), lubber])?;
/// let (start, goal) = (Cell::new(1, 1), Cell::new(5, 1));
/// assert!(map.is_reachable(start, goal, 0.4));
/// assert!(!map.is_reachable(start, goal, Body { radius: 0.4, class: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Distance that the center of the body keeps from obstacles, in cells.
    pub radius: f32,
    /// The class of the body, which selects its costs for the map's [areas](crate::NavMap::with_areas).
    pub class: u8,
}

impl From<f32> for Body {
    fn from(radius: f32) -> Self {
        Self { radius, class: 0 }
    }
}

impl Body {
    /// Whether two bodies have the same layers. A radius that is NaN equals itself.
    pub(super) fn is(self, other: Self) -> bool {
        self.radius.to_bits() == other.radius.to_bits() && self.class == other.class
    }
}
