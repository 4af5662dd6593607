//! What several tests draw at random.

pub(crate) mod baked;
pub(crate) mod bare;
pub(crate) mod maps;

use fastrand::Rng;
use pursuit::{Algorithm, DiagonalPolicy, Heuristic, PathOptions, Weights};

/// Options of any kind but ties, most often those that keep paths cheapest, and often with a limit.
pub(crate) fn any_options(rng: &mut Rng, diagonals: DiagonalPolicy) -> PathOptions {
    let weights = [(1, 1), (1, 1), (1, 1), (2, 3), (0, 1), (1, 0), (7, 7)];
    let (g, h) = weights[rng.usize(0..weights.len())];
    let others = [Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Zero];
    PathOptions {
        diagonals,
        weights: Weights { g, h },
        algorithm: [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint][rng.usize(0..3)],
        heuristic: *others.get(rng.usize(0..9)).unwrap_or(&Heuristic::Octile),
        max_expanded: (rng.u8(0..3) == 0).then(|| rng.u32(0..80)),
        ..PathOptions::default()
    }
}
