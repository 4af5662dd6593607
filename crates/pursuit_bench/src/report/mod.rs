//! What the benchmarks print and write.

mod bake;
mod edit;
mod feel;
mod lists;
mod markdown;
mod planners;
mod search;
mod table;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::error::BenchError;

pub(crate) use bake::{print_bake, write_bake_markdown};
pub(crate) use edit::{print_edit, write_edit_markdown};
pub(crate) use feel::{print_feel, write_feel_markdown};
pub(crate) use lists::{
    print_ask, print_chase, print_crowd, print_requests, write_ask_markdown, write_chase_markdown,
    write_crowd_markdown, write_requests_markdown,
};
pub(crate) use planners::{print_planners, write_planners_markdown};
pub(crate) use search::{print_search, write_search_markdown};

/// Writes a report as JSON, if a file was asked for.
///
/// # Errors
/// A file that can't be written.
pub(crate) fn write_json(path: Option<&Path>, report: &impl Serialize) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    let file = File::create(path).map_err(BenchError::file(path))?;
    let mut file = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut file, report).map_err(|source| BenchError::Json {
        path: path.to_path_buf(),
        source,
    })?;
    let ended = writeln!(file).and_then(|()| file.flush());
    ended.map_err(BenchError::file(path))
}

#[cfg(test)]
mod tests {
    use super::write_json;
    use crate::fixture::Folder;

    #[test]
    fn a_file_that_cannot_be_written_is_an_error() {
        let folder = Folder::new("report-unwritable");
        let path = folder.path().join("missing/out.json");
        assert!(write_json(Some(&path), &[0]).is_err());
    }
}
