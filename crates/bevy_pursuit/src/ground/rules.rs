//! The costs of areas, in the units of the core.

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy::prelude::*;
use pursuit::AreaCosts;

use super::{AgentClass, AgentClasses, AreaId, NavArea, NavAreas};

/// The cost of each area for each class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rules {
    pub(crate) classes: Vec<AreaCosts>,
    /// Costs for a class without costs of its own.
    usual: AreaCosts,
    /// All areas by ascending cost.
    order: Vec<u8>,
    /// Number of areas in [`NavAreas`].
    count: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self::new(&NavAreas::default(), &AgentClasses::default())
    }
}

impl Rules {
    fn new(areas: &NavAreas, classes: &AgentClasses) -> Self {
        let costs_of = |class: &AgentClass| {
            let infos = areas.all.iter().zip(0..=u8::MAX).map(|(info, area)| {
                let own = class.costs.get(&AreaId(area));
                (area, own.copied().unwrap_or(info.cost))
            });
            infos.fold(AreaCosts::plain(), |costs, (area, cost)| {
                costs.with(area, in_sixteenths(cost).unwrap_or(AreaCosts::PLAIN))
            })
        };
        let usual = costs_of(&AgentClass::default());
        let own = classes.all.iter().map(costs_of);
        let mut order: Vec<u8> = (0..=u8::MAX).collect();
        order.sort_by_key(|area| dearness(&usual, *area));
        Self {
            order,
            classes: own.chain(classes.all.is_empty().then_some(usual)).collect(),
            usual,
            count: areas.all.len(),
        }
    }

    /// Whether [`NavAreas`] contains the area.
    pub(crate) fn knows(&self, area: AreaId) -> bool {
        area == AreaId::PLAIN || usize::from(area.0) < self.count
    }

    /// Whether overlapping areas are drawn in the same order.
    pub(crate) fn draws_as(&self, other: &Self) -> bool {
        self.order == other.order
    }

    /// Rank in which areas are drawn. Areas of higher rank are drawn over those of lower rank.
    pub(crate) fn rank(&self, area: NavArea) -> impl Ord + use<> {
        (area.priority, dearness(&self.usual, area.area.0))
    }
}

/// Rank of an area among areas with the same priority.
fn dearness(usual: &AreaCosts, area: u8) -> (u16, u8) {
    (usual.cost(area).map_or(u16::MAX, u16::from), area)
}

/// Rounding a cost to sixteenths changes it by less than this.
const COST_ROUNDING: f32 = 0.04;

/// A cost in sixteenths, the unit of the core. A cost above the highest is lowered to it. `None` for NaN and for a cost
/// below 1/32.
fn in_sixteenths(cost: f32) -> Option<u8> {
    if cost == f32::INFINITY {
        return Some(AreaCosts::FORBIDDEN);
    }
    let sixteenths = (cost * f32::from(AreaCosts::PLAIN)).round();
    // `as` saturates.
    (sixteenths >= 1.0).then_some(sixteenths as u8)
}

/// The present rules.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct GroundRules(pub(crate) Arc<Rules>);

/// Updates the rules when the game changed them, and warns of numbers that are out of range.
pub(crate) fn follow_rules(
    areas: Res<NavAreas>,
    classes: Res<AgentClasses>,
    mut rules: ResMut<GroundRules>,
    mut logged: Local<BTreeSet<AreaId>>,
) {
    if !(areas.is_changed() || classes.is_changed()) {
        return;
    }
    let costs = areas.all.iter().zip(0..=u8::MAX);
    let costs = costs.map(|(info, area)| (AreaId(area), info.cost));
    let own = classes.all.iter().flat_map(|class| &class.costs);
    for (area, cost) in costs.chain(own.map(|(area, cost)| (*area, *cost))) {
        let counted = in_sixteenths(cost).unwrap_or(AreaCosts::PLAIN);
        let counted = f32::from(counted) / f32::from(AreaCosts::PLAIN);
        let is_rounded = (counted - cost).abs() < COST_ROUNDING || cost == f32::INFINITY;
        if !is_rounded && logged.insert(area) {
            let name = areas.get(area).map_or("unknown", |info| &*info.name);
            warn!(
                "the cost of {cost} of area {} ({name}) is treated as {counted}: it must be from 1/16 to 15.9375 \
                 times the cost of plain ground, or infinite where no agent may walk (said once for each area)",
                area.0
            );
        }
    }
    let max_entries = usize::from(u8::MAX) + 1;
    if areas.all.len() > max_entries || classes.all.len() > max_entries {
        warn_once!(
            "NavAreas or AgentClasses have more than {max_entries} entries: further ones are treated as the first one. \
             A level that starts again should start with NavAreas::default() and AgentClasses::default() (said once)"
        );
    }
    let now = GroundRules(Arc::new(Rules::new(&areas, &classes)));
    rules.set_if_neq(now);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_above_the_highest_counts_as_the_highest() {
        for (cost, expected) in [
            (1.0 / 16.0, Some(1)),
            (15.0, Some(240)),
            (15.9375, Some(255)),
            (16.0, Some(255)),
            (f32::MAX, Some(255)),
            (f32::INFINITY, Some(AreaCosts::FORBIDDEN)),
            (0.01, None),
            (-20.0, None),
            (f32::NEG_INFINITY, None),
            (f32::NAN, None),
        ] {
            assert_eq!(in_sixteenths(cost), expected, "{cost}");
        }
    }
}
