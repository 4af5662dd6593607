//! Measures a tick of a crowd on the streets of a city, where all members march to one place and gather
//! there. The arguments are a map, the number of members, the number of cells per member, and the number of
//! runs. The fastest run of each tick counts.
//!
//! ```sh
//! cargo run --release -p pursuit --example crowd_march -- Berlin_0_512.map 5000 8 3
//! ```

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::error::Error;
use std::time::Instant;

use pursuit::crowd::{Crowd, CrowdGround, Member, SingleThread};
use pursuit::glam::Vec2;
use pursuit::maps::parse_map;
use pursuit::{
    Cancel, Cell, DiagonalPolicy, FieldBounds, FlowField, IntegrationField, Layout, NavMap,
};

const RADIUS: f32 = 0.3;
/// Speed in radii per second.
const SPEED: f32 = 20.0;
const DT: f32 = 1.0 / 60.0;
const TICKS: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("which map?")?;
    let count: usize = args.next().map_or(Ok(5000), |it| it.parse())?;
    let room: usize = args.next().map_or(Ok(8), |it| it.parse())?;
    let runs: usize = args.next().map_or(Ok(3), |it| it.parse())?;
    let grid = parse_map(&std::fs::read_to_string(file)?)?;
    let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
    let size = map.rect();
    let layout = Layout::new(Vec2::splat(-0.5), 1.0, size.width(), size.height())?;
    let walls = CrowdGround::new(&map, &layout, 0);
    let middle = Cell::new(size.width() as i32 / 2, size.height() as i32 / 2);
    let goal = map.nearest_free(middle.center(), 2.5).ok_or("no room")?;
    let (never, bounds) = (Cancel::NEVER, FieldBounds::default());
    let scratch = &mut IntegrationField::new();
    let field = FlowField::build(&map.layers(RADIUS), &[(goal, 0)], bounds, scratch, never)?;

    let start = scatter(&map, &field, count, room);
    let mut members = Vec::new();
    let mut seconds = [f64::INFINITY; TICKS];
    for _ in 0..runs {
        members.clone_from(&start);
        let mut crowd = Crowd::default();
        for least in &mut seconds {
            for member in &mut members {
                if let Some(way) = map.sample_field(&field, member.place, RADIUS) {
                    (member.heading, member.remaining) = (way.heading, way.remaining);
                }
                member.has_arrived = member.place.distance(goal.center()) < 2.2 * RADIUS;
            }
            let start = Instant::now();
            tick(&mut crowd, &members, &walls);
            *least = least.min(start.elapsed().as_secs_f64());
            for (index, member) in members.iter_mut().enumerate() {
                member.apply(crowd.result(index));
            }
        }
    }
    let mean = seconds.iter().sum::<f64>() / TICKS as f64;
    let stand = members.iter().filter(|member| member.memory.is_settled);
    let sum: Vec2 = members.iter().map(|member| member.place).sum();
    println!(
        "{} members: {:.1} ns each and tick; in the end {} stand, at {} on the mean",
        members.len(),
        1e9 * mean / members.len() as f64,
        stand.count(),
        sum / members.len() as f32
    );
    Ok(())
}

/// The measured code, as a function with a name for profilers.
#[inline(never)]
fn tick(crowd: &mut Crowd, members: &[Member], walls: &CrowdGround<'_>) {
    crowd.set_members(members);
    crowd.step(walls, DT, &SingleThread);
}

/// Members on the ground around the goal, one in `room` cells.
fn scatter(map: &NavMap, field: &FlowField, count: usize, room: usize) -> Vec<Member> {
    let left = |cell: &Cell| field.cost(*cell);
    let mut cells: Vec<Cell> = map
        .rect()
        .cells()
        .filter(|cell| left(cell).is_some())
        .collect();
    cells.sort_by_key(|cell| (left(cell), cell.y, cell.x));
    cells.truncate(room * count);
    let rng = &mut fastrand::Rng::with_seed(1);
    rng.shuffle(&mut cells);
    let walker = |(serial, cell): (usize, &Cell)| Member {
        place: cell.center(),
        radius: RADIUS,
        pace: SPEED * RADIUS,
        acceleration: SPEED * RADIUS / 0.3,
        weight: 1.0,
        serial: serial as u32,
        settles: true,
        ..Member::default()
    };
    cells.iter().take(count).enumerate().map(walker).collect()
}
