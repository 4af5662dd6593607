//! Warnings of planning, each of which is logged once.

use super::listener::{assert_no_warnings, assert_one_warning, listen};
use crate::common::*;

#[test]
#[ignore = "runs in a program of its own"]
fn a_horde_that_starts_deep_inside_a_wall_is_logged_once() {
    let _alone = listen();
    let map = format!("..........\n{}", "##########\n".repeat(9));
    let mut app = level(PlanMode::Inline, &map);
    let (free, target) = spawn_chase(&mut app, Body::Transform, cell(8, 0), cell(1, 0));
    run(&mut app, 10);
    assert_eq!(status(&app, free), PathStatus::Found);
    assert_no_warnings();
    let chaser = spawn_chaser(&mut app, Body::Transform, cell(5, 8), target);
    run(&mut app, 10);
    let words = ["inside an obstacle", "nearest_free", "what_blocks"];
    let name = chaser.to_string();
    assert_one_warning(&[&[name.as_str()], &words[..]].concat());
    for x in 1..9 {
        let deep = PathRequest::to(cell(x, 0)).with_radius(RADIUS);
        let request = spawn_request(&mut app, cell(x, 7), deep);
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(x, 8), target);
        run(&mut app, 20);
        assert_status(&app, [request, chaser], Failed(StartBlocked), x);
    }
    assert_no_warnings();
}
