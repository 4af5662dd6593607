//! What the overlay shows from the start, and whom it looks at.

use bevy::prelude::*;
use bevy_pursuit::PathRecorder;
use bevy_pursuit_debug::{OverlayCategory, OverlayPick, PursuitDebugSettings};

use crate::hunters::Hunter;

/// What is told of one agent, and so needs one that is picked.
const OF_ONE: [OverlayCategory; 2] = [OverlayCategory::Fields, OverlayCategory::Searches];

/// The category of a name, in which hyphens stand for spaces.
pub(crate) fn category(name: &str) -> Result<OverlayCategory, String> {
    let hyphened = |category: OverlayCategory| category.name().replace(' ', "-");
    let mut all = OverlayCategory::ALL.into_iter();
    let found = all.find(|category| hyphened(*category) == name);
    found.ok_or_else(|| {
        let names = OverlayCategory::ALL.map(hyphened);
        format!("there are {}", names.join(", "))
    })
}

/// Picks a hunter at the start where what is shown is told of one, and records its searches.
pub(crate) fn pick_a_hunter(
    settings: Res<PursuitDebugSettings>,
    hunters: Query<Entity, With<Hunter>>,
    mut pick: ResMut<OverlayPick>,
    mut commands: Commands,
    mut has_picked: Local<bool>,
) {
    if *has_picked || !settings.enabled || !settings.show.has_any(&OF_ONE) {
        return;
    }
    let Some(hunter) = hunters.iter().min() else {
        return;
    };
    *has_picked = true;
    pick.agent = Some(hunter);
    if settings.show.has(OverlayCategory::Searches) {
        commands.entity(hunter).insert(PathRecorder::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_has_a_name_to_ask_for_it() {
        for wanted in OverlayCategory::ALL {
            let name = wanted.name().replace(' ', "-");
            assert_eq!(category(&name), Ok(wanted));
        }
        let error = category("everything").expect_err("there is none");
        assert!(error.contains("jump-points"), "{error}");
    }
}
