//! Where a walker joins a way, and where it leaves it.

use glam::Vec2;

/// A point of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    pub(super) point: Vec2,
    /// Index of the waypoint after it.
    pub(super) next: usize,
}

/// The last point of a way that is at most `reach` from `center`, or the first point of all.
///
/// Of all points in reach it is the one from which the rest of the way is shortest, so that a walker who goes there loses
/// least of what the way is longer than it might be.
pub(super) fn last_in_reach(points: &[Vec2], center: Vec2, reach: f32) -> Option<Joint> {
    let is_near = |point: Vec2| point.distance(center) <= reach;
    for (index, leg) in points.windows(2).enumerate().rev() {
        let (a, b) = (leg[0], leg[1]);
        if is_near(b) {
            let next = index + 2;
            return Some(Joint { point: b, next });
        }
        if let Some(point) = leaves(a, b, center, reach) {
            let next = index + 1;
            return Some(Joint { point, next });
        }
    }
    points.first().map(|&point| Joint { point, next: 1 })
}

/// Where the line from `a` to `b`, which is out of reach, leaves the circle; `None` if it does not meet it.
fn leaves(a: Vec2, b: Vec2, center: Vec2, reach: f32) -> Option<Vec2> {
    let (along, offset) = (b - a, a - center);
    let square = along.length_squared();
    let half = along.dot(offset);
    let under_root = half * half - square * (offset.length_squared() - reach * reach);
    if square.is_nan() || square <= 0.0 || under_root.is_nan() || under_root < 0.0 {
        return None;
    }
    let time = (under_root.sqrt() - half) / square;
    (0.0..1.0).contains(&time).then(|| a + along * time)
}

/// The part of a way between two joints, the first of which lies on the way from its begin, the other on the way from
/// its end. `None` if they have passed each other.
pub(super) fn between(points: &[Vec2], entry: Joint, exit: Joint) -> Option<Vec<Vec2>> {
    // Counted from the end, the exit's next waypoint is the one before it.
    let before_exit = points.len().checked_sub(exit.next + 1)?;
    let inner = points.get(entry.next..before_exit + 1).unwrap_or_default();
    let is_in_order = entry.next <= before_exit
        || entry.next == before_exit + 1 && {
            let begin = points[before_exit];
            begin.distance(entry.point) < begin.distance(exit.point)
        };
    if !is_in_order {
        return None;
    }
    let mut part = Vec::with_capacity(inner.len() + 2);
    part.push(entry.point);
    for &point in inner.iter().chain([&exit.point]) {
        if part.last() != Some(&point) {
            part.push(point);
        }
    }
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELL: [Vec2; 3] = [Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)];

    fn joint_of(points: &[Vec2], center: Vec2, reach: f32) -> Option<Joint> {
        last_in_reach(points, center, reach)
    }

    #[test]
    fn a_way_is_joined_where_it_leaves_the_reach() {
        let joint = joint_of(&ELL, Vec2::new(4.0, 3.0), 5.0).unwrap();
        assert_eq!((joint.point, joint.next), (Vec2::new(8.0, 0.0), 1));
        let joint = joint_of(&ELL, Vec2::new(10.0, 6.0), 5.0).unwrap();
        assert_eq!((joint.point, joint.next), (ELL[2], 3));
    }

    #[test]
    fn a_way_out_of_reach_is_joined_at_its_begin() {
        let joint = joint_of(&ELL, Vec2::new(-9.0, 0.0), 5.0).unwrap();
        assert_eq!((joint.point, joint.next), (Vec2::ZERO, 1));
        assert_eq!(joint_of(&[], Vec2::ZERO, 5.0), None);
        let alone = joint_of(&ELL[..1], Vec2::ZERO, 5.0).unwrap();
        assert_eq!((alone.point, alone.next), (Vec2::ZERO, 1));
    }

    #[test]
    fn joints_that_have_passed_each_other_leave_nothing() {
        let back: Vec<Vec2> = ELL.iter().rev().copied().collect();
        let part = |entry: (Vec2, f32), exit: (Vec2, f32)| {
            let entry = joint_of(&ELL, entry.0, entry.1).unwrap();
            let exit = joint_of(&back, exit.0, exit.1).unwrap();
            between(&ELL, entry, exit)
        };
        assert_eq!(
            part((ELL[0], 2.0), (ELL[2], 3.0)).unwrap(),
            [Vec2::new(2.0, 0.0), ELL[1], Vec2::new(10.0, 7.0),]
        );
        assert_eq!(part((ELL[0], 12.0), (ELL[2], 3.0)).unwrap().len(), 2);
        assert_eq!(part((ELL[0], 12.0), (ELL[2], 8.0)), None);
        assert_eq!(part((ELL[0], 100.0), (ELL[2], 100.0)), None);
        let leg = part((ELL[0], 3.0), (ELL[2], 12.0)).unwrap();
        assert_eq!(leg.len(), 2, "both on one leg, in order");
        assert_eq!(part((ELL[0], 5.0), (ELL[2], 12.0)), None, "on one leg");
    }
}
