//! Several grids, and which of them an agent plans on.

use crate::common::*;

/// A layer without obstacles: a grid with this layer sees an open world.
const EMPTY_LAYER: ObstacleLayers = ObstacleLayers(1 << 20);

fn nav(min: Vec2, max: Vec2, layers: impl Into<ObstacleLayers>) -> NavGrid {
    nav_grid(Rect::from_corners(min, max), 0.5).with_obstacles(layers)
}

/// Runs `test` in many worlds, each with the two grids and a wall at X = 10 from Y = 0 to Y = 7. The worlds differ in
/// the mode, in the order in which the two grids are spawned, and in which grid has an additional component: none, the
/// first or the second.
fn check_in_worlds(first: NavGrid, second: NavGrid, test: impl Fn(&mut App, [Entity; 2], &str)) {
    for mode in MODES {
        for swapped in [false, true] {
            for named in [None, Some(0), Some(1)] {
                let mut app = game(60.0, mode);
                let mut spawn = |nav: NavGrid| spawn(&mut app, nav);
                let grids = if swapped {
                    let second = spawn(second);
                    [spawn(first), second]
                } else {
                    [spawn(first), spawn(second)]
                };
                if let Some(named) = named {
                    // This moves the grid to another archetype, which comes later in queries.
                    give(&mut app, grids[named], Name::new("a grid"));
                }
                spawn_wall(&mut app, Vec2::new(10.0, 3.5), Vec2::new(0.5, 3.5));
                run_slowly(&mut app, 20);
                let context = format!("{mode:?}, spawned in reverse: {swapped}, named: {named:?}");
                test(&mut app, grids, &context);
            }
        }
    }
}

/// Runs the app until the path is straight, or is not, as `is_straight` says. Returns the path's [`max_detour`].
fn wait_for_detour(app: &mut App, entity: Entity, is_straight: bool) -> f32 {
    for _ in 0..40 {
        let detour = max_detour(app, entity);
        if (detour < 1.0) == is_straight && !detour.is_nan() {
            return detour;
        }
    }
    max_detour(app, entity)
}

/// The largest distance between the path of a request and the straight line. NaN if there is no path.
fn max_detour(app: &mut App, entity: Entity) -> f32 {
    run_slowly(app, 20);
    let points = waypoints(&get::<NavPath>(app, entity)).into_iter();
    let away = points.map(|point| (point.y - 2.5).abs());
    away.reduce(f32::max).unwrap_or(f32::NAN)
}

fn walker(app: &mut App, goal: Vec2) -> Entity {
    let slow = NavAgent::from_radius(RADIUS).with_speed(0.01);
    spawn_bare(app, cell(4, 2), (PathRequest::to(goal), slow))
}

/// Runs `test` with one grid that contains the wall and one ghost grid without it.
fn check_with_ghost_grid(test: impl Fn(&mut App, [Entity; 2], &str)) {
    let (min, max) = (Vec2::ZERO, Vec2::new(20.0, 9.0));
    check_in_worlds(nav(min, max, WALLS), nav(min, max, EMPTY_LAYER), test);
}

#[test]
fn an_agent_plans_on_the_grid_that_it_names() {
    check_with_ghost_grid(|app, grids, context| {
        let agent = walker(app, cell(15, 2));
        for n in [0, 1, 0] {
            give(app, agent, OnGrid(grids[n]));
            let request = PathRequest::to(cell(15, 2)).with_radius(RADIUS);
            let request = spawn_request(app, cell(4, 2), request);
            give(app, request, OnGrid(grids[n]));
            for entity in [agent, request] {
                let detour = wait_for_detour(app, entity, n == 1);
                assert_eq!(
                    detour < 1.0,
                    n == 1,
                    "{context}: on grid {n}, the detour is {detour}"
                );
            }
        }
    });
}

#[test]
fn a_ghost_on_its_own_grid_walks_through_walls_and_others_do_not() {
    check_with_ghost_grid(|app, grids, context| {
        let (ghost, target) = spawn_chase(app, Body::Transform, cell(4, 2), cell(15, 2));
        let guard = spawn_chaser(app, Body::Transform, cell(4, 2), target);
        give(app, ghost, OnGrid(grids[1]));
        give(app, guard, OnGrid(grids[0]));
        let mut ghost_was_in_wall = false;
        for _ in 0..200 {
            run_off_walls(app, guard, 1, context);
            let there = position(app, ghost);
            ghost_was_in_wall |= wall_distance(app, there) < 0.1;
        }
        arrive_or_settle_off_walls(app, guard, 200, context);
        arrive_or_settle(app, ghost, 1, context);
        assert!(
            ghost_was_in_wall,
            "{context}: the ghost did not walk through the wall"
        );
    });
}

#[test]
fn a_grid_with_start_and_goal_is_preferred_to_one_with_the_start() {
    // The smaller grid ends before the goal.
    let small = nav(Vec2::ZERO, Vec2::new(12.0, 9.0), WALLS);
    let large = nav(Vec2::ZERO, Vec2::new(20.0, 9.0), WALLS);
    check_in_worlds(small, large, |app, _, context| {
        let agent = walker(app, cell(15, 2));
        let detour = wait_for_detour(app, agent, false);
        assert_eq!(status(app, agent), PathStatus::Found, "{context}");
        let end = path_end(&get::<NavPath>(app, agent));
        assert_eq!(
            end,
            Some(cell(15, 2)),
            "{context}: the path does not lead to the goal"
        );
        assert!(
            detour > 3.0,
            "{context}: the path does not go around the wall, its detour is {detour}"
        );
    });
}

#[test]
fn of_two_grids_with_start_and_goal_the_smaller_one_is_used() {
    // Only the small grid contains the wall.
    let small = nav(Vec2::ZERO, Vec2::new(20.0, 9.0), WALLS);
    let large = nav(Vec2::splat(-10.0), Vec2::new(40.0, 20.0), EMPTY_LAYER);
    check_in_worlds(small, large, |app, _, context| {
        disable_avoidance(app);
        let slow = walker(app, cell(15, 2));
        let detour = wait_for_detour(app, slow, false);
        assert!(
            detour > 3.0,
            "{context}: the path does not go around the wall, its detour is {detour}"
        );
        let (agent, _) = spawn_chase(app, Body::Transform, cell(4, 2), cell(15, 2));
        arrive_off_walls(app, agent, 300, context);
    });
}

#[test]
fn an_agent_that_names_an_entity_without_a_grid_fails_with_no_grid() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(20, 9));
        let grid = grid_entity(&mut app);
        let other = app.world_mut().spawn_empty().id();
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(4, 2), cell(15, 2));
        give(&mut app, agent, OnGrid(other));
        run_slowly(&mut app, 30);
        let context = (mode, "an entity without a grid was named");
        assert_status(&app, agent, Failed(NoGrid), context);
        give(&mut app, agent, OnGrid(grid));
        arrive(&mut app, agent, 300, (mode, "a grid was named"));
    }
}
