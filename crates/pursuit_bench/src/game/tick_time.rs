//! What a tick took.

use serde::Serialize;

use crate::samples::Samples;

/// Milliseconds of real time per tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TickTime {
    pub(crate) p50: Option<f64>,
    pub(crate) p99: Option<f64>,
    pub(crate) max: Option<f64>,
}

impl TickTime {
    /// Of one sample per tick, in milliseconds.
    pub(crate) fn of(ms: &Samples) -> Self {
        TickTime {
            p50: ms.percentile(0.5),
            p99: ms.percentile(0.99),
            max: ms.max(),
        }
    }
}
