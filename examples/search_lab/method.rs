//! What can be chosen: the algorithm of a lane, and the settings that all of them share.

use bevy::prelude::Resource;
use pursuit::{Algorithm, DiagonalPolicy, Heuristic, PathOptions, Ties, Weights};

/// An algorithm to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
    JumpPoints,
    /// ARA*, with its default weights.
    Anytime,
    /// D* Lite, rooted at the goal. A lane keeps its tree over edits; the comparison begins with none.
    Incremental,
    /// An integration field: Dijkstra from the goal, to every cell.
    Field,
}

impl Method {
    /// All of them, in the order of their keys.
    pub(crate) const ALL: [Self; 8] = [
        Self::AStar,
        Self::Dijkstra,
        Self::Greedy,
        Self::Weighted,
        Self::JumpPoints,
        Self::Anytime,
        Self::Incremental,
        Self::Field,
    ];

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AStar => "A*",
            Self::Dijkstra => "Dijkstra",
            Self::Greedy => "Greedy best-first",
            Self::Weighted => "Weighted A*",
            Self::JumpPoints => "Jump points",
            Self::Anytime => "ARA*",
            Self::Incremental => "D* Lite",
            Self::Field => "Field",
        }
    }

    /// What leads it, in a few words.
    pub(crate) fn idea(self) -> &'static str {
        match self {
            Self::AStar => "f = g + h",
            Self::Dijkstra => "f = g",
            Self::Greedy => "f = h",
            Self::Weighted => "f = k_g g + k_h h",
            Self::JumpPoints => "skips along lines",
            Self::Anytime => "f = g + w h, w falls",
            Self::Incremental => "grows from the goal",
            Self::Field => "g from the goal",
        }
    }
}

/// Settings that hold for all algorithms, where they understand them.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The estimate. Dijkstra and fields have none, and jump points always take octile.
    pub(crate) heuristic: Heuristic,
    /// `k_g` and `k_h` of weighted A*.
    pub(crate) weights: Weights,
    /// To how many neighbors a step leads.
    pub(crate) neighbors: Neighbors,
    /// Which diagonal steps are legal where there are any.
    pub(crate) diagonals: DiagonalPolicy,
    /// Which of several cells with the same f comes first. Jump points, ARA*, D* Lite and fields have orders of their own.
    pub(crate) ties: Ties,
}

/// The neighborhood: which cells a step leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Neighbors {
    /// Straight steps alone.
    Four,
    /// Diagonal ones, too.
    #[default]
    Eight,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            heuristic: Heuristic::Octile,
            weights: Weights { g: 1, h: 2 },
            neighbors: Neighbors::Eight,
            diagonals: DiagonalPolicy::NoCornerCut,
            ties: Ties::Newest,
        }
    }
}

/// Most that `k_g` and `k_h` can be set to.
const MAX_WEIGHT: u16 = 9;

impl Settings {
    /// What to ask of the core for this algorithm.
    pub(crate) fn options(&self, method: Method) -> PathOptions {
        let mut options = PathOptions {
            diagonals: self.policy(),
            algorithm: Algorithm::AStar,
            heuristic: self.heuristic,
            ties: self.ties,
            ..PathOptions::default()
        };
        match method {
            Method::AStar | Method::Anytime | Method::Incremental => {}
            Method::Dijkstra | Method::Field => options.heuristic = Heuristic::Zero,
            Method::Greedy => options.weights = Weights { g: 0, h: 1 },
            Method::Weighted => options.weights = self.weights,
            Method::JumpPoints => {
                options.algorithm = Algorithm::JumpPoint;
                options.heuristic = Heuristic::Octile;
            }
        }
        options
    }

    /// The next estimate.
    pub(crate) fn next_heuristic(&mut self) {
        self.heuristic = match self.heuristic {
            Heuristic::Octile => Heuristic::Euclidean,
            Heuristic::Euclidean => Heuristic::Manhattan,
            Heuristic::Manhattan => Heuristic::Zero,
            _ => Heuristic::Octile,
        };
    }

    /// The other neighborhood.
    pub(crate) fn next_neighbors(&mut self) {
        self.neighbors = match self.neighbors {
            Neighbors::Four => Neighbors::Eight,
            Neighbors::Eight => Neighbors::Four,
        };
    }

    /// The next rule for diagonal steps. Among four neighbors there are none to rule.
    pub(crate) fn next_diagonals(&mut self) {
        if self.neighbors == Neighbors::Eight {
            self.diagonals = match self.diagonals {
                DiagonalPolicy::NoCornerCut => DiagonalPolicy::OneFree,
                DiagonalPolicy::OneFree => DiagonalPolicy::Always,
                _ => DiagonalPolicy::NoCornerCut,
            };
        }
    }

    /// The next order among cells with the same f.
    pub(crate) fn next_ties(&mut self) {
        self.ties = match self.ties {
            Ties::Newest => Ties::Oldest,
            Ties::Oldest => Ties::LargestG,
            Ties::LargestG => Ties::SmallestG,
            _ => Ties::Newest,
        };
    }

    /// Which diagonal steps are legal, as the core takes it.
    pub(crate) fn policy(&self) -> DiagonalPolicy {
        match self.neighbors {
            Neighbors::Four => DiagonalPolicy::Never,
            Neighbors::Eight => self.diagonals,
        }
    }

    /// One more or less on `k_g`. Both weights cannot be 0.
    pub(crate) fn change_g(&mut self, by: i16) {
        let least = u16::from(self.weights.h == 0);
        self.weights.g = changed(self.weights.g, by, least);
    }

    /// One more or less on `k_h`. Both weights cannot be 0.
    pub(crate) fn change_h(&mut self, by: i16) {
        let least = u16::from(self.weights.g == 0);
        self.weights.h = changed(self.weights.h, by, least);
    }

    /// The estimate in words.
    pub(crate) fn heuristic_name(&self) -> &'static str {
        match self.heuristic {
            Heuristic::Octile => "octile",
            Heuristic::Manhattan => "Manhattan",
            Heuristic::Euclidean => "Euclidean",
            _ => "zero",
        }
    }

    /// The number of neighbors in words.
    pub(crate) fn neighbors_name(&self) -> &'static str {
        match self.neighbors {
            Neighbors::Four => "4",
            Neighbors::Eight => "8",
        }
    }

    /// What comes first among cells with the same f, in words.
    pub(crate) fn ties_name(&self) -> &'static str {
        match self.ties {
            Ties::Oldest => "oldest",
            Ties::LargestG => "largest g",
            Ties::SmallestG => "smallest g",
            _ => "newest",
        }
    }

    /// The rule for diagonal steps in words.
    pub(crate) fn diagonals_name(&self) -> &'static str {
        match self.policy() {
            DiagonalPolicy::Never => "none",
            DiagonalPolicy::NoCornerCut => "no cut corners",
            DiagonalPolicy::OneFree => "one side free",
            DiagonalPolicy::Always => "always",
        }
    }
}

/// What an algorithm does in place of what was chosen, where that does not work by these rules or, where floor is not
/// even, on mud; `None` where it works. No comma is in it.
pub(crate) fn substitute(
    method: Method,
    settings: &Settings,
    is_even: bool,
) -> Option<&'static str> {
    let policy = settings.policy();
    let is_manhattan = settings.heuristic == Heuristic::Manhattan;
    match method {
        Method::JumpPoints if !is_even => Some("not on mud: as A*"),
        Method::JumpPoints if policy != DiagonalPolicy::NoCornerCut => {
            Some("not by these rules: as A*")
        }
        Method::Incremental if is_manhattan && policy != DiagonalPolicy::Never => {
            Some("from the goal by octile")
        }
        _ => None,
    }
}

fn changed(weight: u16, by: i16, least: u16) -> u16 {
    weight.saturating_add_signed(by).clamp(least, MAX_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_never_both_zero() {
        let mut settings = Settings::default();
        for _ in 0..20 {
            settings.change_g(-1);
            settings.change_h(-1);
        }
        let Weights { g, h } = settings.weights;
        assert_eq!(g + h, 1);
    }

    #[test]
    fn what_takes_the_place_of_jump_points_is_named() {
        let mut settings = Settings::default();
        let jumps =
            |settings: &Settings, is_even| substitute(Method::JumpPoints, settings, is_even);
        assert_eq!(jumps(&settings, true), None);
        assert_eq!(jumps(&settings, false), Some("not on mud: as A*"));
        assert_eq!(substitute(Method::AStar, &settings, false), None);
        settings.next_neighbors();
        assert_eq!(jumps(&settings, true), Some("not by these rules: as A*"));
    }

    #[test]
    fn every_estimate_comes_up() {
        let mut settings = Settings::default();
        let mut names = Vec::new();
        for _ in 0..4 {
            names.push(settings.heuristic_name());
            settings.next_heuristic();
        }
        assert_eq!(settings, Settings::default());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn every_order_of_ties_comes_up_and_is_asked_of_the_core() {
        let mut settings = Settings::default();
        let mut names = Vec::new();
        for _ in 0..4 {
            assert_eq!(settings.options(Method::AStar).ties, settings.ties);
            names.push(settings.ties_name());
            settings.next_ties();
        }
        assert_eq!(settings, Settings::default());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn every_rule_comes_up_and_is_kept_while_there_are_four_neighbors() {
        let mut settings = Settings::default();
        let mut names = Vec::new();
        for _ in 0..3 {
            names.push(settings.diagonals_name());
            settings.next_neighbors();
            assert_eq!(settings.policy(), DiagonalPolicy::Never);
            settings.next_diagonals();
            names.push(settings.diagonals_name());
            settings.next_neighbors();
            settings.next_diagonals();
        }
        assert_eq!(settings, Settings::default());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, ["always", "no cut corners", "none", "one side free"]);
    }
}
