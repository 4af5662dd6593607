//! Whether an agent makes progress.

use bevy::math::Vec2;

/// Distance from the anchor that is progress, in body radii, unless [`PROGRESS_STEPS`] is longer. With a greater value,
/// slow agents count as stuck. With a smaller one, trembling agents never count as stuck.
const PROGRESS_RADII: f32 = 0.5;
/// Distance from the anchor that is progress, as a multiple of the distance that the agent wants to walk per tick,
/// because a body may tremble by one tick's walk to either side.
const PROGRESS_STEPS: f32 = 1.5;
/// Distance from the anchor that is progress in any case, in body radii. An agent that gave up shifts a little while it
/// keeps trying, so for this agent only this distance is progress. With a greater value, one report covers two jams.
/// With a smaller one, the same jam is reported again and again.
const ESCAPE_RADII: f32 = 2.0;
/// How far a body must have tried to walk without making progress before it counts as stuck, in body radii.
pub(crate) const MIN_WANTED_RADII: f32 = 2.0;
/// Number of times in a row that an agent is found stuck before it gives up. After the first time, the agent tries a
/// detour.
const MAX_TRIES: u32 = 2;
/// [`MAX_TRIES`] of an agent that is already led around a price.
const MAX_TRIES_AROUND_PRICE: u32 = 1;
/// [`MAX_TRIES`] of an agent among other agents, which may still make room. With a greater value, a closed door is
/// reported later. With a smaller one, an agent in a door gives up before the agents behind it let it go back.
const MAX_TRIES_AMONG_OTHERS: u32 = 4;
/// Time without progress after which an agent is found stuck, in seconds.
const PATIENCE_SECONDS: f32 = 1.0;
/// Time after which the first agent of a line of waiting agents that does not move gives up, in seconds. With a greater
/// value, a jam is reported later. With a smaller one, a slow queue counts as a jam.
const LINE_PATIENCE_SECONDS: f32 = 8.0;
/// How fast the time without progress runs down while an agent waits behind others, in seconds per second. At a higher
/// rate, agents that take turns pressing against a fixed object never count as stuck. At a lower rate, agents that
/// tremble in a queue count as stuck.
pub(crate) const FORGET_RATE: f32 = 0.25;
/// Longest time per tick for which a body is expected to move, in seconds. By default, Rapier simulates at most this
/// time per frame, so a body that moves little in a long frame is not necessarily stuck.
const MAX_PHYSICS_STEP_SECONDS: f32 = 1.0 / 60.0;
/// Longer ticks are treated as if they took this time, in seconds. With a greater value, bodies count as stuck in fast
/// motion, because the physics moves them for less time than the tick takes. With a smaller one, an agent that is stuck
/// at 20 ticks per second is reported later.
const MAX_TICK_SECONDS: f32 = 0.05;

/// Distance from the anchor that is progress, in world units. `step` is the distance that the agent wants to walk per
/// tick.
pub(crate) fn progress_distance(radius: f32, step: f32) -> f32 {
    let (least, most) = (PROGRESS_RADII * radius, ESCAPE_RADII * radius);
    least.max((PROGRESS_STEPS * step).min(most))
}

/// The state of an agent in one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgressSample {
    pub(crate) position: Vec2,
    pub(crate) radius: f32,
    /// Speed at which the agent wants to walk, or would walk if it did not wait, in world units per second.
    pub(crate) speed: f32,
    /// Length of the tick, in seconds.
    pub(crate) dt: f32,
    /// Whether the agent is near a disc whose price binds it.
    pub(crate) is_near_price: bool,
}

/// Compares an agent's position with its anchor, the position at which it last made progress.
///
/// Only the distance from the anchor matters. So a body that is knocked back or pushed aside makes progress, and a body
/// that trembles against a wall does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgressWatch {
    anchor: Vec2,
    /// Time without progress, in seconds. It falls while the agent waits behind others.
    elapsed: f32,
    /// Time for which the agent waited since it last made progress, in seconds.
    waited: f32,
    /// How far the agent would have walked since it last made progress or was found stuck, in world units.
    wanted: f32,
    /// Number of times in a row that the agent was found stuck.
    pub(crate) stuck: u32,
    /// Whether `stuck` was counted up in this tick.
    is_counted: bool,
    /// Whether the agent gave up since it last made progress, or gave up near a price and is still near one.
    pub(crate) has_given_up: bool,
}

impl Default for ProgressWatch {
    fn default() -> Self {
        Self {
            anchor: Vec2::NAN,
            elapsed: 0.0,
            waited: 0.0,
            wanted: 0.0,
            stuck: 0,
            is_counted: false,
            has_given_up: false,
        }
    }
}

impl ProgressWatch {
    /// Starts over, for an agent that does not want to walk or cannot be expected to.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether the body would have walked farther than [`PROGRESS_RADII`] since it last made progress or was found
    /// stuck.
    pub(crate) fn is_held_up(&self, radius: f32) -> bool {
        self.wanted > PROGRESS_RADII * radius
    }

    /// Whether the agent gives up in this tick. `is_last_way` says that the agent's path already leads around a price,
    /// and `is_among` that others are near.
    pub(crate) fn gives_up(&mut self, is_last_way: bool, is_among: bool) -> bool {
        let tries = match (is_among, is_last_way) {
            (true, _) => MAX_TRIES_AMONG_OTHERS,
            (false, true) => MAX_TRIES_AROUND_PRICE,
            (false, false) => MAX_TRIES,
        };
        // Only in a tick that counted up `stuck`. An older count may date from before others left, or from before the
        // detour began.
        let gives_up = self.is_counted && self.stuck >= tries && !self.has_given_up;
        self.has_given_up |= gives_up;
        gives_up
    }

    /// Notes a tick in which the agent wanted to move. Returns whether the agent is stuck.
    pub(crate) fn note_walking(&mut self, tick: ProgressSample) -> bool {
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

    /// Notes a tick in which the agent waited behind others. `leads_line` says that the agent is the first one of those
    /// that wait, so that it gives up for all of them. Returns whether the agent is stuck nevertheless.
    pub(crate) fn note_waiting(&mut self, tick: ProgressSample, leads_line: bool) -> bool {
        if self.starts_over(tick) {
            return false;
        }
        self.waited += tick.dt.min(MAX_TICK_SECONDS);
        self.is_counted = leads_line && self.waited >= LINE_PATIENCE_SECONDS && !self.has_given_up;
        if self.is_counted {
            self.stuck = self.stuck.max(MAX_TRIES_AMONG_OTHERS);
        }
        self.elapsed -= FORGET_RATE * tick.dt.min(MAX_TICK_SECONDS);
        // A stuck agent stays stuck for another four to eight seconds of waiting.
        let least = match self.stuck {
            0 => 0.0,
            _ => -PATIENCE_SECONDS,
        };
        if self.elapsed < least {
            (self.elapsed, self.wanted, self.stuck) = (0.0, 0.0, 0);
        }
        self.stuck > 0
    }

    /// Starts over if the body got away from its anchor, or has no anchor yet. Returns whether the watch started over.
    fn starts_over(&mut self, tick: ProgressSample) -> bool {
        let least = match self.has_given_up {
            true => ESCAPE_RADII * tick.radius,
            false => progress_distance(tick.radius, tick.speed * tick.dt.min(MAX_TICK_SECONDS)),
        };
        let has_moved = tick.position.distance(self.anchor) > least;
        let starts = has_moved || self.anchor.is_nan();
        if starts {
            *self = Self {
                anchor: tick.position,
                has_given_up: self.has_given_up && tick.is_near_price,
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

    fn at(position: Vec2) -> ProgressSample {
        ProgressSample {
            position,
            radius: 0.4,
            speed: 8.0,
            dt: DT,
            is_near_price: false,
        }
    }

    /// Whether a body that wants to walk at speed 8 is found stuck within two seconds.
    fn is_found_stuck(mut position: impl FnMut(f32) -> Vec2) -> bool {
        let mut watch = ProgressWatch::default();
        (0..120).any(|tick| watch.note_walking(at(position(tick as f32 * DT))))
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

    /// The physics moves a body for a sixtieth of a second per frame, however long the frame takes.
    #[test]
    fn a_slow_body_in_long_frames_is_not_stuck() {
        let mut watch = ProgressWatch::default();
        let speed = 0.45;
        for frame in 0..100 {
            let tick = ProgressSample {
                speed,
                dt: 0.1,
                ..at(Vec2::X * speed * DT * frame as f32)
            };
            assert!(!watch.note_walking(tick), "in frame {frame}");
        }
    }

    #[test]
    fn an_agent_that_stays_stuck_gives_up_once() {
        for (is_on_detour, is_among, second) in [
            (false, false, 2),
            (true, false, 1),
            (false, true, 4),
            (true, true, 4),
        ] {
            let mut watch = ProgressWatch::default();
            let gives_up = |_: &u32| {
                watch.note_walking(at(Vec2::ZERO));
                watch.gives_up(is_on_detour, is_among)
            };
            let found: Vec<u32> = (0..360).filter(gives_up).map(|tick| tick / 60).collect();
            assert_eq!(found, [second]);
        }
    }

    #[test]
    fn an_agent_is_not_stuck_right_after_a_long_wait() {
        let mut watch = ProgressWatch::default();
        for _ in 0..3600 {
            watch.note_walking(ProgressSample {
                speed: 0.0,
                ..at(Vec2::ZERO)
            });
        }
        for _ in 0..300 {
            watch.note_waiting(at(Vec2::ZERO), false);
        }
        assert!((0..18).all(|_| !watch.note_walking(at(Vec2::ZERO))));
    }

    #[test]
    fn an_agent_stuck_in_a_crowd_does_not_give_up_when_the_others_leave() {
        let mut watch = ProgressWatch::default();
        for _ in 0..200 {
            watch.note_walking(at(Vec2::ZERO));
            assert!(!watch.gives_up(false, true));
        }
        assert!(watch.stuck > 1 && !watch.gives_up(false, false));
    }

    /// In each second, the agent is behind others for `behind` of 60 ticks.
    #[test]
    fn an_agent_that_waits_nearly_all_the_time_is_not_stuck() {
        for (behind, is_stuck) in [(0, true), (30, true), (40, true), (51, false), (60, false)] {
            let mut watch = ProgressWatch::default();
            let mut ticks = (0..600).map(|tick| {
                if tick % 60 < behind {
                    watch.note_waiting(at(Vec2::ZERO), false)
                } else {
                    watch.note_walking(at(Vec2::ZERO))
                }
            });
            assert_eq!(ticks.any(|stuck| stuck), is_stuck, "{behind} of 60");
        }
    }

    #[test]
    fn an_agent_that_gets_away_is_no_longer_stuck() {
        let mut watch = ProgressWatch::default();
        let stands = (0..90).map(|_| watch.note_walking(at(Vec2::ZERO)));
        assert!(stands.last().expect("ninety ticks"));
        assert!(!watch.note_walking(at(Vec2::X)));
        assert_eq!(watch.stuck, 0);
    }

    #[test]
    fn an_agent_that_gave_up_stays_stuck_until_it_gets_free() {
        let mut watch = ProgressWatch::default();
        let mut reported = 0;
        for tick in 0..1800 {
            let place = 0.6 * Vec2::X * f32::from(tick % 200 < 100);
            watch.note_walking(at(place));
            reported += u32::from(watch.gives_up(true, false));
        }
        assert_eq!((reported, watch.stuck > 0), (1, true));
        assert!(!watch.note_walking(at(2.0 * Vec2::X)));
    }

    #[test]
    fn a_trembling_agent_is_stuck_within_1_2_seconds_at_every_tick_rate() {
        for hz in [20.0, 30.0, 60.0, 144.0] {
            let mut watch = ProgressWatch::default();
            let stuck = (1..600).find(|tick| {
                let tick = ProgressSample {
                    dt: 1.0 / hz,
                    ..at(8.0 / hz * Vec2::X * (tick % 3) as f32 / 2.0)
                };
                watch.note_walking(tick)
            });
            let seconds = stuck.map(|tick| tick as f32 / hz);
            assert!(seconds.is_some_and(|it| it < 1.2), "{seconds:?} at {hz}");
        }
    }

    #[test]
    fn an_agent_that_gave_up_is_reported_again_only_away_from_prices() {
        for (is_near_price, reports) in [(true, 1), (false, 3)] {
            let mut watch = ProgressWatch::default();
            let mut reported = 0;
            for tick in 0..900 {
                let place = Vec2::X * (tick / 300) as f32;
                let tick = ProgressSample {
                    is_near_price,
                    ..at(place)
                };
                watch.note_walking(tick);
                reported += u32::from(watch.gives_up(true, false));
            }
            assert_eq!(reported, reports);
        }
    }
}
