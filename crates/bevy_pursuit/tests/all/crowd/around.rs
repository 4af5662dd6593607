//! Agents that arrive late find others standing around their target.

use super::*;

/// Sends three hundred chasers from the left. Returns their positions at rest, relative to their target.
fn positions_at_rest(app: &mut App, target: Entity) -> Vec<Vec2> {
    let chase = Chase::new(target);
    let starts = rows(300, 15, Vec2::new(4.0, 6.0), 1.1);
    let chasers: Vec<Entity> = (starts.into_iter())
        .map(|at| spawn_bare(app, at, chase))
        .collect();
    run(app, 1500);
    for _ in 0..20 {
        if farthest_step(app, &chasers, 60) < 0.05 {
            break;
        }
    }
    let step = farthest_step(app, &chasers, 60);
    assert!(step < 0.05, "a chaser still moves, {step} in 60 ticks");
    assert_eq!(events(app).stuck, []);
    let is_there = |one: &Entity| {
        matches!(
            locomotion(app, *one),
            Locomotion::Arrived | Locomotion::Settled
        )
    };
    let unsettled: Vec<Locomotion> = chasers
        .iter()
        .filter(|one| !is_there(one))
        .map(|one| locomotion(app, *one))
        .collect();
    assert_eq!(unsettled, []);
    let center = position(app, target);
    let places = places(app, &chasers);
    assert!(smallest_gap(&places) > 0.93);
    places.into_iter().map(|place| place - center).collect()
}

fn count_right_of(places: &[Vec2], x: f32) -> usize {
    places.iter().filter(|place| place.x > x).count()
}

/// A hall behind a door.
fn hall() -> App {
    let mut app = level(PlanMode::Inline, &open(70, 34));
    for (y, half) in [(7.4, 7.4), (26.6, 7.4)] {
        spawn_wall(&mut app, Vec2::new(24.5, y), Vec2::new(0.5, half));
    }
    run(&mut app, 5);
    app
}

#[test]
fn a_crowd_that_comes_through_a_door_fills_the_far_side_of_its_target() {
    let mut app = hall();
    let target = spawn_target(&mut app, Vec2::new(46.0, 17.0));
    let positions_at_rest = positions_at_rest(&mut app, target);
    let far = count_right_of(&positions_at_rest, 0.0);
    assert!(far > 40, "only {far} of 300 stand on the far side");
    let mean = positions_at_rest
        .iter()
        .map(|place| place.length())
        .sum::<f32>()
        / 300.0;
    // The mean distance from the center of a full disc is two thirds of its radius.
    let ideal = 2.0 / 3.0 * (300.0_f32 * 0.64 / 0.9069).sqrt();
    assert!(
        mean < 1.35 * ideal,
        "the mean distance is {mean}, in a full disc {ideal}"
    );
}
