//! Draws agents: their bodies, remaining paths, next waypoints and desired velocities.

use bevy::prelude::*;
use bevy_pursuit::inspect::PathCursor;
use bevy_pursuit::{DesiredVelocity, Locomotion, NavAgent, NavPath, Navigation, PathStatus};

use crate::category::{OverlayCategories, OverlayCategory};
use crate::detail::View;
use crate::gizmos::PursuitGizmos;
use crate::lines::{Circle, draw_arrow};
use crate::pick::OverlayPick;
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::view::OverlayView;

/// Maximum number of agents drawn in a frame. The agents nearest to the middle of the view are drawn.
pub const MAX_AGENTS: usize = 1000;
/// Maximum number of waypoints drawn for one path.
pub const MAX_WAYPOINTS: usize = 256;
/// Maximum number of waypoints drawn for all paths together.
pub const MAX_ALL_WAYPOINTS: usize = 16_384;

/// Time that a velocity arrow stands for, in seconds. The arrow is as long as the distance that the agent travels in
/// this time at its desired velocity.
const ARROW_SECONDS: f32 = 0.33;
/// Distance from the center of a waypoint's diamond to its corners, in pixels.
const DIAMOND_PIXELS: f32 = 5.0;
/// Distance between the picked agent's circle and the ring around it, in pixels.
const RING_PIXELS: f32 = 4.0;
/// The categories that draw something for an agent.
pub(crate) const AGENT_CATEGORIES: &[OverlayCategory] = &[
    OverlayCategory::Paths,
    OverlayCategory::Agents,
    OverlayCategory::Velocities,
];

/// Number of agents whose body or path is in view. At most [`MAX_AGENTS`] of them are drawn.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct AgentsInView(pub(crate) usize);

/// The components that the overlay reads of an agent.
type AgentView<'a> = (
    Entity,
    &'a GlobalTransform,
    &'a NavAgent,
    &'a NavPath,
    &'a PathCursor,
    &'a PathStatus,
    &'a Locomotion,
    &'a DesiredVelocity,
);

/// Draws the agents whose body or path is in view.
pub(crate) fn draw_agents(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    pick: Res<OverlayPick>,
    agents: Query<AgentView>,
    navigation: Navigation,
    circle: Local<Circle>,
    mut away: Local<Vec<f32>>,
    mut in_view: ResMut<AgentsInView>,
    gizmos: Gizmos<PursuitGizmos>,
) {
    in_view.0 = 0;
    let Some(view) = overlay.view else { return };
    away.clear();
    let bodies = agents.iter();
    away.extend(bodies.filter_map(|(_, transform, body, path, ..)| {
        distance_in_view(position_of(transform), radius_of(body), path, &view)
    }));
    in_view.0 = away.len();
    let farthest = farthest_drawn(&mut away);
    let mut painter = AgentPainter {
        view,
        show: settings.show,
        colors: &settings.colors,
        circle: &circle,
        navigation,
        gizmos,
        waypoints_left: MAX_ALL_WAYPOINTS,
    };
    let is_picked = |entity| pick.agent == Some(entity);
    let picked = pick.agent.and_then(|agent| agents.get(agent).ok());
    let others = agents.iter().filter(|(entity, ..)| !is_picked(*entity));
    // The picked agent comes first, so that it is drawn even if `MAX_AGENTS` others are closer to the middle of the
    // view.
    let drawn = picked.into_iter().chain(others).filter(|agent| {
        let (entity, transform, body, path, ..) = agent;
        let away = distance_in_view(position_of(transform), radius_of(body), path, &view);
        away.is_some_and(|away| away <= farthest || is_picked(*entity))
    });
    for agent in drawn.take(MAX_AGENTS) {
        let (entity, transform, body, ..) = agent;
        let (place, radius) = (position_of(transform), radius_of(body));
        painter.agent(agent, place, radius);
        if is_picked(entity) {
            let ring = radius + RING_PIXELS / view.pixels_per_unit;
            painter.body(place, ring, settings.colors.agent);
        }
    }
}

/// Squared distance of an agent from the middle of the view, in square world units. `None` if neither the agent's body
/// nor its path is in view.
fn distance_in_view(place: Vec2, radius: f32, path: &NavPath, view: &View) -> Option<f32> {
    let body = Rect::from_center_half_size(place, Vec2::splat(radius));
    let is_seen = |bounds: Rect| !bounds.intersect(view.area).is_empty();
    // The bounds include the part of the path that the agent has already walked.
    let is_seen = is_seen(if path.is_empty() {
        body
    } else {
        body.union(path.bounds())
    });
    is_seen.then(|| place.distance_squared(view.area.center()))
}

/// The largest of the [`MAX_AGENTS`] smallest distances in `away`, or infinity if `away` has at most that many.
/// Reorders `away`.
fn farthest_drawn(away: &mut [f32]) -> f32 {
    if away.len() <= MAX_AGENTS {
        return f32::INFINITY;
    }
    *away
        .select_nth_unstable_by(MAX_AGENTS - 1, f32::total_cmp)
        .1
}

/// Draws the path, the body and the velocity of each agent.
struct AgentPainter<'a, 'w, 's> {
    view: View,
    show: OverlayCategories,
    colors: &'a OverlayColors,
    circle: &'a Circle,
    navigation: Navigation<'w, 's>,
    gizmos: Gizmos<'w, 's, PursuitGizmos>,
    waypoints_left: usize,
}

impl AgentPainter<'_, '_, '_> {
    /// Draws the parts of an agent whose categories are on.
    fn agent(&mut self, agent: AgentView, place: Vec2, radius: f32) {
        let (entity, _, _, path, cursor, status, locomotion, velocity) = agent;
        if self.show.has(OverlayCategory::Paths) {
            self.path(place, &waypoints_ahead(path, cursor, *locomotion));
        }
        if self.show.has(OverlayCategory::Agents) {
            let is_yielding = self.navigation.is_yielding(entity);
            let color = agent_color(*status, *locomotion, is_yielding, self.colors);
            self.body(place, radius, color);
        }
        if self.show.has(OverlayCategory::Velocities) {
            self.velocity(place, radius, velocity.0.truncate());
        }
    }

    fn path(&mut self, place: Vec2, ahead: &[Vec2]) {
        let Some(&next) = ahead.first() else { return };
        let ahead = &ahead[..ahead.len().min(self.waypoints_left)];
        self.waypoints_left -= ahead.len();
        let color = LinearRgba::from(self.colors.path);
        let points = std::iter::once(place).chain(ahead.iter().copied());
        self.gizmos.linestrip_2d(points, color);
        let half = DIAMOND_PIXELS / self.view.pixels_per_unit;
        let corners = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y, Vec2::X];
        let corners = corners.map(|corner| next + half * corner);
        self.gizmos.linestrip_2d(corners, color);
    }

    fn body(&mut self, place: Vec2, radius: f32, color: Color) {
        let pixels = self.view.pixels_per_unit;
        self.circle
            .draw(&mut self.gizmos, place, radius, pixels, color.into());
    }

    fn velocity(&mut self, place: Vec2, radius: f32, velocity: Vec2) {
        let way = velocity * ARROW_SECONDS;
        if way.length() > 1.0 / self.view.pixels_per_unit {
            let color = self.colors.velocity.into();
            draw_arrow(&mut self.gizmos, place, place + way, radius * 0.4, color);
        }
    }
}

/// The radius of an agent's body, in world units. It is 0 if `body.radius` is negative or not finite, which the plugin
/// rejects.
fn radius_of(body: &NavAgent) -> f32 {
    match body.radius.is_finite() {
        true => body.radius.max(0.0),
        false => 0.0,
    }
}

fn position_of(transform: &GlobalTransform) -> Vec2 {
    transform.translation().truncate()
}

/// The waypoints that the agent has not passed yet, at most [`MAX_WAYPOINTS`]. Empty while the agent does not walk
/// along its path.
fn waypoints_ahead(path: &NavPath, cursor: &PathCursor, locomotion: Locomotion) -> Vec<Vec2> {
    use Locomotion::{Arrived, Settled, Straight};
    if matches!(locomotion, Straight | Arrived | Settled) {
        return Vec::new();
    }
    let ahead = path.waypoints().skip(cursor.next()).take(MAX_WAYPOINTS);
    ahead.map(Vec3::truncate).collect()
}

/// The color of an agent. Failures take precedence over everything else.
fn agent_color(
    status: PathStatus,
    locomotion: Locomotion,
    is_yielding: bool,
    colors: &OverlayColors,
) -> Color {
    match (status, locomotion) {
        (PathStatus::Failed(_) | PathStatus::TargetLost, _) | (_, Locomotion::Stuck) => {
            colors.failed
        }
        (_, Locomotion::Paused) => colors.paused,
        (_, Locomotion::Arrived | Locomotion::Settled) => colors.settled,
        _ if is_yielding => colors.yielding,
        (_, Locomotion::Queued) => colors.queued,
        (_, Locomotion::Straight) => colors.straight,
        (PathStatus::Partial(_), _) => colors.partial,
        (PathStatus::Queued | PathStatus::Searching, _) | (_, Locomotion::Waiting) => {
            colors.waiting
        }
        _ => colors.agent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_pursuit::FailReason;

    #[test]
    fn the_color_of_a_crowd_shows_who_stands_queues_and_yields() {
        let colors = OverlayColors::default();
        let color = |locomotion, is_yielding| {
            agent_color(PathStatus::Found, locomotion, is_yielding, &colors)
        };
        assert_eq!(color(Locomotion::Arrived, false), colors.settled);
        assert_eq!(color(Locomotion::Settled, false), colors.settled);
        assert_eq!(color(Locomotion::Queued, false), colors.queued);
        assert_eq!(color(Locomotion::Queued, true), colors.yielding);
        assert_eq!(color(Locomotion::Moving, true), colors.yielding);
        assert_eq!(color(Locomotion::Stuck, true), colors.failed);
    }

    #[test]
    fn failures_decide_the_color_before_anything_else() {
        let colors = OverlayColors::default();
        let color = |status, locomotion| agent_color(status, locomotion, false, &colors);
        let failed = PathStatus::Failed(FailReason::Unreachable);
        let partial = PathStatus::Partial(FailReason::Unreachable);
        let found = PathStatus::Found;
        assert_eq!(color(failed, Locomotion::Straight), colors.failed);
        assert_eq!(color(found, Locomotion::Stuck), colors.failed);
        assert_eq!(
            color(PathStatus::TargetLost, Locomotion::Idle),
            colors.failed
        );
        assert_eq!(color(found, Locomotion::Straight), colors.straight);
        assert_eq!(color(found, Locomotion::Moving), colors.agent);
        assert_eq!(color(partial, Locomotion::Moving), colors.partial);
        assert_eq!(color(partial, Locomotion::Paused), colors.paused);
        assert_eq!(color(PathStatus::Queued, Locomotion::Idle), colors.waiting);
    }
}
