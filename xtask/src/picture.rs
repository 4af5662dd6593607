//! Whether a picture shows a world, and whether another one of the same play shows more: a renderer that fails often
//! still writes a file, and a line of text over nothing is no picture of a game.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The part of the height in which the world is seen: above and below are titles and lines of keys.
const MIDDLE: [f32; 2] = [0.2, 0.88];
/// The middle is looked at in so many columns and rows.
const COLUMNS: usize = 8;
const ROWS: usize = 5;
/// Pixels differ if their channels, added up, do by this much.
const CONTRAST: u32 = 12;
/// So many tiles of a world have more than one color. A single window or figure covers fewer.
const SHOWN: usize = 8;
/// So many tiles change with an overlay, beyond the corners where its panels are.
const CHANGED: usize = 24;

/// The tiles of a picture's middle: of each pixel the sum of its channels.
pub(crate) struct Picture(Vec<Vec<u32>>);

impl Picture {
    /// # Errors
    /// Why the file is no PNG.
    pub(crate) fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large to decode")?];
        let info = reader.next_frame(&mut bytes)?;
        let pixels = bytes[..info.buffer_size()].chunks(info.color_type.samples());
        let sums = pixels.map(|pixel| pixel.iter().map(|channel| u32::from(*channel)).sum());
        Ok(Self::new(info.width as usize, sums.collect()))
    }

    fn new(width: usize, pixels: Vec<u32>) -> Self {
        let rows: Vec<_> = pixels.chunks(width.max(1)).collect();
        let [top, bottom] = MIDDLE.map(|share| (share * rows.len() as f32) as usize);
        let mut tiles = vec![Vec::new(); COLUMNS * ROWS];
        for (y, row) in rows[top..bottom].iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                tiles[y * ROWS / (bottom - top) * COLUMNS + x * COLUMNS / width].push(*pixel);
            }
        }
        Picture(tiles)
    }

    /// # Errors
    /// That fewer tiles than a world has show something.
    pub(crate) fn is_not_blank(&self) -> Result<(), String> {
        let shows = |tile: &&Vec<u32>| tile.iter().any(|pixel| differ(*pixel, tile[0]));
        let count = self.0.iter().filter(shows).count();
        at_least(SHOWN, count, "tiles show something")
    }

    /// # Errors
    /// That another picture of the same play is not changed all over.
    pub(crate) fn is_changed_in(&self, other: &Picture) -> Result<(), String> {
        let pairs = self.0.iter().zip(&other.0);
        let changed = pairs.filter(|(tile, other)| {
            let pixels = tile.iter().zip(*other);
            let changed = pixels.filter(|(a, b)| differ(**a, **b)).count();
            changed > 0 && 100 * changed >= tile.len()
        });
        at_least(CHANGED, changed.count(), "tiles changed")
    }
}

fn at_least(wanted: usize, count: usize, what: &str) -> Result<(), String> {
    let is_enough = (count >= wanted).then_some(());
    is_enough.ok_or_else(|| format!("{count} {what}, wanted {wanted}"))
}

fn differ(a: u32, b: u32) -> bool {
    a.abs_diff(b) >= CONTRAST
}

#[cfg(test)]
mod tests {
    use super::Picture;

    /// A picture of 320 × 180 pixels, `sum` of each column and row.
    fn picture(sum: impl Fn(usize, usize) -> u32) -> Picture {
        let pixels = 0..320 * 180;
        Picture::new(320, pixels.map(|at| sum(at % 320, at / 320)).collect())
    }

    fn is_world(sum: impl Fn(usize, usize) -> u32) -> bool {
        picture(sum).is_not_blank().is_ok()
    }

    fn walls(x: usize, y: usize) -> u32 {
        [40, 600][usize::from(x % 64 < 8 || y % 60 < 6)]
    }

    #[test]
    fn walls_are_a_world_and_one_color_text_alone_and_a_single_figure_are_blank() {
        assert!(is_world(walls));
        assert!(Picture::new(0, Vec::new()).is_not_blank().is_err());
        assert!(!is_world(|_, _| 40));
        assert!(!is_world(|x, y| if y < 30 { x as u32 * 97 } else { 40 }));
        let is_figure = |x: usize, y: usize| x.abs_diff(160) + y.abs_diff(90) < 12;
        assert!(!is_world(|x, y| [40, 600][usize::from(is_figure(x, y))]));
    }

    #[test]
    fn panels_in_two_corners_are_no_overlay_and_a_veil_is() {
        let is_overlay = |sum: &dyn Fn(usize, usize) -> u32| {
            let overlay = picture(sum);
            picture(walls).is_changed_in(&overlay).is_ok()
        };
        let panels = |x, y| match (x, y) {
            (..100, ..90) | (220.., 90..) => 10,
            _ => walls(x, y),
        };
        assert!(!is_overlay(&walls) && !is_overlay(&panels));
        assert!(is_overlay(&|x, y| walls(x, y).max(60)));
        let nothing = Picture::new(0, Vec::new());
        assert!(picture(walls).is_changed_in(&nothing).is_err());
    }
}
