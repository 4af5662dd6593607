//! Agents that are put, sent or lured onto forbidden ground.

use crate::common::*;

const MUD: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);

fn meadow(mode: PlanMode, w: usize, h: usize) -> App {
    let mut app = unbaked_level(mode, &open(w, h));
    add_areas(&mut app);
    app
}

fn add_areas(app: &mut App) {
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    areas.add("mud", 3.0, Color::BLACK);
    areas.add("water", f32::INFINITY, Color::BLACK);
    areas.add("road", 0.25, Color::BLACK);
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    let swimmer = AgentClass::default().with_cost(WATER, 1.0);
    let dry = AgentClass::default().forbidding(MUD);
    assert_eq!(
        [swimmer, dry].map(|one| classes.add(one)),
        [1, 2].map(|id| Ok(ClassId(id)))
    );
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
    Rect::from_corners(Vec2::new(x0, y0), Vec2::new(x1, y1))
}

fn spawn_patch(app: &mut App, area: AreaId, r: Rect) -> Entity {
    let shape = NavObstacle::rectangle(r.half_size()).with_layers(WALLS);
    spawn(app, (shape, NavArea::new(area), transform_at(r.center())))
}

fn spawn_with_class(
    app: &mut App,
    body: Body,
    class: ClassId,
    at: Vec2,
    rest: impl Bundle,
) -> Entity {
    let e = spawn_with(app, body, at, rest);
    get_mut::<NavAgent>(app, e).class = class;
    e
}

fn wait_for_bake(app: &mut App) {
    run_slowly(app, 30);
}

#[test]
fn a_goal_in_water_lures_no_agent_into_it() {
    let lake = rect(10., 6., 22., 26.);
    let mut failures = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for goal in [
            Vec2::new(10.4, 16.4),
            Vec2::new(11.5, 16.5),
            Vec2::new(15.8, 16.3),
            Vec2::new(21.6, 10.2),
        ] {
            for is_chase in [false, true] {
                let mut app = meadow(mode, 32, 32);
                spawn_patch(&mut app, WATER, lake);
                wait_for_bake(&mut app);
                let a = spawn_sent(&mut app, body, Vec2::new(3.5, 16.5), goal, is_chase);
                let mut deepest = 0.0f32;
                for _ in 0..500 {
                    tick(&mut app);
                    let p = position(&app, a);
                    if lake.contains(p) {
                        let d = (p.x - lake.min.x)
                            .min(lake.max.x - p.x)
                            .min(p.y - lake.min.y)
                            .min(lake.max.y - p.y);
                        deepest = deepest.max(d);
                    }
                }
                let line = format!(
                    "{mode:?} {body:?} goal {goal} chase {is_chase}: {:?} {:?} at {} deepest {deepest}",
                    status(&app, a),
                    locomotion(&app, a),
                    position(&app, a)
                );
                println!("{line}");
                let away = position(&app, a).distance(goal);
                let shore = (goal.x - lake.min.x).min(lake.max.x - goal.x);
                let moving = desired(&app, a).length() > 0.01;
                if deepest > 0.02 || moving || away > shore + 1.5 {
                    failures.push(line);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn an_agent_in_a_lake_walks_around_a_wall_to_get_out() {
    let mut failures = Vec::new();
    let lake = rect(8., 4., 24., 28.);
    for (mode, body) in modes_and_bodies() {
        for (h, is_chase, fresh) in [
            (4., false, true),
            (4., true, true),
            (4., false, false),
            (7., false, true),
            (1.5, false, true),
        ] {
            let mut app = meadow(mode, 32, 32);
            spawn_patch(&mut app, WATER, lake);
            spawn_wall(&mut app, Vec2::new(13.5, 16.), Vec2::new(1.5, h));
            wait_for_bake(&mut app);
            let at = Vec2::new(15.6, 16.3);
            let a = spawn_sent(
                &mut app,
                body,
                if fresh { at } else { Vec2::new(3.5, 3.5) },
                Vec2::new(29.5, 16.5),
                is_chase,
            );
            if !fresh {
                run_slowly(&mut app, 10);
                set_position(&mut app, a, at);
            }
            let mut n = 0;
            while !has_arrived(&app, a) && n < 1200 {
                tick(&mut app);
                n += 1;
            }
            let line = format!(
                "{mode:?} {body:?} half {h} chase {is_chase} fresh {fresh}: {n} ticks at {} {:?} {:?} wants {} path {:?}",
                position(&app, a),
                status(&app, a),
                locomotion(&app, a),
                desired(&app, a),
                waypoints(&get::<NavPath>(&app, a))
            );
            if n == 1200 {
                failures.push(line)
            } else {
                println!("{line}")
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn an_agent_that_starts_in_a_lake_leaves_by_the_near_shore() {
    let lake = rect(10., 6., 22., 26.);
    let mut failures = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for how in [
            "fresh",
            "fresh chase",
            "teleport",
            "teleport chase",
            "teleport, then goal moved",
        ] {
            for (at, near, goal) in [
                (
                    Vec2::new(14.3, 16.2),
                    Vec2::new(10., 16.2),
                    Vec2::new(27.5, 16.5),
                ),
                (
                    Vec2::new(20.1, 16.2),
                    Vec2::new(22., 16.2),
                    Vec2::new(3.5, 16.5),
                ),
            ] {
                let mut app = meadow(mode, 32, 32);
                spawn_patch(&mut app, WATER, lake);
                wait_for_bake(&mut app);
                let fresh = how.starts_with("fresh");
                let a = spawn_sent(
                    &mut app,
                    body,
                    if fresh { at } else { Vec2::new(3.5, 3.5) },
                    goal,
                    how.ends_with("chase"),
                );
                if !fresh {
                    run_slowly(&mut app, 20);
                    set_position(&mut app, a, at);
                }
                if how.ends_with("moved") {
                    tick(&mut app);
                    get_mut::<PathRequest>(&mut app, a).goal.y += 0.2;
                }
                let mut out = None;
                for t in 0..600 {
                    tick(&mut app);
                    let p = position(&app, a);
                    if !lake.inflate(-0.05).contains(p) {
                        out = Some((t, p));
                        break;
                    }
                }
                let line = format!("{mode:?} {body:?} {how} at {at} near {near}: out {out:?}");
                if out.is_some_and(|(_, p)| p.distance(near) < 2.0) {
                    println!("ok {line}")
                } else {
                    failures.push(line)
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn an_agent_in_a_flooded_room_leaves_by_the_door() {
    let mut failures = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for late in [false, true] {
            // A room with a door on the right. Its walls are one unit thick.
            let mut app = unbaked_level(
                mode,
                "
            ........................
            ........................
            ..##############........
            ..#............#........
            ..#............#........
            ..#.....................
            ..#............#........
            ..#............#........
            ..##############........
            ........................
            ........................
        ",
            );
            add_areas(&mut app);
            let flood = rect(3., 3., 15., 8.);
            if !late {
                spawn_patch(&mut app, WATER, flood);
            }
            wait_for_bake(&mut app);
            let a = spawn_with_class(
                &mut app,
                body,
                ClassId(0),
                Vec2::new(4.5, 5.5),
                PathRequest::to(Vec2::new(20.5, 5.5)),
            );
            if late {
                run_slowly(&mut app, 5);
                spawn_patch(&mut app, WATER, flood);
            }
            let mut n = 0;
            while !has_arrived(&app, a) && n < 900 {
                tick(&mut app);
                n += 1;
            }
            let line = format!(
                "{mode:?} {body:?} late {late}: {n} at {} {:?} {:?} path {:?}",
                position(&app, a),
                status(&app, a),
                locomotion(&app, a),
                waypoints(&get::<NavPath>(&app, a))
            );
            if n == 900 {
                failures.push(line)
            } else {
                println!("{line}")
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The areas of the `EnteredForbidden` events, in order.
fn entered(app: &App) -> Vec<AreaId> {
    events(app).entered.iter().map(|event| event.area).collect()
}

#[test]
fn entered_forbidden_is_sent_once_per_stay_and_not_for_a_detour() {
    let lake = rect(10., 6., 22., 26.);
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode, 32, 32);
        spawn_patch(&mut app, WATER, lake);
        wait_for_bake(&mut app);
        let [home, goal] = [Vec2::new(3.5, 16.5), Vec2::new(28.5, 16.5)];
        let a = spawn_with_class(&mut app, body, ClassId(0), home, PathRequest::to(goal));
        run_slowly_until(&mut app, 900, |app| has_arrived(app, a));
        assert!(events(&app).entered.is_empty(), "{mode:?} {body:?}");
        get_mut::<PathRequest>(&mut app, a).goal = home.extend(0.0);
        for stay in 1..4 {
            let mut inside = 0;
            set_position(&mut app, a, Vec2::new(15.3, 16.2));
            run_slowly_until(&mut app, 900, |app| {
                inside += 1;
                if inside == 4 {
                    set_position(app, a, Vec2::new(18.3, 12.2));
                }
                inside > 8 && !lake.contains(position(app, a))
            });
            // The event is sent for the position at the start of a tick.
            run_slowly(&mut app, 2);
            assert_eq!(entered(&app), vec![WATER; stay], "{mode:?} {body:?}");
            let event = *events(&app).entered.last().unwrap();
            assert!(event.entity == a && lake.contains(event.position.truncate()));
        }
        run_slowly_until(&mut app, 900, |app| has_arrived(app, a));
        assert_eq!(entered(&app).len(), 3, "{mode:?} {body:?}");
    }
}

#[test]
fn entered_forbidden_is_sent_when_the_ground_or_the_class_changes() {
    for mode in MODES {
        let mut app = meadow(mode, 32, 32);
        let goal = PathRequest::to(Vec2::new(28.5, 16.5));
        let slow = NavAgent::from_radius(RADIUS).with_speed(0.1);
        let [a, duck] = [0, 1].map(ClassId).map(|class| {
            let a = spawn_bare(
                &mut app,
                Vec2::new(15.5, 16.3),
                (slow.with_class(class), goal),
            );
            run_slowly(&mut app, 5);
            a
        });
        let lake = spawn_patch(&mut app, MUD, rect(10., 6., 22., 26.));
        run_slowly(&mut app, 20);
        assert!(
            events(&app).entered.is_empty(),
            "{mode:?}: mud, which is not forbidden, sent an event"
        );
        get_mut::<NavArea>(&mut app, lake).area = WATER;
        run_slowly(&mut app, 20);
        get_mut::<NavAgent>(&mut app, duck).class = ClassId(2);
        run_slowly(&mut app, 20);
        let entities: Vec<Entity> = events(&app)
            .entered
            .iter()
            .map(|event| event.entity)
            .collect();
        assert_eq!(entities, [a, duck], "{mode:?}");
    }
}

#[test]
fn entered_forbidden_waits_until_a_paused_agent_sets_out() {
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode, 32, 32);
        spawn_patch(&mut app, WATER, rect(10., 6., 22., 26.));
        wait_for_bake(&mut app);
        let request = PathRequest::to(Vec2::new(28.5, 16.5));
        let a = spawn_with_class(&mut app, body, ClassId(0), Vec2::new(15.5, 16.3), NavPaused);
        run_slowly(&mut app, 10);
        give(&mut app, a, request);
        run_slowly(&mut app, 10);
        assert!(entered(&app).is_empty(), "{mode:?} {body:?}");
        remove::<NavPaused>(&mut app, a);
        run_slowly(&mut app, 10);
        assert_eq!(entered(&app), [WATER], "{mode:?} {body:?}");
        give(&mut app, a, NavPaused);
        for at in [Vec2::new(3.5, 3.5), Vec2::new(16.5, 16.3)] {
            set_position(&mut app, a, at);
            run_slowly(&mut app, 10);
        }
        remove::<NavPaused>(&mut app, a);
        run_slowly(&mut app, 10);
        assert_eq!(
            entered(&app),
            [WATER],
            "{mode:?} {body:?}: not exactly one event for the same stay"
        );
    }
}

#[test]
fn no_event_is_sent_for_agents_that_an_observer_despawned() {
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode, 32, 32);
        spawn_patch(&mut app, WATER, rect(10., 6., 22., 26.));
        wait_for_bake(&mut app);
        let drown = |_: On<EnteredForbidden>,
                     mut commands: Commands,
                     agents: Query<Entity, With<NavAgent>>| {
            agents
                .iter()
                .for_each(|agent| commands.entity(agent).despawn());
        };
        app.add_observer(drown);
        for x in [14.5, 18.5] {
            let goal = PathRequest::to(Vec2::new(28.5, 16.5));
            spawn_with_class(&mut app, body, ClassId(0), Vec2::new(x, 16.3), goal);
        }
        run_slowly(&mut app, 20);
        assert_eq!(entered(&app), [WATER], "{mode:?} {body:?}");
    }
}

fn wants(app: &mut App, agent: Entity) -> Wants {
    let report = ask(app, move |navigation| navigation.report(agent));
    report.expect("an agent has a report").wants
}

#[test]
fn an_idle_agent_in_a_lake_leaves_it_with_one_event_per_stay() {
    let lake = rect(10., 6., 22., 26.);
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode, 32, 32);
        spawn_patch(&mut app, WATER, lake);
        wait_for_bake(&mut app);
        let request = PathRequest::to(Vec2::new(7.5, 16.5)).once();
        let a = spawn_with_class(&mut app, body, ClassId(0), Vec2::new(3.5, 16.5), request);
        let prey = spawn_target(&mut app, Vec2::new(3.5, 3.5));
        let hunter = spawn_with_class(
            &mut app,
            body,
            ClassId(0),
            Vec2::new(2.5, 28.5),
            Chase::new(prey),
        );
        run_slowly_until(&mut app, 300, |app| events(app).reached.len() == 1);
        despawn(&mut app, prey);
        run_slowly(&mut app, 5);
        for stay in 1..4 {
            set_position(&mut app, a, Vec2::new(12.3, 16.2));
            set_position(&mut app, hunter, Vec2::new(19.6, 20.2));
            run_slowly(&mut app, 12);
            for one in [a, hunter] {
                assert_eq!(wants(&mut app, one), Wants::Leave, "{mode:?} {body:?}");
            }
            run_slowly(&mut app, 200);
            let (at, other) = (position(&app, a), position(&app, hunter));
            let is_near = at.distance(Vec2::new(10.0, 16.2)) < 1.0;
            assert!(is_near && !lake.contains(at), "{mode:?} {body:?}: {at}");
            let is_near = other.distance(Vec2::new(22.0, 20.2)) < 1.0;
            assert!(
                is_near && !lake.contains(other),
                "{mode:?} {body:?}: {other}"
            );
            let ends = [a, hunter].map(|one| status(&app, one));
            assert_eq!(ends, [PathStatus::Idle, PathStatus::TargetLost]);
            assert_eq!(locomotion(&app, a), Locomotion::Idle, "{mode:?} {body:?}");
            let events = events(&app);
            let counts = (
                events.entered.len(),
                events.reached.len(),
                events.lost.len(),
            );
            assert_eq!(counts, (2 * stay, 1, 1), "{mode:?} {body:?}");
            assert!(events.failed.is_empty() && events.stuck.is_empty());
        }
    }
}

#[test]
fn paused_and_manually_driven_agents_stay_in_a_lake() {
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode, 32, 32);
        spawn_patch(&mut app, WATER, rect(10., 6., 22., 26.));
        wait_for_bake(&mut app);
        let a = spawn_with_class(&mut app, body, ClassId(0), Vec2::new(12.3, 10.2), NavPaused);
        let b = spawn_with_class(
            &mut app,
            body,
            ClassId(0),
            Vec2::new(12.3, 20.2),
            NavDrive::Manual,
        );
        run_slowly(&mut app, 60);
        for one in [a, b] {
            assert_eq!(wants(&mut app, one), Wants::Nothing, "{mode:?} {body:?}");
        }
        assert!(position(&app, a).distance(Vec2::new(12.3, 10.2)) < 1e-3);
        remove::<NavPaused>(&mut app, a);
        remove::<NavDrive>(&mut app, b);
        run_slowly(&mut app, 200);
        for one in [a, b] {
            assert!(position(&app, one).x < 10.0, "{mode:?} {body:?}");
        }
        assert_eq!(entered(&app), [WATER; 2], "{mode:?} {body:?}");
    }
}
