//! Counts the systems of a tick that access an agent's walk or its order.

use std::any::type_name;

use bevy::app::{App, TaskPoolPlugin};
use bevy::ecs::component::{Component, ComponentId};
use bevy::ecs::schedule::graph::Direction::Incoming;
use bevy::ecs::schedule::{NodeId, Schedule, Schedules, SystemKey};
use bevy::ecs::system::System;
use bevy::ecs::world::{Mut, World};
use bevy::time::TimePlugin;
use bevy::transform::TransformPlugin;

use crate::agent::{FollowMemory, Intent, NavPath, PathCursor, Planning, WalkState};
use crate::plugins::PursuitPlugins;

/// The number of systems that may access an agent's walk or its order.
const MAX_SYSTEMS: usize = 12;

/// The short name of a component, and its id.
fn named_id<C: Component>(world: &mut World) -> (&'static str, ComponentId) {
    let name = type_name::<C>();
    let name = name.rsplit_once("::").map_or(name, |(_, name)| name);
    (name, world.register_component::<C>())
}

/// The sets that a system was added to.
fn sets_of(schedule: &Schedule, key: SystemKey) -> String {
    let graph = schedule.graph();
    let above = graph
        .hierarchy()
        .neighbors_directed(NodeId::System(key), Incoming);
    let sets = above.filter_map(|node| graph.system_sets.get(node.as_set()?));
    let sets = sets.filter(|set| set.system_type().is_none() && !set.is_anonymous());
    sets.map(|set| format!("{set:?} ")).collect()
}

/// The systems in a schedule that read or write any of the components. A line has the system's sets, the components,
/// and with Bevy's feature `debug` the system's name. A `*` marks a component that the system may write. A filter is
/// not an access.
fn accessing_systems(
    schedule: &mut Schedule,
    world: &mut World,
    components: &[(&str, ComponentId)],
) -> Vec<String> {
    let systems = schedule.graph().systems.iter();
    let keys: Vec<_> = systems.map(|(key, ..)| key).collect();
    let mut found = Vec::new();
    for key in keys {
        let sets = sets_of(schedule, key);
        let system = schedule.graph_mut().systems.get_mut(key).unwrap();
        let access = system.initialize(world);
        let access = access.combined_access();
        let read = components.iter().filter(|(_, id)| access.has_read(*id));
        let read: Vec<String> = read
            .map(|(name, id)| format!("{name}{}", if access.has_write(*id) { "*" } else { "" }))
            .collect();
        if !read.is_empty() {
            let label = schedule.label();
            let name = schedule.graph().systems[key].name();
            let line = format!("{label:?}, {sets}: {} ({name})", read.join(" "));
            found.push(line);
        }
    }
    found
}

/// A system that accesses these components depends on how an agent walks. Each of them has to be looked at when the
/// walk changes, so their number should fall. To lower it, let a system leave the walk to the systems that decide it:
/// it reads `BodyState`, `Locomotion` or `DesiredVelocity` instead, or its work moves into a system that is counted
/// already. Then set the constant to the new number. Two systems that are piped into one count as one, which gains
/// nothing.
#[test]
fn few_systems_access_an_agents_walk_or_its_order() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins(PursuitPlugins::default().in_fixed_schedule());
    app.finish();
    let world = app.world_mut();
    let components = [
        named_id::<FollowMemory>(world),
        named_id::<WalkState>(world),
        named_id::<PathCursor>(world),
        named_id::<NavPath>(world),
        named_id::<Planning>(world),
        named_id::<Intent>(world),
    ];
    let found = world.resource_scope(|world, mut schedules: Mut<Schedules>| {
        let schedules = schedules.iter_mut();
        let found = schedules.map(|(_, one)| accessing_systems(one, world, &components));
        found.flatten().collect::<Vec<_>>()
    });
    let list = format!("{} systems:\n{}", found.len(), found.join("\n"));
    println!("{list}");
    assert!((1..=MAX_SYSTEMS).contains(&found.len()), "{list}");
}
