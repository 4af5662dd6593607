//! Agents, targets and grids that are cloned, copied, and disabled.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use crate::common::*;

const HOUSE: &str = "
    ..............
    .####.#######.
    .#.....#....#.
    .#.....#....#.
    .#..........#.
    .#.....#....#.
    .############.
    ..............
";

/// A box without a door around (9, 3).
const BOX: &str = "
    ..............
    .......#####..
    .......#...#..
    .......#...#..
    .......#####..
    ..............
";

/// Two ways to make a copy of an entity, with a name for messages.
const WAYS: [(&str, fn(&mut App, Entity) -> Entity); 2] =
    [("clone", clone_entity), ("copy", copy_by_reflection)];

#[test]
fn an_enemy_cloned_while_its_search_is_queued_gets_its_own() {
    for mode in MODES {
        for (how, copy) in WAYS {
            // Nothing ran yet; the grid is not baked; a search is under way.
            for ticks in 0..4 {
                let mut app = game(60.0, mode);
                build_level(&mut app, HOUSE);
                let target = spawn_target(&mut app, cell(10, 5));
                let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 7), target);
                let walker = spawn_agent(&mut app, Body::Transform, cell(0, 6));
                give(&mut app, walker, PathRequest::to(cell(13, 0)));
                run(&mut app, ticks);
                let copies = [chaser, walker].map(|agent| copy(&mut app, agent));
                for agent in [chaser, walker, copies[0], copies[1]] {
                    let what = format!("{mode:?}: {how} made after {ticks} ticks");
                    arrive(&mut app, agent, 900, &what);
                }
                assert_eq!(heard(&app).reached.len(), 4, "{mode:?} {how} {ticks}");
            }
        }
    }
}

#[test]
fn an_enemy_cloned_on_its_way_walks_and_arrives_by_itself() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, HOUSE);
            let target = spawn_target(&mut app, cell(10, 5));
            let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 7), target);
            run_slowly(&mut app, 20);
            let copied = copy(&mut app, chaser);
            app.world_mut().despawn(chaser);
            let what = format!("{mode:?}: {how} of an enemy under way");
            arrive(&mut app, copied, 900, &what);
            assert_eq!(
                heard(&app).reached,
                [GoalReached {
                    entity: copied,
                    target: Some(target)
                }],
                "{what}"
            );
        }
    }
}

#[test]
fn an_enemy_cloned_after_it_arrived_arrives_itself_and_follows() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, HOUSE);
            let target = spawn_target(&mut app, cell(10, 5));
            let chaser = spawn_chaser(&mut app, Body::Transform, cell(8, 4), target);
            let walker = spawn_agent(&mut app, Body::Transform, cell(0, 6));
            give(&mut app, walker, PathRequest::to(cell(0, 0)));
            for agent in [chaser, walker] {
                arrive(&mut app, agent, 300, "the first");
            }
            let copies = [chaser, walker].map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 60);
            for (of, copied) in [(chaser, copies[0]), (walker, copies[1])] {
                let what = format!("{mode:?}: {how} of {of}, which had arrived");
                assert!(
                    has_arrived(&app, copied),
                    "{what} does not see that it is there"
                );
                let arrivals = heard(&app).reached.iter();
                let arrivals = arrivals.filter(|event| event.entity == copied).count();
                assert_eq!(arrivals, 1, "{what} tells its own arrival once");
            }
            place(&mut app, target, cell(3, 3));
            run_slowly(&mut app, 10);
            for agent in [chaser, copies[0]] {
                let what = format!("{mode:?}: {how}, {agent} of {chaser}");
                assert!(!has_arrived(&app, agent), "{what}: the target left");
            }
            for agent in [chaser, copies[0]] {
                arrive(&mut app, agent, 400, "after the target left");
            }
        }
    }
}

#[test]
fn an_enemy_cloned_after_it_failed_hears_its_own_reason() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, BOX);
            let target = spawn_target(&mut app, cell(9, 3));
            let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
            let outside = spawn_chaser(&mut app, Body::Transform, Vec2::splat(-5.0), target);
            run_slowly(&mut app, 240);
            let agents = [chaser, outside];
            let copies = agents.map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 30);
            for (agent, copied) in agents.into_iter().zip(copies) {
                let what = format!("{mode:?} {how}");
                assert_eq!(status(&app, copied), status(&app, agent), "{what}");
                let told = heard(&app).failed.iter();
                assert!(
                    told.clone().any(|event| event.entity == copied),
                    "{what}: nobody told of its failure"
                );
            }
            place(&mut app, copies[1], cell(0, 0));
            place(&mut app, target, cell(0, 5));
            for agent in [chaser, copies[0], copies[1]] {
                arrive(
                    &mut app,
                    agent,
                    400,
                    &format!("{mode:?} {how} can reach it now"),
                );
            }
        }
    }
}

#[test]
fn an_enemy_cloned_without_its_intent_stands() {
    for (how, copy) in WAYS {
        let mut app = level(PlanMode::Inline, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 7), target);
        run(&mut app, 20);
        let copied = copy(&mut app, chaser);
        remove::<Chase>(&mut app, copied);
        let before = position(&app, copied);
        run(&mut app, 30);
        assert_eq!(
            position(&app, copied),
            before,
            "{how}: walks on an old path"
        );
        assert_eq!(status(&app, copied), PathStatus::Idle, "{how}");
        assert!(
            get::<NavPath>(&app, copied).is_empty(),
            "{how}: whose path?"
        );
        assert_eq!(legs(&app, copied), Locomotion::Idle, "{how}");
    }
}

#[test]
fn an_agent_disabled_while_it_searches_wakes_up() {
    for mode in MODES {
        let mut app = game(60.0, mode);
        build_level(&mut app, &open(64, 64));
        for y in 1..8 {
            let x = if y % 2 == 0 { 34.0 } else { 30.0 };
            spawn_wall(&mut app, Vec2::new(x, 8.0 * y as f32), Vec2::new(30.0, 0.5));
        }
        let target = spawn_target(&mut app, cell(32, 63));
        let mut agents = Vec::new();
        for n in 0..20 {
            let agent = spawn_agent(&mut app, Body::Transform, cell(32 + n, 0));
            if n % 2 == 0 {
                give(&mut app, agent, Chase::new(target));
            } else {
                give(&mut app, agent, PathRequest::to(cell(n, 63)));
            }
            agents.push(agent);
        }
        // Each is disabled in another phase of its search, and some of them twice.
        for tick in 0..60 {
            for (n, agent) in agents.iter().enumerate() {
                if tick % 30 == n || tick % 30 == n + 7 {
                    set_disabled(&mut app, *agent, tick % 30 == n);
                }
            }
            app.update();
        }
        for agent in &agents {
            set_disabled(&mut app, *agent, false);
        }
        run_slowly(&mut app, 200);
        for agent in &agents {
            assert_eq!(
                status(&app, *agent),
                PathStatus::Found,
                "{mode:?}: the agent's search was lost while it was disabled"
            );
            assert_ne!(legs(&app, *agent), Locomotion::Idle, "{mode:?}: frozen");
        }
        let what = format!("{mode:?}: disabled for a while");
        for agent in agents {
            arrive(&mut app, agent, 4000, &what);
        }
    }
}

#[test]
fn an_agent_disabled_for_a_while_stands_and_notices_what_it_missed() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 7));
        let target = spawn_target(&mut app, cell(19, 3));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        let walker = spawn_agent(&mut app, Body::Transform, cell(0, 5));
        give(&mut app, walker, PathRequest::to(cell(19, 5)));
        run_slowly(&mut app, 20);
        for agent in [chaser, walker] {
            set_disabled(&mut app, agent, true);
        }
        let before = position(&app, chaser);
        spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 3.0));
        run_slowly(&mut app, 30);
        assert_eq!(
            position(&app, chaser),
            before,
            "{mode:?}: moves while disabled"
        );
        place(&mut app, target, cell(19, 0));
        for agent in [chaser, walker] {
            set_disabled(&mut app, agent, false);
            let what = format!("{mode:?}: a wall came while it was disabled");
            arrive(&mut app, agent, 600, &what);
        }
    }
}

#[test]
fn a_target_disabled_for_a_while_is_lost_and_then_chased_again() {
    for mode in MODES {
        let mut app = level(mode, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 7), target);
        run_slowly(&mut app, 20);
        set_disabled(&mut app, target, true);
        run_slowly(&mut app, 10);
        assert_eq!(status(&app, chaser), PathStatus::TargetLost, "{mode:?}");
        assert_eq!(
            get::<DesiredVelocity>(&app, chaser).0,
            Vec2::ZERO,
            "{mode:?}"
        );
        set_disabled(&mut app, target, false);
        arrive(
            &mut app,
            chaser,
            600,
            &format!("{mode:?}: the target is back"),
        );
    }
}

#[test]
fn a_grid_disabled_for_six_frames_is_baked_again() {
    for mode in MODES {
        let mut app = game(60.0, mode);
        let walls = build_level(&mut app, BOX);
        let target = spawn_target(&mut app, cell(9, 3));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        run_slowly(&mut app, 60);
        let grid = grid_entity(&mut app);
        set_disabled(&mut app, grid, true);
        run_slowly(&mut app, 3);
        app.world_mut().despawn(walls[5]);
        run_slowly(&mut app, 3);
        assert_eq!(
            status(&app, chaser),
            PathStatus::Failed(FailReason::NoGrid),
            "{mode:?}: a disabled grid is no grid"
        );
        set_disabled(&mut app, grid, false);
        run_slowly(&mut app, 30);
        arrive(
            &mut app,
            chaser,
            400,
            &format!("{mode:?}: the old walls stay"),
        );
        spawn_wall(&mut app, cell(7, 2), Vec2::splat(0.5));
        app.world_mut().despawn(walls[6]);
        place(&mut app, target, cell(13, 3));
        run_slowly(&mut app, 10);
        arrive(
            &mut app,
            chaser,
            600,
            &format!("{mode:?}: later changes are ignored"),
        );
        let away = position(&app, chaser).distance(cell(13, 3));
        assert!(away < 1.0, "{mode:?}: {away} from its target and content");
    }
}
