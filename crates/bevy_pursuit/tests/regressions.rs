//! What went wrong once, each in a test of its own.

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use common::*;

#[test]
fn a_goal_at_nan_and_then_a_bake_does_not_panic() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 20));
        let nowhere = spawn_target(&mut app, Vec2::NAN);
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(2, 2), nowhere);
        let sent = spawn_agent(&mut app, Body::Transform, cell(4, 2));
        app.world_mut()
            .entity_mut(sent)
            .insert(PathRequest::to(Vec2::new(f32::NAN, 3.0)));
        let scared = spawn_agent(&mut app, Body::Transform, cell(6, 2));
        app.world_mut()
            .entity_mut(scared)
            .insert(Flee::new(nowhere, 5.0));
        // One that had a goal before.
        let target = spawn_target(&mut app, cell(15, 15));
        let follower = spawn_chaser(&mut app, Body::Transform, cell(8, 2), target);
        run(&mut app, 10);
        place(&mut app, target, Vec2::NAN);
        run(&mut app, 10);
        for n in 0..3 {
            let_tasks_run();
            spawn_wall(&mut app, cell(10, 5 + n), Vec2::splat(0.5));
            run(&mut app, 20);
        }
        place(&mut app, target, cell(15, 15));
        place(&mut app, nowhere, cell(15, 2));
        run_until(&mut app, 1200, |app| {
            let_tasks_run();
            [chaser, follower]
                .into_iter()
                .all(|one| legs(app, one) == Locomotion::Arrived)
        });
    }
}
