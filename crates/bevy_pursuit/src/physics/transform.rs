//! Moves agents without a physics body. No physics engine stops such agents at walls, so the grid stops them.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pursuit::crowd::Workers;

use crate::agent::{
    BodyKind, BodyState, DesiredVelocity, Drive, GridPlane, NavAgent, NavDrive, WalkSource,
    WalkState,
};
use crate::chunks::{Column, Cut, Pool, unmarked};
use crate::physics::driven_tick::{DrivenOn, DrivenTick};

/// The components that moving a bare transform reads and writes.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(in crate::physics) struct Mover {
    agent: &'static NavAgent,
    drive: Option<&'static NavDrive>,
    desired: &'static DesiredVelocity,
    driven_on: DrivenOn<'static>,
    walk: &'static mut WalkState,
    driver: &'static mut BodyState,
}

/// A bare transform that may move in this tick.
struct Walker<'a> {
    agent: &'a NavAgent,
    drive: Option<&'a NavDrive>,
    wanted: Vec3,
    driven_on: DrivenOn<'a>,
    walk: &'a mut WalkState,
    driver: &'a mut BodyState,
}

impl Walker<'_> {
    /// The plane of the agent's coordinates, and the step that the agent makes from a position in the world, in these
    /// coordinates. `None` if the agent does not move. If `is_rounded`, the step leads to a representable position.
    fn step<'g>(
        &mut self,
        tick: &'g DrivenTick,
        position: Vec3,
        is_rounded: bool,
    ) -> Option<(&'g GridPlane, Vec2)> {
        let grid = match self.walk.field() {
            // Usually, a field leads the agent on the only grid. Then the walked grid need not be read.
            Some(_) if tick.grids.len() == 1 => Some(tick.grids.at(0)),
            _ => tick.grid_under(self.driven_on, position, self.wanted),
        };
        let plane = grid.map_or(&GridPlane::XY, |grid| grid.plane());
        let desired = plane.direction_to_grid(self.wanted);
        let grip = NavDrive::grip_of(self.drive);
        let Drive::Go(wanted) = self.driver.drive(desired, grip) else {
            return None;
        };
        let mut step = wanted * tick.dt();
        match is_rounded {
            true => step = (self.driver).representable(plane.direction_to_grid(position), step),
            false => step += self.driver.carry,
        }
        let unproven = grid.filter(|_| self.walk.proven_velocity != wanted);
        if let Some(snapshot) = unproven.and_then(|grid| grid.snapshot()) {
            let (position, whole) = (plane.to_grid(position), step);
            step = snapshot.slide_along_walls(self.agent.into(), position, step);
            if let WalkSource::Field(walk) = &mut self.walk.source {
                // If walls leave at most half of the step, the expected position stays ahead of the agent. The agent
                // then counts as held up.
                if step.length_squared() > 0.25 * whole.length_squared() {
                    walk.expect(position + step);
                }
            }
        }
        Some((plane, step))
    }
}

/// Moves the agents without a parent.
pub(in crate::physics) fn drive_roots(
    tick: DrivenTick,
    mut agents: Query<(Mover, &mut Transform), Without<ChildOf>>,
) {
    let pool = Pool::default();
    let count = agents.iter().len();
    let size = pool.part_size(count);
    let Ok(tables) = agents.contiguous_iter_mut() else {
        return;
    };
    let tables = tables.map(|(movers, transforms)| {
        let read = (movers.agent, movers.drive, movers.desired, movers.driven_on);
        let written = (unmarked(movers.walk), unmarked(movers.driver));
        (read, written, Column::new(transforms))
    });
    let mut tables: Vec<_> = tables.collect();
    let parts = tables.iter_mut().flat_map(|(read, written, transforms)| {
        let rows = (transforms.rows(), &mut *written.0, &mut *written.1);
        let parts = rows.parts(read.0.len(), size).into_iter();
        let parts = parts.zip((0..).step_by(size));
        parts.map(|part| (&*read, part))
    });
    pool.share(
        (count, size),
        parts,
        |(read, ((mut transforms, walks, drivers), first))| {
            let (agents, drives, desired, (walked, named)) = *read;
            for index in 0..walks.len() {
                let (walk, driver) = (&mut walks[index], &mut drivers[index]);
                if driver.kind != BodyKind::Bare {
                    continue;
                }
                let row = first + index;
                let mut walker = Walker {
                    agent: &agents[row],
                    drive: drives.map(|all| &all[row]),
                    wanted: tick.wanted(&desired[row]),
                    driven_on: (&walked[row], named.map(|all| &all[row])),
                    walk,
                    driver,
                };
                transforms.change(index, |transform| walker.drive_root(&tick, transform));
            }
        },
    );
}

impl Walker<'_> {
    /// Moves an agent without a parent. Returns whether it moved.
    fn drive_root(&mut self, tick: &DrivenTick, transform: &mut Transform) -> bool {
        let before = transform.translation;
        let step = self.step(tick, before, true);
        let moves = |(_, step): &(_, Vec2)| *step != Vec2::ZERO && step.is_finite();
        let Some((plane, step)) = step.filter(moves) else {
            return false;
        };
        transform.translation += plane.direction_to_world(step);
        if !plane.is_xy() {
            // The position is rounded along the axes of the world, not along the axes of the grid, so the agent may
            // make a slightly different step.
            let made = plane.direction_to_grid(transform.translation - before);
            self.driver.carry += step - made;
        }
        true
    }
}

/// Moves the agents with a parent.
pub(in crate::physics) fn drive_children(
    tick: DrivenTick,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform>)>,
    mut agents: Query<(Entity, Mover, &ChildOf)>,
) {
    for (entity, mut mover, child_of) in &mut agents {
        if mover.driver.kind != BodyKind::Bare {
            continue;
        }
        let Ok(parent) = transforms.p0().compute_global_transform(child_of.parent()) else {
            continue;
        };
        let mut movable = transforms.p1();
        let Ok(mut transform) = movable.get_mut(entity) else {
            continue;
        };
        let before = transform.translation;
        let mut walker = Walker {
            agent: mover.agent,
            drive: mover.drive,
            wanted: tick.wanted(mover.desired),
            driven_on: mover.driven_on,
            walk: mover.walk.bypass_change_detection(),
            driver: mover.driver.bypass_change_detection(),
        };
        let parent = parent.affine();
        let position = parent.transform_point3(before);
        let Some((plane, step)) = walker.step(&tick, position, false) else {
            continue;
        };
        let inverse = parent.inverse();
        let local = inverse.transform_vector3(plane.direction_to_world(step));
        // A parent scaled to a line or a point allows no movement.
        if !local.is_finite() || before + local == before {
            walker.driver.carry = if local.is_finite() { step } else { Vec2::ZERO };
            continue;
        }
        transform.translation += local;
        let made = parent.transform_vector3(transform.translation - before);
        walker.driver.carry = step - plane.direction_to_grid(made);
    }
}

#[cfg(test)]
mod tests {
    use pursuit::{Clearance, DiagonalPolicy, Layout, Step};

    use super::*;
    use crate::grid::NavSnapshot;

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
            let end = from + snapshot.slide_along_walls(0.4.into(), from, wanted);
            assert!(end.x < 5.0, "from {from} by {wanted} to {end}");
            let is_free = to < 5;
            assert_eq!(end == from + wanted, is_free, "by {wanted} to {end}");
        }
    }

    #[test]
    fn a_body_too_close_to_a_thin_wall_slides_along_it_but_not_through_it() {
        let snapshot = thin_wall();
        for (x, step) in [(4.7, 0.7), (4.8, 1.9), (4.9, 0.5), (4.9, 3.0)] {
            let from = Vec2::new(x, 1.5);
            let slid = snapshot.slide_along_walls(0.4.into(), from, Vec2::new(step, 0.1));
            assert_eq!(slid, Vec2::new(0.0, 0.1), "from {from} by {step}");
            let back = Vec2::new(-step, 0.1);
            let away = snapshot.slide_along_walls(0.4.into(), from, back);
            assert_eq!(away, back, "from {from} by {back}");
        }
    }

    #[test]
    fn a_step_into_a_wall_slides_along_it() {
        let slid =
            thin_wall().slide_along_walls(0.4.into(), Vec2::new(4.5, 0.6), Vec2::new(0.5, 0.7));
        assert_eq!(slid, Vec2::new(0.0, 0.7));
    }

    #[test]
    fn a_free_step_never_leads_out_of_the_grid() {
        let snapshot = thin_wall();
        let from = Vec2::new(9.5, 1.5);
        assert_eq!(
            snapshot.slide_along_walls(0.4.into(), from, Vec2::new(0.4, 0.1)),
            Vec2::new(0.4, 0.1)
        );
        assert_eq!(
            snapshot.slide_along_walls(0.4.into(), from, Vec2::new(0.6, 0.0)),
            Vec2::ZERO
        );
    }
}
