//! The peers' side of a run, which is empty in a build without them.

#[cfg(not(feature = "peers"))]
mod sides {
    use super::super::figures::SearchRow;
    use super::super::plan::PeersPlan;
    use crate::clock::Clock;
    use crate::mapset::Loaded;

    pub(in crate::search) struct Peers;

    impl Peers {
        pub(in crate::search) fn new(_plan: Option<&PeersPlan>) -> Self {
            Peers
        }

        pub(in crate::search) fn run(&mut self, _map: &Loaded, _clock: &Clock) {}

        pub(in crate::search) fn first_us(&self) -> Option<f64> {
            None
        }

        pub(in crate::search) fn rows(&self, _set: &str) -> Vec<SearchRow> {
            Vec::new()
        }
    }
}

#[cfg(feature = "peers")]
mod sides {
    use clap::ValueEnum;
    use pursuit::Grid;

    use super::super::figures::SearchRow;
    use super::super::plan::{Peer, PeersPlan};
    use super::super::tally::{Selection, Tally};
    use crate::clock::Clock;
    use crate::finder::Finder;
    use crate::mapset::Loaded;
    use crate::peers::{Hierarchical, JumpPoints, Northstar, Pathfinding};

    /// Figures of all peers on one set.
    pub(in crate::search) struct Peers {
        every: usize,
        tallies: Vec<(Peer, Tally)>,
    }

    impl Peers {
        pub(in crate::search) fn new(plan: Option<&PeersPlan>) -> Self {
            let peers = plan.map_or(&[][..], |plan| &plan.peers);
            Peers {
                every: plan.map_or(1, |plan| plan.every),
                tallies: peers.iter().map(|&peer| (peer, Tally::default())).collect(),
            }
        }

        pub(in crate::search) fn run(&mut self, map: &Loaded, clock: &Clock) {
            for (peer, tally) in &mut self.tallies {
                let mut side = Side {
                    map,
                    every: self.every,
                    clock,
                    tally,
                };
                match peer {
                    Peer::Pathfinding => side.run(Pathfinding::new),
                    Peer::GridPathfinding => side.run(JumpPoints::new),
                    Peer::BevyNorthstar => side.run(Northstar::new),
                    Peer::HierarchicalPathfinding => side.run(Hierarchical::new),
                }
            }
        }

        /// Mean of the peer that ratios are to.
        pub(in crate::search) fn first_us(&self) -> Option<f64> {
            let mut tallies = self.tallies.iter();
            let (_, first) = tallies.find(|(peer, _)| *peer == Peer::Pathfinding)?;
            first.shared_us()
        }

        pub(in crate::search) fn rows(&self, set: &str) -> Vec<SearchRow> {
            let first = self.first_us();
            let tallies = self.tallies.iter();
            let rows = tallies.map(|(peer, tally)| {
                let value = peer.to_possible_value();
                let name = value.map_or_else(String::new, |v| v.get_name().replace('-', "_"));
                tally.peer_row(set, &name, first)
            });
            rows.collect()
        }
    }

    /// A peer at one map.
    struct Side<'m> {
        map: &'m Loaded,
        every: usize,
        clock: &'m Clock,
        tally: &'m mut Tally,
    }

    impl Side<'_> {
        fn run<F: Finder>(&mut self, prepare: impl FnOnce(&Grid) -> F) {
            let (mut finder, us) = self.clock.time(|| prepare(&self.map.grid));
            self.tally.prepared(us, None);
            let selection = Selection {
                every: self.every,
                shared: Some(1),
            };
            self.tally.run(self.map, &mut finder, selection, self.clock);
        }
    }
}

pub(super) use sides::Peers;
