//! The command line.

use std::path::PathBuf;

use clap::Parser;
use pursuit_examples::cli::positive;
use pursuit_examples::overlay::OverlayOptions;

/// A guided walk over a campus: named places, roads, and all routes between them stored.
#[derive(Parser, Clone, Debug)]
#[command(name = "campus")]
pub(crate) struct Options {
    /// Walk from every place to every other without a window, and print time and memory beside full searches.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Save the waypoint map to this file: without a window at once, else on key F5.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Load the waypoint map from this file, instead of laying it; and again on key F9.
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overlay: OverlayOptions,
    /// Save a picture of the window, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Exit after this many seconds of game time. A picture is taken after 5.
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) seconds: Option<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [
            "--seconds 0",
            "--seconds nan",
            "--headless --screenshot a.png",
        ] {
            let arguments = ["campus"].into_iter().chain(bad.split_whitespace());
            assert!(Options::try_parse_from(arguments).is_err(), "{bad}");
        }
        assert!(Options::try_parse_from(["campus"]).is_ok());
    }

    #[test]
    fn help_begins_with_what_this_example_is() {
        let help = Options::command().render_help().to_string();
        assert!(help.starts_with("A guided walk over a campus"), "{help}");
    }
}
