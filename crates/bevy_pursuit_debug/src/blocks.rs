//! Text blocks in the corners of the window: where they are, and what they look like.

use bevy::prelude::*;

use crate::settings::{Corner, Margins, PursuitDebugSettings};

/// Distance of the blocks from the window's edges, in logical pixels.
pub(crate) const BLOCK_MARGIN_PIXELS: f32 = 12.0;
/// Distance between two blocks, in logical pixels.
const BLOCK_GAP_PIXELS: f32 = 8.0;
/// Even in a small window, the blocks in a corner may be this wide, in logical pixels.
const MIN_CORNER_WIDTH_PIXELS: f32 = 240.0;
/// Font size, in logical pixels.
const FONT_SIZE_PIXELS: f32 = 13.0;
/// Z index of the blocks. They lie above the game's own user interface.
const Z_INDEX: i32 = 100;

pub(crate) const TEXT_COLOR: Color = Color::srgb(0.88, 0.92, 1.0);
pub(crate) const DIM_COLOR: Color = Color::srgb(0.56, 0.6, 0.7);
pub(crate) const BACKGROUND_COLOR: Color = Color::srgba(0.05, 0.06, 0.1, 0.82);

/// The kind of a text block.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextBlock {
    /// Figures about grids, agents and searches.
    Panel,
    /// The meaning of the colors.
    Legend,
    /// A report on the picked agent.
    Inspector,
}

impl TextBlock {
    /// Every kind, in the order in which blocks in the same corner are stacked from the window's edge inward.
    const ALL: [Self; 3] = [Self::Panel, Self::Legend, Self::Inspector];

    fn corner(self, settings: &PursuitDebugSettings) -> Option<Corner> {
        match self {
            Self::Panel => settings.panel,
            Self::Legend => settings.legend,
            Self::Inspector => settings.inspector,
        }
    }
}

/// The part of the viewport that the overlay may write text into, in UI pixels.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextArea(pub(crate) Rect);

/// The parent node of the blocks in one corner.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct CornerRoot(Corner);

/// Marks the text of a block.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct BlockText;

/// Spawns the blocks that the settings ask for, and keeps them out of the margins. If a block's corner changes, all
/// blocks are spawned again.
pub(crate) fn place_blocks(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    text_area: Res<TextArea>,
    mut roots: Query<(Entity, &CornerRoot, &mut Node)>,
    mut placed: Local<[Option<Corner>; TextBlock::ALL.len()]>,
) {
    let max_width = max_corner_width(text_area.0);
    let wanted = TextBlock::ALL.map(|block| block.corner(&settings));
    if *placed == wanted && !roots.is_empty() {
        for (_, root, mut node) in &mut roots {
            node.set_if_neq(corner_node(root.0, settings.margins, max_width));
        }
        return;
    }
    *placed = wanted;
    for (root, ..) in &roots {
        commands.entity(root).despawn();
    }
    for corner in Corner::ALL {
        let blocks = TextBlock::ALL.into_iter();
        let own: Vec<_> = blocks
            .filter(|block| block.corner(&settings) == Some(corner))
            .collect();
        if !own.is_empty() {
            let root = (
                CornerRoot(corner),
                Name::new("pursuit overlay"),
                corner_node(corner, settings.margins, max_width),
                GlobalZIndex(Z_INDEX),
            );
            commands.spawn(root).with_children(|parent| {
                for block in own {
                    let text = text_line(String::new(), TEXT_COLOR);
                    let background = BackgroundColor(BACKGROUND_COLOR);
                    let texts = children![(BlockText, text)];
                    parent.spawn((block, box_node(), background, texts));
                }
            });
        }
    }
}

/// Maximum width of the blocks in a corner. It is half the width of the text area, so that blocks in neighboring
/// corners do not overlap, but at least [`MIN_CORNER_WIDTH_PIXELS`]. Long lines wrap.
fn max_corner_width(text_area: Rect) -> Val {
    px(((text_area.width() - BLOCK_GAP_PIXELS) / 2.0).max(MIN_CORNER_WIDTH_PIXELS))
}

fn corner_node(corner: Corner, margins: Margins, max_width: Val) -> Node {
    let is_left = matches!(corner, Corner::TopLeft | Corner::BottomLeft);
    let is_top = matches!(corner, Corner::TopLeft | Corner::TopRight);
    let edge = |is_here: bool, strip: f32| match is_here {
        true => px(BLOCK_MARGIN_PIXELS + strip),
        false => auto(),
    };
    let flex_direction = match is_top {
        true => FlexDirection::Column,
        false => FlexDirection::ColumnReverse,
    };
    let align_items = match is_left {
        true => AlignItems::FlexStart,
        false => AlignItems::FlexEnd,
    };
    Node {
        position_type: PositionType::Absolute,
        left: edge(is_left, margins.left),
        right: edge(!is_left, margins.right),
        top: edge(is_top, margins.top),
        bottom: edge(!is_top, margins.bottom),
        max_width,
        flex_direction,
        align_items,
        row_gap: px(BLOCK_GAP_PIXELS),
        ..default()
    }
}

/// The rectangle of a node in its camera's viewport, in UI pixels.
pub(crate) fn rect_of(node: &ComputedNode, place: &UiGlobalTransform) -> Rect {
    let [center, size] = [place.translation, node.size].map(|it| it * node.inverse_scale_factor);
    Rect::from_center_size(center, size)
}

/// The node of a box that holds text.
pub(crate) fn box_node() -> Node {
    Node {
        padding: UiRect::axes(px(12), px(8)),
        flex_direction: FlexDirection::Column,
        border_radius: BorderRadius::all(px(8)),
        ..default()
    }
}

/// The components of a text in the overlay's font size.
pub(crate) fn text_line(text: impl Into<String>, color: Color) -> impl Bundle {
    (
        Text::new(text),
        TextFont::from_font_size(FONT_SIZE_PIXELS),
        TextColor(color),
    )
}

/// Shows a node or hides it. A hidden node takes up no space in the layout.
pub(crate) fn show_node(node: &mut Mut<Node>, is_shown: bool) {
    let display = match is_shown {
        true => Display::Flex,
        false => Display::None,
    };
    if node.display != display {
        node.display = display;
    }
}

/// Writes a text into a block, unless the block already shows that text.
pub(crate) fn write_text(
    block: TextBlock,
    text: String,
    blocks: &Query<(&TextBlock, &Children)>,
    texts: &mut Query<&mut Text, With<BlockText>>,
) {
    let own = blocks.iter().filter(|(one, _)| **one == block);
    for child in own.flat_map(|(_, children)| children.iter()) {
        if let Ok(mut shown) = texts.get_mut(child)
            && shown.0 != text
        {
            shown.0.clone_from(&text);
        }
    }
}
