//! Why bytes are no recording.

use thiserror::Error;

/// Why bytes were refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// They do not begin as a recording does.
    #[error("these bytes are no recording")]
    Foreign,
    /// They are of another version of the format.
    #[error("version {found} of recordings is not known, only {known}")]
    Version {
        /// That of the bytes.
        found: u16,
        /// The one that can be read.
        known: u16,
    },
    /// The checksum at the end is not that of the bytes: some are missing or were changed.
    #[error("the recording is damaged: its checksum does not fit")]
    Checksum,
    /// The checksum fits, but this part makes no sense.
    #[error("the recording is damaged: its {0} makes no sense")]
    Damaged(&'static str),
}
