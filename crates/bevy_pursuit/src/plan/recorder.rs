//! Records the searches of an entity, so that they can be replayed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity::MapEntities;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use pursuit::{Algorithm, FindPathError, PathOptions};
use pursuit_lab::recording::{RecordedSearch, Recording};

use super::ends::{Ends, Trip};
use super::priced::Discs;
use super::searches::find_path;
use super::waypoints::CellPath;
use crate::agent::NavBody;
use crate::grid::BodyLayers;
use crate::intent::{Chase, PathRequest};

/// Records the searches for this entity's path, to show afterwards how they went.
///
/// The entity searches as soon as it has this component, and then whenever it would anyway; each recording
/// replaces the one before. Its path costs the same as without a recorder, unless
/// [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings::max_expanded) ends the search:
/// algorithms expand different cells. But the entity always runs a search of its own, even if it could go
/// straight, if agents with its goal share a field, or if tables (`NavGrid::with_deep_bake`) would have the
/// answer. That takes more time, and up to 32 MiB of memory, so use it for the few entities that you look at.
///
/// Jump points, the usual algorithm, produce few events. To see A\* go from cell to cell, insert
/// `PathRecorder::by(Algorithm::AStar)`: the entity then searches with A\* while it has the component.
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
/// The overlay of `bevy_pursuit_debug` replays the recording; a [`Replay`](pursuit_lab::replay::Replay) does so
/// in code. Nothing is recorded for a [`Flee`](crate::Flee), which floods a field, and for requests that fail
/// before a search.
///
/// Inserted and removed by the user; [`PathRequest::recorded`](crate::PathRequest::recorded) and
/// [`Chase::recorded`](crate::Chase::recorded) add it. Its content is written by this crate.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default, Clone, Debug)]
pub struct PathRecorder {
    #[reflect(ignore)]
    algorithm: Algorithm,
    #[reflect(ignore)]
    #[entities]
    latest: Option<RecordedPath>,
    /// Whether a search has ended since the component was inserted.
    #[reflect(ignore)]
    has_heard: bool,
}

/// A recorded search, and the grid that was searched.
#[derive(MapEntities, Reflect, Clone, Debug)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
pub struct RecordedPath {
    /// The events of the search. Cells are those of the grid.
    pub recording: Arc<Recording>,
    /// The grid that was searched.
    #[entities]
    pub grid: Entity,
    /// Generation of the grid at the time of the search.
    pub generation: u64,
    /// The body that was planned for. Its radius is in world units.
    pub body: NavBody,
}

impl PathRecorder {
    /// A recorder whose entity searches with `algorithm` while it has the component. [`Algorithm::Auto`], the
    /// default, is the search that the entity would run without a recorder, except that it never uses tables or
    /// a shared field. If the algorithm cannot run, for example [`Algorithm::JumpPoint`] where corners may be
    /// cut, A\* runs instead.
    pub fn by(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            ..Self::default()
        }
    }

    /// The algorithm that the entity searches with. Default: [`Algorithm::Auto`].
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The latest search; `None` until one is finished.
    pub fn latest(&self) -> Option<&RecordedPath> {
        self.latest.as_ref()
    }

    /// Whether the recorder still waits for its first search.
    pub(crate) fn waits(&self) -> bool {
        !self.has_heard
    }

    /// Notes the end of a search, and stores its recording if there is one. Does nothing if the game has changed the
    /// algorithm since the search began.
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
                body: trip.order.body(),
            });
        }
    }

    /// Forgets a recording that was copied from another entity.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self::by(self.algorithm);
    }
}

impl PathRequest {
    /// Records the searches for this request: see [`PathRecorder`].
    pub fn recorded(self) -> (Self, PathRecorder) {
        (self, PathRecorder::default())
    }
}

impl Chase {
    /// Records the searches for this chase: see [`PathRecorder`].
    pub fn recorded(self) -> (Self, PathRecorder) {
        (self, PathRecorder::default())
    }
}

/// The recording of a search.
pub(super) type Recorded = Arc<Recording>;

/// Runs a search on the grid of `layers`, with the prices of `discs` if there are any, and records it. Search tables
/// are not used, because they do not search cells.
pub(super) fn record(
    layers: &BodyLayers,
    discs: Option<&Discs>,
    ends: &Ends,
    options: PathOptions,
    cancel: &AtomicBool,
) -> Result<(CellPath, Recorded), FindPathError> {
    #[cfg(feature = "deep_bake")]
    let options = match options.algorithm {
        Algorithm::Auto if layers.tables().is_some() => PathOptions {
            algorithm: Algorithm::JumpPoint,
            ..options
        },
        _ => options,
    };
    let mut asked = RecordedSearch::new(layers.grid(), ends.from, ends.to, &options);
    if discs.is_some() {
        asked = asked.named("A*");
    }
    let mut recording = Recording::new(asked);
    let begun = Instant::now();
    let found = find_path(layers, discs, ends, &options, &mut recording, cancel)?;
    recording.finish(&found, Some(begun.elapsed()));
    Ok((found.into(), Arc::new(recording)))
}
