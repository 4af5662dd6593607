//! What areas cost whom, in the numbers of the core.

use std::sync::Arc;

use bevy::ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy::ecs::resource::Resource;
use bevy::ecs::system::{Res, ResMut};
use bevy::log::warn;
use pursuit::AreaCosts;

use super::{AgentClass, AgentClasses, AreaId, NavArea, NavAreas};

/// What areas cost each class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rules {
    pub(crate) classes: Vec<AreaCosts>,
    /// What areas cost a class without costs of its own.
    usual: AreaCosts,
    /// How many areas there are.
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
        Self {
            classes: own.chain(classes.all.is_empty().then_some(usual)).collect(),
            usual,
            count: areas.all.len(),
        }
    }

    /// Whether a game says what the area is.
    pub(crate) fn knows(&self, area: AreaId) -> bool {
        area == AreaId::PLAIN || usize::from(area.0) < self.count
    }

    /// Whether areas that overlap are drawn the same way.
    pub(crate) fn draws_as(&self, other: &Self) -> bool {
        (self.usual, self.count) == (other.usual, other.count)
    }

    /// In which order areas are drawn: later ones over earlier ones.
    pub(crate) fn rank(&self, area: NavArea) -> (i16, u16, u8) {
        let cost = self.usual.cost(area.area.0).map_or(u16::MAX, u16::from);
        (area.priority, cost, area.area.0)
    }
}

/// A cost as the core counts it; `None` for a number that makes no sense.
fn in_sixteenths(cost: f32) -> Option<u8> {
    if cost == f32::INFINITY {
        return Some(AreaCosts::FORBIDDEN);
    }
    let sixteenths = (cost * f32::from(AreaCosts::PLAIN)).round();
    (1.0..=f32::from(u8::MAX))
        .contains(&sixteenths)
        .then_some(sixteenths as u8)
}

/// The rules as they are now.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct GroundRules(pub(crate) Arc<Rules>);

/// Keeps the rules in line with what the game says, and warns of what makes no sense.
pub(crate) fn follow_rules(
    areas: Res<NavAreas>,
    classes: Res<AgentClasses>,
    mut rules: ResMut<GroundRules>,
) {
    if !(areas.is_changed() || classes.is_changed()) {
        return;
    }
    let costs = areas.all.iter().map(|area| area.cost);
    let own = classes.all.iter().flat_map(|class| class.costs.values());
    for cost in costs.chain(own.copied()) {
        if in_sixteenths(cost).is_none() {
            warn!(
                "an area's cost of {cost} counts as 1: it must be from 1/16 to 15 times plain ground, or \
                 infinite where nobody may walk"
            );
        }
    }
    let now = GroundRules(Arc::new(Rules::new(&areas, &classes)));
    rules.set_if_neq(now);
}

impl PartialEq for GroundRules {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
