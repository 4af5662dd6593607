//! What other crates prepare for the same levels, one crate after the other.

use std::sync::Arc;

use pursuit::Grid;

use super::layers::LayerUs;
use super::levels::Level;
use super::limit::{Unfinished, within};
use super::plan::BakePlan;
use crate::clock::Clock;
use sides::PEERS;

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The least times of all rounds, each with the number of its level.
    pub(super) layers: Vec<(usize, LayerUs)>,
    /// What failed, was not done in time or differs from the walls.
    pub(super) remarks: Vec<String>,
}

/// What a crate needed for one level, in microseconds, the least of all rounds; and how many cells are free by
/// the level's walls and not by what it made of them, or the other way round.
type Done = (f64, usize);
/// That, or why it is not there.
type Outcome = Result<Done, String>;
type Prepare = fn(&Grid, &BakePlan, &Clock) -> Outcome;
type Peer = (&'static str, Prepare);

/// Lets every crate of this build prepare the levels that are not too large.
pub(super) fn measure(levels: &[Level], plan: &BakePlan, clock: &Clock) -> Prepared {
    run(PEERS, levels, plan, clock)
}

/// One crate after the other. The first that is late is the last to run: others would share the processor
/// with it.
fn run(peers: &[Peer], levels: &[Level], plan: &BakePlan, clock: &Clock) -> Prepared {
    let is_small = |level: &Level| plan.peers_up_to.is_some_and(|most| level.size() <= most);
    let mut prepared = Prepared::default();
    let mut late = None;
    for &(peer, prepare) in peers {
        for (number, level) in levels
            .iter()
            .enumerate()
            .filter(|(_, level)| is_small(level))
        {
            let outcome = match late {
                Some(late) => Err(format!("left out, for {late} may still be at work")),
                None => in_time(prepare, level, plan, clock).unwrap_or_else(|why| {
                    late = matches!(why, Unfinished::Late(_)).then_some(peer);
                    Err(why.to_string())
                }),
            };
            let remark = match &outcome {
                Ok((_, 0)) => None,
                Ok((_, cells)) => Some(format!("{cells} cells are not those of the walls")),
                Err(why) => Some(why.clone()),
            };
            let remark = remark.map(|what| format!("{peer}, {level}: {what}"));
            prepared.remarks.extend(remark);
            let layer = outcome.ok().map(|(us, _)| (number, (peer, us)));
            prepared.layers.extend(layer);
        }
    }
    prepared
}

fn in_time(
    prepare: Prepare,
    level: &Level,
    plan: &BakePlan,
    clock: &Clock,
) -> Result<Outcome, Unfinished> {
    let (grid, its_plan, clock) = (Arc::clone(&level.grid), plan.clone(), *clock);
    within(plan.peers_within, move || prepare(&grid, &its_plan, &clock))
}

#[cfg(not(feature = "peers"))]
mod sides {
    use super::Peer;

    /// None: this build has no peers.
    pub(super) const PEERS: &[Peer] = &[];
}

#[cfg(feature = "peers")]
mod sides {
    use pursuit::Grid;

    use super::super::plan::{BakePlan, RADIUS};
    use super::{Outcome, Peer};
    use crate::clock::Clock;
    use crate::peers::{Navigator, Northstar};

    pub(super) const PEERS: &[Peer] = &[
        ("bevy_northstar", northstar),
        ("vleue_navigator", |level, plan, clock| {
            navigator(RADIUS, level, plan, clock)
        }),
        ("vleue_navigator of points", |level, plan, clock| {
            navigator(0.0, level, plan, clock)
        }),
    ];

    fn northstar(level: &Grid, _: &BakePlan, clock: &Clock) -> Outcome {
        let mut us = f64::INFINITY;
        for _ in 0..clock.rounds {
            let mut peer = Northstar::of_walls(level);
            us = us.min(clock.time(|| peer.build()).1);
        }
        // Which cells are free it was told, cell by cell.
        Ok((us, 0))
    }

    fn navigator(radius: f32, level: &Grid, plan: &BakePlan, clock: &Clock) -> Outcome {
        let mut peer = Navigator::of_walls(level, radius, &plan.pools);
        let mut us = f64::INFINITY;
        for _ in 0..clock.rounds {
            peer.renew();
            let (built, took) = clock.time(|| peer.build());
            built.map_err(|error| error.to_string())?;
            us = us.min(took);
        }
        Ok((us, peer.differing(level)))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::{PEERS, Peer, Prepare, Prepared, measure, run};
    use crate::bake::levels::Level;
    use crate::bake::plan::BakePlan;
    use crate::clock::Clock;
    use pursuit::maps::parse_ascii;

    fn levels() -> [Level; 3] {
        let level = |name: &str, map| Level::new(name, parse_ascii(map).unwrap().grid);
        [
            level("wall", "....\n.##.\n....\n....\n"),
            level("open", "....\n....\n....\n....\n"),
            level("large", ".....\n.....\n.....\n.....\n.....\n"),
        ]
    }

    fn plan(peers_within: Duration) -> BakePlan {
        BakePlan {
            peers_up_to: Some(4),
            peers_within,
            ..BakePlan::default()
        }
    }

    fn run_with(peers: &[Peer], limit: Duration) -> Prepared {
        run(peers, &levels(), &plan(limit), &Clock::calibrated(1))
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn every_peer_prepares_every_small_level() {
        let clock = Clock::calibrated(2);
        let prepared = measure(&levels(), &plan(LONG), &clock);
        assert_eq!(prepared.remarks, [""; 0]);
        let made = prepared.layers.iter().map(|&(level, (peer, us))| {
            assert!(us.is_finite() && us > 0.0, "{peer}: {us}");
            (level, peer)
        });
        let small = [0, 1];
        let all = PEERS
            .iter()
            .flat_map(|&(peer, _)| small.map(|level| (level, peer)));
        assert_eq!(made.collect::<Vec<_>>(), all.collect::<Vec<_>>());
        assert_eq!(PEERS.is_empty(), !cfg!(feature = "peers"));
    }

    #[test]
    fn a_failure_and_a_difference_have_their_lines() {
        let fails: Prepare = |_, _, _| Err("gave up".to_string());
        let panics: Prepare = |_, _, _| panic!("no triangle");
        let differs: Prepare = |_, _, _| Ok((1.0, 3));
        let prepared = run_with(&[("a", fails), ("b", panics), ("c", differs)], LONG);
        assert_eq!(
            prepared.remarks,
            [
                "a, wall of 4: gave up",
                "a, open of 4: gave up",
                "b, wall of 4: panicked: no triangle",
                "b, open of 4: panicked: no triangle",
                "c, wall of 4: 3 cells are not those of the walls",
                "c, open of 4: 3 cells are not those of the walls",
            ]
        );
        assert_eq!(prepared.layers, [(0, ("c", 1.0)), (1, ("c", 1.0))]);
    }

    #[test]
    fn nothing_is_measured_beside_one_that_is_late() {
        let sleeps: Prepare = |_, _, _| {
            thread::sleep(LONG);
            Err("too late to be heard".to_string())
        };
        let fails: Prepare = |_, _, _| Err("was run".to_string());
        let limit = Duration::from_millis(10);
        let prepared = run_with(&[("a", sleeps), ("b", fails)], limit);
        assert_eq!(
            prepared.remarks,
            [
                "a, wall of 4: not done within 0.01 s",
                "a, open of 4: left out, for a may still be at work",
                "b, wall of 4: left out, for a may still be at work",
                "b, open of 4: left out, for a may still be at work",
            ]
        );
        assert!(prepared.layers.is_empty());
    }
}
