//! Golden hashes: every machine must play the same scenes and find the same answers, bit for bit.
//!
//! `goldens.txt` has a row for each scene: its name and a hash. `PURSUIT_WRITE_GOLDENS=1 cargo test -p pursuit_bench
//! goldens` rewrites the file. A commit that changes a hash may change nothing else, and must name the cause.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

use pursuit::glam::Vec2;
use pursuit::{
    Algorithm, Cancel, Cell, DiagonalPolicy, FieldBounds, FlowField, Grid, IntegrationField,
    NavMap, NavScratch, PathOptions,
};

use crate::error::BenchError;
use crate::game;
use crate::game::positions::Hash;
use crate::horde::door::{self, DoorPlan};
use crate::horde::settle::{self, SettlePlan, SettleScene};
use crate::horde::{self, Avoidance, Bodies, HordePlan, Scene};
use crate::report::Report;
use crate::tests::fixture::{Folder, play};

/// The side of all levels, in cells.
const SIDE: u32 = 96;
/// Ticks per second at which each game is played.
const RATES: [f64; 2] = [60.0, 144.0];
/// Number of random queries on each map, and the radii of their bodies, in cells.
const QUERIES: u32 = 150;
const RADII: [f32; 2] = [0.3, 0.9];

/// Locks the file, because the tests of a run write it in parallel.
static FILE: Mutex<()> = Mutex::new(());

/// Compares rows with the rows of the file, or writes them to the file. All differences are reported together.
#[track_caller]
fn check(rows: Vec<(String, String)>) {
    let _one_at_a_time = FILE.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens.txt");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let known = text.lines().filter_map(|line| line.rsplit_once(' '));
    let mut known: BTreeMap<&str, &str> = known.collect();
    if env::var_os("PURSUIT_WRITE_GOLDENS").is_some() {
        known.extend(rows.iter().map(|(name, hash)| (&**name, &**hash)));
        let lines = known.iter().map(|(name, hash)| format!("{name} {hash}\n"));
        fs::write(&path, lines.collect::<String>()).unwrap();
        return;
    }
    let changed = rows
        .iter()
        .filter(|(name, hash)| known.get(&**name) != Some(&&**hash))
        .map(|(name, hash)| format!("{name}: {:?}, now {hash}\n", known.get(&**name)));
    let changed: String = changed.collect();
    assert!(
        changed.is_empty(),
        "hashes differ from the file:\n{changed}"
    );
}

/// Plays a game twice: as usual, and so that each agent is decided in each tick. Returns the hash of all positions,
/// which must be the same.
#[track_caller]
fn positions(play: impl Fn() -> Result<Report, BenchError>, name: &str) -> String {
    let [usual, decided] = [false, true].map(|decides| {
        game::DECIDES_IN_EACH_TICK.set(decides);
        let report = play().unwrap();
        assert_eq!(report.faults, [""; 0], "{name}");
        report.figures["positions_hash"]
            .as_str()
            .unwrap()
            .to_string()
    });
    assert_eq!(
        usual, decided,
        "{name}, if each agent is decided in each tick"
    );
    usual
}

/// The generator `SplitMix64` (Steele, Lea and Flood, 2014). A random number crate could change the levels with a new
/// version.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % u64::from(limit)) as u32
    }

    fn cell(&mut self) -> Cell {
        Cell::new(self.below(SIDE) as i32, self.below(SIDE) as i32)
    }
}

/// Blocks of houses with streets of three and five cells between them, and an alley through every third block.
fn city() -> Grid {
    let is_free = |cell: Cell| {
        let (x, y) = (cell.x % 14, cell.y % 11);
        let has_alley = (cell.x / 14 + cell.y / 11) % 3 == 0;
        x < 3 || y < 5 || (has_alley && x == 8)
    };
    Grid::from_fn(SIDE, SIDE, is_free).unwrap()
}

/// Single walls on a third of all cells.
fn scattered() -> Grid {
    let mut random = Random(1);
    Grid::from_fn(SIDE, SIDE, |_| random.below(3) > 0).unwrap()
}

/// Rooms of 11 by 11 cells with a gap in each wall.
fn rooms() -> Grid {
    let mut random = Random(2);
    let gaps: Vec<i32> = (0..256).map(|_| random.below(11) as i32 + 1).collect();
    let is_free = |cell: Cell| {
        let (x, y) = (cell.x % 12, cell.y % 12);
        let room = (cell.x / 12 + 8 * (cell.y / 12)) as usize;
        (x > 0 || y == gaps[room]) && (y > 0 || x == gaps[128 + room])
    };
    Grid::from_fn(SIDE, SIDE, is_free).unwrap()
}

/// The city, with ground costs of 1 to 9.
fn rough_city() -> Grid {
    let (mut random, city) = (Random(3), city());
    let patches: Vec<u8> = (0..144).map(|_| random.below(9) as u8 + 1).collect();
    let mut builder = city.to_builder();
    for cell in city.rect().cells() {
        let cost = patches[(cell.x / 8 + 12 * (cell.y / 8)) as usize];
        builder.set_cost(cell, cost).unwrap();
    }
    builder.build()
}

fn map_of(grid: &Grid) -> NavMap {
    let map = NavMap::new(grid, 2.0, DiagonalPolicy::NoCornerCut);
    map.with_costs(grid).unwrap()
}

/// A level as the text of a map file.
fn text_of(grid: &Grid) -> String {
    let mut text = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n");
    for y in (0..SIDE as i32).rev() {
        let row = (0..SIDE as i32).map(|x| grid.is_free(Cell::new(x, y)));
        text.extend(row.map(|is_free| if is_free { '.' } else { '@' }));
        text.push('\n');
    }
    text
}

fn bodies(rate: f64, mixed: bool) -> Bodies {
    Bodies {
        rate,
        mixed,
        ..Bodies::PLAIN
    }
}

fn march(folder: &Folder, agents: usize, scene: Scene, rate: f64) -> HordePlan {
    HordePlan {
        play: play(folder, &text_of(&city()), agents, 3.0, 1),
        avoidance: Avoidance::Separation,
        scene,
        bodies: bodies(rate, false),
        doors: false,
        heap_agents: 1,
    }
}

fn play_hordes(plans: impl IntoIterator<Item = (&'static str, HordePlan)>) {
    let mut rows = Vec::new();
    for (name, plan) in plans {
        let (agents, rate) = (plan.play.agents, plan.bodies.rate);
        let name = format!("horde {name} {agents} agents {rate} Hz");
        let hash = positions(|| horde::run(&plan), &name);
        rows.push((name, hash));
    }
    check(rows);
}

#[test]
fn goldens_two_thousand_march() {
    let folder = Folder::new("goldens-march");
    let plan = |rate| ("march", march(&folder, 2000, Scene::March, rate));
    play_hordes(RATES.map(plan));
}

#[test]
fn goldens_two_thousand_stand() {
    let folder = Folder::new("goldens-stand");
    let plan = |rate| ("stand", march(&folder, 2000, Scene::Stand, rate));
    play_hordes(RATES.map(plan));
}

#[test]
fn goldens_small_and_mixed_hordes() {
    let folder = Folder::new("goldens-small");
    let plans = RATES.map(|rate| {
        let of = |agents| march(&folder, agents, Scene::March, rate);
        let (shut, through, mixed) = (of(300), of(500), of(300));
        [
            ("march on paths", of(60)),
            (
                "march with doors that shut",
                HordePlan {
                    doors: true,
                    ..shut
                },
            ),
            (
                "march through one another",
                HordePlan {
                    avoidance: Avoidance::None,
                    ..through
                },
            ),
            (
                "spread of mixed sizes",
                HordePlan {
                    bodies: bodies(rate, true),
                    scene: Scene::Spread,
                    ..mixed
                },
            ),
        ]
    });
    play_hordes(plans.into_iter().flatten());
}

#[test]
fn goldens_doors() {
    let mut rows = Vec::new();
    for rate in RATES {
        let door = |width| DoorPlan {
            width,
            beside: None,
            agents: 120,
            seeds: 2,
            seed: 1,
            bodies: bodies(rate, false),
        };
        let plans = [
            ("one body wide", door(1.0)),
            ("two bodies wide", door(2.0)),
            (
                "two beside each other",
                DoorPlan {
                    beside: Some(8.0),
                    ..door(1.0)
                },
            ),
            (
                "mixed sizes",
                DoorPlan {
                    bodies: bodies(rate, true),
                    ..door(3.0)
                },
            ),
        ];
        for (name, plan) in plans {
            let name = format!("door {name} {rate} Hz");
            let hash = positions(|| door::run(&plan), &name);
            rows.push((name, hash));
        }
    }
    check(rows);
}

#[test]
fn goldens_settling() {
    let mut rows = Vec::new();
    for rate in RATES {
        for scene in [
            SettleScene::Open,
            SettleScene::Corner,
            SettleScene::Room,
            SettleScene::Corridor,
            SettleScene::Leaves,
        ] {
            let plan = SettlePlan {
                scene,
                agents: 100,
                seed: 1,
                bodies: bodies(rate, scene == SettleScene::Corner),
            };
            let name = format!("settle {scene:?} {rate} Hz");
            let hash = positions(|| settle::run(&plan), &name);
            rows.push((name, hash));
        }
    }
    check(rows);
}

#[test]
fn goldens_searches() {
    let astar = PathOptions {
        algorithm: Algorithm::AStar,
        ..PathOptions::default()
    };
    let mut rows = Vec::new();
    let maps = [
        ("city", city()),
        ("scattered", scattered()),
        ("rooms", rooms()),
    ];
    for (name, grid) in maps.into_iter().chain([("rough city", rough_city())]) {
        let (map, mut scratch) = (map_of(&grid), NavScratch::new());
        for (search, options) in [("auto", &PathOptions::default()), ("a-star", &astar)] {
            let (mut random, mut hash) = (Random(4), Hash::default());
            for query in 0..QUERIES {
                let (start, goal) = (random.cell(), random.cell());
                let radius = RADII[query as usize % 2];
                match map.find_path(start, goal, radius, options, &mut scratch) {
                    Ok(found) => {
                        hash.add(found.path.cost as u32);
                        hash.add(found.stats.expanded);
                        hash.add(found.stats.pushed);
                        found
                            .path
                            .cells()
                            .for_each(|cell| hash.add_place(cell.center()));
                    }
                    Err(_) => hash.add(u32::MAX),
                }
            }
            rows.push((format!("search {search} {name}"), hash.hex()));
        }
        let (mut random, mut hash) = (Random(5), Hash::default());
        for query in 0..QUERIES {
            let ends = [random.cell(), random.cell()].map(|cell| cell.center() + Vec2::splat(0.2));
            let radius = RADII[query as usize % 2];
            if let Ok(points) = map.taut_path(ends[0], ends[1], radius, &mut scratch) {
                points.into_iter().for_each(|point| hash.add_place(point));
            }
        }
        rows.push((format!("taut paths {name}"), hash.hex()));
    }
    check(rows);
}

#[test]
fn goldens_fields() {
    let mut scratch = IntegrationField::new();
    let mut rows = Vec::new();
    let maps = [
        ("city", city()),
        ("scattered", scattered()),
        ("rooms", rooms()),
    ];
    for (name, grid) in maps.into_iter().chain([("rough city", rough_city())]) {
        let (map, mut hash) = (map_of(&grid), Hash::default());
        for radius in RADII {
            let layers = map.layers(radius);
            let goal = layers.nearest_free(Vec2::splat(40.0)).unwrap();
            let bounds = FieldBounds::default();
            let field =
                FlowField::build(&layers, &[(goal, 0)], bounds, &mut scratch, Cancel::NEVER)
                    .unwrap();
            for cell in map.rect().cells() {
                hash.add(field.cost(cell).unwrap_or(u32::MAX));
                hash.add(u32::from(field.can_go_straight(cell)));
                hash.add_place(field.direction(cell).unwrap_or(Vec2::NAN));
                if let Some(way) =
                    map.sample_field(&field, cell.center() + Vec2::splat(0.3), radius)
                {
                    hash.add_place(way.heading);
                    hash.add_place(Vec2::new(way.remaining, way.clear_distance));
                }
            }
        }
        rows.push((format!("field {name}"), hash.hex()));
    }
    check(rows);
}
