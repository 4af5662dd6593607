//! What a game asks the navigation, at any time and without an entity.

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

/// Answers questions about the world as agents see it: how far, whether at all, what is in the way.
///
/// A system parameter. It reads only what this crate writes, so it goes beside any query of a game: on
/// transforms, on agents, on grids.
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
/// Answers come at once, on the newest bake. An agent with that body gets the same from a
/// [`PathRequest`](crate::PathRequest): the same smoothing, the same limits, and the same way, or one that costs the
/// same where that agent's is [shared](crate::PursuitSettings::share_fields). Positions,
/// radii and distances are in **world units**; a position is a `Vec2` or a `Vec3`, and answers
/// have the same type. A `Vec2` is a point of X and Y, never of the grid: on
/// [`NavFrame::XZ`](crate::NavFrame::XZ) take `Vec3`. A body is a radius, or an agent for its radius and class: see
/// [`Asker`]. A radius of `0.0` asks for a point.
///
/// Each question is asked of the grid that an agent would plan on. An agent that names its grid is asked about with
/// that, as in `distance(from, to, (agent, on_grid.copied()))` for an `Option<&OnGrid>` of a query: see
/// [`OnGrid`](crate::OnGrid).
///
/// What it costs: most questions take less than a microsecond. [`path`](Self::path) and
/// [`distance`](Self::distance) search, some microseconds on short ways, as
/// [`nearest_free`](Self::nearest_free) does deep in walls. The first question for a
/// body on a grid works out what it can walk on, which takes about 10 ms on
/// 1024² cells; the 16 bodies asked for last are kept, fewer on maps
/// [of some 1,700² cells](pursuit::NavMap), and kept up with later bakes.
///
/// # Errors
///
/// A question that makes no sense gives the reason:
///
/// | | |
/// |---|---|
/// | [`NoGrid`](FailReason::NoGrid) | there is no [`NavGrid`](crate::NavGrid) that could be baked, or the one that is named is none |
/// | [`NotBaked`](FailReason::NotBaked) | its first bake is not done yet |
/// | [`OutsideGrid`](FailReason::OutsideGrid) | the point, or the first of two, is in no grid, or not finite |
/// | [`GoalOutside`](FailReason::GoalOutside) | the second point is not in the grid of the first, or not finite |
/// | [`BadRadius`](FailReason::BadRadius) | the radius is not a number `>= 0.0`, or more than the grid's [`max_clearance_cells`](crate::NavGrid::max_clearance_cells) |
/// | [`StartBlocked`](FailReason::StartBlocked) | a body at the first point is in an obstacle, with no free cell near |
///
/// A way that does not exist is [`GoalBlocked`](FailReason::GoalBlocked) or
/// [`Unreachable`](FailReason::Unreachable), and one that a search gives up is
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
    /// The way for a body, pulled taut: `from`, the points where it turns, and `to`.
    ///
    /// As with agents, it may begin beside obstacles and lead out from there, and end beside `to` where
    /// the body does not fit on `to` itself: at the nearest place in sight of it, or at the rim of the
    /// obstacle that it is in.
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

    /// How far it is on foot, in world units: the length of [`path`](Self::path), and from its end
    /// straight to `to`.
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

    /// Whether a way leads there, without a search: whether [`path`](Self::path) gives one, unless a
    /// limit ends its search.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). That there is no way is no error but `false`.
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
    /// `true` is a proof; `false` may be a gap narrower than the body and a tenth of a cell. What the line costs is not asked.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). A body that does not fit where it is goes nowhere: that is no error.
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

    /// Whether no obstacle is in the way of a look or a shot that keeps `width` to each side, in world units; `0.0` asks
    /// whether one point sees the other. Whether anybody can walk there is not asked.
    ///
    /// As sure as [`can_go_straight`](Self::can_go_straight).
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

    /// The place nearest to `point` where a body can stand and walk: the point itself, or
    /// else the center of the nearest free cell, behind a wall or not.
    ///
    /// For places to spawn at, and for clicks into walls.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). [`StartBlocked`](FailReason::StartBlocked) if there is no such place in the
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

    /// What the ground is at `point`: the [`NavArea`](crate::NavArea) of the cell that it is in, for games that slow down agents
    /// in mud. [`AreaId::PLAIN`] where there is no area. Of `body` only the grid counts.
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

    /// What keeps a body from standing at `point`: the entities whose colliders and
    /// [`NavObstacle`](crate::NavObstacle)s are in its way, the nearest first. Empty where it fits. What
    /// it merely touches does not count: see [`FIT`](crate::grid::FIT).
    ///
    /// As of the newest bake: what changed since may be despawned by now. A grid
    /// [that the game baked itself](crate::BakedGrid::from_snapshot) knows no entities: none are named.
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

    /// How far an entity with a path has to go, in world units: along the path from where it was at the
    /// start of the latest tick, and from its end straight to where its goal or target is now. An
    /// agent that sees its target and goes [straight](crate::Locomotion::Straight), or would if others did not stand in
    /// its way, has the straight line left, as has one that [arrived](crate::Locomotion::Arrived): its reach or less, not
    /// 0. One that flees has the way to its refuge, and one that [surrounds](crate::Chase::surround) its target the way to
    /// its place there. Where a way is known without waypoints, it is the straight line.
    ///
    /// # Errors
    ///
    /// [`NoPath`], if no path leads to what the entity wants.
    pub fn distance_left(&self, agent: Entity) -> Result<f32, NoPath> {
        let seeker = self.seekers.get(agent).map_err(|_| NoPath::Idle)?;
        let grid = seeker.intent.errand.grid.and_then(|grid| self.baked(grid));
        seeker.distance_left(BakedGrid::frame_of(grid))
    }

    /// The way that an entity with a path has left, as points in the world: where it was at the start of the latest tick,
    /// the waypoints ahead of it, and where its goal or target is now. Lines between them are as long as
    /// [`distance_left`](Self::distance_left) says.
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

    /// What an entity with a path wants, and when it is planned for next and why, to explain what an
    /// agent is waiting for. As of the latest tick. `None` for an entity that is no agent and asks for no path.
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

    /// The layers that an entity's collider and [`NavObstacle`](crate::NavObstacle) are on, as the bake saw
    /// them last; `None` if it has neither. None of them is an obstacle only because it is on a layer: see
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

    /// The way of one that goes along a field, from cell to cell.
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
            // It will never hold what is no place.
            FailReason::NotBaked if !from.is_finite() => FailReason::OutsideGrid,
            reason => reason,
        }
    }

    /// The way on the grid, pulled taut.
    fn find_path(&self, asked: &Question) -> Result<Vec<Vec2>, FailReason> {
        let most = self.limit.as_ref().and_then(|limit| limit.0);
        Ok(ask::find_path(asked.snapshot, &asked.trip(), most)?.waypoints)
    }
}

/// A question and the grid that it is asked of, places in the frame of that.
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

    /// The same, if both places are in the grid and the body makes sense.
    fn within_grid(self) -> Result<Self, FailReason> {
        ask::cell_of_body(self.snapshot, self.from, self.body)?;
        let end = self.snapshot.layout().cell_at(self.to);
        end.map(|_| self).ok_or(FailReason::GoalOutside)
    }
}
