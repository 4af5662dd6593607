//! What other crates prepare for the same level.

#[cfg(not(feature = "peers"))]
mod sides {
    use pursuit::Grid;

    use super::super::layers::LayerUs;
    use crate::clock::Clock;

    /// Nothing: this build has no peers.
    pub(in crate::bake) fn measure(_level: &Grid, _clock: &Clock) -> Vec<LayerUs> {
        Vec::new()
    }
}

#[cfg(feature = "peers")]
mod sides {
    use pursuit::Grid;

    use super::super::layers::LayerUs;
    use crate::clock::Clock;
    use crate::peers::Northstar;

    /// Times of the peers, the least of all rounds.
    pub(in crate::bake) fn measure(level: &Grid, clock: &Clock) -> Vec<LayerUs> {
        let mut least = f64::INFINITY;
        for _ in 0..clock.rounds {
            let mut peer = Northstar::of_walls(level);
            least = least.min(clock.time(|| peer.build()).1);
        }
        vec![("bevy_northstar", least)]
    }
}

pub(super) use sides::measure;
