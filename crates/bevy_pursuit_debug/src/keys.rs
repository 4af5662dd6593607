//! The keys that switch the overlay and its categories, and the run conditions of its systems.

use bevy::prelude::*;

use crate::category::OverlayCategory;
use crate::settings::PursuitDebugSettings;

/// The modifier keys. One of them must be held while the key of a category or of a replay is pressed.
const ALT_KEYS: [KeyCode; 2] = [KeyCode::AltLeft, KeyCode::AltRight];

/// Whether the keys of categories and replays have an effect now: the overlay is on, `alt_keys` is `true`, and Alt is
/// held.
pub(crate) fn holds_alt(settings: &PursuitDebugSettings, keys: &ButtonInput<KeyCode>) -> bool {
    settings.enabled && settings.alt_keys && keys.any_pressed(ALT_KEYS)
}

/// Switches the overlay on or off when its key is pressed. While the overlay is on and Alt is held, it also switches
/// the categories whose keys are pressed.
pub(crate) fn handle_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut settings: ResMut<PursuitDebugSettings>,
) {
    let Some(keys) = keys else { return };
    if settings.toggle.is_some_and(|key| keys.just_pressed(key)) {
        settings.enabled = !settings.enabled;
    }
    if holds_alt(&settings, &keys) {
        for category in OverlayCategory::ALL {
            if keys.just_pressed(category.info().key) {
                settings.show.toggle(category);
            }
        }
    }
}

/// Run condition: the overlay is on.
pub(crate) fn overlay_is_on(settings: Res<PursuitDebugSettings>) -> bool {
    settings.enabled
}

/// Run condition: the overlay is off, and it was on in the previous frame.
pub(crate) fn was_switched_off(
    settings: Res<PursuitDebugSettings>,
    mut was_on: Local<bool>,
) -> bool {
    let was = std::mem::replace(&mut *was_on, settings.enabled);
    was && !settings.enabled
}

/// Run condition: the overlay is on and shows at least one of these categories.
pub(crate) fn shows(
    categories: &'static [OverlayCategory],
) -> impl Fn(Res<PursuitDebugSettings>) -> bool + Clone {
    move |settings| settings.enabled && settings.show.has_any(categories)
}
