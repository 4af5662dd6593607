//! A naive twin of the field, with plain numbers instead of packed ones.

use proptest::prelude::*;

use super::field::{Clearance, Step};
use crate::cell::{Cell, CellRect};
use crate::grid::Grid;

/// The distances exactly as they were given, by cell.
struct Twin {
    rect: CellRect,
    cap: f32,
    centers: Vec<f32>,
    /// The distances that were given for the steps themselves. The distances of their ends are not applied.
    steps: Vec<[f32; 4]>,
}

impl Twin {
    fn open(width: u32, height: u32, cap: f32) -> Self {
        let cells = (width * height) as usize;
        Self {
            rect: CellRect::new(Cell::new(0, 0), Cell::new(width as i32, height as i32)),
            cap,
            centers: vec![cap; cells],
            steps: vec![[cap; 4]; cells],
        }
    }

    fn slot(&self, cell: Cell) -> usize {
        (cell.y * self.rect.max.x + cell.x) as usize
    }

    fn center(&self, cell: Cell) -> f32 {
        if self.rect.contains(cell) {
            self.centers[self.slot(cell)]
        } else {
            0.0
        }
    }

    fn step(&self, cell: Cell, step: Step) -> f32 {
        let ends = self.center(cell).min(self.center(step.end(cell)));
        if ends > 0.0 {
            ends.min(self.steps[self.slot(cell)][step as usize])
        } else {
            0.0
        }
    }

    fn apply(&mut self, edit: Edit) {
        match edit {
            Edit::Reset(rect) => {
                for cell in self.rect.cells() {
                    let i = self.slot(cell);
                    if rect.contains(cell) {
                        self.centers[i] = self.cap;
                    }
                    for step in Step::ALL {
                        if rect.contains(cell) || rect.contains(step.end(cell)) {
                            self.steps[i][step as usize] = self.cap;
                        }
                    }
                }
            }
            Edit::Center(cell, distance) if self.rect.contains(cell) => {
                let i = self.slot(cell);
                self.centers[i] = self.centers[i].min(distance);
            }
            Edit::Step(cell, step, distance) if self.rect.contains(cell) => {
                let i = self.slot(cell);
                let own = &mut self.steps[i][step as usize];
                *own = own.min(distance);
            }
            Edit::Center(..) | Edit::Step(..) => {}
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Edit {
    Reset(CellRect),
    Center(Cell, f32),
    Step(Cell, Step, f32),
}

impl Edit {
    fn apply(self, field: &mut Clearance) {
        match self {
            Self::Reset(rect) => field.reset(rect),
            Self::Center(cell, distance) => field.limit_center(cell, distance),
            Self::Step(cell, step, distance) => field.limit_step(cell, step, distance),
        }
    }

    /// Whether the edit changes only distances that belong to the centers in a rectangle.
    fn is_within(self, rect: CellRect) -> bool {
        match self {
            Self::Reset(inner) => inner.intersect(&rect) == inner,
            Self::Center(cell, _) => rect.contains(cell),
            Self::Step(cell, step, _) => rect.contains(cell) || rect.contains(step.end(cell)),
        }
    }
}

fn any_cell() -> impl Strategy<Value = Cell> {
    (-2..9_i32, -2..9_i32).prop_map(Cell::from)
}

fn any_distance() -> impl Strategy<Value = f32> {
    prop_oneof![
        0.0..5.0_f32,
        (0..40_u8).prop_map(|eighths| f32::from(eighths) / 8.0),
        (0.0..4.0_f32, 0..9_u8).prop_map(|(base, noise)| base + f32::from(noise) * 1e-4),
    ]
}

fn any_limit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any_cell(), any_distance()).prop_map(|(cell, distance)| Edit::Center(cell, distance)),
        (
            any_cell(),
            prop::sample::select(&Step::ALL[..]),
            any_distance()
        )
            .prop_map(|(cell, step, distance)| Edit::Step(cell, step, distance)),
    ]
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let reset = (any_cell(), 0..5_i32, 0..5_i32);
    let reset = reset.prop_map(|(cell, x, y)| Edit::Reset(CellRect::new(cell, cell.offset(x, y))));
    prop_oneof![1 => reset, 9 => any_limit()]
}

/// Caps that are rounded in different ways.
fn any_cap() -> impl Strategy<Value = f32> {
    prop_oneof![Just(4.0), Just(1.0), 1.0..9.0_f32, 9.0..1024.0_f32]
}

/// The largest rounding errors that the documentation of [`Clearance`] allows for a field of this cap, in
/// cells: of a center, and of a step whose true distance is `step`.
fn max_rounding(cap: f32, step: f32) -> [f32; 2] {
    let part = 2_f32.powi(cap.log2().ceil() as i32) / 65_536.0;
    let mark = if step < 1.0 { 1.0 / 512.0 } else { cap / 256.0 };
    [part, part.max(mark)]
}

fn check(field: &Clearance, twin: &Twin) -> Result<(), TestCaseError> {
    for cell in field.rect().cells() {
        let (is, said) = (field.center(cell), twin.center(cell));
        let [part, _] = max_rounding(field.cap(), 0.0);
        prop_assert!(is <= said, "{cell}: {is} > {said}");
        let touches = is == 0.0 && said < 2.0 * part;
        prop_assert!(said - is < part || touches, "{cell}: {is}, not {said}");
        for step in Step::ALL {
            let (is, said) = (field.step(cell, step), twin.step(cell, step));
            let [_, most] = max_rounding(field.cap(), said);
            prop_assert!(is <= said, "{cell} {step:?}: {is} > {said}");
            let lost = said - is;
            let is_lost = lost < most || (is == 0.0 && said < 2.0 * part);
            prop_assert!(is_lost, "{cell} {step:?}: {is}, not {said}");
            prop_assert!(lost < field.resolution());
        }
    }
    Ok(())
}

/// Distance to the nearest wall, at most the cap, from a cell center or from the middle of a diagonal.
/// `twice` is that point, in half cells.
fn to_walls(grid: &Grid, cap: f32, twice: (i32, i32)) -> f32 {
    let mut least = f64::from(cap);
    for wall in grid.rect().cells().filter(|&cell| !grid.is_free(cell)) {
        let away = |at: i32, wall: i32| f64::from(((at - 2 * wall).abs() - 1).max(0)) / 2.0;
        least = least.min(away(twice.0, wall.x).hypot(away(twice.1, wall.y)));
    }
    least as f32
}

fn from_grid(grid: &Grid, cap: f32) -> Clearance {
    let mut field = Clearance::open(grid.width(), grid.height(), cap).unwrap();
    for cell in grid.rect().cells() {
        let here = to_walls(grid, field.cap(), (2 * cell.x, 2 * cell.y));
        field.limit_center(cell, here);
        for step in [Step::PlusXPlusY, Step::MinusXPlusY] {
            // A diagonal step is nearest to a wall at an end or in its middle.
            let end = step.end(cell);
            let there = to_walls(grid, field.cap(), (2 * end.x, 2 * end.y));
            let middle = to_walls(grid, field.cap(), (cell.x + end.x, cell.y + end.y));
            if middle < here.min(there) {
                field.limit_step(cell, step, middle);
            }
        }
    }
    field
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(600)))]

    #[test]
    fn stored_distances_are_the_given_ones_rounded_down(
        (width, height) in (1..8_u32, 1..8_u32),
        cap in any_cap(),
        edits in prop::collection::vec(any_edit(), 1..80),
    ) {
        let mut field = Clearance::open(width, height, cap).unwrap();
        let mut twin = Twin::open(width, height, field.cap());
        for edit in edits {
            edit.apply(&mut field);
            twin.apply(edit);
            check(&field, &twin)?;
        }
    }

    #[test]
    fn the_order_of_limits_does_not_matter(
        (width, height) in (1..6_u32, 1..6_u32),
        cap in any_cap(),
        (edits, shuffled) in prop::collection::vec(any_limit(), 1..120)
            .prop_flat_map(|edits| (Just(edits.clone()), Just(edits).prop_shuffle())),
    ) {
        let mut fields = [edits, shuffled].map(|edits| {
            let mut field = Clearance::open(width, height, cap).unwrap();
            edits.iter().for_each(|edit| edit.apply(&mut field));
            field
        });
        prop_assert!(fields[0] == fields[1]);
        // A reset removes all edits.
        fields[0].reset(fields[1].rect());
        prop_assert!(fields[0] == Clearance::open(width, height, cap).unwrap());
    }

    #[test]
    fn replacing_the_obstacles_of_a_rectangle_equals_a_reset_and_single_edits(
        (width, height) in (1..12_u32, 1..12_u32),
        cap in any_cap(),
        before in prop::collection::vec(any_edit(), 0..80),
        edits in prop::collection::vec(any_limit(), 0..120),
        (low, size) in (any_cell(), (0..6_i32, 0..6_i32)),
    ) {
        let rect = CellRect::new(low, low.offset(size.0, size.1));
        let mut field = Clearance::open(width, height, cap).unwrap();
        before.iter().for_each(|edit| edit.apply(&mut field));
        let (old, mut expected) = (field.clone(), field.clone());
        expected.reset(rect);
        let own = edits.iter().filter(|edit| edit.is_within(rect));
        own.for_each(|edit| edit.apply(&mut expected));
        field.replace_obstacles(rect, |drawing| {
            for edit in &edits {
                match *edit {
                    Edit::Center(cell, distance) => {
                        drawing.limit_row(cell, [distance, f32::INFINITY].into_iter());
                    }
                    Edit::Step(cell, step, distance) => drawing.limit_step(cell, step, distance),
                    Edit::Reset(_) => {}
                }
            }
        });
        prop_assert!(field == expected);
        for cell in field.rect().cells() {
            let one = CellRect::new(cell, cell.offset(1, 1));
            let own = |field: &Clearance| {
                let neighbors = Step::ALL.map(|step| {
                    let (dx, dy) = step.offset();
                    cell.offset(-dx, -dy)
                });
                let into = Step::ALL.map(|step| {
                    let start = neighbors[step as usize];
                    let inside = field.rect().contains(start);
                    inside.then(|| field.narrow(start, step))
                });
                let out = Step::ALL.map(|step| field.narrow(cell, step));
                (field.center(cell), out, into)
            };
            prop_assert_eq!(field.differs_in(&old, one), own(&field) != own(&old));
        }
        prop_assert_eq!(field.differs_in(&old, field.rect()), field != old);
        let mut copy = old;
        copy.copy_from(&field, rect);
        prop_assert!(copy == field);
    }

    #[test]
    fn distances_from_a_grid_equal_a_search_through_all_walls(
        (width, height) in prop_oneof![(1..20_u32, 1..20_u32), (60..70_u32, 1..6_u32), (1..4_u32, 60..70_u32)],
        caps in prop::sample::select(vec![[1.0, 1.7], [4.0, 3.3], [7.98, 7.99], [8.0, 20.0], [60.0, 130.0]]),
        share in 1..60_u8,
        seed: u64,
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        let grid = Grid::from_fn(width, height, |_| random.u8(0..100) >= share).unwrap();
        for cap in caps {
            prop_assert!(Clearance::from_grid(&grid, cap) == from_grid(&grid, cap), "cap {}", cap);
        }
    }
}

#[test]
fn copying_from_a_field_of_another_size_or_cap_copies_the_whole_field() {
    let field = |width, cap| Clearance::open(width, 3, cap).unwrap();
    for other in [field(4, 4.0), field(3, 2.0)] {
        let mut copy = field(3, 4.0);
        copy.copy_from(&other, CellRect::EMPTY);
        assert_eq!(copy, other);
    }
}

#[test]
fn a_field_takes_eight_bytes_per_cell() {
    let field = Clearance::open(7, 5, 4.0).unwrap();
    let bytes =
        size_of_val(&*field.centers) + size_of_val(&*field.steps) + size_of_val(&*field.squares);
    assert_eq!(bytes, 8 * 7 * 5);
}
