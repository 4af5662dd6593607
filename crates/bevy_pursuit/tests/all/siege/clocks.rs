//! Clocks that disagree: frames and ticks of different lengths, slow motion, fast motion, and paused time.

use crate::common::*;

/// A player that the game moves once per frame in a circle: the radius in world units and the speed in units per
/// second.
#[derive(Component)]
struct Runner(f32, f32);

fn run_in_circles(time: Res<Time>, mut runners: Query<(&Runner, &mut Transform)>) {
    for (runner, mut transform) in &mut runners {
        let angle = time.elapsed_secs() * runner.1 / runner.0;
        let at = Vec2::splat(20.0) + runner.0 * Vec2::from_angle(angle);
        transform.translation = at.extend(0.0);
    }
}

/// The number of ticks in which an agent stood still.
#[derive(Resource, Default)]
struct StandingTicks(usize);

#[test]
fn a_chaser_keeps_up_with_a_player_that_moves_once_per_frame() {
    // Bevy's default tick rate on a screen of 60 Hz, and screens that are faster than the ticks.
    for (ticks, frames) in [(60.0, 60.0), (64.0, 60.0), (60.0, 144.0), (20.0, 60.0)] {
        for body in BODIES {
            let mut app = game(ticks, PlanMode::Inline);
            let frame = Duration::from_secs_f64(1.0 / frames);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame))
                .add_systems(Update, run_in_circles);
            build_level(&mut app, &open(40, 40));
            let player = (Runner(12.0, 4.0), Transform::from_xyz(32.0, 20.0, 0.0));
            let player = spawn(&mut app, player);
            run(&mut app, 3);
            let agent = spawn_chaser(&mut app, body, cell(36, 20), player);
            run(&mut app, (4.0 * frames) as usize);
            let before = events(&app).reached.len();
            assert_eq!(before, 1, "{ticks} Hz, {frames} fps, {body:?}");
            let watch = move |mut stood: ResMut<StandingTicks>, agents: Query<&DesiredVelocity>| {
                let desired = agents.get(agent).expect("an agent");
                stood.0 += usize::from(desired.0.length() < 1.0);
            };
            app.init_resource::<StandingTicks>()
                .add_systems(FixedPostUpdate, watch);
            run(&mut app, (8.0 * frames) as usize);
            let arrivals = events(&app).reached.len() - before;
            let stood = app.world().resource::<StandingTicks>().0;
            let context = format!("{ticks} Hz, {frames} fps, {body:?}");
            assert_eq!(
                (stood, arrivals),
                (0, 0),
                "{context}: the chaser stood still or arrived again"
            );
        }
    }
}

#[test]
fn agents_arrive_once_at_every_time_scale_and_tick_rate() {
    for (hz, paces) in [(20.0, &[0.1, 1.0, 10.0][..]), (1000.0, &[1.0, 10.0][..])] {
        for pace in paces.iter().copied() {
            for body in BODIES {
                let mut app = game(hz, PlanMode::Inline);
                build_level(&mut app, "........\n...##...\n...##...\n........\n");
                virtual_time(&mut app).set_relative_speed(pace);
                run(&mut app, 3);
                let (agent, _) = spawn_chase(&mut app, body, cell(1, 1), Vec2::new(6.0, 1.5));
                let ticks = (20.0 * hz / f64::from(pace)) as usize;
                arrive(&mut app, agent, ticks.max(100), (hz, pace, body));
                virtual_time(&mut app).pause();
                run(&mut app, 20);
                virtual_time(&mut app).unpause();
                run(&mut app, 50);
                assert_eq!(events(&app).reached.len(), 1, "{hz} {pace} {body:?}");
                assert_eq!(events(&app).stuck, [], "{hz} {pace} {body:?}");
                assert_off_walls(&mut app, agent, 0.97 * RADIUS, (hz, pace, body));
            }
        }
    }
}

#[test]
fn changes_made_while_time_is_paused_count_when_it_resumes() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 8));
        let (agent, target) = spawn_chase(&mut app, body, cell(2, 4), cell(25, 4));
        run(&mut app, 30);
        virtual_time(&mut app).pause();
        let here = position(&app, agent);
        for n in 0..60 {
            match n % 6 {
                0 => give(&mut app, agent, PathRequest::to(cell(2, 1))),
                1 => {
                    let turn = NavTurn::new(f32::INFINITY);
                    give(&mut app, agent, (turn, NavDrive::Grip(0.3)));
                }
                2 => give(&mut app, agent, NavPaused),
                3 => remove::<(PathRequest, NavPaused)>(&mut app, agent),
                4 => remove::<(NavTurn, NavDrive)>(&mut app, agent),
                _ => set_position(&mut app, target, cell(n % 28, 4)),
            }
            run(&mut app, 1);
        }
        assert!(position(&app, agent).distance(here) < 1e-3, "{body:?}");
        set_position(&mut app, target, cell(25, 4));
        virtual_time(&mut app).unpause();
        run(&mut app, 2);
        arrive(&mut app, agent, 600, "after the pause");
        assert!(position(&app, agent).distance(cell(25, 4)) < 1.0);
    }
}
