//! Plays the recipes of the book, and checks that each does what its page says.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::PlanMode;
use bevy_pursuit::prelude::*;

/// A game without a window or a physics engine, with a grid of 800 by 600 units.
fn game() -> App {
    let mut app = empty_game();
    let level = Rect::new(-400., -300., 400., 300.);
    app.world_mut().spawn(NavGrid::covering(level));
    app
}

fn empty_game() -> App {
    let frame = Duration::from_secs(1) / 60;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
    app.finish();
    app.cleanup();
    app
}

fn play(app: &mut App, seconds: f32) {
    (0..(60. * seconds) as u32).for_each(|_| app.update());
}

fn wall(app: &mut App, center: Vec2, half_size: Vec2) {
    let place = Transform::from_translation(center.extend(0.));
    app.world_mut()
        .spawn((NavObstacle::rectangle(half_size), place));
}

fn spawn_at(app: &mut App, place: Vec2, bundle: impl Bundle) -> Entity {
    let place = Transform::from_translation(place.extend(0.));
    app.world_mut().spawn((place, bundle)).id()
}

fn put(app: &mut App, entity: Entity, place: Vec2) {
    let place = Transform::from_translation(place.extend(0.));
    app.world_mut().entity_mut(entity).insert(place);
}

fn place(app: &App, entity: Entity) -> Vec2 {
    let place = app.world().get::<GlobalTransform>(entity);
    place.map_or(Vec2::NAN, |place| place.translation().truncate())
}

fn all<C: Component>(app: &mut App) -> Vec<Entity> {
    let mut query = app.world_mut().query_filtered::<Entity, With<C>>();
    query.iter(app.world()).collect()
}

mod ring {
    use super::{all, game, place, play, spawn_at};

    include!(concat!(env!("OUT_DIR"), "/0.rs"));

    #[test]
    fn six_enemies_stand_evenly_around_the_player_and_strike() {
        let mut app = game();
        let player = spawn_at(&mut app, Vec2::ZERO, CrowdObstacle { radius: 12. });
        let spawn = move |commands: Commands| spawn_ring(commands, player);
        app.add_systems(Startup, spawn).add_systems(Update, strike);
        play(&mut app, 6.);
        let enemies = all::<Fists>(&mut app);
        let mut angles = Vec::new();
        for enemy in &enemies {
            let locomotion = app.world().get::<Locomotion>(*enemy);
            assert_eq!(locomotion, Some(&Locomotion::Arrived));
            let at = place(&app, *enemy);
            assert!((at.length() - 40.).abs() < 4., "{at} is off the circle");
            angles.push(at.to_angle().to_degrees());
        }
        angles.sort_by(f32::total_cmp);
        for pair in angles.windows(2) {
            assert!(
                pair[1] - pair[0] > 45.,
                "angles between enemies differ too much: {angles:?}"
            );
        }
        let fists = app
            .world()
            .get::<Fists>(enemies[0])
            .expect("the enemy has `Fists`");
        assert!(fists.0.elapsed_secs() > 0., "the enemy never strikes");
    }
}

mod guard {
    use super::{game, place, play, put, spawn_at, wall};

    include!(concat!(env!("OUT_DIR"), "/1.rs"));

    #[test]
    fn a_guard_chases_a_visible_player_and_then_returns_to_its_posts() {
        let mut app = game();
        wall(&mut app, Vec2::new(0., 100.), Vec2::new(150., 10.));
        let hidden = Vec2::new(0., 200.);
        let player = spawn_at(&mut app, hidden, Player);
        let posts = vec![Vec2::new(-100., 0.), Vec2::new(100., 0.)];
        let at = posts[0];
        let (next, seen) = (0, at);
        let brain = Guard { posts, next, seen };
        let guard = spawn_at(&mut app, at, (NavAgent::from_radius(8.), brain));
        app.add_systems(Update, super::guard::guard);
        let mut visits = [0, 0];
        for _ in 0..60 * 5 {
            app.update();
            let x = place(&app, guard).x;
            visits[0] += u32::from(x < -99.);
            visits[1] += u32::from(x > 99.);
        }
        assert!(visits[0] > 0 && visits[1] > 0, "{visits:?}");
        put(&mut app, player, Vec2::new(0., -60.));
        play(&mut app, 2.);
        let away = place(&app, guard).distance(place(&app, player));
        assert!(away < 20., "the guard does not reach the player: {away}");
        put(&mut app, player, hidden);
        play(&mut app, 0.1);
        assert!(
            app.world().get::<Chase>(guard).is_none(),
            "the guard still chases a hidden player"
        );
        let mut nearest = f32::INFINITY;
        for _ in 0..60 * 12 {
            app.update();
            nearest = nearest.min(place(&app, guard).distance(Vec2::new(0., -60.)));
        }
        assert!(
            nearest < 2.,
            "the guard did not go to where it last saw the player: {nearest}"
        );
        let y = place(&app, guard).y;
        assert!(
            y.abs() < 1.,
            "the guard does not walk between its posts again: {y}"
        );
    }
}

mod zombie {
    use super::{game, place, play, put, spawn_at};

    include!(concat!(env!("OUT_DIR"), "/2.rs"));

    #[test]
    fn a_zombie_turns_at_the_end_of_its_leash_and_returns_to_its_grave() {
        let mut app = game();
        let player = spawn_at(&mut app, Vec2::new(300., 0.), Player);
        let (grave, length) = (Vec2::new(-200., 0.), 150.);
        let leash = Leash { grave, length };
        let zombie = spawn_at(&mut app, grave, (NavAgent::from_radius(8.), leash));
        app.add_systems(Update, hold_back);
        play(&mut app, 1.);
        assert_eq!(
            place(&app, zombie),
            grave,
            "the zombie walks although the player is far away"
        );
        let mut farthest = 0_f32;
        for frame in 0..60 * 5 {
            // The player walks away, always a little ahead of the zombie.
            put(&mut app, player, Vec2::new(-80. + frame as f32, 0.));
            app.update();
            farthest = farthest.max(place(&app, zombie).distance(grave));
        }
        assert!(farthest > 60. && farthest < 1.2 * length, "{farthest}");
        play(&mut app, 3.);
        assert!(place(&app, zombie).distance(grave) < 1.);
    }
}

mod ferry {
    use super::{game, place, play, spawn_at};

    include!(concat!(env!("OUT_DIR"), "/3.rs"));

    #[test]
    fn a_ferry_takes_a_traveler_across_a_river_and_returns() {
        let mut app = game();
        let water =
            (app.world_mut().resource_mut::<NavAreas>()).add("water", f32::INFINITY, Color::WHITE);
        let river = NavObstacle::rectangle(Vec2::new(100., 300.));
        spawn_at(&mut app, Vec2::ZERO, (river, NavArea::new(water)));
        let (pier, landing) = (Vec2::new(-90., 0.), Vec2::new(90., 0.));
        let ferry = spawn_at(&mut app, landing, Ferry { pier, landing });
        let goal = Vec2::new(300., 50.);
        let shore = Vec2::new(120., 0.);
        let traveler = (
            NavAgent::from_radius(8.),
            PathRequest::to(Vec2::new(-120., 0.)),
            Traveler { shore, goal },
        );
        let traveler = spawn_at(&mut app, Vec2::new(-300., 0.), traveler);
        app.add_systems(Update, (board, sail).chain());
        play(&mut app, 15.);
        assert!(place(&app, traveler).distance(goal) < 1.);
        assert!(place(&app, ferry).distance(pier) < 1.);
    }
}

mod formation {
    use super::{game, place, play, spawn_at};

    include!(concat!(env!("OUT_DIR"), "/4.rs"));

    #[test]
    fn ten_soldiers_arrive_in_two_rows_of_five() {
        let mut app = game();
        let soldiers: Vec<_> = (0..10)
            .map(|number| {
                let at = Vec2::new(-300., 20. * number as f32 - 100.);
                spawn_at(&mut app, at, NavAgent::from_radius(8.))
            })
            .collect();
        app.update();
        let order = (Vec2::new(200., 0.), Vec2::X);
        let sent = app.world_mut().run_system_cached_with(march, order);
        assert!(sent.is_ok());
        play(&mut app, 8.);
        let mut places: Vec<_> = soldiers.iter().map(|one| place(&app, *one)).collect();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        let spread = |row: &[Vec2]| row[4].x - row[0].x;
        assert!(
            spread(&places[..5]) < 2. && spread(&places[5..]) < 2.,
            "{places:?}"
        );
        assert!((places[9].x - places[0].x - 24.).abs() < 2., "{places:?}");
        for soldier in soldiers {
            let locomotion = app.world().get::<Locomotion>(soldier);
            assert_eq!(locomotion, Some(&Locomotion::Arrived));
        }
    }
}

mod building {
    use bevy::ecs::system::RunSystemOnce;

    use super::{all, empty_game, place, play, spawn_at};

    include!(concat!(env!("OUT_DIR"), "/5.rs"));

    #[test]
    fn a_tower_on_the_only_path_is_refused_and_no_enemy_loses_its_path() {
        let mut app = empty_game();
        app.add_systems(Startup, spawn_grids)
            .add_systems(Update, judge);
        // A wall with one gap of 40 units.
        for y in [-160., 160.] {
            let wall = NavObstacle::rectangle(Vec2::new(10., 140.)).with_layers(WALLS);
            spawn_at(&mut app, Vec2::new(0., y), wall);
        }
        play(&mut app, 0.1);
        let enemy = (NavAgent::from_radius(ENEMY), PathRequest::to(CASTLE));
        let enemy = spawn_at(&mut app, GATE, enemy);
        play(&mut app, 0.1);
        let plan = |app: &mut App, at: Vec2| {
            let build = move |commands: Commands| try_to_build(commands, at);
            let world = app.world_mut();
            world.run_system_once(build).expect("the system runs");
            for _ in 0..6 {
                app.update();
                let status = app.world().get::<PathStatus>(enemy);
                assert_eq!(status, Some(&PathStatus::Found));
            }
            assert!(
                all::<Trial>(app).is_empty(),
                "a tower is still on trial after six frames"
            );
            let mut obstacles = app.world_mut().query::<&NavObstacle>();
            let walls = obstacles.iter(app.world()).map(|one| one.layers);
            walls.filter(|layers| *layers == WALLS).count()
        };
        assert_eq!(
            plan(&mut app, Vec2::ZERO),
            2,
            "a tower was built in the only gap"
        );
        assert_eq!(
            plan(&mut app, Vec2::new(-100., 100.)),
            3,
            "a tower beside the path was refused"
        );
        play(&mut app, 8.);
        assert!(
            place(&app, enemy).distance(CASTLE) < 1.,
            "the enemy did not reach the castle"
        );
    }
}
