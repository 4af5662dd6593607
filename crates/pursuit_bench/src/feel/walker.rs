//! The walker of the reference: computes the time for a shortest path.

use bevy_pursuit::prelude::NavAgent;

use crate::game::agent::reach;

/// An ideal body with the speed and acceleration of an agent. It starts at rest, and brakes as late as possible to stop
/// where the agent would stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) speed: f64,
    pub(super) acceleration: f64,
    /// Distances from the goal at which the body has arrived (`reach`) and at which it comes to a stop (`rest`), in
    /// cells.
    reach: f64,
    rest: f64,
}

impl Walker {
    pub(super) fn of(agent: &NavAgent) -> Self {
        let reach = f64::from(reach(agent));
        // Like agents, the body stops closer to the goal than its reach: by a fifth of the reach, but by at most half a
        // radius.
        let inside = (0.2 * reach).min(0.5 * f64::from(agent.radius));
        Walker {
            speed: f64::from(agent.speed),
            acceleration: f64::from(agent.acceleration),
            reach,
            rest: reach - inside,
        }
    }

    /// Time from the start of a path of `length` cells until its end is in reach, in seconds.
    pub(super) fn time(&self, length: f64) -> f64 {
        if length <= self.reach {
            return 0.0;
        }
        let way = length - self.rest;
        let top = self.speed.min((way * self.acceleration).sqrt());
        let to_stand = way / top + top / self.acceleration;
        // The body arrives while it brakes, so the time of the last part, between `reach` and `rest`, is subtracted.
        to_stand - (2.0 * (self.reach - self.rest) / self.acceleration).sqrt()
    }

    /// Distance in which the body accelerates to its full speed, or brakes from full speed to a stop, in cells.
    pub(super) fn runway(&self) -> f64 {
        0.5 * self.speed * self.speed / self.acceleration
    }
}

#[cfg(test)]
mod tests {
    use super::Walker;
    use crate::game::agent::agent;

    #[test]
    fn the_time_of_a_walk_equals_a_simulation_in_small_steps() {
        let walker = Walker::of(&agent());
        assert_eq!(
            walker.time(0.9),
            0.0,
            "a walk that starts within reach takes no time"
        );
        for length in [1.3, 2.0, 4.0, 20.0, 100.0] {
            let dt = 1e-5;
            let (mut gone, mut speed, mut time) = (0.0, 0.0, 0.0);
            while length - gone > walker.reach {
                let left = length - walker.rest - gone;
                let braking = (2.0 * walker.acceleration * left).sqrt();
                speed = walker
                    .speed
                    .min(speed + walker.acceleration * dt)
                    .min(braking);
                gone += speed * dt;
                time += dt;
            }
            let found = walker.time(length);
            assert!(
                (found - time).abs() < 1e-3,
                "{length}: {found} is not {time}"
            );
        }
    }
}
