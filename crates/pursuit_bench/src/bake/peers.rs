//! Measures how long peers take to prepare the same levels, one peer after the other.

use std::any::Any;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::layers::LayerUs;
use super::levels::Level;
use super::plan::BakePlan;
use crate::clock::Clock;
use crate::peers::{Peer, Prepared};

/// The results of all peers.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// The shortest time of all rounds for each peer and level, with the index of the level.
    pub(super) layers: Vec<(usize, LayerUs)>,
    /// A text for each peer that failed, took too long, was left out, or disagrees with the walls.
    pub(super) remarks: Vec<String>,
}

/// Lets every peer prepare the levels that are not too large, one peer after the other. If a peer takes too long, no
/// other peer runs after it, because the late peer still uses the processor.
pub(super) fn measure(peers: &[Peer], levels: &[Level], plan: &BakePlan, clock: &Clock) -> Results {
    let mut all = Results::default();
    let mut late = None;
    let limit = Duration::from_secs(plan.peers_within.into());
    for (name, prepare) in peers.iter().filter_map(|p| Some((p.name, p.prepare?))) {
        for (number, level) in levels.iter().enumerate() {
            if level.size() > plan.peers_up_to {
                continue;
            }
            let outcome = match late {
                Some(late) => Err(format!("left out, for {late} may still be at work")),
                None => {
                    let (grid, clock) = (Arc::clone(&level.grid), *clock);
                    within(limit, move || prepare(&grid, &clock)).unwrap_or_else(|| {
                        late = Some(name);
                        Err(format!("not done within {} s", limit.as_secs()))
                    })
                }
            };
            let remark = match &outcome {
                Ok((_, 0)) => None,
                Ok((_, cells)) => Some(format!("{cells} cells differ from the walls")),
                Err(why) => Some(why.clone()),
            };
            let remark = remark.map(|what| format!("{name}, {level}: {what}"));
            all.remarks.extend(remark);
            let layer = outcome.ok().map(|(us, _)| (number, (name, us)));
            all.layers.extend(layer);
        }
    }
    all
}

/// Runs `work` in a new thread and returns its result. `None` if `work` is not done within `limit`. The thread then
/// continues, because a thread cannot be stopped from outside.
fn within(limit: Duration, work: impl FnOnce() -> Prepared + Send + 'static) -> Option<Prepared> {
    let (sender, receiver) = mpsc::channel();
    // A result that comes too late has no receiver.
    let thread = thread::spawn(move || drop(sender.send(work())));
    match receiver.recv_timeout(limit) {
        Ok(done) => Some(done),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            let said = thread.join().err().map(|panic| panic_message(&*panic));
            Some(Err(format!("panicked: {}", said.unwrap_or_default())))
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_string())
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::measure;
    use crate::bake::levels::Level;
    use crate::bake::{BakePlan, tests};
    use crate::clock::Clock;
    use crate::peers::{Peer, Prepared};
    use crate::tests::fixture::Folder;
    use pursuit::Grid;
    use pursuit::maps::parse_ascii;

    type Prepare = fn(&Grid, &Clock) -> Prepared;

    #[test]
    fn failing_and_differing_peers_are_reported_and_no_peer_runs_beside_a_late_one() {
        let fails: Prepare = |_, _| Err("gave up".to_string());
        let panics: Prepare = |_, _| panic!("no triangle");
        let differs: Prepare = |_, _| Ok((1.0, 3));
        let sleeps: Prepare = |_, _| {
            thread::sleep(Duration::from_secs(60));
            Err("too late to be heard".to_string())
        };
        let named = [
            ("a", fails),
            ("b", panics),
            ("c", differs),
            ("d", sleeps),
            ("e", fails),
        ];
        let peers = named.map(|(name, prepare)| Peer {
            name,
            search: None,
            prepare: Some(prepare),
            chase: None,
        });
        let level = |name: &str, map| Level::new(name, parse_ascii(map).unwrap().grid);
        let levels = [
            level("open", "....\n....\n....\n....\n"),
            level("large", ".....\n"),
        ];
        let plan = BakePlan {
            peers_up_to: 4,
            peers_within: 1,
            ..tests::plan(&Folder::new("bake-peers"))
        };
        let all = measure(&peers, &levels, &plan, &Clock::calibrated(1));
        assert_eq!(
            all.remarks,
            [
                "a, open of 4: gave up",
                "b, open of 4: panicked: no triangle",
                "c, open of 4: 3 cells differ from the walls",
                "d, open of 4: not done within 1 s",
                "e, open of 4: left out, for d may still be at work",
            ]
        );
        assert_eq!(all.layers, [(0, ("c", 1.0))]);
    }
}
