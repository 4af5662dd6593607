//! The errors of loading a recording.

use thiserror::Error;

/// Why bytes are not a valid recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The bytes do not begin like a recording.
    #[error("these bytes are no recording")]
    Foreign,
    /// The bytes are in another version of the format.
    #[error("version {found} of recordings is not known, only {known}")]
    Version {
        /// The version of the bytes.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
    /// The checksum at the end does not match the bytes: some are missing or were changed.
    #[error("the recording is damaged: its checksum does not fit")]
    Checksum,
    /// The checksum matches, but this part makes no sense.
    #[error("the recording is damaged: its {0} makes no sense")]
    Damaged(&'static str),
}
