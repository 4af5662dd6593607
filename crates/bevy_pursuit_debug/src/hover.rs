//! A text beside the pointer about the cell under the pointer. If the cell is blocked, the text says why.

use std::fmt;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::grid::{BakedGrid, NavSnapshot};
use bevy_pursuit::{AreaId, NavAreas, Navigation, OnGrid};
use pursuit::{Cell, RegionId};

use crate::blocks::{BACKGROUND_COLOR, TEXT_COLOR, TextArea, box_node, text_line};
use crate::grids::{GridPlan, GridPlans};
use crate::names::{grid_name, list_names, name_of};
use crate::settings::PursuitDebugSettings;
use crate::squares::is_just_forbidden;
use crate::view::OverlayView;

/// Time between two updates of the text while the pointer stays on a cell.
const REFRESH_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum number of obstacles named in the text.
const MAX_NAMED_OBSTACLES: usize = 3;
/// Distance from the pointer to the text, in logical pixels.
const POINTER_GAP_PIXELS: f32 = 18.0;

/// The box beside the pointer.
#[derive(Component)]
pub(crate) struct HoverBox;

/// The text in the box beside the pointer.
#[derive(Component)]
pub(crate) struct HoverText;

/// The cell that the text describes, and the time at which the text was written.
#[derive(Default)]
pub(crate) struct WrittenReport {
    of: Option<(Entity, Cell)>,
    at: Duration,
}

/// A report on a cell.
#[derive(Clone, Debug, PartialEq)]
struct CellReport {
    grid: String,
    cell: Cell,
    /// Radius of the body for which the cell is walkable or blocked, in world units.
    radius: f32,
    /// The largest radius that the grid was baked for, in world units.
    max_radius: f32,
    /// The cost of the cell, as a multiple of the cost of plain ground. `None` if the cell is blocked.
    cost: Option<f32>,
    /// The name of the cell's area. `None` on plain ground.
    area: Option<String>,
    /// Whether the cell is blocked only because its area is forbidden.
    is_forbidden: bool,
    /// The ID of the cell's region, and the number of cells in that region.
    region: Option<(RegionId, usize)>,
    /// Distance from the cell's center to the nearest obstacle, in world units.
    distance: f32,
    /// Whether `distance` is the largest distance that the bake measures. The nearest obstacle may then be farther
    /// away.
    is_far: bool,
    /// Names and layers of the obstacles near the cell's center, nearest first.
    blockers: Vec<String>,
}

/// Writes a report on the cell under the pointer into the box beside the pointer.
pub(crate) fn update_hover(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    text_area: Res<TextArea>,
    time: Res<Time<Real>>,
    plans: Res<GridPlans>,
    grids: Query<&BakedGrid>,
    navigation: Navigation,
    areas: Option<Res<NavAreas>>,
    names: Query<&Name>,
    mut boxes: Query<(Entity, &mut Node, &mut Visibility, &ComputedNode), With<HoverBox>>,
    mut texts: Query<&mut Text, With<HoverText>>,
    mut written: Local<WrittenReport>,
) {
    let under = under_pointer(&settings, &overlay, &plans, &grids);
    let Some((plan, snapshot, cell, pixels)) = under else {
        for (hover, ..) in &boxes {
            commands.entity(hover).despawn();
        }
        written.of = None;
        return;
    };
    let Ok((_, mut node, mut visibility, own)) = boxes.single_mut() else {
        commands.spawn(hover_box());
        return;
    };
    let size = own.size * own.inverse_scale_factor;
    let corner = box_corner(pixels, size, text_area.0);
    let (left, top) = (px(corner.x), px(corner.y));
    if (node.left, node.top) != (left, top) {
        (node.left, node.top) = (left, top);
    }
    // `size` is from the previous frame's layout, so the box stays hidden until it has been laid out with a text.
    visibility.set_if_neq(match written.of {
        Some(_) => Visibility::Inherited,
        None => Visibility::Hidden,
    });
    let (now, of) = (time.elapsed(), Some((plan.entity, cell)));
    if written.of == of && now < written.at + REFRESH_INTERVAL {
        return;
    }
    let Some(mut report) = CellReport::of(plan, snapshot, cell, &navigation, &names) else {
        return;
    };
    report.area = areas.and_then(|areas| area_at(cell, snapshot, &areas));
    *written = WrittenReport { of, at: now };
    for mut text in &mut texts {
        let next = report.to_string();
        if text.0 != next {
            text.0 = next;
        }
    }
}

fn under_pointer<'a>(
    settings: &PursuitDebugSettings,
    overlay: &OverlayView,
    plans: &'a GridPlans,
    grids: &'a Query<&BakedGrid>,
) -> Option<(&'a GridPlan, &'a NavSnapshot, Cell, Vec2)> {
    let point = overlay.pointer.filter(|_| settings.hover)?;
    let pixels = overlay.pointer_pixels?;
    let (plan, cell) = plans
        .0
        .iter()
        .find_map(|plan| Some((plan, plan.layout.cell_at(point)?)))?;
    let snapshot = grids.get(plan.entity).ok()?.snapshot()?;
    Some((plan, snapshot, cell, pixels))
}

/// The name of a cell's area. `None` on plain ground.
fn area_at(cell: Cell, snapshot: &NavSnapshot, areas: &NavAreas) -> Option<String> {
    let area = AreaId(snapshot.map().areas()?.area(cell));
    let area = areas.get(area).filter(|_| area != AreaId::PLAIN)?;
    Some(area.name.to_string())
}

/// The position of the box's upper left corner. The box lies to the lower right of the pointer. If the box does not fit
/// there, it lies to the left of the pointer, above the pointer, or both.
fn box_corner(pointer: Vec2, size: Vec2, text_area: Rect) -> Vec2 {
    let [near, far] = [
        pointer + POINTER_GAP_PIXELS,
        pointer - size - POINTER_GAP_PIXELS,
    ];
    let corner = Vec2::select((near + size).cmple(text_area.max), near, far);
    corner.min(text_area.max - size).max(text_area.min)
}

/// An empty, hidden box. It gets a position and becomes visible once it has a text.
fn hover_box() -> impl Bundle {
    let node = Node {
        position_type: PositionType::Absolute,
        max_width: percent(50),
        ..box_node()
    };
    (
        HoverBox,
        Name::new("pursuit overlay: cell"),
        node,
        Visibility::Hidden,
        BackgroundColor(BACKGROUND_COLOR),
        GlobalZIndex(101),
        children![(HoverText, text_line(String::new(), TEXT_COLOR))],
    )
}

impl CellReport {
    /// Reports on a cell. `None` until the layers for the plan's body have been computed.
    fn of(
        plan: &GridPlan,
        snapshot: &NavSnapshot,
        cell: Cell,
        navigation: &Navigation,
        names: &Query<&Name>,
    ) -> Option<Self> {
        let layout = snapshot.layout();
        let center = layout.center(cell);
        let layers = snapshot.layers_if_ready(plan.body)?;
        let free = layers.grid().is_free(cell).then_some(layers);
        let regions = free.as_ref().map(|layers| layers.regions());
        let region = regions.and_then(|all| all.region(cell).map(|one| (one, all.size(one))));
        let clearance = snapshot.clearance();
        // For a walkable cell, look for the nearest obstacle within the largest radius that the grid was baked for.
        let asked = match free {
            Some(_) => snapshot.max_radius(),
            None => plan.body.radius.min(snapshot.max_radius()),
        };
        let asked = (asked, OnGrid(plan.entity));
        let blockers = navigation.what_blocks(center, asked).unwrap_or_default();
        let named = blockers.iter().map(|entity| {
            let layers = navigation.obstacle_layers(*entity);
            let layers = layers.map_or(String::new(), |layers| format!(" on {layers}"));
            name_of(*entity, names) + &layers
        });
        let distance = clearance.center(cell);
        Some(Self {
            grid: grid_name(plan.entity, names),
            cell,
            radius: plan.body.radius,
            max_radius: snapshot.max_radius(),
            cost: (free.as_ref())
                .and_then(|_| snapshot.map().cost_at(cell.center(), plan.body.class.0)),
            area: None,
            is_forbidden: is_just_forbidden(cell, snapshot, plan.body),
            region,
            distance: distance * layout.cell_size(),
            is_far: distance >= clearance.cap(),
            blockers: named.collect(),
        })
    }

    /// Explains in a sentence why the cell is blocked.
    fn why_blocked(&self) -> String {
        if self.radius.is_nan() || self.radius > self.max_radius {
            return format!(
                "this grid is baked for radii up to {:.1}: raise max_clearance_cells",
                self.max_radius
            );
        }
        if self.is_forbidden {
            let area = self.area.as_deref().unwrap_or("its area");
            return format!("{area} is forbidden to agents of this class");
        }
        if self.blockers.is_empty() && self.distance < self.radius {
            return format!("an obstacle is {:.1} away", self.distance);
        }
        if self.blockers.is_empty() {
            return "the body fits at the cell's center, but not on the steps to its neighbors"
                .to_owned();
        }
        let who = list_names(&self.blockers, MAX_NAMED_OBSTACLES);
        match self.distance > 0.0 {
            true => format!("{who}: {:.1} away", self.distance),
            false => format!("inside of {who}"),
        }
    }
}

impl fmt::Display for CellReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { x, y } = self.cell;
        writeln!(f, "cell {x}, {y} of {}", self.grid)?;
        let Some(cost) = self.cost else {
            writeln!(f, "blocked for radius {:.1}", self.radius)?;
            return write!(f, "{}", self.why_blocked());
        };
        let area = self
            .area
            .as_ref()
            .map_or(String::new(), |area| format!(", {area}"));
        writeln!(
            f,
            "walkable for radius {:.1}, cost {cost}{area}",
            self.radius
        )?;
        if let Some((region, size)) = self.region {
            writeln!(f, "region {} of {size} cells", region.0)?;
        }
        match (self.is_far, self.blockers.first()) {
            (true, _) => write!(f, "no obstacle within {:.1}", self.distance),
            (false, Some(nearest)) => write!(f, "{:.1} to {nearest}", self.distance),
            (false, None) => write!(f, "{:.1} to the nearest obstacle", self.distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> CellReport {
        CellReport {
            grid: "level".to_owned(),
            cell: Cell::new(3, 4),
            radius: 8.0,
            max_radius: 60.0,
            cost: None,
            area: None,
            is_forbidden: false,
            region: None,
            distance: 3.25,
            is_far: false,
            blockers: vec!["wall (1v0) on GROUP_1".to_owned()],
        }
    }

    #[test]
    fn a_blocked_cell_names_its_blockers_and_their_distance() {
        let mut cell = report();
        let expected =
            "cell 3, 4 of level\nblocked for radius 8.0\nwall (1v0) on GROUP_1: 3.2 away";
        assert_eq!(cell.to_string(), expected);
        cell.distance = 0.0;
        let expected = "inside of wall (1v0) on GROUP_1";
        assert_eq!(cell.why_blocked(), expected);
        cell.blockers = vec!["a wall".to_owned(); 12];
        assert!(cell.why_blocked().ends_with(" and 9 more"));
        (cell.blockers, cell.distance) = (Vec::new(), 3.25);
        assert_eq!(cell.why_blocked(), "an obstacle is 3.2 away");
        cell.distance = 9.0;
        assert!(cell.why_blocked().contains("not on the steps"));
        (cell.is_forbidden, cell.area) = (true, Some("water".to_owned()));
        let expected = "water is forbidden to agents of this class";
        assert_eq!(cell.why_blocked(), expected);
        for radius in [61.0, f32::NAN] {
            cell.radius = radius;
            let text = cell.why_blocked();
            assert!(text.contains("raise max_clearance_cells"), "{text}");
        }
    }

    #[test]
    fn the_box_stays_within_the_text_area_and_off_the_pointer() {
        let (text_area, size) = (Rect::new(12.0, 12.0, 1000.0, 700.0), Vec2::new(300.0, 60.0));
        let place = |x: f32, y: f32| box_corner(Vec2::new(x, y), size, text_area);
        assert_eq!(place(400.0, 300.0), Vec2::new(418.0, 318.0));
        assert_eq!(place(990.0, 300.0), Vec2::new(672.0, 318.0));
        assert_eq!(place(400.0, 690.0), Vec2::new(418.0, 612.0));
        assert_eq!(place(990.0, 690.0), Vec2::new(672.0, 612.0));
        assert_eq!(
            place(-90.0, 2.0),
            Vec2::new(12.0, 20.0),
            "pointer outside the text area"
        );
    }

    #[test]
    fn a_walkable_cell_shows_its_region_and_cost() {
        let free = CellReport {
            cost: Some(2.5),
            region: Some((RegionId(2), 120)),
            area: Some("mud".to_owned()),
            distance: 20.0,
            ..report()
        };
        let expected = "cell 3, 4 of level\nwalkable for radius 8.0, cost 2.5, mud\n\
                        region 2 of 120 cells\n20.0 to wall (1v0) on GROUP_1";
        assert_eq!(free.to_string(), expected);
        let far = CellReport {
            is_far: true,
            ..free
        };
        assert!(far.to_string().ends_with("no obstacle within 20.0"));
    }
}
