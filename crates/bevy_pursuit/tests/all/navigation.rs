//! Queries of `Navigation`: with and without physics, every reason for a missing answer, several grids, and answers
//! that agree with the results of requests.

use bevy::ecs::entity::EntityHashMap;
use bevy_pursuit::core::steer::length;
use bevy_pursuit::grid::FIT_FRACTION;
use bevy_pursuit::inspect::NextPlan;

use crate::common::*;

/// Two rooms side by side, with an opening at the top of the wall between them.
const ROOMS: &str = "
    ...........
    .....#.....
    .....#.....
    .....#.....
    ######.....
";

/// A game without physics, whose walls are `NavObstacle`s.
fn level_without_physics(map: &str) -> App {
    let mut app = game_without_rapier();
    let (size, walls) = size_and_walls(map);
    let bounds = Rect::from_corners(Vec2::ZERO, size);
    let grid = NavGrid::covering(bounds).with_node_radius(0.5);
    spawn(&mut app, grid);
    for center in walls {
        let wall = NavObstacle::rectangle(Vec2::splat(0.5));
        spawn(&mut app, (wall, transform_at(center)));
    }
    run(&mut app, 3);
    app
}

/// Updates until everything that was spawned or changed is baked.
fn wait_for_bakes(app: &mut App) {
    run(app, 2);
    run_slowly_until(app, 4000, |app| {
        let mut grids = app.world_mut().query::<&BakedGrid>();
        let mut grids = grids.iter(app.world());
        grids.all(|grid| !grid.is_baking() && grid.snapshot().is_some())
    });
}

fn path(app: &mut App, from: Vec2, to: Vec2) -> Result<Vec<Vec2>, FailReason> {
    ask(app, move |nav| nav.path(from, to, RADIUS))
}

fn distance(app: &mut App, from: Vec2, to: Vec2) -> Result<f32, FailReason> {
    ask(app, move |nav| nav.distance(from, to, RADIUS))
}

#[track_caller]
fn assert_near(a: f32, b: f32, context: &str) {
    assert!((a - b).abs() < 1e-3, "{context}: {a}, not {b}");
}

#[test]
fn games_with_and_without_physics_get_the_same_answers() {
    for mut app in [level(PlanMode::Inline, ROOMS), level_without_physics(ROOMS)] {
        let (from, to) = (cell(2, 3), cell(8, 3));
        let path = path(&mut app, from, to).expect("a path");
        assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
        assert!(
            path.len() > 2 && path.iter().any(|point| point.y < 1.2),
            "{path:?}"
        );
        let distance = distance(&mut app, from, to).expect("a distance");
        assert_near(distance, length(&path), "length of the taut path");
        let sight = |to| move |nav: Navigation| nav.line_of_sight(from, to, RADIUS);
        assert_eq!(ask(&mut app, sight(to)), Ok(false));
        assert_eq!(ask(&mut app, sight(cell(2, 0))), Ok(true));
        assert_eq!(is_reachable(&mut app, from, to), Ok(true));
        let wall = cell(5, 2);
        let free = nearest_free(&mut app, wall).expect("a free place");
        assert!(free == cell(4, 2) || free == cell(6, 2), "{free}");
        assert_eq!(nearest_free(&mut app, from), Ok(from));
        let blocking = what_blocks(&mut app, wall, 0.1).expect("the point is in the grid");
        assert_eq!(blocking.len(), 1);
        assert_eq!(position(&app, blocking[0]), wall);
        assert_eq!(what_blocks(&mut app, from, RADIUS), Ok(vec![]));
    }
}

#[test]
fn a_closed_room_is_unreachable_until_its_door_opens() {
    let mut app = level(PlanMode::Inline, &ROOMS.replace("    ......", "    .....#"));
    let (from, to) = (cell(2, 2), cell(8, 2));
    let door = cell(5, 0);
    let doors = what_blocks(&mut app, door, 0.1).expect("the point is in the grid");
    assert_eq!(is_reachable(&mut app, from, to), Ok(false));
    assert_eq!(path(&mut app, from, to), Err(Unreachable));
    assert_eq!(distance(&mut app, from, to), Err(Unreachable));
    despawn(&mut app, doors[0]);
    app.update();
    app.update();
    assert_eq!(is_reachable(&mut app, from, to), Ok(true));
    assert!(distance(&mut app, from, to).is_ok_and(|distance| distance > 6.5));
    assert_eq!(what_blocks(&mut app, door, 0.1), Ok(vec![]));
}

/// The errors of all queries between two points.
fn query_reasons(app: &mut App, from: Vec2, to: Vec2, radius: f32) -> [Option<FailReason>; 4] {
    ask(app, move |nav| {
        [
            nav.path(from, to, radius).err(),
            nav.distance(from, to, radius).err(),
            nav.is_reachable(from, to, radius).err(),
            nav.line_of_sight(from, to, radius).err(),
        ]
    })
}

/// The errors of all queries about one point.
fn point_reasons(app: &mut App, point: Vec2, radius: f32) -> [Option<FailReason>; 2] {
    ask(app, move |nav| {
        [
            nav.nearest_free(point, radius).err(),
            nav.what_blocks(point, radius).err(),
        ]
    })
}

#[test]
fn invalid_queries_return_the_reason() {
    let mut app = level(PlanMode::Inline, ROOMS);
    let (here, there) = (cell(1, 1), cell(8, 1));
    let nan = Vec2::new(f32::NAN, 1.0);
    let (left, above) = (Vec2::new(-1.0, 1.0), Vec2::new(3.0, 5.1));
    for outside in [left, above, nan, Vec2::INFINITY] {
        let reason = Some(FailReason::OutsideGrid);
        let found = query_reasons(&mut app, outside, there, RADIUS);
        assert_eq!(found, [reason; 4], "{outside}");
        let found = point_reasons(&mut app, outside, RADIUS);
        assert_eq!(found, [reason; 2], "{outside}");
        let reason = Some(FailReason::GoalOutside);
        let found = query_reasons(&mut app, here, outside, RADIUS);
        assert_eq!(found, [reason; 4], "{outside}");
    }
    for radius in [-0.1, f32::NAN, f32::INFINITY, 4.1] {
        let reason = Some(FailReason::BadRadius);
        let found = query_reasons(&mut app, here, there, radius);
        assert_eq!(found, [reason; 4], "{radius}");
        let found = point_reasons(&mut app, here, radius);
        assert_eq!(found, [reason; 2], "{radius}");
    }
    let found = query_reasons(&mut app, here, there, 0.0);
    assert_eq!(found, [None; 4], "a radius of zero was refused");
}

#[test]
fn a_body_deep_in_walls_has_no_path_and_one_at_the_rim_steps_out() {
    let solid = "#########\n".repeat(7) + "#########.\n".trim_end();
    let mut app = level(PlanMode::Inline, &solid.replace("#########.", "........#"));
    let [deep, rim, free] = [cell(4, 2), cell(4, 6), cell(1, 7)];
    let blocked = Some(FailReason::StartBlocked);
    let found = query_reasons(&mut app, deep, free, RADIUS);
    assert_eq!(found, [blocked, blocked, blocked, None]);
    let answer = ask(&mut app, move |nav| nav.line_of_sight(deep, free, RADIUS));
    assert_eq!(answer, Ok(false));
    let path = path(&mut app, rim, free).expect("a path out of the wall");
    assert_eq!(path.first(), Some(&rim));
    assert_eq!(is_reachable(&mut app, rim, free), Ok(true));
    assert_eq!(nearest_free(&mut app, deep), Ok(cell(4, 7)));
    let full = "####\n".repeat(4);
    let mut app = level(PlanMode::Inline, &full);
    let nowhere = Err(FailReason::StartBlocked);
    assert_eq!(nearest_free(&mut app, cell(1, 1)), nowhere);
}

#[test]
fn the_reason_distinguishes_a_missing_grid_from_one_not_yet_baked() {
    let (here, there) = (cell(1, 1), cell(8, 1));
    let mut app = game(60.0, PlanMode::Async);
    app.update();
    let found = query_reasons(&mut app, here, there, RADIUS);
    assert_eq!(found, [Some(FailReason::NoGrid); 4]);
    let found = point_reasons(&mut app, here, RADIUS);
    assert_eq!(found, [Some(FailReason::NoGrid); 2]);
    build_level(&mut app, ROOMS);
    let not_yet = Some(FailReason::NotBaked);
    let found = query_reasons(&mut app, here, there, RADIUS);
    assert_eq!(found, [not_yet; 4], "before the grid was seen");
    app.update();
    let found = query_reasons(&mut app, here, there, RADIUS);
    assert_eq!(found, [not_yet; 4], "while the bake is in flight");
    let far = Vec2::splat(-90.0);
    let found = query_reasons(&mut app, far, there, RADIUS);
    assert_eq!(found, [Some(FailReason::OutsideGrid); 4]);
    wait_for_bakes(&mut app);
    assert_eq!(query_reasons(&mut app, here, there, RADIUS), [None; 4]);
    let grid = grid_entity(&mut app);
    get_mut::<NavGrid>(&mut app, grid).node_radius = f32::NAN;
    run_slowly(&mut app, 3);
    let found = query_reasons(&mut app, here, there, RADIUS);
    assert_eq!(found, [Some(FailReason::NoGrid); 4]);
}

#[test]
fn a_query_uses_the_grid_that_an_agent_would_use_or_the_one_it_names() {
    let mut app = level(PlanMode::Inline, ROOMS);
    let small = grid_entity(&mut app);
    let bounds = Rect::from_corners(Vec2::splat(-5.0), Vec2::splat(40.0));
    let large = nav_grid(bounds, 0.5).with_obstacles(Group::GROUP_9);
    let large = spawn(&mut app, large);
    let ghosts = nav_grid(bounds, 0.25).with_obstacles(ObstacleLayers::NONE);
    let ghosts = spawn(&mut app, ghosts);
    let gone = app.world_mut().spawn_empty().id();
    run(&mut app, 3);
    let (from, to, far) = (cell(2, 3), cell(8, 3), Vec2::splat(30.0));
    let [around, straight] = [to, far].map(|to| distance(&mut app, from, to));
    assert!(
        around.is_ok_and(|distance| distance > 6.5),
        "the path on the small grid does not go around its walls: {around:?}"
    );
    let (straight, away) = (straight.expect("a path"), from.distance(far));
    assert_near(straight, away, "only the large grid contains both points");
    let distances = ask(&mut app, move |nav| {
        [small, large, ghosts].map(|grid| nav.distance(from, to, (RADIUS, OnGrid(grid))))
    });
    assert_eq!(distances[0], around);
    for distance in &distances[1..] {
        assert_near(distance.expect("a path"), 6.0, "the grid has no obstacles");
    }
    let on = ask(&mut app, move |nav| {
        let [one, ghost, lost] = [small, ghosts, gone].map(|grid| (RADIUS, OnGrid(grid)));
        let (wall, blockers) = (cell(5, 2), nav.what_blocks(cell(5, 2), (0.1, one.1)));
        let others = (
            nav.is_reachable(from, far, one),
            nav.path(from, to, lost),
            blockers.map(|blocking| blocking.len()),
        );
        let of_ghosts = (
            nav.what_blocks(wall, (0.1, ghost.1)),
            nav.nearest_free(wall, ghost),
            nav.line_of_sight(from, to, ghost),
        );
        (others, of_ghosts)
    });
    let (outside, no_grid) = (Err(FailReason::GoalOutside), Err(FailReason::NoGrid));
    let of_ghosts = (Ok(vec![]), Ok(cell(5, 2)), Ok(true));
    assert_eq!(on, ((outside, no_grid, Ok(1)), of_ghosts));
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn queries_answer_like_requests_on_random_worlds() {
    let mut random = fastrand::Rng::with_seed(29);
    let (mut found, mut refused) = (0, 0);
    for world in 0..40 {
        let mode = MODES[world % 2];
        let (width, height) = (random.usize(4..30), random.usize(4..30));
        let walls = random.f32() * 0.5;
        let wall = |random: &mut fastrand::Rng| if random.f32() < walls { '#' } else { '.' };
        let row =
            |random: &mut fastrand::Rng| -> String { (0..width).map(|_| wall(random)).collect() };
        let map: Vec<String> = (0..height).map(|_| row(&mut random)).collect();
        let mut app = unbaked_level(mode, &map.join("\n"));
        for _ in 0..random.u32(0..4) {
            let center = Vec2::new(random.f32() * width as f32, random.f32() * height as f32);
            let half = 0.1 + 2.0 * Vec2::new(random.f32(), random.f32());
            let wall = spawn_wall(&mut app, center, half);
            let turned = Quat::from_rotation_z(7.0 * random.f32());
            get_mut::<Transform>(&mut app, wall).rotation = turned;
        }
        let radius = [0.0, 0.2, RADIUS, 0.7, 1.4][random.usize(0..5)];
        let size = 1.1 * Vec2::new(width as f32, height as f32);
        let mut point = || size * Vec2::new(random.f32(), random.f32()) - 0.05 * size;
        let trips: Vec<(Vec2, Vec2)> = (0..12).map(|_| (point(), point())).collect();
        let request = |&(from, to): &(Vec2, Vec2)| {
            spawn_request(&mut app, from, PathRequest::to(to).with_radius(radius))
        };
        let requests: Vec<Entity> = trips.iter().map(request).collect();
        run_slowly_until(&mut app, 2000, |app| {
            requests
                .iter()
                .all(|request| is_answered(status(app, *request)))
        });
        for (request, (from, to)) in requests.into_iter().zip(trips) {
            let (expected, path) = (status(&app, request), get::<NavPath>(&app, request));
            let context = format!("world {world}, {from} to {to}, radius {radius}, {expected:?}");
            let (found_path, distance, is_reachable, left) = ask(&mut app, move |nav| {
                (
                    nav.path(from, to, radius),
                    nav.distance(from, to, radius),
                    nav.is_reachable(from, to, radius),
                    nav.remaining_distance(request),
                )
            });
            let no_way = matches!(
                expected.reason(),
                Some(FailReason::Unreachable | FailReason::GoalBlocked)
            );
            match expected.reason() {
                None => {
                    found += 1;
                    assert_eq!(found_path.as_deref(), Ok(&*waypoints(&path)), "{context}");
                    let rest = path_end(&path).expect("a path").distance(to);
                    let walked = length(&waypoints(&path)) + rest;
                    assert_near(distance.expect("a distance"), walked, &context);
                    assert_near(left.expect("a path"), walked, &context);
                    assert_eq!(is_reachable, Ok(true), "{context}");
                }
                Some(reason) => {
                    refused += 1;
                    assert_eq!(
                        (found_path, distance),
                        (Err(reason), Err(reason)),
                        "{context}"
                    );
                    assert_eq!(left, Err(NoPath::from(expected)), "{context}");
                    let expected_reachable = if no_way { Ok(false) } else { Err(reason) };
                    assert_eq!(is_reachable, expected_reachable, "{context}");
                }
            }
        }
    }
    assert!(
        found > 150 && refused > 100,
        "{found} found, {refused} refused"
    );
}

#[test]
fn the_search_limit_also_applies_to_queries() {
    let turns = "........\n######..\n........\n..######\n".repeat(3) + "........";
    let mut app = level(PlanMode::Inline, &turns);
    let (from, to) = (cell(0, 0), cell(0, 12));
    settings(&mut app).max_expanded = Some(1);
    let request = spawn_request(&mut app, from, PathRequest::to(to).with_radius(RADIUS));
    run(&mut app, 3);
    assert_status(&app, request, Partial(LimitReached), "a limit");
    assert!(
        !get::<NavPath>(&app, request).is_empty(),
        "no partial path leads as near to the goal as the search got"
    );
    assert_eq!(path(&mut app, from, to), Err(LimitReached));
    assert_eq!(is_reachable(&mut app, from, to), Ok(true));
}

/// The system writes every component that a game may write.
#[test]
fn navigation_can_be_used_beside_queries_that_write_components() {
    fn push_away(
        navigation: Navigation,
        mut agents: Query<(Entity, &mut Transform, &mut NavAgent, Option<&mut Chase>)>,
        mut others: Query<(
            &mut GlobalTransform,
            &mut PathRequest,
            &mut Flee,
            &mut OnGrid,
        )>,
        mut grids: Query<&mut NavGrid>,
        mut walls: Query<(&mut Collider, &mut NavObstacle)>,
        mut settings: ResMut<PursuitSettings>,
    ) {
        settings.sight_range_cells = 1.0;
        let idle = others.iter_mut().count() + grids.iter_mut().count() + walls.iter_mut().count();
        for (entity, mut transform, agent, _) in &mut agents {
            let here = transform.translation.truncate();
            let free = navigation.nearest_free(here, agent.radius);
            if let Ok(free) = free {
                transform.translation = (free + Vec2::X * idle as f32 * 0.0).extend(0.0);
            }
            assert_eq!(navigation.remaining_distance(entity), Err(NoPath::Idle));
        }
    }
    let mut app = level(PlanMode::Inline, ROOMS);
    let agent = spawn_agent(&mut app, Body::Transform, cell(5, 2));
    app.add_systems(Update, push_away);
    app.update();
    let moved = position(&app, agent);
    assert!(moved == cell(4, 2) || moved == cell(6, 2), "{moved}");
}

#[test]
fn many_threads_can_query_at_once() {
    fn query_all(navigation: Navigation, agents: Query<&Transform, With<NavAgent>>) {
        bevy::tasks::ComputeTaskPool::get_or_init(Default::default);
        agents.par_iter().for_each(|transform| {
            let here = transform.translation.truncate();
            let distance = navigation.distance(here, cell(8, 3), RADIUS);
            assert!(
                distance.is_ok_and(|distance| distance > 6.0),
                "{distance:?}"
            );
        });
    }
    let mut app = level(PlanMode::Inline, ROOMS);
    for _ in 0..2_000 {
        spawn_agent(&mut app, Body::Transform, cell(1, 2));
    }
    let asked = app.world_mut().run_system_once(query_all);
    asked.expect("the system runs");
}

/// The obstacles that are certainly within the radius, and those for which rounding decides. Both are computed by
/// parry, independently of Pursuit.
fn blocking_by_parry(app: &mut App, point: Vec2, radius: f32) -> (Vec<Entity>, Vec<Entity>) {
    let near = move |walls: Query<(Entity, &Collider, &GlobalTransform), Without<Sensor>>| {
        let (mut inside, mut at_limit) = (Vec::new(), Vec::new());
        for (entity, collider, pose) in &walls {
            let (_, rotation, translation) = pose.to_scale_rotation_translation();
            let angle = rotation.to_euler(EulerRot::XYZ).2;
            let away = collider.distance_to_point(translation.truncate(), angle, point, true);
            if away < FIT_FRACTION * radius - 1e-3 {
                inside.push(entity);
            } else if away < FIT_FRACTION * radius + 1e-3 {
                at_limit.push(entity);
            }
        }
        (inside, at_limit)
    };
    let near = app.world_mut().run_system_once(near);
    near.expect("the system runs")
}

#[track_caller]
fn assert_blocking(app: &mut App, points: &[Vec2], radius: f32, context: &str) -> usize {
    let mut hits = 0;
    for &point in points {
        let blocking = what_blocks(app, point, radius).expect("the point is in the grid");
        let (inside, at_limit) = blocking_by_parry(app, point, radius);
        let details =
            format!("{context}: at {point} for radius {radius}: {blocking:?}, expected {inside:?}");
        assert!(
            inside.iter().all(|entity| blocking.contains(entity)),
            "{details}"
        );
        let known = |entity| inside.contains(entity) || at_limit.contains(entity);
        assert!(blocking.iter().all(known), "{details}");
        hits += blocking.len();
    }
    hits
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn what_blocks_returns_the_colliders_that_parry_finds() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut app = level(PlanMode::Inline, &open(60, 40));
    let grid = grid_entity(&mut app);
    get_mut::<NavGrid>(&mut app, grid).obstacles = ObstacleLayers::ALL;
    let mut random_point = || Vec2::new(64.0 * random.f32() - 2.0, 44.0 * random.f32() - 2.0);
    let pair = vec![
        (Vec2::new(-3.0, 0.0), 0.5, Collider::cuboid(1.0, 2.0)),
        (Vec2::new(3.0, 1.0), 0.0, Collider::ball(1.2)),
    ];
    let corners = [(0.0, 0.0), (8.0, 2.0), (3.0, 7.0), (-4.0, 3.0)];
    let corners = corners.map(Vec2::from).to_vec();
    let shapes = [
        Collider::cuboid(0.4, 0.4),
        Collider::cuboid(9.0, 0.1),
        Collider::ball(2.5),
        Collider::capsule_y(3.0, 0.4),
        Collider::compound(pair),
        Collider::polyline(corners.clone(), None),
        Collider::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("a mesh"),
        Collider::round_cuboid(1.0, 0.5, 0.3),
    ];
    let mut walls = Vec::new();
    for (number, shape) in shapes.iter().cycle().take(40).enumerate() {
        let at = transform_at(random_point()).with_rotation(Quat::from_rotation_z(number as f32));
        let scaled = match number % 3 {
            0 => at,
            1 => at.with_scale(Vec3::new(1.7, 1.7, 1.0)),
            _ => at.with_scale(Vec3::new(0.6, 0.6, 1.0)),
        };
        let wall = spawn(&mut app, (shape.clone(), scaled));
        if number % 4 == 0 {
            let turned = Quat::from_rotation_z(0.4);
            let parent = Transform::from_xyz(4.0, -2.0, 0.0).with_rotation(turned);
            let body = spawn(&mut app, parent);
            if number % 8 == 0 {
                give(&mut app, body, RigidBody::Fixed);
            }
            give(&mut app, wall, ChildOf(body));
        }
        walls.push(wall);
    }
    run(&mut app, 4);
    let mut points: Vec<Vec2> = (0..150)
        .map(|_| random_point().clamp(Vec2::splat(0.01), Vec2::new(59.99, 39.99)))
        .collect();
    points.extend([Vec2::ZERO, Vec2::new(60.0, 40.0), Vec2::new(0.0, 40.0)]);
    let mut hits = 0;
    for radius in [0.3, 1.0, 3.9] {
        hits += assert_blocking(&mut app, &points, radius, "as spawned");
    }
    assert!(hits > 300, "only {hits} obstacles block");
    for round in 0..6 {
        for _ in 0..3 {
            let wall = walls.swap_remove((7 * round + 3) % walls.len());
            despawn(&mut app, wall);
        }
        for wall in walls.iter().skip(round).step_by(7) {
            let moved = Vec3::new(1.0 + round as f32, -1.5, 0.0);
            let mut transform = get_mut::<Transform>(&mut app, *wall);
            transform.translation += moved;
        }
        run(&mut app, 3);
        assert_blocking(&mut app, &points, 1.0, "after edits");
    }
}

#[test]
fn what_blocks_tracks_obstacles_that_change_no_distance() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(20, 20));
        let at = cell(10, 10);
        let first = spawn_wall(&mut app, at, Vec2::splat(2.0));
        wait_for_bakes(&mut app);
        let grid = grid_entity(&mut app);
        let before = snapshot(&app, grid).generation();
        let inside = spawn_wall(&mut app, at, Vec2::splat(0.5));
        let free = NavObstacle::circle(0.1);
        give(&mut app, inside, free);
        wait_for_bakes(&mut app);
        let blocking = what_blocks(&mut app, at, 0.1).expect("the point is in the grid");
        assert_eq!(
            blocking.len(),
            2,
            "not each entity is listed exactly once: {blocking:?}"
        );
        assert!(blocking.contains(&first) && blocking.contains(&inside));
        despawn(&mut app, inside);
        wait_for_bakes(&mut app);
        assert_eq!(what_blocks(&mut app, at, 0.1), Ok(vec![first]));
        despawn(&mut app, first);
        let twin = spawn_wall(&mut app, at, Vec2::splat(2.0));
        wait_for_bakes(&mut app);
        assert_eq!(what_blocks(&mut app, at, 0.1), Ok(vec![twin]));
        let after = snapshot(&app, grid).generation();
        assert_eq!(
            after, before,
            "a new generation, although no distance differs"
        );
    }
}

#[test]
fn what_blocks_returns_the_obstacles_within_the_radius_nearest_first() {
    let mut app = level(PlanMode::Inline, &open(20, 20));
    let far = spawn_wall(&mut app, Vec2::new(13.0, 10.0), Vec2::splat(1.0));
    let near = spawn_wall(&mut app, Vec2::new(7.5, 10.0), Vec2::splat(1.0));
    run(&mut app, 3);
    let at = Vec2::new(10.0, 10.0);
    assert_eq!(what_blocks(&mut app, at, 1.4), Ok(vec![]));
    let touched = what_blocks(&mut app, at, 1.5);
    assert_eq!(
        touched,
        Ok(vec![]),
        "an obstacle that merely touches the body blocks"
    );
    assert_eq!(what_blocks(&mut app, at, 1.6), Ok(vec![near]));
    assert_eq!(what_blocks(&mut app, at, 2.2), Ok(vec![near, far]));
}

#[test]
fn remaining_distance_is_the_distance_that_an_agent_walks() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOMS);
        let (from, to) = (cell(2, 3), cell(8, 3));
        let agent = spawn_agent(&mut app, body, from);
        assert_eq!(remaining_distance(&mut app, agent), Err(NoPath::Idle));
        give(&mut app, agent, PathRequest::to(to));
        run(&mut app, 2);
        let whole = remaining_distance(&mut app, agent).expect("a path");
        let radius = get::<NavPath>(&app, agent).body().radius;
        let queried = ask(&mut app, move |nav| nav.distance(from, to, radius)).expect("a distance");
        assert!(
            (whole - queried).abs() < 0.2,
            "{whole} after a step, the query says {queried}"
        );
        let (mut walked, mut before) = (0.0, position(&app, agent));
        let mut last = whole;
        run_until(&mut app, 900, |app| {
            let here = position(app, agent);
            walked += before.distance(here);
            before = here;
            if let Ok(now) = remaining_distance(app, agent) {
                assert!(
                    now <= last + 1e-3,
                    "{body:?}: the distance grew from {last} to {now}"
                );
                let points = ask(app, move |nav| nav.path_of(agent)).expect("a path");
                let long: f32 = points
                    .windows(2)
                    .map(|line| line[0].distance(line[1]))
                    .sum();
                assert!(
                    (long - now).abs() < 1e-3,
                    "the path {points:?} has a length of {long}, remaining_distance is {now}"
                );
                assert!(
                    (walked + now - whole).abs() < 0.3,
                    "{body:?}: {walked} walked and {now} left, {whole} in all"
                );
                last = now;
            }
            has_arrived(app, agent)
        });
        app.update();
        let left = remaining_distance(&mut app, agent);
        assert!(left.is_ok_and(|left| left < 0.1), "{body:?}: {left:?}");
        remove::<PathRequest>(&mut app, agent);
        app.update();
        assert_eq!(remaining_distance(&mut app, agent), Err(NoPath::Idle));
        despawn(&mut app, agent);
        assert_eq!(remaining_distance(&mut app, agent), Err(NoPath::Idle));
    }
}

#[test]
fn the_remaining_distance_of_an_agent_that_waits_for_its_path_is_pending() {
    let mut app = unbaked_level(PlanMode::Async, ROOMS);
    let agent = spawn_walker(&mut app, Body::Transform, cell(2, 3), cell(8, 3));
    let mut waited = 0;
    run_slowly_until(&mut app, 900, |app| {
        if matches!(
            status(app, agent),
            PathStatus::Queued | PathStatus::Searching
        ) {
            waited += 1;
            assert_eq!(remaining_distance(app, agent), Err(NoPath::Pending));
        }
        status(app, agent) == PathStatus::Found
    });
    assert!(waited > 0, "the agent never waited for its path");
}

#[test]
fn remaining_distance_leads_to_the_current_position_of_the_target() {
    let mut app = level(PlanMode::Inline, ROOMS);
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(2, 3), cell(8, 3));
    let rarely = RepathPolicy::Every(Duration::from_secs(100));
    give(&mut app, agent, Chase::new(target).with_repath(rarely));
    run(&mut app, 2);
    let before = remaining_distance(&mut app, agent).expect("a path");
    set_position(&mut app, target, cell(9, 3));
    app.update();
    let (end, here) = (
        path_end(&get::<NavPath>(&app, agent)),
        position(&app, agent),
    );
    assert_eq!(
        end,
        Some(cell(8, 3)),
        "the chaser did not keep its old path"
    );
    let after = remaining_distance(&mut app, agent).expect("a path");
    let step = NavAgent::from_radius(RADIUS).speed / 60.0;
    assert!(
        (after - before - 1.0).abs() < 2.0 * step,
        "the distance went from {before} to {after} at {here}"
    );
    // A chaser that sees its target walks straight to it.
    set_position(&mut app, target, cell(2, 0));
    run(&mut app, 8);
    assert_eq!(
        locomotion(&app, agent),
        Locomotion::Straight,
        "the chaser does not go straight to its visible target"
    );
    let left = remaining_distance(&mut app, agent).expect("a distance in sight");
    let off = left - position(&app, agent).distance(cell(2, 0));
    assert!(off.abs() < 2.0 * step, "the distance is off by {off}");
    despawn(&mut app, target);
    app.update();
    assert_eq!(remaining_distance(&mut app, agent), Err(NoPath::TargetLost));
}

#[test]
fn remaining_distance_of_an_arrived_agent_is_the_straight_line() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(60, 20));
        let (agent, target) = spawn_chase(&mut app, body, cell(2, 10), cell(30, 10));
        let chase = Chase::new(target).with_reach(6.0).with_sight();
        give(&mut app, agent, chase);
        arrive(&mut app, agent, 900, "an archer");
        // The target walks in a circle within reach of the agent.
        for step in 0..120 {
            let angle = step as f32 * 0.05;
            let by = 0.5 * Vec2::from_angle(angle);
            set_position(&mut app, target, cell(30, 10) + by);
            app.update();
            if locomotion(&app, agent) != Locomotion::Arrived {
                continue;
            }
            let goal = position(&app, target);
            let left = remaining_distance(&mut app, agent).expect("arrived");
            let straight = position(&app, agent).distance(goal);
            assert!(
                (left - straight).abs() < 0.15,
                "{body:?}: remaining_distance is {left}, the straight line {straight}"
            );
        }
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived);
    }
}

#[test]
fn remaining_distance_returns_the_status_of_failed_agents_and_new_clones() {
    let mut app = level(PlanMode::Inline, &ROOMS.replace("    ......", "    .....#"));
    let agent = spawn_walker(&mut app, Body::Transform, cell(2, 2), cell(8, 2));
    run(&mut app, 2);
    assert_eq!(
        remaining_distance(&mut app, agent),
        Err(NoPath::Partial(Unreachable))
    );
    give(&mut app, agent, PathRequest::to(cell(2, 0)));
    run(&mut app, 2);
    assert!(remaining_distance(&mut app, agent).is_ok_and(|left| left > 0.5));
    let clone = clone_entity(&mut app, agent);
    assert_eq!(remaining_distance(&mut app, clone), Err(NoPath::Idle));
    run(&mut app, 2);
    assert!(remaining_distance(&mut app, clone).is_ok_and(|left| left > 0.0));
    let invalid = NavAgent {
        radius: -1.0,
        ..NavAgent::from_radius(RADIUS)
    };
    give(&mut app, agent, invalid);
    run(&mut app, 2);
    assert_eq!(
        remaining_distance(&mut app, agent),
        Err(NoPath::Failed(BadAgent))
    );
}

#[test]
fn remaining_distance_of_a_fleeing_agent_leads_to_its_refuge() {
    let mut app = level(PlanMode::Inline, &open(30, 30));
    let threat = spawn_target(&mut app, cell(15, 15));
    let agent = spawn_bare(&mut app, cell(16, 15), Flee::new(threat, 8.0));
    run(&mut app, 2);
    let path = get::<NavPath>(&app, agent);
    let left = remaining_distance(&mut app, agent).expect("a refuge");
    let off = left - length(&waypoints(&path));
    assert!(off.abs() < 0.3, "{left}: {path:?}");
}

/// The next plan of each agent, read between the decide and plan stages of this tick.
#[derive(Resource, Default)]
struct ForeseenPlans(Vec<(Entity, NextPlan)>);

/// Plans that no report predicted, predicted plans that are overdue by more than a few ticks, and the number of all
/// plans.
#[derive(Resource, Default)]
struct Contradictions {
    lagging: EntityHashMap<u32>,
    messages: Vec<String>,
    plans: u32,
}

fn foresee(
    navigation: Navigation,
    agents: Query<Entity, With<NavAgent>>,
    mut seen: ResMut<ForeseenPlans>,
) {
    let reports = agents
        .iter()
        .filter_map(|one| Some((one, navigation.report(one)?.next_plan)));
    seen.0 = reports.collect();
}

fn compare(
    time: Res<Time>,
    navigation: Navigation,
    seen: Res<ForeseenPlans>,
    mut contradictions: ResMut<Contradictions>,
) {
    let now = time.elapsed_secs_f64();
    for (agent, before) in &seen.0 {
        let Some(after) = navigation.report(*agent) else {
            continue;
        };
        let is_due = matches!(before, NextPlan::At(when, _) if *when <= now + 1e-3);
        let is_planned = *before != NextPlan::Pending && after.next_plan == NextPlan::Pending;
        contradictions.plans += u32::from(is_planned);
        let lag = contradictions.lagging.entry(*agent).or_default();
        *lag = if is_due && !is_planned { *lag + 1 } else { 0 };
        if *lag > 8 || is_planned && !is_due {
            let message = format!("{agent} at {now}: {before:?}, then {:?}", after.next_plan);
            contradictions.messages.push(message);
        }
    }
}

#[test]
fn the_report_foresees_every_plan() {
    let mut app = level(PlanMode::Async, &open(30, 30));
    app.init_resource::<ForeseenPlans>()
        .init_resource::<Contradictions>();
    let between = foresee
        .after(PursuitSystems::Decide)
        .before(PursuitSystems::Plan);
    let after = compare
        .after(PursuitSystems::Plan)
        .before(PursuitSystems::Follow);
    app.add_systems(FixedUpdate, (between, after));
    let target = spawn_target(&mut app, cell(3, 3));
    let policy = RepathPolicy::Every(Duration::from_millis(300));
    for n in 0..6 {
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(27, 4 + 4 * n), target);
        spawn_bare(&mut app, cell(4 + 4 * n, 25), Flee::new(chaser, 6.0));
        let sent = spawn_agent(&mut app, Body::Transform, cell(4 + 4 * n, 15));
        entity_mut(&mut app, sent).insert(PathRequest::to(cell(15, 2 + 4 * n)).with_repath(policy));
    }
    let mut walls = Vec::new();
    for n in 0..12 {
        let at = cell(8 + n, (7 * n) % 25 + 2);
        walls.push(spawn_wall(&mut app, at, Vec2::new(0.5, 2.5)));
        set_position(&mut app, target, cell(3 + 2 * n, (11 * n) % 27 + 1));
        if n > 5 {
            despawn(&mut app, walls[n - 6]);
        }
        run_slowly(&mut app, 25);
    }
    let contradictions = app.world().resource::<Contradictions>();
    assert!(
        contradictions.plans > 50,
        "too few plans: {}",
        contradictions.plans
    );
    assert_eq!(contradictions.messages, Vec::<String>::new());
}
