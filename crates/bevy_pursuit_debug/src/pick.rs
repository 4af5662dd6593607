//! Picking an agent with a click.

use bevy::prelude::*;
use bevy_pursuit::NavAgent;

use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// A click picks an agent if the agent's center is at most this far from the pointer, in pixels, or at most the agent's
/// radius if that is larger.
const PICK_DISTANCE_PIXELS: f32 = 8.0;

/// The agent that the inspector describes.
///
/// While the overlay is on, a click on an agent picks it, and another click on that agent unpicks it. The overlay
/// writes this resource, and the game may write it as well. If the picked agent is despawned, no agent is picked.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct OverlayPick {
    /// The picked agent, or `None` if no agent is picked.
    ///
    /// Default: `None`.
    pub agent: Option<Entity>,
}

/// Picks or unpicks the agent under the pointer when the button is pressed. Unpicks an agent that no longer exists.
pub(crate) fn pick_agent(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    agents: Query<(Entity, &GlobalTransform, &NavAgent)>,
    mut pick: ResMut<OverlayPick>,
) {
    let mut next = *pick;
    next.agent = next.agent.filter(|agent| agents.contains(*agent));
    let is_pressed = |button| buttons.is_some_and(|buttons| buttons.just_pressed(button));
    if settings.pick.is_some_and(is_pressed)
        && let (Some(view), Some(pointer)) = (overlay.view, overlay.pointer)
    {
        let reach = PICK_DISTANCE_PIXELS / view.pixels_per_unit;
        let found = agents.iter().filter_map(|(entity, transform, agent)| {
            let away = transform.translation().truncate().distance(pointer);
            (away <= agent.radius.max(reach)).then_some((away, entity))
        });
        let nearest = found.min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((_, entity)) = nearest {
            next.agent = (next.agent != Some(entity)).then_some(entity);
        }
    }
    pick.set_if_neq(next);
}
