//! The legend: the meaning of each visible color, and the key that switches it.

use bevy::prelude::*;
use bevy_pursuit::NavAreas;

use crate::blocks::{DIM_COLOR, TEXT_COLOR, TextBlock, text_line};
use crate::category::{OverlayCategories, OverlayCategory, key_name};
use crate::grids::GridPlans;
use crate::names::grid_name;
#[cfg(feature = "recorder")]
use crate::replay::{REPLAY_KEYS, ReplayReport};
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::squares::{area_color, grid_color, region_color};

/// Maximum number of areas named in the legend.
const MAX_AREAS: usize = 8;
/// Maximum number of grids named in the legend.
const MAX_GRIDS: usize = 6;
/// Number of region hues shown as examples.
const EXAMPLE_HUES: u8 = 3;

/// A row of the legend: a text, and the colors that are shown before it.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    colors: Vec<Color>,
    text: String,
}

/// Marks the node of a row.
#[derive(Component)]
pub(crate) struct LegendRow;

/// The rows that the legend shows, and the block that they are in.
#[derive(Default)]
pub(crate) struct WrittenLegend {
    rows: Vec<Row>,
    block: Option<Entity>,
}

/// Rewrites the legend when its rows change.
pub(crate) fn update_legend(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    plans: Res<GridPlans>,
    areas: Option<Res<NavAreas>>,
    #[cfg(feature = "recorder")] replay: ReplayReport,
    names: Query<&Name>,
    blocks: Query<(Entity, &TextBlock)>,
    rows: Query<Entity, With<LegendRow>>,
    mut written: Local<WrittenLegend>,
) {
    let mut own = blocks
        .iter()
        .filter(|(_, block)| **block == TextBlock::Legend);
    let Some((block, _)) = own.next() else {
        *written = WrittenLegend::default();
        return;
    };
    let named = plans.0.iter().take(MAX_GRIDS);
    let context = LegendContext {
        grids: named.map(|plan| grid_name(plan.entity, &names)).collect(),
        areas: areas.map_or_else(Vec::new, |areas| area_rows(&areas)),
        #[cfg(feature = "recorder")]
        has_replay: replay.is_shown(),
    };
    let wanted = legend(&settings, &context);
    if written.block == Some(block) && written.rows == wanted {
        return;
    }
    for row in &rows {
        commands.entity(row).despawn();
    }
    for row in &wanted {
        let node = Node {
            column_gap: px(6),
            align_items: AlignItems::Center,
            ..default()
        };
        commands
            .spawn((node, LegendRow, ChildOf(block)))
            .with_children(|parent| {
                for color in &row.colors {
                    parent.spawn(swatch(*color));
                }
                let is_dim = row.colors.is_empty();
                let color = if is_dim { DIM_COLOR } else { TEXT_COLOR };
                parent.spawn(text_line(row.text.clone(), color));
            });
    }
    *written = WrittenLegend {
        rows: wanted,
        block: Some(block),
    };
}

/// The things in the world that the legend names.
#[derive(Clone, Debug, Default)]
struct LegendContext {
    /// The names of the grids.
    grids: Vec<String>,
    /// The rows of the areas.
    areas: Vec<Row>,
    /// Whether a replay is shown.
    #[cfg(feature = "recorder")]
    has_replay: bool,
}

/// All rows of the legend: first the colors of categories that are on, then the keys of categories that are off.
/// Without a replay, the colors of replays are left out.
fn legend(settings: &PursuitDebugSettings, context: &LegendContext) -> Vec<Row> {
    let mut rows = Vec::new();
    let has_keys = settings.alt_keys;
    for category in settings.show.iter() {
        let mut own = rows_of(category, &settings.colors, context);
        #[cfg(feature = "recorder")]
        if category == OverlayCategory::Searches && !context.has_replay {
            own = vec![row(&[], "no search is recorded")];
        }
        if let Some(first) = own.first_mut().filter(|_| has_keys) {
            first.text += &format!("  [Alt+{}]", key_name(category.info().key));
        }
        rows.append(&mut own);
        #[cfg(feature = "recorder")]
        if category == OverlayCategory::Searches && has_keys {
            rows.append(&mut keys_of_replays(context.has_replay));
        }
    }
    if has_keys {
        let all = OverlayCategories::ALL.iter();
        let off = all.filter(|one| !settings.show.has(*one));
        rows.extend(lines_of_keys(
            off.map(|one| format!("{} {}", key_name(one.info().key), one.name())),
        ));
    }
    if let Some(key) = settings.toggle {
        rows.push(row(&[], &format!("[{key:?}] overlay off")));
    }
    rows
}

/// Rows with the keys of replays. Without a replay, only the key that records searches is listed.
#[cfg(feature = "recorder")]
fn keys_of_replays(has_replay: bool) -> Vec<Row> {
    let shown = if has_replay { REPLAY_KEYS.len() } else { 1 };
    lines_of_keys(REPLAY_KEYS[..shown].iter().map(|(keys, text)| {
        let keys: Vec<String> = keys.iter().map(|key| key_name(*key)).collect();
        format!("{} {text}", keys.join(" "))
    }))
}

/// Maximum number of characters in a row of keys. It keeps these rows about as narrow as the other rows.
const MAX_KEY_ROW_CHARS: usize = 38;

/// Rows that list keys and what each key does, with as many keys in a row as fit. Only the first row says "Alt+",
/// although all of these keys need Alt.
fn lines_of_keys(keyed: impl Iterator<Item = String>) -> Vec<Row> {
    let mut lines: Vec<String> = Vec::new();
    for text in keyed {
        match lines.last_mut() {
            Some(line) if line.len() + 2 + text.len() <= MAX_KEY_ROW_CHARS => {
                *line += &format!("  {text}")
            }
            Some(_) => lines.push(text),
            None => lines.push(format!("Alt+ {text}")),
        }
    }
    lines.iter().map(|line| row(&[], line)).collect()
}

/// A row for each of the first [`MAX_AREAS`] areas. Plain ground has no row.
fn area_rows(areas: &NavAreas) -> Vec<Row> {
    let others = areas.all.iter().skip(1).take(MAX_AREAS);
    let named = others.map(|area| row(&[area_color(&area.color)], &area.name));
    named.collect()
}

/// The rows that explain the colors of a category.
fn rows_of(category: OverlayCategory, colors: &OverlayColors, context: &LegendContext) -> Vec<Row> {
    let grids = &context.grids;
    let one = |color: Color, text: &str| vec![row(&[color], text)];
    match category {
        OverlayCategory::Walkable if grids.len() > 1 => {
            let named = grids.iter().enumerate();
            let rows = named.map(|(number, name)| {
                row(&[grid_color(number, colors)], &format!("walkable: {name}"))
            });
            rows.collect()
        }
        OverlayCategory::Walkable => one(colors.walkable, "walkable"),
        OverlayCategory::Blocked => one(colors.blocked, "blocked for the radius shown"),
        OverlayCategory::Clearance => {
            let middle = colors.near.mix(&colors.far, 0.5);
            vec![row(
                &[colors.near, middle, colors.far],
                "near obstacles ... far",
            )]
        }
        OverlayCategory::Regions => {
            let hues: Vec<Color> = (1..=EXAMPLE_HUES).map(region_color).collect();
            vec![row(&hues, "a hue for each region")]
        }
        OverlayCategory::Fields => one(colors.field, "flow field of the picked agent"),
        OverlayCategory::Paths => one(colors.path, "paths ahead, next waypoint"),
        OverlayCategory::Areas if context.areas.is_empty() => vec![row(&[], "no areas")],
        OverlayCategory::Areas => {
            let mut rows = context.areas.clone();
            rows.push(row(&[], "darker where they are forbidden"));
            rows
        }
        OverlayCategory::Agents => vec![
            row(&[colors.agent], "agents: walking or idle"),
            row(&[colors.straight], "sees its target"),
            row(&[colors.settled], "arrived, or stands behind others"),
            row(&[colors.queued], "queues behind others"),
            row(&[colors.yielding], "yields to another agent"),
            row(&[colors.waiting], "waits"),
            row(&[colors.partial], "goes as near as it can"),
            row(&[colors.failed], "failed, stuck, or target lost"),
            row(&[colors.paused], "paused"),
        ],
        OverlayCategory::Velocities => one(colors.velocity, "desired velocity, 1/3 s of it"),
        #[cfg(feature = "recorder")]
        OverlayCategory::Searches => vec![
            row(&[colors.current], "search: expanded cell"),
            row(&[colors.examined], "its examined neighbors"),
            row(&[colors.discovered, colors.closed], "open, closed"),
            row(
                &[colors.path_start, colors.path_goal],
                "path, start to goal",
            ),
        ],
    }
}

fn row(colors: &[Color], text: &str) -> Row {
    Row {
        colors: colors.to_vec(),
        text: text.to_owned(),
    }
}

/// A square that shows a color of the legend.
fn swatch(color: Color) -> impl Bundle {
    let side = Node {
        width: px(11),
        height: px(11),
        border_radius: BorderRadius::all(px(2)),
        ..default()
    };
    (side, BackgroundColor(swatch_color(color)))
}

/// The color of a swatch. It is at least 55 % opaque, so that faint colors can be seen.
fn swatch_color(color: Color) -> Color {
    color.with_alpha(color.alpha().max(0.55))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BACKGROUND_COLOR;

    fn showing(categories: &[OverlayCategory]) -> PursuitDebugSettings {
        PursuitDebugSettings {
            show: categories.iter().copied().collect(),
            ..default()
        }
    }

    fn texts(settings: &PursuitDebugSettings, context: &LegendContext) -> Vec<String> {
        let rows = legend(settings, context).into_iter();
        rows.map(|row| row.text).collect()
    }

    #[test]
    fn categories_that_are_on_have_rows_and_the_others_only_a_key() {
        let mut settings = showing(&[OverlayCategory::Paths]);
        let on = texts(&settings, &LegendContext::default());
        assert_eq!(on[0], "paths ahead, next waypoint  [Alt+8]");
        assert_eq!(on[1], "Alt+ 1 walkable cells  2 blocked cells");
        assert_eq!(on[2], "3 clearance  4 regions  5 velocities");
        assert_eq!(on.last().map(String::as_str), Some("[F1] overlay off"));
        settings.alt_keys = false;
        settings.toggle = None;
        let bare = texts(&settings, &LegendContext::default());
        assert_eq!(bare, ["paths ahead, next waypoint"]);
    }

    #[test]
    #[cfg(feature = "recorder")]
    fn replay_colors_and_keys_are_listed_only_while_a_replay_is_shown() {
        let settings = showing(&[OverlayCategory::Searches]);
        let without = ["no search is recorded  [Alt+6]", "Alt+ R record the agent"];
        let mut context = LegendContext::default();
        assert_eq!(texts(&settings, &context)[..2], without);
        assert!(legend(&settings, &context)[0].colors.is_empty());
        context.has_replay = true;
        let with = texts(&settings, &context);
        assert_eq!(with[0], "search: expanded cell  [Alt+6]");
        let keys = [
            "Alt+ R record the agent  P play, pause",
            ", . one expansion  K L one neighbor",
            "[ ] slower, faster",
        ];
        assert_eq!(with[4..7], keys);
    }

    #[test]
    fn several_grids_have_rows_with_their_names_and_different_colors() {
        let settings = showing(&[OverlayCategory::Walkable]);
        let context = LegendContext {
            grids: vec!["ground floor".to_owned(), "attic".to_owned()],
            ..default()
        };
        let rows = legend(&settings, &context);
        assert_eq!(rows[0].text, "walkable: ground floor  [Alt+1]");
        assert_eq!(rows[1].text, "walkable: attic");
        assert_ne!(rows[0].colors, rows[1].colors);
    }

    #[test]
    fn areas_have_rows_with_their_names_and_different_colors() {
        let settings = showing(&[OverlayCategory::Areas]);
        let mut areas = NavAreas::default();
        let rows = |areas: &NavAreas| {
            let areas = area_rows(areas);
            legend(&settings, &LegendContext { areas, ..default() })
        };
        assert_eq!(rows(&areas)[0].text, "no areas  [Alt+9]");
        areas.add("mud", 2.0, Color::srgb(0.4, 0.3, 0.1));
        areas.add("water", 2.0, Color::srgb(0.1, 0.3, 0.8));
        let rows = rows(&areas);
        assert_eq!(rows[0].text, "mud  [Alt+9]");
        assert_eq!(rows[1].text, "water");
        assert_ne!(rows[0].colors, rows[1].colors);
    }

    /// Kinds of color vision: a name, a matrix in rows from linear RGB to perceived RGB, and the minimum Oklab distance
    /// between two colors. The last three kinds lack the cones for long, middle and short wavelengths, in this order
    /// (Machado, Oliveira and Fernandes, 2009).
    #[rustfmt::skip]
    const COLOR_VISIONS: [(&str, [f32; 9], f32); 4] = [
        ("most people", [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], 0.1),
        ("protanopia", [0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052], 0.07),
        ("deuteranopia", [0.367, 0.861, -0.228, 0.280, 0.673, 0.047, -0.012, 0.043, 0.969], 0.07),
        ("tritanopia", [1.256, -0.077, -0.179, -0.078, 0.931, 0.148, 0.005, 0.691, 0.304], 0.07),
    ];

    /// The perceived color of a swatch on the legend's background, in Oklab: lightness and two axes of hue.
    fn perceived(color: Color, rows: &[f32; 9]) -> Vec3 {
        let color = LinearRgba::from(swatch_color(color));
        let below = LinearRgba::from(BACKGROUND_COLOR).to_vec3();
        let light = below.lerp(color.to_vec3(), color.alpha);
        let light = Mat3::from_cols_array(rows).transpose() * light;
        Oklaba::from(LinearRgba::from_vec3(light.clamp(Vec3::ZERO, Vec3::ONE))).to_vec3()
    }

    #[test]
    fn default_colors_of_a_category_differ_for_every_kind_of_color_vision() {
        // Three categories are left out: a test in `squares` checks the hues of regions, replays have the usual colors
        // of search animations, and the game chooses the colors of areas.
        let others = ["regions", "searches", "areas"];
        for category in OverlayCategory::ALL {
            if others.contains(&category.name()) {
                continue;
            }
            let rows = rows_of(
                category,
                &OverlayColors::default(),
                &LegendContext::default(),
            );
            let mut colors: Vec<Color> = rows.into_iter().flat_map(|row| row.colors).collect();
            assert!(!colors.is_empty(), "{category:?} has no colors");
            if category == OverlayCategory::Clearance {
                // The middle of the heat map blends the two ends, so it need not differ from them.
                colors.remove(1);
            }
            for (vision, matrix, min_distance) in &COLOR_VISIONS {
                for (number, one) in colors.iter().enumerate() {
                    for other in &colors[..number] {
                        let distance = perceived(*one, matrix).distance(perceived(*other, matrix));
                        assert!(
                            distance > *min_distance,
                            "{category:?}: {distance} for {vision}"
                        );
                    }
                }
            }
        }
        let OverlayColors { path, velocity, .. } = OverlayColors::default();
        let matrix = &COLOR_VISIONS[0].1;
        assert!(
            perceived(path, matrix).distance(perceived(velocity, matrix)) > 0.1,
            "paths and velocities cross"
        );
    }
}
