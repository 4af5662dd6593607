//! The benchmarks of Pursuit, with peers whose agents also chase a target:
//!
//! ```text
//! cargo run --release --manifest-path peers/horde/Cargo.toml -- curve --map FILE --peers
//! ```

mod ground;
mod landmass;
mod northstar;

use std::process::ExitCode;

use pursuit_bench::Peer;

const PEERS: &[Peer] = &[
    Peer {
        name: "bevy_landmass",
        search: None,
        prepare: None,
        chase: Some(landmass::chase),
    },
    Peer {
        name: "bevy_northstar",
        search: None,
        prepare: None,
        chase: Some(northstar::chase),
    },
];

fn main() -> ExitCode {
    pursuit_bench::main(PEERS)
}
