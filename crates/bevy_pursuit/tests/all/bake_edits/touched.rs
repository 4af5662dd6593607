//! Each edit bakes only the rectangle that it touches.

use super::{Edit, check_edit, no_edit};
use crate::common::*;

#[test]
fn moved_turned_and_resized_colliders_bake_the_touched_rectangle() {
    let moved: Edit = |app, wall| get_mut::<Transform>(app, wall).translation.x = 15.0;
    check_edit("moving", no_edit, moved, false);
    let turned: Edit = |app, wall| get_mut::<Transform>(app, wall).rotate_z(1.0);
    check_edit("turning", no_edit, turned, true);
    let scaled: Edit = |app, wall| {
        get_mut::<Transform>(app, wall).scale = Vec3::new(2.0, 3.0, 1.0);
    };
    check_edit("scaling", no_edit, scaled, true);
    let scaled: Edit = |app, wall| give(app, wall, ColliderScale::Absolute(Vec2::splat(2.0)));
    check_edit("a collider scale", no_edit, scaled, true);
    let unscaled: Edit = |app, wall| remove::<ColliderScale>(app, wall);
    check_edit("removing the collider scale", scaled, unscaled, true);
    let replaced: Edit = |app, wall| *get_mut::<Collider>(app, wall) = Collider::ball(2.0);
    check_edit("replacing the shape", no_edit, replaced, true);
    let changed: Edit = |app, wall| {
        let mut collider = get_mut::<Collider>(app, wall);
        let mut cuboid = collider.as_cuboid_mut().expect("a cuboid");
        cuboid.set_half_extents(Vec2::new(0.5, 4.0));
    };
    check_edit("changing the shape in place", no_edit, changed, true);
}

#[test]
fn layers_sensors_and_disabled_colliders_bake_the_touched_rectangle() {
    // The grid of this test uses all layers. Other tests cover single layers.
    let no_layer: Edit = |app, wall| {
        give(app, wall, CollisionGroups::new(Group::NONE, Group::ALL));
    };
    check_edit("leaving the layers", no_edit, no_layer, false);
    let free: Edit = |app, wall| remove::<CollisionGroups>(app, wall);
    check_edit("removing the collision groups", no_layer, free, true);
    let changed: Edit = |app, wall| {
        get_mut::<CollisionGroups>(app, wall).memberships = Group::GROUP_3;
    };
    check_edit("changing the collision groups", no_layer, changed, true);
    let sensor: Edit = |app, wall| give(app, wall, Sensor);
    check_edit("becoming a sensor", no_edit, sensor, false);
    let solid: Edit = |app, wall| remove::<Sensor>(app, wall);
    check_edit("ceasing to be a sensor", sensor, solid, true);
    let disabled: Edit = |app, wall| give(app, wall, ColliderDisabled);
    check_edit("disabling", no_edit, disabled, false);
    let enabled: Edit = |app, wall| remove::<ColliderDisabled>(app, wall);
    check_edit("enabling", disabled, enabled, true);
    let bare: Edit = |app, wall| remove::<Collider>(app, wall);
    check_edit("removing the collider", no_edit, bare, false);
    let gone: Edit = |app, wall| despawn(app, wall);
    check_edit("despawning", no_edit, gone, false);
}

fn set_body(app: &mut App, wall: Entity, body: RigidBody) {
    give(app, wall, (body, GravityScale(0.0)));
}

fn parent(app: &App, child: Entity) -> Entity {
    get::<ChildOf>(app, child).parent()
}

fn spawn_agent(app: &mut App) -> Entity {
    spawn(app, (NavAgent::from_radius(1.0), Transform::default()))
}

fn spawn_arm(app: &mut App, parent: Entity) -> Entity {
    spawn(app, (Transform::default(), ChildOf(parent)))
}

#[test]
fn bodies_and_agents_on_the_collider_bake_the_touched_rectangle() {
    let kinematic: Edit = |app, wall| set_body(app, wall, RigidBody::KinematicPositionBased);
    check_edit("becoming a moving body", no_edit, kinematic, false);
    let fixed: Edit = |app, wall| set_body(app, wall, RigidBody::Fixed);
    check_edit("becoming a fixed body", kinematic, fixed, true);
    let bare: Edit = |app, wall| remove::<RigidBody>(app, wall);
    check_edit("losing the body", kinematic, bare, true);
    let disabled: Edit = |app, wall| give(app, wall, (RigidBody::Fixed, RigidBodyDisabled));
    check_edit("disabling the body", fixed, disabled, false);
    let enabled: Edit = |app, wall| remove::<RigidBodyDisabled>(app, wall);
    check_edit("enabling the body", disabled, enabled, true);
    let agent: Edit = |app, wall| give(app, wall, NavAgent::from_radius(1.0));
    check_edit("becoming an agent", no_edit, agent, false);
    let none: Edit = |app, wall| remove::<NavAgent>(app, wall);
    check_edit("ceasing to be an agent", agent, none, true);
}

#[test]
fn bodies_and_agents_above_the_collider_bake_the_touched_rectangle() {
    let below: Edit = |app, wall| {
        let parent = spawn(app, Transform::default());
        give(app, wall, ChildOf(parent));
    };
    let moving: Edit = |app, wall| {
        let parent = parent(app, wall);
        set_body(app, parent, RigidBody::KinematicPositionBased);
    };
    check_edit("a moving body on the parent", below, moving, false);
    let agent: Edit = |app, wall| {
        let parent = parent(app, wall);
        give(app, parent, NavAgent::from_radius(1.0));
    };
    check_edit("an agent on the parent", below, agent, false);
    let moved: Edit = |app, wall| {
        let parent = parent(app, wall);
        get_mut::<Transform>(app, parent).translation.y = 5.0;
    };
    check_edit("moving the parent", below, moved, false);
    let gone: Edit = |app, wall| {
        let parent = parent(app, wall);
        despawn(app, parent);
    };
    check_edit("despawning the parent", below, gone, false);
    let below: Edit = |app, wall| {
        let agent = spawn_agent(app);
        give(app, wall, ChildOf(agent));
    };
    let free: Edit = |app, wall| remove::<ChildOf>(app, wall);
    let name = "letting go of a parent that is an agent";
    check_edit(name, below, free, true);
    let below: Edit = |app, wall| {
        let agent = spawn_agent(app);
        let arm = spawn_arm(app, agent);
        give(app, wall, ChildOf(arm));
    };
    check_edit("re-parenting below an agent", no_edit, below, false);
    let free: Edit = |app, wall| {
        let arm = parent(app, wall);
        remove::<ChildOf>(app, arm);
    };
    let name = "a parent that is let go of by an agent";
    check_edit(name, below, free, true);
}
