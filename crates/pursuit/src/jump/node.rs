//! Cells in the coordinates of the boards, and steps along an axis.

/// A cell in the coordinates of [`JumpPointBoards`](super::boards::JumpPointBoards).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// Along the longer side of the grid.
    pub(crate) u: u32,
    /// Along the shorter side.
    pub(crate) v: u32,
}

impl Node {
    /// The number of the rising or falling diagonal through this node.
    #[inline(always)]
    pub(crate) fn diagonal<const RISING: bool>(self, v_side: u32) -> u32 {
        if RISING {
            self.u + v_side - self.v
        } else {
            self.u + self.v + 1
        }
    }

    /// The node some steps away along an axis, up or down. It must lie inside of the grid.
    #[inline(always)]
    pub(crate) fn moved<const AXIS: usize, const UP: bool>(self, steps: u32) -> Self {
        let by = |value: u32| if UP { value + steps } else { value - steps };
        let Self { u, v } = self;
        if AXIS == 0 {
            Self { u: by(u), v }
        } else {
            Self { u, v: by(v) }
        }
    }

    /// The side of a straight walk from here on which `goal` lies: 0 for the next line, 1 for the previous line.
    /// `None` if the goal is not ahead, or is on the line of the walk.
    #[inline(always)]
    pub(crate) fn side_ahead<const AXIS: usize, const UP: bool>(self, goal: Self) -> Option<usize> {
        let ((from, to), (line, goal_line)) = if AXIS == 0 {
            ((self.u, goal.u), (self.v, goal.v))
        } else {
            ((self.v, goal.v), (self.u, goal.u))
        };
        let is_ahead = if UP { to > from } else { to < from };
        (is_ahead && line != goal_line).then_some(usize::from(goal_line < line))
    }
}

#[cfg(test)]
mod tests {
    use crate::cell::Cell;
    use crate::jump::naive::{Direction, Naive, node};

    fn check<const AXIS: usize, const UP: bool>(ahead: Direction) {
        let from = Cell::new(10, 20);
        let moved = node(from).moved::<AXIS, UP>(3);
        assert_eq!(moved, node(from.offset(3 * ahead.0, 3 * ahead.1)));
        let sides = Naive::<fn(Cell) -> bool>::sides(ahead);
        for (x, y) in (5..15).flat_map(|x| (15..25).map(move |y| (x, y))) {
            let (dx, dy) = (x - from.x, y - from.y);
            let is_toward = |by: Direction| dx * by.0 + dy * by.1 > 0;
            let side = sides.iter().position(|&side| is_toward(side));
            let expected = side.filter(|_| is_toward(ahead));
            let found = node(from).side_ahead::<AXIS, UP>(node(Cell::new(x, y)));
            assert_eq!(found, expected, "{x}, {y} ahead {ahead:?}");
        }
    }

    #[test]
    fn nodes_move_along_axes_and_tell_the_side_of_a_goal() {
        check::<0, true>((1, 0));
        check::<0, false>((-1, 0));
        check::<1, true>((0, 1));
        check::<1, false>((0, -1));
    }
}
