//! Moves agents without a body. No physics stops these, so the grid does.

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;
use bevy::transform::helper::TransformHelper;

use crate::agent::{
    BodyKind, BodyState, DesiredVelocity, Drive, Following, Intent, NavAgent, NavBody, NavDrive,
    NavFrame, NavPath, PathCursor, Plane,
};
use crate::chunks::in_chunks;
use crate::grid::{BakedGrid, Ground, NavSnapshot};
use crate::schedule::{FollowTick, Ran};
use crate::settings::PursuitSettings;

/// One agent's step in the frame of its grid, on its way from what is wanted to what is possible.
#[derive(Clone, Copy, Debug)]
pub(in crate::physics) struct Stride {
    position: Vec2,
    /// What it wants; then what it gets.
    step: Vec2,
    body: NavBody,
    /// Index of the grid that it walks on.
    grid: Option<usize>,
    /// Whether nothing is in the way, as planning proved.
    is_proven: bool,
}

/// The grid whose walls stop an agent, by its index: that of the leg that it is on, else the one that it means to plan on.
fn index_of(
    grids: &[Ground],
    (path, cursor): (&NavPath, &PathCursor),
    intent: &Intent,
) -> Option<usize> {
    let index_of = |grid: Option<Entity>| {
        let grid = grid?;
        let mut grids = grids.iter();
        grids.position(|ground| ground.grid == grid && ground.snapshot.is_some())
    };
    index_of(path.grid_to(cursor.next())).or_else(|| index_of(intent.errand.grid))
}

fn frame_of<'a>(grids: &'a [Ground], index: Option<usize>) -> &'a Plane {
    index.map_or(&Plane::XY, |index| &grids[index].frame)
}

/// What moving a bare transform reads of an agent, and writes.
type AgentData<'a> = (
    &'a NavAgent,
    Option<&'a NavDrive>,
    &'a DesiredVelocity,
    (&'a NavPath, &'a PathCursor),
    &'a Intent,
    &'a Following,
    &'a mut BodyState,
);

/// Moves the agents that stand in the world themselves.
pub(in crate::physics) fn drive_roots(
    time: Res<Time>,
    followed: Ran<FollowTick>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, Option<&NavFrame>, &BakedGrid)>,
    mut strides: Local<Vec<Stride>>,
    mut agents: Query<(AgentData, &mut Transform), Without<ChildOf>>,
) {
    let dt = settings.step(time.delta_secs());
    let grids: Vec<Ground> = grids.iter().map(Ground::new).collect();
    let is_followed = followed.now();
    strides.clear();
    for ((agent, drive, desired, path, intent, following, mut driver), transform) in &mut agents {
        if driver.kind != BodyKind::Bare {
            continue;
        }
        let grid = index_of(&grids, path, intent);
        let frame = frame_of(&grids, grid);
        let desired = frame.direction_to_grid(desired.0);
        let desired = if is_followed { desired } else { Vec2::ZERO };
        let driver = driver.bypass_change_detection();
        if let Drive::Go(wanted) = driver.drive(desired, NavDrive::effective(drive)) {
            let position = frame.to_grid(transform.translation);
            // What rounding leaves of a step depends on how far from the world's origin it is.
            let coarse = frame.direction_to_grid(transform.translation);
            strides.push(Stride {
                position,
                step: driver.representable(coarse, wanted * dt),
                body: agent.into(),
                grid,
                is_proven: following.proven == wanted,
            });
        }
    }
    in_chunks(&mut strides, |strides| {
        strides.iter_mut().for_each(|stride| stride.slide(&grids));
    });
    // The same agents in the same order: nobody was moved to another table in between.
    let walkers = agents
        .iter_mut()
        .filter(|((.., driver), _)| driver.kind == BodyKind::Bare && driver.is_going());
    for (((.., mut driver), mut transform), stride) in walkers.zip(strides.iter()) {
        if stride.step != Vec2::ZERO && stride.step.is_finite() {
            let (frame, before) = (frame_of(&grids, stride.grid), transform.translation);
            transform.translation += frame.direction_to_world(stride.step);
            if !frame.is_xy() {
                // The axes of the world round another part of it.
                let made = frame.direction_to_grid(transform.translation - before);
                driver.bypass_change_detection().carry += stride.step - made;
            }
        }
    }
}

/// Moves the agents that stand below another entity.
pub(in crate::physics) fn drive_children(
    time: Res<Time>,
    followed: Ran<FollowTick>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, Option<&NavFrame>, &BakedGrid)>,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform>)>,
    mut agents: Query<(Entity, AgentData, &ChildOf)>,
) {
    if agents.is_empty() {
        return;
    }
    let dt = settings.step(time.delta_secs());
    let grids: Vec<Ground> = grids.iter().map(Ground::new).collect();
    let is_followed = followed.now();
    for (entity, (agent, drive, desired, path, intent, following, mut driver), child_of) in
        &mut agents
    {
        if driver.kind != BodyKind::Bare {
            continue;
        }
        let grid = index_of(&grids, path, intent);
        let frame = frame_of(&grids, grid);
        let desired = frame.direction_to_grid(desired.0);
        let desired = if is_followed { desired } else { Vec2::ZERO };
        let driver = driver.bypass_change_detection();
        let Drive::Go(wanted) = driver.drive(desired, NavDrive::effective(drive)) else {
            continue;
        };
        let Ok(parent) = transforms.p0().compute_global_transform(child_of.parent()) else {
            continue;
        };
        let mut movable = transforms.p1();
        let Ok(mut transform) = movable.get_mut(entity) else {
            continue;
        };
        let position = frame.to_grid(parent.transform_point(transform.translation));
        let mut stride = Stride {
            position,
            step: wanted * dt + driver.carry,
            body: agent.into(),
            grid,
            is_proven: following.proven == wanted,
        };
        stride.slide(&grids);
        let before = transform.translation;
        let local = parent
            .affine()
            .inverse()
            .transform_vector3(frame.direction_to_world(stride.step));
        // A parent flattened to a line or a point leaves no way to walk.
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
        driver.carry = stride.step - frame.direction_to_grid(made);
    }
}

impl Stride {
    /// Takes from the step what would lead into a wall.
    fn slide(&mut self, grids: &[Ground]) {
        if self.is_proven {
            return;
        }
        let snapshot = self.grid.and_then(|grid| grids[grid].snapshot);
        if let Some(snapshot) = snapshot {
            self.step = slide_along_walls(snapshot, self.body, self.position, self.step);
        }
    }
}

/// The part of a step that keeps the body clear of walls: all of it, else along one axis.
///
/// A body that is already too near to a wall may only move away from it.
fn slide_along_walls(snapshot: &NavSnapshot, body: NavBody, position: Vec2, wanted: Vec2) -> Vec2 {
    // This is so nearly always, and costs one look at a byte or two.
    if snapshot.can_go_straight(position, position + wanted, body, 1.0) {
        return wanted;
    }
    let here = snapshot.clearance_at(position);
    let planned = snapshot.radius_cells(body.radius) * snapshot.layout().cell_size();
    let enough = planned.min(here);
    let fits = |part: &Vec2| {
        let there = position + *part;
        if snapshot.enters_forbidden(position, there, body.class) {
            return false;
        }
        let clear = snapshot.clearance_at(there);
        // The free discs around both ends meet, so that no wall, however thin, is between.
        let is_near = here < planned || part.length() < here + clear;
        (is_near && clear >= enough) || snapshot.sees(position, there, body.radius)
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
            clearance.lower_center(cell, (layout.center(cell).x - 5.0).abs());
            for step in Step::ALL {
                let ends = [cell, step.end(cell)].map(|end| layout.center(end).x - 5.0);
                let crosses = ends[0] * ends[1] < 0.0;
                let nearest = ends[0].abs().min(ends[1].abs());
                clearance.lower_step(cell, step, if crosses { 0.0 } else { nearest });
            }
        }
        NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1)
    }

    #[test]
    fn no_step_however_long_leads_through_a_thin_wall() {
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
