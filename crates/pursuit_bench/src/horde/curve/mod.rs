//! The same chase with hordes of several sizes, played by Pursuit and by peers.

mod game;
mod plan;
mod side;

use serde_json::{Value, json};

use crate::error::BenchError;
use crate::horde::world::Avoidance;
use crate::mapset;
use crate::peers::Peer;
use crate::report::{Report, joined};
use side::Side;

pub(crate) use plan::CurvePlan;

/// Plays all games: first the smallest game of each side, then the next size.
pub(crate) fn run(plan: &CurvePlan, peers: &[Peer]) -> Result<Report, BenchError> {
    let level = mapset::load_map(&plan.common.map)?;
    let mut sides = [Avoidance::None, Avoidance::Separation]
        .map(Side::Ours)
        .to_vec();
    if plan.peers {
        sides.extend(peers.iter().filter_map(Side::of));
    }
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let mut sizes = plan.agents.clone();
    sizes.sort_unstable();
    for agents in sizes {
        for side in std::mem::take(&mut sides) {
            let row = game::play(plan, &level, side, agents)?;
            eprintln!("{agents} agents of {}: {}", side.name(), row["tick_ms"]);
            if matches!(side, Side::Ours(_)) && row["wall_overlaps"] != 0 {
                faults.push(format!("agents of {} came too close to walls", side.name()));
            }
            if is_fast(plan, &row) {
                sides.push(side);
            }
            rows.push(row);
        }
    }
    let figures = joined(json!(plan), json!({ "curve": rows }));
    Ok(Report { figures, faults })
}

/// Whether the median tick after the first second was fast enough. `false` if there was no such tick.
fn is_fast(plan: &CurvePlan, row: &Value) -> bool {
    let p50 = row["tick_ms"]["p50"].as_f64();
    p50.is_some_and(|p50| p50 <= plan.most_ms)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{CurvePlan, run};
    use crate::game::Mode;
    use crate::peers::{Hunt, Peer};
    use crate::tests::fixture::{Folder, HOUSE, common};
    use bevy::prelude::*;

    pub(crate) fn plan(folder: &Folder) -> CurvePlan {
        CurvePlan {
            common: common(folder, HOUSE, 1),
            agents: vec![20, 5],
            seconds: 1.2,
            peers: true,
            within: 60.0,
            most_ms: 1000.0,
            mode: Mode::Inline,
        }
    }

    /// A peer whose agents all walk to the right.
    fn drift(app: &mut App, hunt: &Hunt<'_>) {
        let (step, target) = (hunt.speed / 60.0, hunt.target);
        app.add_systems(
            FixedUpdate,
            move |mut all: Query<(Entity, &mut Transform)>| {
                for (entity, mut transform) in &mut all {
                    transform.translation.x += if entity == target { 0.0 } else { step };
                }
            },
        );
    }

    #[test]
    fn every_side_plays_each_size_until_its_ticks_are_too_slow() {
        let folder = Folder::new("curve");
        let peer = |name, chase: fn(&mut App, &Hunt<'_>)| Peer {
            name,
            search: None,
            prepare: None,
            chase: Some(chase),
        };
        let slow = |app: &mut App, _: &Hunt<'_>| {
            app.add_systems(Update, || {
                std::thread::sleep(std::time::Duration::from_millis(40));
            });
        };
        let peers = [peer("drift", drift), peer("slow", slow)];
        let plan = CurvePlan {
            most_ms: 40.0,
            ..plan(&folder)
        };
        let report = run(&plan, &peers).unwrap();
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let rows = report.figures["curve"].as_array().unwrap();
        let played = |side: &str| {
            let own = rows.iter().filter(|row| row["side"] == side);
            own.map(|row| row["agents"].as_u64().unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(played("pursuit, separation"), [5, 20]);
        assert_eq!((played("drift"), played("slow")), (vec![5, 20], vec![5]));
        let moved = |side: &str| {
            let row = rows.iter().find(|row| row["side"] == side).unwrap();
            row["moved_mean"].as_f64()
        };
        assert_eq!((moved("drift"), moved("slow")), (Some(1.0), Some(0.0)));
        assert!(moved("pursuit, none") > Some(0.0), "{rows:?}");
    }
}
