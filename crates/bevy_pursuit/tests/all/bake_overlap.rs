//! Compares baked distances with Rapier: discs with Rapier's query pipeline, and swept discs with the exact distances
//! to Rapier's shapes.

use bevy_pursuit::grid::Diagonals;
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::{Ball, Segment, SharedShape};
use pursuit::{Cell, Step};

use crate::bake_support::random_shapes::{KINDS, parry_distance, random_pose};
use crate::bake_support::{app, bake, grid, spawn_random};
use crate::common::*;

/// For each disc, whether Rapier finds a collider of group 1 in it, like `OverlapCircle` in Unity.
///
/// Rapier's group test is two-way, so the query is a member of every group.
fn overlaps(app: &mut App, discs: Vec<(Vec2, f32)>) -> Vec<bool> {
    let ask = move |context: ReadRapierContext| -> Vec<bool> {
        let context = context.single().expect("one physics world");
        let groups = CollisionGroups::new(Group::ALL, Group::GROUP_1);
        let filter = QueryFilter::new().groups(groups).exclude_sensors();
        let overlaps = |(center, radius): &(Vec2, f32)| {
            context.with_query_pipeline(filter, |pipeline| {
                pipeline
                    .intersect_shape(*center, 0.0, &Ball::new(*radius))
                    .next()
                    .is_some()
            })
        };
        discs.iter().map(overlaps).collect()
    };
    let overlaps = app.world_mut().run_system_once(ask);
    overlaps.expect("the query runs")
}

/// The largest amount by which a bake rounds the distance of a cell center, in cells. See `Clearance`.
const MAX_ROUNDING_CELLS: f32 = 1.0 / 8192.0;

/// Compares the snapshot with Rapier on every cell for some radii, and returns the number of cells with an overlap.
#[track_caller]
fn assert_agreement(app: &mut App, snapshot: &NavSnapshot, slack: f32, note: &str) -> usize {
    let layout = *snapshot.layout();
    let mut hits = 0;
    for radius in [0.2, 0.75, 1.9, 5.5] {
        let cells: Vec<Cell> = layout.rect().cells().collect();
        let discs = cells
            .iter()
            .map(|cell| (layout.center(*cell), radius))
            .collect();
        for (cell, overlap) in cells.into_iter().zip(overlaps(app, discs)) {
            let distance = snapshot.clearance().center(cell) * layout.cell_size();
            hits += usize::from(overlap);
            assert!(
                (distance <= radius) == overlap
                    || (distance - radius).abs()
                        < 1e-4 + MAX_ROUNDING_CELLS * layout.cell_size() + slack * radius,
                "{note}: cell {cell} is {distance} from an obstacle, and a disc of {radius} \
                 around it {}",
                if overlap { "overlaps one" } else { "is free" },
            );
        }
    }
    hits
}

#[test]
fn every_cell_agrees_with_overlap_circle_for_every_kind_of_collider() {
    let mut random = fastrand::Rng::with_seed(31);
    for kind in 0..KINDS {
        let mut hits = 0;
        for round in 0..6 {
            let mut app = app();
            for _ in 0..4 {
                spawn_random(&mut app, kind, &mut random);
            }
            let grid = bake(&mut app, grid().with_obstacles(Group::GROUP_1));
            // Rapier projects points onto polygons and round shapes by iteration, with a relative error of up to a
            // thousandth. Scaled balls and capsules become polygons.
            let iterates = ![1, 3, 4, 7, 10, 11, 12, 13].contains(&kind);
            let slack = if iterates { 1.5e-3 } else { 0.0 };
            let note = format!("kind {kind}, round {round}");
            let snapshot = snapshot(&app, grid);
            hits += assert_agreement(&mut app, &snapshot, slack, &note);
        }
        assert!(hits > 100, "kind {kind} overlapped only {hits} cells");
    }
}

#[test]
fn every_cell_agrees_with_overlap_circle_for_mixed_kinds_and_layers() {
    let mut random = fastrand::Rng::with_seed(32);
    for round in 0..4 {
        let mut app = app();
        for number in 0..24 {
            let entity = spawn_random(&mut app, number % KINDS, &mut random);
            let mut entity = app.world_mut().entity_mut(entity);
            match number % 6 {
                // The half-space covers half of the world, so it is left out.
                _ if number % KINDS == 7 => drop(entity.insert(ColliderDisabled)),
                1 => drop(entity.insert(CollisionGroups::new(Group::GROUP_2, Group::ALL))),
                2 => drop(entity.insert(Sensor)),
                3 => {
                    let both = Group::GROUP_1 | Group::GROUP_5;
                    entity.insert(CollisionGroups::new(both, Group::GROUP_7));
                }
                _ => {}
            }
        }
        let grid = bake(&mut app, grid().with_obstacles(Group::GROUP_1));
        let snapshot = snapshot(&app, grid);
        let hits = assert_agreement(&mut app, &snapshot, 1.5e-3, &format!("round {round}"));
        assert!(hits > 100);
    }
}

/// All colliders of the physics world.
fn physics_shapes(app: &mut App) -> Vec<(Pose, SharedShape)> {
    let read = |context: ReadRapierContext| -> Vec<(Pose, SharedShape)> {
        let context = context.single().expect("one physics world");
        let colliders = context.colliders.colliders.iter();
        colliders
            .map(|(_, one)| (*one.position(), one.shared_shape().clone()))
            .collect()
    };
    let shapes = app.world_mut().run_system_once(read);
    shapes.expect("the query runs")
}

#[test]
fn no_allowed_step_sweeps_a_body_over_a_collider() {
    let mut random = fastrand::Rng::with_seed(33);
    use Diagonals::{Always, Never, NoCornerCut, OneFree};
    for round in 0..24 {
        let mut app = app();
        for _ in 0..5 {
            // A half-space would leave little walkable ground, so it is left out.
            let kind = (8 + random.usize(0..KINDS - 1)) % KINDS;
            spawn_random(&mut app, kind, &mut random);
        }
        let diagonals = [Never, NoCornerCut, OneFree, Always][round % 4];
        let grid = bake(&mut app, grid().with_diagonals(diagonals));
        let snapshot = snapshot(&app, grid);
        let shapes = physics_shapes(&mut app);
        for radius in [0.1, 0.6, 0.75, 1.6, 4.0] {
            let steps = assert_steps_are_clear(&snapshot, radius, &shapes);
            assert!(
                steps > 0 || radius > 1.0,
                "nothing is walkable for radius {radius}"
            );
        }
    }
}

/// Checks every step that a body of the radius may take, and returns their number.
fn assert_steps_are_clear(
    snapshot: &NavSnapshot,
    radius: f32,
    shapes: &[(Pose, SharedShape)],
) -> usize {
    let layout = snapshot.layout();
    let layers = snapshot.layers(radius);
    let planned = layers.radius() * layout.cell_size();
    assert!((planned - 0.99 * radius).abs() < 1e-3);
    let mut steps = 0;
    for cell in layout.rect().cells() {
        for step in Step::ALL {
            let (end, (dx, dy)) = (step.end(cell), step.offset());
            let [across, along] = [(dx, 0), (0, dy)].map(|(dx, dy)| cell.offset(dx, dy));
            let sides = (layers.grid().is_free(across), layers.grid().is_free(along));
            let straight = dx == 0 || dy == 0;
            let may_step = layers.grid().is_free(cell)
                && layers.grid().is_free(end)
                && (straight || snapshot.diagonals().allows(sides.0, sides.1));
            if !may_step {
                continue;
            }
            steps += 1;
            let segment = Segment::new(layout.center(cell), layout.center(end));
            for (pose, shape) in shapes {
                let distance = parry_distance(&**shape, pose, &segment);
                assert!(
                    distance >= planned - 1e-3,
                    "a disc of {radius} on its way from {cell} to {end} is {distance} from a {:?}",
                    shape.shape_type()
                );
            }
        }
    }
    steps
}

#[test]
fn visible_lines_touch_no_collider() {
    let mut random = fastrand::Rng::with_seed(34);
    let mut visible_lines = 0;
    for _ in 0..12 {
        let mut app = app();
        for _ in 0..6 {
            let kind = (8 + random.usize(0..KINDS - 1)) % KINDS;
            spawn_random(&mut app, kind, &mut random);
        }
        let grid = bake(&mut app, grid());
        let snapshot = snapshot(&app, grid);
        let shapes = physics_shapes(&mut app);
        for _ in 0..300 {
            let [from, to] = [0, 1].map(|_| random_pose(28.0, &mut random).translation);
            let radius = 2.0 * random.f32();
            let seen_part = snapshot.visible_fraction(from, to, radius);
            assert_eq!(snapshot.sees(from, to, radius), seen_part >= 1.0);
            let visible = [
                (snapshot.free(from, radius), from),
                (seen_part > 0.0, from.lerp(to, seen_part)),
            ];
            for (_, end) in visible.into_iter().filter(|(visible, _)| *visible) {
                visible_lines += 1;
                let segment = Segment::new(from, end);
                for (pose, shape) in &shapes {
                    let distance = parry_distance(&**shape, pose, &segment);
                    assert!(distance >= 0.99 * radius - 2e-3, "{distance} < {radius}");
                }
            }
        }
    }
    assert!(
        visible_lines > 500,
        "only {visible_lines} lines were visible"
    );
}
