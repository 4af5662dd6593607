//! What a game asks the navigation, at any time and without an entity.

mod seeker;

use bevy::ecs::entity::Entity;
use bevy::ecs::system::{Query, Res, SystemParam};
use bevy::math::{Vec2, Vec3};
use pursuit::steer::remaining_length;

use self::seeker::Seeker;
use crate::agent::{FailReason, NavBody, PathStatus, Plane, WorldPoint};
use crate::grid::{BakedGrid, GridView, NavSnapshot, ObstacleLayers, best_grid};
use crate::obstacle::ObservedObstacles;
use crate::plan::ask::{self, AskLimit};
use crate::plan::ends::Trip;
use crate::plan::outlook::Outlook;
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
/// Answers come at once, on the newest bake, and are those that an agent with that body gets from a
/// [`PathRequest`](crate::PathRequest) there: the same ways, the same smoothing, the same limits. Positions,
/// radii and distances are in **world units**; a position is a `Vec2` or a `Vec3`, and answers
/// have the same type. A `Vec2` is a point of X and Y, never of the grid: on [`NavFrame::XZ`](crate::NavFrame::XZ) take `Vec3`. A body is a radius, or an agent for its radius and class: see [`NavBody`]. A
/// radius of `0.0` asks for a point.
///
/// Each question is asked of the grid that an agent would plan on (see [`OnGrid`](crate::OnGrid)), and
/// of a certain one by [`on`](Self::on).
///
/// What it costs: most questions take less than a microsecond. [`path`](Self::path) and
/// [`distance`](Self::distance) search, some microseconds on short ways, as
/// [`nearest_free`](Self::nearest_free) does deep in walls. The first question for a
/// body on a grid works out what it can walk on, which takes about 10 ms on
/// 1024² cells; the 16 bodies asked for last are kept, and kept up with later bakes.
///
/// # Errors
///
/// A question that makes no sense gives the reason:
///
/// | | |
/// |---|---|
/// | [`NoGrid`](FailReason::NoGrid) | there is no [`NavGrid`](crate::NavGrid) that could be baked |
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
}

impl Navigation<'_, '_> {
    /// The same questions, asked of one grid. For agents with [`OnGrid`](crate::OnGrid), and where grids
    /// overlap.
    ///
    /// An entity without a [`BakedGrid`](crate::BakedGrid) answers everything with
    /// [`NoGrid`](FailReason::NoGrid).
    pub fn on(&self, grid: Entity) -> GridNavigation<'_> {
        let baked = self.grids.get(grid).map(|(_, baked)| baked);
        self.of(baked.map_err(|_| FailReason::NoGrid))
    }

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
        body: impl Into<NavBody>,
    ) -> Result<Vec<P>, FailReason> {
        self.between(from, to).path(from, to, body)
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
        body: impl Into<NavBody>,
    ) -> Result<f32, FailReason> {
        self.between(from, to).distance(from, to, body)
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
        body: impl Into<NavBody>,
    ) -> Result<bool, FailReason> {
        self.between(from, to).is_reachable(from, to, body)
    }

    /// Whether a body can go straight from one point to the other.
    ///
    /// `true` is a proof; `false` may be a gap narrower than the body and a tenth of a cell.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). A body that does not fit where it is goes nowhere: that is no error.
    pub fn can_go_straight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<bool, FailReason> {
        self.between(from, to).can_go_straight(from, to, body)
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
        width: f32,
    ) -> Result<bool, FailReason> {
        self.between(from, to).line_of_sight(from, to, width)
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
        body: impl Into<NavBody>,
    ) -> Result<P, FailReason> {
        self.at(point.in_world(), None).nearest_free(point, body)
    }

    /// What keeps a body from standing at `point`: the entities whose colliders and
    /// [`NavObstacle`](crate::NavObstacle)s are in its way, the nearest first. Empty where it fits. What
    /// it merely touches does not count: see [`FIT`](crate::grid::FIT).
    ///
    /// As of the newest bake: what changed since may be despawned by now.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn what_blocks(
        &self,
        point: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<Vec<Entity>, FailReason> {
        self.at(point.in_world(), None).what_blocks(point, body)
    }

    /// How far an entity with a path has to go, in world units: along the path from where it was at the
    /// start of the latest tick, and from its end straight to where its goal or target is now. An
    /// agent that sees its target and goes [straight](crate::Locomotion::Straight) has the straight line left, as
    /// has one that [arrived](crate::Locomotion::Arrived): its reach or less, not 0. One that flees has the way to
    /// its refuge. Where a way is known without waypoints, it is the straight line.
    ///
    /// # Errors
    ///
    /// The entity's status, if no path leads to what it wants:
    /// [`Queued`](PathStatus::Queued) and [`Searching`](PathStatus::Searching) while it waits for one,
    /// [`Partial`](PathStatus::Partial) and [`Failed`](PathStatus::Failed) with the reason,
    /// [`TargetLost`](PathStatus::TargetLost). [`Idle`](PathStatus::Idle) for who wants nothing, who is
    /// no agent, or is gone.
    pub fn distance_left(&self, agent: Entity) -> Result<f32, PathStatus> {
        let seeker = self.seekers.get(agent);
        let grid = |grid: Option<Entity>| self.grids.get(grid?).ok().map(|(_, baked)| baked);
        seeker.map_or(Err(PathStatus::Idle), |seeker| {
            seeker.distance_left(BakedGrid::frame_of(grid(seeker.intent.errand.grid)))
        })
    }

    /// What an entity with a path wants, and when it is planned for next and why, to explain what an
    /// agent is waiting for. As of the latest tick. `None` for an entity that is no agent and asks for no path.
    pub fn outlook(&self, agent: Entity) -> Option<Outlook> {
        let seeker = self.seekers.get(agent).ok()?;
        let grid = seeker.intent.errand.grid;
        let grid = grid.and_then(|grid| self.grids.get(grid).ok());
        let grid = grid.map(|(_, baked)| baked);
        let snapshot = grid.and_then(BakedGrid::snapshot);
        let layers = snapshot.and_then(|snapshot| snapshot.layers_if_ready(seeker.path.body()));
        let mut case = seeker.case(grid, layers.as_deref());
        let by_id = |grid| self.grids.get(grid).ok().map(|(_, baked)| baked);
        case.is_crossed_beyond =
            is_crossed_beyond(seeker.path, seeker.next(), seeker.place.0, by_id);
        Some(case.outlook())
    }

    /// The layers that an entity's collider and [`NavObstacle`](crate::NavObstacle) are on, as the bake saw
    /// them last; `None` if it has neither. None of them is an obstacle only because it is on a layer: see
    /// [`NavGrid::obstacles`](crate::NavGrid::obstacles).
    pub fn obstacle_layers(&self, obstacle: Entity) -> Option<ObstacleLayers> {
        self.obstacles.as_ref()?.layers_of(obstacle)
    }

    /// The grid that an agent would plan on.
    fn between(&self, from: impl WorldPoint, to: impl WorldPoint) -> GridNavigation<'_> {
        self.at(from.in_world(), Some(to.in_world()))
    }

    fn at(&self, from: Vec3, to: Option<Vec3>) -> GridNavigation<'_> {
        let grids = self.grids.iter();
        let grids = grids.map(|(entity, baked)| (GridView::of_baked((entity, baked)), baked));
        match best_grid(from, to, grids) {
            Some((_, baked)) => self.of(Ok(baked)),
            None => self.of(Err(self.why_none(from))),
        }
    }

    fn of<'a>(&self, baked: Result<&'a BakedGrid, FailReason>) -> GridNavigation<'a> {
        GridNavigation {
            baked,
            max_expanded: self.limit.as_ref().and_then(|limit| limit.0),
        }
    }

    /// Why no grid holds a point.
    fn why_none(&self, point: Vec3) -> FailReason {
        let is_unseen = |baked: &BakedGrid| baked.snapshot().is_none() && baked.layout.is_none();
        let mut reason = FailReason::NoGrid;
        for (_, baked) in self
            .grids
            .iter()
            .filter(|(_, baked)| baked.error().is_none())
        {
            if point.is_finite() && is_unseen(baked) {
                return FailReason::NotBaked;
            }
            reason = FailReason::OutsideGrid;
        }
        reason
    }
}

/// The questions of [`Navigation`], asked of one grid: see [`Navigation::on`].
#[derive(Clone, Copy, Debug)]
pub struct GridNavigation<'a> {
    /// Or why there is none.
    baked: Result<&'a BakedGrid, FailReason>,
    max_expanded: Option<u32>,
}

impl GridNavigation<'_> {
    /// As [`Navigation::path`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn path<P: WorldPoint>(
        &self,
        from: P,
        to: P,
        body: impl Into<NavBody>,
    ) -> Result<Vec<P>, FailReason> {
        let (frame, waypoints) = (
            self.frame(),
            self.taut(self.on_grid(from), self.on_grid(to), body)?,
        );
        let points = waypoints
            .iter()
            .map(|point| P::from_world(frame.to_world(*point)));
        Ok(points.collect())
    }

    /// As [`Navigation::distance`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn distance(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<f32, FailReason> {
        let [from, to] = [self.on_grid(from), self.on_grid(to)];
        let waypoints = self.taut(from, to, body)?;
        let end = waypoints.last().map_or(0.0, |end| end.distance(to));
        Ok(remaining_length(&waypoints, 1, from) + end)
    }

    /// As [`Navigation::is_reachable`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn is_reachable(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<bool, FailReason> {
        let trip = Trip::between(self.on_grid(from), self.on_grid(to), body);
        ask::is_reachable(self.snapshot()?, &trip)
    }

    /// As [`Navigation::line_of_sight`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn line_of_sight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        width: f32,
    ) -> Result<bool, FailReason> {
        let [from, to] = [self.on_grid(from), self.on_grid(to)];
        let snapshot = self.snapshot_of(from, to, width.into())?;
        Ok(snapshot.sees(from, to, width))
    }

    /// As [`Navigation::can_go_straight`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn can_go_straight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<bool, FailReason> {
        let ([from, to], body) = ([self.on_grid(from), self.on_grid(to)], body.into());
        let snapshot = self.snapshot_of(from, to, body)?;
        Ok(snapshot.can_go_straight(from, to, body, 1.0))
    }

    /// As [`Navigation::nearest_free`].
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn nearest_free<P: WorldPoint>(
        &self,
        point: P,
        body: impl Into<NavBody>,
    ) -> Result<P, FailReason> {
        let (frame, on_grid) = (self.frame(), self.on_grid(point));
        let free = ask::nearest_free(self.snapshot()?, on_grid, body.into())?;
        let above = point.in_world() - frame.to_world(on_grid);
        Ok(P::from_world(frame.to_world(free) + above))
    }

    /// As [`Navigation::what_blocks`].
    ///
    /// A grid [that the game baked itself](crate::BakedGrid::from_snapshot) knows no entities: none are named.
    ///
    /// # Errors
    ///
    /// As [`Navigation`].
    pub fn what_blocks(
        &self,
        point: impl WorldPoint,
        body: impl Into<NavBody>,
    ) -> Result<Vec<Entity>, FailReason> {
        let snapshot = self.snapshot()?;
        let (point, body) = (self.on_grid(point), body.into());
        ask::cell_of_body(snapshot, point, body)?;
        let obstacles = self.baked?.obstacles.as_ref();
        let center = snapshot.layout().to_cell_space_f64(point.as_dvec2());
        let radius = snapshot.radius_cells(body.radius).into();
        Ok(obstacles.map_or_else(Vec::new, |index| index.nearer_than(radius, center)))
    }

    /// The way on the grid, pulled taut.
    fn taut(
        &self,
        from: Vec2,
        to: Vec2,
        body: impl Into<NavBody>,
    ) -> Result<Vec<Vec2>, FailReason> {
        let trip = Trip::between(from, to, body);
        Ok(ask::find_path(self.snapshot()?, &trip, self.max_expanded)?.waypoints)
    }

    fn frame(&self) -> &Plane {
        BakedGrid::frame_of(self.baked.ok())
    }

    fn on_grid(&self, point: impl WorldPoint) -> Vec2 {
        self.frame().to_grid(point.in_world())
    }

    /// The snapshot, if the points are in it and the body makes sense.
    fn snapshot_of(&self, from: Vec2, to: Vec2, body: NavBody) -> Result<&NavSnapshot, FailReason> {
        let snapshot = self.snapshot()?;
        ask::cell_of_body(snapshot, from, body)?;
        let end = snapshot.layout().cell_at(to);
        end.map(|_| snapshot).ok_or(FailReason::GoalOutside)
    }

    fn snapshot(&self) -> Result<&NavSnapshot, FailReason> {
        let baked = self.baked?;
        match baked.snapshot() {
            Some(snapshot) => Ok(snapshot),
            None if baked.error().is_some() => Err(FailReason::NoGrid),
            None => Err(FailReason::NotBaked),
        }
    }
}
