//! Other crates on the same maps, each set up as well as its interface lets: their searches, and what they
//! prepare.

mod grid_pathfinding;
mod hierarchical;
mod navigator;
mod northstar;
mod pathfinding;

pub(crate) use self::grid_pathfinding::JumpPoints;
pub(crate) use self::hierarchical::Hierarchical;
pub(crate) use self::navigator::Navigator;
pub(crate) use self::northstar::Northstar;
pub(crate) use self::pathfinding::Pathfinding;

#[cfg(test)]
mod tests {
    use super::{Hierarchical, JumpPoints, Northstar, Pathfinding};
    use crate::finder::Finder;
    use pursuit::maps::parse_ascii;
    use pursuit::{Cell, Grid};

    /// The path over a map from its upper left to its upper right cell.
    fn path<F: Finder>(map: &str, prepare: impl FnOnce(&Grid) -> F) -> Option<Vec<(i32, i32)>> {
        let grid = parse_ascii(map).unwrap().grid;
        let mut finder = prepare(&grid);
        let goal = Cell::new(grid.width() as i32 - 1, 0);
        let found = finder.find(Cell::new(0, 0), goal);
        let cells = F::read(found).cells?;
        Some(cells.into_iter().map(|cell| (cell.x, cell.y)).collect())
    }

    const AROUND: &str = ".#.\n...";
    /// The only shortest way over [`AROUND`] that cuts no corner.
    const LEGAL: [(i32, i32); 5] = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)];

    #[test]
    fn those_that_can_play_by_our_rules() {
        assert_eq!(path(AROUND, Pathfinding::new), Some(LEGAL.to_vec()));
        assert_eq!(path(AROUND, Northstar::new), Some(LEGAL.to_vec()));
        assert_eq!(path(AROUND, Hierarchical::new), Some(LEGAL.to_vec()));
    }

    #[test]
    fn the_one_that_always_cuts_corners_is_shown_as_it_is() {
        let cut = path(AROUND, JumpPoints::new);
        assert_eq!(cut, Some(vec![(0, 0), (1, 1), (2, 0)]));
    }

    #[test]
    fn walls_and_the_edges_of_the_map_hold() {
        assert_eq!(path(".#.", Pathfinding::new), None);
        assert_eq!(path(".#.", JumpPoints::new), None);
        assert_eq!(path(".#.", Northstar::new), None);
        assert_eq!(path(".#.", Hierarchical::new), None);
    }

    #[test]
    fn paths_begin_at_the_start_and_end_at_the_goal() {
        let open = [".........."; 10].join("\n");
        let straight: Vec<_> = (0..10).map(|x| (x, 0)).collect();
        assert_eq!(path(&open, Pathfinding::new), Some(straight.clone()));
        assert_eq!(path(&open, JumpPoints::new), Some(straight));
        for found in [path(&open, Northstar::new), path(&open, Hierarchical::new)] {
            let found = found.unwrap();
            assert_eq!((found[0], found[found.len() - 1]), ((0, 0), (9, 0)));
        }
        assert_eq!(path(".", Hierarchical::new), Some(vec![(0, 0)]));
        assert_eq!(path(".", Northstar::new), Some(vec![(0, 0)]));
    }
}
