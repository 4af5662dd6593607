//! Hundreds of agents chase one target. Distant agents follow a shared field, and no paths are planned for them.

use std::fmt::Debug;
use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy_pursuit::core::FlowField;
use bevy_pursuit::{BakedGrid, NavPath};
use fastrand::Rng;

use crate::common::*;
use crate::sharing::{free_place, rooms};

const CROWD_SIZE: usize = 400;

/// A level of rooms full of chasers of one target.
struct Game {
    app: App,
    target: Entity,
    crowd: Vec<Entity>,
    random: Rng,
}

impl Game {
    fn new(mode: PlanMode, seed: u64) -> Self {
        Self::with_count(CROWD_SIZE, mode, seed)
    }

    fn with_count(count: usize, mode: PlanMode, seed: u64) -> Self {
        Self::with_setup(count, mode, seed, |_| ())
    }

    /// A game in which the chasers walk through one another.
    fn without_avoidance(count: usize, mode: PlanMode, seed: u64) -> Self {
        Self::with_setup(count, mode, seed, disable_avoidance)
    }

    fn with_setup(count: usize, mode: PlanMode, seed: u64, prepare: fn(&mut App)) -> Self {
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

    /// Updates until at least `min_count` chasers follow the field.
    fn run_until_flowing(&mut self, min_count: usize) {
        for _ in 0..300 {
            tick(&mut self.app);
            if self.flowing().len() >= min_count {
                return;
            }
        }
        panic!("only {} chasers follow a field", self.flowing().len());
    }

    /// The chasers that a field leads: their status is `Found`, and they have no path of their own.
    fn flowing(&self) -> Vec<Entity> {
        let flows = |agent: &Entity| {
            let path = self.app.world().get::<NavPath>(*agent);
            let has_none = path.is_some_and(|path| path.waypoints().len() == 0);
            has_none && status(&self.app, *agent) == PathStatus::Found
        };
        self.crowd.iter().copied().filter(flows).collect()
    }

    fn assert_all_off_walls(&mut self, agents: &[Entity], context: impl Debug) {
        for agent in agents {
            assert_off_walls(&mut self.app, *agent, 0.98 * RADIUS, &context);
        }
    }
}

#[test]
fn a_crowd_on_a_shared_field_arrives_as_soon_as_with_paths() {
    for mode in MODES {
        let arrive = |shares: bool| {
            let mut game = Game::without_avoidance(CROWD_SIZE, mode, 7);
            settings(&mut game.app).share_fields = shares;
            let mut ticks = Vec::new();
            let mut max_flowing = 0;
            for n in 0..4000 {
                tick(&mut game.app);
                max_flowing = max_flowing.max(game.flowing().len());
                let one = game.crowd[n % CROWD_SIZE];
                game.assert_all_off_walls(&[one], n);
                let arrived = events(&game.app).reached.len();
                ticks.resize(arrived, n);
                if arrived == CROWD_SIZE {
                    break;
                }
            }
            assert_eq!(
                ticks.len(),
                CROWD_SIZE,
                "{mode:?}: some chasers did not arrive, shares: {shares}"
            );
            assert_eq!(events(&game.app).stuck, []);
            let found = game.crowd.iter().map(|one| times_found(&game.app, *one));
            assert!(
                found.into_iter().all(|found| found == 1),
                "not exactly one PathFound for each chaser"
            );
            (ticks, max_flowing)
        };
        let (alone, flowing_alone) = arrive(false);
        let (shared, max_flowing) = arrive(true);
        assert_eq!(flowing_alone, 0);
        assert!(
            max_flowing > CROWD_SIZE / 3,
            "{mode:?}: only {max_flowing} chasers followed a field"
        );
        for part in [CROWD_SIZE / 4, CROWD_SIZE / 2, CROWD_SIZE - 1] {
            let [shared, alone] = [shared[part], alone[part]];
            assert!(
                shared < alone + alone / 10 + 30,
                "{mode:?}: {part} chasers arrived after {shared} ticks, with own paths after {alone}"
            );
        }
    }
}

#[test]
fn an_inline_chase_is_deterministic() {
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
fn an_agent_on_a_field_follows_a_new_intent_within_two_ticks() {
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
    game.run_until_flowing(CROWD_SIZE / 4);
    for (name, act, expected) in acts {
        let one = game.flowing()[0];
        act(&mut game, one);
        run(&mut game.app, 2);
        assert_eq!(locomotion(&game.app, one), expected, "{name}");
        game.crowd.retain(|other| *other != one);
    }
}

#[test]
fn the_few_agents_that_no_field_leads_get_a_table_of_their_own() {
    let open = format!("{}\n", ".".repeat(160)).repeat(40);
    let mut app = level(PlanMode::Inline, &open);
    disable_avoidance(&mut app);
    let target = spawn_target(&mut app, cell(3, 20));
    let chaser = |number: usize| {
        let place = cell(110 + number % 40, 2 + number / 40);
        spawn_chaser(&mut app, Body::Transform, place, target)
    };
    let crowd = (0..300).map(chaser).collect();
    let random = Rng::with_seed(0);
    let mut game = Game {
        app,
        target,
        crowd,
        random,
    };
    game.run_until_flowing(300);
    let some = game.flowing()[..20].to_vec();
    let table = |app: &App, one: Entity| app.world().entity(one).location().table_id;
    let most = game.flowing()[20..].to_vec();
    let other = spawn_target(&mut game.app, cell(155, 35));
    let aim = |game: &mut Game, target: Entity| {
        for one in &some {
            get_mut::<Chase>(&mut game.app, *one).target = target;
        }
        run(&mut game.app, 40);
        let tables = some.iter().map(|one| table(&game.app, *one));
        let flows = most.iter().filter(|one| game.flowing().contains(one));
        let main = table(
            &game.app,
            *flows.last().expect("most agents are still on the way"),
        );
        tables.filter(|table| *table != main).count()
    };
    assert_eq!(aim(&mut game, other), some.len(), "they walk along paths");
    let target = game.target;
    assert!(
        aim(&mut game, target) < some.len() / 4,
        "a field leads them again"
    );
}

#[test]
fn field_of_is_the_field_that_leads_an_agent() {
    let mut game = Game::without_avoidance(CROWD_SIZE, PlanMode::Inline, 5);
    let one = game.crowd[0];
    assert!(field_of(&mut game.app, one).is_none());
    game.run_until_flowing(CROWD_SIZE / 4);
    let one = game.flowing()[0];
    let field = field_of(&mut game.app, one).expect("a field leads the agent");
    let mut baked = game.app.world_mut().query::<&BakedGrid>();
    let snapshot = baked.single(game.app.world()).expect("a grid").snapshot();
    let layout = *snapshot.expect("a bake").layout();
    let cell_at = |entity| layout.cell_at(position(&game.app, entity));
    let (own, goal) = (cell_at(one).expect("a cell"), cell_at(game.target));
    assert_eq!(field.path(own).and_then(|path| path.end()), goal);
    assert!(field_of(&mut game.app, game.target).is_none());
    give(&mut game.app, one, PathRequest::to(cell(3, 3)));
    run(&mut game.app, 2);
    assert!(field_of(&mut game.app, one).is_none(), "a path leads it");
}

fn field_of(app: &mut App, agent: Entity) -> Option<FlowField> {
    let find = move |navigation: Navigation| navigation.field_of(agent).cloned();
    let found = app.world_mut().run_system_once(find);
    found.expect("the system runs")
}

#[test]
fn agents_that_are_paused_from_their_first_tick_on_do_not_join_a_field() {
    let mut game = Game::new(PlanMode::Inline, 5);
    game.run_until_flowing(CROWD_SIZE / 4);
    let place = position(&game.app, game.flowing()[0]);
    let paused: Vec<Entity> = (0..32)
        .map(|_| {
            let one = spawn_chaser(&mut game.app, Body::Transform, place, game.target);
            give(&mut game.app, one, (NavPaused, NavAvoidance::None));
            one
        })
        .collect();
    run(&mut game.app, 30);
    for one in paused {
        assert_eq!(position(&game.app, one), place);
        assert_eq!(locomotion(&game.app, one), Locomotion::Paused);
    }
}

#[test]
fn disabled_moved_and_cloned_agents_on_a_field_go_on() {
    let mut game = Game::new(PlanMode::Inline, 5);
    game.run_until_flowing(CROWD_SIZE / 4);
    let one = game.flowing()[0];
    set_disabled(&mut game.app, one, true);
    let before = position(&game.app, one);
    run(&mut game.app, 30);
    assert_eq!(position(&game.app, one), before);
    set_disabled(&mut game.app, one, false);
    run(&mut game.app, 30);
    assert!(position(&game.app, one).distance(before) > 1.0);
    // An agent whose target was replaced while it was disabled goes to the new target.
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
        "the agent still follows the field of its old target"
    );
    // An agent that the game moves goes on from its new position.
    let one = game.flowing()[0];
    set_position(&mut game.app, one, cell(45, 45));
    run(&mut game.app, 60);
    assert!(position(&game.app, one).distance(cell(45, 45)) > 2.0);
    // A clone moves on its own.
    let one = game.flowing()[0];
    let copy = clone_entity(&mut game.app, one);
    let before = position(&game.app, copy);
    run(&mut game.app, 60);
    assert!(position(&game.app, copy).distance(before) > 2.0);
}

#[test]
fn a_despawned_target_gives_the_whole_crowd_target_lost() {
    let mut game = Game::new(PlanMode::Inline, 6);
    game.run_until_flowing(CROWD_SIZE / 4);
    despawn(&mut game.app, game.target);
    run(&mut game.app, 20);
    assert_status(
        &game.app,
        &game.crowd,
        PathStatus::TargetLost,
        "after the despawn",
    );
    assert_eq!(events(&game.app).lost.len(), CROWD_SIZE);
}

#[test]
fn two_crowds_follow_fields_although_both_targets_move_far_in_every_tick() {
    let mut game = Game::new(PlanMode::Inline, 6);
    let other = spawn_target(&mut game.app, cell(45, 45));
    let (crowd, other_crowd) = game.crowd.split_at(CROWD_SIZE / 2);
    let crowds = [crowd.to_vec(), other_crowd.to_vec()];
    for one in &crowds[1] {
        get_mut::<Chase>(&mut game.app, *one).target = other;
    }
    let mut flowing = [0, 0];
    for _ in 0..120 {
        for target in [game.target, other] {
            let place = free_place(&mut game.random);
            set_position(&mut game.app, target, place);
        }
        tick(&mut game.app);
        let all = game.flowing();
        for (count, crowd) in flowing.iter_mut().zip(&crowds) {
            *count += crowd.iter().filter(|one| all.contains(one)).count();
        }
    }
    let [least, most] = [flowing.iter().min(), flowing.iter().max()].map(Option::unwrap);
    assert!(
        2 * least > *most,
        "{flowing:?} agents on fields, all ticks together"
    );
}

#[test]
fn agents_leave_a_field_whose_grid_has_another_layout_even_if_the_game_plans_nothing() {
    for mode in MODES {
        let mut game = Game::with_setup(CROWD_SIZE, mode, 5, add_gates);
        game.run_until_flowing(CROWD_SIZE / 4);
        let flowing = game.flowing();
        set_gates(&mut game.app, [true, true, true, false, true, true]);
        let grid = grid_entity(&mut game.app);
        get_mut::<NavGrid>(&mut game.app, grid).node_radius = 0.4;
        run_slowly(&mut game.app, 120);
        // An agent that sees the target may walk on in a straight line, so only agents that are `Moving` are counted.
        let walks = |one: &&Entity| {
            let is_moving = locomotion(&game.app, **one) == Locomotion::Moving;
            is_moving && desired(&game.app, **one) != Vec2::ZERO
        };
        let walking = flowing.iter().filter(walks).count();
        assert_eq!(walking, 0, "{mode:?}: of {}", flowing.len());
    }
}

#[test]
fn the_crowd_waits_for_a_target_inside_a_wall_until_the_wall_is_gone() {
    for mode in MODES {
        let mut game = Game::new(mode, 6);
        game.run_until_flowing(CROWD_SIZE / 4);
        let at = position(&game.app, game.target);
        let wall = spawn_wall(&mut game.app, at, Vec2::splat(1.5));
        run_slowly(&mut game.app, 120);
        assert_status(&game.app, &game.crowd, Partial(GoalBlocked), mode);
        despawn(&mut game.app, wall);
        game.run_until_flowing(CROWD_SIZE / 8);
    }
}

#[test]
fn a_crowd_keeps_off_walls_that_appear_and_vanish_within_it() {
    for mode in MODES {
        let mut game = Game::new(mode, 8);
        game.run_until_flowing(CROWD_SIZE / 4);
        let mut walls = Vec::new();
        for n in 0..600 {
            if n % 20 == 0 {
                // The wall appears beside an agent, but no agent can reach it before it is baked.
                let mut beside = (0..16).map(|_| {
                    let one = game.crowd[game.random.usize(0..CROWD_SIZE)];
                    position(&game.app, one) + Vec2::from_angle(game.random.f32() * 6.3) * 1.6
                });
                let clear = |at: &Vec2| {
                    let mut others = game.crowd.iter();
                    others.all(|other| position(&game.app, *other).distance(*at) > 1.5)
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
            game.assert_all_off_walls(&some, (mode, n));
        }
        assert!(walls.len() > 3, "{mode:?}");
    }
}

#[test]
fn an_agent_that_leaves_the_field_does_not_stop() {
    let mut game = Game::new(PlanMode::Async, 9);
    game.run_until_flowing(CROWD_SIZE / 4);
    let full_step = NavAgent::from_radius(RADIUS).speed / 60.0;
    let mut leavers = Vec::new();
    let mut flowing = game.flowing();
    for n in 0..400 {
        let before: Vec<Vec2> = leavers
            .iter()
            .map(|(one, _)| position(&game.app, *one))
            .collect();
        tick(&mut game.app);
        for ((one, since), before) in leavers.iter().zip(before) {
            let step = position(&game.app, *one).distance(before);
            let is_there = locomotion(&game.app, *one) == Locomotion::Arrived;
            assert!(
                step > 0.3 * full_step || is_there,
                "{one} moved by {step} in tick {n}, {} ticks after it left the field, {:?}",
                n - since,
                locomotion(&game.app, *one)
            );
        }
        leavers.retain(|(_, since)| n - since < 6);
        let now = game.flowing();
        let gone = flowing.iter().filter(|one| !now.contains(one));
        leavers.extend(gone.map(|one| (*one, n)));
        flowing = now;
    }
}

#[test]
fn an_agent_on_a_field_that_the_game_holds_is_reported_stuck() {
    let mut game = Game::new(PlanMode::Inline, 11);
    game.run_until_flowing(CROWD_SIZE / 4);
    let one = game.flowing()[0];
    let at = position(&game.app, one);
    for _ in 0..400 {
        set_position(&mut game.app, one, at);
        tick(&mut game.app);
    }
    let stuck = events(&game.app).stuck.iter();
    let times = stuck.filter(|it| it.entity == one).count();
    assert!((1..4).contains(&times), "{times} stuck events");
}

#[test]
fn agents_with_bodies_follow_the_field_as_well() {
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
        give(&mut game.app, game.target, CrowdObstacle { radius: RADIUS });
        game.run_until_flowing(100);
        for n in 0..900 {
            tick(&mut game.app);
            let one = game.crowd[n % 300];
            game.assert_all_off_walls(&[one], (body, n));
        }
        let is_near = |one: &&Entity| position(&game.app, **one).distance(cell(3, 3)) < 24.0;
        let near = game.crowd.iter().filter(is_near).count();
        assert!(near > 250, "{body:?}: only {near} chasers came near");
    }
}

/// What is unusual about the agents of a crowd.
#[derive(Clone, Copy, Debug)]
enum Unusual {
    /// Transforms that the game moves, at nine tenths of the desired velocity.
    Manual,
    /// Transforms whose parent moves to and fro.
    Carried,
    /// Agents that would flee from something far away.
    Flees,
    /// Agents that name their grid.
    OnGrid,
    /// Agents that search again at fixed times.
    Repaths,
}

impl Unusual {
    const ALL: [Self; 5] = [
        Self::Manual,
        Self::Carried,
        Self::Flees,
        Self::OnGrid,
        Self::Repaths,
    ];

    /// Makes an agent unusual. `other` is an entity at the origin.
    fn give_to(self, app: &mut App, agent: Entity, (target, other): (Entity, Entity)) {
        match self {
            Self::Manual => give(app, agent, NavDrive::Manual),
            Self::Carried => give(app, agent, ChildOf(other)),
            Self::Flees => give(app, agent, Flee::new(other, 0.1)),
            Self::OnGrid => {
                let grid = app
                    .world_mut()
                    .query_filtered::<Entity, With<NavGrid>>()
                    .single(app.world());
                give(app, agent, OnGrid(grid.expect("one grid")));
            }
            Self::Repaths => {
                let repath = RepathPolicy::Every(Duration::from_millis(300));
                give(app, agent, Chase::new(target).with_repath(repath));
            }
        }
    }

    /// Does the game's part of a tick.
    fn act(self, game: &mut Game, other: Entity, n: usize) {
        match self {
            Self::Manual => {
                for one in &game.crowd.clone() {
                    let step = get::<DesiredVelocity>(&game.app, *one).0 * 0.9 / 60.0;
                    let place = position(&game.app, *one) + step.truncate();
                    set_position(&mut game.app, *one, place);
                }
            }
            Self::Carried => {
                let place = Vec2::X * 0.05 * (n as f32 * 0.2).sin();
                set_position(&mut game.app, other, place);
            }
            _ => {}
        }
    }
}

#[test]
fn unusual_agents_follow_the_field_as_well() {
    for unusual in Unusual::ALL {
        let mut game = Game::with_count(0, PlanMode::Inline, 12);
        let other = game.app.world_mut().spawn(Transform::default()).id();
        for _ in 0..300 {
            let place = free_place(&mut game.random);
            let one = spawn_chaser(&mut game.app, Body::Transform, place, game.target);
            unusual.give_to(&mut game.app, one, (game.target, other));
            game.crowd.push(one);
        }
        give(&mut game.app, game.target, CrowdObstacle { radius: RADIUS });
        let mut led = 0;
        for n in 0..900 {
            unusual.act(&mut game, other, n);
            tick(&mut game.app);
            led += game.flowing().len();
        }
        let is_near = |one: &&Entity| position(&game.app, **one).distance(cell(3, 3)) < 24.0;
        let near = game.crowd.iter().filter(is_near).count();
        let (led, stuck) = (led / 900, events(&game.app).stuck.len());
        let what = format!("{near} came near, a field led {led}, and {stuck} were stuck");
        assert!(near > 250 && led > 150 && stuck == 0, "{unusual:?}: {what}");
    }
}

#[test]
fn agents_that_keep_clear_share_a_field_in_smaller_numbers() {
    let mut game = Game::without_avoidance(150, PlanMode::Inline, 13);
    run(&mut game.app, 100);
    assert_eq!(
        game.flowing(),
        [],
        "150 agents without avoidance follow a field"
    );
    let crowd = game.crowd.clone();
    let keep_clear = |game: &mut Game, agents: &[Entity]| {
        for one in agents {
            give(&mut game.app, *one, NavAvoidance::Separation);
        }
    };
    keep_clear(&mut game, &crowd[..60]);
    run(&mut game.app, 50);
    assert_eq!(
        game.flowing(),
        [],
        "60 agents with avoidance follow a field, although they are too few"
    );
    keep_clear(&mut game, &crowd);
    game.run_until_flowing(10);
}

#[test]
fn a_transform_on_a_field_is_marked_changed_whenever_it_moves_but_not_in_every_tick() {
    let mut game = Game::new(PlanMode::Inline, 5);
    game.run_until_flowing(CROWD_SIZE / 4);
    let transform_and_tick = |game: &Game, agent: Entity| {
        let agent = game.app.world().entity(agent);
        let changed = agent.get_change_ticks::<Transform>().map(|it| it.changed);
        (agent.get::<Transform>().copied(), changed)
    };
    let (mut moved, mut stood) = (0, 0);
    for n in 0..300 {
        let flowing = game.flowing();
        let before: Vec<_> = flowing
            .iter()
            .map(|one| transform_and_tick(&game, *one))
            .collect();
        tick(&mut game.app);
        for (agent, (was_at, was_changed)) in flowing.into_iter().zip(before) {
            let (at, changed) = transform_and_tick(&game, agent);
            if at != was_at {
                assert_ne!(
                    changed, was_changed,
                    "{agent} moved in tick {n} without change detection"
                );
                moved += 1;
            }
            stood += usize::from(changed == was_changed);
        }
    }
    assert!(moved > 1000 && stood > 100, "{moved} moved, {stood} stood");
}
