//! Draws agents: radius, path ahead, waypoint ahead, desired velocity.

use bevy::prelude::*;
use bevy_pursuit::{DesiredVelocity, Locomotion, NavAgent, NavPath, PathCursor, PathStatus};

use crate::cells::CellOverlay;
use crate::gizmos::PursuitGizmos;
use crate::settings::{OverlayColors, PursuitDebugSettings};

/// Most agents drawn in a frame.
pub const MAX_AGENTS: usize = 1000;
/// Most waypoints drawn of one path.
pub const MAX_WAYPOINTS: usize = 256;

/// Seconds of travel that a velocity arrow is long.
const ARROW_SECONDS: f32 = 0.33;
/// Pixels from the center to a corner of a waypoint's diamond.
const DIAMOND_PIXELS: f32 = 5.0;
/// Corners of an agent's circle.
const CIRCLE_CORNERS: u32 = 32;

/// What the overlay reads of an agent.
type AgentView<'a> = (
    &'a GlobalTransform,
    &'a NavAgent,
    &'a NavPath,
    &'a PathCursor,
    &'a PathStatus,
    &'a Locomotion,
    &'a DesiredVelocity,
);

/// Draws the agents in view, and the paths that cross it.
pub(crate) fn draw_agents(
    overlay: Res<CellOverlay>,
    settings: Res<PursuitDebugSettings>,
    agents: Query<AgentView>,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view else { return };
    let colors = &settings.colors;
    let mut left = MAX_AGENTS;
    for (transform, agent, path, cursor, status, locomotion, velocity) in &agents {
        if left == 0 {
            break;
        }
        let position = transform.translation().truncate();
        let ahead = waypoints_ahead(path, cursor, *locomotion);
        let bounds = bounds(position, agent.radius, ahead);
        if bounds.intersect(view.area).is_empty() {
            continue;
        }
        left -= 1;
        if settings.paths && !ahead.is_empty() {
            let points = std::iter::once(position).chain(ahead.iter().copied());
            gizmos.linestrip_2d(points, colors.path);
        }
        if let Some(&next) = ahead.first().filter(|_| settings.waypoints) {
            let size =
                Vec2::splat(DIAMOND_PIXELS * std::f32::consts::SQRT_2 / view.pixels_per_unit);
            let turned = Isometry2d::new(next, Rot2::FRAC_PI_4);
            gizmos.rect_2d(turned, size, colors.path);
        }
        if settings.radii {
            let color = agent_color(*status, *locomotion, colors);
            gizmos
                .circle_2d(position, agent.radius, color)
                .resolution(CIRCLE_CORNERS);
        }
        let way = velocity.0 * ARROW_SECONDS;
        if settings.velocities && way.length() > 1.0 / view.pixels_per_unit {
            let tip = agent.radius * 0.4;
            gizmos
                .arrow_2d(position, position + way, colors.velocity)
                .with_tip_length(tip);
        }
    }
}

/// The waypoints that were not passed yet, [`MAX_WAYPOINTS`] at most; none while the agent has no
/// use for them.
fn waypoints_ahead<'a>(
    path: &'a NavPath,
    cursor: &PathCursor,
    locomotion: Locomotion,
) -> &'a [Vec2] {
    if matches!(locomotion, Locomotion::Straight | Locomotion::Arrived) {
        return &[];
    }
    let ahead = path.waypoints().get(cursor.next()..).unwrap_or_default();
    &ahead[..ahead.len().min(MAX_WAYPOINTS)]
}

/// A box around everything that is drawn of an agent, arrow aside.
fn bounds(position: Vec2, radius: f32, ahead: &[Vec2]) -> Rect {
    let body = Rect::from_center_half_size(position, Vec2::splat(radius));
    ahead
        .iter()
        .fold(body, |bounds, &waypoint| bounds.union_point(waypoint))
}

fn agent_color(status: PathStatus, locomotion: Locomotion, colors: &OverlayColors) -> Color {
    match (status, locomotion) {
        (PathStatus::Failed(_), _) | (_, Locomotion::Stuck) => colors.failed,
        (_, Locomotion::Straight | Locomotion::Arrived) => colors.straight,
        _ => colors.agent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_pursuit::FailReason;

    #[test]
    fn an_agent_counts_as_in_view_while_its_path_is() {
        let view = Rect::new(0.0, 0.0, 10.0, 10.0);
        let far = Vec2::new(-50.0, 5.0);
        assert!(bounds(far, 1.0, &[]).intersect(view).is_empty());
        assert!(
            !bounds(far, 1.0, &[Vec2::new(50.0, 5.0)])
                .intersect(view)
                .is_empty()
        );
    }

    #[test]
    fn trouble_outshines_everything_else() {
        let colors = OverlayColors::default();
        let failed = PathStatus::Failed(FailReason::Unreachable);
        assert_eq!(
            agent_color(failed, Locomotion::Straight, &colors),
            colors.failed
        );
        assert_eq!(
            agent_color(PathStatus::Found, Locomotion::Stuck, &colors),
            colors.failed
        );
        assert_eq!(
            agent_color(PathStatus::Found, Locomotion::Straight, &colors),
            colors.straight
        );
        assert_eq!(
            agent_color(PathStatus::Found, Locomotion::Moving, &colors),
            colors.agent
        );
    }
}
