//! The keys.

use bevy::prelude::*;
use pursuit_examples::keys::PAUSE;

use crate::level::Level;
use crate::race::Race;
use crate::solve::reachable;
use crate::terrain::Cut;

/// Seconds after which a key that is held repeats, and how often per second.
const REPEAT_AFTER: f32 = 0.35;
const REPEATS: f32 = 24.0;
/// Steps between two ends that are drawn by lot, at least.
const FAR: u64 = 12;
/// How often two ends are drawn before a pair that is nearer will do.
const TRIES: usize = 40;

/// Play, step, pace.
pub(crate) fn play(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut held: Local<f32>,
    mut race: ResMut<Race>,
) {
    if keys.just_pressed(KeyCode::Space) || keys.any_just_pressed(PAUSE) {
        race.toggle();
    }
    if keys.just_pressed(KeyCode::Home) {
        race.seek(0.0);
    }
    if keys.just_pressed(KeyCode::End) {
        race.pause();
        race.seek(1.0);
    }
    if keys.just_pressed(KeyCode::ArrowUp) {
        race.change_pace(true);
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        race.change_pace(false);
    }
    if keys.just_pressed(KeyCode::KeyE) {
        race.change_unit();
    }
    let arrows = [KeyCode::ArrowLeft, KeyCode::ArrowRight];
    if keys.any_just_pressed(arrows) {
        *held = 0.0;
        race.step(keys.just_pressed(KeyCode::ArrowRight));
    } else if keys.any_pressed(arrows) {
        let repeats = |held: f32| ((held - REPEAT_AFTER).max(0.0) * REPEATS) as u32;
        let before = repeats(*held);
        *held += time.delta_secs();
        for _ in before..repeats(*held) {
            race.step(keys.pressed(KeyCode::ArrowRight));
        }
    }
}

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
