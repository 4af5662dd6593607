//! What planners find out.

use serde_json::Value;

use crate::error::BenchError;

/// Of terrain, doors, walks, places and start points.
pub(super) const SEED: u64 = 1;

/// Figures of one planner: a row for each set and way to measure it.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Value>,
    pub(super) faults: Vec<String>,
}

impl Rows {
    pub(super) fn add(&mut self, row: Value, fault: Option<String>) {
        self.rows.push(row);
        self.faults.extend(fault);
    }

    /// Those of all sets.
    pub(super) fn joined(
        all: impl Iterator<Item = Result<Self, BenchError>>,
    ) -> Result<Self, BenchError> {
        let mut joined = Self::default();
        for rows in all {
            let rows = rows?;
            joined.rows.extend(rows.rows);
            joined.faults.extend(rows.faults);
        }
        Ok(joined)
    }
}
