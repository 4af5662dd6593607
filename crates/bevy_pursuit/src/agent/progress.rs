//! Whether an agent makes progress.

use bevy::math::Vec2;

/// Distance that counts as progress, in body radii. The larger of this and [`PROGRESS_STEPS`] applies. More: slow
/// agents count as stuck. Less: trembling agents never do.
const PROGRESS_RADII: f32 = 0.5;
/// Distance that counts as progress, in steps of the agent, because a body may tremble by one step to either side.
const PROGRESS_STEPS: f32 = 1.5;
/// Distance that always counts as progress, in body radii. An agent that gave up needs all of it, because it
/// keeps trying and shifts a little. More: one report covers two places. Less: one place is reported again and
/// again.
const ESCAPE_RADII: f32 = 2.0;
/// Distance that a body must have wanted to go without making progress before it counts as stuck, in body
/// radii.
const MIN_WANTED_RADII: f32 = 2.0;
/// Number of times in a row that an agent is found stuck before it gives up: by then a detour did not help.
const MAX_TRIES: u8 = 2;
/// As [`MAX_TRIES`], for an agent that is already on a detour.
const MAX_TRIES_ON_DETOUR: u8 = 1;
/// As [`MAX_TRIES`], for an agent among others, which may still make room. More: a closed door is reported later.
/// Less: an agent in a door gives up before the agents behind let it back.
const MAX_TRIES_AMONG_OTHERS: u8 = 4;
/// Least time over which progress is judged, in seconds.
const PATIENCE_SECONDS: f32 = 1.0;
/// How fast an agent that waits behind others forgets time without progress, in seconds per second. More:
/// agents that take turns at pressing against a fixed thing are never stuck. Less: agents that tremble in a
/// queue are.
pub(crate) const FORGET_RATE: f32 = 0.25;
/// Longest time in a tick for which a body is expected to move, in seconds. By default Rapier steps no further
/// in a frame, so a body that is slow in long frames is not held by a wall.
const MAX_PHYSICS_STEP_SECONDS: f32 = 1.0 / 60.0;
/// Longest time that a tick counts for, in seconds. More: bodies that physics moves less than that count as
/// stuck in fast motion. Less: an agent that is stuck at 20 ticks per second is reported later.
const MAX_TICK_SECONDS: f32 = 0.05;

/// The state of an agent in one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tick {
    pub(crate) position: Vec2,
    pub(crate) radius: f32,
    /// Speed at which the agent wants to walk, or would, in world units per second.
    pub(crate) speed: f32,
    /// Length of the tick, in seconds.
    pub(crate) dt: f32,
    /// Whether the agent was stuck near here before.
    pub(crate) is_in_jam: bool,
}

/// Compares an agent's position with where it last made progress.
///
/// Only the distance from that place counts: a body that is knocked back or pushed aside moves, and one that
/// trembles against a wall does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    anchor: Vec2,
    elapsed: f32,
    /// Distance that the agent wanted to go since then, in world units.
    wanted: f32,
    /// Number of times in a row that the agent was found stuck.
    pub(crate) stuck: u8,
    /// Whether `stuck` was counted up in this tick.
    is_counted: bool,
    has_given_up: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            anchor: Vec2::NAN,
            elapsed: 0.0,
            wanted: 0.0,
            stuck: 0,
            is_counted: false,
            has_given_up: false,
        }
    }
}

impl Watch {
    /// Starts over: the agent does not want to walk, or cannot be expected to.
    pub(crate) fn rest(&mut self) {
        *self = Self::default();
    }

    /// Whether the body has wanted to go for a while without getting away.
    pub(crate) fn is_held_up(&self, radius: f32) -> bool {
        self.wanted > PROGRESS_RADII * radius
    }

    /// Whether the agent gives up in this tick. `is_last_way`: its path is already a detour. `is_among`: others
    /// are near.
    pub(crate) fn gives_up(&mut self, is_last_way: bool, is_among: bool) -> bool {
        let tries = match (is_among, is_last_way) {
            (true, _) => MAX_TRIES_AMONG_OTHERS,
            (false, true) => MAX_TRIES_ON_DETOUR,
            (false, false) => MAX_TRIES,
        };
        // Only in a tick that counted: an older count may date from before others left, or before there was a
        // detour.
        let gives_up = self.is_counted && self.stuck >= tries && !self.has_given_up;
        self.has_given_up |= gives_up;
        gives_up
    }

    /// Takes in a tick in which the agent wanted to move. Returns whether it is stuck.
    pub(crate) fn is_stuck(&mut self, tick: Tick) -> bool {
        if self.starts_over(tick) {
            return false;
        }
        self.elapsed = (self.elapsed + tick.dt.min(MAX_TICK_SECONDS)).min(PATIENCE_SECONDS);
        self.wanted += tick.speed * tick.dt.min(MAX_PHYSICS_STEP_SECONDS);
        self.is_counted =
            self.elapsed >= PATIENCE_SECONDS && self.wanted >= MIN_WANTED_RADII * tick.radius;
        if self.is_counted {
            self.stuck = self.stuck.saturating_add(1);
            self.elapsed = 0.0;
            self.wanted = 0.0;
        }
        self.stuck > 0
    }

    /// Takes in a tick in which the agent was behind others or gave way. Returns whether it is stuck
    /// nevertheless.
    pub(crate) fn waits(&mut self, tick: Tick) -> bool {
        if self.anchor.is_nan() || self.starts_over(tick) {
            return false;
        }
        self.is_counted = false;
        self.elapsed -= FORGET_RATE * tick.dt.min(MAX_TICK_SECONDS);
        // A stuck agent stays stuck for some seconds.
        let least = if self.stuck > 0 {
            -PATIENCE_SECONDS
        } else {
            0.0
        };
        if self.elapsed < least {
            self.rest();
        }
        self.stuck > 0
    }

    /// Starts over if the body got away from its anchor, or has none yet. Returns whether it did.
    fn starts_over(&mut self, tick: Tick) -> bool {
        let steps = PROGRESS_STEPS * tick.speed * tick.dt.min(MAX_TICK_SECONDS);
        let (least, most) = (PROGRESS_RADII * tick.radius, ESCAPE_RADII * tick.radius);
        let least = if self.has_given_up {
            most
        } else {
            least.max(steps.min(most))
        };
        let has_moved = tick.position.distance(self.anchor) > least;
        let starts = has_moved || self.anchor.is_nan();
        if starts {
            *self = Self {
                anchor: tick.position,
                has_given_up: self.has_given_up && tick.is_in_jam,
                ..Self::default()
            };
        }
        starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn at(position: Vec2) -> Tick {
        Tick {
            position,
            radius: 0.4,
            speed: 8.0,
            dt: DT,
            is_in_jam: false,
        }
    }

    /// Whether a body that wants to walk at speed 8 is found stuck within two seconds.
    fn is_found_stuck(mut position: impl FnMut(f32) -> Vec2) -> bool {
        let mut watch = Watch::default();
        (0..120).any(|tick| watch.is_stuck(at(position(tick as f32 * DT))))
    }

    #[test]
    fn a_body_that_stands_or_trembles_is_stuck() {
        assert!(is_found_stuck(|_| Vec2::ONE));
        assert!(is_found_stuck(|time| Vec2::X * 0.1 * (time * 40.0).sin()));
    }

    #[test]
    fn a_body_that_walks_turns_back_or_is_thrown_back_is_not_stuck() {
        assert!(!is_found_stuck(|time| Vec2::X * 8.0 * time));
        assert!(!is_found_stuck(|time| Vec2::X * 4.0 * (time - 1.0).abs()));
        assert!(!is_found_stuck(|time| Vec2::X * -2.0 * time));
    }

    #[test]
    fn an_agent_that_stays_stuck_gives_up_once() {
        for (is_on_detour, is_among, second) in [
            (false, false, 2),
            (true, false, 1),
            (false, true, 4),
            (true, true, 4),
        ] {
            let mut watch = Watch::default();
            let gives_up = |_: &u32| {
                watch.is_stuck(at(Vec2::ZERO));
                watch.gives_up(is_on_detour, is_among)
            };
            let found: Vec<u32> = (0..360).filter(gives_up).map(|tick| tick / 60).collect();
            assert_eq!(found, [second]);
        }
    }

    #[test]
    fn an_agent_is_not_stuck_right_after_a_long_wait() {
        let mut watch = Watch::default();
        for _ in 0..3600 {
            watch.is_stuck(Tick {
                speed: 0.0,
                ..at(Vec2::ZERO)
            });
        }
        for _ in 0..300 {
            watch.waits(at(Vec2::ZERO));
        }
        assert!((0..18).all(|_| !watch.is_stuck(at(Vec2::ZERO))));
    }

    #[test]
    fn an_agent_stuck_in_a_crowd_does_not_give_up_when_the_others_leave() {
        let mut watch = Watch::default();
        for _ in 0..200 {
            watch.is_stuck(at(Vec2::ZERO));
            assert!(!watch.gives_up(false, true));
        }
        assert!(watch.stuck > 1 && !watch.gives_up(false, false));
    }

    /// In each second, the agent is behind others for `behind` of 60 ticks.
    #[test]
    fn an_agent_that_waits_nearly_all_the_time_is_not_stuck() {
        for (behind, is_stuck) in [(0, true), (30, true), (40, true), (51, false), (60, false)] {
            let mut watch = Watch::default();
            let mut ticks = (0..600).map(|tick| {
                if tick % 60 < behind {
                    watch.waits(at(Vec2::ZERO))
                } else {
                    watch.is_stuck(at(Vec2::ZERO))
                }
            });
            assert_eq!(ticks.any(|stuck| stuck), is_stuck, "{behind} of 60");
        }
    }

    #[test]
    fn an_agent_that_gets_away_is_no_longer_stuck() {
        let mut watch = Watch::default();
        let stands = (0..90).map(|_| watch.is_stuck(at(Vec2::ZERO)));
        assert!(stands.last().expect("ninety ticks"));
        assert!(!watch.is_stuck(at(Vec2::X)));
        assert_eq!(watch.stuck, 0);
    }

    #[test]
    fn an_agent_that_gave_up_stays_stuck_until_it_gets_free() {
        let mut watch = Watch::default();
        let mut told = 0;
        for tick in 0..1800 {
            let place = 0.6 * Vec2::X * f32::from(tick % 200 < 100);
            watch.is_stuck(at(place));
            told += u32::from(watch.gives_up(true, false));
        }
        assert_eq!((told, watch.stuck > 0), (1, true));
        assert!(!watch.is_stuck(at(2.0 * Vec2::X)));
    }

    #[test]
    fn a_trembling_agent_is_stuck_within_1_2_seconds_at_every_tick_rate() {
        for hz in [20.0, 30.0, 60.0, 144.0] {
            let mut watch = Watch::default();
            let stuck = (1..600).find(|tick| {
                let tick = Tick {
                    dt: 1.0 / hz,
                    ..at(8.0 / hz * Vec2::X * (tick % 3) as f32 / 2.0)
                };
                watch.is_stuck(tick)
            });
            let seconds = stuck.map(|tick| tick as f32 / hz);
            assert!(seconds.is_some_and(|it| it < 1.2), "{seconds:?} at {hz}");
        }
    }

    #[test]
    fn an_agent_that_gave_up_is_reported_again_only_outside_the_jam() {
        for (is_in_jam, reports) in [(true, 1), (false, 3)] {
            let mut watch = Watch::default();
            let mut told = 0;
            for tick in 0..900 {
                let place = Vec2::X * (tick / 300) as f32;
                let tick = Tick {
                    is_in_jam,
                    ..at(place)
                };
                watch.is_stuck(tick);
                told += u32::from(watch.gives_up(true, false));
            }
            assert_eq!(told, reports);
        }
    }
}
