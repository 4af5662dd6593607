//! The path of an entity.

use bevy::ecs::{component::Component, entity::Entity, prelude::ReflectComponent};
use bevy::math::{Rect, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::Cell;

use super::{Errand, NavBody, Planning};

/// The path that the entity follows: waypoints in world units, the first where the search began.
///
/// Empty when there is none. Written by this crate: `Changed<NavPath>` reports every new path. A refresh
/// that finds the same path is no change, though [`generation`](Self::generation) may grow. Derived: saved with its
/// entity, it is empty, and it is planned again after loading.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Default, Clone, Debug)]
pub struct NavPath {
    #[reflect(ignore)]
    pub(crate) waypoints: Vec<Vec2>,
    #[reflect(ignore)]
    pub(crate) length: f32,
    #[reflect(ignore)]
    pub(crate) generation: u64,
    /// What it was planned for.
    #[reflect(ignore)]
    #[entities]
    pub(crate) errand: Errand,
    /// The cell that was searched for.
    #[reflect(ignore)]
    pub(crate) end_cell: Option<Cell>,
    /// Whether the body is proven to fit along the first leg. It always does along the others.
    #[reflect(ignore)]
    pub(crate) is_entry_proven: bool,
    /// The last waypoint.
    #[reflect(ignore)]
    pub(crate) end: Vec2,
    /// Holds all waypoints.
    #[reflect(ignore)]
    pub(crate) bounds: Rect,
    /// The place that it leads around, because the agent got stuck there.
    #[reflect(ignore)]
    pub(crate) avoids: Option<Vec2>,
    /// The serial of whose it is: a clone of the entity comes with a copy. 0 where nobody wants one.
    #[reflect(ignore)]
    pub(crate) owner: u32,
    /// Counts the paths planned for this entity, so that a follower notices a new one.
    #[reflect(ignore)]
    pub(crate) serial: u32,
}

impl NavPath {
    /// Whether it is no copy of somebody else's.
    pub(crate) fn is_of(&self, planning: &Planning) -> bool {
        self.owner == planning.serial
    }

    /// The waypoints, in world units. Straight lines between them keep 99 % of the body's radius clear of
    /// walls; the first one may lead out of a place that is too tight.
    pub fn waypoints(&self) -> &[Vec2] {
        &self.waypoints
    }

    /// Whether there is no path.
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// The last waypoint, in world units.
    pub fn end(&self) -> Option<Vec2> {
        self.waypoints.last().copied()
    }

    /// A box that holds all waypoints, in world units; empty if there are none.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Length along the waypoints, in world units.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Generation of the grid on which the path was planned, or last found to hold.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The grid that the path was planned on.
    pub fn grid(&self) -> Option<Entity> {
        self.errand.grid
    }

    /// Whether it serves an errand: what it was planned for is the same in all that matters to a path.
    pub(crate) fn serves(&self, wanted: &Errand) -> bool {
        self.errand
            .also_serves(wanted, self.end == self.errand.goal)
    }

    /// Whether a game that reads both would find the same.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.waypoints == other.waypoints
            && self.length == other.length
            && self.errand.body() == other.errand.body()
            && self.errand.grid == other.errand.grid
    }

    /// Whether it nearly serves an errand, as where one is changed in each tick: it was planned for one before, of another
    /// radius or reach, or to a goal nearby, within a body or a tenth of the way there.
    pub(crate) fn leads_nearly_to(&self, wanted: &Errand, from: Vec2) -> bool {
        let before = Errand {
            number: self.errand.number,
            radius: self.errand.radius,
            reach: self.errand.reach,
            ..*wanted
        };
        let goal = self.errand.goal;
        let nearby = (0.1 * from.distance(goal)).max(wanted.radius);
        self.serves(&before) && goal.distance(wanted.goal) <= nearby
    }

    /// The body that the path was planned for: its radius is that of the agent and what its driver keeps free beyond it.
    pub fn body(&self) -> NavBody {
        self.errand.body()
    }
}

impl Default for NavPath {
    fn default() -> Self {
        Self {
            waypoints: Vec::new(),
            length: 0.0,
            generation: 0,
            errand: Errand {
                goal: Vec2::NAN,
                ..Errand::default()
            },
            end_cell: None,
            is_entry_proven: false,
            end: Vec2::NAN,
            bounds: Rect::EMPTY,
            avoids: None,
            owner: 0,
            serial: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_serves_nobody_who_wants_to_go_somewhere() {
        let wanted = Errand {
            want: crate::agent::Want::Go,
            ..Errand::default()
        };
        assert!(!NavPath::default().serves(&wanted));
    }
}
