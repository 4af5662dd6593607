//! Requests that walk on a first path while better ones are searched for.

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use common::*;

/// The way that looks short is a dead end, and the ways around it are not the same.
const YARD: &str = "
    ........................
    ........................
    ....#############.......
    ................#.......
    ................#.......
    ................#..###..
    ................#..#.#..
    ................#..###..
    ................#.......
    ....#############.......
    ........................
";

/// Grids on which jump points do not help: else a search has the best path at once.
fn yard(mode: PlanMode) -> App {
    let mut app = game(60.0, mode);
    build_level(&mut app, YARD);
    let grid = grid_entity(&mut app);
    let mut grid = app.world_mut().get_mut::<NavGrid>(grid).expect("a grid");
    grid.diagonals = Diagonals::OneFree;
    app
}

#[test]
fn who_asks_at_any_time_ends_with_the_path_of_who_waits_and_hears_of_it_once() {
    for mode in MODES {
        let mut app = yard(mode);
        let request = PathRequest::to(cell(20, 4)).with_radius(RADIUS);
        let patient = spawn_request(&mut app, cell(12, 6), request);
        let hasty = spawn_request(&mut app, cell(12, 6), request.anytime());
        run_until(&mut app, 2000, |app| {
            let_tasks_run();
            let both = [patient, hasty].map(|entity| get::<NavPath>(app, entity));
            status(app, patient) == PathStatus::Found && both[0].waypoints() == both[1].waypoints()
        });
        for _ in 0..30 {
            run(&mut app, 1);
            let_tasks_run();
        }
        let path = |entity| get::<NavPath>(&app, entity);
        assert_eq!(path(hasty).length(), path(patient).length());
        let told = heard(&app).found.iter();
        assert_eq!(told.filter(|found| found.entity == hasty).count(), 1);
        assert!(heard(&app).failed.is_empty());
        assert_eq!(searches(&app), 2, "early answers are no searches");
    }
}

#[test]
fn who_asks_at_any_time_for_a_goal_out_of_reach_hears_of_it_once() {
    for mode in MODES {
        let mut app = yard(mode);
        let request = PathRequest::to(cell(20, 6)).with_radius(RADIUS);
        let hasty = spawn_request(&mut app, cell(12, 6), request.anytime());
        run_until(&mut app, 2000, |app| {
            let_tasks_run();
            is_settled(status(app, hasty))
        });
        run_slowly(&mut app, 20);
        let told: Vec<_> = heard(&app)
            .failed
            .iter()
            .map(|failed| failed.reason)
            .collect();
        assert_eq!(told, [FailReason::Unreachable]);
        assert_eq!(
            status(&app, hasty),
            PathStatus::Partial(FailReason::Unreachable)
        );
    }
}
