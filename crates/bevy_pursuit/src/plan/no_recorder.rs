//! What stands in for the module `recorder` without its feature: no entity has a recorder, no search is recorded.

use std::convert::Infallible;

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use pursuit::Algorithm;

use super::ends::Trip;

/// Without the feature, there is no value of it.
#[derive(Component, Clone)]
pub(crate) enum PathRecorder {}

/// Without the feature, there is no value of it.
pub(super) type Recorded = Infallible;

impl PathRecorder {
    pub(crate) fn algorithm(&self) -> Algorithm {
        match *self {}
    }

    pub(crate) fn waits(&self) -> bool {
        match *self {}
    }

    pub(super) fn hear(&mut self, _: &Trip, _: Option<(Recorded, Entity)>, _: u64) {
        match *self {}
    }

    pub(crate) fn begin_anew(&mut self) {
        match *self {}
    }
}
