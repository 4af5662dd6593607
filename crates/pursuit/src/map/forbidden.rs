//! Cells that some classes of bodies may not walk on, though no obstacle is there.

use std::sync::Arc;

use glam::Vec2;

use crate::cell::{Cell, CellRect};

/// Rectangles of cells, each with the class that it is forbidden to.
#[derive(Clone, Debug, Default)]
pub(super) struct Forbidden(Option<Arc<[(u8, CellRect)]>>);

impl Forbidden {
    /// Those of one class, by rectangles inside of `all` that are not empty.
    pub(super) fn new(rects: &[(u8, CellRect)], all: CellRect) -> Self {
        let inside = rects
            .iter()
            .map(|&(class, rect)| (class, rect.intersect(&all)));
        let rects: Vec<_> = inside.filter(|(_, rect)| !rect.is_empty()).collect();
        Self((!rects.is_empty()).then(|| rects.into()))
    }

    /// The rectangles that are forbidden to a class.
    pub(super) fn to(&self, class: u8) -> impl Iterator<Item = CellRect> + Clone {
        let all = self.0.as_deref().unwrap_or_default().iter();
        all.filter(move |(of, _)| *of == class)
            .map(|(_, rect)| *rect)
    }

    /// Whether a point is in a cell that is forbidden to a class.
    pub(super) fn holds(&self, point: Vec2, class: u8) -> bool {
        self.to(class).any(|rect| rect.contains(Cell::at(point)))
    }

    /// Whether the straight way of a body's center leads into a rectangle that is forbidden to its class. Who stands in
    /// one may leave it.
    pub(super) fn is_entered(&self, from: Vec2, to: Vec2, class: u8) -> bool {
        let mut rects = self.to(class);
        rects.any(|rect| meets(from, to, rect) && !rect.contains(Cell::at(from)))
    }
}

/// Whether a segment meets a rectangle of cells, whose centers lie at whole numbers. Its border is part of it.
fn meets(from: Vec2, to: Vec2, rect: CellRect) -> bool {
    let corner = |cell: Cell| cell.center() - 0.5;
    let (min, max) = (corner(rect.min), corner(rect.max));
    let way = to - from;
    // The part of the way that is between the borders, axis by axis.
    let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            if from[axis] < min[axis] || from[axis] > max[axis] {
                return false;
            }
            continue;
        }
        let [a, b] = [min, max].map(|border| (border[axis] - from[axis]) / way[axis]);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    enters <= leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_through_a_rectangle_is_found_as_by_samples() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut point = || Vec2::new(rng.f32() * 12.0 - 1.0, rng.f32() * 12.0 - 1.0);
        let rect = CellRect::new(Cell::new(3, 4), Cell::new(7, 6));
        let is_inside = |point: Vec2| rect.contains(Cell::at(point));
        let mut crossed = 0;
        for _ in 0..20_000 {
            let (from, to) = (point(), point());
            let sampled = (0..=400).any(|n| is_inside(from.lerp(to, n as f32 / 400.0)));
            let found = meets(from, to, rect);
            // A corner may be cut between two samples.
            assert!(found || !sampled, "{from} to {to}");
            crossed += u32::from(sampled);
        }
        assert!(crossed > 4_000, "{crossed}");
        assert!(!meets(Vec2::ZERO, Vec2::new(0.0, 12.0), rect));
        assert!(!meets(Vec2::ZERO, Vec2::new(2.0, 12.0), rect));
    }

    #[test]
    fn what_lies_outside_or_is_empty_is_left_out() {
        let all = CellRect::new(Cell::new(0, 0), Cell::new(8, 8));
        let wide = CellRect::new(Cell::new(6, 6), Cell::new(20, 7));
        let outside = CellRect::new(Cell::new(9, 9), Cell::new(12, 12));
        let forbidden = Forbidden::new(&[(1, wide), (2, outside)], all);
        let to = |class: u8| forbidden.to(class).collect::<Vec<_>>();
        assert_eq!(to(1), [CellRect::new(Cell::new(6, 6), Cell::new(8, 7))]);
        assert_eq!((to(0), to(2)), (vec![], vec![]));
    }
}
