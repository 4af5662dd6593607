//! The actions that can happen in a frame.

use super::game::{Chaos, SIDE, nav_grids};
use crate::common::*;

/// A random entity of the slice.
pub(crate) fn any(random: &mut fastrand::Rng, entities: &[Entity]) -> Option<Entity> {
    (!entities.is_empty()).then(|| entities[random.usize(0..entities.len())])
}

impl Chaos {
    pub(crate) fn act(&mut self) {
        match self.random.u32(0..100) {
            0..12 => self.spawn_agent(),
            12..17 => self.despawn_agent(),
            17..23 => self.clone_agent(),
            23..30 => self.toggle_disabled(),
            30..42 => self.switch_intent(),
            42..45 => self.touch_intent(),
            45..50 => self.teleport_agent(),
            50..54 => self.teleport_target(),
            54..56 => self.replace_target(),
            56..65 => self.edit_wall(),
            65..69 => self.change_wall(),
            69..72 => self.toggle_gate(),
            72..75 => self.name_grid(),
            75..79 => self.ask_without_agent(),
            79..81 => self.change_body(),
            81 => self.replace_grid(),
            82 => self.toggle::<NavPaused>(),
            83 => self.toggle::<NavTurn>(),
            84 => self.toggle::<NavDrive>(),
            85 => self.change_class(),
            _ => self.change_field(),
        }
    }

    fn any_agent(&mut self) -> Option<Entity> {
        any(&mut self.random, &self.agents)
    }

    /// A target, or sometimes another agent.
    pub(crate) fn any_target(&mut self) -> Option<Entity> {
        if self.random.u32(0..10) == 0 {
            return self.any_agent();
        }
        any(&mut self.random, &self.targets)
    }

    /// A random position, sometimes outside of the grids.
    pub(crate) fn any_place(&mut self) -> Vec2 {
        let mut along = || (self.random.f32() * 1.2 - 0.1) * SIDE;
        Vec2::new(along(), along())
    }

    fn free_place(&mut self) -> Vec2 {
        let mut along = || (0.02 + 0.96 * self.random.f32()) * SIDE;
        Vec2::new(along(), along())
    }

    pub(crate) fn spawn_target(&mut self) {
        let at = self.free_place();
        let target = spawn_target(&mut self.app, at);
        if self.random.bool() {
            give(&mut self.app, target, CrowdObstacle { radius: RADIUS });
        }
        self.targets.push(target);
    }

    pub(crate) fn spawn_wall(&mut self) {
        let at = self.free_place();
        let half_length = 0.3 + 3.0 * self.random.f32();
        let half_size = if self.random.bool() {
            Vec2::new(half_length, 0.4)
        } else {
            Vec2::new(0.4, half_length)
        };
        let obstacle = NavObstacle::rectangle(half_size).with_layers(WALLS);
        let area = NavArea::new(AreaId(self.random.u8(0..3)));
        let wall = match self.random.u32(0..5) {
            0 => spawn(&mut self.app, (obstacle, transform_at(at))),
            1 => spawn(&mut self.app, (obstacle, area, transform_at(at))),
            _ => spawn_wall(&mut self.app, at, half_size),
        };
        self.walls.push(wall);
    }

    pub(crate) fn spawn_agent(&mut self) {
        if self.agents.len() >= self.max_agents() {
            return;
        }
        let body = match self.random.u32(0..10) {
            0..7 => Body::Transform,
            7..9 => Body::Kinematic,
            _ => Body::Dynamic,
        };
        let at = self.any_place();
        let agent = spawn_agent(&mut self.app, body, at);
        if self.random.bool() {
            give(&mut self.app, agent, NavAvoidance::None);
        } else {
            let kept_clear = CrowdObstacle { radius: RADIUS };
            give(&mut self.app, agent, (NavPriority::default(), kept_clear));
        }
        self.agents.push(agent);
        self.give_intent(agent);
    }

    fn despawn_agent(&mut self) {
        if !self.agents.is_empty() {
            let agent = self.random.usize(0..self.agents.len());
            let agent = self.agents.swap_remove(agent);
            despawn(&mut self.app, agent);
        }
    }

    /// Clones only agents without a body, because Rapier's handles would be cloned with the body.
    fn clone_agent(&mut self) {
        let Some(agent) = self.any_agent() else {
            return;
        };
        let has_body = self.app.world().entity(agent).contains::<RigidBody>();
        if !has_body && self.agents.len() < self.max_agents() {
            let copied = clone_entity(&mut self.app, agent);
            self.agents.push(copied);
        }
    }

    fn toggle_disabled(&mut self) {
        let entity = match self.random.u32(0..12) {
            0 => Some(self.grids[self.random.usize(0..2)]),
            1 => any(&mut self.random, &self.targets),
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

    /// Marks an intent as changed without changing its value.
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
        let Some(target) = self.any_target() else {
            return;
        };
        let goal = self.any_place();
        let distance = 4.0 + 10.0 * self.random.f32();
        let joins_horde = self.joins_horde();
        match self.random.u32(0..12) {
            _ if joins_horde => give(&mut self.app, agent, Chase::new(self.targets[0])),
            0..6 => give(&mut self.app, agent, Chase::new(target)),
            6..10 => give(&mut self.app, agent, PathRequest::to(goal)),
            10 => give(&mut self.app, agent, Flee::new(target, distance)),
            _ => remove::<(Chase, PathRequest, Flee)>(&mut self.app, agent),
        }
        if !joins_horde {
            self.change_fields_on(agent);
        }
    }

    fn ask_without_agent(&mut self) {
        if self.requests.len() >= 40 || self.random.u32(0..3) == 0 && !self.requests.is_empty() {
            let request = self.random.usize(0..self.requests.len());
            let request = self.requests.swap_remove(request);
            despawn(&mut self.app, request);
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
            set_position(&mut self.app, agent, at);
        }
    }

    fn teleport_target(&mut self) {
        let at = self.any_place();
        if let Some(target) = any(&mut self.random, &self.targets) {
            set_position(&mut self.app, target, at);
        }
    }

    fn replace_target(&mut self) {
        let target = self.targets.swap_remove(0);
        despawn(&mut self.app, target);
        self.spawn_target();
        let new = self.targets[0];
        let mut chases = self.app.world_mut().query::<&mut Chase>();
        let chases = chases.iter_mut(self.app.world_mut());
        let is_horde = self.is_horde;
        let of_target = chases.filter(|chase| is_horde && chase.target == target);
        of_target.for_each(|mut chase| chase.target = new);
    }

    /// Moves half of the targets in circles.
    pub(crate) fn walk_targets(&mut self) {
        let angle = self.now as f32 * 0.05;
        for (n, target) in self.targets.iter().enumerate().step_by(2) {
            let step = Vec2::from_angle(angle + n as f32) * 0.08;
            let at = position(&self.app, *target) + step;
            set_position(&mut self.app, *target, at);
        }
    }

    fn edit_wall(&mut self) {
        match self.random.u32(0..4) {
            0 if self.walls.len() < 60 => self.spawn_wall(),
            1 if self.walls.len() > 20 => {
                let wall = self.random.usize(0..self.walls.len());
                let wall = self.walls.swap_remove(wall);
                despawn(&mut self.app, wall);
            }
            _ => {
                let at = self.free_place();
                if let Some(wall) = any(&mut self.random, &self.walls) {
                    set_position(&mut self.app, wall, at);
                }
            }
        }
    }

    fn change_wall(&mut self) {
        let Some(wall) = any(&mut self.random, &self.walls) else {
            return;
        };
        let (kind, area) = (self.random.u32(0..6), self.random.u8(0..3));
        let mut wall = self.app.world_mut().entity_mut(wall);
        match kind {
            0 if wall.contains::<Sensor>() => wall.remove::<Sensor>(),
            0 => wall.insert(Sensor),
            1 if wall.contains::<ColliderDisabled>() => wall.remove::<ColliderDisabled>(),
            1 => wall.insert(ColliderDisabled),
            2 => wall.insert(CollisionGroups::new(WALLS, Group::ALL)),
            3 if wall.contains::<NavArea>() => wall.remove::<NavArea>(),
            3 => wall.insert(NavArea::new(AreaId(area))),
            4 if wall.contains::<TransparentObstacle>() => wall.remove::<TransparentObstacle>(),
            4 => wall.insert(TransparentObstacle),
            _ => wall.insert(CollisionGroups::new(Group::GROUP_9, Group::ALL)),
        };
    }

    /// Changes the cost of mud for the class that cannot enter water.
    fn change_class(&mut self) {
        let dry = AgentClass::default().forbidding(AreaId(2));
        let mud = 0.5 + self.random.f32() * 3.0;
        let mut classes = self.app.world_mut().resource_mut::<AgentClasses>();
        classes.all[2] = dry.with_cost(AreaId(1), mud);
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

    fn toggle<C: Component + Default>(&mut self) {
        if let Some(agent) = self.any_agent() {
            let mut agent = self.app.world_mut().entity_mut(agent);
            if agent.take::<C>().is_none() {
                agent.insert(C::default());
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

    fn replace_grid(&mut self) {
        let n = self.random.usize(0..2);
        despawn(&mut self.app, self.grids[n]);
        self.grids[n] = spawn(&mut self.app, nav_grids()[n]);
    }
}
