//! A game without any physics: a whole chase on bare transforms, around obstacles that the game registers itself.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::obstacle::{
    ObservedObstacles, Obstacle, ObstacleId, ObstacleSource, Outline, Pieces,
};
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BakedGrid, GridBaked, PlanMode};

use crate::common::let_tasks_run;

const SIDE: f32 = 64.0;
const RADIUS: f32 = 0.4;

fn game(mode: PlanMode) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs_f64(1.0 / 60.0);
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
        .insert_resource(PursuitSettings {
            plan_mode: mode,
            ..default()
        })
        .add_plugins(PursuitPlugins::default().in_fixed_schedule());
    app.finish();
    app.cleanup();
    // No time passes in the first frame. Each later frame is one tick.
    app.update();
    let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(SIDE));
    let grid = NavGrid::covering(bounds).with_node_radius(0.5);
    app.world_mut().spawn(grid);
    app
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// Spawns a rectangular obstacle between two corners.
fn block(app: &mut App, min: Vec2, max: Vec2) -> Entity {
    let rect = Rect::from_corners(min, max);
    let wall = NavObstacle::rectangle(rect.half_size());
    let place = Transform::from_translation(rect.center().extend(0.0));
    app.world_mut().spawn((wall, place)).id()
}

#[test]
fn a_chase_on_bare_transforms_goes_around_obstacles_and_arrives() {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = game(mode);
        block(&mut app, Vec2::new(20.0, 0.0), Vec2::new(22.0, 50.0));
        let player = app.world_mut().spawn(at(40.0, 5.0)).id();
        let chaser = (
            NavAgent::from_radius(RADIUS),
            Chase::new(player),
            at(5.0, 5.0),
        );
        let chaser = app.world_mut().spawn(chaser).id();
        let mut highest = 0.0_f32;
        let arrived = (0..3000).any(|_| {
            app.update();
            if mode == PlanMode::Async {
                let_tasks_run();
            }
            let place = app.world().get::<Transform>(chaser).expect("a position");
            let place = place.translation.truncate();
            assert!(
                place.x < 20.0 - RADIUS || place.x > 22.0 + RADIUS || place.y > 50.0,
                "the chaser is in the wall at {place}"
            );
            highest = highest.max(place.y);
            *app.world().get::<Locomotion>(chaser).expect("an agent") == Locomotion::Arrived
        });
        assert!(
            arrived && highest > 50.0,
            "{mode:?}: arrived {arrived}, highest {highest}"
        );
    }
}

const TILES: ObstacleSource = ObstacleSource("test::Tiles");
/// The width and height of a part, in tiles.
const PART_TILES: usize = 16;

/// A part of a tilemap. Each string is a row of tiles, in which `#` is a wall.
#[derive(PartialEq)]
struct Tiles(Vec<String>);

impl Outline for Tiles {
    fn add_to(&self, pieces: &mut Pieces) {
        for (y, row) in self.0.iter().enumerate() {
            for (x, _) in row.match_indices('#') {
                let center = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                pieces.rectangle(center, Vec2::splat(0.5), 0.0);
            }
        }
    }
}

/// Registers the part of a map at `column`, `row`.
fn set_part(app: &mut App, level: Entity, map: &[String], (column, row): (usize, usize)) {
    let (x, y) = (column * PART_TILES, row * PART_TILES);
    let rows = map[y..y + PART_TILES].iter();
    let tiles = Tiles(
        rows.map(|line| line[x..x + PART_TILES].to_string())
            .collect(),
    );
    let id = ObstacleId::of(level, TILES).with_part((row * 4 + column) as u32);
    let place = Isometry2d::from_translation(Vec2::new(x as f32, y as f32));
    let mut obstacles = app.world_mut().resource_mut::<ObservedObstacles>();
    obstacles.set(id, Obstacle::new(tiles).at(place));
}

/// The number of cells in each baked area.
#[derive(Resource, Default)]
struct Areas(Vec<u64>);

fn record_area(baked: On<GridBaked>, mut areas: ResMut<Areas>) {
    areas.0.push(baked.cells.cell_count());
}

fn baked_cells(app: &mut App) -> Vec<u64> {
    app.update();
    std::mem::take(&mut app.world_mut().resource_mut::<Areas>().0)
}

#[test]
fn a_changed_tile_bakes_only_its_part_of_the_tilemap() {
    let mut app = game(PlanMode::Inline);
    app.init_resource::<Areas>().add_observer(record_area);
    let mut map: Vec<String> = (0..64)
        .map(|y| {
            (0..64)
                .map(|x| if (x * 7 + y * 3) % 11 == 0 { '#' } else { '.' })
                .collect()
        })
        .collect();
    let level = app.world_mut().spawn_empty().id();
    for row in 0..4 {
        for column in 0..4 {
            set_part(&mut app, level, &map, (column, row));
        }
    }
    assert_eq!(baked_cells(&mut app), [64 * 64]);
    let is_blocked = |app: &mut App, x: f32, y: f32| {
        let mut grids = app.world_mut().query::<&BakedGrid>();
        let baked = grids.single(app.world()).expect("a grid");
        baked
            .snapshot()
            .expect("baked")
            .clearance_at(Vec2::new(x, y))
            == 0.0
    };
    map[20].replace_range(21..22, "#");
    assert!(!is_blocked(&mut app, 21.5, 20.5));
    set_part(&mut app, level, &map, (1, 1));
    let cells = baked_cells(&mut app);
    assert!(is_blocked(&mut app, 21.5, 20.5));
    // The bake covers the part and the cells around it whose clearance can change.
    let max_cells = (PART_TILES + 2 * 8) * (PART_TILES + 2 * 8);
    assert!(
        cells.len() == 1 && cells[0] <= max_cells as u64,
        "the bake covered {cells:?} cells, expected at most {max_cells}"
    );

    app.world_mut()
        .resource_mut::<ObservedObstacles>()
        .forget_all(level, TILES);
    baked_cells(&mut app);
    assert!(
        !is_blocked(&mut app, 21.5, 20.5),
        "a removed part still blocks"
    );
}
