//! The legend: what each color that is on means, and which key switches it.

use bevy::prelude::*;

use crate::blocks::{Block, DIM, TEXT, line};
use crate::category::{OverlayCategories, OverlayCategory, OverlayModifier, key_name};
use crate::grids::GridPlans;
use crate::names::grid_name;
use crate::replay_keys::ReplayKeys;
use crate::replays::OverlayReplay;
use crate::routes::OverlayRoutes;
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::tint::{grid_color, region_color};

/// Most grids named in the legend.
const MAX_GRIDS: usize = 6;
/// Hues of regions shown as an example.
const EXAMPLES: u8 = 3;

/// Some colors, and what they mean.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    colors: Vec<Color>,
    text: String,
}

/// A row of the legend.
#[derive(Component)]
pub(crate) struct LegendRow;

/// What the legend was written for.
#[derive(Default)]
pub(crate) struct Written {
    rows: Vec<Row>,
    block: Option<Entity>,
}

/// Writes the legend anew when something else is on.
pub(crate) fn update_legend(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    plans: Res<GridPlans>,
    replay: Res<OverlayReplay>,
    routes: Res<OverlayRoutes>,
    names: Query<&Name>,
    blocks: Query<(Entity, &Block)>,
    rows: Query<Entity, With<LegendRow>>,
    mut written: Local<Written>,
) {
    let mut own = blocks.iter().filter(|(_, block)| **block == Block::Legend);
    let Some((block, _)) = own.next() else {
        *written = Written::default();
        return;
    };
    let mut grids = plans.plans.iter().map(|plan| plan.entity);
    let named = grids.by_ref().take(MAX_GRIDS);
    let grids: Vec<String> = named.map(|grid| grid_name(grid, &names)).collect();
    let given = Given {
        replay: replay.replay().is_some(),
        routes: routes.is_some(),
    };
    let wanted = legend(&settings, &grids, given);
    if written.block == Some(block) && written.rows == wanted {
        return;
    }
    for row in &rows {
        commands.entity(row).despawn();
    }
    for row in &wanted {
        commands
            .spawn((row_node(), LegendRow, ChildOf(block)))
            .with_children(|parent| {
                for color in &row.colors {
                    parent.spawn(swatch(*color));
                }
                let color = if row.colors.is_empty() { DIM } else { TEXT };
                parent.spawn(line(row.text.clone(), color));
            });
    }
    *written = Written {
        rows: wanted,
        block: Some(block),
    };
}

/// What there is only in some games, and at some times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Given {
    replay: bool,
    routes: bool,
}

/// All rows: of what is on, then the keys of what is off. Colors that are nowhere to be seen, for the game gave
/// nothing that has them, are left out.
fn legend(settings: &PursuitDebugSettings, grids: &[String], given: Given) -> Vec<Row> {
    let mut rows = Vec::new();
    for category in settings.show.iter() {
        let mut own = match category {
            OverlayCategory::Routes if !given.routes => continue,
            OverlayCategory::Searches if !given.replay => vec![row(&[], "no search is recorded")],
            _ => meaning(category, &settings.colors, grids),
        };
        if let Some((first, key)) = own.first_mut().zip(settings.keys.label(category)) {
            first.text += &format!("  [{key}]");
        }
        rows.append(&mut own);
        if category == OverlayCategory::Searches {
            rows.append(&mut keys_of_replays(settings, given.replay));
        }
    }
    let off = OverlayCategories::ALL
        .iter()
        .filter(|one| !settings.show.has(*one));
    let modifier = settings.keys.modifier;
    let keyed = off.filter_map(|one| {
        let key = key_name(settings.keys.key(one)?);
        Some(format!("{key} {}", one.name()))
    });
    rows.extend(lines_of_keys(modifier, keyed));
    if let Some(key) = settings.toggle {
        rows.push(row(&[], &format!("[{key:?}] overlay off")));
    }
    rows
}

/// The keys of replays: without one, the key alone that makes one.
fn keys_of_replays(settings: &PursuitDebugSettings, has_replay: bool) -> Vec<Row> {
    let ReplayKeys {
        record,
        play,
        back,
        forward,
        look_back,
        look_forward,
        scrub_back,
        scrub_forward,
        slower,
        faster,
    } = settings.replay;
    let named: [(&[Option<KeyCode>], &str); 6] = [
        (&[record], "record the agent"),
        (&[play], "play, pause"),
        (&[back, forward], "an expansion"),
        (&[look_back, look_forward], "a look"),
        (&[scrub_back, scrub_forward], "scrub"),
        (&[slower, faster], "slower, faster"),
    ];
    let shown = if has_replay { named.len() } else { 1 };
    let modifier = settings.keys.modifier;
    let keyed = named[..shown].iter().filter_map(|(keys, text)| {
        let keys = keys.iter().flatten();
        let keys: Vec<String> = keys.map(|key| key_name(*key)).collect();
        (!keys.is_empty()).then(|| format!("{} {text}", keys.join(" ")))
    });
    lines_of_keys(modifier, keyed)
}

/// The most characters in a line of keys: so it is no wider than the other rows of the legend.
const LINE_WIDTH: usize = 38;

/// Keys and what they do, as many to a line as fit. All of them need the modifier, so it is named once.
fn lines_of_keys(modifier: OverlayModifier, keyed: impl Iterator<Item = String>) -> Vec<Row> {
    let mut lines: Vec<String> = Vec::new();
    for text in keyed {
        match lines.last_mut() {
            Some(line) if line.len() + 2 + text.len() <= LINE_WIDTH => {
                *line += &format!("  {text}")
            }
            Some(_) => lines.push(text),
            None => lines.push(
                format!("{} {text}", modifier.prefix())
                    .trim_start()
                    .to_owned(),
            ),
        }
    }
    lines.iter().map(|line| row(&[], line)).collect()
}

/// What the colors of a category mean.
fn meaning(category: OverlayCategory, colors: &OverlayColors, grids: &[String]) -> Vec<Row> {
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
            let hues: Vec<Color> = (1..=EXAMPLES).map(region_color).collect();
            vec![row(&hues, "a hue for each region")]
        }
        OverlayCategory::JumpPoints => one(colors.jump_point, "jump points, when zoomed in"),
        OverlayCategory::Edits => one(colors.edit, "tiles baked anew"),
        OverlayCategory::Fields => one(colors.field, "field: the cheapest way"),
        OverlayCategory::Paths => one(colors.path, "paths ahead, next waypoint"),
        OverlayCategory::Intents => vec![
            row(&[colors.go], "goes to a point"),
            row(&[colors.follow], "follows an entity"),
            row(&[colors.flee], "flees from an entity"),
        ],
        OverlayCategory::Agents => vec![
            row(&[colors.agent], "agents: walking or idle"),
            row(&[colors.straight], "sees its target, or arrived"),
            row(&[colors.waiting], "waits"),
            row(&[colors.partial], "goes as near as it gets"),
            row(&[colors.failed], "failed, stuck, or target lost"),
            row(&[colors.paused], "paused"),
        ],
        OverlayCategory::Velocities => one(colors.velocity, "desired velocity, 1/3 s of it"),
        OverlayCategory::Outlines => one(colors.outline, "grid, and chunks of cells"),
        OverlayCategory::Targets => one(colors.target, "cell of a target"),
        OverlayCategory::Routes => vec![
            row(&[colors.road], "roads between places"),
            row(&[colors.closed_road], "road that is blocked"),
            row(&[colors.trip], "trip, brighter where stored"),
        ],
        OverlayCategory::Searches => vec![
            row(&[colors.current], "search: cell that is expanded"),
            row(&[colors.examined], "neighbors it looks at"),
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

fn row_node() -> Node {
    Node {
        column_gap: px(6),
        align_items: AlignItems::Center,
        ..default()
    }
}

/// A color as it looks on the ground: without what lies below.
fn swatch(color: Color) -> impl Bundle {
    let side = Node {
        width: px(11),
        height: px(11),
        border_radius: BorderRadius::all(px(2)),
        ..default()
    };
    (side, BackgroundColor(swatch_color(color)))
}

fn swatch_color(color: Color) -> Color {
    color.with_alpha(color.alpha().max(0.55))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BACKGROUND;

    fn texts(settings: &PursuitDebugSettings, grids: &[String]) -> Vec<String> {
        legend(settings, grids, Given::default())
            .into_iter()
            .map(|row| row.text)
            .collect()
    }

    #[test]
    fn what_is_on_has_its_colors_and_what_is_off_only_its_key() {
        let mut settings = PursuitDebugSettings {
            show: OverlayCategories::NONE.with(OverlayCategory::Paths),
            ..default()
        };
        let on = texts(&settings, &[]);
        assert_eq!(on[0], "paths ahead, next waypoint  [Alt+8]");
        let keys = [
            "Alt+ 1 walkable cells  2 blocked cells",
            "3 clearance  4 regions  5 jump points",
            "6 edits  7 fields  9 intents  0 agents",
            "- velocities  = outlines  ` targets",
            "; routes  \\ searches",
        ];
        assert_eq!(on[1..6], keys);
        assert_eq!(on[6..], ["[F1] overlay off"]);
        settings.keys = crate::category::CategoryKeys::NONE;
        settings.toggle = None;
        assert_eq!(texts(&settings, &[]), ["paths ahead, next waypoint"]);
    }

    #[test]
    fn colors_that_are_nowhere_to_be_seen_are_left_out() {
        let settings = PursuitDebugSettings {
            show: [OverlayCategory::Routes, OverlayCategory::Searches]
                .into_iter()
                .collect(),
            ..default()
        };
        let first = |given| legend(&settings, &[], given)[0].clone();
        let bare = first(Given::default());
        assert_eq!(bare.text, "no search is recorded  [Alt+\\]");
        assert!(bare.colors.is_empty());
        let routes = true;
        let roads = first(Given {
            routes,
            ..default()
        });
        assert_eq!(roads.text, "roads between places  [Alt+;]");
        let replay = true;
        let search = first(Given {
            replay,
            ..default()
        });
        assert_eq!(search.text, "search: cell that is expanded  [Alt+\\]");
    }

    #[test]
    fn the_keys_of_a_replay_are_named_while_there_is_one() {
        let mut settings = PursuitDebugSettings {
            show: OverlayCategories::NONE.with(OverlayCategory::Searches),
            ..default()
        };
        let texts = |settings: &PursuitDebugSettings, has_replay| {
            let rows = keys_of_replays(settings, has_replay);
            rows.into_iter().map(|row| row.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(&settings, false), ["Alt+ R record the agent"]);
        let expected = [
            "Alt+ R record the agent  P play, pause",
            ", . an expansion  K L a look",
            "N M scrub  [ ] slower, faster",
        ];
        assert_eq!(texts(&settings, true), expected);
        settings.replay = ReplayKeys {
            play: Some(KeyCode::Space),
            ..ReplayKeys::NONE
        };
        assert_eq!(texts(&settings, true), ["Alt+ Space play, pause"]);
    }

    #[test]
    fn several_grids_are_told_apart_by_name() {
        let settings = PursuitDebugSettings {
            show: OverlayCategories::NONE.with(OverlayCategory::Walkable),
            ..default()
        };
        let grids = ["ground floor".to_owned(), "attic".to_owned()];
        let rows = legend(&settings, &grids, Given::default());
        assert_eq!(rows[0].text, "walkable: ground floor  [Alt+1]");
        assert_eq!(rows[1].text, "walkable: attic");
        assert_ne!(rows[0].colors, rows[1].colors);
    }

    #[test]
    fn every_category_means_something() {
        for category in OverlayCategory::ALL {
            let rows = meaning(category, &OverlayColors::default(), &[]);
            assert!(!rows.is_empty(), "{}", category.name());
            assert!(rows.iter().all(|row| !row.colors.is_empty()));
        }
    }

    /// What people see of linear red, green and blue who lack one kind of cones: those for long, middle and short
    /// waves (Machado, Oliveira and Fernandes, 2009).
    const COLOR_BLIND: [(&str, [[f32; 3]; 3]); 3] = [
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    /// How a color of the legend looks to people: on the legend's background, as lightness and two axes of
    /// hue (Oklab).
    fn seen(color: Color, eyes: Option<[[f32; 3]; 3]>) -> Vec3 {
        let color = LinearRgba::from(swatch_color(color));
        let below = LinearRgba::from(BACKGROUND).to_vec3();
        let light = below.lerp(color.to_vec3(), color.alpha);
        let light = match eyes {
            Some(rows) => Vec3::from(rows.map(|row| Vec3::from(row).dot(light))),
            None => light,
        };
        Oklaba::from(LinearRgba::from_vec3(light.clamp(Vec3::ZERO, Vec3::ONE))).to_vec3()
    }

    /// What is drawn as lines and marks of its own, one over the other.
    const OVER_EACH_OTHER: [OverlayCategory; 6] = [
        OverlayCategory::Paths,
        OverlayCategory::Edits,
        OverlayCategory::JumpPoints,
        OverlayCategory::Velocities,
        OverlayCategory::Targets,
        OverlayCategory::Routes,
    ];

    /// Asserts that colors which may be taken for each other are so far apart: those of one category, and for most
    /// people those of lines that cross. A replay has the classic colors.
    fn all_differ(whose: &str, eyes: Option<[[f32; 3]; 3]>, least: f32) {
        let rows = OverlayCategory::ALL.into_iter().flat_map(|category| {
            let rows = meaning(category, &OverlayColors::default(), &[]);
            rows.into_iter().map(move |row| (category, row))
        });
        // Hues of regions are told apart by the test of `tint`.
        let are_classic = [OverlayCategory::Regions, OverlayCategory::Searches];
        let samples = rows
            .filter(|(category, _)| !are_classic.contains(category))
            .flat_map(|(category, row)| {
                // What lies between the two ends of the heat map is no color of its own.
                let middle = (category == OverlayCategory::Clearance).then_some(1);
                let colors = row.colors.into_iter().enumerate();
                let colors = colors.filter(move |(at, _)| Some(*at) != middle);
                colors.map(move |(_, color)| (category, row.text.clone(), seen(color, eyes)))
            });
        let samples: Vec<_> = samples.collect();
        let mut compared = 0;
        for (number, (category, text, color)) in samples.iter().enumerate() {
            for (other, other_text, other_color) in &samples[..number] {
                let both = [category, other];
                let may_cross =
                    eyes.is_none() && both.iter().all(|it| OVER_EACH_OTHER.contains(it));
                if category != other && !may_cross {
                    continue;
                }
                compared += 1;
                let apart = color.distance(*other_color);
                assert!(
                    apart > least,
                    "{text:?} and {other_text:?} are only {apart} apart for {whose}"
                );
            }
        }
        assert!(compared > 15, "{compared} pairs");
    }

    #[test]
    fn default_colors_that_may_be_taken_for_each_other_differ() {
        all_differ("most people", None, 0.1);
        for (whose, eyes) in COLOR_BLIND {
            all_differ(whose, Some(eyes), 0.07);
        }
    }
}
