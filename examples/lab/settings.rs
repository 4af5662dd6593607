//! The choices: the algorithm of a lane, and the rules that all lanes share.

use bevy::prelude::{KeyCode, Resource};
use clap::ValueEnum;
use pursuit::{DiagonalPolicy, Heuristic, Weights};
use pursuit_lab::voxels::Movement;

/// An algorithm to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
    JumpPoints,
    /// ARA*: finds a path early, then better ones.
    AraStar,
    /// D* Lite: repairs its last search when the map is edited.
    DStarLite,
    /// An integration field, from the goal to every cell.
    Field,
}

impl Method {
    /// All algorithms, in the order of their keys. The first four can search among cubes.
    pub(crate) const ALL: [Self; 8] = {
        use Method::{AStar, AraStar, DStarLite, Dijkstra, Field, Greedy, JumpPoints, Weighted};
        [
            AStar, Dijkstra, Greedy, Weighted, JumpPoints, AraStar, DStarLite, Field,
        ]
    };

    /// The name of the algorithm, and its idea.
    pub(crate) fn name_and_idea(self) -> [&'static str; 2] {
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

const ESTIMATES: [(&str, Heuristic); 2] =
    [("octile", Heuristic::Octile), ("zero", Heuristic::Zero)];
const DIAGONALS: [(&str, DiagonalPolicy); 4] = [
    ("no-corner-cut", DiagonalPolicy::NoCornerCut),
    ("one-free", DiagonalPolicy::OneFree),
    ("always", DiagonalPolicy::Always),
    ("never", DiagonalPolicy::Never),
];
/// Movements among cubes: walking up and down by at most one cube, climbing by at most two, and flying to all six
/// sides.
pub(crate) const MOVES: [(&str, Movement); 3] = [
    ("walk", Movement::Walk { climb: 1 }),
    ("climb", Movement::Walk { climb: 2 }),
    ("fly", Movement::Fly),
];
/// The largest value of `k_g` and `k_h`.
const MAX_WEIGHT: u16 = 9;

/// Rules that all lanes share. An algorithm ignores the rules that it has no use for.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The estimate of the cost to the goal. Dijkstra and fields have none, jump point search always uses the octile
    /// distance, and searches among cubes the Manhattan distance.
    pub(crate) estimate: Heuristic,
    pub(crate) diagonals: DiagonalPolicy,
    pub(crate) movement: Movement,
    /// `k_g` and `k_h` of weighted A*. Never both 0.
    pub(crate) weights: Weights,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            estimate: Heuristic::Octile,
            diagonals: DiagonalPolicy::NoCornerCut,
            movement: Movement::Walk { climb: 1 },
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
    WeightG,
    WeightH,
}

impl Rule {
    /// The key of the rule, the label of the key, and the name of the choice.
    pub(crate) fn key(self) -> (KeyCode, &'static str, &'static str) {
        match self {
            Self::Estimate => (KeyCode::KeyH, "H", "estimate"),
            Self::Diagonals => (KeyCode::KeyD, "D", "diagonals"),
            Self::Moves => (KeyCode::KeyD, "D", "moves"),
            Self::WeightG => (KeyCode::KeyG, "G", "k_g, weighted"),
            Self::WeightH => (KeyCode::KeyK, "K", "k_h, weighted"),
        }
    }
}

impl Settings {
    /// The current choice, in words.
    pub(crate) fn value(&self, rule: Rule) -> String {
        match rule {
            Rule::Estimate => name(&ESTIMATES, self.estimate),
            Rule::Diagonals => name(&DIAGONALS, self.diagonals),
            Rule::Moves => name(&MOVES, self.movement),
            Rule::WeightG => self.weights.g.to_string(),
            Rule::WeightH => self.weights.h.to_string(),
        }
    }

    /// Changes a rule to its next value, or to the previous one.
    pub(crate) fn change(&mut self, rule: Rule, is_back: bool) {
        // Both weights cannot be 0.
        let changed = |weight: u16, other: u16| {
            let next = weight.saturating_add_signed(if is_back { -1 } else { 1 });
            next.clamp((other == 0).into(), MAX_WEIGHT)
        };
        let Weights { g, h } = self.weights;
        match rule {
            Rule::Estimate => next_choice(&ESTIMATES, &mut self.estimate, is_back),
            Rule::Diagonals => next_choice(&DIAGONALS, &mut self.diagonals, is_back),
            Rule::Moves => next_choice(&MOVES, &mut self.movement, is_back),
            Rule::WeightG => self.weights.g = changed(g, h),
            Rule::WeightH => self.weights.h = changed(h, g),
        }
    }

    /// The estimate that an algorithm uses.
    pub(crate) fn heuristic(&self, method: Method) -> Heuristic {
        match method {
            Method::Dijkstra | Method::Field => Heuristic::Zero,
            Method::JumpPoints => Heuristic::Octile,
            _ => self.estimate,
        }
    }

    /// The weights of g and h that an algorithm uses.
    pub(crate) fn weights(&self, method: Method) -> Weights {
        match method {
            Method::Greedy => Weights { g: 0, h: 1 },
            Method::Weighted => self.weights,
            _ => Weights { g: 1, h: 1 },
        }
    }
}

fn name<T: PartialEq>(choices: &[(&str, T)], choice: T) -> String {
    let found = choices.iter().find(|(_, one)| *one == choice);
    found.map_or(String::new(), |(name, _)| (*name).to_owned())
}

/// Moves to the next choice in a ring, or to the previous one.
fn next_choice<T: PartialEq + Copy>(choices: &[(&str, T)], choice: &mut T, is_back: bool) {
    let place = choices.iter().position(|(_, one)| one == choice);
    let by = if is_back { choices.len() - 1 } else { 1 };
    *choice = choices[(place.unwrap_or(0) + by) % choices.len()].1;
}
