//! Cells in the coordinates of the boards.

/// A cell in the coordinates of [`Boards`](super::boards::Boards).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// Along the longer side of the grid.
    pub(crate) u: u32,
    /// Along the shorter side.
    pub(crate) v: u32,
}

impl Node {
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

    /// For a walk to which `goal` lies ahead and to a side: 0 if toward the next line, else 1.
    #[inline(always)]
    pub(crate) fn side_ahead<const AXIS: usize, const UP: bool>(self, goal: Self) -> Option<usize> {
        let ((from, to), (line, side)) = if AXIS == 0 {
            ((self.u, goal.u), (self.v, goal.v))
        } else {
            ((self.v, goal.v), (self.u, goal.u))
        };
        let is_ahead = if UP { to > from } else { to < from };
        (is_ahead && line != side).then_some(usize::from(side < line))
    }
}
