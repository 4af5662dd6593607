//! Ground areas in games with unusual habits.

use crate::common::*;

const MUD: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);
const DUCK: ClassId = ClassId(1);
const FISH: ClassId = ClassId(2);
const FROM: Vec2 = Vec2::new(2.5, 8.5);
const TO: Vec2 = Vec2::new(21.5, 8.5);

/// Open ground of 24 by 17 cells with a lake. Ducks and fish may enter the water, and fish may not enter the land.
fn level_with_lake(mode: PlanMode, lake: Rect) -> App {
    let mut app = unbaked_level(mode, &open(24, 17));
    let mut areas = areas(&mut app);
    assert_eq!(areas.add("mud", 3.0, Color::BLACK), MUD);
    assert_eq!(areas.add("water", f32::INFINITY, Color::BLACK), WATER);
    let mut classes = classes(&mut app);
    let swimmer = AgentClass::default().with_cost(WATER, 1.0);
    assert_eq!(classes.add(swimmer.clone()), Ok(DUCK));
    assert_eq!(classes.add(swimmer.forbidding(AreaId::PLAIN)), Ok(FISH));
    spawn_patch(&mut app, WATER, lake);
    run_slowly(&mut app, 5);
    app
}

fn areas(app: &mut App) -> Mut<'_, NavAreas> {
    app.world_mut().resource_mut()
}

fn classes(app: &mut App) -> Mut<'_, AgentClasses> {
    app.world_mut().resource_mut()
}

fn spawn_patch(app: &mut App, area: AreaId, patch: Rect) -> Entity {
    let shape = NavObstacle::rectangle(patch.half_size()).with_layers(WALLS);
    let at = transform_at(patch.center());
    spawn(app, (shape, NavArea::new(area), at))
}

fn times_entered(app: &App, agent: Entity) -> usize {
    let entered = events(app).entered.iter();
    entered.filter(|event| event.entity == agent).count()
}

#[test]
fn an_arrived_agent_leaves_ground_that_is_flooded() {
    for (mode, body) in modes_and_bodies() {
        for is_chase in [false, true] {
            let context = (mode, body, is_chase);
            let mut app = level_with_lake(mode, Rect::new(-9.0, -9.0, -8.0, -8.0));
            let agent = spawn_sent(&mut app, body, FROM, Vec2::new(12.5, 8.5), is_chase);
            arrive(&mut app, agent, 900, context);
            let flood = Rect::new(9.0, 5.0, 16.0, 12.0);
            let lake = spawn_patch(&mut app, WATER, flood);
            run_slowly(&mut app, 120);
            assert!(!flood.contains(position(&app, agent)), "{context:?}");
            assert!(!has_arrived(&app, agent), "{context:?}");
            assert_eq!(times_entered(&app, agent), 1, "{context:?}");
            assert_eq!(status(&app, agent), Partial(GoalBlocked), "{context:?}");
            despawn(&mut app, lake);
            arrive(&mut app, agent, 300, context);
        }
    }
}

#[test]
fn an_agent_in_water_within_reach_of_its_goal_leaves_before_it_arrives() {
    let lake = Rect::new(8.0, 4.0, 16.0, 13.0);
    for (mode, body) in modes_and_bodies() {
        for is_chase in [false, true] {
            let mut app = level_with_lake(mode, lake);
            let agent = spawn_sent(&mut app, body, FROM, Vec2::new(7.5, 8.5), is_chase);
            get_mut::<NavAgent>(&mut app, agent).reach = Some(5.0);
            arrive(&mut app, agent, 900, (mode, body));
            set_position(&mut app, agent, Vec2::new(10.3, 8.2));
            run_slowly(&mut app, 3);
            assert!(!has_arrived(&app, agent), "{mode:?}, {body:?}");
            arrive(&mut app, agent, 300, (mode, body, is_chase));
            let here = position(&app, agent);
            assert!(
                !lake.contains(here),
                "{mode:?}, {body:?}: the agent arrived in the water at {here}"
            );
        }
    }
}

#[test]
fn entered_forbidden_is_sent_once_for_idle_agents_in_water() {
    let lake = Rect::new(8.0, 4.0, 16.0, 13.0);
    for (mode, body) in modes_and_bodies() {
        let mut app = level_with_lake(mode, lake);
        let second = Rect::new(100.0, 0.0, 110.0, 10.0);
        spawn_grid(&mut app, second, 0.5);
        let threat = spawn_target(&mut app, Vec2::new(1.5, 1.5));
        let calm = Flee::new(threat, 2.0);
        let idle = spawn_agent(&mut app, body, Vec2::new(9.5, 7.5));
        let sheep = spawn_with(&mut app, body, Vec2::new(13.5, 9.5), calm);
        let dry = spawn_agent(&mut app, body, Vec2::new(4.5, 7.5));
        let duck = spawn_agent(&mut app, body, Vec2::new(13.5, 5.5));
        get_mut::<NavAgent>(&mut app, duck).class = DUCK;
        run_slowly(&mut app, 60);
        let counts = [idle, sheep, dry, duck].map(|agent| times_entered(&app, agent));
        assert_eq!(counts, [1, 1, 0, 0], "{mode:?}, {body:?}");
        for one in [idle, sheep] {
            assert!(!lake.contains(position(&app, one)), "{mode:?}, {body:?}");
        }
        give(&mut app, idle, PathRequest::to(FROM));
        arrive(&mut app, idle, 600, (mode, body));
        assert_eq!(
            times_entered(&app, idle),
            1,
            "{mode:?}, {body:?}: not exactly one event for the same stay"
        );
        remove::<PathRequest>(&mut app, idle);
        set_position(&mut app, idle, lake.center());
        get_mut::<NavAgent>(&mut app, duck).class = ClassId(0);
        run_slowly(&mut app, 60);
        let counts = [idle, sheep, dry, duck].map(|agent| times_entered(&app, agent));
        assert_eq!(counts, [2, 1, 0, 1], "{mode:?}, {body:?}");
    }
}

#[test]
fn fish_stay_in_their_lake_and_chase_along_its_shore() {
    let lake = Rect::new(5.0, 3.0, 19.0, 14.0);
    for (mode, body) in modes_and_bodies() {
        let mut app = level_with_lake(mode, lake);
        let (fish, target) = spawn_chase(&mut app, body, Vec2::new(6.5, 8.5), TO);
        get_mut::<NavAgent>(&mut app, fish).class = FISH;
        for n in 0..300 {
            let turn = Vec2::from_angle(0.02 * n as f32);
            set_position(&mut app, target, lake.center() + 8.0 * turn);
            tick(&mut app);
            let here = position(&app, fish);
            let is_in = lake.inflate(2e-3).contains(here);
            assert!(
                is_in,
                "{mode:?}, {body:?}, {n}: the fish left its lake at {here}"
            );
        }
        set_position(&mut app, target, Vec2::new(17.5, 8.5));
        arrive(&mut app, fish, 300, (mode, body));
    }
}

#[test]
fn hunters_follow_a_swimmer_along_the_shore_and_catch_it_on_land() {
    let lake = Rect::new(7.0, 4.0, 17.0, 13.0);
    for (mode, body) in modes_and_bodies() {
        let mut app = level_with_lake(mode, lake);
        let (hunter, target) = spawn_chase(&mut app, body, FROM, lake.center());
        for n in 0..300 {
            let turn = Vec2::from_angle(0.02 * n as f32);
            set_position(&mut app, target, lake.center() + 3.0 * turn);
            tick(&mut app);
            let here = position(&app, hunter);
            let is_in = lake.inflate(-2e-3).contains(here);
            assert!(
                !is_in,
                "{mode:?}, {body:?}, {n}: the hunter is in the water at {here}"
            );
            assert!(!has_arrived(&app, hunter), "{mode:?}, {body:?}, {n}");
        }
        assert_eq!(times_entered(&app, hunter), 0, "{mode:?}, {body:?}");
        set_position(&mut app, target, TO);
        arrive(&mut app, hunter, 600, (mode, body));
    }
}

/// A chaser beside its target keeps up with it in a straight line through a patch. Returns the number of ticks in which
/// the chaser had lost the target, and whether it was in the patch.
fn keep_up_across(
    case: (PlanMode, Body),
    (area, class): (AreaId, ClassId),
    reach: f32,
) -> (u32, bool) {
    let patch = Rect::new(9.0, 4.0, 13.0, 13.0);
    let mut app = level_with_lake(case.0, Rect::new(-9.0, -9.0, -8.0, -8.0));
    spawn_patch(&mut app, area, patch);
    let (agent, target) = spawn_chase(&mut app, case.1, FROM, FROM + 2.5 * Vec2::X);
    get_mut::<NavAgent>(&mut app, agent).class = class;
    get_mut::<NavAgent>(&mut app, agent).reach = Some(reach);
    arrive(&mut app, agent, 300, case);
    let (mut ticks_lost, mut was_in) = (0, false);
    while position(&app, target).x < TO.x {
        let there = position(&app, target) + Vec2::X * 0.03;
        set_position(&mut app, target, there);
        tick(&mut app);
        ticks_lost += u32::from(!has_arrived(&app, agent));
        was_in |= patch.inflate(-2e-3).contains(position(&app, agent));
    }
    arrive(&mut app, agent, 600, case);
    (ticks_lost, was_in)
}

#[test]
fn a_chaser_keeps_up_through_mud_but_not_through_forbidden_water() {
    for case in modes_and_bodies() {
        for reach in [1.0, 3.0] {
            for ground in [
                (AreaId::PLAIN, ClassId(0)),
                (MUD, ClassId(0)),
                (MUD, DUCK),
                (WATER, DUCK),
            ] {
                let kept = keep_up_across(case, ground, reach);
                assert_eq!(kept, (0, true), "{case:?}, {ground:?}, {reach}");
            }
            let (ticks_lost, was_in) = keep_up_across(case, (WATER, ClassId(0)), reach);
            assert!(
                ticks_lost > 0 && !was_in,
                "{case:?}, {reach}: the target was lost for {ticks_lost} ticks"
            );
        }
    }
}

#[test]
fn an_agent_arrives_while_cost_tables_and_classes_change_every_tick() {
    for mode in MODES {
        for habit in 0..4 {
            let context = (mode, habit);
            let mut app = level_with_lake(mode, Rect::new(10.0, 13.0, 14.0, 17.0));
            spawn_patch(&mut app, MUD, Rect::new(10.0, 4.0, 14.0, 13.0));
            let agent = spawn_walker(&mut app, Body::Transform, FROM, TO);
            let mut n = 0;
            run_until(&mut app, 260, |app| {
                n += 1;
                let bad = [3.0, f32::NAN, -1.0, 0.0, 1e30][n % 5];
                let odd = if n % 2 == 0 { 5.0 } else { f32::INFINITY };
                match habit {
                    0 => areas(app).all[1].cost = 2.5 + 0.5 * (n % 2) as f32,
                    1 => areas(app).all[1].cost = bad,
                    2 => drop(classes(app).all[0].costs.insert(MUD, odd)),
                    _ => get_mut::<NavAgent>(app, agent).class = ClassId([0, 7, 255][n % 3]),
                }
                let_tasks_run();
                has_arrived(app, agent)
            });
            assert_eq!(times_entered(&app, agent), 0, "{context:?}");
        }
    }
}

#[test]
fn agents_stand_while_all_ground_is_forbidden_and_walk_afterwards() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level_with_lake(mode, Rect::new(10.0, 4.0, 14.0, 13.0));
        areas(&mut app).all[0].cost = f32::INFINITY;
        run_slowly(&mut app, 5);
        let walker = spawn_walker(&mut app, body, FROM, TO);
        let chaser = spawn_chase(&mut app, body, FROM + Vec2::Y, TO).0;
        let threat = spawn_target(&mut app, FROM);
        let flight = Flee::new(threat, 6.0);
        let sheep = spawn_with(&mut app, body, FROM - Vec2::Y, flight);
        let agents = [walker, chaser, sheep];
        run_slowly(&mut app, 60);
        assert_status(&app, agents, Failed(StartBlocked), (mode, body));
        assert_eq!(position(&app, walker), FROM);
        assert_eq!(agents.map(|agent| times_entered(&app, agent)), [1; 3]);
        areas(&mut app).all[0].cost = 1.0;
        arrive_or_settle(&mut app, [walker, chaser], 300, (mode, body));
        let away = position(&app, sheep).distance(FROM);
        assert!(
            away >= 6.0,
            "{mode:?}, {body:?}: the sheep got only {away} away"
        );
        // `NavAreas` and `AgentClasses` without entries cause no panic.
        areas(&mut app).all.clear();
        classes(&mut app).all.clear();
        get_mut::<PathRequest>(&mut app, walker).goal = FROM.extend(0.0);
        arrive_or_settle(&mut app, walker, 300, (mode, body));
    }
}

/// The number of cells that are water.
fn count_water_cells(app: &mut App) -> usize {
    run(app, 3);
    let grid = grid_entity(app);
    let map = snapshot(app, grid).map().clone();
    let areas = map.areas().expect("the map has a lake");
    let cells = areas.rect().cells();
    cells.filter(|&cell| areas.area(cell) == WATER.0).count()
}

#[test]
fn areas_follow_their_shapes_under_any_parent_transform() {
    let mut app = level_with_lake(PlanMode::Inline, Rect::new(0.0, 0.0, 1.0, 1.0));
    let placed = Transform::from_xyz(12.0, 8.0, 0.0);
    let nan = Vec3::splat(f32::NAN);
    for (scale, expected) in [
        (Vec3::ONE, 24),
        (Vec3::splat(2.0), 96),
        (Vec3::new(-1.0, 1.0, 1.0), 24),
        (Vec3::new(1e-3, 1.0, 1.0), 0),
        (Vec3::ZERO, 0),
        (Vec3::splat(1e30), 0),
        (nan, 0),
    ] {
        let parent = spawn(&mut app, placed.with_scale(scale));
        let at = Transform::from_xyz(1.0, 0.0, 0.0);
        let shape = NavObstacle::rectangle(Vec2::new(2.0, 3.0)).with_layers(WALLS);
        let water = (NavArea::new(WATER), shape, at, ChildOf(parent));
        let area = spawn(&mut app, water);
        assert_eq!(count_water_cells(&mut app), expected + 1, "{scale}");
        set_disabled(&mut app, area, true);
        assert_eq!(
            count_water_cells(&mut app),
            1,
            "{scale}: a disabled area has an effect"
        );
        set_disabled(&mut app, area, false);
        let copy = clone_entity(&mut app, area);
        despawn(&mut app, area);
        assert_eq!(
            count_water_cells(&mut app),
            expected + 1,
            "{scale}: a clone"
        );
        let copied = copy_by_reflection(&mut app, copy);
        give(&mut app, copied, ChildOf(parent));
        despawn(&mut app, copy);
        assert_eq!(
            count_water_cells(&mut app),
            expected + 1,
            "{scale}: a copy from a scene"
        );
        despawn(&mut app, parent);
        assert_eq!(
            count_water_cells(&mut app),
            1,
            "{scale}: a despawned area has an effect"
        );
    }
}

#[test]
fn a_sensor_on_a_moving_body_is_ground_without_groups() {
    let mut app = level_with_lake(PlanMode::Inline, Rect::new(0.0, 0.0, 1.0, 1.0));
    for body in [RigidBody::Dynamic, RigidBody::KinematicPositionBased] {
        let shape = (Collider::ball(3.0), Sensor, body, GravityScale(0.0));
        let fire = (
            NavArea::new(WATER),
            shape,
            transform_at(Vec2::new(12.0, 8.0)),
        );
        let fire = spawn(&mut app, fire);
        assert_eq!(count_water_cells(&mut app), 33, "{body:?}");
        let elsewhere = CollisionGroups::new(AGENTS, Group::ALL);
        give(&mut app, fire, elsewhere);
        assert_eq!(
            count_water_cells(&mut app),
            1,
            "{body:?}: an area on other layers has an effect"
        );
        despawn(&mut app, fire);
    }
}

#[test]
fn area_at_returns_the_area_of_a_point() {
    let mut app = level_with_lake(PlanMode::Inline, Rect::new(8.0, 4.0, 16.0, 13.0));
    ask(&mut app, |nav| {
        assert_eq!(nav.area_at(Vec2::new(12.5, 8.5), RADIUS), Ok(WATER));
        assert_eq!(nav.area_at(FROM, RADIUS), Ok(AreaId::PLAIN));
        let agent = NavAgent::from_radius(f32::NAN).with_class(DUCK);
        assert_eq!(nav.area_at(Vec2::new(12.5, 8.5), agent), Ok(WATER));
        for bad in [-1.0, 99.0, f32::NAN, f32::INFINITY] {
            let bad = nav.area_at(Vec2::splat(bad), RADIUS);
            assert_eq!(bad, Err(OutsideGrid));
        }
        let none = OnGrid(Entity::PLACEHOLDER);
        assert_eq!(nav.area_at(FROM, (RADIUS, none)), Err(NoGrid));
    });
    let mut plain = level(PlanMode::Inline, &open(4, 4));
    let area = ask(&mut plain, |nav| nav.area_at(cell(2, 2), RADIUS));
    assert_eq!(area, Ok(AreaId::PLAIN));
}

#[test]
fn a_changed_cost_causes_a_bake_only_if_the_order_of_costs_changes() {
    let lake = Rect::new(8.0, 4.0, 16.0, 13.0);
    let mut app = level_with_lake(PlanMode::Inline, lake);
    let mud = spawn_patch(&mut app, MUD, lake);
    run(&mut app, 30);
    let bakes = |app: &mut App, cost: f32| {
        let before = stats(app).bakes;
        areas(app).all[2].cost = cost;
        run(app, 30);
        stats(app).bakes - before
    };
    let lake_cells = count_water_cells(&mut app);
    for cost in [4.0, 15.0, f32::INFINITY, 3.5] {
        assert_eq!(
            (bakes(&mut app, cost), count_water_cells(&mut app)),
            (0, lake_cells),
            "{cost}"
        );
    }
    assert_eq!(
        (bakes(&mut app, 2.0), count_water_cells(&mut app)),
        (1, 0),
        "mud, which costs more, is not on top"
    );
    assert_eq!(
        (bakes(&mut app, 3.0), count_water_cells(&mut app)),
        (1, lake_cells),
        "at the same cost, the area with the higher number is not on top"
    );
    get_mut::<NavArea>(&mut app, mud).priority = 1;
    assert_eq!(count_water_cells(&mut app), 0);
}
