//! The schedules have no ambiguous order, in whichever schedule the physics runs.

use bevy::diagnostic::FrameCountPlugin;
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::time::TimePlugin;

use crate::common::*;

fn deny_ambiguities(app: &mut App, schedule: impl ScheduleLabel) {
    app.edit_schedule(schedule, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
}

#[test]
fn no_two_systems_have_an_ambiguous_order_in_the_fixed_schedule() {
    let mut app = game(60.0, PlanMode::Inline);
    deny_ambiguities(&mut app, FixedUpdate);
    deny_ambiguities(&mut app, PostUpdate);
    run(&mut app, 3);
}

#[test]
fn no_two_systems_have_an_ambiguous_order_in_post_update() {
    let mut app = App::new();
    // This is not `MinimalPlugins`, because that may add Bevy's test harness, whose order does not matter here.
    app.add_plugins((TaskPoolPlugin::default(), FrameCountPlugin, TimePlugin))
        .add_plugins(TransformPlugin)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    deny_ambiguities(&mut app, PostUpdate);
    app.finish();
    app.update();
    app.update();
}

#[test]
fn user_settings_are_kept() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(PursuitSettings {
            batch_size: 7,
            ..default()
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    assert_eq!(app.world().resource::<PursuitSettings>().batch_size, 7);
}

#[test]
fn a_teleport_before_prepare_counts_in_the_same_tick() {
    #[derive(Resource)]
    struct Teleport(Entity, Vec2);
    let mut app = level(PlanMode::Inline, &open(20, 20));
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(5, 5), cell(15, 5));
    app.insert_resource(Teleport(target, cell(15, 5)));
    let teleport = |order: Res<Teleport>, mut places: Query<&mut Transform>| {
        if let Ok(mut place) = places.get_mut(order.0) {
            place.translation = order.1.extend(0.0);
        }
    };
    app.add_systems(FixedUpdate, teleport.before(PursuitSystems::Prepare));
    run(&mut app, 10);
    for to in [cell(4, 15), cell(15, 15)] {
        app.insert_resource(Teleport(target, to));
        run(&mut app, 1);
        let goal = move |navigation: Navigation| navigation.report(agent).and_then(|one| one.goal);
        assert_eq!(ask(&mut app, goal), Some(to.extend(0.0)));
    }
}

/// The x-coordinates that systems of the game saw of an agent, in the order in which the systems ran.
#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, f32)>);

fn see(name: &'static str) -> impl FnMut(Query<&Transform, With<NavAgent>>, ResMut<Seen>) + Clone {
    move |agents, mut seen| {
        let places = agents.iter().map(|place| (name, place.translation.x));
        seen.0.extend(places);
    }
}

#[test]
fn systems_first_in_a_tick_see_the_tick_before_and_systems_last_see_the_moved_bodies() {
    let with_rapier = BODIES.map(|body| (game(60.0, PlanMode::Inline), FixedUpdate.intern(), body));
    let bare = (game_without_rapier(), FixedUpdate.intern(), Body::Transform);
    let in_frames = BODIES.map(|body| {
        let app = game_in_frames(60.0, PlanMode::Inline);
        (app, PostUpdate.intern(), body)
    });
    for (mut app, schedule, body) in with_rapier.into_iter().chain([bare]).chain(in_frames) {
        app.init_resource::<Seen>().add_systems(
            schedule,
            (
                see("after").after(PursuitTickSystems),
                see("last").in_set(PursuitSystems::Last),
                see("first").in_set(PursuitSystems::First),
                see("before").before(PursuitTickSystems),
            ),
        );
        build_level(&mut app, &open(20, 20));
        run(&mut app, 3);
        spawn_walker(&mut app, body, cell(5, 5), cell(15, 5));
        run(&mut app, 10);
        app.insert_resource(Seen::default());
        run(&mut app, 5);
        let seen = &app.world().resource::<Seen>().0;
        let names: Vec<_> = seen.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["before", "first", "last", "after"].repeat(5));
        let mut place = seen[0].1;
        for tick in seen.chunks(4) {
            let [before, first, last, after] = [0, 1, 2, 3].map(|n| tick[n].1);
            assert_eq!([before, first], [place; 2], "{schedule:?} {body:?}");
            assert!(last > first, "{schedule:?} {body:?}: {seen:?}");
            assert_eq!(after, last, "{schedule:?} {body:?}");
            place = last;
        }
    }
}

#[test]
fn a_teleport_first_in_a_tick_counts_in_the_same_tick() {
    let mut app = level(PlanMode::Inline, &open(20, 20));
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(5, 5), cell(15, 5));
    let to = cell(4, 15);
    let teleport = move |mut places: Query<&mut Transform>| {
        if let Ok(mut place) = places.get_mut(target) {
            place.translation = to.extend(0.0);
        }
    };
    app.add_systems(FixedUpdate, teleport.in_set(PursuitSystems::First));
    run(&mut app, 1);
    let goal = move |navigation: Navigation| navigation.report(agent).and_then(|one| one.goal);
    assert_eq!(ask(&mut app, goal), Some(to.extend(0.0)));
}
