//! Moves agents without a body. No physics engine stops such agents at walls, so the grid does.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::math::Vec2;
use bevy::transform::components::Transform;
use bevy::transform::helper::TransformHelper;

use crate::agent::{
    BodyKind, BodyState, DesiredVelocity, Drive, FlowFollower, FollowMemory, GridPlane, NavAgent,
    NavBody, NavDrive,
};
use crate::chunks::{MIN_ITEMS_SHORT_LOOP, in_chunks};
use crate::grid::{GridUnderAgent, NavSnapshot, OnPath};
use crate::physics::steps::DrivenTick;

/// The step of one agent in grid coordinates.
struct Stride<'g> {
    position: Vec2,
    /// First the wanted step, later the part of that step that is possible.
    step: Vec2,
    body: NavBody,
    plane: GridPlane,
    /// The grid whose walls stop the agent.
    snapshot: Option<&'g NavSnapshot>,
    /// Whether it was already proven that nothing is in the way.
    is_proven: bool,
}

/// The components that moving a bare transform reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::physics) struct Mover {
    agent: &'static NavAgent,
    drive: Option<&'static NavDrive>,
    desired: &'static DesiredVelocity,
    on_path: OnPath<'static>,
    memory: &'static FollowMemory,
    driver: &'static mut BodyState,
}

impl MoverItem<'_, '_> {
    /// The step that a bare transform wants to make. The caller sets the position of the step. `None` if the agent does
    /// not move, or has a body.
    fn stride<'g>(&mut self, tick: &'g DrivenTick) -> Option<Stride<'g>> {
        if self.driver.kind != BodyKind::Bare {
            return None;
        }
        let under_agent = GridUnderAgent::of(&tick.grids, self.on_path);
        let desired = under_agent
            .plane
            .direction_to_grid(tick.wanted(self.desired));
        let driver = self.driver.bypass_change_detection();
        let Drive::Go(wanted) = driver.drive(desired, NavDrive::grip_of(self.drive)) else {
            return None;
        };
        Some(Stride {
            position: Vec2::ZERO,
            step: wanted * tick.dt(),
            body: self.agent.into(),
            plane: *under_agent.plane,
            snapshot: under_agent.snapshot(),
            is_proven: self.memory.proven_velocity == wanted,
        })
    }
}

/// Moves the agents without a parent.
pub(in crate::physics) fn drive_roots(
    tick: DrivenTick,
    mut agents: Query<(Mover, &mut Transform), (Without<ChildOf>, Without<FlowFollower>)>,
) {
    let strides = agents.iter_mut().filter_map(|(mut mover, transform)| {
        let mut stride = mover.stride(&tick)?;
        stride.position = stride.plane.to_grid(transform.translation);
        // The rounding error of a step depends on its distance from the world's origin.
        let coarse = stride.plane.direction_to_grid(transform.translation);
        let driver = mover.driver.bypass_change_detection();
        stride.step = driver.representable(coarse, stride.step);
        Some(stride)
    });
    let mut strides: Vec<Stride> = strides.collect();
    in_chunks(&mut strides, MIN_ITEMS_SHORT_LOOP, |strides| {
        strides.iter_mut().for_each(Stride::slide);
    });
    // These agents are in the same order as the strides, since no entity has changed tables in between.
    let is_walker = |driver: &BodyState| driver.kind == BodyKind::Bare && driver.is_going();
    let walkers = agents
        .iter_mut()
        .filter(|(mover, _)| is_walker(&mover.driver));
    for ((mut mover, mut transform), Stride { step, plane, .. }) in walkers.zip(strides) {
        if step != Vec2::ZERO && step.is_finite() {
            let before = transform.translation;
            transform.translation += plane.direction_to_world(step);
            if !plane.is_xy() {
                // The position is rounded along the axes of the world, not along those of the grid, so the agent may
                // make a slightly different step.
                let made = plane.direction_to_grid(transform.translation - before);
                mover.driver.bypass_change_detection().carry += step - made;
            }
        }
    }
}

/// Moves the agents with a parent.
pub(in crate::physics) fn drive_children(
    tick: DrivenTick,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform>)>,
    mut agents: Query<(Entity, Mover, &ChildOf)>,
) {
    if agents.is_empty() {
        return;
    }
    for (entity, mut mover, child_of) in &mut agents {
        let Some(mut stride) = mover.stride(&tick) else {
            continue;
        };
        let Ok(parent) = transforms.p0().compute_global_transform(child_of.parent()) else {
            continue;
        };
        let mut movable = transforms.p1();
        let Ok(mut transform) = movable.get_mut(entity) else {
            continue;
        };
        let (plane, driver) = (stride.plane, mover.driver.bypass_change_detection());
        stride.position = plane.to_grid(parent.transform_point(transform.translation));
        stride.step += driver.carry;
        stride.slide();
        let before = transform.translation;
        let local = parent
            .affine()
            .inverse()
            .transform_vector3(plane.direction_to_world(stride.step));
        // A parent scaled to a line or a point allows no movement.
        if !local.is_finite() || before + local == before {
            driver.carry = if local.is_finite() {
                stride.step
            } else {
                Vec2::ZERO
            };
            continue;
        }
        transform.translation += local;
        let made = parent
            .affine()
            .transform_vector3(transform.translation - before);
        driver.carry = stride.step - plane.direction_to_grid(made);
    }
}

impl Stride<'_> {
    /// Removes the part of the step that would lead into a wall.
    fn slide(&mut self) {
        if let Some(snapshot) = self.snapshot.filter(|_| !self.is_proven) {
            self.step = slide_along_walls(snapshot, self.body, self.position, self.step);
        }
    }
}

/// The part of a step that keeps the body clear of walls and out of forbidden ground: the whole step, else its part
/// along one axis, else zero.
///
/// A body that is already too close to a wall may only move away from the wall.
pub(super) fn slide_along_walls(
    snapshot: &NavSnapshot,
    body: NavBody,
    position: Vec2,
    wanted: Vec2,
) -> Vec2 {
    let wanted = snapshot.keep_out(position, wanted, body.class);
    // This is the most common case. The test is cheap: it reads one or two bytes.
    if snapshot.can_go_straight(position, position + wanted, body, 1.0) {
        return wanted;
    }
    let here = snapshot.clearance_at(position);
    let planned = snapshot.radius_cells(body.radius) * snapshot.layout().cell_size();
    let enough = planned.min(here);
    let fits = |part: &Vec2| {
        let there = position + *part;
        if snapshot.keep_out(position, *part, body.class) != *part {
            return false;
        }
        let clear = snapshot.clearance_at(there);
        // The free discs around both ends meet, so there is not even a thin wall between the ends.
        let is_near = here < planned || part.length() < here + clear;
        (is_near && clear >= enough) || snapshot.is_open(position, there, body.radius)
    };
    let parts = [wanted, Vec2::new(wanted.x, 0.0), Vec2::new(0.0, wanted.y)];
    parts.into_iter().find(fits).unwrap_or(Vec2::ZERO)
}

#[cfg(test)]
mod tests {
    use pursuit::{Clearance, DiagonalPolicy, Layout, Step};

    use super::*;

    /// Ten columns and three rows of unit cells, and a wall without thickness at x = 5.
    fn thin_wall() -> NavSnapshot {
        let layout = Layout::new(Vec2::ZERO, 1.0, 10, 3).unwrap();
        let mut clearance = Clearance::open(10, 3, 4.0).unwrap();
        for cell in layout.rect().cells() {
            clearance.limit_center(cell, (layout.center(cell).x - 5.0).abs());
            for step in Step::ALL {
                let ends = [cell, step.end(cell)].map(|end| layout.center(end).x - 5.0);
                let crosses = ends[0] * ends[1] < 0.0;
                let nearest = ends[0].abs().min(ends[1].abs());
                clearance.limit_step(cell, step, if crosses { 0.0 } else { nearest });
            }
        }
        NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1)
    }

    #[test]
    fn no_step_of_any_length_leads_through_a_thin_wall() {
        let snapshot = thin_wall();
        for to in 0..10 {
            let from = Vec2::new(1.5, 1.5);
            let wanted = Vec2::new(to as f32 + 0.5, 1.5) - from;
            let end = from + slide_along_walls(&snapshot, 0.4.into(), from, wanted);
            assert!(end.x < 5.0, "from {from} by {wanted} to {end}");
            let is_free = to < 5;
            assert_eq!(end == from + wanted, is_free, "by {wanted} to {end}");
        }
    }

    #[test]
    fn a_step_into_a_wall_slides_along_it() {
        let slid = slide_along_walls(
            &thin_wall(),
            0.4.into(),
            Vec2::new(4.5, 0.6),
            Vec2::new(0.5, 0.7),
        );
        assert_eq!(slid, Vec2::new(0.0, 0.7));
    }

    #[test]
    fn a_free_step_never_leads_out_of_the_grid() {
        let snapshot = thin_wall();
        let from = Vec2::new(9.5, 1.5);
        assert_eq!(
            slide_along_walls(&snapshot, 0.4.into(), from, Vec2::new(0.4, 0.1)),
            Vec2::new(0.4, 0.1)
        );
        assert_eq!(
            slide_along_walls(&snapshot, 0.4.into(), from, Vec2::new(0.6, 0.0)),
            Vec2::ZERO
        );
    }
}
