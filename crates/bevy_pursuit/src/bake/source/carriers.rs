//! What carries an obstacle: an agent, a body, or something that is chased.

use std::iter;

use bevy::ecs::entity::{Entity, EntityHashSet};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::hierarchy::{ChildOf, Children};
use bevy::ecs::lifecycle::RemovedComponents;
use bevy::ecs::query::{Added, Allow, Changed, Has, Or};
use bevy::ecs::resource::Resource;
use bevy::ecs::system::{Query, Res, ResMut, SystemParam};
use bevy_rapier2d::prelude::{RigidBody, RigidBodyDisabled};

use super::frames::Attendance;
use crate::agent::{ChaseIndex, NavAgent};

/// Which bodies are chased, and what to look at again in this frame.
#[derive(Resource, Default)]
pub(in crate::bake) struct Carriers {
    /// Moving bodies that are chased, or that carry something that is.
    chased: EntityHashSet,
    /// [`ChaseIndex::version`] that `chased` was derived from.
    version: u64,
    /// Entities that may be carried by something else than in the frame before.
    pub(super) touched: EntityHashSet,
}

/// What carries an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// No body, or a fixed one.
    Static,
    /// A dynamic or kinematic body.
    Moving,
    /// A body that the physics leaves out.
    DisabledBody,
    /// An agent, or a moving body that is chased. Nothing that it carries is an obstacle, for it
    /// would bar the way to itself.
    Excluded,
}

/// Names the entities whose role as a carrier may have changed.
#[derive(SystemParam)]
pub(in crate::bake) struct CarrierChanges<'w, 's> {
    changed: Query<
        'w,
        's,
        Entity,
        (
            Or<(
                Changed<RigidBody>,
                Added<RigidBodyDisabled>,
                Added<NavAgent>,
                Changed<ChildOf>,
            )>,
            Allow<Disabled>,
        ),
    >,
    removed_bodies: RemovedComponents<'w, 's, RigidBody>,
    removed_disabled: RemovedComponents<'w, 's, RigidBodyDisabled>,
    removed_agents: RemovedComponents<'w, 's, NavAgent>,
    removed_parents: RemovedComponents<'w, 's, ChildOf>,
}

impl CarrierChanges<'_, '_> {
    fn read(&mut self) -> impl Iterator<Item = Entity> {
        let removed = self.removed_bodies.read();
        let removed = removed.chain(self.removed_disabled.read());
        let removed = removed.chain(self.removed_agents.read());
        let removed = removed.chain(self.removed_parents.read());
        self.changed.iter().chain(removed)
    }
}

/// Reads what entities are to those below them. The physics keeps entities that are `Disabled`, so
/// these count, too.
#[derive(SystemParam)]
pub(in crate::bake) struct Bodies<'w, 's> {
    roles: Query<
        'w,
        's,
        (
            Option<&'static RigidBody>,
            Has<RigidBodyDisabled>,
            Has<NavAgent>,
        ),
        Allow<Disabled>,
    >,
    parents: Query<'w, 's, &'static ChildOf, Allow<Disabled>>,
}

impl Bodies<'_, '_> {
    /// What carries `entity`: the nearest rigid body at or above it, or an agent anywhere above.
    pub(super) fn carrier(&self, entity: Entity, carriers: &Carriers) -> Carrier {
        let mut body = None;
        for above in self.upward(entity) {
            let Ok((rigid_body, disabled, is_agent)) = self.roles.get(above) else {
                continue;
            };
            if is_agent {
                return Carrier::Excluded;
            }
            if let (None, Some(rigid_body)) = (body, rigid_body) {
                body = Some(match rigid_body {
                    _ if carriers.chased.contains(&above) => return Carrier::Excluded,
                    _ if disabled => Carrier::DisabledBody,
                    RigidBody::Fixed => Carrier::Static,
                    _ => Carrier::Moving,
                });
            }
        }
        body.unwrap_or(Carrier::Static)
    }

    /// The nearest rigid body at or above `entity`, if it moves.
    fn moving_body(&self, entity: Entity) -> Option<Entity> {
        let bodies = self.upward(entity).filter_map(|above| {
            let (rigid_body, ..) = self.roles.get(above).ok()?;
            Some((above, rigid_body?))
        });
        let (entity, body) = bodies.into_iter().next()?;
        (*body != RigidBody::Fixed).then_some(entity)
    }

    fn upward(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        iter::once(entity).chain(self.parents.iter_ancestors(entity))
    }
}

/// Notes which bodies are chased now, and what is carried by something else than before.
pub(in crate::bake) fn note_carriers(
    mut attendance: Attendance,
    mut changes: CarrierChanges,
    bodies: Bodies,
    children: Query<&Children, Allow<Disabled>>,
    index: Res<ChaseIndex>,
    mut carriers: ResMut<Carriers>,
) {
    let Carriers {
        chased,
        version,
        touched,
    } = &mut *carriers;
    touched.clear();
    let mut touch = |entity: Entity| {
        touched.insert(entity);
        touched.extend(children.iter_descendants(entity));
    };
    let mut is_due = attendance.missed_a_frame() || *version != index.version;
    for entity in changes.read() {
        is_due = true;
        touch(entity);
    }
    if !is_due {
        return;
    }
    *version = index.version;
    let targets = index.targets.iter();
    let now: EntityHashSet = targets
        .filter_map(|target| bodies.moving_body(*target))
        .collect();
    now.symmetric_difference(chased)
        .for_each(|body| touch(*body));
    *chased = now;
}
