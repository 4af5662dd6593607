//! Moves agents that follow a flow: bare transforms in the XY plane, in slices of whole table columns.

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::transform::components::Transform;
use pursuit::crowd::Workers;

use super::transform::slide_along_walls;
use crate::agent::{BodyKind, BodyState, DesiredVelocity, DriverState, FlowFollower};
use crate::chunks::{Column, Pool, unmarked};
use crate::fields::FieldCache;
use crate::grid::GridRef;
use crate::physics::steps::DrivenTick;

/// The components that moving a follower reads and writes, table by table.
type DrivenFollowerData = (
    &'static mut FlowFollower,
    &'static DesiredVelocity,
    &'static mut BodyState,
    &'static mut Transform,
);

pub(in crate::physics) fn drive_followers(
    tick: DrivenTick,
    fields: Res<FieldCache>,
    mut followers: Query<DrivenFollowerData, Without<ChildOf>>,
) {
    let grids = tick.grids();
    let (dt, is_followed) = (tick.dt(), tick.is_followed());
    if dt <= 0.0 {
        return;
    }
    let pool = Pool::default();
    let count = followers.iter().len();
    let size = pool.part_size(count);
    let Ok(tables) = followers.contiguous_iter_mut() else {
        return;
    };
    let tables = tables.map(|(followers, desired, bodies, transforms)| {
        let written = (unmarked(followers), unmarked(bodies));
        (written, desired, Column::new(transforms))
    });
    let mut tables: Vec<_> = tables.collect();
    let parts = tables
        .iter_mut()
        .flat_map(|(written, desired, transforms)| {
            (written.0.chunks_mut(size))
                .zip(desired.chunks(size))
                .zip(written.1.chunks_mut(size))
                .zip(transforms.cut(size))
        });
    pool.share(
        (count, size),
        parts,
        |(((followers, desired), bodies), mut transforms)| {
            let each = followers.iter_mut().zip(desired).zip(bodies);
            for (row, ((follower, desired), body)) in each.enumerate() {
                let wanted = if is_followed {
                    desired.0.truncate()
                } else {
                    Vec2::ZERO
                };
                transforms.change(row, |transform| {
                    follower.drive(wanted, dt, (body, transform), &fields, &grids)
                });
            }
        },
    );
}

impl FlowFollower {
    /// Moves the follower. Returns whether it moved.
    fn drive(
        &mut self,
        wanted: Vec2,
        dt: f32,
        (body, transform): (&mut BodyState, &mut Transform),
        fields: &FieldCache,
        grids: &[GridRef],
    ) -> bool {
        if body.kind != BodyKind::Bare {
            return false;
        }
        body.walks = wanted.is_finite() && wanted != Vec2::ZERO;
        if body.state != DriverState::Ready || !body.walks {
            return false;
        }
        let here = transform.translation.truncate();
        let mut step = wanted * dt;
        if wanted != self.proven_velocity {
            let key = fields.get(self.flow).map(|flow| flow.key);
            let grid = key.and_then(|key| grids.iter().find(|grid| grid.entity == key.grid));
            if let Some((snapshot, key)) = grid.and_then(|grid| grid.snapshot).zip(key) {
                step = slide_along_walls(snapshot, key.body(), here, step);
            }
            // If an agent hardly moves, its `expected` position stays ahead of it, so the agent is noticed as held up.
            if step.length_squared() > 0.25 * (wanted * dt).length_squared() {
                self.expected = here + step;
            }
        }
        let step = body.representable(here, step);
        let moves = step.is_finite() && step != Vec2::ZERO;
        if moves {
            transform.translation += step.extend(0.0);
        }
        moves
    }
}
