//! Cells in the coordinates of the boards, and steps along an axis.

/// A cell in the coordinates of [`Boards`](super::boards::Boards).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// Along the longer side of the grid.
    pub(crate) u: u32,
    /// Along the shorter side.
    pub(crate) v: u32,
}

impl Node {
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
