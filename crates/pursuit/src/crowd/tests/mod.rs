mod doors;
mod properties;
mod quality;
mod rest;
mod tick;
mod walls;
mod work;

use fastrand::Rng;
use glam::Vec2;

use super::body::CrowdBody;
use super::*;
use crate::cancel::Cancel;
use crate::cell::{Cell, DiagonalPolicy};
use crate::flow::{FieldBounds, FlowField, IntegrationField};
use crate::grid::Grid;
use crate::layout::Layout;
use crate::map::NavMap;

const DT: f32 = 1.0 / 60.0;

/// Ground without walls.
struct Nowhere;

impl CrowdWalls for Nowhere {
    fn push_out(&self, _: u32, _: f32, to: Vec2) -> Vec2 {
        to
    }

    fn confine(&self, _: u32, _: f32, _: Vec2, to: Vec2) -> Vec2 {
        to
    }

    fn room(&self, _: u32, _: f32, _: Vec2) -> f32 {
        f32::INFINITY
    }
}

/// Workers that divide work into this many parts and run the last part first.
struct Cut(usize);

impl Workers for Cut {
    fn parts(&self, _: usize) -> usize {
        self.0
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        parts.into_iter().rev().for_each(work);
    }
}

fn body_of(member: &Member) -> CrowdBody {
    let mut body = CrowdBody::default();
    body.set(member);
    body
}

fn any_vector(rng: &mut Rng, most: f32) -> Vec2 {
    Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * (2.0 * most)
}

fn any_member(rng: &mut Rng, serial: u32, side: f32) -> Member {
    let radius = [0.2, 0.3, 0.3, 1.1][rng.usize(0..4)];
    Member {
        place: any_vector(rng, side),
        velocity: any_vector(rng, 3.0),
        heading: any_vector(rng, 1.0).normalize_or_zero(),
        pace: rng.f32() * 20.0 * radius,
        acceleration: 10.0,
        radius,
        remaining: rng.f32() * 9.0,
        goal_id: rng.u32(0..3),
        stop_distance: 3.0 * rng.f32(),
        weight: [1.0, 1.0, 4.0, f32::INFINITY][rng.usize(0..4)],
        serial,
        settles: rng.bool(),
        ..Member::default()
    }
}

fn any_members(rng: &mut Rng, side: f32) -> Vec<Member> {
    let far = [0.0, 0.0, -40.0, 3000.0][rng.usize(0..4)];
    let count = rng.u32(1..90);
    let member = |serial| {
        let mut member = any_member(rng, serial, side);
        member.place += far;
        member
    };
    (0..count).map(member).collect()
}

/// Fills a crowd, makes one step, and collects the result for each member.
fn step(
    crowd: &mut Crowd,
    members: &[Member],
    walls: &impl CrowdWalls,
    dt: f32,
    workers: &impl Workers,
    moved: &mut Vec<StepResult>,
) {
    crowd.set_members(members);
    crowd.step(walls, dt, workers);
    moved.clear();
    moved.extend((0..members.len()).map(|index| *crowd.result(index)));
}

/// Makes one step, and gives each member its result.
fn advance(crowd: &mut Crowd, members: &mut [Member], walls: &impl CrowdWalls) {
    crowd.set_members(members);
    crowd.step(walls, DT, &SingleThread);
    for (index, member) in members.iter_mut().enumerate() {
        member.apply(crowd.result(index));
    }
}

/// Points a member straight at its goal.
fn head_for(member: &mut Member, goal: Vec2) {
    let way = goal - member.place;
    (member.heading, member.remaining) = (way.normalize_or_zero(), way.length());
}

fn apply_all(members: &mut [Member], moved: &[StepResult]) {
    for (member, moved) in members.iter_mut().zip(moved) {
        member.apply(moved);
    }
}

/// Applies the results of one substep, and updates the remaining distances as a tick does between substeps.
fn go_on(members: &mut [Member], moved: &[StepResult]) {
    for (member, moved) in members.iter_mut().zip(moved) {
        member.remaining -= (moved.place - member.place).dot(member.heading);
    }
    apply_all(members, moved);
}

/// Members scattered around their goal.
fn chasers(rng: &mut Rng, count: u32, goal: Vec2, spread: f32) -> Vec<Member> {
    let member = |serial| Member {
        place: goal + any_vector(rng, spread),
        pace: 6.0,
        acceleration: 20.0,
        radius: 0.3,
        weight: 1.0,
        settles: true,
        serial,
        ..Member::default()
    };
    (0..count).map(member).collect()
}

fn chase(members: &mut [Member], goal: Vec2, walls: &impl CrowdWalls, seconds: f32) {
    let mut crowd = Crowd::default();
    for _ in 0..(seconds / DT) as u32 {
        for member in &mut *members {
            head_for(member, goal);
            member.has_arrived = member.remaining < 0.7;
        }
        advance(&mut crowd, members, walls);
    }
}

/// For each member, the least distance to another one, as a multiple of the sum of their radii.
fn nearest(members: &[Member]) -> Vec<f32> {
    let apart = |one: &Member, other: &Member| {
        one.place.distance(other.place) / (one.radius + other.radius)
    };
    let of = |one: &Member| {
        let others = members.iter().filter(|other| other.serial != one.serial);
        others
            .map(|other| apart(one, other))
            .fold(f32::INFINITY, f32::min)
    };
    members.iter().map(of).collect()
}

/// A map with cells one unit wide. The center of cell (0, 0) is at the origin.
struct UnitMap {
    map: NavMap,
    layout: Layout,
}

impl UnitMap {
    fn new(width: u32, height: u32, is_free: impl FnMut(Cell) -> bool) -> Self {
        let grid = Grid::from_fn(width, height, is_free).expect("a good size");
        Self {
            map: NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut),
            layout: Layout::new(Vec2::splat(-0.5), 1.0, width, height).expect("sound"),
        }
    }

    /// A room with a door on the right, at x = 24, that is `door` cells wide.
    fn with_door(door: i32) -> Self {
        Self::new(40, 20, |cell| {
            cell.x != 24 || (10..10 + door).contains(&cell.y)
        })
    }

    fn walls(&self) -> CrowdGround<'_> {
        CrowdGround::new(&self.map, &self.layout, 0)
    }

    /// The field to a goal, for bodies with this radius.
    fn field_to(&self, goal: Cell, radius: f32) -> FlowField {
        FlowField::build(
            &self.map.layers(radius),
            &[(goal, 0)],
            FieldBounds::default(),
            &mut IntegrationField::new(),
            Cancel::NEVER,
        )
        .expect("not cancelled")
    }

    /// Points a member along a field.
    fn follow(&self, field: &FlowField, member: &mut Member) {
        let sample = (self.map)
            .sample_field(field, member.place, member.radius)
            .expect("a path");
        (member.heading, member.remaining) = (sample.heading, sample.remaining);
    }
}
