//! Replaces the module `recorder` if its feature is off. No entity has a recorder, and no search is recorded.

use std::convert::Infallible;

use bevy::prelude::*;
use pursuit::Algorithm;

use super::ends::Trip;

/// A component that no entity can have.
#[derive(Component, Clone)]
pub(crate) enum PathRecorder {}

/// A recording that cannot exist.
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
