//! The overlay's categories, their keys, and sets of categories.

use bevy::prelude::*;

/// A category of things that the overlay can draw. Each category is switched on and off separately: see
/// [`OverlayCategories`].
// A new category also needs an entry in `ALL`, a row in `info`, its rows in the legend, and code that draws it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum OverlayCategory {
    /// Walkable cells.
    Walkable,
    /// Blocked cells.
    Blocked,
    /// Distances to the nearest obstacle, as a heat map of the walkable cells.
    Clearance,
    /// Connected regions, in different hues.
    Regions,
    /// Desired velocities.
    Velocities,
    /// The replay of a search.
    #[cfg(feature = "recorder")]
    Searches,
    /// The flow field that leads the picked agent, as arrows. An agent that a path leads has none.
    Fields,
    /// The remaining paths of agents, and the waypoint that each agent walks to.
    Paths,
    /// Areas, in the colors of `NavAreas`.
    Areas,
    /// Agents. The color of an agent shows how it moves, and the state of its search.
    Agents,
}

/// The name and the key of a category, and whether it is on by default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CategoryInfo {
    pub(crate) name: &'static str,
    pub(crate) key: KeyCode,
    pub(crate) is_on: bool,
}

/// Number of categories.
const CATEGORY_COUNT: usize = if cfg!(feature = "recorder") { 10 } else { 9 };

impl OverlayCategory {
    /// Every category, in the order of its keys.
    pub const ALL: [Self; CATEGORY_COUNT] = [
        Self::Walkable,
        Self::Blocked,
        Self::Clearance,
        Self::Regions,
        Self::Velocities,
        #[cfg(feature = "recorder")]
        Self::Searches,
        Self::Fields,
        Self::Paths,
        Self::Areas,
        Self::Agents,
    ];

    /// The name of the category as the legend shows it, such as "walkable cells".
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The category's name, its key, and whether it is on by default.
    pub(crate) fn info(self) -> CategoryInfo {
        use KeyCode::*;
        let (name, key, is_on) = match self {
            Self::Walkable => ("walkable cells", Digit1, true),
            Self::Blocked => ("blocked cells", Digit2, true),
            Self::Clearance => ("clearance", Digit3, false),
            Self::Regions => ("regions", Digit4, false),
            Self::Velocities => ("velocities", Digit5, true),
            #[cfg(feature = "recorder")]
            Self::Searches => ("searches", Digit6, true),
            Self::Fields => ("fields", Digit7, false),
            Self::Paths => ("paths", Digit8, true),
            Self::Areas => ("areas", Digit9, true),
            Self::Agents => ("agents", Digit0, true),
        };
        CategoryInfo { name, key, is_on }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of [`OverlayCategory`].
///
/// Default: all categories except [`Clearance`](OverlayCategory::Clearance), [`Regions`](OverlayCategory::Regions) and
/// [`Fields`](OverlayCategory::Fields).
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub struct OverlayCategories {
    bits: u32,
}

impl OverlayCategories {
    /// The empty set.
    pub const NONE: Self = Self { bits: 0 };
    /// The set of all categories.
    pub const ALL: Self = Self {
        bits: (1 << CATEGORY_COUNT) - 1,
    };

    /// Whether the set contains a category.
    pub const fn has(self, category: OverlayCategory) -> bool {
        self.bits & category.bit() != 0
    }

    /// Whether the set contains at least one of these categories.
    pub fn has_any(self, categories: &[OverlayCategory]) -> bool {
        categories.iter().any(|category| self.has(*category))
    }

    /// The set with a category added.
    #[must_use]
    pub const fn with(self, category: OverlayCategory) -> Self {
        Self {
            bits: self.bits | category.bit(),
        }
    }

    /// Adds a category to the set, or removes it if the set contains it.
    pub fn toggle(&mut self, category: OverlayCategory) {
        self.bits ^= category.bit();
    }

    /// The categories in the set, in the order of their keys.
    pub fn iter(self) -> impl Iterator<Item = OverlayCategory> {
        OverlayCategory::ALL
            .into_iter()
            .filter(move |category| self.has(*category))
    }
}

impl Default for OverlayCategories {
    fn default() -> Self {
        let all = OverlayCategory::ALL.into_iter();
        all.filter(|category| category.info().is_on).collect()
    }
}

impl FromIterator<OverlayCategory> for OverlayCategories {
    fn from_iter<T: IntoIterator<Item = OverlayCategory>>(categories: T) -> Self {
        categories.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The label of a key, such as `1`, `R` or `[`.
pub(crate) fn key_name(key: KeyCode) -> String {
    let key = format!("{key:?}");
    let name = match key.as_str() {
        "Comma" => ",",
        "Period" => ".",
        "BracketLeft" => "[",
        "BracketRight" => "]",
        other => other.trim_start_matches("Digit").trim_start_matches("Key"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use OverlayCategory::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let off = [Clearance, Regions, Fields];
        for category in OverlayCategory::ALL {
            let is_on = OverlayCategories::default().has(category);
            assert_eq!(is_on, !off.contains(&category), "{category:?}");
        }
        let keys: String = OverlayCategory::ALL
            .map(|category| key_name(category.info().key))
            .concat();
        let expected = match cfg!(feature = "recorder") {
            true => "1234567890",
            false => "123457890",
        };
        assert_eq!(keys, expected, "keys are in order, and none occurs twice");
    }

    #[test]
    fn every_category_has_a_bit_of_its_own() {
        for (number, category) in OverlayCategory::ALL.into_iter().enumerate() {
            assert_eq!(category as usize, number, "ALL is in order");
            let only = OverlayCategories::NONE.with(category);
            assert_eq!(only.iter().collect::<Vec<_>>(), [category]);
            let mut all = OverlayCategories::ALL;
            all.toggle(category);
            assert!(!all.has(category));
            all.toggle(category);
            assert_eq!(all, OverlayCategories::ALL);
        }
    }
}
