//! What switches the overlay and its parts: keys, and run conditions.

use bevy::prelude::*;

use crate::category::OverlayCategory;
use crate::settings::PursuitDebugSettings;

/// Either of them is held with the keys of categories and replays.
const ALT: [KeyCode; 2] = [KeyCode::AltLeft, KeyCode::AltRight];

/// Whether the keys of categories and replays count.
pub(crate) fn holds_alt(settings: &PursuitDebugSettings, keys: &ButtonInput<KeyCode>) -> bool {
    settings.enabled && settings.alt_keys && keys.any_pressed(ALT)
}

/// Flips the overlay, and while it is on, the categories whose keys are pressed.
pub(crate) fn obey_keys(
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

/// Whether the overlay is switched on: the run condition of everything that draws.
pub(crate) fn overlay_is_on(settings: Res<PursuitDebugSettings>) -> bool {
    settings.enabled
}

/// Whether the overlay is off, and was on in the frame before.
pub(crate) fn was_switched_off(
    settings: Res<PursuitDebugSettings>,
    mut was_on: Local<bool>,
) -> bool {
    let was = std::mem::replace(&mut *was_on, settings.enabled);
    was && !settings.enabled
}

/// Whether one of some categories is to be drawn.
pub(crate) fn shows(
    categories: &'static [OverlayCategory],
) -> impl Fn(Res<PursuitDebugSettings>) -> bool + Clone {
    move |settings| settings.enabled && settings.show.has_any(categories)
}
