//! What may happen in a frame.

use std::time::Duration;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::game::{CROWD, Chaos, SIDE, nav_grids};
use crate::common::*;

impl Chaos {
    pub(crate) fn act(&mut self) {
        match self.random.u32(0..100) {
            0..12 => self.spawn_agent(),
            12..17 => self.despawn_agent(),
            17..23 => self.clone_agent(),
            23..31 => self.toggle_disabled(),
            31..47 => self.switch_intent(),
            47..51 => self.touch_intent(),
            51..56 => self.teleport_agent(),
            56..60 => self.teleport_target(),
            60..62 => self.replace_target(),
            62..74 => self.edit_wall(),
            74..79 => self.change_wall(),
            79..82 => self.toggle_gate(),
            82..87 => self.change_agent(),
            87..90 => self.name_grid(),
            90..94 => self.ask_without_agent(),
            94..96 => self.change_body(),
            96 => self.edit_grid(),
            97 => self.replace_grid(),
            98 => self.toggle_pause(),
            _ => self.toggle_turn(),
        }
    }

    fn any(&mut self, of: &[Entity]) -> Option<Entity> {
        (!of.is_empty()).then(|| of[self.random.usize(0..of.len())])
    }

    fn any_agent(&mut self) -> Option<Entity> {
        let agents = std::mem::take(&mut self.agents);
        let agent = self.any(&agents);
        self.agents = agents;
        agent
    }

    /// Now and then outside of the grids.
    fn any_place(&mut self) -> Vec2 {
        let mut along = || (self.random.f32() * 1.2 - 0.1) * SIDE;
        Vec2::new(along(), along())
    }

    fn free_place(&mut self) -> Vec2 {
        let mut along = || (0.02 + 0.96 * self.random.f32()) * SIDE;
        Vec2::new(along(), along())
    }

    pub(crate) fn spawn_target(&mut self) {
        let at = self.free_place();
        self.targets.push(spawn_target(&mut self.app, at));
    }

    pub(crate) fn spawn_wall(&mut self) {
        let at = self.free_place();
        let long = 0.3 + 3.0 * self.random.f32();
        let half_size = if self.random.bool() {
            Vec2::new(long, 0.4)
        } else {
            Vec2::new(0.4, long)
        };
        self.walls.push(spawn_wall(&mut self.app, at, half_size));
    }

    pub(crate) fn spawn_agent(&mut self) {
        if self.agents.len() >= CROWD {
            return;
        }
        let body = match self.random.u32(0..10) {
            0..7 => Body::Transform,
            7..9 => Body::Kinematic,
            _ => Body::Dynamic,
        };
        let at = self.any_place();
        let agent = spawn_agent(&mut self.app, body, at);
        self.agents.push(agent);
        self.give_intent(agent);
    }

    fn despawn_agent(&mut self) {
        if !self.agents.is_empty() {
            let agent = self.random.usize(0..self.agents.len());
            let agent = self.agents.swap_remove(agent);
            self.app.world_mut().despawn(agent);
        }
    }

    /// Only agents without a body: Rapier's handles are cloned with theirs.
    fn clone_agent(&mut self) {
        let Some(agent) = self.any_agent() else {
            return;
        };
        let has_body = self.app.world().entity(agent).contains::<RigidBody>();
        if !has_body && self.agents.len() < CROWD {
            let copied = clone_entity(&mut self.app, agent);
            self.agents.push(copied);
        }
    }

    fn toggle_disabled(&mut self) {
        let entity = match self.random.u32(0..12) {
            0 => Some(self.grids[self.random.usize(0..2)]),
            1 => {
                let targets = self.targets.clone();
                self.any(&targets)
            }
            _ => self.any_agent(),
        };
        if let Some(entity) = entity {
            let disabled = self.app.world().entity(entity).contains::<Disabled>();
            set_disabled(&mut self.app, entity, !disabled);
        }
    }

    fn switch_intent(&mut self) {
        if let Some(agent) = self.any_agent() {
            if self.random.u32(0..3) == 0 {
                remove::<(Chase, PathRequest, Flee)>(&mut self.app, agent);
            }
            self.give_intent(agent);
        }
    }

    /// The same again: no news.
    fn touch_intent(&mut self) {
        if let Some(agent) = self.any_agent() {
            let mut agent = self.app.world_mut().entity_mut(agent);
            if let Some(mut chase) = agent.get_mut::<Chase>() {
                chase.set_changed();
            }
            if let Some(request) = agent.get::<PathRequest>().copied() {
                agent.insert(request);
            }
        }
    }

    fn give_intent(&mut self, agent: Entity) {
        let reach = [None, None, Some(3.0)][self.random.usize(0..3)];
        let needs_sight = self.random.u32(0..5) == 0;
        let repath = match self.random.u32(0..4) {
            0 => RepathPolicy::Every(Duration::from_millis(200)),
            1 => RepathPolicy::Every(Duration::from_secs(30)),
            _ => RepathPolicy::Dynamic,
        };
        let goal = self.any_place();
        let distance = 4.0 + 10.0 * self.random.f32();
        let targets = self.targets.clone();
        let target = if self.random.u32(0..10) == 0 {
            self.any_agent()
        } else {
            self.any(&targets)
        };
        let Some(target) = target else {
            return;
        };
        let kind = self.random.u32(0..12);
        let mut agent = self.app.world_mut().entity_mut(agent);
        match kind {
            0..6 => agent.insert(Chase {
                target,
                reach,
                needs_sight,
                repath,
            }),
            6..10 => agent.insert(PathRequest {
                reach,
                needs_sight,
                repath,
                ..PathRequest::to(goal)
            }),
            10 => agent.insert(Flee {
                from: target,
                distance,
            }),
            _ => agent.remove::<(Chase, PathRequest, Flee)>(),
        };
    }

    fn ask_without_agent(&mut self) {
        if self.requests.len() >= 40 || self.random.u32(0..3) == 0 && !self.requests.is_empty() {
            let request = self.random.usize(0..self.requests.len());
            let request = self.requests.swap_remove(request);
            self.app.world_mut().despawn(request);
            return;
        }
        let (from, to) = (self.any_place(), self.any_place());
        let request = PathRequest::to(to).with_radius(RADIUS);
        let request = spawn_request(&mut self.app, from, request);
        self.requests.push(request);
    }

    fn teleport_agent(&mut self) {
        let at = self.any_place();
        if let Some(agent) = self.any_agent() {
            place(&mut self.app, agent, at);
        }
    }

    fn teleport_target(&mut self) {
        let at = self.any_place();
        let targets = self.targets.clone();
        if let Some(target) = self.any(&targets) {
            place(&mut self.app, target, at);
        }
    }

    fn replace_target(&mut self) {
        let target = self.targets.swap_remove(0);
        self.app.world_mut().despawn(target);
        self.spawn_target();
    }

    /// Half of the targets walk in circles.
    pub(crate) fn walk_targets(&mut self) {
        let angle = self.now as f32 * 0.05;
        for (n, target) in self.targets.iter().enumerate().step_by(2) {
            let step = Vec2::from_angle(angle + n as f32) * 0.08;
            let at = position(&self.app, *target) + step;
            place(&mut self.app, *target, at);
        }
    }

    fn edit_wall(&mut self) {
        match self.random.u32(0..4) {
            0 if self.walls.len() < 60 => self.spawn_wall(),
            1 if self.walls.len() > 20 => {
                let wall = self.random.usize(0..self.walls.len());
                let wall = self.walls.swap_remove(wall);
                self.app.world_mut().despawn(wall);
            }
            _ => {
                let at = self.free_place();
                let walls = self.walls.clone();
                if let Some(wall) = self.any(&walls) {
                    place(&mut self.app, wall, at);
                }
            }
        }
    }

    fn change_wall(&mut self) {
        let walls = self.walls.clone();
        let Some(wall) = self.any(&walls) else {
            return;
        };
        let kind = self.random.u32(0..4);
        let mut wall = self.app.world_mut().entity_mut(wall);
        match kind {
            0 if wall.contains::<Sensor>() => wall.remove::<Sensor>(),
            0 => wall.insert(Sensor),
            1 if wall.contains::<ColliderDisabled>() => wall.remove::<ColliderDisabled>(),
            1 => wall.insert(ColliderDisabled),
            2 => wall.insert(CollisionGroups::new(WALLS, Group::ALL)),
            _ => wall.insert(CollisionGroups::new(Group::GROUP_9, Group::ALL)),
        };
    }

    fn toggle_gate(&mut self) {
        let mut gates = *self.app.world().resource::<Gates>();
        if self.random.u32(0..3) == 0 {
            gates.0 = [self.random.bool(); 6];
        } else {
            let gate = self.random.usize(0..6);
            gates.0[gate] = !gates.0[gate];
        }
        self.app.insert_resource(gates);
    }

    fn change_agent(&mut self) {
        let radius = [RADIUS, 0.7, 0.2, 0.0, f32::NAN][self.random.usize(0..5)];
        if let Some(agent) = self.any_agent() {
            let changed = NavAgent::from_radius(radius);
            give(&mut self.app, agent, changed);
        }
    }

    fn toggle_pause(&mut self) {
        if let Some(agent) = self.any_agent() {
            let mut agent = self.app.world_mut().entity_mut(agent);
            if agent.take::<NavPaused>().is_none() {
                agent.insert(NavPaused);
            }
        }
    }

    fn toggle_turn(&mut self) {
        if let Some(agent) = self.any_agent() {
            let mut agent = self.app.world_mut().entity_mut(agent);
            if agent.take::<NavTurn>().is_none() {
                agent.insert(NavTurn::default());
            }
        }
    }

    fn name_grid(&mut self) {
        let grid = self.grids[self.random.usize(0..2)];
        let named = self.random.bool();
        if let Some(agent) = self.any_agent() {
            let mut agent = self.app.world_mut().entity_mut(agent);
            if named {
                agent.insert(OnGrid(grid));
            } else {
                agent.remove::<OnGrid>();
            }
        }
    }

    fn change_body(&mut self) {
        let body = self.random.u32(0..3);
        let Some(agent) = self.any_agent() else {
            return;
        };
        let solid = (Collider::ball(RADIUS), CollisionGroups::new(AGENTS, WALLS));
        let mut agent = self.app.world_mut().entity_mut(agent);
        match body {
            0 => agent.remove::<(RigidBody, Collider, CollisionGroups)>(),
            1 => agent.insert((RigidBody::KinematicPositionBased, solid)),
            _ => agent.insert((RigidBody::Dynamic, solid)),
        };
    }

    fn edit_grid(&mut self) {
        let n = self.random.usize(0..2);
        let node_radius = [0.5, 0.4, -1.0][self.random.usize(0..3)];
        let nav = nav_grids()[n].with_node_radius(node_radius);
        give(&mut self.app, self.grids[n], nav);
    }

    fn replace_grid(&mut self) {
        let n = self.random.usize(0..2);
        self.app.world_mut().despawn(self.grids[n]);
        self.grids[n] = spawn(&mut self.app, nav_grids()[n]);
    }
}
