//! Runs the examples as a visitor starts them, without a display or in a virtual one.

use std::fs;
use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage, imageops};

use crate::command::{command, read, run_line, succeed};

/// The examples that are drawn in every run, in addition to the chase.
const DRAWN_EXAMPLES: [&str; 3] = ["minimal", "doors", "knockback"];
/// Builds the examples. `--package` is left out: with it, all dependencies would be compiled again with the features of
/// that package alone.
const BUILD_COMMAND: &str = "cargo build --locked --examples";
/// Runs an example without a display, which then ends by itself. `timeout` of the coreutils stops an example that does
/// not end.
const RUN_COMMAND: &str = "timeout 240 cargo run --quiet --locked --example";
/// Runs an example in a virtual display. The variable `SHOTS` has the numbers of the frames to save as pictures. The
/// example writes them to the folder that it is started from.
const DRAW_COMMAND: &str =
    "timeout 1200 xvfb-run --auto-servernum cargo run --quiet --locked --example";

pub(crate) fn build(root: &Path) -> Result<(), String> {
    run_line(root, BUILD_COMMAND)
}

/// Runs each example without a display, except the chase, which has its own step.
pub(crate) fn headless(root: &Path) -> Result<(), String> {
    build(root)?;
    let mut names = others_than_chase(root)?.into_iter();
    names.try_for_each(|name| run_line(root, &format!("{RUN_COMMAND} {name}")))
}

/// Runs the chase and three more examples, or every example, in a virtual display. Checks that each picture shows a
/// world, and that the overlay changes the picture of the chase.
pub(crate) fn rendered(root: &Path, every: bool) -> Result<(), String> {
    build(root)?;
    let (bare, overlay) = (draw(root, "chase")?, draw(root, "chase -- --overlay")?);
    // The panels in the corners cover some tiles. The overlay has to change more tiles than these.
    if differing(&bare, &overlay) < 24 {
        return Err("the overlay does not show in the picture of the chase".to_string());
    }
    let names = others_than_chase(root)?.into_iter();
    let mut drawn = names.filter(|name| every || DRAWN_EXAMPLES.contains(&name.as_str()));
    drawn.try_for_each(|name| draw(root, &name).map(drop))
}

fn draw(root: &Path, example: &str) -> Result<Vec<Rgb<u8>>, String> {
    let folder = root.join("target/ci").join(example.replace(" -- ", ""));
    let pictures = shoot(&folder, example, &[80])?;
    let picture = image::open(&pictures[0]);
    let tiles = tiles(&picture.map_err(|error| error.to_string())?.to_rgb8());
    let is_world = is_world(&tiles).then_some(tiles);
    is_world.ok_or_else(|| format!("{}: the picture does not show a world", folder.display()))
}

/// Runs an example in a virtual display, and saves pictures of some frames. A second of game time has forty frames, no
/// matter how long the frames take to draw. The folder is emptied first.
///
/// # Errors
/// The command that failed, or the reason why the folder cannot be created.
pub(crate) fn shoot(folder: &Path, example: &str, frames: &[u32]) -> Result<Vec<PathBuf>, String> {
    // Files of an earlier run must not be mistaken for files of this run.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let numbers: Vec<_> = frames.iter().map(u32::to_string).collect();
    let mut draw = command(folder, &format!("{DRAW_COMMAND} {example}"));
    draw.env("SHOTS", numbers.join(","));
    succeed(draw)?;
    let files = frames.iter().map(|frame| format!("screenshot-{frame}.png"));
    Ok(files.map(|file| folder.join(file)).collect())
}

/// The mean colors of 8 by 5 tiles. The top and bottom fifths of the picture are left out, because they show titles and
/// keys.
pub(crate) fn tiles(picture: &RgbImage) -> Vec<Rgb<u8>> {
    let (width, height) = picture.dimensions();
    let middle = imageops::crop_imm(picture, 0, height / 5, width, height * 3 / 5);
    imageops::thumbnail(&*middle, 8, 5)
        .pixels()
        .copied()
        .collect()
}

/// Whether at least 8 tiles differ from the next tile. A failing renderer often still writes a blank picture, and a
/// single figure covers only one or two tiles.
pub(crate) fn is_world(tiles: &[Rgb<u8>]) -> bool {
    differing(tiles, &tiles[1..]) >= 8
}

fn differing(some: &[Rgb<u8>], others: &[Rgb<u8>]) -> usize {
    let is_other = |a: &Rgb<u8>, b: &Rgb<u8>| (0..3).any(|at| a[at].abs_diff(b[at]) >= 3);
    let pairs = some.iter().zip(others);
    pairs.filter(|(a, b)| is_other(a, b)).count()
}

/// Names of all examples except the chase and the web page, which contains all examples.
fn others_than_chase(root: &Path) -> Result<Vec<String>, String> {
    let mut names = names(root)?;
    names.retain(|name| !["chase", "web"].contains(&name.as_str()));
    Ok(names)
}

/// Names of all examples, in the order of their manifest.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, String> {
    let manifest = read(&root.join("examples/Cargo.toml"))?;
    let names = manifest.split("[[example]]\nname = \"").skip(1);
    let names = names.filter_map(|rest| Some(rest.split_once('"')?.0.to_string()));
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use super::{differing, is_world, tiles};
    use image::{Rgb, RgbImage};

    #[test]
    fn walls_count_as_a_world_and_letters_or_a_single_figure_do_not() {
        let drawn = |is_bright: &dyn Fn(u32, u32) -> bool| {
            let level = |x, y| if is_bright(x, y) { 200 } else { 40 };
            tiles(&RgbImage::from_fn(320, 180, |x, y| Rgb([level(x, y); 3])))
        };
        let letters = |x: u32, y: u32| !(36..144).contains(&y) && x % 9 < 4;
        let figure = |x: u32, y: u32| x.abs_diff(160) + y.abs_diff(90) < 12;
        let walls = |x: u32, y: u32| x % 90 < 8 || y % 60 < 6;
        let panels = |x: u32, y: u32| walls(x, y) || (x < 100 && y < 90) || (x > 220 && y > 90);
        assert!(!is_world(&drawn(&letters)) && !is_world(&drawn(&figure)));
        assert!(is_world(&drawn(&walls)));
        assert!(differing(&drawn(&walls), &drawn(&panels)) < 24);
    }
}
