//! A crowd whose target leaves.

use super::*;

/// Runs a standing crowd whose target leaves. Returns, for each agent, its distance to the new place of the target and
/// the tick in which it had moved by a radius, the nearest agent first.
fn departures(count: usize) -> Vec<(f32, usize)> {
    let mut app = level(PlanMode::Inline, &open(120, 40));
    let target = spawn_target(&mut app, cell(20, 20));
    let starts = rows(count, 16, Vec2::new(8.0, 8.0), 0.9);
    let crowd: Vec<Entity> = (starts.iter())
        .map(|at| spawn_chaser(&mut app, Body::Transform, *at, target))
        .collect();
    run(&mut app, 900);
    let rest = places(&app, &crowd);
    assert!(farthest_step(&mut app, &crowd, 60) < 0.1 * RADIUS);
    set_position(&mut app, target, cell(100, 20));
    let mut left = vec![None; count];
    for tick in 0..60 {
        app.update();
        let now = places(&app, &crowd);
        assert!(smallest_gap(&now) > 0.8, "agents overlap in tick {tick}");
        for ((now, rest), left) in now.iter().zip(&rest).zip(&mut left) {
            if now.distance(*rest) > RADIUS {
                left.get_or_insert(tick);
            }
        }
    }
    let mut all: Vec<(f32, usize)> = (rest.iter().zip(left))
        .map(|(rest, left)| {
            (
                rest.distance(cell(100, 20)),
                left.expect("every agent follows"),
            )
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

#[test]
fn a_crowd_breaks_up_nearest_first_when_its_target_leaves() {
    for count in [40, 200] {
        let all = departures(count);
        let mean = |part: &[(f32, usize)]| {
            part.iter().map(|(_, tick)| *tick as f32).sum::<f32>() / part.len() as f32
        };
        let thirds: Vec<f32> = all.chunks(count.div_ceil(3)).map(mean).collect();
        assert!(
            thirds[0] < thirds[2],
            "{count} agents: the nearest third left after the farthest one, mean ticks {thirds:?}"
        );
        let ticks = all.iter().map(|(_, tick)| *tick);
        let [first, last] = [ticks.clone().min(), ticks.max()];
        assert!(first.is_some_and(|it| it < 15) && last.is_some_and(|it| it < 40));
    }
}
