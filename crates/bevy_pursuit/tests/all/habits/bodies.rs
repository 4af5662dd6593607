//! Bodies that grow, are held, pushed and knocked back.

use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::common::*;

const CRATES: Group = Group::GROUP_5;

/// Two ways from left to right: a straight one in the middle and one around below.
const TWO_WAYS: &str = "
    ####################
    #..................#
    #..#############...#
    #..#############...#
    #..................#
    ####################
";

#[test]
fn an_agent_that_grows_under_way_plans_for_its_new_size_at_once() {
    for body in BODIES {
        for is_chase in [false, true] {
            // A gap of 1.4 straight ahead, one of 5 to the side.
            let mut app = level(PlanMode::Inline, &open(24, 16));
            spawn_wall(&mut app, Vec2::new(12.0, 1.4), Vec2::new(0.5, 1.4));
            spawn_wall(&mut app, Vec2::new(12.0, 7.6), Vec2::new(0.5, 3.4));
            let target = spawn_target(&mut app, cell(21, 3));
            let agent = spawn_agent(&mut app, body, cell(2, 3));
            let rarely = RepathPolicy::Every(Duration::from_secs(30));
            let mut entity = app.world_mut().entity_mut(agent);
            if is_chase {
                entity.insert(Chase::new(target).with_repath(rarely));
            } else {
                entity.insert(PathRequest {
                    repath: rarely,
                    ..PathRequest::to(cell(21, 3))
                });
            }
            run(&mut app, 30);
            let through_gap = |app: &App| {
                let path = get::<NavPath>(app, agent);
                path.waypoints().iter().all(|point| point.y < 9.0)
            };
            assert!(through_gap(&app), "a small body takes the near gap");
            let mut entity = app.world_mut().entity_mut(agent);
            entity.insert(NavAgent::from_radius(1.2).with_speed(8.0));
            if body != Body::Transform {
                entity.insert(Collider::ball(1.2));
            }
            run(&mut app, 4);
            let what = format!("{body:?}, chase {is_chase}");
            let planned = get::<NavPath>(&app, agent).body().radius;
            assert!(
                (1.2..1.25).contains(&planned),
                "{what}: planned for {planned}, not a body of 1.2 and the gap of its driver"
            );
            assert!(
                !through_gap(&app),
                "{what}: the large body does not fit there"
            );
            for _ in 0..600 {
                app.update();
                let here = position(&app, agent);
                let away = wall_distance(&mut app, here);
                assert!(away >= 0.97 * 1.2, "{what}: {away} from a wall at {here}");
            }
            assert!(
                has_arrived(&app, agent),
                "{what}: at {}",
                position(&app, agent)
            );
            assert!(heard(&app).stuck.is_empty(), "{what}: stuck in the gap");
        }
    }
}

fn set_physics(app: &mut App, active: bool) {
    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
    for mut config in configs.iter_mut(app.world_mut()) {
        config.physics_pipeline_active = active;
    }
}

fn set_body_disabled(app: &mut App, agents: &[Entity], disabled: bool) {
    for agent in agents {
        let mut agent = app.world_mut().entity_mut(*agent);
        if disabled {
            agent.insert(RigidBodyDisabled);
        } else {
            agent.remove::<RigidBodyDisabled>();
        }
    }
}

#[test]
fn whoever_is_held_by_a_pause_of_the_physics_is_not_stuck() {
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
            if by_body {
                set_body_disabled(&mut app, &agents, true);
            } else {
                set_physics(&mut app, false);
            }
            run(&mut app, 1800);
            let what = format!("{body:?}, bodies disabled: {by_body}");
            assert!(
                heard(&app).stuck.is_empty(),
                "{what}: {} told that they are stuck",
                heard(&app).stuck.len()
            );
            let searched = searches(&app) - searched;
            assert!(
                searched <= 20 * 16,
                "{what}: {searched} searches of 20 agents in 30 s, though nothing moved"
            );
            for (agent, before) in agents.iter().zip(before) {
                let moved = position(&app, *agent).distance(before);
                assert!(moved <= 0.5, "{what}: walked {moved} while it was held");
            }
            if by_body {
                set_body_disabled(&mut app, &agents, false);
            } else {
                set_physics(&mut app, true);
            }
            for agent in agents {
                arrive(&mut app, agent, 600, &format!("{what}, released"));
            }
        }
    }
}

/// A crate in a layer that the grid does not know and the agents bump into.
fn spawn_crate(app: &mut App, center: Vec2, half_size: Vec2) -> Entity {
    app.world_mut()
        .spawn((
            Collider::cuboid(half_size.x, half_size.y),
            CollisionGroups::new(CRATES, AGENTS),
            Transform::from_translation(center.extend(0.0)),
        ))
        .id()
}

fn minds_crates(app: &mut App, agent: Entity) {
    give(app, agent, CollisionGroups::new(AGENTS, WALLS | CRATES));
}

#[test]
fn a_stuck_agent_tries_again_and_takes_another_way() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for is_chase in [false, true] {
            let mut app = level(PlanMode::Inline, TWO_WAYS);
            // The upper corridor is the shorter one, and barred by something invisible.
            let start = cell(1, 2);
            spawn_crate(&mut app, cell(9, 1), Vec2::splat(0.5));
            let target = spawn_target(&mut app, cell(17, 2));
            let agent = spawn_agent(&mut app, body, start);
            minds_crates(&mut app, agent);
            let mut entity = app.world_mut().entity_mut(agent);
            if is_chase {
                entity.insert(Chase::new(target));
            } else {
                entity.insert(PathRequest::to(cell(17, 2)));
            }
            let what = format!("{body:?}, chase {is_chase}: pushes at the crate for ever");
            arrive(&mut app, agent, 1800, &what);
            assert!(
                !heard(&app).stuck.is_empty(),
                "{what}: the barred corridor was never tried, the test shows nothing"
            );
        }
    }
}

#[test]
fn a_stuck_agent_goes_on_when_what_held_it_is_gone() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut app = level(PlanMode::Inline, &open(20, 3));
        let held = spawn_crate(&mut app, Vec2::new(9.0, 1.5), Vec2::new(0.5, 3.0));
        let agent = spawn_agent(&mut app, body, cell(0, 1));
        minds_crates(&mut app, agent);
        give(&mut app, agent, PathRequest::to(cell(19, 1)));
        run(&mut app, 600);
        assert_eq!(
            heard(&app).stuck.len(),
            1,
            "{body:?}: told once while it lasts"
        );
        app.world_mut().despawn(held);
        arrive(
            &mut app,
            agent,
            600,
            &format!("{body:?}: the crate is gone"),
        );
    }
}

#[test]
fn a_knock_back_makes_nobody_stuck() {
    for grip in [None, Some(1.0), Some(0.2)] {
        let mut app = level(PlanMode::Inline, &open(60, 9));
        let target = spawn_target(&mut app, cell(48, 4));
        let agents: Vec<Entity> = (0..6)
            .map(|n| spawn_chaser(&mut app, Body::Dynamic, cell(30, 1 + n), target))
            .collect();
        for agent in &agents {
            let mut agent = app.world_mut().entity_mut(*agent);
            agent.insert(ExternalImpulse::default());
            if let Some(grip) = grip {
                agent.insert(NavDrive::Grip(grip));
            }
        }
        for tick in 0..480 {
            for (n, agent) in agents.iter().enumerate() {
                if (tick + 13 * n) % 160 == 159 {
                    // Thrown back faster than it runs, by Δv times its mass.
                    let mut agent = app.world_mut().entity_mut(*agent);
                    let mut impulse = agent.get_mut::<ExternalImpulse>().unwrap();
                    impulse.impulse =
                        Vec2::new(-11.0, 2.0) * std::f32::consts::PI * RADIUS * RADIUS;
                }
            }
            app.update();
        }
        assert!(
            heard(&app).stuck.is_empty(),
            "grip {grip:?}: {} told stuck after a hit",
            heard(&app).stuck.len()
        );
        for agent in agents {
            arrive(
                &mut app,
                agent,
                900,
                &format!("grip {grip:?}: after the hits"),
            );
        }
    }
}

#[test]
fn a_knock_back_moves_a_body_that_is_driven_with_less_grip() {
    let knocked = |grip: f32| {
        let mut app = level(PlanMode::Inline, &open(60, 9));
        let target = spawn_target(&mut app, cell(59, 4));
        let agent = spawn_chaser(&mut app, Body::Dynamic, cell(20, 4), target);
        app.world_mut()
            .entity_mut(agent)
            .insert((ExternalImpulse::default(), NavDrive::Grip(grip)));
        run(&mut app, 60);
        let before = position(&app, agent).x;
        let mut back = 0.0_f32;
        get_mut::<ExternalImpulse>(&mut app, agent).impulse =
            Vec2::NEG_X * 16.0 * std::f32::consts::PI * RADIUS * RADIUS;
        for _ in 0..60 {
            app.update();
            back = back.max(before - position(&app, agent).x);
        }
        arrive(&mut app, agent, 900, &format!("grip {grip}"));
        back
    };
    let (firm, loose) = (knocked(1.0), knocked(0.2));
    assert!(
        loose > 0.3 && loose > 2.0 * firm,
        "a hit throws a body with full grip back by {firm}, one with a fifth of it by {loose}"
    );
}

#[test]
fn whoever_is_pushed_along_by_others_is_not_stuck() {
    let mut app = level(PlanMode::Inline, &open(40, 2));
    let target = spawn_target(&mut app, Vec2::new(39.0, 1.0));
    for (x, speed) in [(4.0, 2.0), (2.0, 8.0), (1.0, 8.0)] {
        let agent = spawn_chaser(&mut app, Body::Dynamic, Vec2::new(x, 1.0), target);
        app.world_mut().entity_mut(agent).insert((
            NavAgent::from_radius(RADIUS).with_speed(speed),
            CollisionGroups::new(AGENTS, WALLS | AGENTS),
        ));
    }
    for y in [-0.4, 2.4] {
        spawn_wall(&mut app, Vec2::new(20.0, y), Vec2::new(20.0, 0.9));
    }
    run(&mut app, 600);
    assert!(
        heard(&app).stuck.is_empty(),
        "{:?} is carried on at its full speed",
        heard(&app).stuck
    );
}
