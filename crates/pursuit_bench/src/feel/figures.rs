//! The figures of a run, what they must hold, and the worst of several maps.

use serde::Serialize;

use super::moving::MovingFigures;

/// How good walks are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub(crate) trips: usize,
    /// Trips whose agent arrived at every tick rate, in time.
    pub(crate) arrived: usize,
    /// Time of a trip over that of the reference.
    pub(crate) ratio_p50: Option<f64>,
    pub(crate) ratio_p95: Option<f64>,
    /// The same of the lengths: that of the path as it was planned.
    pub(crate) path_ratio_p50: Option<f64>,
    pub(crate) path_ratio_p95: Option<f64>,
    /// Part of the trips that pass a piece of wall on another side than the reference, and the 95th
    /// percentile of the path ratio of all others.
    pub(crate) other_way_share: Option<f64>,
    pub(crate) same_way_path_ratio_p95: Option<f64>,
    /// Turns back and forth of an agent's heading, per minute; and of the reference's.
    pub(crate) reversals_per_minute: Option<f64>,
    pub(crate) reference_reversals_per_minute: Option<f64>,
    /// Part of the time under 90 % of the wanted speed while the way is free.
    pub(crate) slow_share: Option<f64>,
    /// Least distance of a center to a wall, in radii; no more than 1.
    pub(crate) wall_ratio_min: f32,
    /// Largest spread of a trip's times at 30, 60 and 144 ticks per second over their mean.
    pub(crate) hz_spread: Option<f64>,
    pub(crate) moving: MovingFigures,
}

const RATIO_P50: f64 = 1.02;
const RATIO_P95: f64 = 1.05;
/// What counts is how many more there are than the reference has, or behind the player, than its own
/// course: where those turn back and forth, that is no fault of who follows them.
const REVERSALS: f64 = 0.1;
const SLOW_SHARE: f64 = 0.02;
const WALL_RATIO: f32 = 0.98;
const HZ_SPREAD: f64 = 0.02;

/// Why a figure can be missing.
const NO_TRIP: &str = "no trip was walked";
const NEVER_FREE: &str = "nobody ever had a free way";

impl Figures {
    /// The bounds that do not hold. What could not be measured holds none.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.arrived < self.trips || self.trips == 0 {
            faults.push(format!("{} of {} trips arrived", self.arrived, self.trips));
        }
        let moving = &self.moving;
        let reversals = excess(
            self.reversals_per_minute,
            self.reference_reversals_per_minute,
        );
        let moving_reversals = excess(
            moving.reversals_per_minute,
            moving.player_reversals_per_minute,
        );
        let (own, others) = (
            "reversals_per_minute beyond the reference",
            "moving reversals_per_minute beyond the player",
        );
        let most = [
            ("ratio_p50", self.ratio_p50, RATIO_P50, NO_TRIP),
            ("ratio_p95", self.ratio_p95, RATIO_P95, NO_TRIP),
            (own, reversals, REVERSALS, NO_TRIP),
            ("slow_share", self.slow_share, SLOW_SHARE, NEVER_FREE),
            ("hz_spread", self.hz_spread, HZ_SPREAD, NO_TRIP),
            (others, moving_reversals, REVERSALS, "nobody chased"),
            (
                "moving slow_share",
                moving.slow_share,
                SLOW_SHARE,
                NEVER_FREE,
            ),
        ];
        for (name, value, most, why_missing) in most {
            match value {
                None => faults.push(format!("{name} is missing: {why_missing}")),
                // A figure that is no number holds nothing.
                Some(value) if value.is_nan() || value > most => {
                    faults.push(format!("{name} {value:.4} > {most}"));
                }
                Some(_) => {}
            }
        }
        let least = [
            ("wall_ratio_min", self.wall_ratio_min),
            ("moving wall_ratio_min", moving.wall_ratio_min),
        ];
        for (name, value) in least {
            if value.is_nan() || value < WALL_RATIO {
                faults.push(format!("{name} {value:.4} < {WALL_RATIO}"));
            }
        }
        faults
    }

    /// Of each figure the worse one; trips are added up.
    pub(crate) fn worse(&self, other: &Self) -> Self {
        let most = |of: fn(&Self) -> Option<f64>| most(of(self), of(other));
        let (a, b) = (&self.moving, &other.moving);
        Figures {
            trips: self.trips + other.trips,
            arrived: self.arrived + other.arrived,
            ratio_p50: most(|f| f.ratio_p50),
            ratio_p95: most(|f| f.ratio_p95),
            path_ratio_p50: most(|f| f.path_ratio_p50),
            path_ratio_p95: most(|f| f.path_ratio_p95),
            other_way_share: most(|f| f.other_way_share),
            same_way_path_ratio_p95: most(|f| f.same_way_path_ratio_p95),
            reversals_per_minute: most(|f| f.reversals_per_minute),
            reference_reversals_per_minute: most(|f| f.reference_reversals_per_minute),
            slow_share: most(|f| f.slow_share),
            wall_ratio_min: self.wall_ratio_min.min(other.wall_ratio_min),
            hz_spread: most(|f| f.hz_spread),
            moving: MovingFigures {
                reversals_per_minute: most(|f| f.moving.reversals_per_minute),
                player_reversals_per_minute: most(|f| f.moving.player_reversals_per_minute),
                slow_share: most(|f| f.moving.slow_share),
                wall_ratio_min: a.wall_ratio_min.min(b.wall_ratio_min),
            },
        }
    }
}

/// How much more the first one is; `None` without either.
fn excess(own: Option<f64>, reference: Option<f64>) -> Option<f64> {
    Some(own? - reference?)
}

fn most(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a >= b { a } else { b }),
        _ => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, MovingFigures};

    fn good() -> Figures {
        Figures {
            trips: 3,
            arrived: 3,
            ratio_p50: Some(1.01),
            ratio_p95: Some(1.04),
            path_ratio_p50: Some(1.0),
            path_ratio_p95: Some(1.0),
            other_way_share: Some(0.0),
            same_way_path_ratio_p95: None,
            reversals_per_minute: Some(0.0),
            reference_reversals_per_minute: Some(0.0),
            slow_share: Some(0.0),
            wall_ratio_min: 0.99,
            hz_spread: Some(0.01),
            moving: MovingFigures {
                reversals_per_minute: Some(0.0),
                player_reversals_per_minute: Some(0.0),
                slow_share: Some(0.0),
                wall_ratio_min: 1.0,
            },
        }
    }

    #[test]
    fn every_bound_is_held() {
        assert_eq!(good().faults(), Vec::<String>::new());
        let bad = Figures {
            arrived: 2,
            ratio_p50: Some(1.03),
            ratio_p95: Some(1.06),
            reversals_per_minute: Some(0.2),
            slow_share: Some(f64::NAN),
            wall_ratio_min: 0.97,
            hz_spread: Some(0.03),
            moving: MovingFigures {
                reversals_per_minute: Some(0.2),
                slow_share: Some(0.03),
                wall_ratio_min: 0.5,
                ..good().moving
            },
            ..good()
        };
        assert_eq!(bad.faults().len(), 10, "{:?}", bad.faults());
    }

    #[test]
    fn a_missing_figure_is_a_fault() {
        let none = Figures {
            trips: 0,
            arrived: 0,
            ratio_p50: None,
            slow_share: None,
            ..good()
        };
        let faults = none.faults();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[1..].iter().all(|fault| fault.contains("missing")));
    }

    #[test]
    fn turns_that_the_reference_takes_are_no_fault_and_the_worse_counts() {
        let zigzag = |own, reference| Figures {
            reversals_per_minute: Some(own),
            reference_reversals_per_minute: reference,
            ..good()
        };
        assert!(zigzag(1.05, Some(1.0)).faults().is_empty());
        assert_eq!(zigzag(1.2, Some(1.0)).faults().len(), 1);
        assert_eq!(zigzag(0.0, None).faults().len(), 1);
        let slow = Figures {
            ratio_p50: Some(1.5),
            wall_ratio_min: 0.9,
            hz_spread: None,
            ..good()
        };
        let worse = good().worse(&slow);
        assert_eq!((worse.ratio_p50, worse.ratio_p95), (Some(1.5), Some(1.04)));
        assert_eq!((worse.wall_ratio_min, worse.hz_spread), (0.9, Some(0.01)));
        assert_eq!((worse.trips, worse.arrived), (6, 6));
    }
}
