//! Who was caught, how often, and how long the player stayed free.

use bevy::prelude::*;
use bevy_pursuit::TargetReached;

use crate::hunters::Hunter;

/// The numbers of the current game, in seconds of play.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// Since the game began.
    pub(crate) elapsed: f32,
    /// Since the latest catch, or since the game began.
    pub(crate) free: f32,
    /// The longest time between two catches.
    pub(crate) best: f32,
    /// How often a hunter reached the player.
    pub(crate) catches: u32,
}

impl Score {
    fn pass(&mut self, seconds: f32) {
        self.elapsed += seconds;
        self.free += seconds;
        self.best = self.best.max(self.free);
    }

    fn catch(&mut self) {
        self.catches += 1;
        self.free = 0.0;
    }
}

/// Lets the clock run.
pub(crate) fn count_time(time: Res<Time>, mut score: ResMut<Score>) {
    score.pass(time.delta_secs());
}

/// Notes a catch, and the time of each hunter's first one.
pub(crate) fn count_catch(
    reached: On<TargetReached>,
    mut score: ResMut<Score>,
    mut hunters: Query<&mut Hunter>,
) {
    if let (Ok(mut hunter), Some(_)) = (hunters.get_mut(reached.entity), reached.target) {
        score.catch();
        let now = score.elapsed;
        hunter.first_catch.get_or_insert(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catch_ends_the_free_time_and_keeps_the_best() {
        let mut score = Score::default();
        score.pass(5.0);
        score.catch();
        score.pass(2.0);
        assert_eq!(
            score,
            Score {
                elapsed: 7.0,
                free: 2.0,
                best: 5.0,
                catches: 1
            }
        );
    }
}
