//! Draws agents: radius, path ahead, waypoint ahead, desired velocity, what they want.

use bevy::prelude::*;
use bevy_pursuit::{
    Chase, DesiredVelocity, Flee, Locomotion, NavAgent, NavPath, PathCursor, PathRequest,
    PathStatus,
};

use crate::category::OverlayCategory;
use crate::detail::View;
use crate::gizmos::PursuitGizmos;
use crate::lines::{Circle, arrow, cross};
use crate::pick::OverlayPick;
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::view::OverlayView;

/// Most agents drawn in a frame.
pub const MAX_AGENTS: usize = 1000;
/// Most waypoints drawn of one path.
pub const MAX_WAYPOINTS: usize = 256;
/// Most waypoints drawn of all paths.
pub const MAX_ALL_WAYPOINTS: usize = 16_384;

/// Seconds of travel that a velocity arrow is long.
const ARROW_SECONDS: f32 = 0.33;
/// Pixels from the center to a corner of a waypoint's diamond.
const DIAMOND_PIXELS: f32 = 5.0;
/// Pixels between an agent's circle and the ring that says it is picked.
const RING_PIXELS: f32 = 4.0;
/// Length of an arrow away from what is fled from, in radii.
const FLEE_RADII: f32 = 4.0;

/// What the overlay reads of an agent.
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

/// Draws the agents in view, and the paths that cross it.
pub(crate) fn draw_agents(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    pick: Res<OverlayPick>,
    agents: Query<AgentView>,
    wishes: Query<(Option<&PathRequest>, Option<&Chase>, Option<&Flee>), With<NavAgent>>,
    transforms: Query<&GlobalTransform>,
    circle: Local<Circle>,
    gizmos: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view else { return };
    let show = |category| settings.shows(category);
    let mut artist = Artist {
        view,
        colors: &settings.colors,
        circle: &circle,
        gizmos,
        waypoints_left: MAX_ALL_WAYPOINTS,
    };
    let shows = [
        OverlayCategory::Paths,
        OverlayCategory::Agents,
        OverlayCategory::Velocities,
        OverlayCategory::Intents,
    ]
    .map(show);
    let [paths, bodies, velocities, intents] = shows;
    let picked = pick.agent.and_then(|agent| agents.get(agent).ok());
    let others = agents
        .iter()
        .filter(|(entity, ..)| pick.agent != Some(*entity));
    let mut left = MAX_AGENTS;
    for (entity, transform, agent, path, cursor, status, locomotion, velocity) in
        picked.into_iter().chain(others)
    {
        if left == 0 {
            break;
        }
        let place = transform.translation().truncate();
        let body = Rect::from_center_half_size(place, Vec2::splat(agent.radius));
        if body
            .union(path_bounds(path))
            .intersect(view.area)
            .is_empty()
        {
            continue;
        }
        left -= 1;
        if paths {
            artist.path(place, waypoints_ahead(path, cursor, *locomotion));
        }
        if body.intersect(view.area).is_empty() {
            continue;
        }
        if bodies {
            artist.body(
                place,
                agent.radius,
                agent_color(*status, *locomotion, artist.colors),
            );
        }
        if pick.agent == Some(entity) {
            artist.ring(place, agent.radius);
        }
        if velocities {
            artist.velocity(place, agent.radius, velocity.0);
        }
        if intents && let Ok(wish) = wishes.get(entity) {
            let place_of = |entity| transforms.get(entity).ok().map(place_of);
            artist.intent(place, agent.radius, intent_of(wish, place_of));
        }
    }
}

/// Draws parts of agents.
struct Artist<'a, 'w, 's> {
    view: View,
    colors: &'a OverlayColors,
    circle: &'a Circle,
    gizmos: Gizmos<'w, 's, PursuitGizmos>,
    waypoints_left: usize,
}

impl Artist<'_, '_, '_> {
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

    fn ring(&mut self, place: Vec2, radius: f32) {
        let wider = radius + RING_PIXELS / self.view.pixels_per_unit;
        self.body(place, wider, self.colors.picked);
    }

    fn velocity(&mut self, place: Vec2, radius: f32, velocity: Vec2) {
        let way = velocity * ARROW_SECONDS;
        if way.length() > 1.0 / self.view.pixels_per_unit {
            let color = self.colors.velocity.into();
            arrow(&mut self.gizmos, place, place + way, radius * 0.4, color);
        }
    }

    fn intent(&mut self, place: Vec2, radius: f32, intent: Shown) {
        let gizmos = &mut self.gizmos;
        match intent {
            Shown::Nothing => {}
            Shown::Go(goal) => {
                let color = self.colors.go.into();
                gizmos.line_2d(place, goal, color);
                cross(gizmos, goal, radius * 0.5, color);
            }
            Shown::Follow(goal) => {
                gizmos.line_2d(place, goal, LinearRgba::from(self.colors.follow))
            }
            Shown::Flee(from) => {
                let away = (place - from).normalize_or(Vec2::X) * FLEE_RADII * radius;
                arrow(gizmos, place, place + away, radius, self.colors.flee.into());
            }
            Shown::Lost => cross(gizmos, place, radius, self.colors.failed.into()),
        }
    }
}

/// What an agent wants, with the place of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shown {
    Nothing,
    Go(Vec2),
    Follow(Vec2),
    Flee(Vec2),
    /// Whom it chases is gone.
    Lost,
}

/// Requests go before chases, and these before flights, as in navigation. What it flees from counts while
/// that is near.
fn intent_of(
    (request, chase, flee): (Option<&PathRequest>, Option<&Chase>, Option<&Flee>),
    place_of: impl Fn(Entity) -> Option<Vec2>,
) -> Shown {
    if let Some(request) = request {
        return match request.goal.is_finite() {
            true => Shown::Go(request.goal),
            false => Shown::Lost,
        };
    }
    if let Some(chase) = chase {
        return place_of(chase.target).map_or(Shown::Lost, Shown::Follow);
    }
    let threat = flee.and_then(|flee| place_of(flee.from));
    threat.map_or(Shown::Nothing, Shown::Flee)
}

fn place_of(transform: &GlobalTransform) -> Vec2 {
    transform.translation().truncate()
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

/// A box around the path, walked parts included.
fn path_bounds(path: &NavPath) -> Rect {
    if path.is_empty() {
        return Rect::EMPTY;
    }
    path.bounds()
}

/// Green goes straight or is there, yellow waits, red is in trouble.
pub(crate) fn agent_color(
    status: PathStatus,
    locomotion: Locomotion,
    colors: &OverlayColors,
) -> Color {
    match (status, locomotion) {
        (PathStatus::Failed(_) | PathStatus::TargetLost, _) | (_, Locomotion::Stuck) => {
            colors.failed
        }
        (_, Locomotion::Paused) => colors.paused,
        (_, Locomotion::Straight | Locomotion::Arrived) => colors.straight,
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
    fn trouble_outshines_everything_else() {
        let colors = OverlayColors::default();
        let color = |status, locomotion| agent_color(status, locomotion, &colors);
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

    #[test]
    fn a_request_goes_before_a_chase_and_a_chase_before_a_flight() {
        let (target, threat) = (Entity::from_bits(1), Entity::from_bits(2));
        let (request, chase) = (PathRequest::to(Vec2::X), Chase::new(target));
        let flee = Flee::new(threat, 10.0);
        let place = |entity| Some(if entity == target { Vec2::Y } else { Vec2::ONE });
        let all = (Some(&request), Some(&chase), Some(&flee));
        assert_eq!(intent_of(all, place), Shown::Go(Vec2::X));
        assert_eq!(
            intent_of((None, all.1, all.2), place),
            Shown::Follow(Vec2::Y)
        );
        assert_eq!(
            intent_of((None, None, all.2), place),
            Shown::Flee(Vec2::ONE)
        );
        assert_eq!(intent_of((None, None, None), place), Shown::Nothing);
        assert_eq!(intent_of((None, all.1, None), |_| None), Shown::Lost);
    }
}
