//! Questions that a game can ask about the world at any time, without an entity.

mod asker;
mod no_path;
mod seeker;

use bevy::ecs::entity::Entity;
use bevy::ecs::system::{Query, Res, SystemParam};
use bevy::math::{Vec2, Vec3};
use pursuit::steer::remaining_length;

pub use self::asker::Asker;
pub use self::no_path::NoPath;
use self::seeker::{Seeker, SeekerItem};
use crate::agent::{FailReason, FlowFollower, NavBody, WorldPoint};
use crate::flow::Flows;
use crate::grid::{BakedGrid, GridView, NavSnapshot, ObstacleLayers, choose_grid, why_none};
use crate::ground::AreaId;
use crate::obstacle::ObservedObstacles;
use crate::plan::PlanReason;
use crate::plan::ask::{self, AskLimit};
use crate::plan::ends::Trip;
use crate::plan::outlook::{NextPlan, Outlook};
use crate::plan::recheck::is_crossed_beyond;

/// Answers questions about the world as agents see it: how far it is, whether a path exists, what is in the
/// way.
///
/// A system parameter. It reads only data that this crate writes, so it can be used beside any query of a
/// game for transforms, agents or grids.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # #[derive(Component)] struct Player;
/// # #[derive(Component)] struct Guard;
/// fn wake_guards(
///     navigation: Navigation,
///     player: Single<&Transform, With<Player>>,
///     guards: Query<(&Transform, &NavAgent), With<Guard>>,
/// ) {
///     let to = player.translation.truncate();
///     for (guard, agent) in &guards {
///         let from = guard.translation.truncate();
///         if let Ok(distance) = navigation.distance(from, to, agent)
///             && distance < 300.0
///         {
///             info!("comes in {} seconds", distance / agent.speed);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(wake_guards);
/// ```
///
/// Answers come at once, from the latest bake. An agent with that body gets the same path from a
/// [`PathRequest`](crate::PathRequest), with the same smoothing and limits; where agents [share a
/// field](crate::PursuitSettings::share_fields), it may be another path of equal cost.
///
/// Positions, radii and distances are in **world units**. A position is a `Vec2` or a `Vec3`, and answers have
/// the same type. A `Vec2` is always a point in the world's XY plane, never in grid coordinates: with
/// [`NavFrame::XZ`](crate::NavFrame::XZ) use `Vec3`. A body is a radius, or an agent with its radius and class:
/// see [`Asker`]. A radius of `0.0` asks for a point.
///
/// Each question is asked of the grid that an agent would plan on. For an agent that names its grid, pass that
/// as well, for example `distance(from, to, (agent, on_grid.copied()))` with an `Option<&OnGrid>`: see
/// [`OnGrid`](crate::OnGrid).
///
/// Most questions take less than a microsecond. [`path`](Self::path) and [`distance`](Self::distance) run a
/// search, which takes some microseconds on short paths, and so does [`nearest_free`](Self::nearest_free) deep
/// in walls. The first question for a body on a grid computes where that body can walk, which takes about 10 ms
/// on 1024² cells. The results for the 16 latest bodies are kept and updated with later bakes; fewer are kept
/// on maps [from about 1,700² cells](pursuit::NavMap).
///
/// # Errors
///
/// A question that cannot be answered returns the reason:
///
/// | | |
/// |---|---|
/// | [`NoGrid`](FailReason::NoGrid) | there is no [`NavGrid`](crate::NavGrid) that could be baked, or the named entity has none |
/// | [`NotBaked`](FailReason::NotBaked) | the first bake of the grid is not done yet |
/// | [`OutsideGrid`](FailReason::OutsideGrid) | the point, or the first of two, is in no grid, or not finite |
/// | [`GoalOutside`](FailReason::GoalOutside) | the second point is not in the grid of the first, or not finite |
/// | [`BadRadius`](FailReason::BadRadius) | the radius is not a number `>= 0.0`, or more than the grid's [`max_clearance_cells`](crate::NavGrid::max_clearance_cells) |
/// | [`StartBlocked`](FailReason::StartBlocked) | a body at the first point is in an obstacle, with no free cell near |
///
/// If there is no path, the reason is [`GoalBlocked`](FailReason::GoalBlocked) or
/// [`Unreachable`](FailReason::Unreachable); if the search gave up, it is
/// [`LimitReached`](FailReason::LimitReached).
#[derive(SystemParam)]
pub struct Navigation<'w, 's> {
    grids: Query<'w, 's, (Entity, &'static BakedGrid)>,
    seekers: Query<'w, 's, Seeker>,
    limit: Option<Res<'w, AskLimit>>,
    obstacles: Option<Res<'w, ObservedObstacles>>,
    flows: Option<Res<'w, Flows>>,
}

impl Navigation<'_, '_> {
    /// The path of a body, pulled taut: `from`, the points where it turns, and its end.
    ///
    /// As for agents, the path may begin in or beside an obstacle and lead out of it. It ends at `to`, or
    /// beside it if the body does not fit there: at the nearest place in sight of `to`, or at the rim of the
    /// obstacle that `to` is in.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn path<P: WorldPoint>(
        &self,
        from: P,
        to: P,
        body: impl Into<Asker>,
    ) -> Result<Vec<P>, FailReason> {
        let asked = self.between(from, to, body)?;
        let frame = &asked.baked.frame;
        let waypoints = self.find_path(&asked)?;
        let points = waypoints.iter().map(|point| frame.to_world(*point));
        Ok(points.map(P::from_world).collect())
    }

    /// Distance on foot, in world units: the length of [`path`](Self::path), plus the straight line from its
    /// end to `to`.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn distance(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<f32, FailReason> {
        let asked = self.between(from, to, body)?;
        let waypoints = self.find_path(&asked)?;
        let end = waypoints.last().map_or(0.0, |end| end.distance(asked.to));
        Ok(remaining_length(&waypoints, 1, asked.from) + end)
    }

    /// Whether a path exists, without a search. Equal to whether [`path`](Self::path) returns one, unless a
    /// limit ends its search.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). If no path exists, the answer is `Ok(false)`, not an error.
    pub fn is_reachable(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, body)?;
        ask::is_reachable(asked.snapshot, &asked.trip())
    }

    /// Whether a body can go straight from one point to the other.
    ///
    /// `true` is a proof. `false` may be wrong for a gap that is less than a tenth of a cell wider than the
    /// body. The cost of the line does not matter.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). A body that does not fit where it is cannot go anywhere: that is `Ok(false)`,
    /// not an error.
    pub fn can_go_straight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, body)?.within_grid()?;
        let (from, to) = (asked.from, asked.to);
        Ok(asked.snapshot.can_go_straight(from, to, asked.body, 1.0))
    }

    /// Whether no obstacle blocks a line of sight or a shot that keeps `width` to each side, in world units;
    /// `0.0` asks whether one point sees the other. Whether anything can walk there does not matter.
    ///
    /// As certain as [`can_go_straight`](Self::can_go_straight).
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn line_of_sight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        width: impl Into<Asker>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, width)?.within_grid()?;
        let (from, to) = (asked.from, asked.to);
        Ok(asked.snapshot.sees(from, to, asked.body.radius))
    }

    /// The position nearest to `point` where a body can stand and walk: the point itself, or else the center of
    /// the nearest free cell, even behind a wall.
    ///
    /// Useful for spawn points and for clicks into walls.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). [`StartBlocked`](FailReason::StartBlocked) if there is no such position in the
    /// whole grid.
    pub fn nearest_free<P: WorldPoint>(
        &self,
        point: P,
        body: impl Into<Asker>,
    ) -> Result<P, FailReason> {
        let asked = self.at(point, body)?;
        let frame = &asked.baked.frame;
        let free = ask::nearest_free(asked.snapshot, asked.from, asked.body)?;
        let above = point.in_world() - frame.to_world(asked.from);
        Ok(P::from_world(frame.to_world(free) + above))
    }

    /// The kind of ground at `point`: the [`NavArea`](crate::NavArea) of the cell that contains it, or
    /// [`AreaId::PLAIN`] if no area covers the cell. Of `body` only the grid matters. A game can use this to
    /// slow down agents in mud.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn area_at(
        &self,
        point: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<AreaId, FailReason> {
        let asked = self.at(point, body)?;
        let area = asked.snapshot.area_at(asked.from);
        area.ok_or(FailReason::OutsideGrid)
    }

    /// The entities whose colliders and [`NavObstacle`](crate::NavObstacle)s keep a body from standing at
    /// `point`, the nearest first. Empty if the body fits. An obstacle that it merely touches does not count:
    /// see [`FIT_FRACTION`](crate::grid::FIT_FRACTION).
    ///
    /// The answer is as of the latest bake, so an entity may be despawned by now. A grid [that the game baked
    /// itself](crate::BakedGrid::from_snapshot) knows no entities, so its answer is empty.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn what_blocks(
        &self,
        point: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<Vec<Entity>, FailReason> {
        let Question {
            baked,
            snapshot,
            from,
            body,
            ..
        } = self.at(point, body)?;
        ask::cell_of_body(snapshot, from, body)?;
        let center = snapshot.layout().to_cell_space_f64(from.as_dvec2());
        let radius = snapshot.radius_cells(body.radius).into();
        let obstacles = baked.obstacles.as_ref();
        Ok(obstacles.map_or_else(Vec::new, |index| index.nearer_than(radius, center)))
    }

    /// Remaining distance of an entity with a path, in world units: along the path from its position at the
    /// start of the latest tick, plus the straight line from the end of the path to the present goal or target.
    ///
    /// For an agent that sees its target and goes [straight](crate::Locomotion::Straight), or would if others
    /// were not in its way, it is the straight line. So it is for an agent that has
    /// [arrived](crate::Locomotion::Arrived): its reach or less, not 0. For an agent that flees it is the way
    /// to its refuge, and for one that [surrounds](crate::Chase::surround) its target the way to its place. If
    /// a path is known without waypoints, it is the straight line.
    ///
    /// # Errors
    ///
    /// [`NoPath`], if no path leads to what the entity wants.
    pub fn distance_left(&self, agent: Entity) -> Result<f32, NoPath> {
        let seeker = self.seekers.get(agent).map_err(|_| NoPath::Idle)?;
        let grid = seeker.intent.errand.grid.and_then(|grid| self.baked(grid));
        seeker.distance_left(BakedGrid::frame_of(grid))
    }

    /// The remaining path of an entity, as points in the world: its position at the start of the latest tick,
    /// the waypoints ahead, and its present goal or target. The lines between them are as long as
    /// [`distance_left`](Self::distance_left).
    ///
    /// # Errors
    ///
    /// Those of [`distance_left`](Self::distance_left).
    pub fn path_of(&self, agent: Entity) -> Result<Vec<Vec3>, NoPath> {
        let seeker = self.seekers.get(agent).map_err(|_| NoPath::Idle)?;
        let grid = seeker.intent.errand.grid.and_then(|grid| self.baked(grid));
        if let Some(follower) = seeker.follower {
            return self
                .along_field(&seeker, follower, grid)
                .ok_or_else(|| NoPath::from(*seeker.status));
        }
        seeker.path_left(BakedGrid::frame_of(grid))
    }

    /// What an entity with a path wants, when it will search again and why, as of the latest tick. Explains
    /// what an agent is waiting for. `None` for an entity that is no agent and asks for no path.
    pub fn outlook(&self, agent: Entity) -> Option<Outlook> {
        let seeker = self.seekers.get(agent).ok()?;
        let by_id = |grid| self.baked(grid);
        let grid = seeker.intent.errand.grid.and_then(by_id);
        let snapshot = grid.and_then(BakedGrid::snapshot);
        let layers = snapshot.and_then(|snapshot| snapshot.layers_if_ready(seeker.path.body()));
        let why_none = why_none(self.grids.iter().map(|(_, baked)| baked));
        let mut case = seeker.case((grid, why_none), layers.as_deref());
        case.is_crossed_beyond =
            is_crossed_beyond(seeker.path, seeker.next(), seeker.place.0, by_id);
        let outlook = case.outlook();
        Some(
            match seeker
                .follower
                .and_then(|it| self.flows.as_ref()?.get(it.flow))
            {
                Some(flow) => Outlook {
                    goal: flow.goal().map(|goal| goal.extend(0.0)),
                    next_plan: NextPlan::When(PlanReason::GoalMoved),
                    ..outlook
                },
                None => outlook,
            },
        )
    }

    /// The layers of an entity's collider and [`NavObstacle`](crate::NavObstacle) when they were last observed;
    /// `None` if it has neither. Being on a layer does not make it an obstacle by itself: see
    /// [`NavGrid::obstacles`](crate::NavGrid::obstacles).
    pub fn obstacle_layers(&self, obstacle: Entity) -> Option<ObstacleLayers> {
        self.obstacles.as_ref()?.layers_of(obstacle)
    }

    fn baked(&self, grid: Entity) -> Option<&BakedGrid> {
        let known = self.grids.get(grid).ok();
        known.map(|(_, baked)| baked)
    }

    fn between(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<Question<'_>, FailReason> {
        self.ask(from.in_world(), Some(to.in_world()), body.into())
    }

    fn at(
        &self,
        point: impl WorldPoint,
        body: impl Into<Asker>,
    ) -> Result<Question<'_>, FailReason> {
        self.ask(point.in_world(), None, body.into())
    }

    fn ask(&self, from: Vec3, to: Option<Vec3>, asker: Asker) -> Result<Question<'_>, FailReason> {
        let views = self.grids.iter().map(GridView::new);
        let chosen = choose_grid(asker.grid, from, to, views);
        let chosen = chosen.ok_or_else(|| self.why_none(from))?;
        let baked = self.baked(chosen).ok_or(FailReason::NoGrid)?;
        let why = baked
            .error()
            .map_or(FailReason::NotBaked, |_| FailReason::NoGrid);
        Ok(Question {
            baked,
            snapshot: baked.snapshot().ok_or(why)?,
            from: baked.frame.to_grid(from),
            to: baked.frame.to_grid(to.unwrap_or(from)),
            body: asker.body,
        })
    }

    /// The path of an agent that follows a field, from cell to cell.
    fn along_field(
        &self,
        seeker: &SeekerItem,
        follower: &FlowFollower,
        grid: Option<&BakedGrid>,
    ) -> Option<Vec<Vec3>> {
        let (layout, place) = (grid?.snapshot()?.layout(), seeker.place.0);
        let field = self.flows.as_ref()?.get(follower.flow)?.field.as_ref()?;
        let path = field.path(layout.cell_at(place.truncate())?)?;
        let centers = path.cells().skip(1);
        let centers = centers.map(|cell| layout.center(cell).extend(0.0));
        Some(std::iter::once(place).chain(centers).collect())
    }

    fn why_none(&self, from: Vec3) -> FailReason {
        match why_none(self.grids.iter().map(|(_, baked)| baked)) {
            // No bake will ever contain a position that is not finite.
            FailReason::NotBaked if !from.is_finite() => FailReason::OutsideGrid,
            reason => reason,
        }
    }

    /// The path on the grid, pulled taut.
    fn find_path(&self, asked: &Question) -> Result<Vec<Vec2>, FailReason> {
        let most = self.limit.as_ref().and_then(|limit| limit.0);
        Ok(ask::find_path(asked.snapshot, &asked.trip(), most)?.waypoints)
    }
}

/// A question and the grid that it is asked of, with positions in grid coordinates.
struct Question<'a> {
    baked: &'a BakedGrid,
    snapshot: &'a NavSnapshot,
    from: Vec2,
    to: Vec2,
    body: NavBody,
}

impl Question<'_> {
    fn trip(&self) -> Trip {
        Trip::between(self.from, self.to, self.body)
    }

    /// Checks that both positions are in the grid and the body is valid.
    fn within_grid(self) -> Result<Self, FailReason> {
        ask::cell_of_body(self.snapshot, self.from, self.body)?;
        let end = self.snapshot.layout().cell_at(self.to);
        end.map(|_| self).ok_or(FailReason::GoalOutside)
    }
}
