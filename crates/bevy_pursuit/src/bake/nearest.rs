//! Draws many pieces. A piece is drawn only in tiles in which it may be the nearest piece to some point.
//!
//! ```text
//!   +-------+    The distance to a piece P is a convex function. At the tile's center c it grows in direction u,
//!   |       |    so at any point x it is at least d(c, P) + u (x - c), which is linear.
//!   |   c   |
//!   |    \  |    The distance to a piece Q minus that bound is convex, so it is largest at a corner of the tile.
//!   +-----\-+    If it is below zero at all four corners, P is not the nearest piece anywhere in the tile.
//!        Q P
//! ```
//!
//! A tile is quartered until it is small or few pieces remain. Each quarter considers only the pieces that were not
//! ruled out for the whole tile. The time per cell then grows far more slowly than the square of the cap.

use std::ops::Range;

use bevy::math::DVec2;
use pursuit::{CellRect, Drawing};

use super::raster::Rasterizer;
use crate::grid::Piece;

/// A tile side of at most this many cells is not cut, because the parts would share too many cells. If the cap is at
/// most this value, no tile is cut at all, because most pieces within the cap of a small tile are the nearest piece
/// somewhere in it.
const MAX_LEAF_TILE: u32 = 9;

/// A tile with at most this many pieces is not cut further.
const MAX_UNSPLIT_PIECES: usize = 2;

/// Tolerance of bounds on distances, in cells. It exceeds the rounding error of an `f64` distance on the largest grid.
const ROUNDING_CELLS: f64 = 1e-6;

/// Draws `pieces` into the whole rectangle of a drawing. Stops early once `is_wanted` returns `false`.
pub(super) fn draw_nearest<'a>(
    drawing: &mut Drawing<'_>,
    pieces: impl Iterator<Item = &'a Piece>,
    is_wanted: impl Fn() -> bool,
) {
    // Distances are also stored for steps, which lead out of the rectangle by one cell.
    let all = drawing.rect().grow(1).intersect(&drawing.grid());
    let (cap, resolution) = (f64::from(drawing.cap()), f64::from(drawing.resolution()));
    let mut rasterizer = Rasterizer::new(drawing);
    if cap <= f64::from(MAX_LEAF_TILE) {
        let wanted = pieces.take_while(|_| is_wanted());
        wanted.for_each(|piece| rasterizer.draw(piece, all));
        return;
    }
    let near = |piece| Near {
        piece,
        distance: 0.0,
        away: DVec2::ZERO,
    };
    let (near, slack) = (pieces.map(near).collect(), resolution + ROUNDING_CELLS);
    let mut tiles = Tiles { cap, slack, near };
    tiles.draw(all, 0, &mut rasterizer, &is_wanted);
}

/// A piece as seen from the center of a tile.
#[derive(Clone, Copy)]
struct Near<'a> {
    piece: &'a Piece,
    /// Distance from the center, in cells.
    distance: f64,
    /// Direction in which the distance grows, a unit vector; zero inside the piece.
    away: DVec2,
}

struct Tiles<'a> {
    cap: f64,
    /// A piece is ruled out if it is farther away than the nearest piece by more than this distance, in cells. Stored
    /// distances are rounded down, so a piece that is only slightly farther away could be stored as nearer.
    slack: f64,
    /// A stack: the pieces that matter in a tile, on top of the pieces of its parent.
    near: Vec<Near<'a>>,
}

impl<'a> Tiles<'a> {
    /// Draws a tile. Candidates are the pieces on the stack from index `parent` to its top.
    fn draw(
        &mut self,
        tile: CellRect,
        parent: usize,
        rasterizer: &mut Rasterizer<'_, '_>,
        is_wanted: &impl Fn() -> bool,
    ) {
        if !is_wanted() {
            return;
        }
        let own = self.near.len();
        self.add_those_near(tile, parent..own);
        let near = &self.near[own..];
        if near.len() <= MAX_UNSPLIT_PIECES || tile.width().max(tile.height()) <= MAX_LEAF_TILE {
            near.iter()
                .for_each(|near| rasterizer.draw(near.piece, tile));
        } else {
            for part in parts(tile) {
                self.draw(part, own, rasterizer, is_wanted);
            }
        }
        self.near.truncate(own);
    }

    /// Considers the pieces at the indices `from` of the stack. Pushes each piece that may be the nearest piece to a
    /// cell of the tile, or to a step between two of its cells.
    fn add_those_near(&mut self, tile: CellRect, from: Range<usize>) {
        let (own, around) = (self.near.len(), Around::of(tile));
        let max_distance = self.cap + around.half_diagonal + ROUNDING_CELLS;
        for number in from {
            let piece = self.near[number].piece;
            let (distance, away) = piece.distance_and_away(around.center);
            if distance < max_distance {
                self.near.push(Near {
                    piece,
                    distance,
                    away,
                });
            }
        }
        let by_distance = |a: &&Near<'_>, b: &&Near<'_>| a.distance.total_cmp(&b.distance);
        let Some(nearest) = self.near[own..].iter().min_by(by_distance) else {
            return;
        };
        let at_corners = around.at_corners(nearest.piece);
        let mut kept = own;
        for number in own..self.near.len() {
            if !around.is_behind(&self.near[number], at_corners, self.slack) {
                self.near.swap(kept, number);
                kept += 1;
            }
        }
        self.near.truncate(kept);
    }
}

/// The cells of a tile, and the steps between them.
struct Around {
    center: DVec2,
    half_diagonal: f64,
    /// Vectors from the center to the four corners.
    corners: [DVec2; 4],
}

impl Around {
    fn of(tile: CellRect) -> Self {
        let [low, high] =
            [tile.min, tile.max.offset(-1, -1)].map(|at| DVec2::new(at.x.into(), at.y.into()));
        let half = 0.5 * (high - low);
        let across = DVec2::new(-half.x, half.y);
        Self {
            center: 0.5 * (low + high),
            half_diagonal: half.length(),
            corners: [half, -half, across, -across],
        }
    }

    /// Distances of the corners from a piece.
    fn at_corners(&self, piece: &Piece) -> [f64; 4] {
        self.corners
            .map(|corner| piece.distance(self.center + corner))
    }

    /// Whether a piece is farther away than another one by more than `slack`, everywhere in the tile. The distances of
    /// the other piece at the corners are `at_corners`.
    fn is_behind(&self, near: &Near<'_>, at_corners: [f64; 4], slack: f64) -> bool {
        let is_behind = |slack: f64| {
            let mut corners = self.corners.iter().zip(at_corners);
            corners.all(|(corner, other)| other + slack < near.distance + near.away.dot(*corner))
        };
        // The second test takes longer, and few pieces get that far.
        is_behind(slack) && is_behind(slack + self.noise(near))
    }

    /// How much the rounding of the direction `near.away` can change the bound at a corner. This error is large if the
    /// piece is near and the corner is far away.
    fn noise(&self, near: &Near<'_>) -> f64 {
        let (min, max) = near.piece.bounds();
        let farthest = min.abs().max(max.abs());
        let extent = farthest.max(self.center.abs()).max_element();
        8.0 * f64::EPSILON * extent * self.half_diagonal / near.distance
    }
}

/// The quarters of a tile. Adjacent quarters share the cells where the tile is cut, so that each step lies in at least
/// one quarter. A side of at most [`MAX_LEAF_TILE`] cells is not cut.
fn parts(tile: CellRect) -> impl Iterator<Item = CellRect> {
    let halves = |min: i32, max: i32| {
        let size = max.abs_diff(min);
        let middle = min + (size / 2) as i32;
        let both = [Some((min, middle + 1)), Some((middle, max))];
        let whole = [Some((min, max)), None];
        let halves = if size <= MAX_LEAF_TILE { whole } else { both };
        halves.into_iter().flatten()
    };
    let rows = halves(tile.min.y, tile.max.y);
    rows.flat_map(move |(y0, y1)| {
        let columns = halves(tile.min.x, tile.max.x);
        columns.map(move |(x0, x1)| CellRect::new((x0, y0).into(), (x1, y1).into()))
    })
}

#[cfg(test)]
#[cfg(feature = "rapier2d")]
mod tests {
    use bevy::math::Vec2;
    use pursuit::{Cell, Clearance, Layout};

    use super::*;
    use crate::physics::decompose;
    use crate::physics::random_shapes::{KINDS, random_pose, random_shape};
    use pursuit::oracle::cases;

    const SIZES: [(u32, u32); 5] = [(90, 70), (1, 200), (200, 2), (64, 9), (10, 10)];
    const CAPS: [f32; 3] = [9.5, 20.0, 200.0];

    fn random_pieces(layout: &Layout, random: &mut fastrand::Rng) -> Vec<Piece> {
        let count = [1, 3, 40][random.usize(0..3)];
        let most = [1.0, 12.0][random.usize(0..2)];
        let shapes = (0..count).flat_map(|_| {
            // A half-space would hide most of the other pieces.
            let kind = [random.usize(0..7), random.usize(8..KINDS)][random.usize(0..2)];
            let shape = random_shape(kind, 0.2 + most * random.f32(), random);
            decompose(&shape, &random_pose(60.0, random), layout).pieces
        });
        shapes.collect()
    }

    /// Returns the clearance after `draw` has redrawn a rectangle of it.
    fn drawn(
        mut clearance: Clearance,
        rect: CellRect,
        draw: impl FnOnce(&mut Drawing<'_>),
    ) -> Clearance {
        clearance.replace_obstacles(rect, draw);
        clearance
    }

    fn draw_all(drawing: &mut Drawing<'_>, pieces: &[Piece]) {
        let around = drawing.rect().grow(1);
        let mut rasterizer = Rasterizer::new(drawing);
        let pieces = pieces.iter();
        pieces.for_each(|piece| rasterizer.draw(piece, around));
    }

    #[test]
    fn skipped_pieces_change_no_distance() {
        let mut random = fastrand::Rng::with_seed(31);
        for round in 0..cases(300) {
            let (width, height) = SIZES[round % SIZES.len()];
            let cap = CAPS[round % CAPS.len()];
            let layout = Layout::new(Vec2::splat(-45.0), 1.0, width, height).unwrap();
            let pieces = random_pieces(&layout, &mut random);
            let all = |drawing: &mut Drawing<'_>| draw_all(drawing, &pieces);
            let nearest = |drawing: &mut Drawing<'_>| {
                draw_nearest(drawing, pieces.iter(), || true);
            };
            let open = Clearance::open(width, height, cap).unwrap();
            let corner = Cell::new(random.i32(-5..60), random.i32(-5..60));
            let part = CellRect::new(corner, corner.offset(random.i32(1..40), random.i32(1..40)));
            for rect in [layout.rect(), part] {
                assert!(
                    drawn(open.clone(), rect, all) == drawn(open.clone(), rect, nearest),
                    "round {round}: {rect:?} of {width} x {height}, cap {cap}"
                );
            }
        }
    }

    #[test]
    fn a_piece_that_is_hardly_farther_away_is_not_skipped() {
        for cap in [32.0, 64.0, 128.0] {
            let wall = Piece::hull(&[DVec2::new(-9.0, 5.8), DVec2::new(99.0, 5.8)], 0.0);
            let balls = (0..12).map(|i| {
                let center = DVec2::new(3.3 + 7.1 * f64::from(i), 5.0);
                Piece::hull(&[center], 0.79).unwrap()
            });
            let pieces: Vec<_> = wall.into_iter().chain(balls).collect();
            let open = Clearance::open(90, 60, cap).unwrap();
            let rect = open.rect();
            let nearest = drawn(open.clone(), rect, |drawing| {
                draw_nearest(drawing, pieces.iter(), || true);
            });
            let all = drawn(open, rect, |drawing| draw_all(drawing, &pieces));
            assert!(nearest == all, "cap {cap}");
        }
    }

    #[test]
    fn distances_on_a_long_strip_are_never_too_large() {
        const LENGTH: i32 = 1 << 24;
        let line = |from: f64, to: f64, beyond: f64| {
            let ends = [-beyond, f64::from(LENGTH) + beyond];
            let ends = [DVec2::new(ends[0], from), DVec2::new(ends[1], to)];
            Piece::hull(&ends, 0.0).unwrap()
        };
        for variant in 0..3 {
            // The second line is nearer than the first one only at the right. Its direction is computed at the middle
            // of the strip, with an error of one in the last digit of a column's number.
            let beyond = 0.3 + 0.7 * f64::from(variant);
            let pieces = [
                line(0.02, 0.02, beyond),
                line(0.12, 0.0005, beyond),
                line(1.0, 1.0, 0.0),
            ];
            let mut clearance = Clearance::open(LENGTH as u32, 1, 10.0).unwrap();
            let rect = clearance.rect();
            clearance.replace_obstacles(rect, |drawing| {
                draw_nearest(drawing, pieces.iter(), || true);
            });
            for x in (0..LENGTH).step_by(997) {
                let center = DVec2::new(f64::from(x), 0.0);
                let distances = pieces.iter().map(|piece| piece.distance(center));
                let least = distances.fold(10.0, f64::min) as f32;
                let got = clearance.center(Cell::new(x, 0));
                let rounded = least - got;
                assert!(
                    (-1e-5..0.01).contains(&rounded),
                    "variant {variant}, column {x}: {got}, not {least}"
                );
            }
        }
    }

    #[test]
    fn a_far_tile_considers_few_of_many_crates() {
        let crates = (0..400).map(|x| {
            let center = DVec2::new(f64::from(x) * 2.0, 0.0);
            Piece::rectangle(center, DVec2::X, DVec2::splat(0.5), 0.0).unwrap()
        });
        let crates: Vec<_> = crates.collect();
        let near = |piece| Near {
            piece,
            distance: 0.0,
            away: DVec2::ZERO,
        };
        let mut tiles = Tiles {
            cap: 128.0,
            slack: 0.0,
            near: crates.iter().map(near).collect(),
        };
        let tile = CellRect::new(Cell::new(400, 100), Cell::new(409, 109));
        tiles.add_those_near(tile, 0..crates.len());
        let found = tiles.near.len() - crates.len();
        assert!((4..40).contains(&found), "{found} of 400 crates");
    }

    #[test]
    fn a_drawing_ends_when_it_is_no_longer_wanted() {
        let wall = Piece::hull(&[DVec2::ZERO, DVec2::splat(90.0)], 0.0).unwrap();
        let pieces = vec![wall; 5];
        let mut clearance = Clearance::open(90, 90, 20.0).unwrap();
        let open = clearance.clone();
        let rect = clearance.rect();
        clearance.replace_obstacles(rect, |drawing| {
            draw_nearest(drawing, pieces.iter(), || false)
        });
        assert_eq!(clearance, open);
    }

    #[test]
    fn each_step_lies_in_one_part_of_a_tile() {
        for (width, height) in [(20, 31), (9, 40), (10, 1), (2, 11)] {
            let tile = CellRect::new(Cell::new(-3, 5), Cell::new(-3 + width, 5 + height));
            let parts: Vec<_> = parts(tile).collect();
            assert!(parts.len() > 1 && parts.iter().all(|part| part.intersect(&tile) == *part));
            for from in tile.cells() {
                let around = CellRect::new(from, from.offset(1, 1)).grow(1);
                for to in around.intersect(&tile).cells() {
                    let holds = |part: &CellRect| part.contains(from) && part.contains(to);
                    assert!(parts.iter().any(holds), "{from} to {to}");
                }
            }
        }
    }
}
