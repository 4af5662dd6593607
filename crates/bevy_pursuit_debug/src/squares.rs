//! The squares of a grid. A task makes the squares, and a retained gizmo draws them until something that they depend on
//! changes.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_pursuit::grid::{BakedGrid, BodyLayers, NavSnapshot};
use bevy_pursuit::{ClassId, NavAreas, NavBody};
use pursuit::{Cell, CellRect, Layout};

use crate::category::{OverlayCategories, OverlayCategory};
use crate::detail::{for_each_stroke, middle_of, side_of, snapped};
use crate::gizmos::square_line;
use crate::grids::{GridPlan, GridPlans};
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::view::OverlayView;

/// Number of color steps between a blocked and a walkable square, and between near and far in the heat map.
const TINT_STEPS: u8 = 8;
/// Number of hues that regions have. Regions whose IDs differ by less than this have different hues.
const HUE_COUNT: u32 = 31;
/// The golden angle, in degrees. Consecutive hues are this far apart on the color wheel, so that they differ clearly.
const GOLDEN_ANGLE_DEGREES: f32 = 137.508;
/// Opacity of an area's squares, as a share of the opacity of the area's color.
const AREA_OPACITY_FACTOR: f32 = 0.45;
/// Share of an area's color in the squares where the area is forbidden. The rest is black.
const FORBIDDEN_SHADE: f32 = 0.4;

/// The squares of one grid. A [`Gizmo`] on the same entity draws them.
#[derive(Component)]
#[require(Gizmo)]
pub(crate) struct Squares {
    of: Entity,
    shown: Option<SquaresKey>,
    task: Option<Task<(SquaresKey, GizmoAsset)>>,
}

/// Everything that the squares of a grid depend on.
#[derive(Clone, Debug, PartialEq)]
struct SquaresKey {
    generation: u64,
    /// The radius and the class. The radius is stored as bits, so that NaN is equal to itself.
    body: (u32, ClassId),
    layout: Layout,
    show: OverlayCategories,
    colors: OverlayColors,
    /// The colors of areas, by area ID.
    areas: Vec<Color>,
    /// [`GridPlan::number`], which decides the color of walkable cells.
    number: usize,
    /// [`GridPlan::hidden`], the rectangles in which other grids are drawn instead.
    hidden: Vec<Rect>,
    level: u32,
    /// The blocks that squares are made for, in block coordinates.
    blocks: CellRect,
}

/// The properties of a square that decide its color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tint {
    /// Share of walkable cells: 0 if all cells are blocked, and [`TINT_STEPS`] if all cells are walkable.
    share: u8,
    /// Color of the distance to the nearest obstacle in the heat map, from 0 beside an obstacle to [`TINT_STEPS`] far
    /// away. `None` if the heat map is off.
    heat: Option<u8>,
    /// The hue of the square's region. `None` if regions are off.
    hue: Option<u8>,
    /// The ID of the square's area. 0 on plain ground, and if areas are off.
    area: u8,
}

/// Makes new squares for each grid whose [`SquaresKey`] has changed, with at most one running task per grid. A running
/// task is never cancelled. Otherwise a grid that changes in each frame would never be shown.
pub(crate) fn make_squares(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    areas: Option<Res<NavAreas>>,
    overlay: Res<OverlayView>,
    plans: Res<GridPlans>,
    grids: Query<&BakedGrid>,
    mut assets: ResMut<Assets<GizmoAsset>>,
    mut known: Query<(Entity, &mut Squares, &mut Gizmo)>,
) {
    for (entity, squares, _) in &known {
        if !plans.0.iter().any(|plan| plan.entity == squares.of) {
            commands.entity(entity).despawn();
        }
    }
    let Some(view) = overlay.view else { return };
    for plan in &plans.0 {
        let Some(snapshot) = grids.get(plan.entity).ok().and_then(BakedGrid::snapshot) else {
            continue;
        };
        let own = known.iter_mut().find(|(_, one, _)| one.of == plan.entity);
        let Some((_, mut squares, mut gizmo)) = own else {
            commands.spawn((
                Name::new("pursuit overlay: squares"),
                Squares::of(plan.entity),
            ));
            continue;
        };
        let wanted = SquaresKey::new(plan, snapshot, &settings, areas.as_deref());
        if let Some(made) = squares.advance(wanted, snapshot) {
            gizmo.handle = assets.add(made);
        }
        if let Some(shown) = &squares.shown {
            let pixels = side_of(&shown.layout, shown.level) * view.pixels_per_unit;
            gizmo.line_config = square_line(pixels);
        }
    }
}

impl Squares {
    fn of(of: Entity) -> Self {
        let (shown, task) = (None, None);
        Self { of, shown, task }
    }

    /// Returns the squares that the task has finished, if there are any. If no task is running after that, and the
    /// latest squares were not made for the key `wanted`, starts a task that makes squares for this key.
    fn advance(&mut self, wanted: SquaresKey, snapshot: &Arc<NavSnapshot>) -> Option<GizmoAsset> {
        let ready = self.task.as_mut().and_then(check_ready);
        if self.task.is_none() || ready.is_some() {
            self.task = None;
            let latest = ready.as_ref().map(|(key, _)| key).or(self.shown.as_ref());
            if latest != Some(&wanted) {
                let snapshot = Arc::clone(snapshot);
                let pool = AsyncComputeTaskPool::get_or_init(Default::default);
                self.task = Some(pool.spawn(async move {
                    let made = wanted.make(&snapshot);
                    (wanted, made)
                }));
            }
        }
        let (key, made) = ready?;
        self.shown = Some(key);
        Some(made)
    }
}

impl SquaresKey {
    fn new(
        plan: &GridPlan,
        snapshot: &NavSnapshot,
        settings: &PursuitDebugSettings,
        areas: Option<&NavAreas>,
    ) -> Self {
        let areas = areas.into_iter().flat_map(|areas| &areas.all);
        Self {
            areas: areas.map(|area| area.color).collect(),
            generation: snapshot.generation(),
            body: (plan.body.radius.to_bits(), plan.body.class),
            layout: plan.layout,
            show: settings.show,
            colors: settings.colors.clone(),
            number: plan.number,
            hidden: plan.hidden.clone(),
            level: plan.level,
            blocks: snapped(plan.cells, plan.level, &plan.layout),
        }
    }

    fn body(&self) -> NavBody {
        let (radius, class) = self.body;
        let radius = f32::from_bits(radius);
        NavBody { radius, class }
    }

    /// Makes the squares. Neighboring squares with the same tint become one dashed stroke.
    fn make(&self, snapshot: &NavSnapshot) -> GizmoAsset {
        let layers = snapshot.layers(self.body());
        let side = side_of(&self.layout, self.level);
        let mut made = GizmoAsset::new();
        let tint = |block| self.tint(block, snapshot, &layers);
        for_each_stroke(self.blocks, tint, |stroke| {
            let (from, to) = stroke.ends(self.layout.min_corner(), side);
            made.line_2d(from, to, self.color(stroke.tint));
        });
        made
    }

    fn tint(&self, block: Cell, snapshot: &NavSnapshot, layers: &BodyLayers) -> Option<Tint> {
        let [free, blocked, heat, regions, areas] = [
            OverlayCategory::Walkable,
            OverlayCategory::Blocked,
            OverlayCategory::Clearance,
            OverlayCategory::Regions,
            OverlayCategory::Areas,
        ]
        .map(|category| self.show.has(category));
        let shows_free = free || heat || regions;
        if !(shows_free || blocked || areas) || self.is_hidden(block) {
            return None;
        }
        // The cell in the middle represents its block.
        let last = self.layout.rect().max.offset(-1, -1);
        let sample = middle_of(block, self.level);
        let sample = Cell::new(sample.x.min(last.x), sample.y.min(last.y));
        let share = self.share(block, layers);
        let area = match areas && (share > 0 || is_just_forbidden(sample, snapshot, self.body())) {
            true => snapshot.map().areas().map_or(0, |all| all.area(sample)),
            false => 0,
        };
        match share {
            0 if area == 0 => return blocked.then(Tint::default),
            0 => return Some(Tint { area, ..default() }),
            TINT_STEPS if !shows_free && area == 0 => return None,
            _ => {}
        }
        let clearance = snapshot.clearance();
        let own_heat = || heat_of(clearance.center(sample), clearance.cap());
        let own_hue = || {
            layers
                .regions()
                .region(sample)
                .map(|region| hue_of(region.0))
        };
        Some(Tint {
            share,
            heat: heat.then(own_heat),
            hue: regions.then(own_hue).flatten(),
            area,
        })
    }

    /// The share of walkable cells in a block, from 0 to [`TINT_STEPS`].
    fn share(&self, block: Cell, layers: &BodyLayers) -> u8 {
        let side = 1 << self.level;
        let first = Cell::new(block.x << self.level, block.y << self.level);
        let cells = CellRect::new(first, first.offset(side, side)).intersect(&self.layout.rect());
        let free = cells.cells().filter(|cell| layers.grid().is_free(*cell));
        share_of(free.count() as u64, cells.cell_count())
    }

    fn is_hidden(&self, block: Cell) -> bool {
        let side = side_of(&self.layout, self.level);
        let center = self.layout.min_corner() + side * (block.center() + 0.5);
        self.hidden.iter().any(|rect| rect.contains(center))
    }

    fn color(&self, tint: Tint) -> Color {
        let colors = &self.colors;
        let area = self.areas.get(usize::from(tint.area));
        let area = area.filter(|_| tint.area != 0).map(area_color);
        let steps = f32::from(TINT_STEPS);
        let heat = tint.heat.map(|heat| f32::from(heat) / steps);
        let walkable = match (tint.hue.map(region_color), heat) {
            (None, None) => area.unwrap_or_else(|| grid_color(self.number, colors)),
            (None, Some(heat)) => colors.near.mix(&colors.far, heat),
            (Some(color), None) => color,
            (Some(color), Some(heat)) => color.with_alpha(color.alpha() * (0.35 + 0.9 * heat)),
        };
        if let (0, Some(area)) = (tint.share, area) {
            return forbidden_color(area);
        }
        let share = f32::from(tint.share) / steps;
        colors.blocked.mix(&walkable, share)
    }
}

/// Whether a body fits on a cell, but the cell's area is forbidden to the body's class.
pub(crate) fn is_just_forbidden(cell: Cell, snapshot: &NavSnapshot, body: NavBody) -> bool {
    let fits = snapshot.clearance().center(cell) >= snapshot.radius_cells(body.radius);
    fits && snapshot.map().is_forbidden(cell.center(), body.class.0)
}

/// The share of free cells, from 0 to [`TINT_STEPS`]. It is 0 only if no cell is free, and [`TINT_STEPS`] only if all
/// cells are free.
fn share_of(free: u64, cells: u64) -> u8 {
    let steps = u64::from(TINT_STEPS);
    match free {
        0 => 0,
        _ if free == cells => TINT_STEPS,
        _ => ((2 * steps * free + cells) / (2 * cells)).clamp(1, steps - 1) as u8,
    }
}

/// The [heat](Tint::heat) of a distance to the nearest obstacle. `max_distance` is the largest distance that the bake
/// measures. Only distances of at least `max_distance` have the heat [`TINT_STEPS`].
fn heat_of(distance: f32, max_distance: f32) -> u8 {
    ((distance / max_distance).clamp(0.0, 1.0) * f32::from(TINT_STEPS)) as u8
}

/// The number of the hue of a region. It is never 0, because hue 0 is red, and blocked cells are red.
fn hue_of(region: u32) -> u8 {
    1 + (region % HUE_COUNT) as u8
}

/// The color of regions whose hue has this number.
pub(crate) fn region_color(hue: u8) -> Color {
    let hue = (f32::from(hue) * GOLDEN_ANGLE_DEGREES).rem_euclid(360.0);
    Color::hsla(hue, 0.75, 0.58, 0.4)
}

/// The color of walkable cells of the grid with this [`GridPlan::number`].
pub(crate) fn grid_color(number: usize, colors: &OverlayColors) -> Color {
    if number == 0 {
        return colors.walkable;
    }
    let hue = (90.0 + number as f32 * GOLDEN_ANGLE_DEGREES).rem_euclid(360.0);
    Color::hsla(hue, 0.55, 0.7, colors.walkable.alpha())
}

/// The color of walkable cells in an area. `color` is the area's color in `NavAreas`.
pub(crate) fn area_color(color: &Color) -> Color {
    color.with_alpha(color.alpha() * AREA_OPACITY_FACTOR)
}

/// The color of cells that are blocked only because their area is forbidden. It is a darker shade of the area's color.
fn forbidden_color(area: Color) -> Color {
    let dark = Color::BLACK.with_alpha(area.alpha());
    let color = dark.mix(&area, FORBIDDEN_SHADE);
    color.with_alpha((area.alpha() * 1.4).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{AreaCosts, Areas, DiagonalPolicy, Grid, NavMap};

    fn snapshot(side: u32, is_free: impl Fn(Cell) -> bool) -> NavSnapshot {
        let layout = Layout::new(Vec2::ZERO, 10.0, side, side).expect("a layout");
        let grid = Grid::from_fn(side, side, is_free).expect("a grid");
        let map = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
        let clearance = map.clearance().clone();
        NavSnapshot::new(layout, clearance, DiagonalPolicy::NoCornerCut, 1)
    }

    /// The key of a whole grid with one square for each cell, for a body with a radius of 1.
    fn key(snapshot: &NavSnapshot) -> SquaresKey {
        let plan = GridPlan {
            entity: Entity::PLACEHOLDER,
            layout: *snapshot.layout(),
            cells: snapshot.layout().rect(),
            level: 0,
            body: 1.0.into(),
            number: 0,
            hidden: Vec::new(),
        };
        SquaresKey::new(&plan, snapshot, &PursuitDebugSettings::default(), None)
    }

    fn strokes(key: &SquaresKey, snapshot: &NavSnapshot) -> Vec<Vec3> {
        key.make(snapshot).list_positions.clone()
    }

    #[test]
    fn squares_are_left_out_where_another_grid_is_drawn() {
        let snapshot = snapshot(8, |cell| cell.x != 2);
        let mut key = key(&snapshot);
        let all = strokes(&key, &snapshot);
        assert_eq!(all.len(), 2 * 3 * 8, "each row is free, wall, free");
        key.hidden = vec![Rect::new(-10.0, -10.0, 40.0, 100.0)];
        let right = strokes(&key, &snapshot);
        assert_eq!(right.len(), 2 * 8);
        assert!(right.iter().all(|end| end.x > 40.0));
    }

    #[test]
    fn regions_have_different_hues_and_heat_rises_with_distance() {
        let snapshot = snapshot(16, |cell| cell.x != 8);
        let mut key = key(&snapshot);
        key.show = OverlayCategories::ALL;
        let layers = snapshot.layers(1.0);
        let tint = |x, y| {
            key.tint(Cell::new(x, y), &snapshot, &layers)
                .expect("shown")
        };
        assert_eq!(tint(8, 0), Tint::default(), "the wall");
        assert_ne!(tint(0, 0).hue, tint(12, 0).hue, "two regions");
        assert!(
            tint(7, 0).heat < tint(0, 0).heat,
            "heat rises with distance"
        );
    }

    #[test]
    fn areas_are_tinted_darker_where_they_are_forbidden_and_walls_in_them_stay_blocked() {
        let [mud, water] = [1, 2];
        let mut ground = Areas::plain(16, 16).expect("a size");
        let column = |x| CellRect::new(Cell::new(x, 0), Cell::new(x + 3, 16));
        ground.fill(column(1), mud);
        ground.fill(column(7), water);
        let costs = AreaCosts::plain().with(mud, 40);
        let classes = [costs.with(water, AreaCosts::FORBIDDEN), costs];
        let snapshot = snapshot(16, |cell| cell != Cell::new(8, 8));
        let snapshot = snapshot.with_areas(ground, &classes).expect("its size");
        let mut key = key(&snapshot);
        key.areas = vec![Color::NONE, Color::srgb(0.5, 0.3, 0.1), Color::BLACK];
        let tint = |key: &SquaresKey, x, y| {
            let layers = snapshot.layers(key.body());
            key.tint(Cell::new(x, y), &snapshot, &layers)
        };
        let in_area = |area, share| {
            Some(Tint {
                share,
                area,
                ..default()
            })
        };
        assert_eq!(tint(&key, 2, 2), in_area(mud, TINT_STEPS));
        assert_eq!(tint(&key, 8, 2), in_area(water, 0), "forbidden");
        assert_eq!(tint(&key, 8, 8), in_area(0, 0), "a wall in the area");
        assert_eq!(tint(&key, 5, 2), in_area(0, TINT_STEPS));
        let [all, dark] = [TINT_STEPS, 0].map(|share| key.color(in_area(mud, share).expect("one")));
        assert_eq!(all, area_color(&key.areas[1]));
        assert!(dark.luminance() < all.luminance());
        key.body.1 = ClassId(1);
        assert_eq!(
            tint(&key, 8, 2),
            in_area(water, TINT_STEPS),
            "allowed to class 1"
        );
        key.show = OverlayCategories::NONE.with(OverlayCategory::Areas);
        assert_eq!(tint(&key, 8, 2), in_area(water, TINT_STEPS), "areas alone");
        assert_eq!((tint(&key, 5, 2), tint(&key, 8, 8)), (None, None));
        key.show = OverlayCategories::NONE.with(OverlayCategory::Walkable);
        assert_eq!(tint(&key, 2, 2), in_area(0, TINT_STEPS), "areas are off");
    }

    #[test]
    fn a_changed_area_color_changes_the_key_of_the_squares() {
        let snapshot = snapshot(8, |_| true);
        let [key, mut other] = [(); 2].map(|()| key(&snapshot));
        assert_eq!(key, other);
        other.areas.push(Color::BLACK);
        assert_ne!(key, other);
    }

    #[test]
    fn a_block_shows_the_share_that_a_plain_loop_counts() {
        let snapshot = snapshot(37, |cell| (cell.x * 5 + cell.y * 3) % 7 < 3);
        let mut key = key(&snapshot);
        let layers = snapshot.layers(1.0);
        for level in 1..=6 {
            key.level = level;
            let block = Cell::new(17 >> level, 36 >> level);
            let is_in = |cell: &Cell| cell.x >> level == block.x && cell.y >> level == block.y;
            let (mut free, mut count) = (0.0, 0.0);
            for cell in key.layout.rect().cells().filter(is_in) {
                count += 1.0;
                free += f32::from(u8::from(layers.grid().is_free(cell)));
            }
            let share = f32::from(key.share(block, &layers));
            let off = (share - f32::from(TINT_STEPS) * free / count).abs();
            assert!(off < 1.0, "{off} at level {level}");
        }
        assert_eq!(share_of((1 << 28) - 1, 1 << 28), TINT_STEPS - 1, "one wall");
        assert_eq!(share_of(1, 1 << 28), 1, "one free cell");
    }

    #[test]
    fn heat_is_zero_beside_an_obstacle_and_highest_from_the_largest_measured_distance_on() {
        let heats = [0.0, 3.99, 4.0, f32::INFINITY].map(|distance| heat_of(distance, 4.0));
        assert_eq!(heats, [0, TINT_STEPS - 1, TINT_STEPS, TINT_STEPS]);
    }

    #[test]
    fn regions_with_consecutive_ids_have_hues_more_than_60_degrees_apart() {
        let hue = |region| Hsla::from(region_color(hue_of(region))).hue;
        for region in 0..HUE_COUNT {
            let apart = (hue(region) - hue(region + 1)).abs();
            assert!(apart.min(360.0 - apart) > 60.0, "{region}: {apart}");
        }
    }

    #[test]
    fn a_grid_that_changes_in_each_frame_is_shown() {
        let snapshot = Arc::new(snapshot(256, |cell| cell.x % 9 != 0));
        let mut squares = Squares::of(Entity::PLACEHOLDER);
        let is_shown = (0..10_000).any(|generation| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            let wanted = SquaresKey {
                generation,
                ..key(&snapshot)
            };
            squares.advance(wanted, &snapshot).is_some()
        });
        assert!(
            is_shown,
            "each change starts the squares again, and they never finish"
        );
    }
}
