//! A map that is edited while others read it.

use std::mem;
use std::sync::Arc;

use super::by_body::is_held_once;
use super::edit_error::EditError;
use super::layers::BodyLayers;
use super::nav_map::NavMap;
use super::working::{EditTarget, WorkingMap};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect};
use crate::clearance::Clearance;
use crate::grid::Grid;
use crate::jump::update::UpdateScratch;

/// Maximum number of copies that are kept beside the current map. Two are enough if searches are short. When a door
/// closes, a crowd may still search the maps of the last two edits: then the third copy is free.
const MAX_SPARES: usize = 3;

/// Largest fraction of all cells that a copy may have missed before it is given up.
const MAX_MISSED_SHARE: f32 = 0.25;
/// Maximum number of rectangles that a copy may have missed before it is given up.
const MAX_MISSED_RECTS: usize = 2048;

/// Maximum number of pairs of rectangles that are compared so that a copy does not note the same missed rectangle
/// twice.
const MAX_DEDUP_COMPARISONS: usize = 4096;

/// A map that is edited while searches read it. A snapshot of the map never changes.
///
/// ```
/// use pursuit::maps::parse_ascii;
/// use pursuit::{Cell, CellRect, DiagonalPolicy, LiveMap, NavMap};
///
/// let level = parse_ascii("...#...\nS.....G\n...#...")?;
/// let (start, goal) = (level.find('S').expect("an S"), level.find('G').expect("a G"));
/// let mut live = LiveMap::new(NavMap::new(&level.grid, 4.0, DiagonalPolicy::NoCornerCut));
///
/// // The cell in column 3 of row 1. A rectangle ends before its second corner.
/// let door = CellRect::new(Cell::new(3, 1), Cell::new(4, 2));
/// let held = live.map().clone();
/// assert!(live.fill(door, false), "the door closes");
/// assert!(!live.map().is_reachable(start, goal, 0.4));
/// assert!(held.is_reachable(start, goal, 0.4), "a snapshot does not change");
///
/// assert!(live.fill(door, true), "the door opens");
/// assert!(live.map().is_reachable(start, goal, 0.4));
/// assert!(!live.fill(door, true), "the door is open already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The time of an edit depends only on the edited area, because there are two copies of the map. The copy that was the
/// current one before the last edit catches up with the edits that it missed, takes the new edit, and becomes current
/// again:
///
/// ```text
///              copy A             copy B
///   edit 1     current            = A, then 1: current
///   edit 2     1, then 2: current
///   edit 3                        2, then 3: current
/// ```
///
/// Each copy has one role at a time. The current copy is read. A spare copy waits and notes the edits that it misses. A
/// working copy is written before it becomes current.
///
/// A copy that is still held as a snapshot cannot be written. In that case an edit makes another copy, which takes as
/// long as copying the map. The first edit also makes a copy, unless the map [settled](Self::settle) before.
///
/// # Memory
///
/// A live map takes the memory of two maps, or of four if snapshots are held. During an edit, it takes the memory of
/// one more map. So with [one radius](NavMap#memory), a map of 512² cells or more takes 26 to 28 bytes per cell, which
/// is 30 MB for 1024² cells. Half of this memory is the copy for the next edit. A map that is never edited has no copy
/// until it [settles](Self::settle). If there are never any edits, a [`NavMap`] is enough.
///
/// # What an edit keeps
///
/// Edits change walls and areas, but not the costs of areas: for these, [`with_classes`](NavMap::with_classes) makes
/// another map. A freed cell has the cost that it had before it was blocked, or the cost of its wall.
///
/// After an edit, distances, walkable cells, their costs and regions equal those of a map made from scratch. Jump
/// points may differ: if an edit makes many dead ends, some of them are not found. Searches then examine some cells
/// needlessly, and may find another path of the same cost. [`settle`](Self::settle) corrects this when there are no
/// edits.
#[derive(Debug)]
pub struct LiveMap {
    current: Arc<NavMap>,
    spares: Vec<Spare>,
    scratch: UpdateScratch,
    /// Whether this live map made the current map. It did not make the first one, which others may also edit.
    is_own: bool,
}

impl Clone for LiveMap {
    /// Shares the current map, without any copies.
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.current))
    }
}

/// An earlier map.
#[derive(Debug)]
struct Spare {
    map: Arc<NavMap>,
    /// The rectangles in which the earlier map may differ from the current one.
    missed: Vec<CellRect>,
}

impl Spare {
    fn miss(&mut self, rects: &[CellRect]) {
        let may_compare = rects.len() * self.missed.len() <= MAX_DEDUP_COMPARISONS;
        let is_new = |rect: &&CellRect| !(may_compare && self.missed.contains(rect));
        let new: Vec<CellRect> = rects.iter().filter(is_new).copied().collect();
        self.missed.extend(new);
    }

    fn missed_cells(&self) -> u64 {
        self.missed.iter().map(CellRect::cell_count).sum()
    }
}

impl LiveMap {
    /// A live map that starts with `map`.
    #[must_use]
    pub fn new(map: impl Into<Arc<NavMap>>) -> Self {
        Self {
            current: map.into(),
            spares: Vec::new(),
            scratch: UpdateScratch::default(),
            is_own: false,
        }
    }

    /// The current map. It is a snapshot that no later edit changes.
    #[must_use]
    pub fn map(&self) -> &Arc<NavMap> {
        &self.current
    }

    /// Frees or blocks the cells of a rectangle, like [`GridBuilder::fill`](crate::GridBuilder::fill), on a map in use.
    /// Returns whether any cell changed. If none did, the map is not replaced. Parts of `rect` outside the grid are
    /// ignored.
    ///
    /// Use this method for maps whose walls fill whole cells, as [`NavMap::new`] makes them. Afterwards the map equals
    /// a map made from scratch from the changed walls. A freed cell has the cost of its wall. On a map with obstacles
    /// of other shapes, use [`edit`](Self::edit): `fill` would treat the obstacles around `rect` as whole cells, or
    /// ignore them.
    ///
    /// The time depends on the edited area, which grows with the cells that change and with the
    /// [cap](Clearance::cap): see [`LiveMap`].
    pub fn fill(&mut self, rect: CellRect, is_free: bool) -> bool {
        let before = self.current.clearance();
        let mut changed = CellRect::EMPTY;
        for cell in rect.intersect(&before.rect()).cells() {
            if (before.center(cell) > 0.0) != is_free {
                changed = changed.union(&CellRect::new(cell, cell.offset(1, 1)));
            }
        }
        if changed.is_empty() {
            return false;
        }
        // How far a wall changes centers, and one end at least of steps.
        let reach = before.cap().ceil() as u32;
        let area = changed.grow(reach).intersect(&before.rect());
        // All walls that are that near to the area, or to the ends of steps out of it.
        let around = area.grow(reach + 1).intersect(&before.rect());
        let is_open = |Cell { x, y }: Cell| {
            let cell = around.min.offset(x, y);
            if changed.contains(cell) {
                is_free
            } else {
                before.center(cell) > 0.0
            }
        };
        let walls = Grid::from_fn(around.width(), around.height(), is_open);
        let walls = walls.expect("invariant: a part of a map has the size of a grid");
        let distances = Clearance::from_grid(&walls, before.cap());
        let paste = |target: EditTarget<'_>| {
            for field in [target.clearance].into_iter().chain(target.sight_blockers) {
                field.paste(&distances, around.min, area);
            }
        };
        let edited = self.edit_all(&[area], paste, Cancel::NEVER);
        edited.expect("invariant: distances taken over leave size and cap")
    }

    /// Replaces the map by one with other distances, for obstacles of any shape. `draw` changes the distances within
    /// `rects`: the distances of cell centers in `rects`, and of steps that start or end there. Returns whether any
    /// distance changed. If none did, the map is not replaced. To change [sight blockers](NavMap::with_sight_blockers)
    /// too, use [`edit_all`](Self::edit_all).
    ///
    /// A wall changes the distances around it up to the cap. So `rects` must be the bounds of the obstacles that appear
    /// and disappear, grown by the [cap](Clearance::cap), rounded up. Within `rects`, `draw` draws all current
    /// obstacles again: each obstacle that is near enough, with [`Clearance::replace_obstacles`], or another field,
    /// with [`paste`](Clearance::paste). If `draw` only lowers or resets the distances of a wall's own cell, the map is
    /// wrong, since the cells around the wall keep their distances. For walls that fill cells, [`fill`](Self::fill)
    /// does all this.
    ///
    /// If `draw` changes anything outside `rects`, later maps may or may not have that change. With debug assertions,
    /// `edit` panics in this case. Parts of `rects` outside the grid are ignored.
    ///
    /// The new map has the layers of each radius that was used recently: on this map or on one of the 64 maps before
    /// it. But a radius is dropped if four new radii were used since then. Layers that this map does not have yet are
    /// computed during the edit.
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] if `draw` leaves a field of another size or cap. The map then does not change.
    pub fn edit(
        &mut self,
        rects: &[CellRect],
        draw: impl FnOnce(&mut Clearance),
    ) -> Result<bool, EditError> {
        self.edit_all(rects, |target| draw(target.clearance), Cancel::NEVER)
    }

    /// Like [`edit`](Self::edit), for everything that a map is made of. In one edit, `draw` changes distances, [sight
    /// blockers](NavMap::with_sight_blockers) and [areas](NavMap::with_areas), all within `rects`.
    ///
    /// Checks `cancel` for each row, each radius and each layer that is computed. `draw` should also check it, and
    /// return early: `cancel` is checked again before the drawn fields are used.
    ///
    /// A cancelled edit changes neither the map nor any snapshot. But the copy that was to become the next map is lost.
    /// If there is no other copy, the next edit or [`settle`](Self::settle) takes as long as copying the map.
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] if `cancel` ends the work before the map is ready, or if `draw` leaves a field of
    /// another size or cap. The map then does not change.
    pub fn edit_all(
        &mut self,
        rects: &[CellRect],
        draw: impl FnOnce(EditTarget<'_>),
        cancel: Cancel<'_>,
    ) -> Result<bool, EditError> {
        // Before a copy is lost.
        cancel.check()?;
        let all = self.current.rect();
        let inside = rects.iter().map(|rect| rect.intersect(&all));
        let rects: &[CellRect] = &inside.filter(|rect| !rect.is_empty()).collect::<Vec<_>>();
        let mut next = self.take_copy(cancel)?;
        if !next.draw(rects, draw, &self.current)? {
            let same = self.freeze(next);
            self.keep(same, rects.to_vec());
            return Ok(false);
        }
        next.redraw_layers(rects)?;
        self.spares.iter_mut().for_each(|spare| spare.miss(rects));
        let most_cells = MAX_MISSED_SHARE * all.cell_count() as f32;
        self.spares.retain(|spare| {
            spare.missed_cells() as f32 <= most_cells && spare.missed.len() <= MAX_MISSED_RECTS
        });
        self.replace(next, rects.to_vec());
        Ok(true)
    }

    /// Finishes the work that edits postponed to be quick. Afterwards, for each radius that was used recently, the map
    /// equals a map made from scratch. Returns whether the map was replaced. It is not replaced if edits left no work.
    /// The method copies the map if all spare copies are held as snapshots.
    ///
    /// If there is no work, the method prepares a copy for the next edit. Without this preparation, some edits have to
    /// make the copy: the first edit, the first edit after a new radius was used, and the first edit after an edit so
    /// large that much was computed from scratch.
    ///
    /// Call this method when there are no edits, and outside of the frame, for example in a task. For each radius, it
    /// takes a tenth of a millisecond on a city of 1024² cells, and a millisecond in a maze of 512² cells that is all
    /// dead ends. The copy takes some milliseconds at 1024² cells. Baked tables stay valid, and paths cost the same.
    ///
    /// Checks `cancel` as [`edit_all`](Self::edit_all) does.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if `cancel` ends the work before the map is ready. The map then does not change.
    pub fn settle(&mut self, cancel: Cancel<'_>) -> Result<bool, Cancelled> {
        // Before a copy is lost.
        cancel.check()?;
        if self.current.is_settled() {
            if !self.is_settled() {
                let mut copy = self.take_copy(cancel)?;
                copy.prepare_updates()?;
                let copy = self.freeze(copy);
                self.keep(copy, Vec::new());
            }
            return Ok(false);
        }
        let mut next = self.take_copy(cancel)?;
        next.settle()?;
        // The one before missed no distances.
        self.replace(next, Vec::new());
        Ok(true)
    }

    /// Whether [`settle`](Self::settle) has nothing to do. The result may become `false` with an edit, when a new
    /// radius is used, and when a snapshot is dropped.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let has_copy = || match self.free_spare() {
            Some(index) => self.is_ready(&self.spares[index]),
            // Where all are held, another one would be too many.
            None => self.spares.len() == MAX_SPARES,
        };
        self.current.is_settled() && has_copy()
    }

    /// A copy of the current map, to write to. It takes the scratch, which is lost if the work is given up.
    fn take_copy<'c>(&mut self, cancel: Cancel<'c>) -> Result<WorkingMap<'c>, Cancelled> {
        let free = self.free_spare();
        let spare = free.map(|index| self.spares.swap_remove(index));
        let taken = spare.and_then(|Spare { map, missed }| Some((Arc::into_inner(map)?, missed)));
        let scratch = mem::take(&mut self.scratch);
        let mut copy = match taken {
            Some((map, missed)) => {
                let mut copy = WorkingMap::thawed(map, scratch, cancel);
                copy.catch_up(&self.current, &missed)?;
                copy
            }
            None => WorkingMap::copied(&self.current, scratch, cancel)?,
        };
        if !self.is_own {
            copy.fork_usage();
        }
        Ok(copy)
    }

    fn freeze(&mut self, copy: WorkingMap<'_>) -> Arc<NavMap> {
        let (map, scratch) = copy.freeze();
        self.scratch = scratch;
        map
    }

    /// Makes a copy the current map, and keeps the previous map, which misses some rectangles.
    fn replace(&mut self, next: WorkingMap<'_>, missed: Vec<CellRect>) {
        self.is_own = true;
        let next = self.freeze(next);
        let before = mem::replace(&mut self.current, next);
        self.keep(before, missed);
    }

    /// The copy that is cheapest to write to, among the copies that nothing else holds. Copies whose layers nothing
    /// else holds come first, then the copy that missed the fewest cells.
    fn free_spare(&self) -> Option<usize> {
        let free = self.spares.iter().enumerate();
        let free = free.filter(|(_, spare)| is_held_once(&spare.map));
        let best = free.min_by_key(|(_, spare)| {
            let are_held = !spare.map.owns_all_of(&self.current, |_, _| true);
            (are_held, spare.missed_cells(), !self.is_ready(spare))
        });
        best.map(|(index, _)| index)
    }

    /// Whether an edit of this copy does no work that grows with the map.
    fn is_ready(&self, spare: &Spare) -> bool {
        is_held_once(&spare.map) && spare.map.owns_all_of(&self.current, BodyLayers::is_ready)
    }

    fn keep(&mut self, map: Arc<NavMap>, missed: Vec<CellRect>) {
        self.spares.push(Spare { map, missed });
        if self.spares.len() > MAX_SPARES {
            let spares = self.spares.iter().enumerate();
            let farthest = spares.max_by_key(|(_, spare)| spare.missed_cells());
            let farthest = farthest.map(|(index, _)| index);
            farthest.map(|index| self.spares.swap_remove(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::steps::{cancelled_at, moments};
    use crate::cancel::uncancelled;
    use crate::cell::{Cell, DiagonalPolicy};
    use crate::clearance::Clearance;
    use crate::grid::Grid;
    use crate::jump::boards::JumpPointBoards;
    use crate::jump::update::tests::{check_one_state, check_updated};

    const RADII: [f32; 2] = [0.4, 1.2];

    /// Rows of corridors, and a comb of dead ends.
    fn map() -> NavMap {
        let comb = |cell: Cell| cell.y % 2 == 0 || cell.x % 40 == cell.y % 3;
        let walls = Grid::from_fn(200, 90, comb).expect("a good size");
        NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut)
    }

    /// Closes cells, or opens them.
    fn edit(live: &mut LiveMap, (x, y): (i32, i32), distance: f32) {
        let at = Cell::new(x, y);
        let rect = CellRect::new(at, at.offset(3, 1));
        let edited = live.edit(&[rect], |clearance| {
            clearance.reset(rect);
            rect.cells()
                .for_each(|cell| clearance.limit_center(cell, distance));
        });
        edited.expect("the size and the cap stay");
    }

    #[test]
    fn a_settled_map_has_a_copy_for_the_first_edit() {
        let mut live = LiveMap::new(map());
        let first = Arc::clone(live.map());
        RADII.iter().for_each(|&radius| drop(first.layers(radius)));
        assert_eq!([(); 2].map(|()| live.settle(Cancel::NEVER)), [Ok(false); 2]);
        assert_eq!(live.spares.len(), 1, "one, however often it rests");
        assert!(live.is_ready(&live.spares[0]), "for both radii");
        // A radius that is new: the first edit would copy its layers.
        drop(first.layers(0.9));
        assert!(!live.is_ready(&live.spares[0]) && !live.is_settled());
        assert_eq!(live.settle(Cancel::NEVER), Ok(false));
        assert!(live.is_settled());
        assert!(live.is_ready(&live.spares[0]) && live.spares.len() == 1);
        edit(&mut live, (5, 4), 0.0);
        assert!(!Arc::ptr_eq(live.map(), &first));
        assert_eq!(live.spares.len(), 1, "the copy became the map");
        assert!(Arc::ptr_eq(&live.spares[0].map, &first));
    }

    #[test]
    fn a_map_that_settles_after_a_rebuild_of_boards_has_a_ready_copy() {
        let walls = Grid::from_fn(300, 300, |cell| cell.x % 30 > 0 || cell.y % 20 < 5);
        let walls = walls.expect("a good size");
        let mut live = LiveMap::new(NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut));
        drop(live.map().layers(RADII[0]));
        let door = |live: &mut LiveMap, is_free: bool| {
            let rect = CellRect::new(Cell::new(60, 60), Cell::new(62, 61));
            let count = allocation_counter::measure(|| assert!(live.fill(rect, is_free)));
            count.bytes_total
        };
        let settle = |live: &mut LiveMap| {
            (0..2).for_each(|_| {
                uncancelled(|cancel| live.settle(cancel));
            });
            assert!(live.is_settled() && live.spares.iter().any(|spare| live.is_ready(spare)));
        };
        settle(&mut live);
        for is_free in [false, true, false] {
            door(&mut live, is_free);
        }
        let usual = door(&mut live, true);
        // More than is updated cell by cell.
        live.fill(
            CellRect::new(Cell::new(100, 100), Cell::new(150, 150)),
            false,
        );
        assert!(
            !live.is_settled(),
            "the next edit would work out what updates need"
        );
        settle(&mut live);
        let after = door(&mut live, false);
        assert!(after <= usual + 1000, "{after} bytes, not {usual}");
    }

    #[test]
    fn layers_with_only_weak_references_are_not_copied() {
        let mut live = LiveMap::new(map());
        let bytes = [false, true].map(|is_watched| {
            for (x, distance) in [(5, 0.0), (5, 1.0), (5, 0.0), (5, 1.0)] {
                edit(&mut live, (x, 4), distance);
                drop(live.map().layers(RADII[0]));
            }
            let watched = is_watched.then(|| Arc::downgrade(&live.map().layers(RADII[0])));
            edit(&mut live, (5, 4), 0.0);
            assert!(live.is_ready(&live.spares[0]) && live.spares.len() == 1);
            let count = allocation_counter::measure(|| edit(&mut live, (5, 4), 1.0));
            drop(watched);
            count.bytes_total
        });
        assert!(bytes[1] <= bytes[0], "{bytes:?} bytes");
    }

    #[test]
    fn live_maps_of_one_map_do_not_share_their_recent_radii() {
        let first = Arc::new(map());
        let nothing: fn(&mut LiveMap) = |_| {};
        let settle: fn(&mut LiveMap) = |live| assert_eq!(live.settle(Cancel::NEVER), Ok(false));
        let edit_nothing: fn(&mut LiveMap) = |live| {
            let rect = CellRect::new(Cell::new(5, 4), Cell::new(8, 5));
            assert_eq!(live.edit(&[rect], |_| {}), Ok(false));
        };
        let edit_wrongly: fn(&mut LiveMap) = |live| {
            let draw = |field: &mut Clearance| {
                *field = Clearance::open(7, 7, field.cap()).expect("a good size");
            };
            assert!(live.edit(&[], draw).is_err());
        };
        for before in [nothing, settle, edit_nothing, edit_wrongly] {
            let mut maps = [(); 2].map(|()| LiveMap::new(Arc::clone(&first)));
            for live in &mut maps {
                before(live);
                edit(live, (5, 4), 0.0);
            }
            let [one, other] = &mut maps;
            drop(one.map().layers(RADII[0]));
            edit(other, (10, 4), 0.0);
            let heard = other.map().layers_if_ready(RADII[0]);
            assert!(heard.is_none(), "an edit would work it out for nobody");
        }
    }

    /// Works on maps that are all alike, and cancels the work at some of its steps: the work ends there, leaves the map
    /// as it was, and leaves nothing behind that the next work takes over.
    fn assert_each_end_leaves_nothing(
        make: impl Fn() -> LiveMap,
        work: impl Fn(&mut LiveMap, Cancel<'_>) -> Result<bool, Cancelled>,
    ) {
        let mut whole = make();
        let (done, all) = cancelled_at(u32::MAX, |cancel| work(&mut whole, cancel));
        assert!(all >= 3, "it asked {all} times");
        for step in moments(all, 12) {
            let mut live = make();
            let (before, walls) = (Arc::clone(live.map()), walls_of(live.map()));
            let (ended, asked) = cancelled_at(step, |cancel| work(&mut live, cancel));
            assert_eq!(ended, Err(Cancelled), "at step {step} of {all}");
            assert_eq!(asked, step + 1, "it went on after step {step} of {all}");
            assert!(Arc::ptr_eq(live.map(), &before), "step {step} of {all}");
            assert_right(live.map(), &walls);
            assert_eq!(
                work(&mut live, Cancel::NEVER),
                done,
                "after step {step} of {all}"
            );
            assert_right(live.map(), &walls_of(whole.map()));
            for layers in whole.map().layers_in_use() {
                let own = live.map().layers_if_ready(layers.radius());
                let own = own.expect("it was asked for");
                assert_eq!(own.boards.is_some(), layers.boards.is_some());
                assert!(own.boards.is_none() || has_boards_of(&own, &layers));
            }
        }
    }

    /// The walls that fill cells of a map, and its costs.
    fn walls_of(map: &NavMap) -> Grid {
        let (rect, distances) = (map.rect(), map.clearance());
        let walls = Grid::from_fn(rect.width(), rect.height(), |at| distances.center(at) > 0.0);
        let walls = walls.expect("a good size");
        let costs = map.layers_in_use()[0].grid().costs();
        let with_costs = Grid::new(walls.walls().clone(), costs, Cancel::NEVER);
        with_costs.expect("nobody cancels it")
    }

    /// Panics unless distances, cells, costs and regions are those of a map made anew.
    fn assert_right(map: &NavMap, walls: &Grid) {
        assert_eq!(map.layers_in_use().len(), RADII.len());
        check_layers(map, walls).expect("as if made anew");
    }

    const DOOR: CellRect = CellRect {
        min: Cell::new(31, 10),
        max: Cell::new(33, 11),
    };

    #[test]
    fn an_edit_that_is_cancelled_at_any_step_changes_nothing() {
        // Rooms, and a corridor that is a dead end once the door at its mouth is closed.
        let rooms = |Cell { x, y }: Cell| {
            y == 10 || (y != 9 && y != 11) && (x % 24 > 0 || y % 16 == 3) && (x + 3 * y) % 29 > 0
        };
        let walls = Grid::from_fn(100, 70, rooms).expect("a good size");
        let mut builder = walls.to_builder();
        for cell in CellRect::new(Cell::new(40, 20), Cell::new(60, 40)).cells() {
            builder.set_cost(cell, 3).expect("inside");
        }
        for (walls, has_terrain) in [(&walls, false), (&builder.build(), true)] {
            let map = Arc::new(NavMap::new(walls, 2.0, DiagonalPolicy::NoCornerCut));
            RADII.iter().for_each(|&radius| drop(map.layers(radius)));
            let anew = || LiveMap::new(Arc::clone(&map));
            // Its copy missed an edit.
            let edited = || {
                let mut live = anew();
                uncancelled(|cancel| live.settle(cancel));
                let crate_of = CellRect::new(Cell::new(70, 30), Cell::new(74, 33));
                assert!(live.fill(crate_of, false));
                live
            };
            let hall = CellRect::new(Cell::new(10, 25), Cell::new(58, 66));
            for (rect, is_free) in [(DOOR, false), (hall, true)] {
                let draw = |live: &mut LiveMap, cancel: Cancel<'_>| {
                    let mut walls = walls_of(live.map()).to_builder();
                    walls.fill(rect, is_free);
                    let distances = Clearance::from_grid(&walls.build(), 2.0);
                    let paste = |target: EditTarget<'_>| {
                        target
                            .clearance
                            .paste(&distances, Cell::new(0, 0), rect.grow(2));
                    };
                    let edited = live.edit_all(&[rect.grow(2)], paste, cancel);
                    edited.map_err(|error| {
                        assert_eq!(error, EditError::Cancelled(Cancelled));
                        Cancelled
                    })
                };
                assert_each_end_leaves_nothing(anew, draw);
                assert_each_end_leaves_nothing(edited, draw);
            }
            let settle = |live: &mut LiveMap, cancel: Cancel<'_>| live.settle(cancel);
            assert_each_end_leaves_nothing(anew, settle);
            if has_terrain {
                continue;
            }
            let unsettled = || {
                let mut live = edited();
                for x in [2, 97] {
                    let end = Cell::new(x, 10);
                    live.fill(CellRect::new(end, end.offset(1, 1)), false);
                }
                assert!(!live.map().is_settled(), "it left dead ends");
                live
            };
            assert_each_end_leaves_nothing(unsettled, settle);
        }
    }

    #[test]
    fn a_copy_whose_layers_are_held_is_used_last() {
        let mut live = LiveMap::new(map());
        drop(live.map().layers(RADII[0]));
        let [first, second] = [5, 10].map(|x| {
            let before = Arc::clone(live.map());
            edit(&mut live, (x, 4), 0.0);
            before
        });
        let place = |live: &LiveMap, map: &Arc<NavMap>| {
            let spares = live.spares.iter();
            spares.map(|it| &it.map).position(|it| Arc::ptr_eq(it, map))
        };
        let places = [&first, &second].map(|map| place(&live, map));
        assert!(places.iter().all(Option::is_some), "both are kept");
        let held = second.layers_if_ready(RADII[0]);
        assert!(held.is_some());
        drop([first, second]);
        assert_eq!(live.free_spare(), places[0], "it missed more");
        drop(held);
        assert_eq!(live.free_spare(), places[1]);
    }

    #[test]
    fn parts_of_an_edit_outside_the_grid_do_not_count_as_missed() {
        let mut live = LiveMap::new(map());
        let (least, most) = (Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX));
        let around = [
            CellRect::new(least, Cell::new(5, i32::MAX)),
            CellRect::new(least, Cell::new(i32::MAX, 1)),
            CellRect::new(Cell::new(200, 0), most),
            CellRect::EMPTY,
        ];
        for x in 0..4 {
            let edited = live.edit(&around, |clearance| {
                clearance.limit_center(Cell::new(x, 0), 0.0);
            });
            assert_eq!(edited, Ok(true));
        }
        let inside = around[..2]
            .iter()
            .map(|rect| rect.intersect(&live.map().rect()));
        let missed: Vec<_> = live.spares.iter().map(|spare| &spare.missed).collect();
        assert_eq!(
            missed,
            [&inside.collect::<Vec<_>>()],
            "one copy that catches up"
        );
    }

    #[test]
    fn held_copies_are_not_written_and_at_most_three_spares_are_kept() {
        let mut live = LiveMap::new(map());
        let mut held: Vec<_> = (0..6)
            .map(|x| {
                let before = Arc::clone(live.map());
                edit(&mut live, (5 * x, 4), 0.0);
                assert!(live.spares.len() <= MAX_SPARES);
                before
            })
            .collect();
        for (x, before) in held.iter().enumerate() {
            let next = Cell::new(5 * x as i32, 4);
            assert!(before.clearance().center(next) > 0.0, "of before edit {x}");
        }
        assert!(live.free_spare().is_none());
        uncancelled(|cancel| live.settle(cancel));
        assert_eq!(live.spares.len(), MAX_SPARES, "all are held");
        // One is let go: the next edit takes it.
        let free = live.spares.swap_remove(0).map;
        held.retain(|map| !Arc::ptr_eq(map, &free));
        let place = Arc::as_ptr(&free);
        live.keep(free, vec![live.map().rect()]);
        edit(&mut live, (50, 4), 0.0);
        assert!(
            live.spares
                .iter()
                .all(|spare| Arc::as_ptr(&spare.map) != place)
        );
        let walls = (0..6).map(|x| 5 * x).chain([50]);
        for x in walls {
            assert_eq!(
                live.map().clearance().center(Cell::new(x, 4)),
                0.0,
                "wall {x}"
            );
        }
    }

    #[test]
    fn ground_that_becomes_even_by_an_edit_has_boards() {
        let swamp = Cell::new(10, 10);
        let mut builder = Grid::from_fn(40, 30, |_| true)
            .expect("a good size")
            .to_builder();
        builder.set_cost(swamp, 5).expect("inside");
        let walls = builder.build();
        let mut live = LiveMap::new(NavMap::new(&walls, 1.0, DiagonalPolicy::NoCornerCut));
        assert!(live.map().layers(RADII[0]).boards.is_none(), "uneven");
        assert!(live.fill(CellRect::new(swamp, swamp.offset(1, 1)), false));
        let layers = live.map().layers(RADII[0]);
        assert_eq!(layers.grid().uniform_cost(), Some(1));
        assert!(layers.boards.is_some(), "searches go by jump points");
    }

    /// Whether both have boards, and the boards are equal, dead ends included.
    fn has_boards_of(one: &BodyLayers, other: &BodyLayers) -> bool {
        let both = one.boards.as_ref().zip(other.boards.as_ref());
        both.is_some_and(|(one, other)| one.is_equal(other))
    }

    /// Whether jump points are those of a map made anew, dead ends included.
    fn check_settled(map: &NavMap) -> Result<(), TestCaseError> {
        let anew = NavMap::from_clearance(map.clearance().clone(), map.diagonals());
        for layers in map.layers_in_use() {
            let radius = layers.radius();
            let anew = anew.layers(radius);
            prop_assert_eq!(layers.grid(), anew.grid());
            prop_assert_eq!(layers.regions(), anew.regions());
            prop_assert!(has_boards_of(&layers, &anew), "radius {}", radius);
        }
        Ok(())
    }

    /// Whether all layers are those of a map made anew of the walls: boards but for dead ends that are yet to be filled.
    fn check_edited(map: &NavMap, walls: &Grid, radii: &[f32]) -> Result<(), TestCaseError> {
        for &radius in radii {
            let layers = map.layers_if_ready(radius);
            prop_assert!(layers.is_some(), "an edit brings it over");
        }
        check_layers(map, walls)
    }

    /// The same for the layers that are there.
    fn check_layers(map: &NavMap, walls: &Grid) -> Result<(), TestCaseError> {
        let anew = NavMap::new(walls, map.clearance().cap(), map.diagonals());
        prop_assert_eq!(map.clearance(), &Clearance::from_grid(walls, 2.0));
        for layers in map.layers_in_use() {
            let anew = anew.layers(layers.radius());
            let grid = layers.grid();
            prop_assert_eq!(grid, anew.grid());
            prop_assert_eq!(grid.free_count(), anew.grid().free_count());
            prop_assert_eq!(layers.regions(), anew.regions());
            prop_assert_eq!(layers.boards.is_some(), anew.boards.is_some());
            if let Some(boards) = &layers.boards {
                check_updated(boards, grid)?;
            }
        }
        Ok(())
    }

    type Fill = ((i32, i32), (i32, i32), bool);

    /// Fills a rectangle of a map and of its walls.
    fn fill_both(live: &mut LiveMap, walls: &mut Grid, ((x, y), size, is_free): Fill) {
        let at = Cell::new(x, y);
        let rect = CellRect::new(at, at.offset(size.0, size.1));
        live.fill(rect, is_free);
        let mut builder = walls.to_builder();
        builder.fill(rect, is_free);
        *walls = builder.build();
    }

    fn boards(layers: &BodyLayers) -> &JumpPointBoards {
        layers.boards.as_deref().expect("no strip")
    }

    /// Nothing happens until the map has settled.
    fn rest(live: &mut LiveMap) -> Result<(), TestCaseError> {
        for _ in 0..2 {
            uncancelled(|cancel| live.settle(cancel));
        }
        prop_assert!(live.is_settled(), "it would be settled again and again");
        let maps = |live: &LiveMap| {
            let spares = live.spares.iter().map(|spare| &spare.map);
            let maps = spares.chain([&live.current]).map(Arc::as_ptr);
            maps.collect::<Vec<_>>()
        };
        let before = maps(live);
        prop_assert_eq!(live.settle(Cancel::NEVER), Ok(false));
        prop_assert_eq!(maps(live), before, "there was nothing left");
        Ok(())
    }

    /// Layers whose boards count as in one state have the same.
    fn check_states(lives: &[(LiveMap, Grid)]) -> Result<(), TestCaseError> {
        let spares = lives.iter().flat_map(|(live, _)| &live.spares);
        let maps = spares.map(|spare| &spare.map);
        let maps = maps.chain(lives.iter().map(|(live, _)| live.map()));
        let all: Vec<_> = maps.flat_map(|map| map.layers_in_use()).collect();
        for (index, one) in all.iter().enumerate() {
            for other in &all[..index] {
                check_one_state(boards(one), boards(other))?;
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(150)))]

        #[test]
        fn maps_settle_and_copies_catch_up_after_any_sequence_of_uses(
            (width, height) in (20u32..150, 20u32..60),
            seed: u64,
            steps in prop::collection::vec(
                (0u8..14, 0usize..2, (0i32..150, 0i32..60), (1i32..20, 1i32..8), any::<bool>()), 1..24,
            ),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let share = random.u8(0..50);
            let walls = Grid::from_fn(width, height, |_| random.u8(0..100) >= share);
            let walls = walls.expect("a good size");
            let first = NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut);
            RADII.iter().for_each(|&radius| drop(first.layers(radius)));
            let mut lives = vec![(LiveMap::new(first), walls)];
            let (mut maps, mut held) = (Vec::new(), Vec::new());
            for (what, which, (x, y), (columns, rows), is_free) in steps {
                let radius = [RADII[0], RADII[1], 0.9, f32::NAN][x as usize % 4];
                let count = lives.len();
                let (live, walls) = &mut lives[which % count];
                match what {
                    0 | 1 => rest(live)?,
                    2 => maps.push(Arc::clone(live.map())),
                    3 => maps.clear(),
                    4 => held.push(live.map().layers(radius)),
                    5 => held.clear(),
                    6 | 7 => drop(live.map().layers(radius)),
                    8 => {
                        let fork = (LiveMap::new(Arc::clone(live.map())), walls.clone());
                        lives.truncate(1);
                        lives.push(fork);
                    }
                    _ => {
                        fill_both(live, walls, ((x, y), (columns, rows), is_free));
                        check_layers(live.map(), walls)?;
                    }
                }
                check_states(&lives)?;
            }
            for (mut live, walls) in lives {
                rest(&mut live)?;
                check_settled(live.map())?;
                check_layers(live.map(), &walls)?;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(1500)))]

        #[test]
        fn after_any_edits_all_layers_and_boards_equal_a_rebuilt_map(
            (width, height) in (20u32..150, 20u32..60),
            radii in prop::collection::vec(0f32..1.99, 1..4),
            walls in (0u8..4, any::<u64>()),
            edits in prop::collection::vec(
                ((0i32..150, 0i32..60), (1i32..9, 1i32..5), any::<bool>(), 0u8..6), 1..10,
            ),
        ) {
            let (kind, seed) = walls;
            let mut random = fastrand::Rng::with_seed(seed);
            let share = random.u8(0..50);
            // Rubble, corridors, a comb of dead ends.
            let mut walls = Grid::from_fn(width, height, |Cell { x, y }| match kind {
                0 | 1 => random.u8(0..100) >= share,
                2 => y % 3 != 0 || x % 17 == y % 5,
                _ => x % 4 > 1 || y % 30 == 1,
            }).expect("a good size");
            let mut live = LiveMap::new(NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut));
            for &radius in &radii {
                drop(live.map().layers(radius));
            }
            let mut held = Vec::new();
            for (at, size, is_free, what) in edits {
                // Maps that are held for a while catch up with several edits at once.
                match what {
                    0 => held.push(Arc::clone(live.map())),
                    1 => held.clear(),
                    _ => {}
                }
                fill_both(&mut live, &mut walls, (at, size, is_free));
                check_edited(live.map(), &walls, &radii)?;
                if what == 2 {
                    uncancelled(|cancel| live.settle(cancel));
                    check_settled(live.map())?;
                }
            }
            uncancelled(|cancel| live.settle(cancel));
            check_settled(live.map())?;
            check_edited(live.map(), &walls, &radii)?;
        }
    }
}
