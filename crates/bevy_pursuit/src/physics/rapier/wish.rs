//! What a body is to do, held back from what is forbidden to its agent.

use bevy::ecs::query::QueryData;
use bevy::math::Vec3;

use crate::agent::{DesiredVelocity, NavAgent, Place};
use crate::grid::{Ground, OnPath, Spot};
use crate::physics::steps::DrivenTick;

/// What tells how a body may go.
#[derive(QueryData)]
pub(super) struct Wish {
    agent: &'static NavAgent,
    desired: &'static DesiredVelocity,
    place: &'static Place,
    on_path: OnPath<'static>,
}

impl WishItem<'_, '_> {
    /// What the agent wants, or what of that leads into no cell that is forbidden to its class: a game may write what it
    /// likes.
    pub(super) fn allowed(&self, tick: &DrivenTick, grids: &[Ground<'_>]) -> Vec3 {
        let wanted = tick.wanted(self.desired);
        let spot = Spot::of(grids, self.on_path);
        let Some(snapshot) = spot.snapshot() else {
            return wanted;
        };
        let from = spot.frame.to_grid(self.place.0);
        let step = spot.frame.direction_to_grid(wanted * tick.dt());
        let part = snapshot.keep_out(from, step, self.agent.class);
        match part == step {
            true => wanted,
            false => spot.frame.direction_to_world(part / tick.dt()),
        }
    }
}
