//! Answers questions about the world that a game can ask at any time, mostly without an entity.

mod body_on_grid;
mod no_path;
mod path_query;

use bevy::ecs::system::{Query, Res, SystemParam};
use bevy::prelude::*;
use pursuit::FlowField;
use pursuit::steer::remaining_length;

pub use self::body_on_grid::BodyOnGrid;
pub use self::no_path::NoPath;
use self::path_query::{PathQueryData, PathQueryDataItem};
use crate::agent::{FailReason, GridPrices, NavBody, Prices, WorldPoint};
use crate::fields::{FieldCache, Flow};
use crate::grid::{BakedGrid, GridRef, NavSnapshot, ObstacleLayers, choose_grid, why_none};
use crate::ground::AreaId;
use crate::obstacle::ObservedObstacles;
use crate::plan::PlanReason;
use crate::plan::ask::{self, AskLimit};
use crate::plan::ends::Trip;
use crate::plan::recheck::is_crossed_beyond;
use crate::plan::report::{NavReport, NextPlan};

/// Answers questions about the world as agents see it: how far a point is, whether a path exists, what is in the way.
///
/// This is a system parameter. It reads only data that this crate writes, so a system can use it together with any
/// query for transforms, agents or grids.
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
/// Answers are computed during the call, from the latest bake. An agent with the same body gets the same path from a
/// [`PathRequest`](crate::PathRequest), with the same smoothing and limits. Where agents [share a
/// field](crate::PursuitSettings::share_fields), an agent may get another path with the same cost.
///
/// Positions, radii and distances are in **world units**. A position is a `Vec2` or a `Vec3`, and answers have
/// the same type. A `Vec2` is always a point in the world's XY plane, never in grid coordinates: with
/// [`NavFrame::XZ`](crate::NavFrame::XZ) use `Vec3`. A body is a radius, or an agent with its radius and class:
/// see [`BodyOnGrid`]. A radius of `0.0` is a point.
///
/// The grid is chosen as for an agent at the first position. For an agent that names its grid, pass its
/// [`OnGrid`](crate::OnGrid) as well: `distance(from, to, (agent, on_grid.copied()))`, where `on_grid` is an
/// `Option<&OnGrid>`.
///
/// Most questions take less than a microsecond. [`path`](Self::path) and [`distance`](Self::distance) run a search,
/// which takes some microseconds on short paths. [`nearest_free`](Self::nearest_free) takes about as long if the point
/// is deep in a wall. The first question for a body on a grid computes where that body can walk, which takes about 10
/// ms on 1024² cells. The results for the 16 latest bodies are kept and updated with later bakes. For maps of at least
/// [about 1,700² cells](pursuit::NavMap), fewer results are kept.
///
/// # Errors
///
/// A question that cannot be answered returns the reason:
///
/// | | |
/// |---|---|
/// | [`NoGrid`](FailReason::NoGrid) | there is no [`NavGrid`](crate::NavGrid) that could be baked, or the named entity has none |
/// | [`NotBaked`](FailReason::NotBaked) | the first bake of the grid is not done yet |
/// | [`OutsideGrid`](FailReason::OutsideGrid) | the point, or the first of two points, is not finite, or is not on the named grid, or is on no grid |
/// | [`GoalOutside`](FailReason::GoalOutside) | the second point is not on the grid of the first, or is not finite |
/// | [`BadRadius`](FailReason::BadRadius) | the radius is not a number `>= 0.0`, or is larger than the grid's [`max_clearance_cells`](crate::NavGrid::max_clearance_cells) |
/// | [`StartBlocked`](FailReason::StartBlocked) | a body at the first point is in an obstacle, with no free cell near |
///
/// If there is no path, the reason is [`GoalBlocked`](FailReason::GoalBlocked) or
/// [`Unreachable`](FailReason::Unreachable); if the search gave up, it is
/// [`LimitReached`](FailReason::LimitReached).
#[derive(SystemParam)]
pub struct Navigation<'w, 's> {
    grids: Query<'w, 's, (Entity, &'static BakedGrid)>,
    paths: Query<'w, 's, PathQueryData>,
    limit: Option<Res<'w, AskLimit>>,
    obstacles: Option<Res<'w, ObservedObstacles>>,
    fields: Option<Res<'w, FieldCache>>,
    prices: Option<Res<'w, Prices>>,
}

impl Navigation<'_, '_> {
    /// The path of a body, pulled taut: `from`, the points where the path turns, and its end.
    ///
    /// As for agents, the path may begin in or beside an obstacle and lead out of it. It ends at `to` if the body fits
    /// there. Otherwise it ends at the nearest place in sight of `to`, or at the rim of the obstacle that `to` is in.
    /// It leads around places where a body of the same class and at most the same size recently got stuck.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn path<P: WorldPoint>(
        &self,
        from: P,
        to: P,
        body: impl Into<BodyOnGrid>,
    ) -> Result<Vec<P>, FailReason> {
        let asked = self.between(from, to, body)?;
        let plane = &asked.baked.plane;
        let waypoints = self.find_path(&asked)?;
        let points = waypoints.iter().map(|point| plane.to_world(*point));
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
        body: impl Into<BodyOnGrid>,
    ) -> Result<f32, FailReason> {
        let asked = self.between(from, to, body)?;
        let waypoints = self.find_path(&asked)?;
        let end = waypoints.last().map_or(0.0, |end| end.distance(asked.to));
        Ok(remaining_length(&waypoints, 1, asked.from) + end)
    }

    /// Whether a path exists: whether [`path`](Self::path) would return one if its search had no limit. The answer
    /// usually needs no search.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). If no path exists, the answer is `Ok(false)`, not an error.
    pub fn is_reachable(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<BodyOnGrid>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, body)?;
        let is_reachable = ask::is_reachable(asked.snapshot, &asked.trip())?;
        // If the distances do not prove that the body fits at the goal, the path may end beside the goal.
        let may_miss = !asked.snapshot.free(asked.to, asked.body)
            && asked.baked.fits_at_goal(&asked.trip().order);
        Ok(is_reachable && !(may_miss && self.find_path(&asked) == Err(FailReason::GoalBlocked)))
    }

    /// Whether a body can go straight from one point to the other.
    ///
    /// `true` is always right. `false` may be wrong for a gap that is less than a tenth of a cell wider than the
    /// body. The cost of the ground along the line does not matter.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). If the body does not fit at `from`, the answer is `Ok(false)`, not an error.
    pub fn can_go_straight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        body: impl Into<BodyOnGrid>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, body)?.within_grid()?;
        Ok((asked.snapshot).can_go_straight(asked.from, asked.to, asked.body, 1.0))
    }

    /// Whether a line of sight or a shot is free of obstacles. `width` is half the width of the line, in world units;
    /// with `0.0`, the answer is whether one point sees the other. The line may cross ground on which no body can walk.
    ///
    /// `true` and `false` are as reliable as in [`can_go_straight`](Self::can_go_straight).
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn line_of_sight(
        &self,
        from: impl WorldPoint,
        to: impl WorldPoint,
        width: impl Into<BodyOnGrid>,
    ) -> Result<bool, FailReason> {
        let asked = self.between(from, to, width)?.within_grid()?;
        Ok((asked.snapshot).sees(asked.from, asked.to, asked.body.radius))
    }

    /// The position nearest to `point` where a body can stand and walk: the point itself, or else the center of
    /// the nearest free cell, which may be behind a wall.
    ///
    /// The answer is useful for spawn points and for clicks into walls.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors). [`StartBlocked`](FailReason::StartBlocked) if there is no such position in the
    /// whole grid.
    pub fn nearest_free<P: WorldPoint>(
        &self,
        point: P,
        body: impl Into<BodyOnGrid>,
    ) -> Result<P, FailReason> {
        let asked = self.ask(point.in_world(), None, body.into())?;
        let plane = &asked.baked.plane;
        let free = ask::nearest_free(asked.snapshot, asked.from, asked.body)?;
        let above = point.in_world() - plane.to_world(asked.from);
        Ok(P::from_world(plane.to_world(free) + above))
    }

    /// The kind of ground at `point`: the [`NavArea`](crate::NavArea) of the cell that contains the point, or
    /// [`AreaId::PLAIN`] if no area covers the cell. `body` only names the grid. A game can use the answer to slow down
    /// agents in mud.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn area_at(
        &self,
        point: impl WorldPoint,
        body: impl Into<BodyOnGrid>,
    ) -> Result<AreaId, FailReason> {
        let asked = self.ask(point.in_world(), None, body.into())?;
        let area = asked.snapshot.area_at(asked.from);
        area.ok_or(FailReason::OutsideGrid)
    }

    /// The entities whose colliders and [`NavObstacle`](crate::NavObstacle)s keep a body from standing at
    /// `point`, the nearest first. Empty if the body fits. An obstacle that the body merely touches does not keep it
    /// from standing there: see [`FIT_FRACTION`](crate::grid::FIT_FRACTION).
    ///
    /// The entities are those of the latest bake, so an entity may be despawned by now. A grid [that the game baked
    /// itself](crate::BakedGrid::from_snapshot) has no entities, so its answer is empty.
    ///
    /// # Errors
    ///
    /// See [above](Self#errors).
    pub fn what_blocks(
        &self,
        point: impl WorldPoint,
        body: impl Into<BodyOnGrid>,
    ) -> Result<Vec<Entity>, FailReason> {
        let asked = self.ask(point.in_world(), None, body.into())?;
        ask::cell_of_body(asked.snapshot, asked.from, asked.body)?;
        let layout = asked.snapshot.layout();
        let center = layout.to_cell_space_f64(asked.from.as_dvec2());
        let radius = asked.snapshot.radius_cells(asked.body.radius).into();
        let obstacles = asked.baked.obstacles.as_ref();
        Ok(obstacles.map_or_else(Vec::new, |index| index.nearer_than(radius, center)))
    }

    /// Remaining distance of an entity with a path, in world units: the length of the path from the entity's position
    /// at the start of the latest tick, plus the distance from the end of the path to the present goal or target.
    ///
    /// While a [flow field](Self::field_of) leads the agent, this is the distance along the field.
    ///
    /// In these cases it is the straight line to the goal or target instead:
    /// - The agent sees its target and goes [straight](crate::Locomotion::Straight), or would go straight if no other
    ///   agents were in its way.
    /// - The agent has [arrived](crate::Locomotion::Arrived). The distance is then usually within its reach, but not 0.
    /// - The path was found, but has no waypoints.
    ///
    /// The path of a fleeing agent ends at its refuge. The path of an agent that [surrounds](crate::Chase::surround)
    /// its target ends at its place on the circle.
    ///
    /// # Errors
    ///
    /// Returns [`NoPath`] if no path leads to what the entity wants.
    pub fn remaining_distance(&self, agent: Entity) -> Result<f32, NoPath> {
        let found = self.paths.get(agent).map_err(|_| NoPath::Idle)?;
        let grid = found.intent.order.grid.and_then(|grid| self.baked(grid));
        found.remaining_distance(BakedGrid::plane_of(grid))
    }

    /// The remaining path of an entity, as points in the world: its position at the start of the latest tick,
    /// the waypoints ahead, and its present goal or target. The total length of the lines between these points is the
    /// [`remaining_distance`](Self::remaining_distance).
    ///
    /// While a [flow field](Self::field_of) leads the agent, the points are its position and the centers of the cells
    /// along the field, so their lines are about as long as the remaining distance.
    ///
    /// # Errors
    ///
    /// See [`remaining_distance`](Self::remaining_distance).
    pub fn path_of(&self, agent: Entity) -> Result<Vec<Vec3>, NoPath> {
        let found = self.paths.get(agent).map_err(|_| NoPath::Idle)?;
        let grid = found.intent.order.grid.and_then(|grid| self.baked(grid));
        if found.field_walk().is_some() {
            let path = self.along_field(&found, grid);
            return path.ok_or_else(|| NoPath::from(*found.status));
        }
        found.remaining_path(BakedGrid::plane_of(grid))
    }

    /// The flow field that leads an agent. `None` if a path leads the agent, or if its field is not built yet.
    ///
    /// The agents of a horde share one field toward their target. While other agents stand near the target or are
    /// jammed, this is the field [around](FlowField::around) them. The costs of a field around agents are not
    /// distances, and an agent in a cell that this field does not reach follows the plain field.
    ///
    /// The cells and directions of the field belong to the grid [`NavReport::grid`]. [`BakedGrid::snapshot`] has the
    /// layout of this grid, which gives the center of a cell in grid coordinates. [`BakedGrid::frame`] places the grid
    /// in the world. The field is replaced while the target moves, so look it up in every tick.
    pub fn field_of(&self, agent: Entity) -> Option<&FlowField> {
        let flow = self.flow_of(&self.paths.get(agent).ok()?)?;
        flow.around().or(flow.field())
    }

    /// Whether an agent yields, as of the latest tick in which the avoidance stage ran. An agent yields by backing up
    /// when it meets another agent where the two cannot pass each other. The answer is always `false` without
    /// [`NavAvoidance::Separation`](crate::NavAvoidance::Separation).
    pub fn is_yielding(&self, agent: Entity) -> bool {
        let found = self.paths.get(agent).ok();
        let crowd_state = found.and_then(|found| found.crowd_state);
        crowd_state.is_some_and(|it| it.memory.gives_way)
    }

    /// What an entity wants, and when and why the next search for its path is due, as of the latest tick. `None` for an
    /// entity that has neither a [`NavAgent`](crate::NavAgent) nor a [`PathRequest`](crate::PathRequest).
    pub fn report(&self, agent: Entity) -> Option<NavReport> {
        let found = self.paths.get(agent).ok()?;
        let by_id = |grid| self.baked(grid);
        let grid = found.intent.order.grid.and_then(by_id);
        let snapshot = grid.and_then(BakedGrid::snapshot);
        let plane = BakedGrid::plane_of(grid);
        let layers = snapshot.and_then(|snapshot| snapshot.layers_if_ready(found.path.body()));
        let why_none = why_none(self.grids.iter().map(|(_, baked)| baked));
        let (no_prices, prices) = (GridPrices::default(), self.prices.as_ref());
        let prices = prices.map_or(&no_prices, |all| all.of(found.intent.order.grid));
        let mut case = found.case((grid, prices, why_none), layers.as_deref());
        case.is_crossed_beyond =
            is_crossed_beyond(found.path, found.next(), found.position.0, by_id);
        let report = case.report();
        Some(match self.flow_of(&found) {
            Some(flow) => NavReport {
                goal: flow.goal().map(|goal| plane.to_world(goal)),
                next_plan: NextPlan::When(PlanReason::GoalMoved),
                ..report
            },
            None => report,
        })
    }

    /// The layers of an entity's solid collider, [`NavObstacle`](crate::NavObstacle) and other obstacles when they were
    /// last observed. `None` if the entity has no obstacle, such as an agent, a chased body, or a sensor. A layer alone
    /// does not make the entity an obstacle for a grid: see [`NavGrid::obstacles`](crate::NavGrid::obstacles).
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
        body: impl Into<BodyOnGrid>,
    ) -> Result<Question<'_>, FailReason> {
        self.ask(from.in_world(), Some(to.in_world()), body.into())
    }

    fn ask(
        &self,
        from: Vec3,
        to: Option<Vec3>,
        body: BodyOnGrid,
    ) -> Result<Question<'_>, FailReason> {
        let views = self.grids.iter().map(GridRef::new);
        let chosen = choose_grid(body.grid, from, to, views);
        let chosen = chosen.ok_or_else(|| self.why_none(from))?;
        let baked = self.baked(chosen).ok_or(FailReason::NoGrid)?;
        let why = (baked.error()).map_or(FailReason::NotBaked, |_| FailReason::NoGrid);
        Ok(Question {
            grid: chosen,
            baked,
            snapshot: baked.snapshot().ok_or(why)?,
            from: baked.plane.to_grid(from),
            to: baked.plane.to_grid(to.unwrap_or(from)),
            body: body.body,
        })
    }

    /// The flow that leads an agent. `None` if its grid has another layout by now.
    fn flow_of(&self, found: &PathQueryDataItem) -> Option<&Flow> {
        let flow = self.fields.as_ref()?.get(found.field_walk()?.flow)?;
        let (_, baked) = self.grids.get(flow.key.grid).ok()?;
        let snapshot = baked.snapshot()?;
        flow.is_on(snapshot).then_some(flow)
    }

    /// The path of an agent that a field leads: its position, then the centers of the cells along the field.
    fn along_field(
        &self,
        found: &PathQueryDataItem,
        grid: Option<&BakedGrid>,
    ) -> Option<Vec<Vec3>> {
        let (grid, place) = (grid?, found.position.0);
        let (layout, plane) = (grid.snapshot()?.layout(), &grid.plane);
        let flow = self.flow_of(found)?;
        let cell = layout.cell_at(plane.to_grid(place))?;
        let path_in = |field: Option<&FlowField>| field.and_then(|field| field.path(cell));
        let path = path_in(flow.around()).or_else(|| path_in(flow.field()))?;
        let centers = path.cells().skip(1);
        let centers = centers.map(|cell| plane.to_world(layout.center(cell)));
        Some(std::iter::once(place).chain(centers).collect())
    }

    fn why_none(&self, from: Vec3) -> FailReason {
        match why_none(self.grids.iter().map(|(_, baked)| baked)) {
            // No grid will ever contain a position that is not finite, so there is no bake to wait for.
            FailReason::NotBaked if !from.is_finite() => FailReason::OutsideGrid,
            reason => reason,
        }
    }

    /// The taut path in grid coordinates.
    fn find_path(&self, asked: &Question) -> Result<Vec<Vec2>, FailReason> {
        let max_expanded = self.limit.as_ref().and_then(|limit| limit.0);
        let prices = self.prices.as_ref().map(|all| all.of(Some(asked.grid)));
        let prices = prices.map_or(&[][..], |prices| &prices.list);
        let map = (asked.snapshot, prices);
        let trip = asked.trip();
        let plan = ask::find_path(map, &trip, max_expanded)?.judged(Some(asked.baked), &trip.order);
        plan.shortfall.map_or(Ok(plan.waypoints), Err)
    }
}

/// A question about a grid, with positions in grid coordinates.
struct Question<'a> {
    grid: Entity,
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

    /// Checks that both positions are on the grid, and that the body is valid.
    fn within_grid(self) -> Result<Self, FailReason> {
        ask::cell_of_body(self.snapshot, self.from, self.body)?;
        let end = self.snapshot.layout().cell_at(self.to);
        end.map(|_| self).ok_or(FailReason::GoalOutside)
    }
}
