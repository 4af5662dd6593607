//! The debug overlay from the command line: whether it is on at the start, what it shows, and of whom.

use bevy::prelude::*;
use bevy_pursuit::{Chase, NavAgent, PathRecorder};
use bevy_pursuit_debug::{
    Corner, Margins, OverlayCategories, OverlayCategory, OverlayPick, PursuitDebugPlugin,
    PursuitDebugSettings,
};
use clap::Args;

/// What is told of one agent, and so needs one that is picked.
const OF_ONE: [OverlayCategory; 2] = [OverlayCategory::Fields, OverlayCategory::Searches];

/// Options that switch the overlay on.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayOptions {
    /// Begin with the debug overlay switched on.
    #[arg(long)]
    pub overlay: bool,
    /// Begin with the debug overlay switched on, and show only these of its categories: paths, walkable-cells, ...
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = category)]
    pub show: Vec<OverlayCategory>,
}

impl OverlayOptions {
    /// Whether the overlay begins switched on.
    pub fn is_on(&self) -> bool {
        self.overlay || !self.show.is_empty()
    }

    /// The settings that an overlay begins with, in a window whose margins are the game's. Categories that are named
    /// take the place of the usual ones. Nobody points in a picture: the mouse is where it happens to be.
    pub fn settings(&self, margins: Margins, is_picture: bool) -> PursuitDebugSettings {
        let mut settings = PursuitDebugSettings {
            enabled: self.is_on(),
            margins,
            hover: !is_picture,
            // The other corners are the game's, or hold its keys.
            inspector: Some(Corner::TopRight),
            ..default()
        };
        if !self.show.is_empty() {
            settings.show = self.show.iter().copied().collect();
        }
        settings
    }
}

/// The category of a name, in which hyphens stand for spaces.
fn category(name: &str) -> Result<OverlayCategory, String> {
    let hyphened = |category: OverlayCategory| category.name().replace(' ', "-");
    let mut all = OverlayCategory::ALL.into_iter();
    let found = all.find(|category| hyphened(*category) == name);
    found.ok_or_else(|| {
        let names = OverlayCategory::ALL.map(hyphened);
        format!("there are {}", names.join(", "))
    })
}

/// Adds the overlay with the settings that it begins with. Where categories were named that tell of one agent,
/// one is picked.
pub struct OverlayPlugin(pub PursuitDebugSettings);

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .add_plugins(PursuitDebugPlugin);
        // Else whoever plays picks, and the inspector leaves the picture to the game.
        let has_named = self.0.show != OverlayCategories::default();
        if has_named {
            // When all places are known.
            app.add_systems(Last, pick_an_agent);
        }
    }
}

/// Picks an agent at the start if what is shown is about a single one, and records its searches. It takes the agent
/// with the most to tell: see [`worth`].
fn pick_an_agent(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    cameras: Query<(&Camera, &GlobalTransform)>,
    agents: Query<(Entity, &GlobalTransform, Has<Chase>), With<NavAgent>>,
    mut pick: ResMut<OverlayPick>,
    mut has_picked: Local<bool>,
) {
    if *has_picked || !settings.enabled || !settings.show.has_any(&OF_ONE) {
        return;
    }
    let camera = cameras.iter().next();
    let worth_of = |place: &GlobalTransform, chases: bool| {
        let in_view =
            camera.and_then(|(camera, view)| camera.world_to_ndc(view, place.translation()));
        worth(in_view.map(Vec3::truncate), chases)
    };
    let best = agents.iter().max_by(|a, b| {
        let [a_worth, b_worth] = [a, b].map(|(_, place, chases)| worth_of(place, *chases));
        a_worth.total_cmp(&b_worth).then(b.0.cmp(&a.0))
    });
    let Some((agent, ..)) = best else {
        return;
    };
    *has_picked = true;
    // Who plays may have been faster.
    if pick.agent.is_none() {
        pick.agent = Some(agent);
        if settings.show.has(OverlayCategory::Searches) {
            commands.entity(agent).insert(PathRecorder::default());
        }
    }
}

/// Agents farther out than this are too near to an edge of the picture. The edges are at 1.
const FARTHEST: f32 = 0.7;

/// How much an agent has to tell in a picture. One that chases tells more than one that does not, and one that is
/// farther out tells more: its way goes through more of the picture. `place` is where it is in the picture, from -1
/// to 1 on each axis.
fn worth(place: Option<Vec2>, chases: bool) -> f32 {
    let far = place.map_or(f32::INFINITY, |place| place.abs().max_element());
    let in_picture = if far <= FARTHEST { far } else { -far.min(9.0) };
    if chases {
        in_picture + 10.0
    } else {
        in_picture
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        overlay: OverlayOptions,
    }

    fn settings(arguments: &str) -> PursuitDebugSettings {
        let words = ["example"].into_iter().chain(arguments.split_whitespace());
        let line = Line::try_parse_from(words).expect("a good line");
        line.overlay.settings(Margins::default(), false)
    }

    #[test]
    fn of_those_in_the_picture_the_one_farthest_out_that_chases_has_the_most_to_tell() {
        let at = |x: f32, chases| worth(Some(Vec2::new(x, 0.1)), chases);
        assert!(at(0.6, true) > at(-0.2, true), "a longer way");
        assert!(at(0.2, true) > at(0.9, true), "in the picture");
        assert!(at(0.9, true) > at(1.4, true), "nearly in the picture");
        assert!(at(1.4, true) > at(0.6, false), "it chases");
        assert!(at(1.4, true) > worth(None, true), "behind the camera");
        assert!(worth(None, true) > at(0.6, false), "it chases");
    }

    #[test]
    fn every_category_has_a_name_to_ask_for_it() {
        for wanted in OverlayCategory::ALL {
            let name = wanted.name().replace(' ', "-");
            assert_eq!(category(&name), Ok(wanted));
        }
        let error = category("everything").expect_err("there is none");
        assert!(error.contains("walkable-cells"), "{error}");
    }

    #[test]
    fn the_overlay_is_off_until_it_is_asked_for() {
        let expected = PursuitDebugSettings {
            inspector: Some(Corner::TopRight),
            ..PursuitDebugSettings::default()
        };
        assert_eq!(settings(""), expected);
        let on = settings("--overlay");
        assert!(on.enabled && on.show == PursuitDebugSettings::default().show);
    }

    #[test]
    fn it_keeps_out_of_the_margins_and_says_nothing_of_a_mouse_in_a_picture() {
        let margins = Margins {
            right: 30.0,
            ..Margins::default()
        };
        let settings = OverlayOptions::default().settings(margins, true);
        assert!(settings.margins == margins && !settings.hover);
    }

    #[test]
    fn named_categories_switch_it_on_and_are_shown_alone() {
        use OverlayCategory::{Paths, Walkable};
        let named = settings("--show paths,walkable-cells");
        assert!(named.enabled);
        assert_eq!(named.show, [Paths, Walkable].into_iter().collect());
    }

    #[test]
    fn a_chaser_is_picked_where_something_is_told_of_one_agent() {
        let mut app = App::new();
        app.init_resource::<OverlayPick>()
            .insert_resource(settings("--show searches"))
            .add_systems(Last, pick_an_agent);
        let agent = NavAgent::from_radius(1.0);
        let target = app.world_mut().spawn(agent).id();
        let chaser = app.world_mut().spawn((agent, Chase::new(target)));
        let chaser = chaser.id();
        app.update();
        assert_eq!(app.world().resource::<OverlayPick>().agent, Some(chaser));
        assert!(app.world().entity(chaser).contains::<PathRecorder>());
    }
}
