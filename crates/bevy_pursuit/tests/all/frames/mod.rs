//! Grids outside the XY plane: the ground of a 3D game, and grids that are turned.

mod regressions;

use bevy_pursuit::plugins::FollowPlugin;

use crate::common::*;

/// A room of 20 by 12 in `frame`, with a wall that leaves a door at its top.
fn room(mode: PlanMode, frame: NavFrame) -> App {
    let mut app = game_without_rapier();
    settings(&mut app).plan_mode = mode;
    add_room(&mut app, frame);
    app
}

fn add_room(app: &mut App, frame: NavFrame) {
    let grid = NavGrid::covering(Rect::new(0.0, 0.0, 20.0, 12.0)).with_node_radius(0.25);
    app.world_mut().spawn((grid, frame));
    wall(app, frame, Vec2::new(10.0, 4.5), Vec2::new(0.5, 4.5));
}

/// A wall that is aligned with the axes of the frame.
fn wall(app: &mut App, frame: NavFrame, at: Vec2, half_size: Vec2) {
    // The angle from the x axis of the world to the x axis of the frame.
    let normal = frame.x.cross(frame.y);
    let turn = Vec3::X.cross(frame.x).dot(normal).atan2(frame.x.x);
    let at = Transform {
        translation: frame.to_world(at) + 3.0 * normal,
        rotation: Quat::from_axis_angle(normal, turn),
        ..Transform::default()
    };
    app.world_mut()
        .spawn((NavObstacle::rectangle(half_size), at));
}

fn walker(app: &mut App, frame: NavFrame, at: Vec2) -> Entity {
    let body = NavAgent {
        speed: 6.0,
        acceleration: 40.0,
        ..NavAgent::from_radius(0.4)
    };
    let at = Transform::from_translation(frame.to_world(at));
    app.world_mut().spawn((body, at)).id()
}

fn position_on_grid(app: &App, frame: NavFrame, entity: Entity) -> Vec2 {
    frame.to_grid(get::<Transform>(app, entity).translation)
}

#[test]
fn a_chase_on_any_plane_goes_through_the_door_and_never_leaves_the_plane() {
    let frames = [
        NavFrame::XY,
        NavFrame::XZ,
        NavFrame::XZ.at(Vec3::new(-40.0, 7.0, 3.0)).turned(2.0),
        NavFrame::XY.at(Vec3::new(100.0, -50.0, 0.0)).turned(0.5),
    ];
    for frame in frames {
        for mode in MODES {
            let context = format!("{mode:?} {frame:?}");
            let mut app = room(mode, frame);
            let agent = walker(&mut app, frame, Vec2::new(3.0, 2.0));
            let start = frame.to_world(Vec2::new(17.0, 2.0));
            let target = app
                .world_mut()
                .spawn(Transform::from_translation(start))
                .id();
            give(&mut app, agent, Chase::new(target));
            let (mut highest, mut ticks) = (0.0_f32, 0);
            while !has_arrived(&app, agent) && ticks < 900 {
                run_slowly(&mut app, 1);
                ticks += 1;
                let here = position_on_grid(&app, frame, agent);
                let is_beside = (here.x - 10.0).abs() < 0.5 + 0.4 * 0.9;
                assert!(
                    !is_beside || here.y > 9.0,
                    "{context}: in the wall at {here}"
                );
                highest = highest.max(here.y);
                let translation = get::<Transform>(&app, agent).translation;
                let off = (translation - frame.to_world(here)).length();
                assert!(off < 1e-3, "{context}: off the plane by {off}");
                let desired = get::<DesiredVelocity>(&app, agent).0;
                let lift = desired.dot(frame.x.cross(frame.y)).abs();
                assert!(lift < 1e-3, "{context}: wants to rise by {lift}");
                // The target runs along its side of the room.
                let step = frame.direction_to_world(Vec2::Y * 0.5 / 60.0);
                get_mut::<Transform>(&mut app, target).translation += step;
            }
            assert!(
                has_arrived(&app, agent),
                "{context}: the agent did not arrive, {:?}",
                status(&app, agent)
            );
            assert!(
                highest > 9.0,
                "{context}: the agent did not use the door, its highest point is {highest}"
            );
        }
    }
}

/// A velocity that the game gives an agent in each tick.
#[derive(Component)]
struct GivenVelocity(Vec3);

fn give_velocities(mut agents: Query<(&GivenVelocity, &mut DesiredVelocity)>) {
    for (given, mut desired) in &mut agents {
        desired.0 = given.0;
    }
}

#[test]
fn without_follow_agents_are_driven_on_the_grid_at_their_position() {
    // Seen along the z axis of the world, the second room is within the first one.
    let frames = [NavFrame::XY, NavFrame::XZ.at(Vec3::new(0.0, 5.0, -40.0))];
    for rooms in [&frames[..1], &frames[1..], &frames] {
        for has_parent in [false, true] {
            let mut app = game_with_plugins(60.0, PlanMode::Inline, false, |plugins| {
                plugins.disable::<FollowPlugin>()
            });
            app.add_systems(FixedUpdate, give_velocities.in_set(PursuitSystems::Follow));
            let parent = app.world_mut().spawn(Transform::IDENTITY).id();
            let mut spawn = |frame: &NavFrame| {
                add_room(&mut app, *frame);
                let agent = walker(&mut app, *frame, Vec2::new(3.0, 2.0));
                let velocity = frame.direction_to_world(Vec2::new(6.0, 1.0));
                give(&mut app, agent, GivenVelocity(velocity));
                if has_parent {
                    give(&mut app, agent, ChildOf(parent));
                }
                (*frame, agent)
            };
            let agents: Vec<_> = rooms.iter().map(&mut spawn).collect();
            run(&mut app, 120);
            for (frame, agent) in agents {
                let here = position_on_grid(&app, frame, agent);
                let context = format!("{frame:?} of {}, {has_parent}: {here}", rooms.len());
                assert!((3.9..4.1).contains(&here.y), "not at its speed: {context}");
                assert!((8.5..9.2).contains(&here.x), "not at the wall: {context}");
                let off = get::<Transform>(&app, agent).translation - frame.to_world(here);
                assert!(off.length() < 1e-3, "off the plane: {context}");
            }
        }
    }
}

#[test]
fn a_walk_takes_equally_long_on_every_plane() {
    let frames = [
        NavFrame::XY,
        NavFrame::XZ,
        NavFrame::XY.at(Vec3::new(8.0, 4.0, 0.0)).turned(1.0),
    ];
    let ticks = frames.map(|frame| {
        let mut app = room(PlanMode::Inline, frame);
        let agent = walker(&mut app, frame, Vec2::new(3.0, 2.0));
        let goal = frame.to_world(Vec2::new(17.0, 2.0));
        give(&mut app, agent, PathRequest::to(goal));
        let ticks = (0..900).find(|_| {
            run(&mut app, 1);
            has_arrived(&app, agent)
        });
        ticks.expect("the agent arrives")
    });
    let [fastest, slowest] = [ticks.iter().min(), ticks.iter().max()].map(Option::unwrap);
    // Walls that are not aligned with the cells block one cell more.
    assert!(slowest - fastest <= 6, "{ticks:?}");
}

#[test]
fn navigation_queries_answer_in_world_space() {
    let frame = NavFrame::XZ.at(Vec3::new(5.0, 2.0, 1.0)).turned(0.3);
    let mut app = room(PlanMode::Inline, frame);
    run(&mut app, 2);
    let [from, to] = [Vec2::new(3.0, 2.0), Vec2::new(17.0, 2.0)];
    let [a, b] = [from, to].map(|point| frame.to_world(point));
    let (path, distance, free) = ask(&mut app, move |navigation: Navigation| {
        let inside = frame.to_world(Vec2::new(10.0, 4.0));
        (
            navigation.path(a, b, 0.4).expect("a path"),
            navigation.distance(a, b, 0.4).expect("a path"),
            navigation.nearest_free(inside, 0.4).expect("a place"),
        )
    });
    assert!(path[0].distance(a) < 1e-3 && path[path.len() - 1].distance(b) < 1e-3);
    let length: f32 = path.windows(2).map(|line| line[0].distance(line[1])).sum();
    assert!((length - distance).abs() < 1e-3 && distance > from.distance(to) + 4.0);
    assert!((free - frame.to_world(frame.to_grid(free))).length() < 1e-3);
    assert!((frame.to_grid(free).x - 10.0).abs() >= 0.8, "{free}");
}

#[test]
fn a_changed_frame_rebakes_the_grid_and_an_invalid_one_is_an_error() {
    let mut app = room(PlanMode::Inline, NavFrame::XY);
    run(&mut app, 2);
    let grid = grid_entity(&mut app);
    let open = |app: &App| {
        let baked = get::<BakedGrid>(app, grid);
        let snapshot = baked.snapshot().expect("a bake").clone();
        snapshot.free(Vec2::new(10.0, 4.0), 0.4)
    };
    assert!(!open(&app));
    *get_mut::<NavFrame>(&mut app, grid) = NavFrame::XY.at(Vec3::X * 5.0);
    run(&mut app, 2);
    assert!(open(&app), "the wall did not stay where it is in the world");
    get_mut::<NavFrame>(&mut app, grid).x = Vec3::ZERO;
    run(&mut app, 2);
    let error = get::<BakedGrid>(&app, grid).error().copied();
    let error = error.expect("the frame is refused").to_string();
    assert!(error.contains("NavFrame"), "{error}");
    *get_mut::<NavFrame>(&mut app, grid) = NavFrame::XY;
    run(&mut app, 2);
    assert!(!open(&app));
}
