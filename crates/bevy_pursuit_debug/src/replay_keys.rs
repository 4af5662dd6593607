//! The keys that record and replay searches.

use bevy::prelude::*;

/// The keys of replays. Each counts while the overlay and the category `Searches` are on, with the modifier of
/// [`CategoryKeys`](crate::CategoryKeys) held.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct ReplayKeys {
    /// Records the searches of the picked agent, or no longer. It is the one key that changes the game:
    /// it inserts or removes a [`PathRecorder`](bevy_pursuit::PathRecorder). With Shift, one that lets the agent
    /// search by A\*, from cell to cell: the usual jump points have few events. Default: `R`.
    pub record: Option<KeyCode>,
    /// Plays and pauses; from the beginning at the end. Default: `P`.
    pub play: Option<KeyCode>,
    /// Back by an expansion. Default: `,`.
    pub back: Option<KeyCode>,
    /// On by an expansion. Default: `.`.
    pub forward: Option<KeyCode>,
    /// Back by a single event, such as a look at a neighbor. Default: `K`, which lies above `,`.
    pub look_back: Option<KeyCode>,
    /// On by a single event. Default: `L`, which lies above `.`.
    pub look_forward: Option<KeyCode>,
    /// Runs back while it is held, through the whole search in five seconds. Default: `N`.
    pub scrub_back: Option<KeyCode>,
    /// Runs on while it is held. Default: `M`, which lies beside `N` and `,`.
    pub scrub_forward: Option<KeyCode>,
    /// Half as fast. Default: `[`.
    pub slower: Option<KeyCode>,
    /// Twice as fast. Default: `]`.
    pub faster: Option<KeyCode>,
}

impl ReplayKeys {
    /// No keys at all.
    pub const NONE: Self = Self {
        record: None,
        play: None,
        back: None,
        forward: None,
        look_back: None,
        look_forward: None,
        scrub_back: None,
        scrub_forward: None,
        slower: None,
        faster: None,
    };
}

impl Default for ReplayKeys {
    fn default() -> Self {
        Self {
            record: Some(KeyCode::KeyR),
            play: Some(KeyCode::KeyP),
            back: Some(KeyCode::Comma),
            forward: Some(KeyCode::Period),
            look_back: Some(KeyCode::KeyK),
            look_forward: Some(KeyCode::KeyL),
            scrub_back: Some(KeyCode::KeyN),
            scrub_forward: Some(KeyCode::KeyM),
            slower: Some(KeyCode::BracketLeft),
            faster: Some(KeyCode::BracketRight),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let keys = ReplayKeys::default();
        assert_eq!(keys.record, Some(KeyCode::KeyR));
        assert_eq!(keys.play, Some(KeyCode::KeyP));
        assert_eq!(keys.back, Some(KeyCode::Comma));
        assert_eq!(keys.forward, Some(KeyCode::Period));
        assert_eq!(keys.look_back, Some(KeyCode::KeyK));
        assert_eq!(keys.look_forward, Some(KeyCode::KeyL));
        assert_eq!(keys.scrub_back, Some(KeyCode::KeyN));
        assert_eq!(keys.scrub_forward, Some(KeyCode::KeyM));
        assert_eq!(keys.slower, Some(KeyCode::BracketLeft));
        assert_eq!(keys.faster, Some(KeyCode::BracketRight));
    }
}
