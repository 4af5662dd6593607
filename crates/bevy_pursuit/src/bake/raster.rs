//! Draws convex pieces into a clearance field: for each cell, and for each step between two cells, the distance
//! to the nearest piece.
//!
//! The distance to a convex piece is a convex function of the point, and changes by at most the distance that the point
//! moves. So along a step the distance is least at one of the ends, unless it decreases inward from both ends. The
//! least distance is at least `(a + b − length) / 2`, where `a` and `b` are the distances at the ends. Only steps that
//! neither rule settles need the exact distance between a segment and a piece.

use bevy::math::DVec2;
use pursuit::{Cell, CellRect, Drawing, Step};

use crate::grid::{Piece, Samples};

/// Margin of lower bounds, in cells. A step is skipped only if the lower bound of its distance exceeds the stored value
/// by at least this margin plus the resolution of the field. So the result does not depend on the order in which pieces
/// are drawn.
const ROUNDING_CELLS: f64 = 1e-9;

/// The cells of `grid` at which a piece can change the distance of the center or of a step. `cap` is the greatest
/// distance that is stored, in cells.
///
/// A step may be nearer to the piece than both of its ends. Then the line from the piece to the nearest point of the
/// step meets the step at a right angle. Neither end is farther from that point than the length of a step, which is at
/// most √2. So both ends are within `√(cap² + 2)` of the piece.
pub(super) fn touched_cells(piece: &Piece, grid: CellRect, cap: f32) -> CellRect {
    cells_within(piece, touching_distance(cap), grid)
}

/// The greatest distance of [`touched_cells`] to a piece.
pub(super) fn touching_distance(cap: f32) -> f64 {
    (f64::from(cap).powi(2) + 2.0).sqrt() + ROUNDING_CELLS
}

/// The cells of a rectangle whose centers are within `reach` of the bounds of a piece.
pub(super) fn cells_within(piece: &Piece, reach: f64, rect: CellRect) -> CellRect {
    let (min, max) = piece.bounds();
    // `as` saturates, so a half-space reaches every border.
    let corner = |point: DVec2| Cell::new(point.x as i32, point.y as i32);
    let (low, high) = ((min - reach).ceil(), (max + reach).floor() + 1.0);
    CellRect::new(corner(low), corner(high)).intersect(&rect)
}

/// Draws pieces into rectangles of a clearance field.
pub(super) struct Rasterizer<'a, 'b> {
    drawing: &'a mut Drawing<'b>,
    grid: CellRect,
    /// The rectangle that is being redrawn: its cells, and the steps with an end in it.
    rect: CellRect,
    cap: f64,
    /// The resolution of the field plus [`ROUNDING_CELLS`], in cells.
    slack: f64,
    /// Distances in the present row and in the row below. The first distance of each row belongs to column `first`.
    row: Samples,
    below: Samples,
    first: i32,
}

impl<'a, 'b> Rasterizer<'a, 'b> {
    pub(super) fn new(drawing: &'a mut Drawing<'b>) -> Self {
        let (grid, rect) = (drawing.grid(), drawing.rect());
        let cap = f64::from(drawing.cap());
        let slack = f64::from(drawing.resolution()) + ROUNDING_CELLS;
        Self {
            drawing,
            grid,
            rect,
            cap,
            slack,
            row: Samples::default(),
            below: Samples::default(),
            first: 0,
        }
    }

    /// Draws a piece into `part`: lowers the stored distances of cells, and of steps between them, that exceed the
    /// distance to the piece.
    pub(super) fn draw(&mut self, piece: &Piece, part: CellRect) {
        let area = touched_cells(piece, self.grid, self.cap as f32).intersect(&part);
        if area.is_empty() {
            return;
        }
        self.first = area.min.x;
        for y in area.min.y..area.max.y {
            std::mem::swap(&mut self.row, &mut self.below);
            piece.sample_row(y, area.min.x..area.max.x, &mut self.row);
            let distances = self.row.distance.iter().map(|distance| *distance as f32);
            self.drawing.limit_row(Cell::new(self.first, y), distances);
            self.draw_steps(piece, Step::PlusX, y);
            if y > area.min.y {
                // Three calls instead of a loop, so that each is compiled for its kind of step.
                self.draw_steps(piece, Step::PlusY, y);
                self.draw_steps(piece, Step::PlusXPlusY, y);
                self.draw_steps(piece, Step::MinusXPlusY, y);
            }
        }
    }

    /// Lowers the distances of all steps of the kind `step` that lead to a cell in row `y`.
    #[inline(always)]
    fn draw_steps(&mut self, piece: &Piece, step: Step, y: i32) {
        let (dx, dy) = step.offset();
        // `turns` is true if the distance falls at the start of a step and grows at its end. Otherwise the distance
        // is least at an end of the step, and the cell at that end already stores it. A cell outside of the rectangle
        // has stored it since an earlier bake drew the piece there.
        let turns = |(from, to): (f64, f64)| from < 0.0 && to > 0.0;
        let (first, last) = (usize::from(dx < 0), usize::from(dx > 0));
        let count = self.row.len();
        // Most rows have no such step. One pass over the row shows whether this one has any.
        let from = if dy == 0 { &self.row } else { &self.below };
        let starts = from.along(step, first..count - last);
        let steps = starts.zip(self.row.along(step, last..count - first));
        if !steps.fold(false, |any, ends| any | turns(ends)) {
            return;
        }
        for start in first..count - last {
            let end = start.wrapping_add_signed(dx as isize);
            let from = if dy == 0 { &self.row } else { &self.below };
            if turns((from.along_at(step, start), self.row.along_at(step, end))) {
                let ends = [from.distance[start], self.row.distance[end]];
                let cell = Cell::new(self.first + start as i32, y - dy);
                self.limit_step(piece, step, cell, ends);
            }
        }
    }

    /// Lowers the distance of one step. `ends` are the distances of its two ends from the piece, in cells.
    fn limit_step(&mut self, piece: &Piece, step: Step, from: Cell, ends: [f64; 2]) {
        let (to, way) = (step.end(from), way_of(step));
        let bound = 0.5 * (ends[0] + ends[1] - way.length());
        if bound >= self.cap {
            return;
        }
        if !self.rect.contains(from) && !self.rect.contains(to) {
            return;
        }
        if bound - self.slack >= f64::from(self.drawing.step(from, step)) {
            return;
        }
        let start = DVec2::new(f64::from(from.x), f64::from(from.y));
        // If an end of the step is just as near, the cell there already stores this distance.
        let least = piece.least_distance_between(start, start + way);
        if least < self.cap {
            self.drawing.limit_step(from, step, least as f32);
        }
    }
}

fn way_of(step: Step) -> DVec2 {
    let (dx, dy) = step.offset();
    DVec2::new(f64::from(dx), f64::from(dy))
}

#[cfg(test)]
#[cfg(feature = "rapier2d")]
mod tests {
    use bevy::math::Vec2;
    use pursuit::{Clearance, Layout};

    use super::*;
    use crate::physics::decompose;
    use crate::physics::random_shapes::{KINDS, random_pose, random_shape};

    const SIDE: u32 = 40;
    /// With a small cap, both ends of a step can be farther away than the cap, although a point between them is not.
    const CAPS: [f32; 2] = [1.0, 3.5];

    fn layout() -> Layout {
        Layout::new(Vec2::splat(-30.0), 1.5, SIDE, SIDE).expect("a layout")
    }

    fn random_pieces(kind: usize, random: &mut fastrand::Rng) -> Vec<Piece> {
        let shape = random_shape(kind, 1.0 + 8.0 * random.f32(), random);
        decompose(&shape, &random_pose(30.0, random), &layout()).pieces
    }

    fn draw_all(clearance: &mut Clearance, rect: CellRect, pieces: &[Vec<Piece>]) {
        clearance.replace_obstacles(rect, |drawing| {
            let all = drawing.rect().grow(1);
            let mut rasterizer = Rasterizer::new(drawing);
            let pieces = pieces.iter().flatten();
            pieces.for_each(|piece| rasterizer.draw(piece, all));
        });
    }

    fn baked(cap: f32, pieces: &[Vec<Piece>]) -> Clearance {
        let mut clearance = Clearance::open(SIDE, SIDE, cap).expect("a size");
        draw_all(&mut clearance, layout().rect(), pieces);
        clearance
    }

    fn center(cell: Cell) -> DVec2 {
        DVec2::new(f64::from(cell.x), f64::from(cell.y))
    }

    #[test]
    fn every_cell_and_step_has_the_distance_of_its_nearest_piece() {
        let mut random = fastrand::Rng::with_seed(21);
        for round in 0..8 * KINDS {
            let cap = CAPS[round % 2];
            let kinds = [
                round % KINDS,
                random.usize(0..KINDS),
                random.usize(0..KINDS),
            ];
            let pieces = kinds.map(|kind| random_pieces(kind, &mut random));
            let clearance = baked(cap, &pieces);
            let least = |distance: &dyn Fn(&Piece) -> f64| {
                let distances = pieces.iter().flatten().map(distance);
                distances.fold(f64::from(cap), f64::min) as f32
            };
            for cell in layout().rect().cells() {
                let expected = least(&|piece| piece.distance(center(cell)));
                let got = clearance.center(cell);
                assert!(
                    got <= expected && expected - got < 1.0 / 8192.0,
                    "kinds {kinds:?}, cell {cell}: {got}, not {expected}"
                );
                for step in Step::ALL {
                    let end = step.end(cell);
                    if layout().rect().contains(end) {
                        let (from, to) = (center(cell), center(end));
                        let expected = least(&|piece| piece.least_distance_along(from, to));
                        let got = clearance.step(cell, step);
                        let rounded = expected - got;
                        assert!(
                            rounded > -1e-6 && rounded < clearance.resolution() + 1e-6,
                            "kinds {kinds:?}, {step:?} from {cell}: {got}, not {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn drawing_only_the_touched_rectangle_gives_the_same_bits_as_drawing_all() {
        let mut random = fastrand::Rng::with_seed(22);
        for round in 0..40 {
            let cap = CAPS[round % 2];
            let kind = |random: &mut fastrand::Rng| random.usize(0..KINDS);
            let mut pieces: Vec<_> = (0..12)
                .map(|_| {
                    let kind = kind(&mut random);
                    random_pieces(kind, &mut random)
                })
                .collect();
            let mut clearance = baked(cap, &pieces);
            for _ in 0..10 {
                let edited = random.usize(0..pieces.len());
                let kind = kind(&mut random);
                let new = random_pieces(kind, &mut random);
                let old = std::mem::replace(&mut pieces[edited], new.clone());
                let touched = old.iter().chain(&new).fold(CellRect::EMPTY, |area, piece| {
                    area.union(&touched_cells(piece, layout().rect(), cap))
                });
                draw_all(&mut clearance, touched, &pieces);
                // The order in which pieces are drawn must not matter either.
                random.shuffle(&mut pieces);
                assert!(
                    clearance == baked(cap, &pieces),
                    "differs after an edit of kind {kind}"
                );
            }
        }
    }

    #[test]
    fn pieces_at_the_distance_of_a_large_fractional_cap_are_touched() {
        let mut random = fastrand::Rng::with_seed(23);
        for cap in [256.01, 300.3, 1000.001] {
            let (width, height) = (cap as u32 + 40, 3);
            let open = Clearance::open(width, height, cap).unwrap();
            let draw = |mut field: Clearance, rect: CellRect, piece: &Piece| {
                field.replace_obstacles(rect, |drawing| {
                    let all = drawing.rect().grow(1);
                    Rasterizer::new(drawing).draw(piece, all);
                });
                field
            };
            for _ in 0..200 {
                let mut piece = || {
                    let middle = DVec2::new(8.0 + 8.0 * random.f64(), 3.0 * random.f64());
                    Piece::rectangle(middle, DVec2::X, DVec2::splat(0.7), 0.0).unwrap()
                };
                let (old, new) = (piece(), piece());
                let touched = |piece: &Piece| touched_cells(piece, open.rect(), open.cap());
                let rect = touched(&old).union(&touched(&new));
                let edited = draw(draw(open.clone(), open.rect(), &old), rect, &new);
                assert!(edited == draw(open.clone(), open.rect(), &new), "cap {cap}");
            }
        }
    }

    #[test]
    fn cells_outside_of_the_rectangle_keep_their_values() {
        let mut clearance = Clearance::open(SIDE, SIDE, 3.5).unwrap();
        let rect = CellRect::new(Cell::new(10, 10), Cell::new(20, 20));
        let everywhere = Piece::half_space(DVec2::splat(100.0), DVec2::ONE).unwrap();
        draw_all(&mut clearance, rect, &[vec![everywhere]]);
        for cell in layout().rect().cells() {
            let expected = if rect.contains(cell) { 0.0 } else { 3.5 };
            assert_eq!(clearance.center(cell), expected, "cell {cell}");
        }
    }

    #[test]
    fn a_thin_wall_between_two_centers_closes_the_step_between_them() {
        let ends = [DVec2::new(10.5, 5.0), DVec2::new(10.5, 9.0)];
        let clearance = baked(3.5, &[vec![Piece::hull(&ends, 0.0).unwrap()]]);
        for y in 5..9 {
            assert_eq!(clearance.center(Cell::new(10, y)), 0.5);
            assert_eq!(clearance.step(Cell::new(10, y), Step::PlusX), 0.0);
            assert_eq!(clearance.step(Cell::new(10, y), Step::PlusXPlusY), 0.0);
            assert_eq!(clearance.step(Cell::new(11, y), Step::MinusXPlusY), 0.0);
            assert_eq!(clearance.step(Cell::new(10, y), Step::PlusY), 0.5);
        }
    }

    #[test]
    fn a_thin_collider_in_a_cells_corner_is_not_missed() {
        // The disc inscribed in cell (10, 10) covers 78.5 % of it, and not this corner.
        let ends = [DVec2::new(10.46, 10.4), DVec2::new(10.4, 10.46)];
        let clearance = baked(3.5, &[vec![Piece::hull(&ends, 0.0).unwrap()]]);
        assert!(clearance.center(Cell::new(10, 10)) > 0.5);
        assert!(clearance.step(Cell::new(10, 10), Step::PlusXPlusY) < 0.05);
        assert!(clearance.step(Cell::new(10, 10), Step::PlusX) < 0.5);
        assert!(clearance.step(Cell::new(10, 10), Step::PlusY) < 0.5);
    }
}
