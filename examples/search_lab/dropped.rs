//! A map file that is dropped on the window is opened; what is wrong with it is told over the lanes.

use std::path::Path;

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use pursuit_examples::hud::{CARD, paragraph};

use crate::board::Board;
use crate::colors::IMPROVED;
use crate::levels;
use crate::view::{BAR, PANEL, View};

/// What is told over the lanes, until a key or a button is pressed.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct Notice(pub(crate) String);

/// The card that holds it, and its words.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct NoticeCard;
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct NoticeText;

pub(crate) fn spawn_notice(mut commands: Commands) {
    let row = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(PANEL),
        bottom: px(BAR + 14.0),
        justify_content: JustifyContent::Center,
        display: Display::None,
        ..default()
    };
    let card = Node {
        max_width: percent(80),
        padding: UiRect::axes(px(18), px(10)),
        border_radius: BorderRadius::all(px(10)),
        ..default()
    };
    commands.spawn((
        NoticeCard,
        row,
        children![(
            card,
            BackgroundColor(CARD.with_alpha(0.94)),
            children![(paragraph(15.0, IMPROVED), NoticeText)],
        )],
    ));
}

/// Opens the map, or tells why not. While one is held over the window, says what would become of it.
pub(crate) fn open_dropped(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut dropped: MessageReader<FileDragAndDrop>,
    mut board: ResMut<Board>,
    mut view: ResMut<View>,
    mut notice: ResMut<Notice>,
) {
    let is_read = keys.get_just_pressed().len() + buttons.get_just_pressed().len() > 0;
    if is_read {
        notice.set_if_neq(Notice::default());
    }
    for message in dropped.read() {
        let words = match message {
            FileDragAndDrop::DroppedFile { path_buf, .. } => match levels::load(path_buf) {
                Ok(map) => {
                    *board = map;
                    view.is_fitted = true;
                    String::new()
                }
                Err(reason) => reason,
            },
            FileDragAndDrop::HoveredFile { path_buf, .. } => {
                format!("let go to open {}", name(path_buf))
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => String::new(),
        };
        notice.set_if_neq(Notice(words));
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Shows the card where there is anything to tell.
pub(crate) fn write_notice(
    notice: Res<Notice>,
    mut card: Single<&mut Node, With<NoticeCard>>,
    mut text: Single<&mut Text, With<NoticeText>>,
) {
    if !notice.is_changed() {
        return;
    }
    card.display = if notice.0.is_empty() {
        Display::None
    } else {
        Display::Flex
    };
    text.0.clone_from(&notice.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::{env, fs, process};

    /// A laboratory without a window, and a file to drop on it.
    struct Lab {
        app: App,
        file: PathBuf,
    }

    impl Lab {
        fn new(name: &str) -> Self {
            let mut app = App::new();
            app.insert_resource(Board::parse("before", "S..G\n").expect("a map"))
                .insert_resource(View::new(Some(40.0), None))
                .init_resource::<ButtonInput<KeyCode>>()
                .init_resource::<ButtonInput<MouseButton>>()
                .init_resource::<Notice>()
                .add_message::<FileDragAndDrop>()
                .add_systems(Startup, spawn_notice)
                .add_systems(Update, (open_dropped, write_notice).chain());
            let name = format!("search_lab-{}-{name}.txt", process::id());
            let file = env::temp_dir().join(name);
            Self { app, file }
        }

        fn tell(&mut self, message: FileDragAndDrop) {
            self.app.world_mut().write_message(message);
            self.app.update();
        }

        fn drop_text(&mut self, text: &str) {
            fs::write(&self.file, text).expect("written");
            let path_buf = self.file.clone();
            let window = Entity::PLACEHOLDER;
            self.tell(FileDragAndDrop::DroppedFile { window, path_buf });
        }

        /// What the card says; `None` while it is not shown.
        fn told(&mut self) -> Option<String> {
            let world = self.app.world_mut();
            let mut cards = world.query_filtered::<&Node, With<NoticeCard>>();
            let is_shown = cards.single(world).expect("a card").display == Display::Flex;
            let mut texts = world.query_filtered::<&Text, With<NoticeText>>();
            let text = texts.single(world).expect("a text").0.clone();
            is_shown.then_some(text)
        }
    }

    impl Drop for Lab {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.file);
        }
    }

    #[test]
    fn a_map_that_is_dropped_is_opened() {
        let mut lab = Lab::new("map");
        lab.drop_text("S.#\n..G\n...\n");
        let world = lab.app.world();
        assert_eq!(world.resource::<Board>().height(), 3);
        assert!(world.resource::<View>().is_fitted);
        assert_eq!(lab.told(), None);
    }

    #[test]
    fn a_bad_map_leaves_the_board_and_says_where_it_is_wrong_until_a_key_is_pressed() {
        let mut lab = Lab::new("bad");
        lab.drop_text("S..\n.0.\n..G\n");
        assert_eq!(lab.app.world().resource::<Board>().name, "before");
        let told = lab.told().expect("a reason");
        assert!(told.contains("line 2, column 2"), "{told}");
        lab.app.update();
        assert_eq!(lab.told(), Some(told));
        let mut keys = lab.app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.press(KeyCode::Space);
        lab.app.update();
        assert_eq!(lab.told(), None);
    }

    #[test]
    fn a_file_over_the_window_is_named_until_it_is_gone() {
        let mut lab = Lab::new("held");
        let window = Entity::PLACEHOLDER;
        let path_buf = PathBuf::from("maps/maze.map");
        lab.tell(FileDragAndDrop::HoveredFile { window, path_buf });
        assert_eq!(lab.told().as_deref(), Some("let go to open maze.map"));
        lab.tell(FileDragAndDrop::HoveredFileCanceled { window });
        assert_eq!(lab.told(), None);
    }
}
