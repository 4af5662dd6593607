//! Ground areas from components: mud, water and roads.

use std::fmt::Debug;

use bevy_pursuit::obstacle::{
    ObservedObstacles, Obstacle, ObstacleId, ObstacleSource, Outline, Pieces,
};

use bevy_pursuit::core::{Cell, Grid, NavMap, STRAIGHT, oracle};
use fastrand::Rng;

use crate::common::*;

const MUD: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);
/// Only the tests that use roads add this area.
const ROAD: AreaId = AreaId(3);
const DUCK: ClassId = ClassId(1);
/// The start and the goal, on both sides of the patch.
const ENDS: [(usize, usize); 2] = [(2, 8), (21, 8)];

fn ends() -> [Vec2; 2] {
    ENDS.map(|(x, y)| cell(x, y))
}

/// Open ground of 24 by 17 cells. Mud costs three times as much, and only ducks may enter water.
fn meadow(mode: PlanMode) -> App {
    let mut app = unbaked_level(mode, &open(24, 17));
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    assert_eq!(areas.add("mud", 3.0, Color::BLACK), MUD);
    assert_eq!(areas.add("water", f32::INFINITY, Color::BLACK), WATER);
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    assert_eq!(
        classes.add(AgentClass::default().with_cost(WATER, 1.0)),
        Ok(DUCK)
    );
    app
}

/// The patch covers the columns 10 to 13 and the rows 4 to 12, across the straight line.
fn patch() -> Rect {
    Rect::from_corners(Vec2::new(10.0, 4.0), Vec2::new(14.0, 13.0))
}

fn spawn_patch(app: &mut App, area: AreaId, patch: Rect) -> Entity {
    let shape = NavObstacle::rectangle(patch.half_size()).with_layers(WALLS);
    spawn(
        app,
        (shape, NavArea::new(area), transform_at(patch.center())),
    )
}

fn spawn_of_class(app: &mut App, class: ClassId, rest: impl Bundle) -> Entity {
    let agent = NavAgent::from_radius(RADIUS).with_class(class);
    spawn(app, (agent, transform_at(ends()[0]), rest))
}

/// Runs until the agent arrives. Returns whether it was in the patch on its way.
fn crosses_patch(app: &mut App, agent: Entity, context: impl Debug) -> bool {
    let mut was_in = false;
    run_until(app, 1_500, |app| {
        let_tasks_run();
        was_in |= patch().inflate(-0.01).contains(position(app, agent));
        has_arrived(app, agent)
    });
    assert!(
        has_arrived(app, agent),
        "{context:?}: the agent did not arrive"
    );
    was_in
}

#[test]
fn agents_go_around_mud_and_water_and_ducks_swim() {
    for mode in MODES {
        for (area, class, expected) in [
            (AreaId::PLAIN, ClassId(0), true),
            (MUD, ClassId(0), false),
            (MUD, DUCK, false),
            (WATER, ClassId(0), false),
            (WATER, DUCK, true),
        ] {
            let mut app = meadow(mode);
            spawn_patch(&mut app, area, patch());
            let agent = spawn_of_class(&mut app, class, PathRequest::to(ends()[1]));
            let context = (mode, area, class);
            assert_eq!(
                crosses_patch(&mut app, agent, context),
                expected,
                "{context:?}"
            );
        }
    }
}

#[test]
fn mud_across_the_whole_map_is_crossed_and_water_is_not() {
    let all = Rect {
        min: Vec2::new(10.0, -1.0),
        max: Vec2::new(14.0, 18.0),
    };
    for mode in MODES {
        let mut app = meadow(mode);
        let mud = spawn_patch(&mut app, MUD, all);
        let agent = spawn_of_class(&mut app, ClassId(0), PathRequest::to(ends()[1]));
        assert!(crosses_patch(&mut app, agent, mode));
        get_mut::<NavArea>(&mut app, mud).area = WATER;
        get_mut::<PathRequest>(&mut app, agent).goal = ends()[0].extend(0.0);
        run_until(&mut app, 300, |app| {
            let_tasks_run();
            status(app, agent) == Partial(Unreachable)
        });
    }
}

#[test]
fn paths_follow_ground_that_appears_changes_and_vanishes() {
    for mode in MODES {
        let mut app = meadow(mode);
        run(&mut app, 3);
        let agent = spawn_of_class(&mut app, ClassId(0), PathRequest::to(ends()[1]));
        let wait_for_path = |app: &mut App, is_straight: bool, context: &str| {
            run_until(app, 300, |app| {
                let_tasks_run();
                let path = get::<NavPath>(app, agent);
                status(app, agent) == PathStatus::Found
                    && (path.waypoints().len() == 2) == is_straight
            });
            let path = get::<NavPath>(app, agent);
            assert_eq!(
                path.waypoints().len() == 2,
                is_straight,
                "{mode:?}: {context}"
            );
        };
        get_mut::<NavAgent>(&mut app, agent).speed = 0.01;
        wait_for_path(&mut app, true, "plain ground");
        let mud = spawn_patch(&mut app, MUD, patch());
        wait_for_path(&mut app, false, "mud");
        // Only the cost for the class changes, not a shape.
        let mut classes = app.world_mut().resource_mut::<AgentClasses>();
        classes.all[0].costs.insert(MUD, 1.0);
        get_mut::<PathRequest>(&mut app, agent).goal += Vec3::Y * 1e-3;
        wait_for_path(&mut app, true, "mud costs as much as plain ground");
        get_mut::<NavArea>(&mut app, mud).area = WATER;
        wait_for_path(&mut app, false, "water");
        despawn(&mut app, mud);
        get_mut::<PathRequest>(&mut app, agent).goal += Vec3::Y * 1e-3;
        wait_for_path(&mut app, true, "the ground is plain again");
    }
}

#[test]
fn overlapping_ground_counts_by_priority_then_by_cost() {
    let mut app = meadow(PlanMode::Inline);
    let grid = grid_entity(&mut app);
    let water = spawn_patch(&mut app, WATER, patch());
    let mud = spawn_patch(&mut app, MUD, patch());
    let area_at = |app: &mut App, x: i32| {
        run(app, 3);
        let map = snapshot(app, grid).map().clone();
        map.areas()
            .map(|areas| areas.area(bevy_pursuit::core::Cell::new(x, 8)))
    };
    assert_eq!(
        area_at(&mut app, 12),
        Some(WATER.0),
        "the water, which costs more, is not on top"
    );
    assert_eq!(
        area_at(&mut app, 14),
        Some(0),
        "a cell beside the patch has an area"
    );
    get_mut::<NavArea>(&mut app, mud).priority = 1;
    assert_eq!(area_at(&mut app, 12), Some(MUD.0));
    get_mut::<NavArea>(&mut app, water).priority = 2;
    assert_eq!(area_at(&mut app, 12), Some(WATER.0));
    give(&mut app, water, transform_at(Vec2::new(-30.0, 8.0)));
    assert_eq!(area_at(&mut app, 12), Some(MUD.0));
    remove::<NavObstacle>(&mut app, mud);
    assert_eq!(area_at(&mut app, 12), Some(0));
}

#[test]
fn a_sensor_with_an_area_is_ground_and_a_solid_collider_is_a_wall() {
    for mode in MODES {
        let mut app = meadow(mode);
        disable_avoidance(&mut app);
        let pond = spawn_wall(&mut app, patch().center(), patch().half_size());
        give(&mut app, pond, NavArea::new(WATER));
        let blocked = what_blocks_after(&mut app, patch().center());
        assert_eq!(blocked, vec![pond], "the solid pond does not block");
        give(&mut app, pond, Sensor);
        assert_eq!(what_blocks_after(&mut app, patch().center()), vec![]);
        let duck = spawn_of_class(&mut app, DUCK, PathRequest::to(ends()[1]));
        assert!(crosses_patch(&mut app, duck, mode));
        let walker = spawn_of_class(&mut app, ClassId(0), PathRequest::to(ends()[1]));
        assert!(!crosses_patch(&mut app, walker, mode));
        // A sensor without an area has no effect.
        remove::<NavArea>(&mut app, pond);
        run(&mut app, 30);
        let walker = spawn_of_class(&mut app, ClassId(0), PathRequest::to(ends()[1]));
        assert!(crosses_patch(&mut app, walker, mode));
    }
}

fn what_blocks_after(app: &mut App, point: Vec2) -> Vec<Entity> {
    for _ in 0..20 {
        let_tasks_run();
        run(app, 1);
    }
    what_blocks(app, point, 0.1).expect("the point is in the grid")
}

#[test]
fn agents_see_across_water() {
    for mode in MODES {
        let mut app = meadow(mode);
        spawn_patch(&mut app, WATER, patch());
        let target = spawn_target(&mut app, ends()[1]);
        let chase = Chase::new(target).with_reach(20.0).with_sight();
        let archer = spawn_of_class(&mut app, ClassId(0), chase);
        run_until(&mut app, 200, |app| {
            let_tasks_run();
            has_arrived(app, archer)
        });
        assert!(position(&app, archer).distance(ends()[0]) < 1.0, "{mode:?}");
    }
}

#[test]
fn a_see_through_fence_blocks_bodies_and_a_wall_also_blocks_sight() {
    let across = Rect::from_corners(Vec2::new(10.0, -1.0), Vec2::new(11.0, 18.0));
    for mode in MODES {
        let mut app = meadow(mode);
        let fence = spawn_wall(&mut app, across.center(), across.half_size());
        give(&mut app, fence, TransparentObstacle);
        run(&mut app, 3);
        let sees = |app: &mut App| {
            for _ in 0..20 {
                let_tasks_run();
                run(app, 1);
            }
            let [from, to] = ends();
            ask(app, move |nav| {
                assert_eq!(nav.can_go_straight(from, to, RADIUS), Ok(false));
                assert_eq!(nav.is_reachable(from, to, RADIUS), Ok(false));
                nav.line_of_sight(from, to, 0.1)
            })
        };
        assert_eq!(sees(&mut app), Ok(true), "{mode:?}");
        let target = spawn_target(&mut app, ends()[1]);
        let chase = Chase::new(target).with_reach(20.0).with_sight();
        let archer = spawn_of_class(&mut app, ClassId(0), chase);
        run_until(&mut app, 200, |app| {
            let_tasks_run();
            has_arrived(app, archer)
        });
        // A wall behind the fence appears and vanishes.
        let wall = spawn_wall(
            &mut app,
            across.center() + 4.0 * Vec2::X,
            Vec2::new(0.5, 9.0),
        );
        assert_eq!(sees(&mut app), Ok(false), "{mode:?}");
        despawn(&mut app, wall);
        assert_eq!(sees(&mut app), Ok(true), "{mode:?}");
        remove::<TransparentObstacle>(&mut app, fence);
        assert_eq!(sees(&mut app), Ok(false), "{mode:?}");
    }
}

#[test]
fn an_agent_put_into_water_leaves_it_and_goes_around() {
    for mode in MODES {
        let mut app = meadow(mode);
        spawn_patch(&mut app, WATER, patch());
        let agent = spawn_of_class(&mut app, ClassId(0), PathRequest::to(ends()[1]));
        run(&mut app, 30);
        set_position(&mut app, agent, Vec2::new(11.2, 8.5));
        let mut is_out = false;
        run_until(&mut app, 1_500, |app| {
            let_tasks_run();
            let is_in = patch().inflate(-0.01).contains(position(app, agent));
            assert!(
                !(is_out && is_in),
                "{mode:?}: the agent went back into the water"
            );
            is_out |= !is_in;
            has_arrived(app, agent)
        });
        assert!(
            has_arrived(&app, agent),
            "{mode:?}: the agent did not arrive"
        );
    }
}

#[test]
fn an_agent_put_into_a_lake_leaves_it_by_the_near_shore() {
    let lake = Rect::from_corners(Vec2::new(4.0, 3.0), Vec2::new(20.0, 14.0));
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode);
        spawn_patch(&mut app, WATER, lake);
        let agent = spawn_walker(&mut app, body, ends()[0], ends()[1]);
        run_slowly(&mut app, 30);
        set_position(&mut app, agent, Vec2::new(5.7, 8.5));
        run_until(&mut app, 600, |app| {
            let_tasks_run();
            !lake.contains(position(app, agent))
        });
        let out = position(&app, agent);
        assert!(
            out.x < 4.0,
            "{mode:?}, {body:?}: the agent left the lake at {out}"
        );
        arrive(&mut app, agent, 1_500, (mode, body));
    }
}

/// Runs a chaser whose target moves back and forth beyond mud. Returns the ticks in which the chaser went straight, and
/// whether it was in the mud.
fn chase_over(mode: PlanMode, body: Body, mud: Rect) -> (u32, bool) {
    let mut app = meadow(mode);
    spawn_patch(&mut app, MUD, mud);
    run_slowly(&mut app, 5);
    let (agent, target) = spawn_chase(&mut app, body, ends()[0], ends()[1]);
    get_mut::<NavAgent>(&mut app, agent).speed = 3.0;
    let (mut straight, mut was_in) = (0, false);
    for n in 0..240 {
        let y = ends()[1].y + 3.0 * (n as f32 / 20.0).sin();
        set_position(&mut app, target, Vec2::new(ends()[1].x, y));
        tick(&mut app);
        straight += u32::from(locomotion(&app, agent) == Locomotion::Straight);
        was_in |= mud.inflate(-0.1).contains(position(&app, agent));
    }
    (straight, was_in)
}

#[test]
fn a_chaser_crosses_mud_in_a_straight_line_if_no_path_is_cheaper() {
    let across = Rect::new(10.0, -1.0, 14.0, 18.0);
    for (mode, body) in modes_and_bodies() {
        let context = (mode, body);
        let (straight, was_in) = chase_over(mode, body, across);
        assert!(
            straight > 180 && was_in,
            "{context:?}: {straight} straight ticks"
        );
        let (straight, was_in) = chase_over(mode, body, patch());
        assert!(
            straight < 120 && !was_in,
            "{context:?}: {straight} straight ticks"
        );
    }
}

/// A part of 16 by 16 tiles, some of which are mud.
#[derive(PartialEq)]
struct Tiles(Vec<(u8, u8)>);

impl Outline for Tiles {
    fn add_to(&self, pieces: &mut Pieces) {
        for &(x, y) in &self.0 {
            pieces.rectangle(cell(x.into(), y.into()), Vec2::splat(0.5), 0.0);
        }
    }

    fn is_same(&self, other: &dyn Outline) -> bool {
        let other: Option<&Self> = (other as &dyn std::any::Any).downcast_ref();
        other.is_some_and(|other| other == self)
    }
}

#[test]
fn a_tilemap_paints_ground_and_an_edit_bakes_only_its_part() {
    let mut app = meadow(PlanMode::Inline);
    let grid = grid_entity(&mut app);
    let map = spawn(&mut app, ());
    let paint = |app: &mut App, part: u32, tiles: Vec<(u8, u8)>| {
        let id = ObstacleId::of(map, ObstacleSource("areas::Tiles")).with_part(part);
        let at = Isometry2d::from_translation(Vec2::new(16.0 * part as f32, 0.0));
        let ground = Obstacle::area(NavArea::new(MUD), Tiles(tiles)).at(at);
        app.world_mut()
            .resource_mut::<ObservedObstacles>()
            .set(id, ground);
        run(app, 3);
    };
    paint(&mut app, 0, vec![(10, 7), (10, 8), (11, 8)]);
    paint(&mut app, 1, vec![(3, 3)]);
    let before = snapshot(&app, grid).generation();
    paint(&mut app, 1, vec![(3, 4)]);
    let now = snapshot(&app, grid);
    let tiles: Vec<_> = now.changed_tiles(before).collect();
    assert!(
        !tiles.is_empty() && tiles.iter().all(|tile| tile.min.x >= 16),
        "{tiles:?}"
    );
    let areas = now.map().areas().expect("the map has areas").clone();
    let mud = areas
        .rect()
        .cells()
        .filter(|&cell| areas.area(cell) == MUD.0);
    let mud: Vec<(i32, i32)> = mud.map(|cell| (cell.x, cell.y)).collect();
    assert_eq!(mud, [(19, 4), (10, 7), (10, 8), (11, 8)]);
}

/// A random rectangle of cells of the meadow.
fn any_rect(random: &mut Rng) -> Rect {
    let corner = Vec2::new(random.i32(0..24) as f32, random.i32(0..17) as f32);
    let size = Vec2::new(random.i32(1..9) as f32, random.i32(1..7) as f32);
    Rect::from_corners(corner, corner + size)
}

/// The cost of a cell for a class, in sixteenths, computed only from the shapes. Where shapes overlap, the most
/// expensive one applies. 0 if the cell is forbidden.
fn naive_cost(at: Vec2, class: ClassId, ground: &[(AreaId, Rect)]) -> u8 {
    let here = ground.iter().filter(|(_, rect)| rect.contains(at));
    let area = here.map(|(area, _)| *area).max_by_key(|area| match *area {
        WATER => 3,
        MUD => 2,
        AreaId::PLAIN => 1,
        _ => 0,
    });
    match (area, class) {
        (Some(WATER), DUCK) | (None, _) => 16,
        (Some(WATER), _) => 0,
        (Some(MUD), _) => 48,
        (Some(_), _) => 8,
    }
}

/// The walls and the ground that the test has spawned.
#[derive(Default)]
struct MeadowModel {
    walls: Vec<Rect>,
    ground: Vec<(AreaId, Rect)>,
    /// The entity of each piece of ground.
    spawned: Vec<Entity>,
}

impl MeadowModel {
    /// Spawns a wall, or spawns or despawns some ground.
    fn edit(&mut self, app: &mut App, random: &mut Rng) {
        match random.u8(0..5) {
            0 if !self.spawned.is_empty() => {
                let removed = random.usize(0..self.spawned.len());
                self.ground.remove(removed);
                despawn(app, self.spawned.remove(removed));
            }
            1 => {
                let rect = any_rect(random);
                spawn_wall(app, rect.center(), rect.half_size());
                self.walls.push(rect);
            }
            _ => {
                let (kind, rect) = ([MUD, WATER, ROAD][random.usize(0..3)], any_rect(random));
                self.ground.push((kind, rect));
                self.spawned.push(spawn_patch(app, kind, rect));
            }
        }
    }

    /// The cells that a class can walk on, with their costs.
    fn grid(&self, class: ClassId) -> Grid {
        let center = |at: Cell| cell(at.x as usize, at.y as usize);
        let cost = |at: Cell| naive_cost(center(at), class, &self.ground);
        let is_wall = |at: Cell| self.walls.iter().any(|wall| wall.contains(center(at)));
        let grid =
            Grid::from_fn(24, 17, |at| cost(at) > 0 && !is_wall(at)).expect("the size is valid");
        let mut costs = grid.to_builder();
        for at in grid.rect().cells() {
            costs
                .set_cost(at, cost(at).max(1))
                .expect("the cell is inside");
        }
        costs.build()
    }
}

#[test]
fn paths_over_any_ground_cost_no_more_than_dijkstra() {
    let mut found = [0; 2];
    for seed in 0..40 {
        let random = &mut Rng::with_seed(seed);
        let mut app = meadow(PlanMode::Inline);
        let mut areas = app.world_mut().resource_mut::<NavAreas>();
        assert_eq!(areas.add("road", 0.5, Color::BLACK), ROAD);
        let mut model = MeadowModel::default();
        for _ in 0..random.usize(4..14) {
            model.edit(&mut app, random);
            run(&mut app, random.usize(0..3));
        }
        run(&mut app, 3);
        for class in [ClassId(0), DUCK] {
            let grid = model.grid(class);
            for _ in 0..8 {
                // The ends are far apart: over a short distance a path may go straight although a road is cheaper.
                let ends = [2, 20].map(|x| Cell::new(x, random.i32(0..17)));
                if ends.iter().all(|&end| grid.is_free(end)) {
                    let is_found = check_path(&mut app, &grid, class, ends);
                    found[usize::from(class.0)] += u32::from(is_found);
                }
            }
        }
    }
    assert!(
        found.iter().all(|&count| count > 40),
        "too few paths: {found:?}"
    );
}

/// Returns whether there is a path. Panics if the path is not walkable or costs more than the cheapest path over cells.
fn check_path(app: &mut App, grid: &Grid, class: ClassId, ends: [Cell; 2]) -> bool {
    let entity = grid_entity(app);
    let snapshot = snapshot(app, entity);
    let dijkstra = oracle::distances(grid, ends[0], snapshot.diagonals());
    let max_cost = dijkstra[grid.index(ends[1]).expect("the cell is inside").0 as usize];
    let max_cost = max_cost.map(|cost| cost as f32 / (16 * STRAIGHT) as f32);
    let [from, to] = ends.map(|end| snapshot.layout().center(end));
    let body = NavAgent::from_radius(RADIUS).with_class(class);
    let path = ask(app, move |nav| nav.path(from, to, body));
    let lines = path.as_ref().map_or(&[][..], |path| path);
    let line_cost = |line: &[Vec2]| {
        let [from, to] = [line[0], line[1]].map(|end| snapshot.layout().to_cell_space(end));
        let cost = snapshot.map().line_cost(from, to, class.0);
        cost.expect("the path enters nothing forbidden")
    };
    let cost: f32 = lines.windows(2).map(line_cost).sum();
    let context = format!("{class:?}: {path:?} costs {cost}, expected at most {max_cost:?}");
    assert_eq!(path.is_ok(), max_cost.is_some(), "{context}");
    assert!(
        max_cost.is_none_or(|max_cost| cost <= max_cost * 1.0001),
        "{context}"
    );
    path.is_ok()
}

/// Changes the cost of an area, either for every class or for one class.
fn edit_table(app: &mut App, random: &mut Rng) {
    let area = [MUD, WATER][random.usize(0..2)];
    let cost = [0.5, 2.0, 5.0, f32::INFINITY][random.usize(0..4)];
    if random.u8(0..3) == 0 {
        let mut areas = app.world_mut().resource_mut::<NavAreas>();
        areas.all[usize::from(area.0)].cost = cost;
    } else {
        let mut classes = app.world_mut().resource_mut::<AgentClasses>();
        let class = random.usize(0..classes.all.len());
        classes.all[class].costs.insert(area, cost);
    }
}

/// The cost of an area for a class in the current `NavAreas` and `AgentClasses`. `None` if the area is forbidden.
fn table_cost(app: &App, area: u8, class: usize) -> Option<f32> {
    let own = &app.world().resource::<AgentClasses>().all[class].costs;
    let usual = app.world().resource::<NavAreas>().all[usize::from(area)].cost;
    let cost = own.get(&AreaId(area)).copied().unwrap_or(usual);
    cost.is_finite().then_some(cost)
}

/// The cost of each cell for both classes. Panics if a cost differs from those in the current `NavAreas` and
/// `AgentClasses`.
fn checked_costs(app: &App, map: &NavMap, context: &str) -> Vec<Option<f32>> {
    let checked_cost = |at: Cell, class: ClassId| {
        let cost = map.cost_at(at.center(), class.0);
        let area = map.areas().map_or(0, |areas| areas.area(at));
        let expected = table_cost(app, area, class.0.into());
        assert_eq!(cost, expected, "{context}: {class:?} at {at:?}");
        cost
    };
    let cells = map.rect().cells();
    cells
        .flat_map(|at| [ClassId(0), DUCK].map(|class| checked_cost(at, class)))
        .collect()
}

/// A new meadow with the same ground and costs as `app` has now.
fn meadow_from(app: &App, model: &MeadowModel) -> App {
    let mut fresh = meadow(PlanMode::Inline);
    fresh.insert_resource(app.world().resource::<AgentClasses>().clone());
    fresh.insert_resource(app.world().resource::<NavAreas>().clone());
    for wall in &model.walls {
        spawn_wall(&mut fresh, wall.center(), wall.half_size());
    }
    for &(area, rect) in &model.ground {
        spawn_patch(&mut fresh, area, rect);
    }
    run(&mut fresh, 3);
    fresh
}

/// Edits costs and ground in each tick. Returns the number of ticks in which a bake was in flight.
fn check_tables(mode: PlanMode, seed: u64) -> u32 {
    let random = &mut Rng::with_seed(seed);
    let mut app = meadow(mode);
    let grid = grid_entity(&mut app);
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    assert_eq!(areas.add("road", 0.5, Color::BLACK), ROAD);
    run_slowly_until(&mut app, 100, |app| {
        get::<BakedGrid>(app, grid).snapshot().is_some()
    });
    let (mut model, mut ticks_while_baking) = (MeadowModel::default(), 0);
    for step in 0..40 {
        let context = format!("seed {seed}, {mode:?}, step {step}");
        let before = snapshot(&app, grid);
        match random.u8(0..8) {
            0 | 1 => model.edit(&mut app, random),
            2 => let_tasks_run(),
            3 if step > 30 => get_mut::<NavGrid>(&mut app, grid).max_clearance_cells += 1.0,
            _ => edit_table(&mut app, random),
        }
        app.update();
        let now = snapshot(&app, grid);
        let costs = checked_costs(&app, now.map(), &context);
        let is_newer = before.generation() < now.generation();
        let cells = before.map().rect().cells();
        let mut old = cells
            .flat_map(|at| [ClassId(0), DUCK].map(|it| before.map().cost_at(at.center(), it.0)));
        assert!(
            is_newer || costs.iter().all(|&cost| old.next() == Some(cost)),
            "{context}"
        );
        let has_areas = now.map().areas().is_some();
        ticks_while_baking += u32::from(has_areas && get::<BakedGrid>(&app, grid).is_baking());
    }
    run_slowly(&mut app, 30);
    let mut fresh = meadow_from(&app, &model);
    let new = grid_entity(&mut fresh);
    let maps = [snapshot(&app, grid), snapshot(&fresh, new)];
    let costs = maps.map(|it| checked_costs(&app, it.map(), "at rest"));
    assert_eq!(costs[0], costs[1], "seed {seed}, {mode:?}");
    ticks_while_baking
}

#[test]
fn a_changed_cost_table_counts_in_the_next_tick_during_any_bake() {
    let seeds = 0..25;
    let ticks_while_baking: u32 = seeds
        .map(|seed| MODES.map(|mode| check_tables(mode, seed))[1])
        .sum();
    assert!(
        ticks_while_baking > 50,
        "a bake was in flight in only {ticks_while_baking} ticks"
    );
}
