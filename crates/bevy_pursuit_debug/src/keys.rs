//! The keys that switch the overlay and its categories.

use bevy::prelude::*;

use crate::category::OverlayCategory;
use crate::settings::PursuitDebugSettings;

/// Flips the overlay, and while it is on, the categories whose keys are pressed.
pub(crate) fn obey_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut settings: ResMut<PursuitDebugSettings>,
) {
    let Some(keys) = keys else { return };
    if settings.toggle.is_some_and(|key| keys.just_pressed(key)) {
        settings.enabled = !settings.enabled;
    }
    let chosen = settings.keys;
    if !settings.enabled || !chosen.modifier.is_held(&keys) {
        return;
    }
    for category in OverlayCategory::ALL {
        if chosen
            .key(category)
            .is_some_and(|key| keys.just_pressed(key))
        {
            settings.show.toggle(category);
        }
    }
}
