//! Change detection: a component is marked as changed exactly when its value differs.

use std::collections::HashMap;

use crate::common::*;

/// The last value of each component as text, the number of changes, and the contradictions found.
#[derive(Resource, Default)]
struct Seen {
    values: HashMap<(Entity, &'static str), String>,
    changes: HashMap<&'static str, usize>,
    contradictions: Vec<String>,
}

impl Seen {
    fn record(&mut self, entity: Entity, name: &'static str, is_changed: bool, value: String) {
        let before = self.values.insert((entity, name), value.clone());
        let differs = before.as_ref() != Some(&value);
        *self.changes.entry(name).or_default() += usize::from(is_changed);
        if is_changed != differs {
            self.contradictions
                .push(format!("{name}: changed {is_changed}, {before:?} {value}"));
        }
    }
}

/// Looks at the end of each tick. The text holds all that the public API shows, except change detection.
fn record_changes(
    mut seen: ResMut<Seen>,
    agents: Query<(
        Entity,
        Ref<NavPath>,
        Ref<PathStatus>,
        Ref<Locomotion>,
        Ref<DesiredVelocity>,
        Ref<PathCursor>,
    )>,
    grids: Query<(Entity, Ref<BakedGrid>)>,
) {
    for (entity, path, status, how, desired, cursor) in &agents {
        let (points, body) = (waypoints(&path), path.body());
        let points = format!(
            "{points:?} {} {} {:?}",
            path.length(),
            body.radius,
            path.grid()
        );
        let states = [
            ("NavPath", path.is_changed(), points),
            ("PathStatus", status.is_changed(), format!("{:?}", *status)),
            ("Locomotion", how.is_changed(), format!("{:?}", *how)),
            (
                "DesiredVelocity",
                desired.is_changed(),
                format!("{:?}", *desired),
            ),
            ("PathCursor", cursor.is_changed(), format!("{:?}", *cursor)),
        ];
        for (name, is_changed, value) in states {
            seen.record(entity, name, is_changed, value);
        }
    }
    for (entity, grid) in &grids {
        let generation = grid.snapshot().map(|snapshot| snapshot.generation());
        let value = format!("{generation:?} {:?}", grid.error());
        seen.record(entity, "BakedGrid", grid.is_changed(), value);
    }
}

const MAP: &str = "
    ..............................
    ..............................
    .....######################...
    .....#.....................#..
    ..............................
    ..............................
";

#[test]
fn components_are_marked_changed_exactly_when_they_differ() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, MAP);
        disable_avoidance(&mut app);
        app.init_resource::<Seen>()
            .add_systems(Last, record_changes);
        let walls = grid_entity(&mut app);
        let (chaser, target) = spawn_chase(&mut app, body, cell(8, 1), cell(20, 3));
        // The same path is found again and again.
        let often = RepathPolicy::Every(Duration::from_millis(50));
        let request = PathRequest::to(cell(25, 3)).with_repath(often);
        let patient = spawn_with(&mut app, body, cell(2, 0), (request, NavPaused));
        let outside = spawn_chaser(&mut app, body, Vec2::splat(-20.0), target);
        for tick in 0..420 {
            match tick {
                60..180 => {
                    set_position(&mut app, target, cell(20, 3) + Vec2::X * 0.02 * tick as f32)
                }
                200 => {
                    spawn_wall(&mut app, cell(24, 5), Vec2::splat(0.5));
                }
                240 | 270 => {
                    let mut grid = get_mut::<NavGrid>(&mut app, walls);
                    grid.node_radius = if tick == 240 { -1.0 } else { 0.5 };
                }
                250 => {
                    let mut grid = get_mut::<NavGrid>(&mut app, walls);
                    grid.max_clearance_cells = 5.0;
                }
                300 => {
                    give(&mut app, chaser, NavPaused);
                    remove::<NavPaused>(&mut app, patient);
                }
                330 => {
                    remove::<NavPaused>(&mut app, chaser);
                    despawn(&mut app, target);
                }
                _ => {}
            }
            crate::common::tick(&mut app);
        }
        let seen = app.world().resource::<Seen>();
        assert_eq!(seen.contradictions, [""; 0], "{mode:?} {body:?}");
        assert!(seen.changes["NavPath"] > 5 && seen.changes["BakedGrid"] > 2);
        assert!(seen.changes["Locomotion"] > 3 && seen.changes["PathCursor"] > 3);
        assert_eq!(status(&app, chaser), PathStatus::TargetLost);
        assert_eq!(status(&app, outside), PathStatus::TargetLost);
    }
}

#[test]
fn chase_events_are_sent_once_each() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, MAP);
        let (chaser, target) = spawn_chase(&mut app, body, cell(8, 1), cell(20, 3));
        let often = RepathPolicy::Every(Duration::from_millis(50));
        give(&mut app, chaser, Chase::new(target).with_repath(often));
        arrive(&mut app, chaser, 900, "the chase");
        run_slowly(&mut app, 60);
        let context = format!("{mode:?} {body:?}: {:?}", events(&app));
        assert!(searches(&app) > 10, "{context}");
        assert_eq!(events(&app).found.len(), 1, "{context}");
        assert_eq!(events(&app).reached.len(), 1, "{context}");
        assert_eq!(events(&app).stuck, [], "{context}");
        set_position(&mut app, target, Vec2::splat(-20.0));
        run_slowly(&mut app, 120);
        assert_eq!(events(&app).failed.len(), 1, "{mode:?} {body:?}");
        assert_eq!(events(&app).failed[0].reason, FailReason::GoalOutside);
        assert_eq!(events(&app).found.len(), 1, "{mode:?} {body:?}");
    }
}
