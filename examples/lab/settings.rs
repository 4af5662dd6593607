//! What can be chosen: the algorithm of a lane, and the rules that all of them share.

use bevy::prelude::{KeyCode, Resource};
use clap::ValueEnum;
use pursuit::voxels::Movement;
use pursuit::{DiagonalPolicy, Heuristic, Ties, Weights};

/// An algorithm to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
    JumpPoints,
    /// ARA*: a path at once, then better ones.
    AraStar,
    /// D* Lite: repairs what it knew when the map is edited.
    DStarLite,
    /// An integration field, from the goal to every cell.
    Field,
}

impl Method {
    /// What it is called, and what leads it.
    pub(crate) fn words(self) -> [&'static str; 2] {
        match self {
            Self::AStar => ["A*", "f = g + h"],
            Self::Dijkstra => ["Dijkstra", "f = g"],
            Self::Greedy => ["Greedy best-first", "f = h"],
            Self::Weighted => ["Weighted A*", "f = k_g g + k_h h"],
            Self::JumpPoints => ["Jump points", "skips along lines"],
            Self::AraStar => ["ARA*", "f = g + w h, w falls"],
            Self::DStarLite => ["D* Lite", "grows from the goal"],
            Self::Field => ["Field", "g from the goal"],
        }
    }
}

/// Choices, by their names on the command line.
type Choices<T> = [(&'static str, T)];

pub(crate) const ESTIMATES: &Choices<Heuristic> = &[
    ("octile", Heuristic::Octile),
    ("euclidean", Heuristic::Euclidean),
    ("manhattan", Heuristic::Manhattan),
    ("zero", Heuristic::Zero),
];
pub(crate) const DIAGONALS: &Choices<DiagonalPolicy> = &[
    ("no-corner-cut", DiagonalPolicy::NoCornerCut),
    ("one-free", DiagonalPolicy::OneFree),
    ("always", DiagonalPolicy::Always),
    ("never", DiagonalPolicy::Never),
];
/// Steps up and down of one cube, of two, and through the air to all six sides.
pub(crate) const MOVES: &Choices<Movement> = &[
    ("walk", Movement::Walk { climb: 1 }),
    ("climb", Movement::Walk { climb: 2 }),
    ("fly", Movement::Fly),
];
pub(crate) const TIES: &Choices<Ties> = &[
    ("newest", Ties::Newest),
    ("oldest", Ties::Oldest),
    ("largest-g", Ties::LargestG),
    ("smallest-g", Ties::SmallestG),
];
/// Most that `k_g` and `k_h` can be set to.
const MAX_WEIGHT: u16 = 9;

/// Rules that hold for all algorithms that understand them.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Dijkstra and fields have no estimate, jump points always take octile, cubes Manhattan.
    pub(crate) estimate: Heuristic,
    pub(crate) diagonals: DiagonalPolicy,
    pub(crate) movement: Movement,
    /// Jump points, ARA*, D* Lite and fields have orders of their own.
    pub(crate) ties: Ties,
    /// `k_g` and `k_h` of weighted A*. Never both 0.
    pub(crate) weights: Weights,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            estimate: ESTIMATES[0].1,
            diagonals: DIAGONALS[0].1,
            movement: MOVES[0].1,
            ties: TIES[0].1,
            weights: Weights { g: 1, h: 2 },
        }
    }
}

/// A rule that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Estimate,
    Diagonals,
    Moves,
    Ties,
    WeightG,
    WeightH,
}

impl Rule {
    /// Its key, that key's label, and what it chooses.
    pub(crate) fn key(self) -> (KeyCode, &'static str, &'static str) {
        match self {
            Self::Estimate => (KeyCode::KeyH, "H", "estimate"),
            Self::Diagonals => (KeyCode::KeyD, "D", "diagonals"),
            Self::Moves => (KeyCode::KeyD, "D", "moves"),
            Self::Ties => (KeyCode::KeyT, "T", "same f: first"),
            Self::WeightG => (KeyCode::KeyG, "G", "k_g, weighted"),
            Self::WeightH => (KeyCode::KeyK, "K", "k_h, weighted"),
        }
    }
}

impl Settings {
    /// What is chosen, in the words of the command line.
    pub(crate) fn value(&self, rule: Rule) -> String {
        let name = match rule {
            Rule::Estimate => name(ESTIMATES, self.estimate),
            Rule::Diagonals if self.diagonals == DiagonalPolicy::Never => "never: 4 neighbors",
            Rule::Diagonals => name(DIAGONALS, self.diagonals),
            Rule::Moves => name(MOVES, self.movement),
            Rule::Ties => name(TIES, self.ties),
            Rule::WeightG => return self.weights.g.to_string(),
            Rule::WeightH => return self.weights.h.to_string(),
        };
        name.to_owned()
    }

    /// The next choice, or the one before.
    pub(crate) fn turn(&mut self, rule: Rule, is_back: bool) {
        // Both weights cannot be 0.
        let changed = |weight: u16, other: u16| {
            let by = if is_back { -1 } else { 1 };
            let next = weight.saturating_add_signed(by);
            next.clamp((other == 0).into(), MAX_WEIGHT)
        };
        let Weights { g, h } = self.weights;
        match rule {
            Rule::Estimate => turn(ESTIMATES, &mut self.estimate, is_back),
            Rule::Diagonals => turn(DIAGONALS, &mut self.diagonals, is_back),
            Rule::Moves => turn(MOVES, &mut self.movement, is_back),
            Rule::Ties => turn(TIES, &mut self.ties, is_back),
            Rule::WeightG => self.weights.g = changed(g, h),
            Rule::WeightH => self.weights.h = changed(h, g),
        }
    }

    /// The estimate as this algorithm takes it.
    pub(crate) fn heuristic(&self, method: Method) -> Heuristic {
        match method {
            Method::Dijkstra | Method::Field => Heuristic::Zero,
            Method::JumpPoints => Heuristic::Octile,
            _ => self.estimate,
        }
    }

    /// The weights of g and h as this algorithm takes them.
    pub(crate) fn weights(&self, method: Method) -> Weights {
        match method {
            Method::Greedy => Weights { g: 0, h: 1 },
            Method::Weighted => self.weights,
            _ => Weights { g: 1, h: 1 },
        }
    }
}

fn name<T: PartialEq>(choices: &Choices<T>, choice: T) -> &'static str {
    let found = choices.iter().find(|(_, one)| *one == choice);
    found.map_or("", |(name, _)| name)
}

/// The next choice in a ring, or the one before.
fn turn<T: PartialEq + Copy>(choices: &Choices<T>, choice: &mut T, is_back: bool) {
    let place = choices.iter().position(|(_, one)| one == choice);
    let by = if is_back { choices.len() - 1 } else { 1 };
    *choice = choices[(place.unwrap_or(0) + by) % choices.len()].1;
}

/// Reads a choice.
pub(crate) fn choice<T: Copy>(
    choices: &'static Choices<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let found = choices.iter().find(|(name, _)| *name == text);
        let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let found = found.map(|(_, choice)| *choice);
        found.ok_or_else(|| format!("there are {}", names().join(", ")))
    }
}
