//! The categories of what the overlay draws, which of them are on, and which keys switch them.

use bevy::prelude::*;

/// What the overlay can draw. Each is switched by itself: see [`OverlayCategories`].
///
/// A new kind is a new variant here, its rows in `info` and in `legend`, and a file that draws it.
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
    /// Connected regions: a hue for each name.
    Regions,
    /// Cells at which jump-point searches turn.
    JumpPoints,
    /// Tiles that flash when a bake changed them.
    Edits,
    /// Integration fields, as arrows along the cheapest way.
    Fields,
    /// Paths ahead, and the waypoint that each agent walks to.
    Paths,
    /// What agents want: lines to goals and targets, and away from what they flee.
    Intents,
    /// Agents, colored by how they move and how their search stands.
    Agents,
    /// Desired velocities.
    Velocities,
    /// Outlines of grids, and of chunks of cells when zoomed out.
    Outlines,
    /// The cells that chased entities stand in.
    Targets,
    /// Roads and places of a waypoint map, and a trip over it.
    Routes,
    /// The replay of a search.
    Searches,
}

/// What is said of a category where all are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CategoryInfo {
    pub(crate) name: &'static str,
    pub(crate) key: KeyCode,
    pub(crate) is_on: bool,
}

impl OverlayCategory {
    /// Every category, in order.
    pub const ALL: [Self; 15] = [
        Self::Walkable,
        Self::Blocked,
        Self::Clearance,
        Self::Regions,
        Self::JumpPoints,
        Self::Edits,
        Self::Fields,
        Self::Paths,
        Self::Intents,
        Self::Agents,
        Self::Velocities,
        Self::Outlines,
        Self::Targets,
        Self::Routes,
        Self::Searches,
    ];

    /// Its name, in plain words.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Name, default key, and whether it is on by default.
    pub(crate) fn info(self) -> CategoryInfo {
        use KeyCode::*;
        let (name, key, is_on) = match self {
            Self::Walkable => ("walkable cells", Digit1, true),
            Self::Blocked => ("blocked cells", Digit2, true),
            Self::Clearance => ("clearance", Digit3, false),
            Self::Regions => ("regions", Digit4, false),
            Self::JumpPoints => ("jump points", Digit5, false),
            Self::Edits => ("edits", Digit6, true),
            Self::Fields => ("fields", Digit7, false),
            Self::Paths => ("paths", Digit8, true),
            Self::Intents => ("intents", Digit9, false),
            Self::Agents => ("agents", Digit0, true),
            Self::Velocities => ("velocities", Minus, true),
            Self::Outlines => ("outlines", Equal, true),
            Self::Targets => ("targets", Backquote, true),
            Self::Routes => ("routes", Semicolon, true),
            Self::Searches => ("searches", Backslash, true),
        };
        CategoryInfo { name, key, is_on }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of [`OverlayCategory`].
///
/// Default: all but the heat map, regions, jump points, fields and intents.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub struct OverlayCategories {
    bits: u32,
}

impl OverlayCategories {
    /// Nothing.
    pub const NONE: Self = Self { bits: 0 };
    /// Everything.
    pub const ALL: Self = Self {
        bits: (1 << OverlayCategory::ALL.len()) - 1,
    };

    /// Whether a category is in it.
    pub const fn has(self, category: OverlayCategory) -> bool {
        self.bits & category.bit() != 0
    }

    /// Whether one of several is in it.
    pub fn has_any(self, categories: &[OverlayCategory]) -> bool {
        categories.iter().any(|category| self.has(*category))
    }

    /// The set with a category in it.
    #[must_use]
    pub const fn with(self, category: OverlayCategory) -> Self {
        Self {
            bits: self.bits | category.bit(),
        }
    }

    /// The set without a category.
    #[must_use]
    pub const fn without(self, category: OverlayCategory) -> Self {
        Self {
            bits: self.bits & !category.bit(),
        }
    }

    /// Puts a category in, or takes it out.
    pub fn set(&mut self, category: OverlayCategory, is_on: bool) {
        *self = if is_on {
            self.with(category)
        } else {
            self.without(category)
        };
    }

    /// Puts a category in if it is out, and the reverse.
    pub fn toggle(&mut self, category: OverlayCategory) {
        self.bits ^= category.bit();
    }

    /// The categories in it, in order.
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

/// The key that has to be held for the keys of categories to count.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum OverlayModifier {
    /// None: the keys count by themselves.
    None,
    /// Either Alt key.
    #[default]
    Alt,
    /// Either Control key.
    Control,
    /// Either Shift key.
    Shift,
}

impl OverlayModifier {
    /// Its name, with a plus behind it.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Alt => "Alt+",
            Self::Control => "Ctrl+",
            Self::Shift => "Shift+",
        }
    }

    /// What to press for a key with it, as a text.
    pub(crate) fn label(self, key: KeyCode) -> String {
        format!("{}{}", self.prefix(), key_name(key))
    }

    /// Whether it is held.
    pub(crate) fn is_held(self, keys: &ButtonInput<KeyCode>) -> bool {
        let either = match self {
            Self::None => return true,
            Self::Alt => [KeyCode::AltLeft, KeyCode::AltRight],
            Self::Control => [KeyCode::ControlLeft, KeyCode::ControlRight],
            Self::Shift => [KeyCode::ShiftLeft, KeyCode::ShiftRight],
        };
        keys.any_pressed(either)
    }
}

/// A key, as it is written on it.
pub(crate) fn key_name(key: KeyCode) -> String {
    let key = format!("{key:?}");
    let name = match key.as_str() {
        "Minus" => "-",
        "Equal" => "=",
        "Backquote" => "`",
        "Semicolon" => ";",
        "Backslash" => "\\",
        "Comma" => ",",
        "Period" => ".",
        "BracketLeft" => "[",
        "BracketRight" => "]",
        other => other
            .trim_start_matches("Digit")
            .trim_start_matches("Key")
            .trim_start_matches("Arrow"),
    };
    name.to_owned()
}

/// The keys that switch categories while the overlay is on.
///
/// Default: with Alt held, `1` to `0`, `-`, `=`, `` ` ``, `;` and `\` in the order of [`OverlayCategory::ALL`].
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct CategoryKeys {
    /// The key to hold. Default: [`OverlayModifier::Alt`].
    pub modifier: OverlayModifier,
    keys: [Option<KeyCode>; OverlayCategory::ALL.len()],
}

impl CategoryKeys {
    /// No keys at all: the switches are yours.
    pub const NONE: Self = Self {
        modifier: OverlayModifier::Alt,
        keys: [None; OverlayCategory::ALL.len()],
    };

    /// The key of a category, if it has one.
    pub fn key(&self, category: OverlayCategory) -> Option<KeyCode> {
        self.keys[category as usize]
    }

    /// Sets the key of a category.
    #[must_use]
    pub fn with(mut self, category: OverlayCategory, key: impl Into<Option<KeyCode>>) -> Self {
        self.keys[category as usize] = key.into();
        self
    }

    /// What to press for a category, as a text.
    pub(crate) fn label(&self, category: OverlayCategory) -> Option<String> {
        Some(self.modifier.label(self.key(category)?))
    }
}

impl Default for CategoryKeys {
    fn default() -> Self {
        Self {
            modifier: OverlayModifier::default(),
            keys: OverlayCategory::ALL.map(|category| Some(category.info().key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OverlayCategory::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let shown: Vec<_> = OverlayCategories::default().iter().collect();
        let expected = [
            Walkable, Blocked, Edits, Paths, Agents, Velocities, Outlines, Targets, Routes,
            Searches,
        ];
        assert_eq!(shown, expected);
        let keys = CategoryKeys::default();
        assert_eq!(keys.label(Walkable).as_deref(), Some("Alt+1"));
        assert_eq!(keys.label(Agents).as_deref(), Some("Alt+0"));
        assert_eq!(keys.label(Targets).as_deref(), Some("Alt+`"));
        assert_eq!(keys.label(Routes).as_deref(), Some("Alt+;"));
        assert_eq!(keys.label(Searches).as_deref(), Some("Alt+\\"));
    }

    #[test]
    fn every_category_is_a_bit_of_its_own() {
        for (number, category) in OverlayCategory::ALL.into_iter().enumerate() {
            assert_eq!(category as usize, number, "ALL is in order");
            let only = OverlayCategories::NONE.with(category);
            assert_eq!(only.iter().collect::<Vec<_>>(), [category]);
            assert_eq!(only.without(category), OverlayCategories::NONE);
            let mut all = OverlayCategories::ALL;
            all.toggle(category);
            assert!(!all.has(category));
            all.set(category, true);
            assert_eq!(all, OverlayCategories::ALL);
        }
    }

    #[test]
    fn no_two_categories_share_a_default_key() {
        let keys = CategoryKeys::default();
        for one in OverlayCategory::ALL {
            let same = |other: &OverlayCategory| keys.key(*other) == keys.key(one);
            assert_eq!(OverlayCategory::ALL.iter().filter(|o| same(o)).count(), 1);
        }
        assert_eq!(CategoryKeys::NONE.label(Paths), None);
        let own = keys.with(Paths, KeyCode::KeyP);
        assert_eq!(own.label(Paths).as_deref(), Some("Alt+P"));
    }
}
