//! The sides that play: Pursuit with one kind of avoidance, or a peer.

use std::time::Duration;

use bevy::prelude::*;

use super::plan::CurvePlan;
use crate::game::walls::WallBoxes;
use crate::game::{self, TICK_RATE, transform_at};
use crate::horde::scene::{Scene, Setting};
use crate::horde::world::{Avoidance, Bodies, HordeMember, RADIUS, SPEED, Target};
use crate::horde::{HEAP_AGENTS, HordePlan, build, run_away};
use crate::peers::{Hunt, Peer};

#[derive(Clone, Copy)]
pub(super) enum Side {
    Ours(Avoidance),
    Peer(&'static str, fn(&mut App, &Hunt<'_>)),
}

impl Side {
    /// The side of a peer. `None` if the peer has no agents.
    pub(super) fn of(peer: &Peer) -> Option<Self> {
        Some(Side::Peer(peer.name, peer.chase?))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Ours(Avoidance::None) => "pursuit, none",
            Side::Ours(Avoidance::Separation) => "pursuit, separation",
            Side::Peer(name, _) => name,
        }
    }

    /// An app with one tick of game time per update.
    pub(super) fn app(self, plan: &CurvePlan, own: Setting, walls: &WallBoxes) -> App {
        match self {
            Side::Ours(avoidance) => {
                let plan = HordePlan {
                    play: plan.play(own.starts.len()),
                    avoidance,
                    scene: Scene::March,
                    bodies: Bodies::PLAIN,
                    doors: false,
                    heap_agents: HEAP_AGENTS,
                };
                build(&plan, plan.play.mode, &plan.play.common.pools, own, walls)
            }
            Side::Peer(_, chase) => app_of(chase, plan, own),
        }
    }
}

fn app_of(chase: fn(&mut App, &Hunt<'_>), plan: &CurvePlan, own: Setting) -> App {
    let tick = Duration::from_secs_f64(1.0 / TICK_RATE);
    let mut app = game::empty_app(tick, &plan.common.pools);
    let world = app.world_mut();
    let start = transform_at(own.tour.position());
    let target = world.spawn((Target, start)).id();
    let starts = own.starts.iter().enumerate();
    let agents: Vec<(Entity, Vec2)> = starts
        .map(|(number, &start)| {
            let agent = world.spawn((HordeMember(number), transform_at(start)));
            (agent.id(), start)
        })
        .collect();
    let hunt = Hunt {
        level: &own.level,
        target,
        agents: &agents,
        radius: RADIUS,
        speed: SPEED,
    };
    chase(&mut app, &hunt);
    app.insert_resource(own.tour)
        .add_systems(FixedFirst, run_away);
    game::start(&mut app);
    app
}
