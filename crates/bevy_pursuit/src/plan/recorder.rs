//! What a search for an entity did, kept so that it can be looked at.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::component::Component;
use bevy::ecs::entity::{Entity, MapEntities};
use bevy::ecs::prelude::ReflectComponent;
use bevy::platform::time::Instant;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::{Algorithm, FindPathError, PathOptions};
use pursuit_lab::recording::{RecordedSearch, Recording};

use super::detour::JamCells;
use super::ends::{Ends, Trip};
use super::searches::search;
use super::waypoints::Route;
use crate::agent::NavBody;
use crate::grid::BodyLayers;
use crate::intent::{Chase, PathRequest};

/// Records the searches for this entity's path, to see afterwards how they went.
///
/// The entity searches as soon as it has this, then whenever it would anyway; each search takes the place of
/// the one before. Its path costs the same as without, unless
/// [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings::max_expanded) ends the search: algorithms expand different
/// cells. But it searches by itself, also where it could go straight, where agents with its goal share a field, or
/// where tables (`NavGrid::with_deep_bake`) would have the answer. So it takes more time, and up to
/// 32 MiB: meant for a few entities that are looked at.
///
/// Jump points, the usual algorithm, have few events. To see A\* go from cell to cell, insert
/// `PathRecorder::by(Algorithm::AStar)`: the entity then searches by A\* while it has it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_pursuit::PathRecorder;
/// use bevy_pursuit::core::Algorithm;
///
/// fn watch(mut commands: Commands, enemy: Entity) {
///     commands.entity(enemy).insert(PathRecorder::by(Algorithm::AStar));
/// }
/// ```
///
/// The overlay of `bevy_pursuit_debug` replays what is in here. A [`Replay`](pursuit_lab::replay::Replay) does the
/// same in code. Nothing is recorded of a [`Flee`](crate::Flee), which floods a field, and of what
/// fails before it is searched for.
///
/// Inserted and removed by the user; [`PathRequest::recorded`](crate::PathRequest::recorded) and
/// [`Chase::recorded`](crate::Chase::recorded) add it. What is in it is written by this crate.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default, Clone, Debug)]
pub struct PathRecorder {
    #[reflect(ignore)]
    algorithm: Algorithm,
    #[reflect(ignore)]
    #[entities]
    latest: Option<RecordedPath>,
    /// Whether a search was over since the component came.
    #[reflect(ignore)]
    has_heard: bool,
}

/// A search, and where it took place.
#[derive(MapEntities, Reflect, Clone, Debug)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
pub struct RecordedPath {
    /// What the search did. Its cells are those of the grid.
    pub recording: Arc<Recording>,
    /// The grid that was searched.
    #[entities]
    pub grid: Entity,
    /// Generation of the grid at that time.
    pub generation: u64,
    /// Radius of the body that was planned for, in world units.
    pub body: NavBody,
}

impl PathRecorder {
    /// One whose entity searches by an algorithm while it has it. [`Algorithm::Auto`], the default, is the search that
    /// the entity would run without a recorder, but never by tables or a shared field. Where another one cannot run, as
    /// [`Algorithm::JumpPoint`] with corners that may be cut, A\* does.
    pub fn by(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            ..Self::default()
        }
    }

    /// By which algorithm its entity searches. Default: [`Algorithm::Auto`].
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The latest search; `None` until one is over.
    pub fn latest(&self) -> Option<&RecordedPath> {
        self.latest.as_ref()
    }

    /// Whether a search is still to come.
    pub(crate) fn waits(&self) -> bool {
        !self.has_heard
    }

    /// Takes in the answer to a trip, and the search on a grid that was recorded, unless another algorithm is asked for
    /// by now.
    pub(super) fn hear(
        &mut self,
        trip: &Trip,
        search: Option<(Recorded, Entity)>,
        generation: u64,
    ) {
        if trip.recorded_by != Some(self.algorithm) {
            return;
        }
        self.has_heard = true;
        if let Some((recording, grid)) = search {
            self.latest = Some(RecordedPath {
                recording,
                grid,
                generation,
                body: trip.errand.body(),
            });
        }
    }

    /// Forgets what was recorded for somebody else.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self::by(self.algorithm);
    }
}

impl PathRequest {
    /// Records the searches for it: see [`PathRecorder`].
    pub fn recorded(self) -> (Self, PathRecorder) {
        (self, PathRecorder::default())
    }
}

impl Chase {
    /// Records the searches for it: see [`PathRecorder`].
    pub fn recorded(self) -> (Self, PathRecorder) {
        (self, PathRecorder::default())
    }
}

/// What the search for an answer did.
pub(super) type Recorded = Arc<Recording>;

/// What a search finds, and what it does: on the grid of the layers, or around a place. Tables search no cells, and so
/// do not answer.
pub(super) fn record(
    layers: &BodyLayers,
    jam: Option<JamCells>,
    ends: &Ends,
    options: PathOptions,
    cancel: &AtomicBool,
) -> Result<(Route, Recorded), FindPathError> {
    #[cfg(feature = "deep_bake")]
    let options = match options.algorithm {
        Algorithm::Auto if layers.tables().is_some() => PathOptions {
            algorithm: Algorithm::JumpPoint,
            ..options
        },
        _ => options,
    };
    let (from, to) = (ends.from, ends.to);
    let mut asked = RecordedSearch::new(layers.grid(), from, to, &options);
    if jam.is_some() {
        asked = asked.named("A*");
    }
    let mut recording = Recording::new(asked);
    let begun = Instant::now();
    let found = search(|scratch| match jam {
        Some(jam) => {
            jam.find_path_recorded(layers, ends, &options, scratch, &mut recording, cancel)
        }
        None => {
            let search = layers.search(from, to, &options, scratch)?;
            search.finish(&mut recording, cancel.into())
        }
    })?;
    recording.finish(&found, Some(begun.elapsed()));
    Ok((found.into(), Arc::new(recording)))
}
