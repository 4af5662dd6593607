//! The errors of loading a recording.

use thiserror::Error;

/// The reason why bytes are not a valid recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The bytes do not begin like a recording.
    #[error("these bytes are not a recording")]
    Foreign,
    /// The bytes are in another version of the format.
    #[error("version {found} of recordings is not known, only {known}")]
    Version {
        /// The version that the bytes state.
        found: u16,
        /// The only version that can be read.
        known: u16,
    },
    /// The checksum at the end does not match the bytes, because some bytes are missing or were changed.
    #[error("the recording is damaged: its checksum does not match")]
    Checksum,
    /// The checksum matches, but this part of the recording is invalid.
    #[error("the recording is damaged: its {0} is invalid")]
    Damaged(&'static str),
}
