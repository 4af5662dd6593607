//! Searches for a body that go on after an answer.

use super::anytime::{AnytimeSearch, AnytimeWeights};
use super::incremental::{IncrementalSearch, IncrementalTree};
use crate::cell::Cell;
use crate::map::BodyLayers;
use crate::search::{FindPathError, FoundPath, PathOptions, SearchScratch};

impl BodyLayers {
    /// A search that has a path soon, and a better one while it is stepped, until that is the cheapest: see
    /// [`AnytimeSearch`]. The policy is that of these layers. Of `options` only the heuristic
    /// counts. Feature `planners`.
    ///
    /// # Errors
    ///
    /// Mistakes in the arguments: see [`FindPathError`].
    pub fn anytime<'a>(
        &'a self,
        start: Cell,
        goal: Cell,
        weights: AnytimeWeights,
        options: &PathOptions,
        scratch: &'a mut SearchScratch,
    ) -> Result<AnytimeSearch<'a>, FindPathError> {
        let options = self.under_policy(options);
        AnytimeSearch::with_facts(self.known(), (start, goal), weights, &options, scratch)
    }

    /// What [`find_path`](Self::find_path) finds, with the tree that the searches for a walker keep: see
    /// [`IncrementalTree`]. Always by A\*'s rules and for the cheapest path: of `options` only the heuristic counts. Of paths that cost the same
    /// it may find another one. Feature `planners`.
    ///
    /// # Errors
    ///
    /// See [`FindPathError`].
    pub fn replan(
        &self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        tree: &mut IncrementalTree,
    ) -> Result<FoundPath, FindPathError> {
        self.incremental(start, goal, options, tree)?.finish()
    }

    /// What [`replan`](Self::replan) does, in steps: see [`IncrementalSearch`]. Brings the tree up to date with
    /// these layers, which takes no step. Feature `planners`.
    ///
    /// # Errors
    ///
    /// See [`FindPathError`].
    pub fn incremental<'a>(
        &'a self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        tree: &'a mut IncrementalTree,
    ) -> Result<IncrementalSearch<'a>, FindPathError> {
        let options = self.under_policy(options);
        IncrementalSearch::with_facts(self.known(), (start, goal), &options, tree)
    }
}
