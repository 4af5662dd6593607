//! Walls stop all members.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::cell::CellRect;
use crate::random::{any_field, each_case};
use crate::sight;
use crate::terrain::{AreaCosts, Areas};

#[test]
fn no_member_enters_a_wall_or_forbidden_ground() {
    let mut looks = 0;
    each_case(300, |rng| {
        let (grid, field) = any_field(rng, 6..20);
        let rect = grid.rect();
        let mut areas = Areas::plain(rect.width(), rect.height()).expect("a good size");
        let corner = Cell::new(rng.i32(0..6), rng.i32(0..6));
        areas.fill(CellRect::new(corner, corner.offset(2, 2)), 1);
        let forbids = AreaCosts::plain().with(1, AreaCosts::FORBIDDEN);
        let map = NavMap::from_clearance(field, DiagonalPolicy::NoCornerCut)
            .with_areas(areas, &[forbids])
            .expect("the same size");
        let cell = [1.0, 0.5, 3.0][rng.usize(0..3)];
        let layout =
            Layout::new(any_vector(rng, 50.0), cell, rect.width(), rect.height()).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let clearance =
            |place: Vec2| sight::clearance_at(map.clearance(), layout.to_cell_space(place)) * cell;
        let is_free = |member: &Member| {
            let point = layout.to_cell_space(member.place);
            clearance(member.place) >= member.radius + member.margin && !map.is_forbidden(point, 0)
        };
        let size = layout.max_corner() - layout.min_corner();
        let mut members = Vec::new();
        for serial in 0..60 {
            let mut member = any_member(rng, serial, 1.0);
            member.place = layout.min_corner() + size * Vec2::new(rng.f32(), rng.f32());
            (member.radius, member.pace) = (member.radius * cell, member.pace * cell);
            member.margin = [0.0, 0.1][rng.usize(0..2)] * member.radius;
            if is_free(&member) {
                members.push(member);
            }
        }
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..40 {
            step(&mut crowd, &members, &walls, DT, &Cut(2), &mut moved);
            for (member, moved) in members.iter_mut().zip(&moved) {
                let [from, to] = [member.place, moved.place].map(|it| layout.to_cell_space(it));
                let least = member.radius + member.margin - 2e-3 * cell;
                assert!(
                    clearance(moved.place) >= least,
                    "{member:?} {moved:?} {}",
                    clearance(moved.place)
                );
                assert!(
                    map.line_of_sight(from, to, 0.75 * least / cell),
                    "through a wall: {member:?} {moved:?}"
                );
                assert!(!map.is_forbidden(to, 0), "{member:?} {moved:?}");
                looks += usize::from(from != to);
            }
            apply_all(&mut members, &moved);
        }
    });
    assert!(looks > 1000, "members moved only {looks} times");
}

#[test]
fn no_wall_is_within_the_room_of_a_place() {
    let mut looks = 0;
    each_case(300, |rng| {
        let (_, field) = any_field(rng, 6..30);
        let rect = field.rect();
        let map = NavMap::from_clearance(field, DiagonalPolicy::NoCornerCut);
        let cell = [1.0, 0.5, 3.0][rng.usize(0..3)];
        let (width, height) = (rect.width(), rect.height());
        let layout = Layout::new(any_vector(rng, 50.0), cell, width, height).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let size = layout.max_corner() - layout.min_corner();
        for _ in 0..200 {
            let place = layout.min_corner() + size * (1.1 * Vec2::new(rng.f32(), rng.f32()) - 0.05);
            let radius = cell * rng.f32();
            let room = walls.room(0, radius, place);
            for _ in 0..4 {
                let to = place + any_vector(rng, 1.0).normalize_or_zero() * room * 0.999;
                let free = sight::clearance_at(map.clearance(), layout.to_cell_space(to)) * cell;
                assert!(
                    room == 0.0 || free >= radius - 1e-3 * cell,
                    "{place} {room} {free}"
                );
                assert!(to == place || walls.confine(0, radius, place, to) == to);
                looks += u32::from(room > 0.0);
            }
        }
    });
    assert!(looks > 1000, "only {looks} places have room");
}

/// A wall appears where a member stands.
#[test]
fn a_member_inside_a_new_wall_gets_out() {
    let level = Grid::from_fn(9, 9, |cell| cell.x < 5).expect("a size");
    let map = NavMap::new(&level, 2.0, DiagonalPolicy::NoCornerCut);
    let layout = Layout::new(Vec2::ZERO, 1.0, 9, 9).expect("a layout");
    let walls = CrowdGround::new(&map, &layout, 0);
    for y in 2..7 {
        let mut members = [Member {
            place: Vec2::new(4.8, y as f32 + 0.3),
            radius: 0.4,
            settles: true,
            ..Member::default()
        }];
        let mut crowd = Crowd::default();
        for _ in 0..20 {
            advance(&mut crowd, &mut members, &walls);
        }
        assert!(members[0].place.x < 4.605, "{}", members[0].place);
        assert_eq!(members[0].velocity.length(), 0.0);
    }
}

/// Walls that count how often they are checked, and a flag for [`CrowdWalls::stop_lone_members`].
struct Counting(AtomicU32, bool);

impl CrowdWalls for Counting {
    fn push_out(&self, _: u32, _: f32, to: Vec2) -> Vec2 {
        self.0.fetch_add(1, Ordering::Relaxed);
        to
    }

    fn confine(&self, _: u32, _: f32, _: Vec2, to: Vec2) -> Vec2 {
        self.0.fetch_add(1, Ordering::Relaxed);
        to
    }

    fn stop_lone_members(&self) -> bool {
        self.1
    }
}

#[test]
fn walls_that_do_not_stop_lone_members_are_checked_only_for_members_with_neighbors() {
    let asked = |apart: f32, stops: bool| {
        let mut members = chasers(&mut Rng::with_seed(1), 2, Vec2::ZERO, 0.0);
        for (member, x) in members.iter_mut().zip([0.0, apart]) {
            (member.place, member.heading) = (Vec2::new(x, 0.0), Vec2::X);
        }
        let walls = Counting(AtomicU32::new(0), stops);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        step(&mut crowd, &members, &walls, DT, &SingleThread, &mut moved);
        assert!(moved[0].place.x > 0.0);
        walls.0.into_inner() > 0
    };
    assert_eq!([asked(50.0, true), asked(50.0, false)], [true, false]);
    assert_eq!([asked(0.6, true), asked(0.6, false)], [true, true]);
}

/// A wall in column 6 from row 5 upward, with room to pass below it.
#[test]
fn a_member_pressed_against_a_wall_slides_along_it() {
    let grid = Grid::from_fn(12, 12, |cell| cell.x != 6 || cell.y < 5).expect("a good size");
    let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
    let layout = Layout::new(Vec2::splat(-0.5), 1.0, 12, 12).expect("sound");
    let walls = CrowdGround::new(&map, &layout, 0);
    each_case(1000, |rng| {
        let radius = 0.3 + 0.6 * rng.f32();
        let rounding = 2e-4 * rng.f32();
        let from = Vec2::new(5.5 - radius + rounding, 4.2 + 3.0 * rng.f32());
        let from = walls.push_out(0, radius, from);
        let along = 0.05 + 0.1 * rng.f32();
        let to = from + Vec2::new(0.05 * rng.f32(), along);
        let end = walls.confine(0, radius, from, walls.push_out(0, radius, to));
        let made = end.y - from.y;
        assert!(made > 0.4 * along, "{radius} from {from} to {to}: {end}");
    });
}
