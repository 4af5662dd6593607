//! At which end an incremental search has its root.

/// From which end an incremental search grows its tree of cheapest ways. Answers are equally cheap; what they
/// take is not.
///
/// The other end moves for next to nothing. When the root itself moves, the part of the tree stays that is
/// behind its new place, and all else is given up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Root {
    /// At the goal: D\* Lite (Koenig and Likhachev, 2002). For a goal that stays, while the start walks toward it.
    #[default]
    Goal,
    /// At the start: as Moving Target D\* Lite (Sun, Yeoh and Koenig, 2010). For chases: the goal moves at will, and
    /// the start walks along the path, into the part of the tree that stays.
    Start,
}
