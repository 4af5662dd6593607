//! What areas cost each class of agents.

use bevy::ecs::prelude::ReflectResource;
use bevy::ecs::resource::Resource;
use bevy::platform::collections::HashMap;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::AreaId;

/// A class of agents, with its own costs of areas.
///
/// Default: no costs of its own, so [`AreaInfo::cost`](super::AreaInfo::cost) applies.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct AgentClass {
    /// Costs as multiples of plain ground; infinite where the class may not walk.
    pub costs: HashMap<AreaId, f32>,
}

impl AgentClass {
    /// Sets the cost of an area, as a multiple of plain ground: rounded to sixteenths, from 1/16 to 15.
    pub fn with_cost(mut self, area: AreaId, cost: f32) -> Self {
        self.costs.insert(area, cost);
        self
    }

    /// Forbids an area: agents of this class plan and walk around it. An agent that is put there leaves by the
    /// shortest way, and observers get [`EnteredForbidden`](crate::EnteredForbidden).
    pub fn forbidding(self, area: AreaId) -> Self {
        self.with_cost(area, f32::INFINITY)
    }
}

/// The classes of agents, which differ in what areas cost them. [`NavAgent::class`](crate::NavAgent::class) is
/// an index into this list; an index beyond its end counts as 0. A change takes effect in the next tick,
/// whatever is being baked.
///
/// Default: one class without costs of its own.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # let mut areas = NavAreas::default();
/// let water = areas.add("water", f32::INFINITY, Color::srgb(0.2, 0.4, 0.8));
/// let mut classes = AgentClasses::default();
/// let duck = classes.add(AgentClass::default().with_cost(water, 0.75));
/// let duck = NavAgent::from_radius(8.0).with_class(duck);
/// ```
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct AgentClasses {
    /// The classes, by [`NavAgent::class`](crate::NavAgent::class). Only the first 256 can be used.
    pub all: Vec<AgentClass>,
}

impl Default for AgentClasses {
    fn default() -> Self {
        Self {
            all: vec![AgentClass::default()],
        }
    }
}

impl AgentClasses {
    /// Adds a class and returns its index; from the 257th on, 0.
    pub fn add(&mut self, class: AgentClass) -> u8 {
        self.all.push(class);
        u8::try_from(self.all.len() - 1).unwrap_or(0)
    }
}
