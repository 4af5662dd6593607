//! The keys.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::level::Level;
use crate::race::Race;
use crate::saved;
use crate::solve::reachable;
use crate::terrain::Cut;
use crate::words::Note;

/// Steps between two ends that are drawn by lot, at least.
const FAR: u64 = 12;
/// How often two ends are drawn before a pair that is nearer will do.
const TRIES: usize = 40;

/// How the body moves, between which ends, on which boards.
pub(crate) fn choose(
    keys: Res<ButtonInput<KeyCode>>,
    mut level: ResMut<Level>,
    mut race: ResMut<Race>,
) {
    if keys.just_pressed(KeyCode::Tab) {
        race.shown = race.shown.next();
    }
    if keys.just_pressed(KeyCode::KeyM) {
        let gait = race.gait.next();
        race.run_again(&level, gait);
    }
    if keys.just_pressed(KeyCode::KeyN) {
        let gait = race.gait;
        draw_ends(&mut level, &mut fastrand::Rng::new());
        race.run_again(&level, gait);
    }
}

/// Other ends, both of which can be walked to from where the start is now.
fn draw_ends(level: &mut Level, rng: &mut fastrand::Rng) {
    let places = reachable(level);
    for _ in 0..TRIES {
        let (Some(&start), Some(&goal)) = (rng.choice(&places), rng.choice(&places)) else {
            return;
        };
        (level.start, level.goal) = (start, goal);
        if start.manhattan(goal) >= FAR {
            return;
        }
    }
}

/// Where key S saves.
#[derive(Resource, Clone, Debug)]
pub(crate) struct SaveTo(pub(crate) PathBuf);

/// Saves what A* did; with Shift, what Dijkstra's algorithm did.
pub(crate) fn save(
    keys: Res<ButtonInput<KeyCode>>,
    level: Res<Level>,
    race: Res<Race>,
    to: Res<SaveTo>,
    mut note: ResMut<Note>,
) {
    if !keys.just_pressed(KeyCode::KeyS) {
        return;
    }
    let is_shifted = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    note.0 = match &race.boards {
        Ok(boards) => {
            let recording = boards[usize::from(is_shifted)].replay.recording();
            match saved::save(&to.0, recording, &level) {
                Ok(()) => format!("saved {}", to.0.display()),
                Err(reason) => reason,
            }
        }
        Err(error) => format!("nothing to save: {error}"),
    };
}

/// How many layers are shown.
pub(crate) fn cut(keys: Res<ButtonInput<KeyCode>>, level: Res<Level>, mut cut: ResMut<Cut>) {
    let layers = level.grid.size()[2] as i32;
    if keys.just_pressed(KeyCode::PageUp) && cut.0 < layers {
        cut.0 += 1;
    }
    if keys.just_pressed(KeyCode::PageDown) && cut.0 > 1 {
        cut.0 -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;
    use crate::race::Shown;
    use crate::solve::Gait;

    #[test]
    fn ends_that_are_drawn_have_a_way_between_them() {
        let mut level = hill().expect("a good size");
        let mut rng = fastrand::Rng::with_seed(3);
        let mut race = Race::new(&level, Gait::Walk, Shown::Both, 0.0);
        for _ in 0..20 {
            draw_ends(&mut level, &mut rng);
            assert!(level.start.manhattan(level.goal) >= FAR);
            race.run_again(&level, Gait::Walk);
            assert!(race.boards().iter().all(|board| board.is_complete));
        }
    }
}
