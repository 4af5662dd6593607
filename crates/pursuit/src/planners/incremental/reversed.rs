//! A space with all its steps the other way round.

use crate::search::space::{Guarantee, SearchSpace};

/// A space in which each step leads back to where it comes from in the other one: what a search from the goal goes
/// through.
pub(super) struct Reversed<'a, S>(pub(super) &'a S);

impl<S: SearchSpace> SearchSpace for Reversed<'_, S> {
    type Place = S::Place;

    fn node_count(&self) -> u32 {
        self.0.node_count()
    }

    #[inline(always)]
    fn place(&self, node: u32) -> S::Place {
        self.0.place(node)
    }

    fn is_goal(&self, node: u32) -> bool {
        self.0.is_goal(node)
    }

    fn heuristic(&self, place: S::Place) -> u64 {
        self.0.heuristic(place)
    }

    #[inline(always)]
    fn between(&self, from: S::Place, to: S::Place) -> u64 {
        self.0.between(to, from)
    }

    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }

    #[inline(always)]
    fn for_each_neighbor(&self, node: u32, place: S::Place, visit: impl FnMut(u32, S::Place, u32)) {
        self.0.for_each_predecessor(node, place, visit);
    }

    #[inline(always)]
    fn for_each_predecessor(
        &self,
        node: u32,
        place: S::Place,
        visit: impl FnMut(u32, S::Place, u32),
    ) {
        self.0.for_each_neighbor(node, place, visit);
    }
}
