//! What areas cost each class of agents.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;

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
    /// Sets the cost of an area, as a multiple of the cost of plain ground: at least 1/16, rounded to sixteenths, or
    /// infinite. A cost of 16 or more is lowered to the highest cost, 15 and 15/16.
    pub fn with_cost(mut self, area: AreaId, cost: f32) -> Self {
        self.costs.insert(area, cost);
        self
    }

    /// Forbids an area: agents of this class plan and walk around it. An agent that is put there leaves by the
    /// shortest path, and observers get [`EnteredForbidden`](crate::EnteredForbidden).
    pub fn forbidding(self, area: AreaId) -> Self {
        self.with_cost(area, f32::INFINITY)
    }
}

/// A class of agents: an index into [`AgentClasses`]. Agents have class 0 by default.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub struct ClassId(pub u8);

/// The error of [`AgentClasses::add`] if there are already 256 classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("AgentClasses has 256 classes already, and holds no more")]
pub struct TooManyClasses;

/// The classes of agents, each with its own costs of areas.
///
/// [`NavAgent::class`](crate::NavAgent::class) is an index into this list; an agent whose class is not in the list is
/// treated as class 0. A change takes effect in the next tick, even while a bake runs.
///
/// Default: one class without costs of its own.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # let mut areas = NavAreas::default();
/// let water = areas.add("water", f32::INFINITY, Color::srgb(0.2, 0.4, 0.8));
/// let mut classes = AgentClasses::default();
/// let duck = classes.add(AgentClass::default().with_cost(water, 0.75))?;
/// let duck = NavAgent::from_radius(8.0).with_class(duck);
/// # Ok::<(), bevy_pursuit::TooManyClasses>(())
/// ```
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct AgentClasses {
    /// The classes, indexed by [`ClassId`]. Only the first 256 can be used.
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
    /// Adds a class of agents.
    ///
    /// # Errors
    ///
    /// [`TooManyClasses`] if there are already 256 classes. The list then stays as it is.
    pub fn add(&mut self, class: AgentClass) -> Result<ClassId, TooManyClasses> {
        let id = u8::try_from(self.all.len()).map_err(|_| TooManyClasses)?;
        self.all.push(class);
        Ok(ClassId(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_257th_class() {
        let mut classes = AgentClasses::default();
        for id in 1..=u8::MAX {
            assert_eq!(classes.add(AgentClass::default()), Ok(ClassId(id)));
        }
        assert_eq!(classes.add(AgentClass::default()), Err(TooManyClasses));
        assert_eq!(classes.all.len(), 256);
    }
}
