//! Checks paths without trusting the search that found them.

use pursuit::{Cell, DiagonalPolicy, Grid, STRAIGHT, oracle};

/// Greatest difference from the listed length that is accepted as rounding, in cells.
const TOLERANCE: f64 = 0.01;

/// The result of checking a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// The length of the path is not the listed length.
    pub(crate) wrong: bool,
    /// The path does not lead from the start to the goal over free neighboring cells, or cuts a corner.
    pub(crate) illegal: bool,
    /// How much longer a legal path is than the listed length, in percent of that length.
    pub(crate) excess: Option<f64>,
}

/// Checks the answer `cells` to a query from `start` to `goal` with the length `listed`.
///
/// Scenarios list an unreachable goal as a length of 0 between two different cells. For such a query, the right answer
/// is that there is no path. For any other query, this answer is wrong.
pub(crate) fn verify(
    grid: &Grid,
    (start, goal): (Cell, Cell),
    listed: f64,
    cells: Option<&[Cell]>,
) -> Verdict {
    let reachable = listed > 0.0 || start == goal;
    let Some(cells) = cells else {
        return Verdict {
            wrong: reachable,
            ..Verdict::default()
        };
    };
    let ends = (cells.first() == Some(&start)) && (cells.last() == Some(&goal));
    let cost = |policy| oracle::walk_cost(grid, cells, policy);
    let length = |cost: u64| cost as f64 / f64::from(STRAIGHT);
    // The length is also compared if the path cuts corners.
    let walked = cost(DiagonalPolicy::Always).map(length);
    let right = walked.is_some_and(|length| (length - listed).abs() <= TOLERANCE);
    let legal = cost(DiagonalPolicy::NoCornerCut)
        .filter(|_| ends)
        .map(length);
    Verdict {
        wrong: !(reachable && right),
        illegal: legal.is_none(),
        excess: legal.and_then(|length| excess(length, listed)),
    }
}

/// How much longer a path is than the shortest, in percent. A difference within rounding is 0. `None` if the shortest
/// length is 0.
fn excess(length: f64, shortest: f64) -> Option<f64> {
    let more = length - shortest;
    let more = if more.abs() <= TOLERANCE { 0.0 } else { more };
    (shortest > 0.0).then(|| more / shortest * 100.0)
}

#[cfg(test)]
mod tests {
    use super::{Verdict, verify};
    use pursuit::Cell;
    use pursuit::maps::parse_ascii;

    const FINE: Verdict = Verdict {
        wrong: false,
        illegal: false,
        excess: Some(0.0),
    };
    const NO_PATH: Verdict = Verdict {
        wrong: false,
        illegal: false,
        excess: None,
    };

    /// The verdict on a path from (0, 0) to (2, 0) over a map, with `length` as the listed length.
    fn judge(map: &str, length: f64, path: &[(i32, i32)]) -> Verdict {
        let grid = parse_ascii(map).unwrap().grid;
        let cells: Vec<_> = path.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        let goal = Cell::new(2, 0);
        verify(&grid, (Cell::new(0, 0), goal), length, Some(&cells))
    }

    #[test]
    fn a_legal_path_of_the_listed_length_is_right() {
        assert_eq!(judge("...", 2.0, &[(0, 0), (1, 0), (2, 0)]), FINE);
        assert_eq!(judge("...\n...", 2.83, &[(0, 0), (1, 1), (2, 0)]), FINE);
    }

    #[test]
    fn a_detour_has_an_excess_and_an_illegal_path_has_none() {
        let detour = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)];
        assert_eq!(judge("...\n...", 2.0, &detour).excess, Some(100.0));
        assert_eq!(judge(".#.", 4.0, &[(0, 0), (1, 0), (2, 0)]).excess, None);
        let longer = judge("...\n...", 2.0, &[(0, 0), (1, 1), (2, 0)]);
        assert!(longer.wrong && !longer.illegal, "{longer:?}");
        let rounded = judge("...\n...", 2.82, &[(0, 0), (1, 1), (2, 0)]);
        assert_eq!(rounded.excess, Some(0.0), "0.01 off is rounding");
    }

    #[test]
    fn walls_corners_and_jumps_are_illegal() {
        let through_wall = judge(".#.", 2.0, &[(0, 0), (1, 0), (2, 0)]);
        let past_corner = judge(".#.\n...", 2.83, &[(0, 0), (1, 1), (2, 0)]);
        let jump = judge("...", 2.0, &[(0, 0), (2, 0)]);
        let elsewhere = judge("...", 1.0, &[(0, 0), (1, 0)]);
        let nowhere = judge("...", 2.0, &[]);
        for verdict in [through_wall, past_corner, jump, elsewhere, nowhere] {
            assert!(verdict.illegal, "{verdict:?}");
        }
    }

    #[test]
    fn a_missing_path_is_right_only_if_no_path_is_listed() {
        let grid = parse_ascii(".#.").unwrap().grid;
        let ends = (Cell::new(0, 0), Cell::new(2, 0));
        assert!(verify(&grid, ends, 2.0, None).wrong);
        assert_eq!(verify(&grid, ends, 0.0, None), NO_PATH);
        assert!(judge("...", 0.0, &[(0, 0), (1, 0), (2, 0)]).wrong);
        // A query with the same start and goal has a path of one cell.
        let here = Cell::new(0, 0);
        assert_eq!(verify(&grid, (here, here), 0.0, Some(&[here])), NO_PATH);
        assert!(verify(&grid, (here, here), 0.0, None).wrong);
    }
}
