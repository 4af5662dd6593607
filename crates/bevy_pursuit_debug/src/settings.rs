//! The overlay's settings: what it shows, where, and in which colors.

use bevy::prelude::*;

use crate::category::{OverlayCategories, OverlayCategory};

/// The overlay's switches, keys and colors. Insert your own value before you add the plugin, or change the resource at
/// any time.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PursuitDebugSettings {
    /// Whether the overlay is on.
    ///
    /// Default: `false`.
    pub enabled: bool,
    /// Key that flips `enabled`. With `None`, only the game switches the overlay.
    ///
    /// Default: `F1`.
    pub toggle: Option<KeyCode>,
    /// The categories that are drawn.
    ///
    /// Default: all except clearance, regions and fields.
    pub show: OverlayCategories,
    /// Whether keys pressed together with Alt switch categories and control replays: `docs/src/overlay.md` in the
    /// repository lists them. If the game uses Alt itself, set this to `false` and change `show` with keys of your own.
    ///
    /// Default: `true`.
    pub alt_keys: bool,
    /// Corner of the text panel. `None` hides the panel.
    ///
    /// Default: [`Corner::TopRight`].
    pub panel: Option<Corner>,
    /// Corner of the legend, which lists the keys and what each visible color means. `None` hides the legend.
    ///
    /// Default: [`Corner::BottomLeft`].
    pub legend: Option<Corner>,
    /// Corner of the inspector, which describes the picked agent. `None` hides the inspector.
    ///
    /// Default: [`Corner::TopLeft`].
    pub inspector: Option<Corner>,
    /// Strips along the edges of the window that the overlay keeps free of text, for the game's own text.
    ///
    /// Default: no strips.
    pub margins: Margins,
    /// Whether a text beside the pointer describes the cell under the pointer. If the cell is blocked, the text says
    /// why.
    ///
    /// Default: `true`.
    pub hover: bool,
    /// Mouse button that picks the agent under the pointer, or unpicks it if it is already picked. The button also
    /// drags the bar of a replay. Clicks also reach the game. With `None`, only the game writes
    /// [`OverlayPick`](crate::OverlayPick).
    ///
    /// Default: the left button.
    pub pick: Option<MouseButton>,
    /// Radius of the body for which cells are drawn as walkable or blocked, in world units. The picked agent's radius
    /// takes precedence. With `None` and no picked agent, the radius of the smallest agent is used, or the grid's node
    /// radius if there are no agents.
    ///
    /// Default: `None`.
    pub radius: Option<f32>,
    /// Minimum side of a square, in pixels. Finite, `> 0.0`.
    ///
    /// With a smaller value, single cells can be seen from farther away. With a greater value, drawing takes less time.
    ///
    /// Default: `4.0`.
    pub min_square_pixels: f32,
    /// Maximum number of squares in view for each grid. If more squares would be in view, larger squares are drawn
    /// instead. `>= 1`.
    ///
    /// Default: `24_576`.
    pub max_squares: u32,
    /// Colors of everything that the overlay draws.
    pub colors: OverlayColors,
}

impl PursuitDebugSettings {
    /// Whether a category is drawn: the overlay is on, and `show` contains the category.
    pub fn shows(&self, category: OverlayCategory) -> bool {
        self.enabled && self.show.has(category)
    }
}

/// A corner of the window.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
pub enum Corner {
    /// Top left.
    TopLeft,
    /// Top right.
    #[default]
    TopRight,
    /// Bottom left.
    BottomLeft,
    /// Bottom right.
    BottomRight,
}

impl Corner {
    /// All corners.
    pub const ALL: [Self; 4] = {
        use Corner::{BottomLeft, BottomRight, TopLeft, TopRight};
        [TopLeft, TopRight, BottomLeft, BottomRight]
    };
}

/// Widths of the strips along the edges of the window, in logical pixels.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct Margins {
    /// Width of the strip along the left edge. Default: `0.0`.
    pub left: f32,
    /// Width of the strip along the right edge. Default: `0.0`.
    pub right: f32,
    /// Width of the strip along the top edge. Default: `0.0`.
    pub top: f32,
    /// Width of the strip along the bottom edge. Default: `0.0`.
    pub bottom: f32,
}

/// Colors of the overlay.
///
/// The default colors within a category differ from each other, even for people who cannot tell red or blue from green.
/// The default colors of paths and velocities differ as well, since these lines cross. Replays have the usual colors of
/// search animations.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct OverlayColors {
    /// Walkable cells of the first grid. Other grids get other hues. Default: white at 22 %.
    pub walkable: Color,
    /// Blocked cells. Default: red at 42 %.
    pub blocked: Color,
    /// Color of walkable cells beside an obstacle, in the heat map of clearance. Default: orange at 45 %.
    pub near: Color,
    /// Color of walkable cells far from every obstacle, in the heat map of clearance. Default: blue at 40 %.
    pub far: Color,
    /// Arrows of fields. Default: light blue at 70 %.
    pub field: Color,
    /// Paths and waypoints. Default: orange.
    pub path: Color,
    /// Agents that walk along a path or are idle. Default: white.
    pub agent: Color,
    /// Agents that wait for their search, or at the end of a path. Default: yellow.
    pub waiting: Color,
    /// Agents that walk straight to their target. Default: sea green.
    pub straight: Color,
    /// Agents that have arrived, or stand behind others that arrived first. Default: brown.
    pub settled: Color,
    /// Agents that others ahead of them hold up. Default: pink.
    pub queued: Color,
    /// Agents that back up to make room for another agent. Default: violet.
    pub yielding: Color,
    /// Agents whose path leads only part of the way. Default: blue.
    pub partial: Color,
    /// Agents whose search failed, whose target is lost, or that are stuck. Default: red.
    pub failed: Color,
    /// Agents that are paused. Default: gray.
    pub paused: Color,
    /// Desired velocities. Default: cyan.
    pub velocity: Color,
    /// Color of the cell that is being expanded, in a replay. Default: pink.
    pub current: Color,
    /// Color of examined neighbors of the current cell, in a replay. Default: blue.
    pub examined: Color,
    /// Color of cells on the open list, in a replay. Default: yellow.
    pub discovered: Color,
    /// Color of cells that were expanded, in a replay. Default: pale gold at 55 %.
    pub closed: Color,
    /// Numbers and arrows in the cells of a replay. Default: nearly black.
    pub number: Color,
    /// The path of a replay at its start. Default: red.
    pub path_start: Color,
    /// The path of a replay at its goal. Default: green.
    pub path_goal: Color,
}

impl Default for PursuitDebugSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            toggle: Some(KeyCode::F1),
            show: OverlayCategories::default(),
            alt_keys: true,
            panel: Some(Corner::TopRight),
            legend: Some(Corner::BottomLeft),
            inspector: Some(Corner::TopLeft),
            margins: Margins::default(),
            hover: true,
            pick: Some(MouseButton::Left),
            radius: None,
            min_square_pixels: 4.0,
            max_squares: 24_576,
            colors: OverlayColors::default(),
        }
    }
}

impl Default for OverlayColors {
    fn default() -> Self {
        Self {
            walkable: Color::srgba(1.0, 1.0, 1.0, 0.22),
            blocked: Color::srgba(0.95, 0.13, 0.16, 0.42),
            near: Color::srgba(1.0, 0.45, 0.05, 0.45),
            far: Color::srgba(0.1, 0.4, 1.0, 0.4),
            field: Color::srgba(0.6, 0.8, 1.0, 0.7),
            path: Color::srgb(0.95, 0.6, 0.0),
            agent: Color::srgb(1.0, 1.0, 1.0),
            waiting: Color::srgb(0.98, 0.9, 0.35),
            straight: Color::srgb(0.2, 0.8, 0.5),
            settled: Color::srgb(0.6, 0.3, 0.2),
            queued: Color::srgb(1.0, 0.65, 0.85),
            yielding: Color::srgb(0.6, 0.15, 0.85),
            partial: Color::srgb(0.3, 0.55, 1.0),
            failed: Color::srgb(1.0, 0.3, 0.25),
            paused: Color::srgb(0.5, 0.52, 0.56),
            velocity: Color::srgb(0.2, 0.9, 1.0),
            current: Color::srgb(1.0, 0.31, 0.64),
            examined: Color::srgb(0.29, 0.66, 1.0),
            discovered: Color::srgb(1.0, 0.82, 0.25),
            closed: Color::srgba(0.71, 0.62, 0.36, 0.55),
            number: Color::srgba(0.05, 0.04, 0.02, 0.9),
            path_start: Color::srgb(0.94, 0.26, 0.23),
            path_goal: Color::srgb(0.21, 0.78, 0.35),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let settings = PursuitDebugSettings::default();
        assert!(!settings.enabled && settings.alt_keys && settings.hover);
        assert_eq!(settings.toggle, Some(KeyCode::F1));
        assert_eq!(settings.pick, Some(MouseButton::Left));
        assert_eq!(settings.min_square_pixels, 4.0);
        assert_eq!((settings.max_squares, settings.radius), (24_576, None));
        assert_eq!(settings.show, OverlayCategories::default());
        let blocks = [settings.panel, settings.legend, settings.inspector];
        let corners = [Corner::TopRight, Corner::BottomLeft, Corner::TopLeft];
        assert_eq!(blocks, corners.map(Some));
        let strips = settings.margins;
        let strips = [strips.left, strips.right, strips.top, strips.bottom];
        assert_eq!(strips, [0.0; 4]);
    }
}
