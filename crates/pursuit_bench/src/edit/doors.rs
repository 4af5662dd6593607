//! Doors: crates of 3 by 3 cells that appear and disappear in the path of agents.

use bevy::prelude::*;
use bevy_pursuit::{AreaId, NavAgent};
use fastrand::Rng;
use pursuit::{Cell, CellRect, Grid, SearchScratch};

use super::ground::puddle;
use crate::chase::world::Player;
use crate::game::agent::AGENT_RADIUS;
use crate::game::places::Places;
use crate::game::positions::position_of;
use crate::game::wall;
use crate::game::walls::{distance_to, to_world};

/// Maximum number of doors of a level.
const MAX_DOORS: usize = 64;
/// Maximum number of random trips to try as places for doors.
const MAX_TRIPS: usize = 400;
/// Number of cells from the middle cell of a door to each of its sides.
const HALF_DOOR_CELLS: u32 = 1;
/// Minimum distance between two doors, in cells.
const MIN_DOOR_DISTANCE_CELLS: u32 = 2;
/// How far a puddle extends beyond each side of its door, in cells.
const PUDDLE_MARGIN_CELLS: f32 = 1.0;
/// A door closes only if every body is farther away than this, in cells. An agent walks this distance in a few ticks.
const MIN_BODY_DISTANCE: f32 = AGENT_RADIUS + 1.0;
/// Maximum number of doors that are tried for an edit.
const MAX_DOORS_TRIED: usize = 32;
/// Number of closed doors at which opening a door is as likely as closing one.
const USUAL_CLOSED_DOORS: usize = 8;

/// An edit: the index of a door, and whether it closes or opens.
pub(crate) struct Toggled {
    pub(crate) door: usize,
    pub(crate) is_closing: bool,
}

/// The doors of a level.
pub(crate) struct Doors {
    /// The cells of each door.
    pub(super) sites: Vec<CellRect>,
    /// The collider of each door. `None` while the door is open.
    crates: Vec<Option<Entity>>,
    /// The kind of ground of the puddles around closed doors. `None` without puddles.
    pub(super) puddles: Option<AreaId>,
    random: Rng,
}

impl Doors {
    /// Chooses places for doors on open ground, on trips between random places. All doors are open at first. `None` if
    /// no place for a door was found.
    pub(crate) fn choose(level: &Grid, places: &Places, seed: u64) -> Option<Self> {
        let mut random = Rng::with_seed(seed);
        let mut scratch = SearchScratch::new();
        let mut sites: Vec<CellRect> = Vec::new();
        for _ in 0..MAX_TRIPS {
            let Some(found) = places.walk(&mut random, &mut scratch) else {
                continue;
            };
            let cells: Vec<Cell> = found.path.cells().collect();
            let middle = cells[random.usize(0..cells.len())];
            let site = CellRect::new(middle, middle.offset(1, 1)).grow(HALF_DOOR_CELLS);
            let is_open = site.cells().all(|cell| level.is_free(cell));
            let around = site.grow(MIN_DOOR_DISTANCE_CELLS);
            let is_apart = sites.iter().all(|site| site.intersect(&around).is_empty());
            if is_open && is_apart {
                sites.push(site);
            }
            if sites.len() == MAX_DOORS {
                break;
            }
        }
        (!sites.is_empty()).then(|| Doors {
            crates: vec![None; sites.len()],
            sites,
            puddles: None,
            random,
        })
    }

    /// Opens or closes a random door for which `is_ready` is true. `None` if no door that was tried is ready and free
    /// of bodies.
    pub(crate) fn toggle(
        &mut self,
        world: &mut World,
        is_ready: impl Fn(usize) -> bool,
    ) -> Option<Toggled> {
        let half = USUAL_CLOSED_DOORS.min(self.sites.len().div_ceil(2));
        let closed = self.crates.iter().flatten().count();
        let is_closing = self.random.usize(0..2 * half) >= closed;
        for _ in 0..MAX_DOORS_TRIED {
            let door = self.random.usize(0..self.sites.len());
            if self.crates[door].is_none() != is_closing || !is_ready(door) {
                continue;
            }
            let area = to_world(&self.sites[door]);
            if let Some(closed) = self.crates[door].take() {
                world.despawn(closed);
            } else if is_clear(world, &area) {
                let mut closed = world.spawn(wall(&area));
                if let Some(mud) = self.puddles {
                    closed.with_child(puddle(mud, area.half_size() + PUDDLE_MARGIN_CELLS));
                }
                self.crates[door] = Some(closed.id());
            } else {
                continue;
            }
            return Some(Toggled { door, is_closing });
        }
        None
    }

    /// Distance from a point to the nearest closed door, in cells. `None` if all doors are open.
    pub(crate) fn distance(&self, point: Vec2) -> Option<f32> {
        let doors = self.sites.iter().zip(&self.crates);
        let closed = doors.filter(|(_, closed)| closed.is_some());
        let distances = closed.map(|(site, _)| distance_to(&to_world(site), point));
        distances.min_by(f32::total_cmp)
    }

    /// The middle cell of a door, which is a wall only while the door is closed.
    pub(super) fn middle(&self, door: usize) -> Cell {
        let half_door = HALF_DOOR_CELLS as i32;
        self.sites[door].min.offset(half_door, half_door)
    }
}

fn is_clear(world: &mut World, area: &Rect) -> bool {
    let mut bodies = world.query_filtered::<&Transform, Or<(With<NavAgent>, With<Player>)>>();
    let mut bodies = bodies.iter(world);
    bodies.all(|body| distance_to(area, position_of(body)) > MIN_BODY_DISTANCE)
}

#[cfg(test)]
mod tests {
    use super::{AGENT_RADIUS, Doors, MIN_DOOR_DISTANCE_CELLS};
    use crate::chase::world::Player;
    use crate::game::places::Places;
    use bevy::prelude::*;
    use pursuit::Grid;

    #[test]
    fn a_door_closes_and_opens_but_does_not_close_on_the_player() {
        let level = Grid::from_fn(8, 8, |_| true).unwrap();
        let places = Places::new(&level, AGENT_RADIUS).unwrap();
        let mut doors = Doors::choose(&level, &places, 1).unwrap();
        doors.sites.truncate(1);
        doors.crates.truncate(1);
        let middle = doors.middle(0);
        let at = Vec2::new(middle.x as f32 + 0.5, middle.y as f32 + 0.5);
        let mut world = World::new();
        let player = world.spawn((Player, Transform::from_translation(at.extend(0.0))));
        let player = player.id();
        assert!(doors.toggle(&mut world, |_| true).is_none());
        world.despawn(player);
        assert!(doors.toggle(&mut world, |_| false).is_none());
        assert!(doors.toggle(&mut world, |_| true).unwrap().is_closing);
        assert_eq!(doors.distance(at + Vec2::X * 2.5), Some(1.0));
        let opened = (0..100).find_map(|_| doors.toggle(&mut world, |_| true));
        assert!(opened.is_some_and(|edit| !edit.is_closing));
        assert_eq!(doors.distance(at), None);
    }

    #[test]
    fn doors_cover_only_free_cells_and_keep_their_distance() {
        let level = Grid::from_fn(60, 40, |cell| cell.x % 9 != 0).unwrap();
        let places = Places::new(&level, AGENT_RADIUS).unwrap();
        let doors = Doors::choose(&level, &places, 1).unwrap();
        assert!(doors.sites.len() > 3);
        for (number, site) in doors.sites.iter().enumerate() {
            assert!(site.cell_count() == 9 && site.cells().all(|cell| level.is_free(cell)));
            let around = site.grow(MIN_DOOR_DISTANCE_CELLS);
            let mut others = doors.sites[..number].iter();
            assert!(others.all(|other| other.intersect(&around).is_empty()));
        }
    }
}
