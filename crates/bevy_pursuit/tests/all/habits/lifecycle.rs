//! Agents, targets and grids that are cloned, copied and disabled.

use crate::common::*;

/// A closed box around (9, 3).
const BOX: &str = "
    ..............
    .......#####..
    .......#...#..
    .......#...#..
    .......#####..
    ..............
";

/// Two ways to copy an entity, each with a name for messages.
const COPY_METHODS: [(&str, fn(&mut App, Entity) -> Entity); 2] =
    [("clone", clone_entity), ("copy", copy_by_reflection)];

#[test]
fn copies_made_during_a_search_arrive() {
    for mode in MODES {
        for (how, copy) in COPY_METHODS {
            // After 0 to 3 ticks: nothing has run, the grid is not baked, or a search is in flight.
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
fn a_copy_made_on_the_way_arrives_by_itself() {
    for mode in MODES {
        for (how, copy) in COPY_METHODS {
            let mut app = level(mode, HOUSE);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
            run_slowly(&mut app, 20);
            let copied = copy(&mut app, chaser);
            despawn(&mut app, chaser);
            let context = format!("{mode:?}: {how} of an agent on its way");
            arrive(&mut app, copied, 900, &context);
            assert_eq!(reached_by(&app, copied), [Some(target)], "{context}");
            assert_eq!(events(&app).reached.len(), 1, "{context}");
        }
    }
}

#[test]
fn a_clone_of_an_arrived_agent_arrives_again_and_a_loaded_copy_does_not() {
    for mode in MODES {
        for (how, copy) in COPY_METHODS {
            let mut app = level(mode, HOUSE);
            disable_avoidance(&mut app);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(8, 4), cell(10, 5));
            let walker = spawn_walker(&mut app, Body::Transform, cell(0, 6), cell(0, 0));
            arrive(&mut app, [chaser, walker], 300, "the first");
            let copies = [chaser, walker].map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 60);
            for (original, copied) in [(chaser, copies[0]), (walker, copies[1])] {
                let context = format!("{mode:?}: {how} of {original}, which had arrived");
                assert!(
                    has_arrived(&app, copied),
                    "{context}: the copy has not arrived"
                );
                let expected = usize::from(how == "clone");
                assert_eq!(reached_by(&app, copied).len(), expected, "{context}");
            }
            set_position(&mut app, target, cell(3, 3));
            run_slowly(&mut app, 10);
            for agent in [chaser, copies[0]] {
                let context = format!("{mode:?}: {how}, {agent} of {chaser}");
                assert!(
                    !has_arrived(&app, agent),
                    "{context}: the agent is still marked as arrived, although the target left"
                );
            }
            arrive(&mut app, [chaser, copies[0]], 400, "after the target left");
        }
    }
}

#[test]
fn a_copy_of_an_agent_without_a_path_gets_its_own_path_failed() {
    for mode in MODES {
        for (how, copy) in COPY_METHODS {
            let mut app = level(mode, BOX);
            let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(9, 3));
            let outside = spawn_chaser(&mut app, Body::Transform, Vec2::splat(-5.0), target);
            run_slowly(&mut app, 240);
            let agents = [chaser, outside];
            let copies = agents.map(|agent| copy(&mut app, agent));
            run_slowly(&mut app, 30);
            for (agent, copied) in agents.into_iter().zip(copies) {
                let context = format!("{mode:?} {how}");
                assert_eq!(status(&app, copied), status(&app, agent), "{context}");
                assert!(
                    times_failed(&app, copied) > 0,
                    "{context}: no failure was reported for the copy"
                );
            }
            set_position(&mut app, copies[1], cell(0, 0));
            set_position(&mut app, target, cell(0, 5));
            arrive_or_settle(
                &mut app,
                [chaser, copies[0], copies[1]],
                400,
                (mode, how, "the target can be reached now"),
            );
        }
    }
}

#[test]
fn a_copy_without_its_intent_stands() {
    for (how, copy) in COPY_METHODS {
        let mut app = level(PlanMode::Inline, HOUSE);
        disable_avoidance(&mut app);
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
        run(&mut app, 20);
        let copied = copy(&mut app, chaser);
        remove::<Chase>(&mut app, copied);
        let before = position(&app, copied);
        run(&mut app, 30);
        let here = position(&app, copied);
        assert_eq!(here, before, "{how}: the copy walks on an old path");
        assert_eq!(status(&app, copied), PathStatus::Idle, "{how}");
        let path = get::<NavPath>(&app, copied);
        assert!(path.is_empty(), "{how}: the copy has the path {path:?}");
        assert_eq!(locomotion(&app, copied), Locomotion::Idle, "{how}");
    }
}

#[test]
fn agents_disabled_during_a_search_arrive_once_enabled() {
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
        // Each agent is disabled in another phase of its search, and some agents twice.
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
        let context = format!("{mode:?}: disabled for a while");
        assert_status(&app, &agents, PathStatus::Found, &context);
        for agent in &agents {
            assert_ne!(
                locomotion(&app, *agent),
                Locomotion::Idle,
                "{mode:?}: the agent stays idle"
            );
        }
        arrive_or_settle(&mut app, &agents, 4000, &context);
    }
}

#[test]
fn a_disabled_agent_stands_and_later_notices_what_it_missed() {
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
        assert_eq!(
            position(&app, chaser),
            before,
            "{mode:?}: the disabled agent moves"
        );
        set_position(&mut app, target, cell(19, 0));
        for agent in [chaser, walker] {
            set_disabled(&mut app, agent, false);
            let context = format!("{mode:?}: a wall appeared while the agent was disabled");
            arrive(&mut app, agent, 600, &context);
        }
    }
}

#[test]
fn a_disabled_target_stops_its_chaser_until_it_is_enabled_again() {
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
        let context = (mode, "a disabled grid does not count");
        assert_status(&app, chaser, Failed(NoGrid), context);
        set_disabled(&mut app, grid, false);
        run_slowly(&mut app, 30);
        arrive(
            &mut app,
            chaser,
            400,
            (
                mode,
                "a wall that was removed while the grid was disabled must not block",
            ),
        );
        spawn_wall(&mut app, cell(7, 2), Vec2::splat(0.5));
        despawn(&mut app, walls[6]);
        set_position(&mut app, target, cell(13, 3));
        run_slowly(&mut app, 10);
        arrive(
            &mut app,
            chaser,
            600,
            (mode, "changes after the grid was enabled must count"),
        );
        assert_away(&app, chaser, cell(13, 3), ..1.0, mode);
    }
}
