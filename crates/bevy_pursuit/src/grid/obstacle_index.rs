//! Finds the obstacles near a point. Their convex pieces are sorted into tiles, which consecutive bakes share.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use bevy::ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy::math::{DVec2, Vec2};

use super::piece::Piece;

/// Side of a tile, in cells.
const TILE_SIDE: f64 = 16.0;

/// The obstacles of one baked state, indexed by position. Immutable. Lengths are in cells, points in the grid's
/// cell space.
///
/// An edit creates a new index that shares all tiles that the edit does not touch.
#[derive(Clone)]
pub(crate) struct ObstacleIndex {
    /// Width and height of the grid.
    size: DVec2,
    /// Pieces outside of the grid matter up to this distance from it, in cells.
    margin: f64,
    /// The tiles, row by row. A tile at the border also contains the pieces beside it that are outside of the grid.
    rows: Vec<Arc<[Tile]>>,
}

/// The pieces whose bounding boxes meet a tile.
type Tile = Arc<[Part]>;

/// One piece of an obstacle.
#[derive(Clone)]
struct Part {
    entity: Entity,
    pieces: Arc<[Piece]>,
    number: u32,
    /// Row and column of the first tile that contains the piece.
    first: [u32; 2],
    /// Bounding box of the piece. A test against the box avoids reading the piece, which is elsewhere in memory.
    min: Vec2,
    max: Vec2,
}

/// The differences between two indices.
#[derive(Default)]
pub(crate) struct IndexEdits {
    gone: Vec<Arc<[Piece]>>,
    new: Vec<(Entity, Arc<[Piece]>)>,
}

impl IndexEdits {
    /// Removes the obstacle that holds these pieces, which are identified by their address.
    pub(crate) fn remove(&mut self, pieces: &Arc<[Piece]>) {
        self.gone.push(Arc::clone(pieces));
    }

    /// Adds an obstacle with these pieces.
    pub(crate) fn add(&mut self, entity: Entity, pieces: &Arc<[Piece]>) {
        self.new.push((entity, Arc::clone(pieces)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }
}

impl MapEntities for ObstacleIndex {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let mut map = |part: &Part| Part {
            entity: mapper.get_mapped(part.entity),
            ..part.clone()
        };
        for row in &mut self.rows {
            let tiles = row.iter().map(|tile| tile.iter().map(&mut map).collect());
            *row = tiles.collect();
        }
    }
}

impl ObstacleIndex {
    /// An index without obstacles. `reach` is the largest distance that will be asked for, in cells.
    pub(crate) fn new(width: u32, height: u32, reach: f32) -> Self {
        let tiles = |cells: u32| (f64::from(cells) / TILE_SIDE).ceil() as usize;
        let none: Tile = Arc::default();
        let row: Arc<[Tile]> = vec![none; tiles(width)].into();
        Self {
            size: DVec2::new(width.into(), height.into()),
            margin: f64::from(reach) + 1.0,
            rows: vec![row; tiles(height)],
        }
    }

    /// Applies some edits.
    pub(crate) fn apply(&mut self, edits: &IndexEdits) {
        let mut fresh: BTreeMap<usize, BTreeMap<usize, Vec<Part>>> = BTreeMap::new();
        let mut touch = |pieces: &Arc<[Piece]>, number: u32, entity: Option<Entity>| {
            let Some((rows, columns)) = self.tiles_of(&pieces[number as usize]) else {
                return;
            };
            let first = [*rows.start() as u32, *columns.start() as u32];
            let part = entity.map(|entity| Part::new(entity, pieces, number, first));
            for row in rows {
                let row = fresh.entry(row).or_default();
                for column in columns.clone() {
                    row.entry(column).or_default().extend(part.clone());
                }
            }
        };
        let gone = edits.gone.iter().map(|pieces| (None, pieces));
        let new = (edits.new.iter()).map(|(entity, pieces)| (Some(*entity), pieces));
        for (entity, pieces) in gone.chain(new) {
            (0..pieces.len() as u32).for_each(|number| touch(pieces, number, entity));
        }
        let place = |pieces: &Arc<[Piece]>| Arc::as_ptr(pieces).cast::<Piece>();
        let gone: HashSet<*const Piece> = edits.gone.iter().map(place).collect();
        for (y, changed) in fresh {
            let mut row = self.rows[y].to_vec();
            for (x, new) in changed {
                let stays = |part: &&Part| !gone.contains(&place(&part.pieces));
                row[x] = row[x].iter().filter(stays).cloned().chain(new).collect();
            }
            self.rows[y] = row.into();
        }
    }

    /// The pieces that may be within `reach` of a box. Each piece occurs once.
    pub(crate) fn near(
        &self,
        (min, max): (DVec2, DVec2),
        reach: f64,
    ) -> impl Iterator<Item = &Piece> {
        let (min, max) = (min - reach, max + reach);
        let (rows, columns) = self.tiles_in(min, max);
        let (least_row, least_column) = (*rows.start() as u32, *columns.start() as u32);
        let tiles = rows.flat_map(move |y| columns.clone().map(move |x| (x, y)));
        tiles.flat_map(move |(x, y)| {
            // A piece in several of these tiles is returned for the first of them.
            let here = [y as u32, x as u32];
            let near = self.rows[y][x].iter().filter(move |part| {
                let [row, column] = part.first;
                here == [row.max(least_row), column.max(least_column)] && part.meets(min, max)
            });
            near.map(Part::piece)
        })
    }

    /// The entities whose obstacles are nearer than `radius` to a point in cell space. The nearest one comes first; at
    /// the same distance, the one with the lowest index.
    pub(crate) fn nearer_than(&self, radius: f64, point: DVec2) -> Vec<Entity> {
        let mut near: EntityHashMap<f64> = EntityHashMap::default();
        let (rows, columns) = self.tiles_in(point - radius, point + radius);
        for row in &self.rows[rows] {
            let parts = row[columns.clone()].iter().flat_map(|tile| tile.iter());
            for part in parts.filter(|part| part.meets(point - radius, point + radius)) {
                let distance = part.piece().distance(point);
                if distance < radius {
                    let least = near.entry(part.entity).or_insert(distance);
                    *least = least.min(distance);
                }
            }
        }
        let mut near: Vec<(Entity, f64)> = near.into_iter().collect();
        near.sort_by(|(a, a_away), (b, b_away)| {
            let by_index = || a.index_u32().cmp(&b.index_u32());
            a_away.total_cmp(b_away).then_with(by_index)
        });
        near.into_iter().map(|(entity, _)| entity).collect()
    }

    /// The tiles that contain a piece; `None` if the piece is too far outside to matter.
    fn tiles_of(&self, piece: &Piece) -> Option<(RangeInclusive<usize>, RangeInclusive<usize>)> {
        let (min, max) = piece.bounds();
        let is_near =
            max.cmpge(DVec2::splat(-self.margin)).all() && min.cmple(self.size + self.margin).all();
        is_near.then(|| self.tiles_in(min, max))
    }

    /// Rows and columns of the tiles between two corners. A point outside of the grid is treated as a point at its
    /// border, so that two boxes that overlap share a tile.
    fn tiles_in(&self, min: DVec2, max: DVec2) -> (RangeInclusive<usize>, RangeInclusive<usize>) {
        let columns = self.rows.first().map_or(0, |row| row.len());
        // `as` saturates, so a half-space reaches every border.
        let tile = |at: f64, count: usize| ((at / TILE_SIDE) as usize).min(count.saturating_sub(1));
        (
            tile(min.y, self.rows.len())..=tile(max.y, self.rows.len()),
            tile(min.x, columns)..=tile(max.x, columns),
        )
    }
}

impl Part {
    fn new(entity: Entity, pieces: &Arc<[Piece]>, number: u32, first: [u32; 2]) -> Self {
        let (min, max) = pieces[number as usize].bounds();
        Self {
            entity,
            pieces: Arc::clone(pieces),
            number,
            first,
            min: min.as_vec2().map(f32::next_down),
            max: max.as_vec2().map(f32::next_up),
        }
    }

    fn piece(&self) -> &Piece {
        &self.pieces[self.number as usize]
    }

    /// Whether the bounding box overlaps another box.
    fn meets(&self, min: DVec2, max: DVec2) -> bool {
        let (own_min, own_max) = (self.min.as_dvec2(), self.max.as_dvec2());
        own_max.cmpge(min).all() && own_min.cmple(max).all()
    }
}

impl fmt::Debug for ObstacleIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObstacleIndex").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Obstacle = (Entity, Arc<[Piece]>);

    const SIDE: u32 = 400;
    const REACH: f32 = 6.0;

    fn index() -> ObstacleIndex {
        ObstacleIndex::new(SIDE, SIDE, REACH)
    }

    /// A bar of any direction within `around` of the grid.
    fn bar(random: &mut fastrand::Rng, length: f64, around: f64) -> Piece {
        let mut point = |least: f64, most: f64| {
            let share = DVec2::new(random.f64(), random.f64());
            least + share * (most - least)
        };
        let from = point(-around, f64::from(SIDE) + around);
        let to = from + point(-length, length);
        Piece::hull(&[from, to], 0.5 * random.f64()).expect("two points")
    }

    fn obstacle(random: &mut fastrand::Rng, number: u32) -> Obstacle {
        let length = [1.0, 5.0, 60.0][random.usize(0..3)];
        let bars = (0..random.u32(1..4)).map(|_| bar(random, length, 30.0));
        let entity = Entity::from_raw_u32(number).expect("a small number");
        (entity, bars.collect())
    }

    fn nearest(obstacles: &[Obstacle], point: DVec2, radius: f64) -> Vec<Entity> {
        let away = |pieces: &[Piece]| {
            let distances = pieces.iter().map(|piece| piece.distance(point));
            distances.fold(f64::INFINITY, f64::min)
        };
        let mut near: Vec<(f64, u32)> = obstacles
            .iter()
            .map(|(entity, pieces)| (away(pieces), entity.index_u32()))
            .filter(|(away, _)| *away < radius)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let entities = near.into_iter().map(|(_, number)| number);
        entities.filter_map(Entity::from_raw_u32).collect()
    }

    #[test]
    fn the_index_finds_what_a_naive_search_finds_after_any_edits() {
        let mut random = fastrand::Rng::with_seed(41);
        let (mut index, mut obstacles, mut hits) = (index(), Vec::<Obstacle>::new(), 0);
        for round in 0..40 {
            let mut edits = IndexEdits::default();
            for _ in 0..obstacles.len() / 4 {
                let gone = obstacles.swap_remove(random.usize(0..obstacles.len()));
                edits.remove(&gone.1);
            }
            for number in 0..30 {
                let new = obstacle(&mut random, 100 * round + number);
                edits.add(new.0, &new.1);
                obstacles.push(new);
            }
            index.apply(&edits);
            for _ in 0..60 {
                let point = DVec2::new(random.f64(), random.f64()) * f64::from(SIDE) - 0.5;
                let radius = f64::from(REACH) * random.f64();
                let found = index.nearer_than(radius, point);
                assert_eq!(found, nearest(&obstacles, point, radius), "at {point}");
                hits += found.len();
            }
        }
        assert!(hits > 300, "{hits} obstacles were near");
    }

    #[test]
    fn a_half_space_is_found_wherever_it_is_and_removed_again() {
        let ground = Piece::half_space(DVec2::new(0.0, 50.0), DVec2::Y).expect("a normal");
        let pieces: Arc<[Piece]> = [ground].into();
        let mut edits = IndexEdits::default();
        edits.add(Entity::PLACEHOLDER, &pieces);
        let mut with = index();
        with.apply(&edits);
        let under = |index: &ObstacleIndex| {
            [49.0, 52.0].map(|y| index.nearer_than(1.0, DVec2::new(333.0, y)).len())
        };
        assert_eq!(under(&with), [1, 0]);
        let mut edits = IndexEdits::default();
        edits.remove(&pieces);
        with.apply(&edits);
        assert_eq!(under(&with), [0, 0]);
    }

    #[test]
    fn an_edit_shares_all_tiles_that_it_does_not_touch() {
        let mut random = fastrand::Rng::with_seed(43);
        let mut edits = IndexEdits::default();
        let obstacles: Vec<Obstacle> = (0..20_000)
            .map(|number| obstacle(&mut random, number))
            .collect();
        obstacles.iter().for_each(|one| edits.add(one.0, &one.1));
        let mut before = index();
        before.apply(&edits);
        let door: Arc<[Piece]> = [bar(&mut random, 2.0, 0.0)].into();
        let mut edits = IndexEdits::default();
        edits.add(Entity::PLACEHOLDER, &door);
        let mut after = before.clone();
        after.apply(&edits);
        let rows = before.rows.iter().zip(&after.rows);
        let changed = rows.clone().filter(|(a, b)| !Arc::ptr_eq(a, b)).count();
        assert!((1..=2).contains(&changed), "{changed} rows");
        let tiles = rows.flat_map(|(a, b)| a.iter().zip(b.iter()));
        let changed = tiles.filter(|(a, b)| !Arc::ptr_eq(a, b)).count();
        assert!((1..=4).contains(&changed), "{changed} tiles");
    }
}
