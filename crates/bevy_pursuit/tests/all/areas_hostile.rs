//! Ground that is forbidden, against agents that are put there, sent there and lured there.
#![allow(warnings, clippy::all)]

use crate::common::*;
use bevy_pursuit::core::Cell;

const MUD: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);
const ROAD: AreaId = AreaId(3);
const DUCK: u8 = 1;
const MUDDY: u8 = 2;

fn land(mode: PlanMode, w: usize, h: usize) -> App {
    let mut app = new_level(mode, &open(w, h));
    kinds(&mut app);
    app
}

fn kinds(app: &mut App) {
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    areas.add("mud", 3.0, Color::BLACK);
    areas.add("water", f32::INFINITY, Color::BLACK);
    areas.add("road", 0.25, Color::BLACK);
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    classes.add(AgentClass::default().with_cost(WATER, 1.0));
    classes.add(AgentClass::default().forbidding(MUD));
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
    Rect::from_corners(Vec2::new(x0, y0), Vec2::new(x1, y1))
}

fn patch(app: &mut App, area: AreaId, r: Rect) -> Entity {
    let shape = NavObstacle::rectangle(r.half_size()).with_layers(WALLS);
    spawn(app, (shape, NavArea::new(area), transform_at(r.center())))
}

fn agent(app: &mut App, body: Body, class: u8, at: Vec2, rest: impl Bundle) -> Entity {
    let e = spawn_with(app, body, at, rest);
    get_mut::<NavAgent>(app, e).class = class;
    e
}

fn settle(app: &mut App) {
    run_slowly(app, 30);
}

fn area_at(app: &mut App, grid: Entity, c: Cell) -> u8 {
    let map = snapshot(app, grid).map().clone();
    map.areas().map_or(0, |a| a.area(c))
}

// 1. out of a lake by the near shore
#[test]
fn who_is_put_into_a_lake_leaves_by_the_near_shore() {
    let lake = rect(10., 6., 22., 26.);
    let mut bad = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for (at, near, goal) in [
            (
                Vec2::new(14.3, 16.2),
                Vec2::new(10., 16.2),
                Vec2::new(27.5, 16.5),
            ),
            (
                Vec2::new(20.1, 16.2),
                Vec2::new(22., 16.2),
                Vec2::new(3.5, 16.5),
            ),
            (
                Vec2::new(14.3, 16.2),
                Vec2::new(10., 16.2),
                Vec2::new(3.5, 16.5),
            ),
            (
                Vec2::new(16.0, 8.5),
                Vec2::new(16., 6.),
                Vec2::new(16.5, 29.5),
            ),
        ] {
            let mut app = land(mode, 32, 32);
            patch(&mut app, WATER, lake);
            settle(&mut app);
            let a = agent(
                &mut app,
                body,
                0,
                Vec2::new(3.5, 3.5),
                PathRequest::to(goal),
            );
            run_slowly(&mut app, 20);
            place(&mut app, a, at);
            let mut out_at = None;
            let mut back = false;
            let mut ticks = 0;
            for t in 0..1500 {
                tick(&mut app);
                let p = position(&app, a);
                let inside = lake.inflate(-0.05).contains(p);
                if !inside && out_at.is_none() {
                    out_at = Some((t, p));
                }
                if inside && out_at.is_some() {
                    back = true;
                }
                ticks = t;
                if has_arrived(&app, a) {
                    break;
                }
            }
            let what = format!(
                "{mode:?} {body:?} at {at} goal {goal}: out {out_at:?}, back {back}, arrived {} in {ticks}, {:?} {}",
                has_arrived(&app, a),
                status(&app, a),
                position(&app, a)
            );
            let near_ok = out_at.is_some_and(|(_, p)| p.distance(near) < 2.0);
            if back || !has_arrived(&app, a) || !near_ok {
                bad.push(what);
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn a_goal_in_water_draws_nobody_in() {
    let lake = rect(10., 6., 22., 26.);
    let mut bad = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for goal in [
            Vec2::new(10.4, 16.4),
            Vec2::new(11.5, 16.5),
            Vec2::new(15.8, 16.3),
            Vec2::new(21.6, 10.2),
        ] {
            for is_chase in [false, true] {
                let mut app = land(mode, 32, 32);
                patch(&mut app, WATER, lake);
                settle(&mut app);
                let a = spawn_sent(&mut app, body, Vec2::new(3.5, 16.5), goal, is_chase);
                let mut deepest = 0.0f32;
                for _ in 0..500 {
                    tick(&mut app);
                    let p = position(&app, a);
                    if lake.contains(p) {
                        let d = (p.x - lake.min.x)
                            .min(lake.max.x - p.x)
                            .min(p.y - lake.min.y)
                            .min(lake.max.y - p.y);
                        deepest = deepest.max(d);
                    }
                }
                let line = format!(
                    "{mode:?} {body:?} goal {goal} chase {is_chase}: {:?} {:?} at {} deepest {deepest}",
                    status(&app, a),
                    legs(&app, a),
                    position(&app, a)
                );
                println!("{line}");
                let away = position(&app, a).distance(goal);
                let shore = (goal.x - lake.min.x).min(lake.max.x - goal.x);
                let moving = desired(&app, a).length() > 0.01;
                if deepest > 0.02 || moving || away > shore + 1.5 {
                    bad.push(line);
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn a_road_in_a_corner_of_the_map_spoils_no_chase() {
    let mut bad = Vec::new();
    for mode in MODES {
        let mut results = Vec::new();
        for with_road in [false, true] {
            let mut app = land(mode, 80, 60);
            if with_road {
                patch(&mut app, ROAD, rect(70., 50., 79., 53.));
            }
            settle(&mut app);
            // straight walk
            let from = Vec2::new(5.2, 5.7);
            let goal = Vec2::new(40.3, 13.9);
            let w = agent(&mut app, Body::Transform, 0, from, PathRequest::to(goal));
            let mut walked = 0.0;
            let mut last = from;
            let mut n = 0;
            for k in 0..1500 {
                tick(&mut app);
                let p = position(&app, w);
                walked += p.distance(last);
                last = p;
                n = k;
                if has_arrived(&app, w) {
                    break;
                }
            }
            results.push((
                with_road,
                walked / from.distance(goal),
                n,
                get::<NavPath>(&app, w).waypoints().len(),
                has_arrived(&app, w),
            ));
            let ratio = walked / from.distance(goal);
            if ratio > 1.02 || !has_arrived(&app, w) {
                bad.push(format!(
                    "walk {mode:?} road {with_road} ratio {ratio} arrived {}",
                    has_arrived(&app, w)
                ));
            }
            // running target
            let (c, t) = spawn_chase(
                &mut app,
                Body::Transform,
                Vec2::new(5.5, 30.5),
                Vec2::new(10.5, 30.5),
            );
            let mut dmax = 0.0f32;
            let mut slow = 0;
            for k in 0..450 {
                let at = Vec2::new(
                    10.5 + 7.2 * k as f32 / 60.0,
                    30.5 + 3.0 * (k as f32 / 30.0).sin(),
                );
                place(&mut app, t, at);
                tick(&mut app);
                dmax = dmax.max(position(&app, c).distance(at));
                if k > 40 && desired(&app, c).length() < 6.0 && !has_arrived(&app, c) {
                    slow += 1;
                }
            }
            results.push((with_road, dmax, slow, 0, has_arrived(&app, c)));
            arrive(&mut app, c, 300, "running target");
        }
        println!("{mode:?} {results:?}");
        if (results[3].1 > results[1].1 + 1.0) || results[3].2 > results[1].2 + 15 {
            bad.push(format!("chase {mode:?} {results:?}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn a_wall_in_a_lake_is_walked_around() {
    let mut bad = Vec::new();
    let lake = rect(8., 4., 24., 28.);
    for (mode, body) in modes_and_bodies() {
        for (h, is_chase, fresh) in [
            (4., false, true),
            (4., true, true),
            (4., false, false),
            (7., false, true),
            (1.5, false, true),
        ] {
            let mut app = land(mode, 32, 32);
            patch(&mut app, WATER, lake);
            spawn_wall(&mut app, Vec2::new(13.5, 16.), Vec2::new(1.5, h));
            settle(&mut app);
            let at = Vec2::new(15.6, 16.3);
            let a = spawn_sent(
                &mut app,
                body,
                if fresh { at } else { Vec2::new(3.5, 3.5) },
                Vec2::new(29.5, 16.5),
                is_chase,
            );
            if !fresh {
                run_slowly(&mut app, 10);
                place(&mut app, a, at);
            }
            let mut n = 0;
            while !has_arrived(&app, a) && n < 1200 {
                tick(&mut app);
                n += 1;
            }
            let line = format!(
                "{mode:?} {body:?} half {h} chase {is_chase} fresh {fresh}: {n} ticks at {} {:?} {:?} wants {} path {:?}",
                position(&app, a),
                status(&app, a),
                legs(&app, a),
                desired(&app, a),
                waypoints(&get::<NavPath>(&app, a))
            );
            if n == 1200 {
                bad.push(line)
            } else {
                println!("{line}")
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn who_begins_in_a_lake_leaves_by_the_near_shore() {
    let lake = rect(10., 6., 22., 26.);
    let mut bad = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for how in [
            "fresh",
            "fresh chase",
            "teleport",
            "teleport chase",
            "teleport, then goal moved",
        ] {
            for (at, near, goal) in [
                (
                    Vec2::new(14.3, 16.2),
                    Vec2::new(10., 16.2),
                    Vec2::new(27.5, 16.5),
                ),
                (
                    Vec2::new(20.1, 16.2),
                    Vec2::new(22., 16.2),
                    Vec2::new(3.5, 16.5),
                ),
            ] {
                let mut app = land(mode, 32, 32);
                patch(&mut app, WATER, lake);
                settle(&mut app);
                let fresh = how.starts_with("fresh");
                let a = spawn_sent(
                    &mut app,
                    body,
                    if fresh { at } else { Vec2::new(3.5, 3.5) },
                    goal,
                    how.ends_with("chase"),
                );
                if !fresh {
                    run_slowly(&mut app, 20);
                    place(&mut app, a, at);
                }
                if how.ends_with("moved") {
                    tick(&mut app);
                    get_mut::<PathRequest>(&mut app, a).goal.y += 0.2;
                }
                let mut out = None;
                for t in 0..600 {
                    tick(&mut app);
                    let p = position(&app, a);
                    if !lake.inflate(-0.05).contains(p) {
                        out = Some((t, p));
                        break;
                    }
                }
                let line = format!("{mode:?} {body:?} {how} at {at} near {near}: out {out:?}");
                if out.is_some_and(|(_, p)| p.distance(near) < 2.0) {
                    println!("ok {line}")
                } else {
                    bad.push(line)
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn who_is_in_a_room_that_is_flooded_leaves_by_its_door() {
    let mut bad = Vec::new();
    for (mode, body) in modes_and_bodies() {
        for late in [false, true] {
            // A room with a door on the right; walls one thick.
            let mut app = new_level(
                mode,
                "
            ........................
            ........................
            ..##############........
            ..#............#........
            ..#............#........
            ..#.....................
            ..#............#........
            ..#............#........
            ..##############........
            ........................
            ........................
        ",
            );
            kinds(&mut app);
            let flood = rect(3., 3., 15., 8.);
            if !late {
                patch(&mut app, WATER, flood);
            }
            settle(&mut app);
            let a = agent(
                &mut app,
                body,
                0,
                Vec2::new(4.5, 5.5),
                PathRequest::to(Vec2::new(20.5, 5.5)),
            );
            if late {
                run_slowly(&mut app, 5);
                patch(&mut app, WATER, flood);
            }
            let mut n = 0;
            while !has_arrived(&app, a) && n < 900 {
                tick(&mut app);
                n += 1;
            }
            let line = format!(
                "{mode:?} {body:?} late {late}: {n} at {} {:?} {:?} path {:?}",
                position(&app, a),
                status(&app, a),
                legs(&app, a),
                waypoints(&get::<NavPath>(&app, a))
            );
            if n == 900 {
                bad.push(line)
            } else {
                println!("{line}")
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

fn flood_fill(free: &dyn Fn(i32, i32) -> bool, w: i32, h: i32, from: (i32, i32)) -> Vec<bool> {
    let mut seen = vec![false; (w * h) as usize];
    let mut todo = vec![from];
    while let Some((x, y)) = todo.pop() {
        if x < 0 || y < 0 || x >= w || y >= h || seen[(y * w + x) as usize] || !free(x, y) {
            continue;
        }
        seen[(y * w + x) as usize] = true;
        todo.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
    }
    seen
}

#[test]
fn on_any_map_all_get_where_they_can_and_stay_dry() {
    let mut bad = Vec::new();
    let (mut walked, mut unreachable) = (0, 0);
    for seed in 1..=60u64 {
        let mut rng = Rng(seed.wrapping_mul(0x9E3779B97F4A7C15) | 1);
        let mode = MODES[(seed % 2) as usize];
        let body = BODIES[(seed % 3) as usize];
        let (w, h) = (30, 24);
        let mut map = vec![vec![b'.'; w as usize]; h as usize];
        for _ in 0..14 {
            let (x, y, l, v) = (rng.below(26), rng.below(20), 2 + rng.below(6), rng.below(2));
            for k in 0..l {
                let (x, y) = if v == 0 { (x + k, y) } else { (x, y + k) };
                if x < 30 && y < 24 {
                    map[y as usize][x as usize] = b'#';
                }
            }
        }
        let mut areas = vec![vec![0u8; w as usize]; h as usize];
        let text: String = map
            .iter()
            .map(|row| format!("{}\n", std::str::from_utf8(row).unwrap()))
            .collect();
        let mut app = new_level(mode, &text);
        kinds(&mut app);
        for n in 0..12 {
            let (x, y, dx, dy, a) = (
                rng.below(26),
                rng.below(20),
                1 + rng.below(6),
                1 + rng.below(6),
                [1u8, 2, 2, 3][rng.below(4) as usize],
            );
            let e = patch(
                &mut app,
                AreaId(a),
                rect(x as f32, y as f32, (x + dx) as f32, (y + dy) as f32),
            );
            get_mut::<NavArea>(&mut app, e).priority = n;
            for yy in y..(y + dy).min(24) {
                for xx in x..(x + dx).min(30) {
                    areas[yy as usize][xx as usize] = a;
                }
            }
        }
        settle(&mut app);
        let free = |x: i32, y: i32| {
            map[y as usize][x as usize] == b'.' && areas[y as usize][x as usize] != 2
        };
        for _ in 0..4 {
            let pick = |rng: &mut Rng| loop {
                let (x, y) = (rng.below(30) as i32, rng.below(24) as i32);
                if free(x, y) {
                    return (x, y);
                }
            };
            let (s, g) = (pick(&mut rng), pick(&mut rng));
            let seen = flood_fill(&free, w, h, s);
            let can = seen[(g.1 * w + g.0) as usize];
            let (from, to) = (
                Vec2::new(s.0 as f32 + 0.5, s.1 as f32 + 0.5),
                Vec2::new(g.0 as f32 + 0.5, g.1 as f32 + 0.5),
            );
            let a = agent(&mut app, body, 0, from, PathRequest::to(to));
            let mut wet = None;
            let mut n = 0;
            while !has_arrived(&app, a) && n < 900 {
                tick(&mut app);
                n += 1;
                let p = position(&app, a);
                // wet: at least 0.03 deep in a water cell, to all sides
                let deep = [(0.03, 0.03), (-0.03, 0.03), (0.03, -0.03), (-0.03, -0.03)]
                    .iter()
                    .all(|(dx, dy)| {
                        let (x, y) = ((p.x + dx).floor() as i32, (p.y + dy).floor() as i32);
                        x >= 0 && y >= 0 && x < w && y < h && areas[y as usize][x as usize] == 2
                    });
                if deep && wet.is_none() {
                    wet = Some((n, p));
                }
                if !can && n > 400 {
                    break;
                }
            }
            let arrived = has_arrived(&app, a);
            if can {
                walked += 1
            } else {
                unreachable += 1
            }
            if wet.is_some() || arrived != can {
                bad.push(format!("seed {seed} {mode:?} {body:?} {from}->{to} can {can} arrived {arrived} in {n} wet {wet:?} {:?} {:?} at {}", status(&app, a), legs(&app, a), position(&app, a)));
            }
            despawn(&mut app, a);
        }
    }
    println!("walked {walked} unreachable {unreachable}");
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}
