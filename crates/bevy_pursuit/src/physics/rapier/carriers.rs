//! Finds the bodies that carry obstacles, and the bodies that are chased.

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_rapier2d::prelude::{RigidBody, RigidBodyDisabled};

use crate::agent::ChaseIndex;
use crate::obstacle::{Carriers, CarryingAgents, MissedFrames};

/// The kind of body that carries an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// No body, or a fixed one.
    Static,
    /// A dynamic or kinematic body.
    Moving,
    /// A body that is disabled in the physics.
    DisabledBody,
    /// An agent, or a moving body that is chased.
    Excluded,
}

/// Finds out what carries an entity. `Disabled` entities are included, because they stay in the physics world.
#[derive(SystemParam)]
pub(crate) struct Bodies<'w, 's> {
    agents: CarryingAgents<'w, 's>,
    bodies: Query<'w, 's, (&'static RigidBody, Has<RigidBodyDisabled>), Allow<Disabled>>,
    children: Query<'w, 's, &'static Children, Allow<Disabled>>,
}

impl Bodies<'_, '_> {
    /// The kind of carrier of `entity`. This is [`Excluded`](Carrier::Excluded) if the entity or one of its ancestors
    /// is an agent or a chased body. Otherwise, the carrier is the nearest rigid body among them.
    pub(super) fn carrier(&self, entity: Entity, carriers: &Carriers) -> Carrier {
        if self.agents.carry(entity, carriers) {
            return Carrier::Excluded;
        }
        let mut above = self.agents.upward(entity);
        match above.find_map(|above| self.bodies.get(above).ok()) {
            Some((_, true)) => Carrier::DisabledBody,
            None | Some((RigidBody::Fixed, _)) => Carrier::Static,
            Some(_) => Carrier::Moving,
        }
    }

    /// The nearest rigid body among `entity` and its ancestors. `None` if there is no body, or the body is fixed.
    fn moving_body(&self, entity: Entity) -> Option<Entity> {
        let is_body = |above: &Entity| self.bodies.contains(*above);
        let body = self.agents.upward(entity).find(is_body)?;
        let (kind, _) = self.bodies.get(body).ok()?;
        (*kind != RigidBody::Fixed).then_some(body)
    }

    /// Adds a body, and its descendants that no other body carries, to `carried`.
    fn add_carried(&self, body: Entity, carried: &mut EntityHashSet) {
        let mut open = vec![body];
        while let Some(entity) = open.pop() {
            carried.insert(entity);
            let below = self.children.get(entity).into_iter().flatten();
            open.extend(below.copied().filter(|child| !self.bodies.contains(*child)));
        }
    }
}

/// Updates the set of chased bodies, and notes entities whose carrier may have changed.
pub(crate) fn note_bodies(
    mut missed_frames: MissedFrames,
    changed: Query<
        Entity,
        (
            Or<(Changed<RigidBody>, Added<RigidBodyDisabled>)>,
            Allow<Disabled>,
        ),
    >,
    mut removed: (
        RemovedComponents<RigidBody>,
        RemovedComponents<RigidBodyDisabled>,
    ),
    bodies: Bodies,
    index: Res<ChaseIndex>,
    mut carriers: ResMut<Carriers>,
) {
    let removed = removed.0.read().chain(removed.1.read());
    for entity in changed.iter().chain(removed) {
        carriers.touch(entity, &bodies.children);
    }
    let is_old = missed_frames.any() || index.is_changed();
    if !is_old && carriers.touched.is_empty() {
        return;
    }
    let mut chased = EntityHashSet::default();
    for target in &index.targets {
        if let Some(body) = bodies.moving_body(*target) {
            bodies.add_carried(body, &mut chased);
        }
    }
    let carriers = &mut *carriers;
    let changed = chased.symmetric_difference(&carriers.chased);
    carriers.touched.extend(changed);
    carriers.chased = chased;
}
