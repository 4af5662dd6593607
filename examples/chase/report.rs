//! The table that a headless run prints.

use std::fmt;
use std::time::Duration;

use bevy_pursuit::FailReason;

/// What happened in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Report {
    /// Game time, in seconds.
    pub(crate) seconds: f32,
    /// Wall-clock time that the simulation took.
    pub(crate) took: Duration,
    /// How many hunters there were.
    pub(crate) agents: usize,
    /// Seconds until the first catch of each hunter that made one.
    pub(crate) first_catches: Vec<f32>,
    /// How often the player was reached in all.
    pub(crate) catches: u32,
    /// Paths found.
    pub(crate) paths: u64,
    /// Requests that failed, by reason.
    pub(crate) failures: Vec<(FailReason, u64)>,
    /// Hunters that reported to be stuck.
    pub(crate) stuck: usize,
    /// Time in the plugin, frame by frame.
    pub(crate) frames: Vec<Duration>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, value: String| writeln!(f, "{name:<34}{value}");
        let seconds =
            |value: Option<f32>| value.map_or("-".into(), |value| format!("{value:.1} s"));
        let milliseconds = |value: Option<Duration>| {
            value.map_or("-".into(), |value| {
                format!("{:.3} ms", value.as_secs_f64() * 1e3)
            })
        };
        row(
            "simulated",
            format!("{:.1} s in {:.1} s", self.seconds, self.took.as_secs_f32()),
        )?;
        row("agents", self.agents.to_string())?;
        row(
            "caught",
            format!("{} of {}", self.first_catches.len(), self.agents),
        )?;
        row(
            "time to catch, p50",
            seconds(percentile(&self.first_catches, 0.5)),
        )?;
        row(
            "time to catch, max",
            seconds(percentile(&self.first_catches, 1.0)),
        )?;
        row("catches in all", self.catches.to_string())?;
        row("stuck", self.stuck.to_string())?;
        row("paths", self.paths.to_string())?;
        row(
            "failures",
            self.failures
                .iter()
                .map(|(_, count)| count)
                .sum::<u64>()
                .to_string(),
        )?;
        for (reason, count) in &self.failures {
            row(&format!("  {reason}"), count.to_string())?;
        }
        row(
            "plugin per frame, p50",
            milliseconds(percentile(&self.frames, 0.5)),
        )?;
        row(
            "plugin per frame, p99",
            milliseconds(percentile(&self.frames, 0.99)),
        )?;
        row(
            "plugin per frame, max",
            milliseconds(percentile(&self.frames, 1.0)),
        )
    }
}

/// The smallest value that at least the given share of all values does not exceed.
fn percentile<T: Copy + PartialOrd>(values: &[T], share: f64) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values = [3.0, 1.0, 2.0, 10.0];
        assert_eq!(percentile(&values, 0.5), Some(2.0));
        assert_eq!(percentile(&values, 0.99), Some(10.0));
        assert_eq!(percentile(&values, 1.0), Some(10.0));
        assert_eq!(percentile::<f32>(&[], 0.5), None);
    }

    #[test]
    fn every_reason_stands_apart_from_its_number() {
        let failures = FailReason::ALL.map(|reason| (reason, 7)).to_vec();
        let text = Report {
            failures,
            ..Report::default()
        }
        .to_string();
        for reason in FailReason::ALL {
            let row = text.lines().find(|row| row.contains(&reason.to_string()));
            let row = row.unwrap_or_else(|| panic!("{reason} is missing in\n{text}"));
            assert!(row.ends_with(" 7"), "no gap in {row:?}");
        }
    }

    #[test]
    fn the_table_names_failures_and_misses() {
        let report = Report {
            seconds: 30.0,
            agents: 3,
            first_catches: vec![4.0, 2.5],
            catches: 5,
            paths: 40,
            failures: vec![(FailReason::Unreachable, 2)],
            frames: vec![Duration::from_micros(250)],
            ..Report::default()
        };
        let text = report.to_string();
        for row in [
            "caught                            2 of 3",
            "time to catch, p50                2.5 s",
            "time to catch, max                4.0 s",
            "  no way to the goal              2",
            "plugin per frame, p50             0.250 ms",
        ] {
            assert!(text.contains(row), "{row:?} is missing in\n{text}");
        }
    }
}
