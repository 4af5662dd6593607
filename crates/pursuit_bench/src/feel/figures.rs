//! The bounds of the figures of a run, and the worst figures of several maps.

use serde_json::Value;

/// Each constant is the bound of the figure with the same name.
const MAX_RATIO_P50: f64 = 1.02;
const MAX_RATIO_P95: f64 = 1.05;
/// Bound of the turns back and forth per minute, after the turns of the reference are subtracted. In the chase, the
/// reference is the course of the player. An agent may turn back and forth where its reference does.
const MAX_EXCESS_REVERSALS: f64 = 0.1;
const MAX_SLOW_SHARE: f64 = 0.02;
const MIN_WALL_RATIO: f64 = 0.98;
const MAX_HZ_SPREAD: f64 = 0.02;

/// Reasons why a figure can be missing.
const NO_TRIP_WALKED: &str = "no trip was walked";
const NO_FREE_PATH: &str = "no agent ever had a free path";

/// A text for each bound that a figure violates. A missing figure violates its bound.
pub(super) fn faults(figures: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (arrived, trips) = (&figures["arrived"], &figures["trips"]);
    if arrived != trips || *trips == 0 {
        faults.push(format!("{arrived} of {trips} trips arrived"));
    }
    let figure = |path: &str| figures.pointer(path)?.as_f64();
    let excess = |of: &str, reference: &str| Some(figure(of)? - figure(reference)?);
    let slow = figure("/slow_share");
    let moving = figure("/moving/slow_share");
    let own = excess("/reversals_per_minute", "/reference_reversals_per_minute");
    let behind = excess(
        "/moving/reversals_per_minute",
        "/moving/player_reversals_per_minute",
    );
    let own_name = "reversals_per_minute beyond the reference";
    let behind_name = "moving reversals_per_minute beyond the player";
    let [p50, p95, hz] = ["/ratio_p50", "/ratio_p95", "/hz_spread"].map(figure);
    let bounds = [
        ("ratio_p50", p50, MAX_RATIO_P50, NO_TRIP_WALKED),
        ("ratio_p95", p95, MAX_RATIO_P95, NO_TRIP_WALKED),
        (own_name, own, MAX_EXCESS_REVERSALS, NO_TRIP_WALKED),
        ("slow_share", slow, MAX_SLOW_SHARE, NO_FREE_PATH),
        ("hz_spread", hz, MAX_HZ_SPREAD, NO_TRIP_WALKED),
        (behind_name, behind, MAX_EXCESS_REVERSALS, "nobody chased"),
        ("moving slow_share", moving, MAX_SLOW_SHARE, NO_FREE_PATH),
    ];
    for (name, value, max, why_missing) in bounds {
        match value {
            None => faults.push(format!("{name} is missing: {why_missing}")),
            Some(value) if value > max => faults.push(format!("{name} {value:.4} > {max}")),
            Some(_) => {}
        }
    }
    for of in [figures, &figures["moving"]] {
        let ratio = &of["wall_ratio_min"];
        // A missing ratio is also a fault, because `None` is less than any number.
        if ratio.as_f64() < Some(MIN_WALL_RATIO) {
            faults.push(format!("wall_ratio_min {ratio} < {MIN_WALL_RATIO}"));
        }
    }
    faults
}

/// Combines the figures of two maps: the worse value of each figure, and the sums of `trips` and `arrived`.
pub(super) fn worse(one: &Value, other: &Value) -> Value {
    let figures = one.as_object().into_iter().flatten();
    let worse = figures.map(|(key, a)| {
        let b = &other[key.as_str()];
        let is_more = a.as_f64() >= b.as_f64();
        let worse = match key.as_str() {
            "trips" | "arrived" => {
                let both = [a, b].map(|count| count.as_u64().unwrap_or_default());
                both.iter().sum::<u64>().into()
            }
            "moving" => worse(a, b),
            "wall_ratio_min" => if is_more { b } else { a }.clone(),
            _ => if is_more { a } else { b }.clone(),
        };
        (key.clone(), worse)
    });
    worse.collect()
}

#[cfg(test)]
mod tests {
    use super::{faults, worse};
    use crate::report::joined;
    use serde_json::{Value, json};

    fn good() -> Value {
        json!({
            "trips": 3,
            "arrived": 3,
            "ratio_p50": 1.01,
            "ratio_p95": 1.04,
            "reversals_per_minute": 0.0,
            "reference_reversals_per_minute": 0.0,
            "slow_share": 0.0,
            "wall_ratio_min": 0.99,
            "hz_spread": 0.01,
            "moving": {
                "reversals_per_minute": 0.0,
                "player_reversals_per_minute": 0.0,
                "slow_share": 0.0,
                "wall_ratio_min": 1.0,
            },
        })
    }

    #[test]
    fn each_exceeded_bound_and_each_missing_figure_is_a_fault() {
        assert_eq!(faults(&good()), [""; 0]);
        let moving = json!({
            "reversals_per_minute": 0.2,
            "player_reversals_per_minute": 0.0,
            "slow_share": 0.03,
            "wall_ratio_min": 0.5,
        });
        let bad = json!({
            "arrived": 2,
            "ratio_p50": 1.03,
            "ratio_p95": 1.06,
            "reversals_per_minute": 0.2,
            "slow_share": 0.03,
            "wall_ratio_min": 0.97,
            "hz_spread": 0.03,
            "moving": moving,
        });
        let bad = faults(&joined(good(), bad));
        assert_eq!(bad.len(), 10, "{bad:?}");
        let none = json!({ "trips": 0, "arrived": 0, "ratio_p50": null, "slow_share": f64::NAN });
        let none = faults(&joined(good(), none));
        assert_eq!(none.len(), 3, "{none:?}");
        assert!(none[1..].iter().all(|fault| fault.contains("missing")));
        let nowhere = joined(good(), json!({ "wall_ratio_min": f64::NAN }));
        assert_eq!(faults(&nowhere).len(), 1);
    }

    #[test]
    fn turns_are_measured_against_the_reference_and_the_worse_of_two_figures_counts() {
        for (own, reference, count) in [(1.05, Some(1.0), 0), (1.2, Some(1.0), 1), (0.0, None, 1)] {
            let turns = json!({
                "reversals_per_minute": own,
                "reference_reversals_per_minute": reference,
            });
            assert_eq!(faults(&joined(good(), turns)).len(), count);
        }
        let slow = json!({ "ratio_p50": 1.5, "wall_ratio_min": 0.9, "hz_spread": null });
        let worse = worse(&good(), &joined(good(), slow));
        let expected = [
            ("ratio_p50", 1.5),
            ("ratio_p95", 1.04),
            ("wall_ratio_min", 0.9),
            ("hz_spread", 0.01),
            ("trips", 6.0),
            ("arrived", 6.0),
        ];
        for (key, expected) in expected {
            assert_eq!(worse[key].as_f64(), Some(expected), "{key}");
        }
        assert_eq!(worse["moving"], good()["moving"]);
    }
}
