//! Peers: other crates that search and prepare the same maps. Each peer is set up as well as its interface allows.

pub(crate) mod finder;
#[cfg(feature = "peers")]
mod grid_pathfinding;
#[cfg(feature = "peers")]
mod hierarchical;
pub(crate) mod hunt;
#[cfg(feature = "peers")]
mod pathfinding;

use bevy::app::App;
use pursuit::Grid;

use crate::clock::Clock;
use crate::mapset::Loaded;
use crate::search::tally::Tally;

pub use finder::{Finder, FinderAnswer};
pub use hunt::Hunt;

/// Another crate with which Pursuit is compared.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The name in the figures. On the command line, the name has `-` instead of `_`.
    pub name: &'static str,
    /// Answers the queries of a map by calling [`PeerRun::run`], for `search --peers`.
    pub search: Option<fn(&mut PeerRun<'_>)>,
    /// Prepares a level for its first query, for `bake --peers`.
    pub prepare: Option<fn(&Grid, &Clock) -> Prepared>,
    /// Adds the systems and components with which the agents chase, for `curve --peers`.
    pub chase: Option<fn(&mut App, &Hunt<'_>)>,
}

/// The result of preparing a level: the shortest time of all rounds, in microseconds, and the number of cells for which
/// the level and the peer disagree about whether the cell is free. `Err` has the reason why there is no result.
pub type Prepared = Result<(f64, usize), String>;

/// A run of a peer on one map.
#[derive(Debug)]
pub struct PeerRun<'m> {
    pub(crate) map: &'m Loaded,
    /// The peer answers every `every`th query.
    pub(crate) every: usize,
    pub(crate) clock: &'m Clock,
    pub(crate) tally: &'m mut Tally,
}

impl PeerRun<'_> {
    /// Prepares a search for the map, and answers the queries with it.
    pub fn run<F: Finder>(&mut self, prepare: impl FnOnce(&Grid) -> F) {
        let (mut finder, us) = self.clock.time(|| prepare(&self.map.grid));
        self.tally.add_preparation(us, None);
        (self.tally).run(self.map, &mut finder, self.every, Some(1), self.clock);
    }
}

/// This build has no peers.
#[cfg(not(feature = "peers"))]
pub(crate) const PEERS: &[Peer] = &[];

/// The peers in this build. Ratios are relative to the first one.
#[cfg(feature = "peers")]
pub(crate) const PEERS: &[Peer] = &[
    Peer {
        name: "pathfinding",
        search: Some(|side| side.run(pathfinding::Pathfinding::new)),
        prepare: None,
        chase: None,
    },
    Peer {
        name: "grid_pathfinding",
        search: Some(|side| side.run(grid_pathfinding::JumpPoints::new)),
        prepare: Some(|level, clock| prepared(level, clock, grid_pathfinding::JumpPoints::new)),
        chase: None,
    },
    Peer {
        name: "hierarchical_pathfinding",
        search: Some(|side| side.run(hierarchical::Hierarchical::new)),
        prepare: Some(|level, clock| prepared(level, clock, hierarchical::Hierarchical::new)),
        chase: None,
    },
];

#[cfg(feature = "peers")]
fn prepared<F>(level: &Grid, clock: &Clock, prepare: fn(&Grid) -> F) -> Prepared {
    // These crates take over the free cells unchanged, so no cell differs.
    Ok((clock.time_all(|| prepare(level)), 0))
}

#[cfg(feature = "peers")]
#[cfg(test)]
mod tests {
    use super::Finder;
    use super::grid_pathfinding::JumpPoints;
    use super::hierarchical::Hierarchical;
    use super::pathfinding::Pathfinding;
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

    #[test]
    fn only_the_peer_with_jump_points_cuts_a_wall_corner() {
        let around = ".#.\n...";
        let legal = Some(vec![(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]);
        assert_eq!(path(around, Pathfinding::new), legal);
        assert_eq!(path(around, Hierarchical::new), legal);
        let cut = path(around, JumpPoints::new);
        assert_eq!(cut, Some(vec![(0, 0), (1, 1), (2, 0)]));
    }

    #[test]
    fn peers_do_not_cross_walls_and_their_paths_lead_from_start_to_goal() {
        assert_eq!(path(".#.", Pathfinding::new), None);
        assert_eq!(path(".#.", JumpPoints::new), None);
        assert_eq!(path(".#.", Hierarchical::new), None);
        let open = [".........."; 10].join("\n");
        let straight: Vec<_> = (0..10).map(|x| (x, 0)).collect();
        assert_eq!(path(&open, Pathfinding::new), Some(straight.clone()));
        assert_eq!(path(&open, JumpPoints::new), Some(straight));
        let found = path(&open, Hierarchical::new).unwrap();
        assert_eq!((found[0], found[found.len() - 1]), ((0, 0), (9, 0)));
        assert_eq!(path(".", Hierarchical::new), Some(vec![(0, 0)]));
    }
}
