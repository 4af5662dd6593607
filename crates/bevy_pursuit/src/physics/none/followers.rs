//! Moves agents that follow a flow: bare transforms of the plane of X and Y, by slices of tables.

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::transform::components::Transform;
use pursuit::crowd::Workers;

use super::transform::slide_along_walls;
use crate::agent::{BodyKind, BodyState, DesiredVelocity, DriverState, FlowFollower};
use crate::chunks::Pool;
use crate::flow::Flows;
use crate::grid::Ground;
use crate::physics::steps::DrivenTick;

/// What moving reads and writes of followers, table by table.
type Follower = (
    &'static mut FlowFollower,
    &'static DesiredVelocity,
    &'static mut BodyState,
    &'static mut Transform,
);

pub(in crate::physics) fn drive_followers(
    tick: DrivenTick,
    flows: Res<Flows>,
    mut followers: Query<Follower, Without<ChildOf>>,
) {
    let grids = tick.grids();
    let (dt, is_followed) = (tick.dt(), tick.is_followed());
    if dt <= 0.0 {
        return;
    }
    let pool = Pool::default();
    let count = followers.iter().len();
    let size = count.div_ceil(pool.parts(count)).max(1);
    let Ok(tables) = followers.contiguous_iter_mut() else {
        return;
    };
    let parts = tables.flat_map(|(followers, desired, bodies, transforms)| {
        let (followers, _) = ContiguousMut::bypass_change_detection_split(followers);
        let (bodies, _) = ContiguousMut::bypass_change_detection_split(bodies);
        let (transforms, _) = ContiguousMut::split(transforms);
        (followers.chunks_mut(size))
            .zip(desired.chunks(size))
            .zip(bodies.chunks_mut(size))
            .zip(transforms.chunks_mut(size))
    });
    let parts: Vec<_> = parts.collect();
    pool.run(parts, |(((followers, desired), bodies), transforms)| {
        for (((follower, desired), body), transform) in followers
            .iter_mut()
            .zip(desired)
            .zip(bodies)
            .zip(transforms)
        {
            let wanted = if is_followed {
                desired.0.truncate()
            } else {
                Vec2::ZERO
            };
            follower.drive(wanted, dt, (body, transform), &flows, &grids);
        }
    });
}

impl FlowFollower {
    fn drive(
        &mut self,
        wanted: Vec2,
        dt: f32,
        (body, transform): (&mut BodyState, &mut Transform),
        flows: &Flows,
        grids: &[Ground],
    ) {
        if body.kind != BodyKind::Bare {
            return;
        }
        body.walks = wanted.is_finite() && wanted != Vec2::ZERO;
        if body.state != DriverState::Ready || !body.walks {
            return;
        }
        let here = transform.translation.truncate();
        let mut step = wanted * dt;
        if wanted != self.proven {
            let key = flows.get(self.flow).and_then(|flow| flow.key);
            let ground = key.and_then(|key| grids.iter().find(|ground| ground.grid == key.grid));
            if let Some((snapshot, key)) = ground.and_then(|ground| ground.snapshot).zip(key) {
                step = slide_along_walls(snapshot, key.body, here, step);
            }
            // One that hardly gets on is noticed by where it should be.
            if step.length_squared() > 0.25 * (wanted * dt).length_squared() {
                self.expected = here + step;
            }
        }
        let step = body.representable(here, step);
        if step.is_finite() {
            transform.translation += step.extend(0.0);
        }
    }
}
