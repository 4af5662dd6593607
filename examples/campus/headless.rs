//! Every trip on the campus without a window: walked to its end, timed beside full searches, and led back after
//! straying.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::grid::{BakedGrid, NavSnapshot};
use pursuit::steer::{advance, length};
use pursuit_examples::stage::Stage;
use pursuit_lab::routes::{PlaceId, RouteMap, Trip, TripOptions};

use crate::cli::Options;
use crate::files;
use crate::guide::SPEED;
use crate::measure::{Figures, METHODS, Memory, Scratch, bytes_text, measure, memory, timed};
use crate::places::{HAND_LAID, LEVEL, lay_routes};
use crate::world::{WorldPlugin, ready};

/// Steps per second of game time.
const RATE: u32 = 64;
/// Steps until the grid must be baked.
const PATIENCE: u32 = 64 * 60;
/// A walk takes no more steps than this.
const LONGEST_WALK: u32 = RATE * 600;
/// How far a walker is put off its trip, in cells.
const ASTRAY: f32 = 14.0;

/// All there is to tell of one pair of places.
struct Walk {
    from: PlaceId,
    to: PlaceId,
    figures: Figures,
    /// Seconds of game time.
    seconds: f32,
    back: Option<Back>,
}

/// The way back into a trip, beside a new search for the whole of it.
struct Back {
    took: Duration,
    excess: f32,
}

/// Walks from every place to every other, and tells of it.
///
/// # Errors
///
/// A level that cannot be baked, a waypoint map that is refused, a trip that does not end at its place.
pub(crate) fn report(options: &Options) -> Result<String, String> {
    let baked = bake()?;
    let map = baked.map();
    let radius = baked.radius_cells(pursuit_examples::bodies::BODY_RADIUS);
    let begun = Instant::now();
    let routes = match &options.load {
        Some(path) => files::load(path, LEVEL, map, radius)?,
        None => {
            let stage = Stage::parse(LEVEL).map_err(|error| error.to_string())?;
            lay_routes(&stage, &baked).map_err(|error| error.to_string())?
        }
    };
    let took = begun.elapsed();
    let mut text = format!(
        "{} places, {} roads ({} of them laid by hand), {} by {} cells; {} in {:.1} ms\n",
        routes.places().len(),
        routes.roads().len(),
        HAND_LAID.min(routes.roads().len()),
        baked.layout().width(),
        baked.layout().height(),
        if options.load.is_some() {
            "loaded"
        } else {
            "laid"
        },
        1e3 * took.as_secs_f64(),
    );
    if let Some(path) = &options.save {
        let bytes = files::save(path, LEVEL, &routes)?;
        let _ = writeln!(text, "saved {}: {bytes} bytes", path.display());
    }
    let mut walks = Vec::new();
    let mut scratch = Scratch::default();
    for (from, to) in pairs(&routes) {
        walks.push(walk_between(&baked, &routes, from, to, &mut scratch)?);
    }
    text.push('\n');
    text += &table(&routes, &walks);
    text.push('\n');
    text += &summary(&walks, memory(map, &routes));
    Ok(text)
}

fn pairs(routes: &RouteMap) -> impl Iterator<Item = (PlaceId, PlaceId)> + use<> {
    let count = routes.places().len() as u16;
    let all = (0..count).flat_map(move |from| (0..count).map(move |to| (from, to)));
    all.filter(|(from, to)| from != to)
        .map(|(from, to)| (PlaceId(from), PlaceId(to)))
}

/// The campus without a window, a step of game time per update.
fn headless_app() -> Result<App, String> {
    let stage = Stage::parse(LEVEL).map_err(|error| error.to_string())?;
    let step = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / RATE);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(step)
        .insert_resource(stage)
        .add_plugins(WorldPlugin);
    app.finish();
    app.cleanup();
    Ok(app)
}

fn run_until_baked(app: &mut App) -> Result<Arc<NavSnapshot>, String> {
    for _ in 0..PATIENCE {
        app.update();
        let mut grids = app.world_mut().query::<&BakedGrid>();
        let grid = grids.iter(app.world()).next();
        if let Some(error) = grid.and_then(BakedGrid::error) {
            return Err(error.to_string());
        }
        if let Some(baked) = grid.and_then(ready) {
            return Ok(Arc::clone(baked));
        }
    }
    Err("the campus was not baked".to_owned())
}

/// The grid over the campus's colliders, as the plugin bakes it.
fn bake() -> Result<Arc<NavSnapshot>, String> {
    run_until_baked(&mut headless_app()?)
}

fn walk_between(
    baked: &NavSnapshot,
    routes: &RouteMap,
    from: PlaceId,
    to: PlaceId,
    scratch: &mut Scratch,
) -> Result<Walk, String> {
    let [first, last] = [from, to].map(|place| &routes.places()[place.get()]);
    let named = |reason: &str| format!("{} to {}: {reason}", first.name, last.name);
    let measured = measure(baked.map(), routes, first.point, to, scratch);
    let (trip, figures) = measured.map_err(|error| named(&error.to_string()))?;
    let (end, seconds) = walk(&trip, SPEED / baked.layout().cell_size());
    if end.distance(last.point) > 0.01 {
        return Err(named("the walk ends elsewhere"));
    }
    let back = lead_back(baked, routes, &trip, scratch);
    let back = back.map_err(|reason| named(&reason))?;
    Ok(Walk {
        from,
        to,
        figures,
        seconds,
        back,
    })
}

/// Walks along a trip in steps of the game. Gives where the walk ends, and after how many seconds.
fn walk(trip: &Trip, speed: f32) -> (pursuit::glam::Vec2, f32) {
    let mut at = trip.waypoints.first().copied().unwrap_or_default();
    let (mut next, mut steps) = (1, 0);
    while next < trip.waypoints.len() && steps < LONGEST_WALK {
        let step = advance(&trip.waypoints, next, at, speed / RATE as f32);
        at += step.offset;
        next = step.next;
        steps += 1;
    }
    (at, steps as f32 / RATE as f32)
}

/// Puts the walker off the middle of its trip, and leads it back. `None` where there is no room to stray.
fn lead_back(
    baked: &NavSnapshot,
    routes: &RouteMap,
    trip: &Trip,
    scratch: &mut Scratch,
) -> Result<Option<Back>, String> {
    let (map, radius) = (baked.map(), routes.radius());
    let points = &trip.waypoints;
    let (Some(&goal), true) = (points.last(), points.len() > 2) else {
        return Ok(None);
    };
    let leg = points.len() / 2;
    let (a, b) = (points[leg - 1], points[leg]);
    let beside = (a + b) / 2.0 + ASTRAY * (b - a).perp().normalize_or_zero();
    let Some(cell) = map.nearest_free(beside, radius) else {
        return Ok(None);
    };
    let off = cell.center();
    let options = TripOptions::default();
    let (took, back) = timed(|| routes.rejoin(map, trip, off, &options, &mut scratch.nav));
    let back = back.map_err(|error| error.to_string())?;
    if back.waypoints.last() != Some(&goal) {
        return Err("the way back does not lead to the place".to_owned());
    }
    let shortest = map.taut_path(off, goal, radius, &mut scratch.nav);
    let shortest = length(&shortest.map_err(|error| error.to_string())?);
    let excess = 100.0 * (back.length / shortest.max(1.0) - 1.0);
    Ok(Some(Back { took, excess }))
}

fn table(routes: &RouteMap, walks: &[Walk]) -> String {
    let mut text = format!(
        "{:<14}{:<14}{:>7}{:>8} |{:>14}{:>13}{:>11} |{:>7} |{:>10}\n",
        "from", "to", "cells", "walk, s", METHODS[0], METHODS[1], METHODS[2], "longer", "back, us"
    );
    for walk in walks {
        let [from, to] = [walk.from, walk.to].map(|place| &routes.places()[place.get()].name);
        let [trip, jump, a_star] = walk.figures.took.map(micros);
        let back = walk.back.as_ref();
        let back = back.map_or("-".to_owned(), |back| format!("{:.1}", micros(back.took)));
        let _ = writeln!(
            text,
            "{from:<14}{to:<14}{:>7.0}{:>8.1} |{trip:>11.1} us{jump:>10.1} us{a_star:>8.0} us |{:>5.1} % |{back:>10}",
            walk.figures.length,
            walk.seconds,
            walk.figures.excess(),
        );
    }
    text
}

fn summary(walks: &[Walk], memory: Memory) -> String {
    let mean = |value: &dyn Fn(&Walk) -> f64| {
        walks.iter().map(value).sum::<f64>() / walks.len().max(1) as f64
    };
    let mut text = format!("mean of {} trips\n", walks.len());
    for (method, name) in METHODS.iter().enumerate() {
        let _ = writeln!(
            text,
            "  {name:<16}{:>10.1} us{:>12.0} expanded",
            mean(&|walk| micros(walk.figures.took[method])),
            mean(&|walk| f64::from(walk.figures.expanded[method])),
        );
    }
    let excess: Vec<f32> = walks.iter().map(|walk| walk.figures.excess()).collect();
    let longest = excess.iter().copied().fold(0.0, f32::max);
    let _ = writeln!(
        text,
        "  longer than the shortest way by {:.1} %, at most {longest:.1} %",
        mean(&|walk| f64::from(walk.figures.excess())),
    );
    let backs: Vec<&Back> = walks.iter().filter_map(|walk| walk.back.as_ref()).collect();
    let count = backs.len().max(1) as f64;
    let took: f64 = backs.iter().map(|back| micros(back.took)).sum();
    let excess: f64 = backs.iter().map(|back| f64::from(back.excess)).sum();
    let _ = writeln!(
        text,
        "  way back in after straying {ASTRAY} cells: {:.1} us, {:.1} % longer than the shortest way",
        took / count,
        excess / count
    );
    let _ = writeln!(
        text,
        "memory\n  route table, places and roads {}; all routes written out {}\n  a trip works with {}, A* with {}",
        bytes_text(memory.table as u64),
        bytes_text(memory.written_out as u64),
        bytes_text(memory.trip),
        bytes_text(memory.a_star),
    );
    text
}

fn micros(took: Duration) -> f64 {
    took.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_pursuit::NavAgent;

    use crate::buildings::Buildings;
    use crate::guide::{Campus, Guide, PULL, Pull, State, Tour};
    use crate::places::NAMED_TILES;

    fn position<Who: Component>(app: &mut App) -> Vec2 {
        let mut people = app.world_mut().query_filtered::<&Transform, With<Who>>();
        let transform = people.iter(app.world()).next().expect("somebody");
        transform.translation.truncate()
    }

    #[test]
    fn a_guide_that_is_pulled_away_finds_back_and_arrives() {
        let mut app = headless_app().expect("an app");
        let baked = run_until_baked(&mut app).expect("a baked campus");
        let stage = app.world().resource::<Stage>().clone();
        let routes = lay_routes(&stage, &baked).expect("routes");
        let goal = routes.place("Canteen").expect("a place");
        let door = baked.layout().to_world(routes.places()[goal.get()].point);
        let mut campus = Campus {
            baked,
            routes,
            memory: Memory::default(),
            scratch: Scratch::default(),
        };
        let mut tour = Tour::default();
        let from = position::<Guide>(&mut app);
        tour.set_out(&mut campus, from, goal).expect("a trip");
        app.insert_resource(campus).insert_resource(tour);
        let steps = |app: &mut App, count: u32| (0..count).for_each(|_| app.update());
        steps(&mut app, RATE);
        let state = |app: &App| app.world().resource::<Tour>().state;
        assert_eq!(state(&app), State::Walking);
        app.insert_resource(Pull(Some(Vec2::NEG_X * PULL)));
        steps(&mut app, RATE / 2);
        assert_eq!(state(&app), State::Astray);
        app.insert_resource(Pull(None));
        steps(&mut app, 10 * RATE);
        let tour = app.world().resource::<Tour>();
        assert!(tour.back.is_some(), "no way back was planned");
        assert_eq!(tour.state, State::Arrived);
        assert!(position::<Guide>(&mut app).distance(door) < 2.0);
        let apart = position::<NavAgent>(&mut app).distance(door);
        assert!(apart < 60.0, "a visitor is {apart} behind");
    }

    #[test]
    fn a_click_on_a_roof_means_the_door_of_the_building() {
        let stage = Stage::parse(LEVEL).expect("a level");
        let buildings = Buildings::of(&stage);
        for building in &buildings.0 {
            let picked = buildings.pick(&stage, building.middle());
            assert_eq!(picked, Some(building.tile));
        }
        let named = NAMED_TILES.iter().filter(|tile| tile.key.is_some()).count();
        assert_eq!(buildings.0.len() + 1, named, "all but the gate have a roof");
        assert_eq!(buildings.pick(&stage, Vec2::splat(9999.0)), None);
    }

    #[test]
    fn every_place_is_reached_from_every_other() {
        let baked = bake().expect("a baked campus");
        let stage = Stage::parse(LEVEL).expect("a level");
        let routes = lay_routes(&stage, &baked).expect("routes");
        assert_eq!(
            routes.check(baked.map()),
            [],
            "no road leads through a wall"
        );
        let mut scratch = Scratch::default();
        let mut by_route = 0;
        for (from, to) in pairs(&routes) {
            let walk = walk_between(&baked, &routes, from, to, &mut scratch).expect("a walk");
            assert!(walk.figures.excess() < 25.0, "{} %", walk.figures.excess());
            by_route += usize::from(walk.figures.length > routes.reach());
        }
        assert!(by_route > 100, "only {by_route} trips are long");
    }
}
