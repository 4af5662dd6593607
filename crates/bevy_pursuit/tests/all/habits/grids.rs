//! Several grids: which one an agent plans on.

use crate::common::*;

/// A layer that nothing is in: to a grid of it, the world is open.
const NOTHING: ObstacleLayers = ObstacleLayers(1 << 20);

fn nav(min: Vec2, max: Vec2, layers: impl Into<ObstacleLayers>) -> NavGrid {
    nav_grid(Rect::from_corners(min, max), 0.5).with_obstacles(layers)
}

/// Two grids in either order of spawning and with another component on either of them, and a wall
/// with a gap at its end across the world of 20 × 9.
fn worlds(first: NavGrid, second: NavGrid, test: impl Fn(&mut App, [Entity; 2], &str)) {
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
                    // Moves it to another archetype, which comes later in queries.
                    give(&mut app, grids[named], Name::new("a grid"));
                }
                spawn_wall(&mut app, Vec2::new(10.0, 3.5), Vec2::new(0.5, 3.5));
                run_slowly(&mut app, 20);
                let what = format!("{mode:?}, spawned in reverse: {swapped}, named: {named:?}");
                test(&mut app, grids, &what);
            }
        }
    }
}

/// Updates until the path is as expected, and gives [`detour`].
fn detour_once(app: &mut App, entity: Entity, is_straight: bool) -> f32 {
    for _ in 0..40 {
        let detour = detour(app, entity);
        if (detour < 1.0) == is_straight && !detour.is_nan() {
            return detour;
        }
    }
    detour(app, entity)
}

/// Most that the path of a request leaves the straight line by; NaN where there is no path.
fn detour(app: &mut App, entity: Entity) -> f32 {
    run_slowly(app, 20);
    let points = waypoints(&get::<NavPath>(app, entity)).into_iter();
    let away = points.map(|point| (point.y - 2.5).abs());
    away.reduce(f32::max).unwrap_or(f32::NAN)
}

fn walker(app: &mut App, goal: Vec2) -> Entity {
    let slow = NavAgent::from_radius(RADIUS).with_speed(0.01);
    spawn_bare(app, cell(4, 2), (PathRequest::to(goal), slow))
}

/// The same with a grid that knows the wall and one for ghosts.
fn with_ghosts(test: impl Fn(&mut App, [Entity; 2], &str)) {
    let (min, max) = (Vec2::ZERO, Vec2::new(20.0, 9.0));
    worlds(nav(min, max, WALLS), nav(min, max, NOTHING), test);
}

#[test]
fn the_grid_that_an_agent_names_is_the_one_it_plans_on_from_then_on() {
    with_ghosts(|app, grids, what| {
        let agent = walker(app, cell(15, 2));
        for n in [0, 1, 0] {
            give(app, agent, OnGrid(grids[n]));
            let request = PathRequest::to(cell(15, 2)).with_radius(RADIUS);
            let request = spawn_request(app, cell(4, 2), request);
            give(app, request, OnGrid(grids[n]));
            for entity in [agent, request] {
                let detour = detour_once(app, entity, n == 1);
                assert_eq!(detour < 1.0, n == 1, "{what}: on grid {n}, off by {detour}");
            }
        }
    });
}

#[test]
fn a_ghost_with_a_grid_of_its_own_walks_through_walls_and_others_do_not() {
    with_ghosts(|app, grids, what| {
        let (ghost, target) = spawn_chase(app, Body::Transform, cell(4, 2), cell(15, 2));
        let guard = spawn_chaser(app, Body::Transform, cell(4, 2), target);
        give(app, ghost, OnGrid(grids[1]));
        give(app, guard, OnGrid(grids[0]));
        let mut ghost_was_in_wall = false;
        for _ in 0..200 {
            run_off_walls(app, guard, 1, what);
            let there = position(app, ghost);
            ghost_was_in_wall |= wall_distance(app, there) < 0.1;
        }
        arrive_or_settle_off_walls(app, guard, 200, what);
        arrive_or_settle(app, ghost, 1, what);
        assert!(ghost_was_in_wall, "{what}: the ghost minds the wall");
    });
}

#[test]
fn a_grid_that_holds_start_and_goal_goes_before_one_that_holds_the_start() {
    // The smaller grid ends before the goal.
    let small = nav(Vec2::ZERO, Vec2::new(12.0, 9.0), WALLS);
    let large = nav(Vec2::ZERO, Vec2::new(20.0, 9.0), WALLS);
    worlds(small, large, |app, _, what| {
        let agent = walker(app, cell(15, 2));
        let detour = detour_once(app, agent, false);
        assert_eq!(status(app, agent), PathStatus::Found, "{what}");
        let end = path_end(&get::<NavPath>(app, agent));
        assert_eq!(end, Some(cell(15, 2)), "{what}: leads to the goal");
        assert!(detour > 3.0, "{what}: off by {detour}");
    });
}

#[test]
fn of_two_grids_that_hold_start_and_goal_the_smaller_one_is_planned_and_walked_on() {
    // The small one knows the wall, the large one around it is blind.
    let small = nav(Vec2::ZERO, Vec2::new(20.0, 9.0), WALLS);
    let large = nav(Vec2::splat(-10.0), Vec2::new(40.0, 20.0), NOTHING);
    worlds(small, large, |app, _, what| {
        disable_avoidance(app);
        let slow = walker(app, cell(15, 2));
        let detour = detour_once(app, slow, false);
        assert!(detour > 3.0, "{what}: off by {detour}");
        let (agent, _) = spawn_chase(app, Body::Transform, cell(4, 2), cell(15, 2));
        arrive_off_walls(app, agent, 300, what);
    });
}

#[test]
fn an_agent_whose_named_grid_is_gone_says_so() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(20, 9));
        let grid = grid_entity(&mut app);
        let other = app.world_mut().spawn_empty().id();
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(4, 2), cell(15, 2));
        give(&mut app, agent, OnGrid(other));
        run_slowly(&mut app, 30);
        let what = (mode, "an entity without a grid was named");
        assert_status(&app, agent, Failed(NoGrid), what);
        give(&mut app, agent, OnGrid(grid));
        arrive(&mut app, agent, 300, (mode, "a grid was named"));
    }
}
