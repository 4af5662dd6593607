//! The crowd as a game: agents and their targets, and a wall that moves in every tick.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use fastrand::Rng;
use pursuit::{Cell, Grid};

use super::lot::{Lot, WALL_HALF_SIZE};
use crate::cli::Play;
use crate::game::agent::{AGENT_RADIUS, agent};
use crate::game::places::Places;
use crate::game::walls::{Walls, center};
use crate::game::{self, WALLS, at, stages};

/// How far the wall goes in each tick, in cells.
const WALL_STEP: f32 = 0.05;
/// Of so many agents one starts beside the wall and has its target in the pen, one has neither but the
/// start there, and one neither but the target. All others are somewhere else, with both.
const SHARE: usize = 20;

/// One of the crowd.
#[derive(Component)]
pub(super) struct Member;

/// The wall that moves, and how far it went.
#[derive(Component)]
struct MovingWall {
    lot: Lot,
    went: f32,
}

/// An app that makes one tick of game time per update, and how many targets are in the pen beside the wall. `stages` has
/// the stages of the plugin measured one by one. `None` where the level has no room for the pen and the wall.
pub(super) fn build(play: &Play, stages: bool, level: &Grid) -> Option<(App, usize)> {
    let mut random = Rng::with_seed(play.common.seed);
    let lot = Lot::choose(level, &Places::new(level, AGENT_RADIUS)?, &mut random)?;
    let level = lot.build(level);
    let mut app = game::app(play.mode, &play.common.pools, &Walls::of(&level));
    app.add_systems(FixedFirst, move_wall);
    if stages {
        stages::measure(&mut app);
    }
    let cells = Cells::of(&level, lot)?;
    let world = app.world_mut();
    spawn_wall(world, lot);
    let mut targets_in_pen = 0;
    for number in 0..play.agents {
        let (beside, in_pen) = match number % SHARE {
            0 => (true, true),
            1 => (true, false),
            2 => (false, true),
            _ => (false, false),
        };
        let starts = [&cells.anywhere, &cells.beside][usize::from(beside)];
        let targets = [&cells.apart, &cells.pen][usize::from(in_pen)];
        targets_in_pen += usize::from(in_pen || cells.apart == cells.pen);
        let target = world.spawn(at(center(*random.choice(targets)?))).id();
        let start = at(center(*random.choice(starts)?));
        world.spawn((
            Member,
            agent(),
            NavAvoidance::None,
            Chase::new(target),
            start,
        ));
    }
    game::start(&mut app);
    Some((app, targets_in_pen))
}

/// Where the crowd and its targets may stand.
struct Cells {
    anywhere: Vec<Cell>,
    beside: Vec<Cell>,
    pen: Vec<Cell>,
    /// Those of the level that can't be reached from `anywhere` and are not in the pen; the pen where
    /// there are none.
    apart: Vec<Cell>,
}

impl Cells {
    fn of(level: &Grid, lot: Lot) -> Option<Self> {
        let Places {
            largest: anywhere,
            others,
            ..
        } = Places::new(level, AGENT_RADIUS)?;
        let beside = anywhere.iter().copied();
        let beside = beside.filter(|&cell| lot.is_beside_the_wall(cell));
        let (pen, mut apart): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|&cell| lot.is_inside(cell));
        if apart.is_empty() {
            apart.clone_from(&pen);
        }
        Some(Cells {
            beside: beside.collect(),
            anywhere,
            pen,
            apart,
        })
    }
}

fn spawn_wall(world: &mut World, lot: Lot) {
    world.spawn((
        MovingWall { lot, went: 0.0 },
        RigidBody::KinematicPositionBased,
        Collider::cuboid(WALL_HALF_SIZE.x, WALL_HALF_SIZE.y),
        CollisionGroups::new(WALLS, Group::ALL),
        at(lot.wall_at(0.0)),
    ));
}

fn move_wall(mut wall: Single<(&mut MovingWall, &mut Transform)>) {
    let (wall, transform) = &mut *wall;
    wall.went += WALL_STEP;
    transform.translation = wall.lot.wall_at(wall.went).extend(0.0);
}
