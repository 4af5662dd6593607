//! The squares of a grid at one level of detail, as strokes: made a part per frame, kept while nothing
//! changes.

use bevy::prelude::*;
use bevy_pursuit::grid::{Ground, NavSnapshot};
use pursuit::{Cell, CellRect, Layout};

use crate::detail::{blocks_of, runs_of_row};
use crate::mip::{Mip, TINTS};
use crate::tint::Tint;

/// Most squares that are looked at in a frame, over all grids and levels.
pub(crate) const SQUARES_PER_FRAME: u64 = 4096;
/// Most jump points shown of a grid.
pub(crate) const MAX_JUMP_POINTS: usize = 4096;
/// Strokes are made for rectangles that begin and end at multiples of this, so that a camera that moves a
/// bit needs no new ones.
const SNAP: u32 = 4;

/// What of the cells is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShownLayers {
    pub(crate) walkable: bool,
    pub(crate) blocked: bool,
    pub(crate) heat: bool,
    pub(crate) regions: bool,
    pub(crate) jump_points: bool,
}

/// All that strokes follow from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StrokeKey {
    /// Generation of the snapshot, and the radius.
    pub(crate) ground: (u64, u32),
    /// The ground that the counts in blocks are of; `None` for single cells.
    pub(crate) mip: Option<(u64, u32)>,
    pub(crate) layout: Layout,
    pub(crate) layers: ShownLayers,
    /// What other grids show instead.
    pub(crate) hidden: Vec<Rect>,
    pub(crate) level: u32,
    /// The blocks, in blocks.
    pub(crate) blocks: CellRect,
}

/// What strokes are made from.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    pub(crate) snapshot: &'a NavSnapshot,
    pub(crate) ground: &'a Ground,
    pub(crate) mip: Option<&'a Mip>,
}

/// What was made of some rows.
#[derive(Debug, Default)]
struct Made {
    /// The two ends of each stroke in world units, as gizmos want them: neighboring squares of one tint.
    ends: Vec<[Vec3; 2]>,
    tints: Vec<u16>,
    jump_points: Vec<Vec2>,
}

/// The strokes of one level, and the newer ones that are being made.
#[derive(Debug, Default)]
pub(crate) struct StrokeSet {
    shown: Made,
    key: Option<StrokeKey>,
    next: Made,
    /// What is being made, and the row that comes next.
    making: Option<(StrokeKey, i32)>,
}

impl StrokeSet {
    /// The ends of strokes.
    pub(crate) fn ends(&self) -> &[[Vec3; 2]] {
        &self.shown.ends
    }

    /// The tint of each of them.
    pub(crate) fn tints(&self) -> &[u16] {
        &self.shown.tints
    }

    pub(crate) fn jump_points(&self) -> &[Vec2] {
        &self.shown.jump_points
    }

    /// Goes on toward the strokes that `key` wants, by as many squares as are left. Strokes on their way
    /// are finished first if they serve, so that a grid that changes in each frame is shown at all.
    pub(crate) fn advance(&mut self, key: &StrokeKey, cells: &Cells<'_>, left: &mut u64) {
        if self.key.as_ref() == Some(key) {
            self.making = None;
            return;
        }
        let serves = |making: &StrokeKey| {
            let shared = making.blocks.intersect(&key.blocks);
            making.layout == key.layout
                && making.layers == key.layers
                && making.hidden == key.hidden
                && 2 * shared.cell_count() >= key.blocks.cell_count()
        };
        if !matches!(&self.making, Some((making, _)) if serves(making)) {
            self.next.clear();
            self.making = Some((key.clone(), key.blocks.min.y));
        }
        let Some((making, row)) = &mut self.making else {
            return;
        };
        let width = u64::from(making.blocks.width()).max(1);
        while *row < making.blocks.max.y && *left > 0 {
            self.next.add_row(making, cells, *row);
            *left = left.saturating_sub(width);
            *row += 1;
        }
        if *row >= making.blocks.max.y {
            std::mem::swap(&mut self.shown, &mut self.next);
            self.key = self.making.take().map(|(key, _)| key);
        }
    }
}

impl Made {
    fn clear(&mut self) {
        self.ends.clear();
        self.tints.clear();
        self.jump_points.clear();
    }

    fn add_row(&mut self, key: &StrokeKey, cells: &Cells<'_>, row: i32) {
        let side = key.layout.cell_size() * (1_u32 << key.level) as f32;
        let corner = key.layout.min_corner();
        let mut painter = Painter::new(key, *cells);
        let layers = key.layers;
        let (ends, tints) = (&mut self.ends, &mut self.tints);
        if layers.walkable || layers.blocked || layers.heat || layers.regions {
            let tint = |block| painter.tint(block);
            runs_of_row(key.blocks, row, tint, |run| {
                let (from, to) = run.stroke(corner, side);
                ends.push([from, to].map(|end| end.extend(0.0)));
                tints.push(run.tint);
            });
        }
        if layers.jump_points && key.level == 0 {
            let blocks = key.blocks;
            let cells_of_row = (blocks.min.x..blocks.max.x).map(|x| Cell::new(x, row));
            let room = MAX_JUMP_POINTS.saturating_sub(self.jump_points.len());
            let jumps = cells_of_row
                .filter(|cell| cells.ground.is_jump_point(*cell) && !painter.is_hidden(*cell));
            self.jump_points
                .extend(jumps.take(room).map(|cell| key.layout.center(cell)));
        }
    }
}

/// Tells what squares show, from left to right.
struct Painter<'a> {
    key: &'a StrokeKey,
    cells: Cells<'a>,
    /// The cell looked at last, and its hue, if it was walkable: the next one has the same.
    last: Option<(Cell, u8)>,
}

impl<'a> Painter<'a> {
    fn new(key: &'a StrokeKey, cells: Cells<'a>) -> Self {
        let last = None;
        Self { key, cells, last }
    }

    fn tint(&mut self, block: Cell) -> Option<u16> {
        let share = self.share(block)?;
        let layers = self.key.layers;
        let shows_free = layers.walkable || layers.heat || layers.regions;
        let is_shown = match share {
            0 => layers.blocked,
            TINTS => shows_free,
            _ => layers.blocked || shows_free,
        };
        if !is_shown || self.is_hidden(block) {
            return None;
        }
        if share == 0 {
            return Some(Tint::default().pack());
        }
        let sample = self.sample(block);
        let clearance = self.cells.snapshot.clearance();
        let heat = match layers.heat {
            true => Tint::heat_of(clearance.center(sample), clearance.cap()),
            false => 0,
        };
        let hue = if layers.regions { self.hue(sample) } else { 0 };
        Some(Tint { share, heat, hue }.pack())
    }

    fn share(&self, block: Cell) -> Option<u8> {
        if self.key.level == 0 {
            let is_free = self.cells.ground.grid().is_free(block);
            return Some(if is_free { TINTS } else { 0 });
        }
        self.cells.mip?.tint(self.key.level, block)
    }

    /// The cell in the middle of a block that stands for it.
    fn sample(&self, block: Cell) -> Cell {
        let level = self.key.level;
        let middle = (1 << level) / 2;
        let last = self.key.layout.rect().max.offset(-1, -1);
        Cell::new(
            ((block.x << level) + middle).min(last.x),
            ((block.y << level) + middle).min(last.y),
        )
    }

    /// Free neighbors in a row are in one region.
    fn hue(&mut self, cell: Cell) -> u8 {
        if let Some((last, hue)) = self.last
            && last.offset(1, 0) == cell
        {
            self.last = Some((cell, hue));
            return hue;
        }
        let region = self.cells.ground.regions().region(cell);
        let hue = region.map_or(0, |region| Tint::hue_of(region.0));
        self.last = (self.key.level == 0 && hue > 0).then_some((cell, hue));
        hue
    }

    fn is_hidden(&self, block: Cell) -> bool {
        if self.key.hidden.is_empty() {
            return false;
        }
        let side = self.key.layout.cell_size() * (1_u32 << self.key.level) as f32;
        let center = self.key.layout.min_corner() + side * (block.center() + 0.5);
        self.key.hidden.iter().any(|rect| rect.contains(center))
    }
}

/// The blocks at a level that hold `cells`, and some around them.
pub(crate) fn snapped(cells: CellRect, level: u32, layout: &Layout) -> CellRect {
    if cells.is_empty() {
        return CellRect::EMPTY;
    }
    let coarse = blocks_of(cells, level + SNAP);
    let all = blocks_of(layout.rect(), level);
    CellRect::new(
        Cell::new(coarse.min.x << SNAP, coarse.min.y << SNAP),
        Cell::new(coarse.max.x << SNAP, coarse.max.y << SNAP),
    )
    .intersect(&all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_pursuit::core::clearance::Clearance;
    use pursuit::{DiagonalPolicy, Grid, NavMap};

    fn snapshot(side: u32, is_free: impl Fn(Cell) -> bool) -> NavSnapshot {
        let layout = Layout::new(Vec2::ZERO, 10.0, side, side).expect("a layout");
        let grid = Grid::from_fn(side, side, is_free).expect("a grid");
        let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
        let clearance: Clearance = map.clearance().clone();
        NavSnapshot::new(layout, clearance, DiagonalPolicy::NoCornerCut, 1)
    }

    fn key(snapshot: &NavSnapshot, layers: ShownLayers) -> StrokeKey {
        StrokeKey {
            ground: (1, 0),
            mip: None,
            layout: *snapshot.layout(),
            layers,
            hidden: Vec::new(),
            level: 0,
            blocks: snapshot.layout().rect(),
        }
    }

    const PLAIN: ShownLayers = ShownLayers {
        walkable: true,
        blocked: true,
        heat: false,
        regions: false,
        jump_points: false,
    };

    #[test]
    fn strokes_are_made_a_part_per_frame_and_shown_when_all_are() {
        let snapshot = snapshot(64, |cell| cell.x != 20);
        let ground = snapshot.ground(1.0);
        let (ground, mip) = (&*ground, None);
        let cells = Cells {
            snapshot: &snapshot,
            ground,
            mip,
        };
        let (key, mut set) = (key(&snapshot, PLAIN), StrokeSet::default());
        for frame in 0..4 {
            assert!(set.ends().is_empty(), "frame {frame}");
            set.advance(&key, &cells, &mut 1024);
        }
        assert_eq!(set.ends().len(), 3 * 64, "free, wall, free in each row");
        let mut left = 1024;
        set.advance(&key, &cells, &mut left);
        assert_eq!(left, 1024, "nothing is made twice");
    }

    #[test]
    fn a_ground_that_changes_in_each_frame_is_shown() {
        let snapshot = snapshot(64, |cell| cell.x != 20);
        let ground = snapshot.ground(1.0);
        let cells = Cells {
            snapshot: &snapshot,
            ground: &ground,
            mip: None,
        };
        let mut set = StrokeSet::default();
        for generation in 0..4 {
            let ground = (generation, 0);
            set.advance(
                &StrokeKey {
                    ground,
                    ..key(&snapshot, PLAIN)
                },
                &cells,
                &mut 1024,
            );
        }
        assert_eq!(set.ends().len(), 3 * 64);
    }

    #[test]
    fn squares_that_another_grid_shows_are_left_out() {
        let snapshot = snapshot(8, |_| true);
        let ground = snapshot.ground(1.0);
        let cells = Cells {
            snapshot: &snapshot,
            ground: &ground,
            mip: None,
        };
        let mut set = StrokeSet::default();
        let left_half = Rect::new(-10.0, -10.0, 40.0, 100.0);
        let hidden = vec![left_half];
        set.advance(
            &StrokeKey {
                hidden,
                ..key(&snapshot, PLAIN)
            },
            &cells,
            &mut 1024,
        );
        assert_eq!(set.ends().len(), 8);
        assert!(set.ends().iter().all(|[from, _]| from.x > 40.0));
    }

    #[test]
    fn jump_points_regions_and_heat_are_those_of_the_core() {
        let snapshot = snapshot(16, |cell| cell.x != 8 && cell != Cell::new(4, 4));
        let ground = snapshot.ground(1.0);
        let cells = Cells {
            snapshot: &snapshot,
            ground: &ground,
            mip: None,
        };
        let layers = ShownLayers {
            heat: true,
            regions: true,
            jump_points: true,
            ..PLAIN
        };
        let key = key(&snapshot, layers);
        let mut set = StrokeSet::default();
        set.advance(&key, &cells, &mut 1024);
        let jumps = snapshot
            .layout()
            .rect()
            .cells()
            .filter(|cell| ground.is_jump_point(*cell));
        let jumps: Vec<_> = jumps.map(|cell| snapshot.layout().center(cell)).collect();
        assert!(!jumps.is_empty(), "around the pillar");
        assert_eq!(set.jump_points(), jumps);
        let mut painter = Painter::new(&key, cells);
        let mut tint = |x, y| painter.tint(Cell::new(x, y)).expect("shown");
        assert_eq!(tint(8, 0), 0, "the wall");
        assert_ne!(tint(0, 0) >> 8, tint(12, 0) >> 8, "two regions");
        assert!(
            tint(7, 0) >> 4 & 15 < tint(0, 0) >> 4 & 15,
            "nearer is hotter"
        );
    }

    #[test]
    fn snapped_rectangles_hold_what_is_in_view() {
        let layout = Layout::new(Vec2::ZERO, 10.0, 100, 100).expect("a layout");
        let cells = CellRect::new(Cell::new(17, 33), Cell::new(40, 90));
        let blocks = snapped(cells, 0, &layout);
        assert_eq!(blocks, CellRect::new(Cell::new(16, 32), Cell::new(48, 96)));
        let all = snapped(layout.rect(), 1, &layout);
        assert_eq!(all, CellRect::new(Cell::new(0, 0), Cell::new(50, 50)));
        assert!(snapped(CellRect::EMPTY, 3, &layout).is_empty());
    }
}
