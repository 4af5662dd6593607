//! Unusual things that games do to a crowd.

use super::*;

#[test]
fn a_thousand_agents_on_one_point_spread_out() {
    let mut app = level(PlanMode::Inline, &open(40, 40));
    let agents: Vec<Entity> = (0..1000)
        .map(|_| spawn_bare(&mut app, cell(20, 20), ()))
        .collect();
    for _ in 0..600 {
        app.update();
        for at in places(&app, &agents) {
            let inside = at.clamp(
                Vec2::splat(0.98 * RADIUS),
                Vec2::splat(40.0 - 0.98 * RADIUS),
            );
            assert_eq!(inside, at, "an agent left the grid");
        }
    }
    let gap = smallest_gap(&places(&app, &agents));
    assert!(gap > 0.9, "agents overlap: the smallest gap is {gap}");
}

/// Runs a crowd in which agents are despawned, teleported, or given other goals. Returns the final positions.
fn run_eventful_crowd() -> Vec<Vec2> {
    let mut app = level(PlanMode::Inline, HOUSE);
    let target = spawn_target(&mut app, cell(10, 3));
    let starts = rows(16, 4, cell(2, 2), 0.9);
    let mut agents: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    run(&mut app, 60);
    for agent in agents.drain(4..6) {
        despawn(&mut app, agent);
    }
    set_position(&mut app, agents[0], cell(0, 7));
    run(&mut app, 60);
    give(&mut app, agents[1], PathRequest::to(cell(2, 3)));
    give(&mut app, agents[2], NavAvoidance::None);
    remove::<NavAvoidance>(&mut app, agents[3]);
    run(&mut app, 60);
    let clone = clone_entity(&mut app, agents[5]);
    agents.push(clone);
    give(&mut app, agents[3], NavAvoidance::Separation);
    set_position(&mut app, target, cell(3, 4));
    run_off_walls(&mut app, &agents, 400, "a crowd");
    agents.remove(2);
    assert!(
        smallest_gap(&places(&app, &agents)) > 0.9,
        "agents overlap at {:?}",
        places(&app, &agents)
    );
    places(&app, &agents)
}

#[test]
fn despawns_teleports_and_clones_in_a_crowd_are_deterministic() {
    assert_eq!(run_eventful_crowd(), run_eventful_crowd());
}

#[test]
fn agents_on_two_grids_of_one_plane_keep_apart() {
    for turn in [0.0, 0.3] {
        let mut app = game(60.0, PlanMode::Inline);
        let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(12.0));
        let first = spawn_grid(&mut app, bounds, 0.5);
        let second = spawn_grid(&mut app, bounds, 0.5);
        let frame = NavFrame::XY.at(Vec3::new(1.0, 2.0, 0.0));
        give(&mut app, second, frame.turned(Rot2::radians(turn)));
        run(&mut app, 3);
        let target = spawn_target(&mut app, Vec2::new(3.0, 3.0));
        let grids = [first, second].repeat(4);
        let starts = rows(8, 4, Vec2::splat(-4.0), 1.0);
        let agents: Vec<Entity> = (starts.iter().zip(grids))
            .map(|(at, grid)| {
                let agent = spawn_chaser(&mut app, Body::Transform, *at, target);
                give(&mut app, agent, OnGrid(grid));
                agent
            })
            .collect();
        run(&mut app, 400);
        let gap = smallest_gap(&places(&app, &agents));
        assert!(
            gap > 0.9,
            "grid turned by {turn}: agents overlap, the smallest gap is {gap}"
        );
        assert_eq!(events(&app).stuck, []);
    }
}

#[test]
fn separation_changes_nothing_for_a_lone_agent() {
    for (body, hz) in BODIES
        .into_iter()
        .flat_map(|body| [20.0, 144.0].map(|hz| (body, hz)))
    {
        let run_with = |avoidance: NavAvoidance| {
            let mut app = game(hz, PlanMode::Inline);
            build_level(&mut app, HOUSE);
            run(&mut app, 3);
            let target = spawn_target(&mut app, cell(10, 3));
            let chaser = spawn_chaser(&mut app, body, cell(2, 2), target);
            give(&mut app, chaser, avoidance);
            let mut positions: Vec<Vec2> = Vec::new();
            for tick in 0..6 * hz as usize {
                if tick == 3 * hz as usize {
                    set_position(&mut app, target, cell(3, 5));
                }
                app.update();
                positions.push(position(&app, chaser));
            }
            assert!(
                has_arrived(&app, chaser),
                "{body:?}, {hz} Hz: the chaser did not arrive"
            );
            positions
        };
        let (without, with) = (
            run_with(NavAvoidance::None),
            run_with(NavAvoidance::Separation),
        );
        let differ = without
            .iter()
            .zip(&with)
            .position(|(one, other)| one != other);
        let first = differ.map(|tick| (tick, without[tick], with[tick]));
        assert_eq!(
            first, None,
            "{body:?}, {hz} Hz: separation moved a lone agent"
        );
    }
}

#[test]
fn a_neighbors_avoidance_does_not_move_an_agent_without_avoidance() {
    let run_with = |avoidance: Option<NavAvoidance>| {
        let mut app = level(PlanMode::Inline, HOUSE);
        disable_avoidance(&mut app);
        let target = spawn_target(&mut app, cell(10, 3));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(2, 2), target);
        let beside = spawn_chaser(&mut app, Body::Transform, cell(3, 3), target);
        if let Some(avoidance) = avoidance {
            give(&mut app, beside, avoidance);
        }
        let positions = (0..200).map(|_| {
            app.update();
            position(&app, chaser)
        });
        positions.collect::<Vec<_>>()
    };
    let expected = run_with(None);
    assert_eq!(run_with(Some(NavAvoidance::Separation)), expected);
    assert_eq!(run_with(Some(NavAvoidance::None)), expected);
}

#[test]
fn a_crowd_separates_only_while_the_game_and_the_avoid_stage_run() {
    let mut app = level(PlanMode::Inline, &open(20, 20));
    app.insert_resource(Gates([true; 6]));
    let is_open = |gates: Res<Gates>| gates.0[0];
    app.configure_sets(FixedUpdate, PursuitSystems::Avoid.run_if(is_open));
    let target = spawn_target(&mut app, cell(15, 10));
    let starts = rows(8, 4, cell(2, 8), 0.5);
    let agents: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    run(&mut app, 20);
    virtual_time(&mut app).pause();
    assert_eq!(farthest_step(&mut app, &agents, 5), 0.0);
    virtual_time(&mut app).unpause();
    set_gates(&mut app, [false; 6]);
    run(&mut app, 200);
    assert!(
        smallest_gap(&places(&app, &agents)) < 0.9,
        "agents kept apart while the stage was gated"
    );
    set_gates(&mut app, [true; 6]);
    run(&mut app, 200);
    assert!(smallest_gap(&places(&app, &agents)) > 0.9);
}

#[test]
fn floors_of_a_3d_game_have_separate_crowds() {
    let mut app = game_without_rapier();
    let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(20.0));
    for height in [0.0, 5.0] {
        let frame = NavFrame::XZ.at(Vec3::Y * height);
        spawn(
            &mut app,
            (NavGrid::covering(bounds).with_node_radius(0.5), frame),
        );
    }
    run(&mut app, 3);
    let at = |n: usize, height: f32| Vec3::new(6.0 + 0.1 * n as f32, height, 8.0);
    let spawn_at = |app: &mut App, at| {
        let agent = NavAgent::from_radius(RADIUS);
        spawn(app, (agent, Transform::from_translation(at)))
    };
    let below: Vec<Entity> = (0..6).map(|n| spawn_at(&mut app, at(n, 0.0))).collect();
    let above = spawn_at(&mut app, at(2, 5.0));
    run(&mut app, 120);
    let ground = below
        .iter()
        .map(|one| get::<Transform>(&app, *one).translation);
    let ground: Vec<Vec2> = ground.map(|at| Vec2::new(at.x, at.z)).collect();
    assert!(
        smallest_gap(&ground) > 0.9,
        "agents on one floor overlap: {ground:?}"
    );
    assert_eq!(get::<Transform>(&app, above).translation, at(2, 5.0));
}

#[test]
fn an_agent_placed_in_a_wall_or_off_the_grid_walks_to_its_goal() {
    for from in [cell(1, 1), Vec2::new(-3.0, 4.0)] {
        let mut app = level(PlanMode::Inline, HOUSE);
        let walker = spawn_walker(&mut app, Body::Transform, from, cell(12, 7));
        arrive(&mut app, walker, 900, from);
    }
}
