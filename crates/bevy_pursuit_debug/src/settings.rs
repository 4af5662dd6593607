//! What the overlay shows, and in which colors.

use bevy::prelude::*;

/// Switches and colors of the overlay. Insert your own before adding the plugin, or write to it at
/// any time.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PursuitDebugSettings {
    /// Whether anything is shown at all.
    ///
    /// Default: `false`.
    pub enabled: bool,
    /// Key that flips `enabled`. `None` leaves the switch to you.
    ///
    /// Default: `F1`.
    pub toggle: Option<KeyCode>,
    /// Draw the outline of each grid. Default: `true`.
    pub outline: bool,
    /// Draw walkable cells. Default: `true`.
    pub walkable: bool,
    /// Draw blocked cells. Default: `true`.
    pub blocked: bool,
    /// Draw chunk outlines when zoomed out. Default: `true`.
    pub chunks: bool,
    /// Draw the cell of each target that is chased, and a frame around it. Default: `true`.
    pub targets: bool,
    /// Draw the part of each path that lies ahead. Default: `true`.
    pub paths: bool,
    /// Draw the waypoint that each agent walks to. Default: `true`.
    pub waypoints: bool,
    /// Draw each agent's radius. Default: `true`.
    pub radii: bool,
    /// Draw each agent's desired velocity. Default: `true`.
    pub velocities: bool,
    /// Show the text panel. Default: `true`.
    pub panel: bool,
    /// Radius, in world units, of the body for which cells count as walkable. `None` takes the
    /// smallest agent's, or the grid's node radius where there is no agent.
    ///
    /// Default: `None`.
    pub radius: Option<f32>,
    /// Smallest square worth drawing, in pixels. Finite, `> 0.0`.
    ///
    /// Lower it to keep single cells in sight farther out; higher costs less.
    ///
    /// Default: `4.0`.
    pub min_square_pixels: f32,
    /// Most squares of one size in view; beyond it larger ones stand for them. `>= 1`.
    ///
    /// Default: `65_536`.
    pub max_squares: u32,
    /// The colors.
    pub colors: OverlayColors,
}

/// Colors of the overlay's layers.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct OverlayColors {
    /// Grid outlines. Default: white at 60 %.
    pub outline: Color,
    /// Walkable cells. Default: white at 22 %.
    pub walkable: Color,
    /// Blocked cells. Default: red at 42 %.
    pub blocked: Color,
    /// The target's cell and its frame. Default: blue at 90 %.
    pub target: Color,
    /// Paths and waypoints. Default: yellow.
    pub path: Color,
    /// Agents that walk a path, or wait. Default: light gray.
    pub agent: Color,
    /// Agents with a straight way to their target. Default: green.
    pub straight: Color,
    /// Agents whose search failed, or that are stuck. Default: red.
    pub failed: Color,
    /// Desired velocities. Default: cyan.
    pub velocity: Color,
}

impl Default for PursuitDebugSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            toggle: Some(KeyCode::F1),
            outline: true,
            walkable: true,
            blocked: true,
            chunks: true,
            targets: true,
            paths: true,
            waypoints: true,
            radii: true,
            velocities: true,
            panel: true,
            radius: None,
            min_square_pixels: 4.0,
            max_squares: 65_536,
            colors: OverlayColors::default(),
        }
    }
}

impl Default for OverlayColors {
    fn default() -> Self {
        Self {
            outline: Color::srgba(1.0, 1.0, 1.0, 0.6),
            walkable: Color::srgba(1.0, 1.0, 1.0, 0.22),
            blocked: Color::srgba(0.95, 0.13, 0.16, 0.42),
            target: Color::srgba(0.16, 0.42, 1.0, 0.9),
            path: Color::srgb(1.0, 0.86, 0.1),
            agent: Color::srgb(0.85, 0.88, 0.95),
            straight: Color::srgb(0.35, 0.95, 0.45),
            failed: Color::srgb(1.0, 0.25, 0.25),
            velocity: Color::srgb(0.2, 0.9, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let settings = PursuitDebugSettings::default();
        assert!(!settings.enabled);
        assert_eq!(settings.toggle, Some(KeyCode::F1));
        assert_eq!(
            (settings.min_square_pixels, settings.max_squares),
            (4.0, 65_536)
        );
        assert_eq!(settings.radius, None);
        let layers = [
            settings.outline,
            settings.walkable,
            settings.blocked,
            settings.chunks,
            settings.targets,
            settings.paths,
            settings.waypoints,
            settings.radii,
            settings.velocities,
            settings.panel,
        ];
        assert_eq!(layers, [true; 10]);
    }
}
