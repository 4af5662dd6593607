//! Tests with a path over two grids, one of them turned. Planning does not make such paths yet, but all code that reads
//! a path supports several legs.

use std::f32::consts::FRAC_PI_6;
use std::time::Duration;

use bevy::MinimalPlugins;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::{Rect, Vec3Swizzles};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use crate::agent::{
    GridPlane, LegStart, Locomotion, NavAgent, NavFrame, NavPath, PathCursor, PathStatus,
};
use crate::grid::{BakedGrid, NavGrid, OnGrid};
use crate::intent::PathRequest;
use crate::navigation::Navigation;
use crate::obstacle::NavObstacle;
use crate::plugins::PursuitPlugins;
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

const GOAL: Vec2 = Vec2::new(10.0, 3.0);

struct Game {
    app: App,
    grids: [Entity; 2],
    frame: NavFrame,
    agent: Entity,
}

impl Game {
    /// An agent whose path leads 18 units to the right on one grid, and then 10 and 3 units on another grid that is
    /// turned by 30°.
    fn new() -> Self {
        let mut app = App::new();
        let tick = TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0));
        app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
            .insert_resource(tick)
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..PursuitSettings::default()
            });
        let frame = NavFrame::XY.at(Vec3::new(20.0, 5.0, 0.0)).turned(FRAC_PI_6);
        let first = NavGrid::covering(Rect::new(0.0, 0.0, 22.0, 10.0)).with_node_radius(0.25);
        let second = first.with_bounds(Rect::new(-2.0, -5.0, 20.0, 5.0));
        let first = app.world_mut().spawn(first).id();
        let second = app.world_mut().spawn((second, frame)).id();
        let body = NavAgent {
            speed: 6.0,
            acceleration: 30.0,
            ..NavAgent::from_radius(0.4)
        };
        let request = PathRequest::to(frame.to_world(GOAL));
        let at = Transform::from_xyz(2.0, 5.0, 0.0);
        let agent = app
            .world_mut()
            .spawn((body, request, OnGrid(first), at))
            .id();
        let grids = [first, second];
        let mut game = Self {
            app,
            grids,
            frame,
            agent,
        };
        game.update(4);
        game.lead_over_both();
        game
    }

    /// Replaces the planned path.
    fn lead_over_both(&mut self) {
        let leg = |first, grid, frame, generation| LegStart {
            first,
            grid,
            plane: frame,
            generation,
        };
        let [first, second] = self.grids;
        let [one, other] = self.grids.map(|grid| {
            let baked = self.app.world().get::<BakedGrid>(grid).expect("a grid");
            baked.snapshot().expect("it is baked").generation()
        });
        let frame = self.frame;
        let mut agent = self.app.world_mut().entity_mut(self.agent);
        let mut path = agent.get_mut::<NavPath>().expect("an agent has one");
        let points = [
            (2.0, 5.0),
            (20.0, 5.0),
            (0.0, 0.0),
            (10.0, 0.0),
            (10.0, 3.0),
        ];
        path.waypoints = points.map(Vec2::from).to_vec();
        path.legs = vec![
            leg(0, first, GridPlane::XY, one),
            leg(2, second, frame.into(), other),
        ];
        path.length = 31.0;
        path.end = path.order.goal;
        path.revision += 1;
        *agent.get_mut::<PathStatus>().expect("an agent has one") = PathStatus::Found;
    }

    fn update(&mut self, count: u32) {
        (0..count).for_each(|_| self.app.update());
    }

    fn get<C: Component + Clone>(&self) -> C {
        let world = self.app.world();
        world
            .get::<C>(self.agent)
            .expect("an agent has one")
            .clone()
    }

    fn place(&self) -> Vec3 {
        self.get::<Transform>().translation
    }

    fn left(&mut self) -> f32 {
        let agent = self.agent;
        let ask = move |navigation: Navigation| navigation.remaining_distance(agent);
        let left = self.app.world_mut().run_system_once(ask);
        left.expect("a system").expect("a way")
    }

    fn searches(&self) -> u64 {
        self.app.world().resource::<PursuitStats>().searches
    }

    /// A wall, at a position in the coordinates of the second grid.
    fn wall(&mut self, at: Vec2) {
        let wall = NavObstacle::rectangle(Vec2::splat(0.5));
        let at = Transform::from_translation(self.frame.to_world(at));
        self.app.world_mut().spawn((wall, at));
        self.update(2);
    }
}

#[test]
fn a_path_of_two_legs_is_walked_to_its_end_on_the_second_grid() {
    let mut game = Game::new();
    assert!((game.left() - 31.0).abs() < 0.2, "{}", game.left());
    let points: Vec<Vec3> = game.get::<NavPath>().waypoints().collect();
    assert!(
        points[1].distance(points[2]) < 1e-4,
        "the legs meet in the world"
    );
    assert!(points[4].distance(game.frame.to_world(GOAL)) < 1e-4);
    let mut before = (game.place(), 31.2);
    let mut slow_ticks = 0;
    for tick in 0..600 {
        game.update(1);
        if game.get::<Locomotion>() == Locomotion::Arrived {
            break;
        }
        let (place, left) = (game.place(), game.left());
        assert!(
            left < before.1,
            "in tick {tick} {left} are left after {}",
            before.1
        );
        // Only in the tick that ends where the legs meet may the agent move less than in the others.
        if (place.x - 20.0).abs() < 1.0 {
            let is_slow = place.distance(before.0) < 0.9 * 6.0 / 60.0;
            slow_ticks += u32::from(is_slow);
        }
        before = (place, left);
    }
    assert_eq!(game.get::<Locomotion>(), Locomotion::Arrived);
    assert!(game.place().distance(game.frame.to_world(GOAL)) < 0.2);
    assert!(
        slow_ticks <= 1,
        "{slow_ticks} slow ticks where the legs meet"
    );
    assert!(game.get::<PathCursor>().next() >= 4);
}

#[test]
fn a_wall_on_the_second_leg_is_noticed_from_the_first_and_one_beside_it_is_not() {
    let mut game = Game::new();
    game.update(10);
    let before = game.searches();
    game.wall(Vec2::new(5.0, 3.0));
    assert_eq!(game.searches(), before, "nothing is in the way");
    assert!(game.get::<NavPath>().has_many_legs());
    game.wall(Vec2::new(5.0, 0.2));
    assert_eq!(game.searches(), before + 1, "a wall is in the way");
    assert!(!game.get::<NavPath>().has_many_legs());
}

#[test]
fn an_agent_that_is_carried_off_enters_the_closest_leg() {
    let mut game = Game::new();
    game.update(10);
    let beside = game.frame.to_world(Vec2::new(9.0, 0.3));
    let mut agent = game.app.world_mut().entity_mut(game.agent);
    agent
        .get_mut::<Transform>()
        .expect("it has one")
        .translation = beside;
    agent.get_mut::<NavPath>().expect("it has one").revision += 1;
    game.update(2);
    assert_eq!(game.get::<PathCursor>().next(), 3);
    assert!((game.left() - 4.0).abs() < 0.6, "{}", game.left());
    assert!(game.place().xy().distance(beside.xy()) < 0.5);
}
