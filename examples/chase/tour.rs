//! A player that walks by itself: from one random place to the next.

use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{Locomotion, NavDrive, PathRequest, PathStatus};
use pursuit::Cell;
use pursuit_examples::bodies::BODY_RADIUS;
use pursuit_examples::stage::Stage;

use crate::hunters;
use crate::player::{Player, walker};

/// Share of the hunters' speed at which the touring player walks, so that they catch it.
const SPEED_SHARE: f32 = 0.6;
/// Places looked at for one that is free of furniture.
const TRIES: usize = 64;

/// Walks the player around.
#[derive(Resource, Debug)]
pub(crate) struct Tour {
    rng: fastrand::Rng,
    floor: Vec<Cell>,
}

impl Tour {
    /// A tour of the stage's floor; the same seed goes the same way.
    pub(crate) fn new(stage: &Stage, seed: u64) -> Self {
        Self {
            rng: fastrand::Rng::with_seed(seed),
            floor: stage.level.main_floor(),
        }
    }
}

/// Sends the player on when it came to its goal, or cannot.
pub(crate) fn choose_next_goal(
    mut commands: Commands,
    mut tour: ResMut<Tour>,
    stage: Res<Stage>,
    grids: Query<&BakedGrid>,
    player: Single<(Entity, Option<(&PathRequest, &PathStatus, &Locomotion)>), With<Player>>,
) {
    let Some(snapshot) = grids.iter().find_map(BakedGrid::snapshot) else {
        return;
    };
    let (player, walk) = *player;
    let done = walk.is_none_or(|(_, status, locomotion)| match status {
        PathStatus::Queued | PathStatus::Searching => false,
        PathStatus::Failed(_) => true,
        _ => matches!(
            locomotion,
            Locomotion::Arrived | Locomotion::Waiting | Locomotion::Stuck
        ),
    });
    if !done {
        return;
    }
    for _ in 0..TRIES {
        let tour = &mut *tour;
        let tile = tour.floor[tour.rng.usize(..tour.floor.len())];
        let goal = stage.level.layout().center(tile);
        if snapshot.free(goal, BODY_RADIUS) {
            let speed = SPEED_SHARE * hunters::SPEED;
            commands.entity(player).insert((
                walker(speed),
                PathRequest::to(goal),
                NavDrive::default(),
            ));
            return;
        }
    }
}
