//! The figures of a run of searches.

use serde_json::{Value, json};
use statrs::statistics::Statistics;

/// The rows of all sets.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Value>,
    pub(super) unreachable: Vec<Value>,
    pub(super) moving: Vec<Value>,
}

/// The faults of Pursuit's own answers. Wrong answers of peers are figures, not faults.
pub(super) fn faults(rows: &Rows) -> Vec<String> {
    let all = [&rows.rows, &rows.unreachable, &rows.moving];
    let own = all.into_iter().flatten().filter(|row| row["peer"] != true);
    let counts = own.flat_map(|row| [&row["wrong"], &row["illegal"]]);
    let wrong: u64 = counts.filter_map(Value::as_u64).sum();
    let fault = (wrong > 0).then(|| format!("{wrong} paths or answers are wrong or illegal"));
    fault.into_iter().collect()
}

/// For each algorithm, the number of sets with a ratio to the ratio peer, and the geometric mean of these ratios. The
/// algorithms are in the order of their first rows.
pub(super) fn overall(rows: &[Value]) -> Vec<Value> {
    let mut all: Vec<(&Value, Vec<f64>)> = Vec::new();
    for row in rows {
        let ratio = row["times_peer"].as_f64();
        let Some(ratio) = ratio.filter(|&ratio| ratio > 0.0) else {
            continue;
        };
        match all.iter_mut().find(|(name, _)| *name == &row["algorithm"]) {
            Some((_, ratios)) => ratios.push(ratio),
            None => all.push((&row["algorithm"], vec![ratio])),
        }
    }
    let mean = |(algorithm, ratios): (&Value, Vec<f64>)| {
        let (sets, mean) = (ratios.len(), ratios.geometric_mean());
        json!({ "algorithm": algorithm, "sets": sets, "times_peer": mean })
    };
    all.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rows, faults, overall};
    use serde_json::json;

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let row = |algorithm: &str, times| json!({ "algorithm": algorithm, "times_peer": times });
        let rows = [
            row("auto", Some(2.0)),
            row("slow", Some(0.5)),
            row("auto", Some(8.0)),
            row("auto", None),
        ];
        let all = overall(&rows);
        let names: Vec<_> = all
            .iter()
            .map(|one| (&one["algorithm"], &one["sets"]))
            .collect();
        assert_eq!(
            names,
            [(&"auto".into(), &2.into()), (&"slow".into(), &1.into())]
        );
        for (one, expected) in all.iter().zip([4.0, 0.5]) {
            let mean = one["times_peer"].as_f64().unwrap();
            assert!((mean - expected).abs() < 1e-12, "{all:?}");
        }
    }

    #[test]
    fn wrong_answers_of_pursuit_fail_the_run_and_wrong_answers_of_peers_do_not() {
        let row = |peer, wrong| json!({ "peer": peer, "wrong": wrong, "illegal": wrong });
        let mut rows = Rows::default();
        rows.rows.extend([row(false, 0), row(true, 1)]);
        assert_eq!(faults(&rows), [""; 0]);
        rows.rows.push(row(false, 1));
        rows.moving.push(json!({ "wrong": 1 }));
        rows.unreachable.push(json!({ "wrong": 1 }));
        assert!(faults(&rows)[0].starts_with("4 paths"));
    }
}
