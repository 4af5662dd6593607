//! The benchmarks of Pursuit, with the peers of `pursuit_bench` and with peers that need Bevy:
//!
//! ```text
//! cargo run --release --manifest-path peers/Cargo.toml -- search --maps DIR --peers
//! cargo run --release --manifest-path peers/Cargo.toml -- bake --map FILE --peers
//! ```

mod navigator;
mod northstar;

use std::process::ExitCode;

use pursuit::Grid;
use pursuit_bench::{Clock, Peer, Prepared};

use navigator::Navigator;
use northstar::Northstar;

/// Radius of the bodies that walk on a navmesh, in cells. All bodies in the benchmark `bake` have this radius.
const RADIUS: f32 = 0.4;

const PEERS: &[Peer] = &[
    Peer {
        name: "bevy_northstar",
        search: Some(|side| side.run(Northstar::new)),
        prepare: Some(northstar),
        chase: None,
    },
    Peer {
        name: "vleue_navigator",
        search: None,
        prepare: Some(|level, clock| navigator(RADIUS, level, clock)),
        chase: None,
    },
    Peer {
        name: "vleue_navigator of points",
        search: None,
        prepare: Some(|level, clock| navigator(0.0, level, clock)),
        chase: None,
    },
];

fn main() -> ExitCode {
    pursuit_bench::main(PEERS)
}

fn northstar(level: &Grid, clock: &Clock) -> Prepared {
    let mut us = f64::INFINITY;
    for _ in 0..clock.rounds {
        let mut peer = Northstar::of_walls(level);
        us = us.min(clock.time(|| peer.build()).1);
    }
    // The peer gets each free cell separately, so no cell differs.
    Ok((us, 0))
}

fn navigator(radius: f32, level: &Grid, clock: &Clock) -> Prepared {
    let mut peer = Navigator::of_walls(level, radius);
    let mut us = f64::INFINITY;
    for _ in 0..clock.rounds {
        peer.replace_navmesh();
        let (built, took) = clock.time(|| peer.build());
        built.map_err(|error| error.to_string())?;
        us = us.min(took);
    }
    Ok((us, peer.differing(level)))
}
