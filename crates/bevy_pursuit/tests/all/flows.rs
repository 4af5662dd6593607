//! Hundreds that chase one target: those who are far away go along one field, and no path is planned for them.

use std::fmt::Debug;

use bevy_pursuit::NavPath;
use fastrand::Rng;

use crate::common::*;
use crate::sharing::{free_place, rooms};

const CROWD: usize = 400;

/// Rooms full of chasers of one target.
struct Game {
    app: App,
    target: Entity,
    crowd: Vec<Entity>,
    random: Rng,
}

impl Game {
    fn new(mode: PlanMode, seed: u64) -> Self {
        Self::of(CROWD, mode, seed)
    }

    fn of(count: usize, mode: PlanMode, seed: u64) -> Self {
        Self::prepared(count, mode, seed, |_| ())
    }

    /// Of those who walk through one another.
    fn of_ghosts(count: usize, mode: PlanMode, seed: u64) -> Self {
        Self::prepared(count, mode, seed, disable_avoidance)
    }

    fn prepared(count: usize, mode: PlanMode, seed: u64, prepare: fn(&mut App)) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut app = level(mode, &rooms(&mut random));
        prepare(&mut app);
        let target = spawn_target(&mut app, cell(3, 3));
        let chaser = |_| {
            let place = free_place(&mut random);
            spawn_chaser(&mut app, Body::Transform, place, target)
        };
        let crowd = (0..count).map(chaser).collect();
        Self {
            app,
            target,
            crowd,
            random,
        }
    }

    /// Ticks until so many go along the field.
    fn until_they_flow(&mut self, least: usize) {
        for _ in 0..300 {
            tick(&mut self.app);
            if self.flowing().len() >= least {
                return;
            }
        }
        panic!("{} go along a field", self.flowing().len());
    }

    /// Those who have a way and no path of their own.
    fn flowing(&self) -> Vec<Entity> {
        let flows = |agent: &Entity| {
            let path = self.app.world().get::<NavPath>(*agent);
            let has_none = path.is_some_and(|path| path.waypoints().len() == 0);
            has_none && status(&self.app, *agent) == PathStatus::Found
        };
        self.crowd.iter().copied().filter(flows).collect()
    }

    fn off_walls(&mut self, agents: &[Entity], what: impl Debug) {
        for agent in agents {
            assert_off_walls(&mut self.app, *agent, 0.98 * RADIUS, &what);
        }
    }
}

#[test]
fn hundreds_go_along_one_field_arrive_as_soon_as_with_paths_and_touch_no_wall() {
    for mode in MODES {
        let arrive = |shares: bool| {
            let mut game = Game::of_ghosts(CROWD, mode, 7);
            settings(&mut game.app).share_fields = shares;
            let mut ticks = Vec::new();
            let mut most = 0;
            for n in 0..4000 {
                tick(&mut game.app);
                most = most.max(game.flowing().len());
                let one = game.crowd[n % CROWD];
                game.off_walls(&[one], n);
                let arrived = events(&game.app).reached.len();
                ticks.resize(arrived, n);
                if arrived == CROWD {
                    break;
                }
            }
            assert_eq!(ticks.len(), CROWD, "{mode:?}: arrived, shares: {shares}");
            assert_eq!(events(&game.app).stuck, []);
            let found = game.crowd.iter().map(|one| times_found(&game.app, *one));
            assert!(found.into_iter().all(|found| found == 1), "told once each");
            (ticks, most)
        };
        let (alone, none) = arrive(false);
        let (shared, most) = arrive(true);
        assert_eq!(none, 0);
        assert!(most > CROWD / 3, "{mode:?}: {most} went along a field");
        for part in [CROWD / 4, CROWD / 2, CROWD - 1] {
            let [shared, alone] = [shared[part], alone[part]];
            assert!(
                shared < alone + alone / 10 + 30,
                "{mode:?}: {part} have arrived after {shared} ticks, not {alone}"
            );
        }
    }
}

#[test]
fn the_same_chase_inline_is_the_same_again() {
    let play = || {
        let mut game = Game::new(PlanMode::Inline, 3);
        for n in 0..300 {
            if n % 40 == 39 {
                let place_of_target = free_place(&mut game.random);
                set_position(&mut game.app, game.target, place_of_target);
            }
            tick(&mut game.app);
        }
        let crowd = game.crowd.iter();
        crowd
            .map(|one| position(&game.app, *one))
            .collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}

#[test]
fn who_wants_something_else_does_it_in_the_next_tick() {
    type Act = fn(&mut Game, Entity);
    let acts: [(&str, Act, Locomotion); 5] = [
        (
            "pause",
            |game, one| give(&mut game.app, one, NavPaused),
            Locomotion::Paused,
        ),
        (
            "no chase",
            |game, one| remove::<Chase>(&mut game.app, one),
            Locomotion::Idle,
        ),
        (
            "another target",
            |game, one| {
                let beside = position(&game.app, one) + Vec2::X * 0.1;
                let target = spawn_target(&mut game.app, beside);
                get_mut::<Chase>(&mut game.app, one).target = target;
            },
            Locomotion::Arrived,
        ),
        (
            "a request",
            |game, one| {
                let here = position(&game.app, one);
                give(&mut game.app, one, PathRequest::to(here));
            },
            Locomotion::Arrived,
        ),
        (
            "no target",
            |game, one| get_mut::<Chase>(&mut game.app, one).target = Entity::PLACEHOLDER,
            Locomotion::Idle,
        ),
    ];
    let mut game = Game::new(PlanMode::Inline, 5);
    game.until_they_flow(CROWD / 4);
    for (what, act, then) in acts {
        let one = game.flowing()[0];
        act(&mut game, one);
        run(&mut game.app, 2);
        assert_eq!(locomotion(&game.app, one), then, "{what}");
        game.crowd.retain(|other| *other != one);
    }
}

#[test]
fn who_is_switched_off_carried_off_or_cloned_goes_on() {
    let mut game = Game::new(PlanMode::Inline, 5);
    game.until_they_flow(CROWD / 4);
    let one = game.flowing()[0];
    set_disabled(&mut game.app, one, true);
    let before = position(&game.app, one);
    run(&mut game.app, 30);
    assert_eq!(position(&game.app, one), before);
    set_disabled(&mut game.app, one, false);
    run(&mut game.app, 30);
    assert!(position(&game.app, one).distance(before) > 1.0);
    // One that got another target meanwhile goes to that.
    let one = game.flowing()[0];
    let other = spawn_target(&mut game.app, cell(45, 3));
    set_disabled(&mut game.app, one, true);
    run(&mut game.app, 3);
    get_mut::<Chase>(&mut game.app, one).target = other;
    run(&mut game.app, 3);
    set_disabled(&mut game.app, one, false);
    run(&mut game.app, 3);
    assert!(
        !game.flowing().contains(&one),
        "it still goes along the field"
    );
    // What is carried off goes on from there.
    let one = game.flowing()[0];
    set_position(&mut game.app, one, cell(45, 45));
    run(&mut game.app, 60);
    assert!(position(&game.app, one).distance(cell(45, 45)) > 2.0);
    // A clone is one of its own.
    let one = game.flowing()[0];
    let copy = clone_entity(&mut game.app, one);
    let before = position(&game.app, copy);
    run(&mut game.app, 60);
    assert!(position(&game.app, copy).distance(before) > 2.0);
}

#[test]
fn a_target_that_is_gone_is_lost_to_all_of_them() {
    let mut game = Game::new(PlanMode::Inline, 6);
    game.until_they_flow(CROWD / 4);
    despawn(&mut game.app, game.target);
    run(&mut game.app, 20);
    assert_status(&game.app, &game.crowd, PathStatus::TargetLost, "gone");
    assert_eq!(events(&game.app).lost.len(), CROWD);
}

#[test]
fn a_target_inside_a_wall_is_waited_for_by_all_of_them_until_it_is_out() {
    for mode in MODES {
        let mut game = Game::new(mode, 6);
        game.until_they_flow(CROWD / 4);
        let at = position(&game.app, game.target);
        let wall = spawn_wall(&mut game.app, at, Vec2::splat(1.5));
        run_slowly(&mut game.app, 120);
        assert_status(&game.app, &game.crowd, Partial(GoalBlocked), mode);
        despawn(&mut game.app, wall);
        game.until_they_flow(CROWD / 8);
    }
}

#[test]
fn walls_that_come_and_go_in_the_midst_of_them_are_walked_around() {
    for mode in MODES {
        let mut game = Game::new(mode, 8);
        game.until_they_flow(CROWD / 4);
        let mut walls = Vec::new();
        for n in 0..600 {
            if n % 20 == 0 {
                // Beside somebody, not upon anybody.
                let mut beside = (0..16).map(|_| {
                    let one = game.crowd[game.random.usize(0..CROWD)];
                    position(&game.app, one) + Vec2::from_angle(game.random.f32() * 6.3) * 1.6
                });
                let clear = |at: &Vec2| {
                    let mut others = game.crowd.iter();
                    others.all(|other| position(&game.app, *other).distance(*at) > 1.2)
                };
                if let Some(at) = beside.find(clear) {
                    walls.push(spawn_wall(&mut game.app, at, Vec2::splat(0.5)));
                }
                if walls.len() > 12 {
                    let wall = walls.remove(0);
                    despawn(&mut game.app, wall);
                }
            }
            if n % 90 == 0 {
                let to = free_place(&mut game.random);
                set_position(&mut game.app, game.target, to);
            }
            tick(&mut game.app);
            let some: Vec<Entity> = game.crowd.iter().copied().skip(n % 7).step_by(7).collect();
            game.off_walls(&some, (mode, n));
        }
        assert!(walls.len() > 3, "{mode:?}");
    }
}

#[test]
fn who_leaves_the_field_went_on_without_a_stop() {
    let mut game = Game::new(PlanMode::Async, 9);
    game.until_they_flow(CROWD / 4);
    let full = NavAgent::from_radius(RADIUS).speed / 60.0;
    let mut left = Vec::new();
    let mut flowing = game.flowing();
    for n in 0..400 {
        let before: Vec<Vec2> = left
            .iter()
            .map(|(one, _)| position(&game.app, *one))
            .collect();
        tick(&mut game.app);
        for ((one, since), before) in left.iter().zip(before) {
            let step = position(&game.app, *one).distance(before);
            let is_there = locomotion(&game.app, *one) == Locomotion::Arrived;
            assert!(
                step > 0.3 * full || is_there,
                "{one} made {step} in tick {n}, {} after it left, {:?}",
                n - since,
                locomotion(&game.app, *one)
            );
        }
        left.retain(|(_, since)| n - since < 6);
        let now = game.flowing();
        let gone = flowing.iter().filter(|one| !now.contains(one));
        left.extend(gone.map(|one| (*one, n)));
        flowing = now;
    }
}

#[test]
fn who_is_pinned_by_its_game_is_told_of_as_stuck() {
    let mut game = Game::new(PlanMode::Inline, 11);
    game.until_they_flow(CROWD / 4);
    let one = game.flowing()[0];
    let at = position(&game.app, one);
    for _ in 0..400 {
        set_position(&mut game.app, one, at);
        tick(&mut game.app);
    }
    let stuck = events(&game.app).stuck.iter();
    let times = stuck.filter(|it| it.entity == one).count();
    assert!((1..4).contains(&times), "told {times} times");
}

#[test]
fn agents_with_bodies_and_crowds_go_along_the_field_too() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut random = Rng::with_seed(12);
        let mut app = level(PlanMode::Inline, &rooms(&mut random));
        let target = spawn_target(&mut app, cell(3, 3));
        let crowd: Vec<Entity> = (0..300)
            .map(|_| spawn_chaser(&mut app, body, free_place(&mut random), target))
            .collect();
        let mut game = Game {
            app,
            target,
            crowd,
            random,
        };
        give(&mut game.app, game.target, NavAvoided { radius: RADIUS });
        game.until_they_flow(100);
        for n in 0..900 {
            tick(&mut game.app);
            let one = game.crowd[n % 300];
            game.off_walls(&[one], (body, n));
        }
        let away = |one: &&Entity| position(&game.app, **one).distance(cell(3, 3)) < 24.0;
        let near = game.crowd.iter().filter(away).count();
        assert!(near > 250, "{body:?}: {near} are near");
    }
}

#[test]
fn fewer_that_keep_clear_share_a_field_from_the_moment_on_in_which_they_do() {
    let mut game = Game::of_ghosts(150, PlanMode::Inline, 13);
    run(&mut game.app, 100);
    assert_eq!(game.flowing(), [], "few plan for themselves");
    let crowd = game.crowd.clone();
    let keep_clear = |game: &mut Game, agents: &[Entity]| {
        for one in agents {
            give(&mut game.app, *one, NavAvoidance::Separation);
        }
    };
    keep_clear(&mut game, &crowd[..60]);
    run(&mut game.app, 50);
    assert_eq!(game.flowing(), [], "sixty are too few");
    keep_clear(&mut game, &crowd);
    game.until_they_flow(10);
}

#[test]
fn who_goes_along_a_field_counts_as_changed_where_it_moves_and_not_where_it_stands() {
    let mut game = Game::new(PlanMode::Inline, 5);
    game.until_they_flow(CROWD / 4);
    let look = |game: &Game, agent: Entity| {
        let agent = game.app.world().entity(agent);
        let changed = agent.get_change_ticks::<Transform>().map(|it| it.changed);
        (agent.get::<Transform>().copied(), changed)
    };
    let (mut moved, mut stood) = (0, 0);
    for n in 0..300 {
        let flowing = game.flowing();
        let before: Vec<_> = flowing.iter().map(|one| look(&game, *one)).collect();
        tick(&mut game.app);
        for (agent, (was_at, was_changed)) in flowing.into_iter().zip(before) {
            let (at, changed) = look(&game, agent);
            if at != was_at {
                assert_ne!(changed, was_changed, "{agent} moved unseen in tick {n}");
                moved += 1;
            }
            stood += usize::from(changed == was_changed);
        }
    }
    assert!(moved > 1000 && stood > 100, "{moved} moved, {stood} stood");
}
