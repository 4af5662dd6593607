//! What an inspector shows: public types with public fields only.

use std::any::TypeId;
use std::collections::BTreeSet;

use bevy::reflect::{TypeInfo, TypePath};
use bevy_pursuit::inspect::{NextPlan, PlanReason};
use bevy_pursuit::{AreaInfo, Diagonals, NavBody, ObstacleShape, PathRecorder, RecordedPath};

use crate::common::*;

/// Lists struct names. Each struct is destructured without `..`, which compiles only if all of its fields are public.
macro_rules! open_structs {
    ($($name:ident { $($field:tt),* })*) => {
        [$({
            let _ = |value: $name| {
                let $name { $($field: _),* } = value;
            };
            $name::type_path()
        }),*]
    };
}

macro_rules! names {
    ($($name:ident)*) => { [$($name::type_path()),*] };
}

fn open_types() -> BTreeSet<&'static str> {
    let structs = open_structs! {
        NavAgent { radius, speed, acceleration, reach, class }
        NavBody { radius, class }
        NavArea { area, priority }
        AreaId { 0 }
        ClassId { 0 }
        NavAreas { all }
        AreaInfo { name, cost, color }
        AgentClass { costs }
        AgentClasses { all }
        NavTurn { rate, forward }
        NavFrame { origin, x, y }
        NavGrid { bounds, node_radius, obstacles, max_clearance_cells, diagonals, deep_bake }
        NavObstacle { shape, layers }
        ObstacleLayers { 0 }
        OnGrid { 0 }
        Chase { target, reach, needs_sight, surround, repath }
        Flee { from, distance }
        PathRequest { goal, reach, needs_sight, radius, repath, once }
        DesiredVelocity { 0 }
        NavPaused {}
        NavPriority { 0 }
        CrowdObstacle { radius }
        TransparentObstacle {}
        PursuitSettings { plan_mode, max_expanded, batch_size, search_budget, share_fields, sight_range_cells, max_delta }
        PathFound { entity, length, latency }
        PathFailed { entity, reason, partial, latency }
        GoalReached { entity, target }
        TargetLost { entity, target }
        AgentStuck { entity, position }
        EnteredForbidden { entity, area, position }
        NavReport { wants, behind, goal, target, reach, body, grid, failures, next_plan }
        PursuitStats {
            paths_found, paths_failed, paths_partial, searches, cells_expanded, fields, paths_shared, search_time,
            tasks_in_flight, queued, bakes, last_bake, deep_bakes, last_deep_bake, frame_time
        }
    };
    structs.into()
}

fn enum_types() -> BTreeSet<&'static str> {
    names!(
        NavAvoidance NavDrive ObstacleShape RepathPolicy Diagonals Locomotion PathStatus FailReason PlanMode NextPlan PlanReason Wants
    )
    .into()
}

/// Types that only Pursuit writes. An inspector cannot edit their content.
fn opaque_types() -> BTreeSet<&'static str> {
    names!(NavPath PathCursor BakedGrid GridBaked PathRecorder RecordedPath).into()
}

#[test]
fn only_public_types_with_public_fields_are_registered() {
    let app = game(60.0, PlanMode::Inline);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let mut seen = BTreeSet::new();
    for registration in registry.iter() {
        let info = registration.type_info();
        let path = info.type_path();
        if !path.starts_with("bevy_pursuit::") {
            continue;
        }
        seen.insert(path);
        let markers = [NavPaused::type_path(), TransparentObstacle::type_path()];
        let expected = match info {
            TypeInfo::Opaque(_) => opaque_types(),
            TypeInfo::Struct(info) if info.field_len() == 0 && !markers.contains(&path) => {
                opaque_types()
            }
            TypeInfo::Enum(_) => enum_types(),
            _ => open_types(),
        };
        assert!(
            expected.contains(path),
            "{path} is registered as {info:?}, which is not listed as public"
        );
    }
    let all: BTreeSet<_> = [open_types(), enum_types(), opaque_types()]
        .into_iter()
        .flatten()
        .collect();
    let missing: Vec<_> = all.difference(&seen).collect();
    assert_eq!(missing, [&""; 0], "some public types are not registered");
}

#[test]
fn every_component_that_a_game_writes_can_be_reflected() {
    let app = game(60.0, PlanMode::Inline);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let components = [
        TypeId::of::<NavAgent>(),
        TypeId::of::<NavDrive>(),
        TypeId::of::<NavTurn>(),
        TypeId::of::<NavPaused>(),
        TypeId::of::<NavAvoidance>(),
        TypeId::of::<NavPriority>(),
        TypeId::of::<CrowdObstacle>(),
        TypeId::of::<Chase>(),
        TypeId::of::<Flee>(),
        TypeId::of::<PathRequest>(),
        TypeId::of::<OnGrid>(),
        TypeId::of::<NavGrid>(),
        TypeId::of::<NavArea>(),
        TypeId::of::<NavObstacle>(),
    ];
    for component in components {
        let data = registry.get_type_data::<ReflectComponent>(component);
        assert!(data.is_some(), "{:?}", registry.get(component));
    }
}
