//! The path of an entity.

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::{Rect, Vec2, Vec3};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::Cell;
use pursuit::steer::{closest_entry, length, remaining_length};

use super::{Errand, Jam, NavBody, Plane, Planning};

/// The path that the entity follows, the first waypoint where the search began.
///
/// A path has legs, each of which is a polyline on one grid. It is empty when there is none, and for one of hundreds that go
/// along a field (see [`share_fields`](crate::settings::PursuitSettings::share_fields)): where that leads
/// [`Navigation::path_of`](crate::Navigation::path_of) tells. Written by this crate:
/// `Changed<NavPath>` reports every new path. A refresh that finds the same path is no change, though
/// [`generation`](Self::generation) may grow. Derived: saved with its entity, it is empty, and it is planned again after
/// loading.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Default, Clone, Debug)]
pub struct NavPath {
    /// Of all legs, each in the frame of its grid.
    #[reflect(ignore)]
    pub(crate) waypoints: Vec<Vec2>,
    /// Empty for a path of one leg in the plane of X and Y, on the grid of the errand.
    #[reflect(ignore)]
    #[entities]
    pub(crate) legs: Vec<LegStart>,
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
    /// Whether the body is proven to fit along the first line. It always does along the others.
    #[reflect(ignore)]
    pub(crate) is_entry_proven: bool,
    /// The last waypoint, in the frame of the errand's grid.
    #[reflect(ignore)]
    pub(crate) end: Vec2,
    /// Holds all waypoints of the first leg.
    #[reflect(ignore)]
    pub(crate) bounds: Rect,
    /// Where the agent got stuck latest, in the frame of the errand's grid; kept while paths begin near there.
    #[reflect(ignore)]
    pub(crate) jam: Option<Jam>,
    /// The serial of whose it is: a clone of the entity comes with a copy. 0 where nobody wants one.
    #[reflect(ignore)]
    pub(crate) owner: u32,
    /// Counts the paths planned for this entity, so that a follower notices a new one.
    #[reflect(ignore)]
    pub(crate) version: u32,
}

impl NavPath {
    /// Whether it is no copy of somebody else's.
    pub(crate) fn is_of(&self, planning: &Planning) -> bool {
        self.owner == planning.serial
    }

    /// Its legs, in the order in which they are walked.
    pub(crate) fn legs(&self) -> impl DoubleEndedIterator<Item = Leg<'_>> {
        let count = self.legs.len().max(usize::from(!self.waypoints.is_empty()));
        (0..count).map(|index| self.leg_at(index))
    }

    /// The leg that leads to the waypoint of this number; past the end the last one.
    pub(crate) fn leg_to(&self, next: usize) -> Leg<'_> {
        let begun = self.legs.partition_point(|leg| leg.first as usize <= next);
        self.leg_at(begun.saturating_sub(1))
    }

    fn leg_at(&self, index: usize) -> Leg<'_> {
        let Some(start) = self.legs.get(index) else {
            return Leg {
                grid: self.errand.grid,
                frame: &Plane::XY,
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
            frame: &start.frame,
            generation: start.generation,
            first,
            waypoints: &self.waypoints[first..end],
        }
    }

    /// Whether it leads over several grids.
    pub(crate) fn has_many_legs(&self) -> bool {
        self.legs.len() > 1
    }

    /// The number of the waypoint to head for from a place in the world: that after the point where the path is closest.
    pub(crate) fn closest_entry(&self, place: Vec3) -> Option<usize> {
        // Of legs that are as close the later one goes first, as within a leg.
        let entries = self.legs().rev().filter_map(|leg| {
            let position = leg.frame.to_grid(place);
            let entry = closest_entry(leg.waypoints, position)?;
            Some((entry.point.distance(position), leg.first + entry.next))
        });
        let closest = entries.min_by(|(a, _), (b, _)| a.total_cmp(b));
        closest.map(|(_, next)| next)
    }

    /// How far it is along the path from a position on a leg, with the waypoint of this number ahead.
    pub(crate) fn way_left(&self, leg: &Leg, position: Vec2, next: usize) -> f32 {
        let later = self.legs().filter(|other| other.first > leg.first);
        let later: f32 = later.map(|other| length(other.waypoints)).sum();
        remaining_length(leg.waypoints, next - leg.first, position) + later
    }

    /// The waypoint of this number, in the world.
    pub(crate) fn waypoint(&self, number: usize) -> Option<Vec3> {
        let point = *self.waypoints.get(number)?;
        Some(self.leg_to(number).frame.to_world(point))
    }

    /// What it leads around.
    pub(crate) fn detour(&self) -> Option<Jam> {
        self.jam.filter(|jam| !jam.is_past)
    }

    /// Notes that it still holds on a grid.
    pub(crate) fn hold(&mut self, grid: Option<Entity>, generation: u64) {
        if grid == self.errand.grid {
            self.generation = generation;
        }
        let own = self.legs.iter_mut();
        let own = own.filter(|leg| Some(leg.grid) == grid);
        own.for_each(|leg| leg.generation = generation);
    }

    /// The waypoints, in world units. Straight lines between them keep 99 % of the body's radius clear of
    /// walls; the first one may lead out of a place that is too tight.
    pub fn waypoints(&self) -> impl ExactSizeIterator<Item = Vec3> + DoubleEndedIterator {
        let points = self.waypoints.iter().enumerate();
        points.map(|(number, point)| self.leg_to(number).frame.to_world(*point))
    }

    /// A box in the plane of X and Y that holds all waypoints, in world units; empty if there are no waypoints.
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
            && self.legs == other.legs
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
            legs: Vec::new(),
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
            jam: None,
            owner: 0,
            version: 0,
        }
    }
}

/// Where a leg begins.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegStart {
    /// Number of its first waypoint.
    pub(crate) first: u32,
    #[entities]
    pub(crate) grid: Entity,
    pub(crate) frame: Plane,
    /// Generation of the grid on which it was planned, or last found to hold.
    pub(crate) generation: u64,
}

/// A part of a path: a line on one grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg<'a> {
    pub(crate) grid: Option<Entity>,
    pub(crate) frame: &'a Plane,
    pub(crate) generation: u64,
    /// Number of its first waypoint in the path.
    pub(crate) first: usize,
    /// In its frame.
    pub(crate) waypoints: &'a [Vec2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_path_serves_no_errand() {
        let wanted = Errand {
            want: crate::agent::Wants::Go,
            ..Errand::default()
        };
        assert!(!NavPath::default().serves(&wanted));
    }
}
