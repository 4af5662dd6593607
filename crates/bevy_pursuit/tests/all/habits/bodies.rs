//! Bodies that grow, are held, pushed and knocked back.

use crate::common::*;

const CRATES: Group = Group::GROUP_5;

/// Two corridors from left to right: a straight one above, and a longer one below.
const TWO_CORRIDORS: &str = "
    ####################
    #..................#
    #..#############...#
    #..#############...#
    #..................#
    ####################
";

#[test]
fn an_agent_that_grows_on_its_way_plans_for_its_new_size_at_once() {
    for body in BODIES {
        for is_chase in [false, true] {
            // A gap of 1.4 straight ahead, and a gap of 5 to the side.
            let mut app = level(PlanMode::Inline, &open(24, 16));
            spawn_wall(&mut app, Vec2::new(12.0, 1.4), Vec2::new(0.5, 1.4));
            spawn_wall(&mut app, Vec2::new(12.0, 7.6), Vec2::new(0.5, 3.4));
            let target = spawn_target(&mut app, cell(21, 3));
            let agent = spawn_agent(&mut app, body, cell(2, 3));
            let rarely = RepathPolicy::Every(Duration::from_secs(30));
            if is_chase {
                give(&mut app, agent, Chase::new(target).with_repath(rarely));
            } else {
                let request = PathRequest::to(cell(21, 3)).with_repath(rarely);
                give(&mut app, agent, request);
            }
            run(&mut app, 30);
            let through_gap = |app: &App| {
                let path = get::<NavPath>(app, agent);
                waypoints(&path).iter().all(|point| point.y < 9.0)
            };
            assert!(through_gap(&app), "a small body does not take the near gap");
            set_size(&mut app, agent, body, 1.2);
            give(&mut app, agent, NavAgent::from_radius(1.2).with_speed(8.0));
            run(&mut app, 4);
            let context = format!("{body:?}, chase {is_chase}");
            let planned = get::<NavPath>(&app, agent).body().radius;
            assert!(
                (1.2..1.25).contains(&planned),
                "{context}: planned for a radius of {planned}, expected 1.2 and the gap of the driver"
            );
            assert!(
                !through_gap(&app),
                "{context}: the path leads through the near gap, where the agent does not fit"
            );
            for _ in 0..600 {
                app.update();
                assert_off_walls(&mut app, agent, 0.97 * 1.2, &context);
            }
            arrive(&mut app, agent, 1, &context);
            assert_eq!(
                events(&app).stuck,
                [],
                "{context}: the agent got stuck in the gap"
            );
        }
    }
}

#[test]
fn agents_held_by_paused_physics_are_not_stuck() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for by_body in [false, true] {
            let mut app = level(PlanMode::Inline, &open(40, 25));
            let target = spawn_target(&mut app, cell(39, 12));
            let agents: Vec<Entity> = (0..20)
                .map(|n| spawn_chaser(&mut app, body, cell(1, 2 + n), target))
                .collect();
            run(&mut app, 30);
            let before: Vec<Vec2> = agents.iter().map(|one| position(&app, *one)).collect();
            let searched = searches(&app);
            let hold = |app: &mut App, is_held: bool| match by_body {
                false => set_physics(app, !is_held),
                true if is_held => agents
                    .iter()
                    .for_each(|one| give(app, *one, RigidBodyDisabled)),
                true => agents
                    .iter()
                    .for_each(|one| remove::<RigidBodyDisabled>(app, *one)),
            };
            hold(&mut app, true);
            run(&mut app, 1800);
            let context = format!("{body:?}, bodies disabled: {by_body}");
            assert_eq!(
                events(&app).stuck,
                [],
                "{context}: agents were reported stuck"
            );
            let searched = searches(&app) - searched;
            assert!(
                searched <= 20 * 16,
                "{context}: {searched} searches by 20 agents in 30 s although nothing moved"
            );
            for (agent, before) in agents.iter().zip(before) {
                let moved = position(&app, *agent).distance(before);
                assert!(
                    moved <= 0.5,
                    "{context}: the agent moved by {moved} while it was held"
                );
            }
            hold(&mut app, false);
            arrive_or_settle(&mut app, &agents, 600, (&context, "released"));
        }
    }
}

/// Spawns a crate on a layer that the grid ignores and the agents collide with.
fn spawn_crate(app: &mut App, center: Vec2, half_size: Vec2) -> Entity {
    let groups = CollisionGroups::new(CRATES, AGENTS);
    let shape = Collider::cuboid(half_size.x, half_size.y);
    spawn(app, (shape, groups, transform_at(center)))
}

fn collide_with_crates(app: &mut App, agent: Entity) {
    give(app, agent, CollisionGroups::new(AGENTS, WALLS | CRATES));
}

#[test]
fn a_stuck_agent_takes_another_way() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for is_chase in [false, true] {
            let mut app = level(PlanMode::Inline, TWO_CORRIDORS);
            // The upper corridor is shorter and is blocked by a crate that the grid ignores.
            spawn_crate(&mut app, cell(9, 1), Vec2::splat(0.5));
            let agent = spawn_sent(&mut app, body, cell(1, 2), cell(17, 2), is_chase);
            collide_with_crates(&mut app, agent);
            let context =
                format!("{body:?}, chase {is_chase}: the agent keeps pushing against the crate");
            let is_stuck = |app: &mut App| locomotion(app, agent) == Locomotion::Stuck;
            run_until(&mut app, 900, is_stuck);
            arrive(&mut app, agent, 1800, &context);
            assert_eq!(
                events(&app).stuck,
                [],
                "{context}: the agent was reported stuck although another way helped"
            );
        }
    }
}

/// A chaser that sees its target behind a crate of half height `half`, which is not an obstacle of the grid.
fn level_with_crate(body: Body, half: f32) -> (App, Entity, Entity) {
    let mut app = level(PlanMode::Inline, &open(60, 40));
    let shape = Collider::cuboid(0.5, half);
    let crate_body = (RigidBody::KinematicPositionBased, shape);
    spawn(&mut app, (transform_at(cell(20, 20)), crate_body));
    let player = spawn_target(&mut app, cell(34, 20));
    let chaser = spawn_chaser(&mut app, body, cell(4, 20), player);
    (app, player, chaser)
}

#[test]
fn a_chaser_gets_around_a_crate_in_front_of_a_player_that_it_sees() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for half in [0.6, 2.0, 4.0] {
            let (mut app, _, chaser) = level_with_crate(body, half);
            run_until(&mut app, 1800, |app| has_arrived(app, chaser));
            let reports = events(&app).stuck.len();
            assert!(reports <= 1, "{body:?} {half}: {reports} stuck events");
        }
    }
}

#[test]
fn a_chaser_gets_around_a_crate_right_before_its_player_or_reports_stuck_once() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for half in [0.3, 0.6, 1.0] {
            let mut app = level(PlanMode::Inline, &open(30, 20));
            let player = spawn_target(&mut app, cell(20, 10));
            spawn_crate(&mut app, cell(19, 10), Vec2::new(0.3, half));
            let chaser = spawn_chaser(&mut app, body, cell(4, 10), player);
            collide_with_crates(&mut app, chaser);
            run(&mut app, 1200);
            let (arrived, reports) = (has_arrived(&app, chaser), events(&app).stuck.len());
            assert!(
                reports == 1 || arrived && reports == 0,
                "{body:?} {half}: arrived {arrived}, {reports} reports"
            );
        }
    }
}

#[test]
fn a_chaser_before_crates_around_its_player_reports_stuck_once() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut app = level(PlanMode::Inline, &open(30, 20));
        let player = spawn_target(&mut app, cell(20, 10));
        let crates = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|side| {
            let half = 0.3 * side.abs() + 1.3 * side.perp().abs();
            spawn_crate(&mut app, cell(20, 10) + side, half)
        });
        let chaser = spawn_chaser(&mut app, body, cell(4, 10), player);
        collide_with_crates(&mut app, chaser);
        run(&mut app, 1800);
        let stuck: Vec<Entity> = events(&app).stuck.iter().map(|it| it.entity).collect();
        assert_eq!(stuck, [chaser], "{body:?}");
        crates.into_iter().for_each(|one| despawn(&mut app, one));
        arrive(&mut app, chaser, 300, (body, "without crates"));
    }
}

#[test]
fn a_chaser_gets_around_a_crate_while_the_player_moves_behind_it() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for half in [0.6, 2.0, 4.0] {
            let (mut app, player, chaser) = level_with_crate(body, half);
            let mut ticks = 0;
            run_until(&mut app, 3600, |app| {
                let swing = 5.0 * (ticks as f32 / 90.0).sin();
                set_position(app, player, cell(34, 20) + Vec2::Y * swing);
                ticks += 1;
                has_arrived(app, chaser)
            });
        }
    }
}

#[test]
fn a_chaser_on_its_way_around_a_crate_notices_a_player_that_comes_near() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let (mut app, player, chaser) = level_with_crate(body, 4.0);
        run(&mut app, 330);
        let here = position(&app, chaser);
        set_position(&mut app, player, here - Vec2::X * 3.0);
        run_until(&mut app, 90, |app| has_arrived(app, chaser));
    }
}

#[test]
fn a_stuck_agent_goes_on_when_the_crate_is_removed() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut app = level(PlanMode::Inline, &open(20, 3));
        let crate_entity = spawn_crate(&mut app, Vec2::new(9.0, 1.5), Vec2::new(0.5, 3.0));
        let agent = spawn_walker(&mut app, body, cell(0, 1), cell(19, 1));
        collide_with_crates(&mut app, agent);
        run(&mut app, 600);
        assert_eq!(
            events(&app).stuck.len(),
            1,
            "{body:?}: not exactly one stuck event"
        );
        despawn(&mut app, crate_entity);
        arrive(&mut app, agent, 600, (body, "the crate is gone"));
    }
}

#[test]
fn agents_that_are_knocked_back_are_not_stuck() {
    for grip in [None, Some(1.0), Some(0.2)] {
        let mut app = level(PlanMode::Inline, &open(60, 9));
        let target = spawn_target(&mut app, cell(48, 4));
        let agents: Vec<Entity> = (0..6)
            .map(|n| spawn_chaser(&mut app, Body::Dynamic, cell(30, 1 + n), target))
            .collect();
        if let Some(grip) = grip {
            agents
                .iter()
                .for_each(|agent| give(&mut app, *agent, NavDrive::Grip(grip)));
        }
        for tick in 0..480 {
            for (n, agent) in agents.iter().enumerate() {
                if (tick + 13 * n) % 160 == 159 {
                    // The agent is thrown back faster than it runs.
                    hit(&mut app, *agent, Vec2::new(-11.0, 2.0));
                }
            }
            app.update();
        }
        assert_eq!(
            events(&app).stuck,
            [],
            "grip {grip:?}: an agent is stuck after a hit"
        );
        arrive_or_settle(&mut app, &agents, 900, ("grip", grip, "after the hits"));
    }
}

#[test]
fn an_agent_pushed_along_by_others_is_not_stuck() {
    let mut app = level(PlanMode::Inline, &open(40, 2));
    let target = spawn_target(&mut app, Vec2::new(39.0, 1.0));
    for (x, speed) in [(4.0, 2.0), (2.0, 8.0), (1.0, 8.0)] {
        let agent = spawn_chaser(&mut app, Body::Dynamic, Vec2::new(x, 1.0), target);
        entity_mut(&mut app, agent).insert((
            NavAgent::from_radius(RADIUS).with_speed(speed),
            CollisionGroups::new(AGENTS, WALLS | AGENTS),
        ));
    }
    for y in [-0.4, 2.4] {
        spawn_wall(&mut app, Vec2::new(20.0, y), Vec2::new(20.0, 0.9));
    }
    run(&mut app, 600);
    assert_eq!(
        events(&app).stuck,
        [],
        "an agent at full speed was reported stuck"
    );
}
