//! Each edit bakes the rectangle that it touches.

use bevy::prelude::*;
use bevy_pursuit::NavAgent;
use bevy_rapier2d::prelude::*;

use super::{Edit, check_edit, nothing};

#[test]
fn moved_turned_and_resized_colliders_bake_the_touched_rectangle() {
    check_edit(
        "moving",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().translation.x = 15.0,
        false,
    );
    check_edit(
        "turning",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().rotate_z(1.0),
        true,
    );
    check_edit(
        "scaling",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().scale = Vec3::new(2.0, 3.0, 1.0),
        true,
    );
    check_edit(
        "a collider scale",
        nothing,
        |world, wall| {
            world
                .entity_mut(wall)
                .insert(ColliderScale::Absolute(Vec2::splat(2.0)));
        },
        true,
    );
    check_edit(
        "removing the collider scale",
        |world, wall| {
            world
                .entity_mut(wall)
                .insert(ColliderScale::Absolute(Vec2::splat(2.0)));
        },
        |world, wall| {
            world.entity_mut(wall).remove::<ColliderScale>();
        },
        true,
    );
    check_edit(
        "replacing the shape",
        nothing,
        |world, wall| *world.get_mut::<Collider>(wall).unwrap() = Collider::ball(2.0),
        true,
    );
    check_edit(
        "changing the shape in place",
        nothing,
        |world, wall| {
            let mut collider = world.get_mut::<Collider>(wall).unwrap();
            collider
                .as_cuboid_mut()
                .unwrap()
                .set_half_extents(Vec2::new(0.5, 4.0));
        },
        true,
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn layers_sensors_and_disabled_colliders_bake_the_touched_rectangle() {
    // The grid of this test takes all layers; layers proper have a test of their own.
    let no_layer: Edit = |world, wall| {
        world
            .entity_mut(wall)
            .insert(CollisionGroups::new(Group::NONE, Group::ALL));
    };
    check_edit("leaving the layers", nothing, no_layer, false);
    check_edit(
        "removing the collision groups",
        no_layer,
        |world, wall| {
            world.entity_mut(wall).remove::<CollisionGroups>();
        },
        true,
    );
    check_edit(
        "changing the collision groups",
        no_layer,
        |world, wall| {
            let mut groups = world.get_mut::<CollisionGroups>(wall).unwrap();
            groups.memberships = Group::GROUP_3;
        },
        true,
    );
    let sensor: Edit = |world, wall| {
        world.entity_mut(wall).insert(Sensor);
    };
    check_edit("becoming a sensor", nothing, sensor, false);
    check_edit(
        "ceasing to be a sensor",
        sensor,
        |world, wall| {
            world.entity_mut(wall).remove::<Sensor>();
        },
        true,
    );
    let disabled: Edit = |world, wall| {
        world.entity_mut(wall).insert(ColliderDisabled);
    };
    check_edit("disabling", nothing, disabled, false);
    check_edit(
        "enabling",
        disabled,
        |world, wall| {
            world.entity_mut(wall).remove::<ColliderDisabled>();
        },
        true,
    );
    check_edit(
        "removing the collider",
        nothing,
        |world, wall| {
            world.entity_mut(wall).remove::<Collider>();
        },
        false,
    );
    check_edit(
        "despawning",
        nothing,
        |world, wall| {
            world.despawn(wall);
        },
        false,
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn bodies_and_agents_on_the_collider_or_above_it_bake_the_touched_rectangle() {
    fn body(world: &mut World, wall: Entity, body: RigidBody) {
        world.entity_mut(wall).insert((body, GravityScale(0.0)));
    }
    let kinematic: Edit = |world, wall| body(world, wall, RigidBody::KinematicPositionBased);
    check_edit("becoming a moving body", nothing, kinematic, false);
    check_edit(
        "becoming a fixed body",
        kinematic,
        |world, wall| body(world, wall, RigidBody::Fixed),
        true,
    );
    check_edit(
        "losing the body",
        kinematic,
        |world, wall| {
            world.entity_mut(wall).remove::<RigidBody>();
        },
        true,
    );
    let fixed: Edit = |world, wall| body(world, wall, RigidBody::Fixed);
    let disabled: Edit = |world, wall| {
        world
            .entity_mut(wall)
            .insert((RigidBody::Fixed, RigidBodyDisabled));
    };
    check_edit("disabling the body", fixed, disabled, false);
    check_edit(
        "enabling the body",
        disabled,
        |world, wall| {
            world.entity_mut(wall).remove::<RigidBodyDisabled>();
        },
        true,
    );
    let agent: Edit = |world, wall| {
        world.entity_mut(wall).insert(NavAgent::from_radius(1.0));
    };
    check_edit("becoming an agent", nothing, agent, false);
    check_edit(
        "ceasing to be an agent",
        agent,
        |world, wall| {
            world.entity_mut(wall).remove::<NavAgent>();
        },
        true,
    );
    let below: Edit = |world, wall| {
        let parent = world.spawn(Transform::default()).id();
        world.entity_mut(wall).insert(ChildOf(parent));
    };
    check_edit(
        "a moving body on the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            body(world, parent, RigidBody::KinematicPositionBased);
        },
        false,
    );
    check_edit(
        "an agent on the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.entity_mut(parent).insert(NavAgent::from_radius(1.0));
        },
        false,
    );
    check_edit(
        "moving the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.get_mut::<Transform>(parent).unwrap().translation.y = 5.0;
        },
        false,
    );
    check_edit(
        "despawning the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.despawn(parent);
        },
        false,
    );
    check_edit(
        "re-parenting below an agent",
        nothing,
        |world, wall| {
            let parent = world
                .spawn((NavAgent::from_radius(1.0), Transform::default()))
                .id();
            let arm = world.spawn((Transform::default(), ChildOf(parent))).id();
            world.entity_mut(wall).insert(ChildOf(arm));
        },
        false,
    );
    check_edit(
        "letting go of a parent that is an agent",
        |world, wall| {
            let parent = world
                .spawn((NavAgent::from_radius(1.0), Transform::default()))
                .id();
            world.entity_mut(wall).insert(ChildOf(parent));
        },
        |world, wall| {
            world.entity_mut(wall).remove::<ChildOf>();
        },
        true,
    );
    check_edit(
        "a parent that is let go of by an agent",
        |world, wall| {
            let agent = world.spawn((NavAgent::from_radius(1.0), Transform::default()));
            let agent = agent.id();
            let arm = world.spawn((Transform::default(), ChildOf(agent))).id();
            world.entity_mut(wall).insert(ChildOf(arm));
        },
        |world, wall| {
            let arm = world.get::<ChildOf>(wall).unwrap().parent();
            world.entity_mut(arm).remove::<ChildOf>();
        },
        true,
    );
}
