//! The path of an entity.

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::prelude::*;
use pursuit::Cell;
use pursuit::steer::{closest_entry, length, remaining_length};

use super::{GridPlane, NavBody, NavOrder, Planning};

/// The path that the entity follows. The first waypoint is the entity's position when the search began. Written by this
/// crate.
///
/// A path has legs, each of which is a polyline on one grid. `NavPath` is empty while there is no path, and while the
/// agent walks along a shared field (see [`share_fields`](crate::settings::PursuitSettings::share_fields));
/// [`Navigation::path_of`](crate::Navigation::path_of) then returns where the field leads.
///
/// `Changed<NavPath>` reports every new path. A search that finds the same path again is not reported, although
/// [`generation`](Self::generation) may grow. The waypoints are not saved with the entity: after loading, the path
/// is empty and planned again.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Default, Clone, Debug)]
pub struct NavPath {
    /// Waypoints of all legs, in the grid coordinates of each leg.
    #[reflect(ignore)]
    pub(crate) waypoints: Vec<Vec2>,
    /// Empty for a path with a single leg in the XY plane, on the grid of the order.
    #[reflect(ignore)]
    #[entities]
    pub(crate) legs: Vec<LegStart>,
    #[reflect(ignore)]
    pub(crate) length: f32,
    #[reflect(ignore)]
    pub(crate) generation: u64,
    /// What the path was planned for.
    #[reflect(ignore)]
    #[entities]
    pub(crate) order: NavOrder,
    /// The cell that the search looked for.
    #[reflect(ignore)]
    pub(crate) end_cell: Option<Cell>,
    /// Whether the body is proven to fit along the first segment. It always fits along the others.
    #[reflect(ignore)]
    pub(crate) is_entry_proven: bool,
    /// The last waypoint, in the coordinates of the order's grid.
    #[reflect(ignore)]
    pub(crate) end: Vec2,
    /// Bounding box of the waypoints of the first leg.
    #[reflect(ignore)]
    pub(crate) bounds: Rect,
    /// The point abreast of a target that is out of reach and has moved since the search: the point on the agent's side
    /// of the obstacle, beside the target, in the coordinates of the order's grid. Only while the agent can go straight
    /// to this point.
    #[reflect(ignore)]
    pub(crate) abreast: Option<Vec2>,
    /// Whether the path leads around a place where an agent got stuck, or before which agents wait in line.
    #[reflect(ignore)]
    pub(crate) is_led_around: bool,
    /// [`Planning::serial`] of the entity that the path was planned for. It shows whether a cloned entity has a copy of
    /// another entity's path. 0 while no path is wanted.
    #[reflect(ignore)]
    pub(crate) planned_for: u32,
    /// Number of paths planned for this entity so far, so that a follower notices a new one.
    #[reflect(ignore)]
    pub(crate) revision: u32,
}

impl NavPath {
    /// Whether the path was planned for this entity, and not copied from another one.
    pub(crate) fn is_of(&self, planning: &Planning) -> bool {
        self.planned_for == planning.serial
    }

    /// The legs, in the order in which they are walked.
    pub(crate) fn legs(&self) -> impl DoubleEndedIterator<Item = Leg<'_>> {
        let count = self.legs.len().max(usize::from(!self.waypoints.is_empty()));
        (0..count).map(|index| self.leg_at(index))
    }

    /// The leg that contains the waypoint with this index. Past the end, the last leg.
    pub(crate) fn leg_to(&self, next: usize) -> Leg<'_> {
        let begun = self.legs.partition_point(|leg| leg.first as usize <= next);
        self.leg_at(begun.saturating_sub(1))
    }

    fn leg_at(&self, index: usize) -> Leg<'_> {
        let Some(start) = self.legs.get(index) else {
            return Leg {
                grid: self.order.grid,
                plane: &GridPlane::XY,
                generation: self.generation,
                first: 0,
                waypoints: &self.waypoints,
            };
        };
        let first = start.first as usize;
        let end = self.legs.get(index + 1);
        let end = end.map_or(self.waypoints.len(), |next| next.first as usize);
        Leg {
            grid: Some(start.grid),
            plane: &start.plane,
            generation: start.generation,
            first,
            waypoints: &self.waypoints[first..end],
        }
    }

    /// Whether the path has several legs.
    pub(crate) fn has_many_legs(&self) -> bool {
        self.legs.len() > 1
    }

    /// Index of the waypoint to head for from a position in the world: the next waypoint after the closest point of the
    /// path.
    pub(crate) fn closest_entry(&self, place: Vec3) -> Option<usize> {
        // If two legs are equally close, the later one is chosen, as for segments within a leg.
        let entries = self.legs().rev().filter_map(|leg| {
            let position = leg.plane.to_grid(place);
            let entry = closest_entry(leg.waypoints, position)?;
            Some((entry.point.distance(position), leg.first + entry.next))
        });
        let closest = entries.min_by(|(a, _), (b, _)| a.total_cmp(b));
        closest.map(|(_, next)| next)
    }

    /// Remaining distance along the path, in world units, from a position on `leg`. `next` is the index of the waypoint
    /// ahead.
    pub(crate) fn remaining_length(&self, leg: &Leg, position: Vec2, next: usize) -> f32 {
        let later = self.legs().filter(|other| other.first > leg.first);
        let later: f32 = later.map(|other| length(other.waypoints)).sum();
        remaining_length(leg.waypoints, next - leg.first, position) + later
    }

    /// The waypoint with this index, in world coordinates.
    pub(crate) fn waypoint(&self, number: usize) -> Option<Vec3> {
        let point = *self.waypoints.get(number)?;
        Some(self.leg_to(number).plane.to_world(point))
    }

    /// Notes that the path is still valid on a newer generation of a grid.
    pub(crate) fn hold(&mut self, grid: Option<Entity>, generation: u64) {
        if grid == self.order.grid {
            self.generation = generation;
        }
        let own = self.legs.iter_mut();
        let own = own.filter(|leg| Some(leg.grid) == grid);
        own.for_each(|leg| leg.generation = generation);
    }

    /// The waypoints, in world units. The straight lines between them keep 99 % of the body's radius clear of
    /// walls; the first line may lead out of a place that is too tight.
    pub fn waypoints(&self) -> impl ExactSizeIterator<Item = Vec3> + DoubleEndedIterator {
        let points = self.waypoints.iter().enumerate();
        points.map(|(number, point)| self.leg_to(number).plane.to_world(*point))
    }

    /// Bounding box of the waypoints in the XY plane, in world units; empty if there are no waypoints.
    pub fn bounds(&self) -> Rect {
        if self.legs.is_empty() {
            return self.bounds;
        }
        let points = self.waypoints().map(Vec3::truncate);
        points.fold(Rect::EMPTY, |all, point| all.union_point(point))
    }

    /// Whether there is no path.
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// The last waypoint, in world units.
    pub fn end(&self) -> Option<Vec3> {
        self.waypoint(self.waypoints.len().checked_sub(1)?)
    }

    /// Length along the waypoints, in world units.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Generation of the grid for which the path was planned, or last found to be valid.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The grid that the path was planned on.
    pub fn grid(&self) -> Option<Entity> {
        self.order.grid
    }

    /// Whether the path can be used for an order: it was planned for this order, or for an order that would have the
    /// same path.
    pub(crate) fn serves(&self, wanted: &NavOrder) -> bool {
        self.order.also_serves(wanted, self.end == self.order.goal)
    }

    /// Whether all public methods except `generation` return the same for both paths.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.waypoints == other.waypoints
            && self.legs == other.legs
            && self.length == other.length
            && self.order.body() == other.order.body()
            && self.order.grid == other.order.grid
    }

    /// Whether the path leads nearly to where the order `wanted` leads. Meant for orders that change in every tick: the
    /// path's order and `wanted` may differ in revision, radius and reach. The goals of both orders may be apart by the
    /// body's radius, or by a tenth of the distance from `from` to the path's goal if that is more.
    pub(crate) fn leads_nearly_to(&self, wanted: &NavOrder, from: Vec2) -> bool {
        let before = NavOrder {
            revision: self.order.revision,
            radius: self.order.radius,
            reach: self.order.reach,
            ..*wanted
        };
        let goal = self.order.goal;
        let nearby = (0.1 * from.distance(goal)).max(wanted.radius);
        self.serves(&before) && goal.distance(wanted.goal) <= nearby
    }

    /// The body that the path was planned for. Its radius is the agent's radius plus the margin that the agent's driver
    /// keeps around it.
    pub fn body(&self) -> NavBody {
        self.order.body()
    }
}

impl Default for NavPath {
    fn default() -> Self {
        Self {
            waypoints: Vec::new(),
            legs: Vec::new(),
            length: 0.0,
            generation: 0,
            order: NavOrder {
                goal: Vec2::NAN,
                ..NavOrder::default()
            },
            end_cell: None,
            is_entry_proven: false,
            end: Vec2::NAN,
            bounds: Rect::EMPTY,
            abreast: None,
            is_led_around: false,
            planned_for: 0,
            revision: 0,
        }
    }
}

/// Where a leg begins.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegStart {
    /// Index of the leg's first waypoint in the path.
    pub(crate) first: u32,
    #[entities]
    pub(crate) grid: Entity,
    pub(crate) plane: GridPlane,
    /// Generation of the grid for which the leg was planned, or last found to be valid.
    pub(crate) generation: u64,
}

/// A part of a path: a polyline on one grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg<'a> {
    pub(crate) grid: Option<Entity>,
    pub(crate) plane: &'a GridPlane,
    pub(crate) generation: u64,
    /// Index of the leg's first waypoint in the path.
    pub(crate) first: usize,
    /// In grid coordinates.
    pub(crate) waypoints: &'a [Vec2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_path_serves_no_order() {
        let wanted = NavOrder {
            want: crate::agent::Wants::Go,
            ..NavOrder::default()
        };
        assert!(!NavPath::default().serves(&wanted));
    }
}
