//! Agents, targets and grids that are cloned, copied, and disabled.

use crate::common::*;

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
                let mut app = unbaked_level(mode, HOUSE);
                disable_avoidance(&mut app);
                let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
                let walker = spawn_walker(&mut app, Body::Transform, cell(0, 6), cell(13, 0));
                run(&mut app, ticks);
                let copies = [chaser, walker].map(|agent| copy(&mut app, agent));
                let all = [chaser, walker, copies[0], copies[1]];
                arrive(&mut app, all, 900, (mode, how, "made after", ticks));
                assert_eq!(events(&app).reached.len(), 4, "{mode:?} {how} {ticks}");
            }
        }
    }
}

#[test]
fn an_enemy_cloned_on_its_way_walks_and_arrives_by_itself() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, HOUSE);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
            run_slowly(&mut app, 20);
            let copied = copy(&mut app, chaser);
            despawn(&mut app, chaser);
            let what = format!("{mode:?}: {how} of an enemy under way");
            arrive(&mut app, copied, 900, &what);
            assert_eq!(reached_by(&app, copied), [Some(target)], "{what}");
            assert_eq!(events(&app).reached.len(), 1, "{what}");
        }
    }
}

#[test]
fn an_enemy_cloned_after_it_arrived_arrives_itself_and_a_copy_as_of_one_that_is_loaded_is_there() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, HOUSE);
            disable_avoidance(&mut app);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(8, 4), cell(10, 5));
            let walker = spawn_walker(&mut app, Body::Transform, cell(0, 6), cell(0, 0));
            arrive(&mut app, [chaser, walker], 300, "the first");
            let copies = [chaser, walker].map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 60);
            for (of, copied) in [(chaser, copies[0]), (walker, copies[1])] {
                let what = format!("{mode:?}: {how} of {of}, which had arrived");
                assert!(has_arrived(&app, copied), "{what}: it is there");
                let told = usize::from(how == "clone");
                assert_eq!(reached_by(&app, copied).len(), told, "{what}");
            }
            set_position(&mut app, target, cell(3, 3));
            run_slowly(&mut app, 10);
            for agent in [chaser, copies[0]] {
                let what = format!("{mode:?}: {how}, {agent} of {chaser}");
                assert!(!has_arrived(&app, agent), "{what}: the target left");
            }
            arrive(&mut app, [chaser, copies[0]], 400, "after the target left");
        }
    }
}

#[test]
fn an_enemy_cloned_after_it_failed_hears_its_own_reason() {
    for mode in MODES {
        for (how, copy) in WAYS {
            let mut app = level(mode, BOX);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(9, 3));
            let outside = spawn_chaser(&mut app, Body::Transform, Vec2::splat(-5.0), target);
            run_slowly(&mut app, 240);
            let agents = [chaser, outside];
            let copies = agents.map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 30);
            for (agent, copied) in agents.into_iter().zip(copies) {
                let what = format!("{mode:?} {how}");
                assert_eq!(status(&app, copied), status(&app, agent), "{what}");
                assert!(times_failed(&app, copied) > 0, "{what}: nobody told");
            }
            set_position(&mut app, copies[1], cell(0, 0));
            set_position(&mut app, target, cell(0, 5));
            arrive_or_settle(
                &mut app,
                [chaser, copies[0], copies[1]],
                400,
                (mode, how, "can reach it now"),
            );
        }
    }
}

#[test]
fn an_enemy_cloned_without_its_intent_stands() {
    for (how, copy) in WAYS {
        let mut app = level(PlanMode::Inline, HOUSE);
        disable_avoidance(&mut app);
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
        run(&mut app, 20);
        let copied = copy(&mut app, chaser);
        remove::<Chase>(&mut app, copied);
        let before = position(&app, copied);
        run(&mut app, 30);
        let here = position(&app, copied);
        assert_eq!(here, before, "{how}: walks on an old path");
        assert_eq!(status(&app, copied), PathStatus::Idle, "{how}");
        let path = get::<NavPath>(&app, copied);
        assert!(path.is_empty(), "{how}: whose is {path:?}?");
        assert_eq!(locomotion(&app, copied), Locomotion::Idle, "{how}");
    }
}

#[test]
fn an_agent_disabled_while_it_searches_wakes_up() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(64, 64));
        for y in 1..8 {
            let x = if y % 2 == 0 { 34.0 } else { 30.0 };
            spawn_wall(&mut app, Vec2::new(x, 8.0 * y as f32), Vec2::new(30.0, 0.5));
        }
        let target = spawn_target(&mut app, cell(32, 63));
        let mut agents = Vec::new();
        for n in 0..20 {
            let at = cell(32 + n, 0);
            agents.push(match n % 2 {
                0 => spawn_bare(&mut app, at, Chase::new(target)),
                _ => spawn_bare(&mut app, at, PathRequest::to(cell(n, 63))),
            });
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
        let what = format!("{mode:?}: disabled for a while");
        assert_status(&app, &agents, PathStatus::Found, &what);
        for agent in &agents {
            assert_ne!(
                locomotion(&app, *agent),
                Locomotion::Idle,
                "{mode:?}: frozen"
            );
        }
        arrive_or_settle(&mut app, &agents, 4000, &what);
    }
}

#[test]
fn an_agent_disabled_for_a_while_stands_and_notices_what_it_missed() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 7));
        let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(19, 3));
        let walker = spawn_walker(&mut app, Body::Transform, cell(0, 5), cell(19, 5));
        run_slowly(&mut app, 20);
        for agent in [chaser, walker] {
            set_disabled(&mut app, agent, true);
        }
        let before = position(&app, chaser);
        spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 3.0));
        run_slowly(&mut app, 30);
        assert_eq!(position(&app, chaser), before, "{mode:?}: moves");
        set_position(&mut app, target, cell(19, 0));
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
        let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
        run_slowly(&mut app, 20);
        set_disabled(&mut app, target, true);
        run_slowly(&mut app, 10);
        assert_eq!(status(&app, chaser), PathStatus::TargetLost, "{mode:?}");
        assert_eq!(desired(&app, chaser), Vec2::ZERO, "{mode:?}");
        set_disabled(&mut app, target, false);
        arrive(&mut app, chaser, 600, (mode, "the target is back"));
    }
}

#[test]
fn a_grid_disabled_for_six_frames_is_baked_again() {
    for mode in MODES {
        let mut app = game(60.0, mode);
        let walls = build_level(&mut app, BOX);
        let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(9, 3));
        run_slowly(&mut app, 60);
        let grid = grid_entity(&mut app);
        set_disabled(&mut app, grid, true);
        run_slowly(&mut app, 3);
        despawn(&mut app, walls[5]);
        run_slowly(&mut app, 3);
        let what = (mode, "a disabled grid is no grid");
        assert_status(&app, chaser, Failed(NoGrid), what);
        set_disabled(&mut app, grid, false);
        run_slowly(&mut app, 30);
        arrive(&mut app, chaser, 400, (mode, "the old walls stay"));
        spawn_wall(&mut app, cell(7, 2), Vec2::splat(0.5));
        despawn(&mut app, walls[6]);
        set_position(&mut app, target, cell(13, 3));
        run_slowly(&mut app, 10);
        arrive(&mut app, chaser, 600, (mode, "later changes are ignored"));
        assert_away(&app, chaser, cell(13, 3), ..1.0, mode);
    }
}
