//! Search tables, which answer queries for cheapest paths in microseconds on a map that does not change. Requires
//! the feature `tables`.
//!
//! # Algorithm
//!
//! Where no corner may be cut and all ground costs the same, cheapest paths turn only at the corners of walls. A
//! bake first finds these corners (`corners`). It joins corners that see each other (`graph`: the *simple subgoal
//! graph* of Uras, Koenig and Hernández, 2013). It contracts corners with few neighbors (`contract`: *contraction
//! hierarchies* of Geisberger, Sanders, Schultes and Delling, 2008). Then it labels every corner with its
//! distances to hubs (`labels`: *hub labels* of Abraham, Delling, Goldberg and Werneck, 2012).
//!
//! The corners that were not contracted are the core. They get their labels by pruned searches in an order taken
//! from sampled shortest-path trees (`cover`: Akiba, Iwata and Yoshida, 2013; Delling, Goldberg, Pajor and
//! Werneck, 2014). A contracted corner gets its label from the labels of its more important neighbors.
//!
//! # Queries
//!
//! 1. Cells of different [regions](crate::Regions) have no path.
//! 2. If one of the two octile-shortest paths with a single turn is free, this path is the result.
//! 3. Each end is linked to its jump points (Harabor and Grastien, 2011), the corners at which a path from that end can
//!    turn first. They are found on boards of jump points (`rays`).
//! 4. Seen from the goal, the path turns first at one of the goal's corners. If the start sees that corner, the
//!    path leads from the start over this corner to the goal. Otherwise it leads over one of the start's corners
//!    and one of the goal's corners, and labels give the distance between the two. The result is the cheapest of
//!    these paths.
//! 5. Labels also give the next corner on the path to a hub, so the path is read corner by corner.
//!
//! # Cost
//!
//! The boards take five bytes per cell, and each entry of a label takes 16 bytes. In total, tables take 5 to 23
//! bytes per cell on most maps of games and cities and 39 bytes on the worst of them. On maps of small rooms they
//! take up to 80 bytes per cell. A bake fails if its labels would have more than about eight entries per cell, as
//! on large maps of scattered single walls.

mod bake;
mod contract;
mod corners;
mod cover;
mod error;
mod graph;
mod installed;
mod labels;
#[cfg(test)]
#[path = "tests/naive.rs"]
mod naive;
mod query;
mod rays;

pub use bake::SearchTables;
pub use error::TablesError;
