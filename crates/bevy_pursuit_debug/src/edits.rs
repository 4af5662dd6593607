//! Tiles that flash when a bake changed them.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use pursuit::Cell;

use crate::gizmos::PursuitGizmos;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// Most tiles that flash at once.
pub const MAX_FLASHES: usize = 1024;
/// How long a tile flashes, in seconds of real time.
const SECONDS: f32 = 0.6;
/// Share of a tile's side that its outline spans.
const SHARE: f32 = 0.94;

/// Tiles that changed lately.
#[derive(Resource, Default)]
pub(crate) struct Flashes {
    /// By grid and first cell.
    tiles: HashMap<(Entity, Cell), Flash>,
    /// The generation that each grid was seen in last.
    seen: EntityHashMap<u64>,
}

/// A tile of a grid, in world units, and when it changed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Flash {
    tile: Rect,
    at: f32,
}

impl Flashes {
    /// Notes the tiles of a grid that changed since it was seen last. The first look is no change.
    fn note(&mut self, entity: Entity, baked: &BakedGrid, now: f32) {
        let Some(snapshot) = baked.snapshot() else {
            return;
        };
        let generation = snapshot.generation();
        let before = self.seen.insert(entity, generation);
        let Some(before) = before.filter(|before| *before < generation) else {
            return;
        };
        let layout = snapshot.layout();
        let inside = Rect::from_corners(layout.min_corner(), layout.max_corner());
        for cells in snapshot.changed_tiles(before).take(MAX_FLASHES) {
            let half = Vec2::splat(layout.cell_size() / 2.0);
            let last = layout.center(cells.max.offset(-1, -1)) + half;
            let tile = Rect::from_corners(layout.center(cells.min) - half, last).intersect(inside);
            let key = (entity, cells.min);
            // One that flashes begins anew.
            if self.tiles.len() < MAX_FLASHES || self.tiles.contains_key(&key) {
                self.tiles.insert(key, Flash { tile, at: now });
            }
        }
    }
}

/// Forgets what was seen: what changes while nobody looks does not flash.
pub(crate) fn forget_flashes(mut flashes: ResMut<Flashes>) {
    *flashes = Flashes::default();
}

/// Draws the tiles that changed in the last 0.6 seconds.
pub(crate) fn draw_edits(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    time: Res<Time<Real>>,
    grids: Query<(Entity, &BakedGrid)>,
    mut flashes: ResMut<Flashes>,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let now = time.elapsed_secs();
    flashes.seen.retain(|entity, _| grids.contains(*entity));
    flashes.tiles.retain(|_, flash| now - flash.at < SECONDS);
    for (entity, baked) in &grids {
        flashes.note(entity, baked, now);
    }
    let Some(view) = overlay.view else { return };
    let color = settings.colors.edit;
    for flash in flashes.tiles.values() {
        if !flash.tile.intersect(view.area).is_empty() {
            let left = 1.0 - (now - flash.at) / SECONDS;
            let color = color.with_alpha(color.alpha() * left.clamp(0.0, 1.0));
            gizmos.rect_2d(flash.tile.center(), flash.tile.size() * SHARE, color);
        }
    }
}
