//! What an anytime search keeps from step to step, and what follows from it.

use super::options::AnytimeWeights;
use crate::search::options::{SearchStats, Weights};
use crate::search::space::Guarantee;
use crate::search::work::Stop;

/// Weights count in parts of 1 of that many.
pub(super) const ONE: u64 = 1024;

/// Above every f.
const INFINITE: u64 = u64::MAX;

/// What a search keeps from step to step, beside what is in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnytimeState {
    pub(super) weights: AnytimeWeights,
    /// That of the estimate in this round, in parts of [`ONE`].
    pub(super) weight: u64,
    /// Cost of the best path to a goal and that goal.
    pub(super) best: Option<(u64, u32)>,
    /// The cheapest path costs that much or more.
    pub(super) lower: u64,
    /// Of the nodes expanded, the least distance to the goal and the node.
    pub(super) nearest: (u64, u32),
    /// Cost of the path in the scratch's trail.
    pub(super) written: u64,
    pub(super) expanded: u32,
    pub(super) pushed: u32,
    pub(super) stage: Stage,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Expansions until a goal is reached for the first time.
    First,
    /// Expansions until the bound of that goal is proven.
    Proof,
    /// Expansions until the round is over.
    Round,
    /// The round is over, and another begins.
    Between,
    /// The last answer is told.
    Over,
}

impl AnytimeState {
    /// Where the best path ends: at a goal, or at what is nearest to it.
    pub(super) fn end(&self) -> u32 {
        self.best.map_or(self.nearest.1, |(_, goal)| goal)
    }

    pub(super) fn has_goal(&self) -> bool {
        self.best.is_some()
    }

    /// How many times the cheapest cost a path to the goal may cost that has this cost.
    pub(super) fn bound(&self, cost: u64) -> f64 {
        match cost <= self.lower {
            true => 1.0,
            false => cost as f64 / self.lower as f64,
        }
    }

    /// Why the path ends where it does that is told now, and its bound.
    pub(super) fn ended(&self) -> (Stop, f64) {
        match self.best {
            Some((cost, _)) => (Stop::Goal, self.bound(cost)),
            // All that can be reached was, and every improvement was followed up.
            None => (Stop::Exhausted, 1.0),
        }
    }

    /// The work until now.
    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            expanded: self.expanded,
            pushed: self.pushed,
        }
    }

    /// Where estimates are consistent, a round that is over has a path of no more than its weight times the
    /// cheapest cost.
    pub(super) fn trust_weight(&mut self, guarantee: Guarantee) {
        let is_round = self.stage == Stage::Round;
        if let (true, Some((cost, _)), Guarantee::Consistent) = (is_round, self.best, guarantee) {
            let least = (u128::from(cost) * u128::from(ONE)).div_ceil(u128::from(self.weight));
            self.lower = self.lower.max(least as u64);
        }
    }

    /// No node of this f or a larger one is expanded in this stage.
    pub(super) fn stop(&self) -> u64 {
        let Some((cost, _)) = self.best else {
            return INFINITE;
        };
        let parts = self.f(cost, 0);
        match self.stage {
            // The weight is 1: f is a lower bound.
            Stage::Proof => (parts as f64 / f64::from(self.weights.first)) as u64 + 1,
            _ => parts,
        }
    }

    /// What g and h count for in f, in whole numbers as small as they can be.
    pub(super) fn weights(&self) -> Weights {
        let (mut divisor, mut rest) = (ONE, self.weight);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let part = |weight: u64| u16::try_from(weight / divisor).unwrap_or(u16::MAX);
        Weights {
            g: part(ONE),
            h: part(self.weight),
        }
    }

    /// What a way that costs g and may cost h more cannot improve on.
    pub(super) fn is_hopeless(&self, least: u64) -> bool {
        self.best.is_some_and(|(cost, _)| least >= cost)
    }

    pub(super) fn f(&self, g: u64, h: u64) -> u64 {
        let sum = g.saturating_mul(ONE);
        sum.saturating_add(h.saturating_mul(self.weight))
            .min(INFINITE - 1)
    }

    /// The weight of the next round: less than that of this one, and than the bound.
    pub(super) fn fall(&mut self, guarantee: Guarantee) {
        let bound = self
            .best
            .map_or(f64::INFINITY, |(cost, _)| self.bound(cost));
        let next = bound.min(self.weight as f64 / ONE as f64) - f64::from(self.weights.fall);
        let least = match guarantee {
            Guarantee::Consistent => ONE,
            // Estimates that promise nothing prove nothing. The last round does without.
            Guarantee::None if self.weight <= ONE => 0,
            Guarantee::None => ONE,
        };
        // By something at least, so that it comes to an end.
        let most = self.weight - self.weight.div_ceil(ONE);
        self.weight = ((next * ONE as f64) as u64).min(most).max(least);
    }
}
