//! Chooses the grid that an agent plans on.

use std::cmp::{Ordering, Reverse};

use bevy::prelude::*;
use pursuit::Layout;

use super::baked::BakedGrid;
use super::grids::{GridRef, Grids};
use super::obstacle_layers::ObstacleLayers;
use crate::agent::FailReason;

/// Names the [`NavGrid`](crate::NavGrid) that an agent plans on.
///
/// An agent without this component uses a grid that contains both the agent and its goal. If there is none, it uses a
/// grid that contains the agent. Among several such grids it prefers a baked one, then the one whose plane is nearest,
/// then the smallest, then the one with the most obstacle layers, then the one with the smallest cells. Grids with
/// [`ObstacleLayers::NONE`] come last. Insert this component where grids overlap and only the game knows which grid is
/// right: for a ghost that ignores some walls, for a giant with a grid of its own, or on floors above each other.
///
/// If the named entity has no `NavGrid`, the agent finds no path.
///
/// Inserted, changed and removed by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct OnGrid(#[entities] pub Entity);

impl GridRef<'_> {
    /// Where the cells are, or will be after the first bake. `None` if that is not known yet, or if the grid cannot be
    /// baked.
    pub(crate) fn layout(&self) -> Option<Layout> {
        let planned = self.baked.layout.filter(|_| self.baked.error().is_none());
        self.snapshot()
            .map_or(planned, |snapshot| Some(*snapshot.layout()))
    }

    /// Whether the grid has no layers whose obstacles block it. Such a grid is meant only for agents that name it.
    fn is_blind(&self) -> bool {
        self.baked.layers == ObstacleLayers::NONE
    }

    /// Whether an agent that is outside of all grids may walk back to this grid.
    pub(crate) fn is_open_to_all(&self) -> bool {
        self.snapshot().is_some() && !self.is_blind()
    }

    /// Order of grids that are otherwise equally good: by obstacle layers, by cell size, by bounds. The order depends
    /// on what the game set, so that agents choose the same grid after loading. Grids with equal properties are ordered
    /// by entity index.
    fn order(&self, other: &Self) -> Ordering {
        let layers = |one: &Self| {
            let bits = one.baked.layers.0;
            (Reverse(bits.count_ones()), bits)
        };
        let by_layers = layers(self).cmp(&layers(other));
        let bounds = self.bounds_key().into_iter().zip(other.bounds_key());
        let by_bounds = bounds.fold(by_layers, |order, (one, other)| {
            order.then(one.total_cmp(&other))
        });
        // Bevy orders entities the other way round: the lowest index comes last.
        let [index, other_index] = [self, other].map(|one| one.entity.index_u32());
        by_bounds.then(index.cmp(&other_index))
    }

    /// Side length of the grid's cells, then the lower and the upper corner of the grid.
    fn bounds_key(&self) -> [f32; 5] {
        self.layout().map_or([0.0; 5], |layout| {
            let (from, to) = (layout.min_corner(), layout.max_corner());
            [layout.cell_size(), from.x, from.y, to.x, to.y]
        })
    }

    /// Whether a point of the world is on the grid, at any height.
    pub(crate) fn holds(&self, point: Vec3) -> bool {
        let layout = self.layout();
        layout.is_some_and(|layout| layout.contains_position(self.plane().to_grid(point)))
    }
}

/// The grid to plan on from `start` to `goal`; `None` if there is none.
///
/// This is the `named` grid, if one is named, even if that grid is gone or cannot be baked. Otherwise it is a grid that
/// contains start and goal, else one that contains the start. Among several such grids, baked ones are preferred, then
/// the one whose plane is nearest to the start, then the smallest, then the first in [`GridRef::order`]. Grids without
/// obstacle layers come last.
pub(crate) fn choose_grid<'a>(
    named: Option<OnGrid>,
    start: Vec3,
    goal: Option<Vec3>,
    grids: impl IntoIterator<Item = GridRef<'a>>,
) -> Option<Entity> {
    if let Some(OnGrid(named)) = named {
        return Some(named);
    }
    let mut grids = grids.into_iter();
    let first = grids.next()?;
    let Some(second) = grids.next() else {
        return first.holds(start).then_some(first.entity);
    };
    let all = [first, second].into_iter().chain(grids);
    let candidates = all.filter_map(|grid| Candidate::new(grid, start, goal));
    let best = candidates.min_by(Candidate::order);
    best.map(|candidate| candidate.grid.entity)
}

/// The baked grid nearest to a point outside of all grids. Among grids at the same distance, it is the first in
/// [`GridRef::order`]. An agent that was thrown off its grid walks back there.
pub(crate) fn nearest_grid<'a>(
    point: Vec3,
    grids: impl IntoIterator<Item = GridRef<'a>>,
) -> Option<Entity> {
    let baked = grids.into_iter().filter(GridRef::is_open_to_all);
    let far = |grid: GridRef<'a>| {
        let layout = grid.layout()?;
        let point = grid.plane().to_grid(point);
        let inside = point.clamp(layout.min_corner(), layout.max_corner());
        let away = inside.distance(point);
        away.is_finite().then_some((away, grid))
    };
    let baked = baked.filter_map(far);
    let nearest =
        baked.min_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| one.order(other)));
    nearest.map(|(_, grid)| grid.entity)
}

/// The grid that an agent is on if its path does not say so: the grid that [`choose_grid`] chooses, else the nearest
/// one.
pub(crate) fn grid_at_or_near(
    named: Option<OnGrid>,
    position: Vec3,
    grids: &Grids,
) -> Option<Entity> {
    let chosen = choose_grid(named, position, None, grids.iter());
    chosen.or_else(|| nearest_grid(position, grids.iter()))
}

/// Why no grid contains a position: no grid can be baked, a first bake is still to come, or the position is
/// outside of all grids.
pub(crate) fn why_none<'a>(grids: impl IntoIterator<Item = &'a BakedGrid>) -> FailReason {
    let mut why = FailReason::NoGrid;
    for grid in grids.into_iter().filter(|grid| grid.error().is_none()) {
        if grid.layout.is_none() && grid.snapshot().is_none() {
            return FailReason::NotBaked;
        }
        why = FailReason::OutsideGrid;
    }
    why
}

/// A grid that contains the start. The best candidate is the first in [`Candidate::order`].
struct Candidate<'a> {
    grid: GridRef<'a>,
    misses_goal: bool,
    /// Distance of the start from the plane, in world units.
    height: f32,
    area: f64,
}

impl<'a> Candidate<'a> {
    fn new(grid: GridRef<'a>, start: Vec3, goal: Option<Vec3>) -> Option<Self> {
        let layout = grid.layout()?;
        let side = f64::from(layout.cell_size());
        grid.holds(start).then(|| Self {
            grid,
            misses_goal: goal.is_some_and(|goal| !grid.holds(goal)),
            height: grid.plane().frame().height(start),
            area: layout.cell_count() as f64 * side * side,
        })
    }

    fn order(&self, other: &Self) -> Ordering {
        let rank = |one: &Self| {
            (
                one.grid.is_blind(),
                one.misses_goal,
                one.grid.snapshot().is_none(),
            )
        };
        let by_rank = rank(self).cmp(&rank(other));
        by_rank
            .then(self.height.total_cmp(&other.height))
            .then(self.area.total_cmp(&other.area))
            .then_with(|| self.grid.order(&other.grid))
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;
    use pursuit::{Clearance, DiagonalPolicy};

    use super::*;
    use crate::agent::NavFrame;
    use crate::grid::NavSnapshot;

    fn entity(number: u32) -> Entity {
        Entity::from_raw_u32(number).unwrap()
    }

    type Grid = (Entity, BakedGrid);

    /// A baked grid of unit cells from `min` to `min + size` on both axes.
    fn grid(number: u32, min: f32, size: u32) -> Grid {
        with_cells(
            number,
            Layout::new(Vec2::splat(min), 1.0, size, size).unwrap(),
        )
    }

    fn with_cells(number: u32, layout: Layout) -> Grid {
        let clearance = Clearance::open(layout.width(), layout.height(), 3.0).unwrap();
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1);
        let baked = BakedGrid {
            layout: Some(layout),
            layers: ObstacleLayers::ALL,
            ..BakedGrid::from_snapshot(snapshot)
        };
        (entity(number), baked)
    }

    fn choose(
        named: Option<u32>,
        start: Vec3,
        goal: Option<f32>,
        grids: &[Grid],
    ) -> Option<Entity> {
        let named = named.map(|named| OnGrid(entity(named)));
        let grids = grids
            .iter()
            .map(|(entity, baked)| GridRef::new((*entity, baked)));
        choose_grid(named, start, goal.map(Vec3::splat), grids)
    }

    #[track_caller]
    fn check(grids: &[&Grid], goal: Option<f32>, expected: Option<u32>) {
        let mut grids: Vec<Grid> = grids.iter().map(|grid| (*grid).clone()).collect();
        for _ in 0..2 {
            assert_eq!(
                choose(None, Vec3::splat(5.0), goal, &grids),
                expected.map(entity),
                "the choice depends on the order of the grids, or is wrong"
            );
            grids.reverse();
        }
    }

    #[test]
    fn a_grid_with_start_and_goal_is_preferred_to_a_smaller_one_with_the_start() {
        let (large, small) = (grid(1, 0.0, 100), grid(2, 0.0, 10));
        check(&[&large, &small], Some(50.0), Some(1));
        check(&[&large, &small], Some(9.0), Some(2));
        check(&[&large, &small], None, Some(2));
        check(&[&large, &small], Some(500.0), Some(2));
    }

    #[test]
    fn a_grid_without_the_start_is_never_chosen() {
        check(&[&grid(1, 20.0, 100)], Some(50.0), None);
        check(&[], None, None);
    }

    #[test]
    fn the_nearest_floor_is_chosen() {
        let mut grids = [1, 2, 3].map(|number| grid(number, 0.0, 10 + number));
        for (storey, (_, baked)) in grids.iter_mut().enumerate() {
            baked.plane = NavFrame::XZ.at(Vec3::Y * 10.0 * storey as f32).into();
        }
        for (height, expected) in [(-3.0, 1), (4.0, 1), (6.0, 2), (12.0, 2), (90.0, 3)] {
            let start = Vec3::new(5.0, height, 5.0);
            let chosen = choose(None, start, None, &grids);
            assert_eq!(chosen, Some(entity(expected)), "{height}");
        }
    }

    #[test]
    fn grids_of_one_size_are_ranked_by_layers_cells_places_and_index() {
        let alike = [grid(3, 0.0, 10), grid(2, 1.0, 10), grid(7, 0.0, 10)];
        check(&[&alike[0], &alike[1], &alike[2]], Some(6.0), Some(3));
        let fine = with_cells(9, Layout::new(Vec2::ZERO, 0.5, 20, 20).unwrap());
        check(&[&alike[0], &fine], Some(6.0), Some(9));
        let mut for_ghosts = grid(1, 0.0, 10);
        for_ghosts.1.layers = ObstacleLayers(1 << 5);
        check(&[&for_ghosts, &alike[1]], Some(6.0), Some(2));
        let mut for_giants = grid(8, 0.0, 10);
        for_giants.1.layers = ObstacleLayers(1);
        check(&[&for_ghosts, &for_giants], Some(6.0), Some(8));
        let outside = Vec3::splat(-4.0);
        let both = [&for_ghosts, &for_giants].map(|(entity, baked)| GridRef::new((*entity, baked)));
        assert_eq!(nearest_grid(outside, both), Some(entity(8)));
    }

    #[test]
    fn an_invalid_grid_is_skipped_and_an_unbaked_one_comes_last() {
        let mut failed = grid(1, 0.0, 10);
        (failed.1.snapshot, failed.1.layout) = (None, None);
        let mut pending = grid(2, 0.0, 10);
        pending.1.snapshot = None;
        check(&[&failed, &pending], None, Some(2));
        check(&[&failed, &pending, &grid(3, 0.0, 100)], None, Some(3));
        check(&[&pending, &grid(3, 0.0, 7)], Some(9.0), Some(2));
    }

    #[test]
    fn a_named_grid_is_always_chosen() {
        let grids = [grid(1, 0.0, 10), grid(2, 500.0, 10)];
        for named in [2, 9] {
            let chosen = choose(Some(named), Vec3::splat(5.0), None, &grids);
            assert_eq!(chosen, Some(entity(named)));
        }
    }
}
