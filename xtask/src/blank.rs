//! Whether a picture shows a world: a renderer that fails often still writes a file, and a HUD over
//! nothing is no picture of a game.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::Path;

/// Where the world is seen, as shares of the height: above and below are titles and lines of keys.
pub(crate) const MIDDLE: Range<f32> = 0.2..0.88;
/// The middle is looked at in so many columns and rows.
const TILES: (usize, usize) = (8, 5);
/// In a tile that shows something at least so many pixels differ from their right or lower neighbor
/// by this much, added up over the channels. A gradient's steps are far smaller.
const EDGES: usize = 12;
const CONTRAST: u32 = 30;
/// So many tiles of a world show something. A single window or figure covers fewer.
const MIN_TILES: usize = 8;

/// A picture's pixels, eight bits per channel.
pub(crate) struct Pixels {
    pub(crate) bytes: Vec<u8>,
    /// Bytes per pixel.
    pub(crate) channels: usize,
    /// Pixels per row.
    pub(crate) width: usize,
}

/// Fails if the PNG at `path` can't be read or shows next to nothing.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let named = |what: String| format!("{}: {what}", path.display());
    let seen = decode(path).and_then(|pixels| judge(&pixels));
    let seen = seen.map_err(named)?;
    println!("{}: {seen} of {} tiles", path.display(), tile_count());
    Ok(())
}

/// The pixels of the PNG at `path`.
pub(crate) fn decode(path: &Path) -> Result<Pixels, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let size = reader.output_buffer_size().ok_or("too large to decode")?;
    let mut bytes = vec![0; size];
    let info = reader
        .next_frame(&mut bytes)
        .map_err(|error| error.to_string())?;
    bytes.truncate(info.buffer_size());
    Ok(Pixels {
        bytes,
        channels: info.color_type.samples(),
        width: info.width as usize,
    })
}

/// The number of tiles that show something, or why the picture counts as blank.
pub(crate) fn judge(pixels: &Pixels) -> Result<usize, String> {
    let row = pixels.width * pixels.channels;
    let height = pixels.bytes.len().checked_div(row).unwrap_or(0);
    let [top, bottom] = [MIDDLE.start, MIDDLE.end].map(|share| (share * height as f32) as usize);
    let mut edges = vec![0; tile_count()];
    // The last row and column have no neighbors.
    for y in top..bottom.min(height.saturating_sub(1)) {
        let tile_row = (y - top) * TILES.1 / (bottom - top);
        for x in 0..pixels.width.saturating_sub(1) {
            let at = y * row + x * pixels.channels;
            let is_edge = [pixels.channels, row]
                .into_iter()
                .any(|to| pixels.contrast(at, at + to) >= CONTRAST);
            edges[tile_row * TILES.0 + x * TILES.0 / pixels.width] += usize::from(is_edge);
        }
    }
    let seen = edges.iter().filter(|edges| **edges >= EDGES).count();
    if seen < MIN_TILES {
        return Err(format!(
            "blank: {seen} of {} tiles of its middle show something, fewer than {MIN_TILES}",
            tile_count()
        ));
    }
    Ok(seen)
}

fn tile_count() -> usize {
    TILES.0 * TILES.1
}

impl Pixels {
    /// How much two pixels differ, given by their first bytes.
    fn contrast(&self, a: usize, b: usize) -> u32 {
        contrast(self.pixel(a), self.pixel(b))
    }

    /// The channels of the pixel whose first byte is at `at`.
    pub(crate) fn pixel(&self, at: usize) -> &[u8] {
        &self.bytes[at..at + self.channels]
    }
}

/// How much two pixels differ, added up over their channels.
pub(crate) fn contrast(a: &[u8], b: &[u8]) -> u32 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

#[cfg(test)]
mod tests {
    use super::{Pixels, judge};

    const WIDTH: usize = 320;
    const HEIGHT: usize = 180;

    /// A picture of gray, `shade` of each column and row.
    fn picture(shade: impl Fn(usize, usize) -> u8) -> Pixels {
        let pixel = |at: usize| [shade(at % WIDTH, at / WIDTH); 3];
        Pixels {
            bytes: (0..WIDTH * HEIGHT).flat_map(pixel).collect(),
            channels: 3,
            width: WIDTH,
        }
    }

    /// A title at the upper left and a line of keys at the lower edge, both full of letters.
    fn hud(x: usize, y: usize) -> Option<u8> {
        let is_title = (4..200).contains(&x) && (4..16).contains(&y);
        let is_keys = (80..240).contains(&x) && (164..175).contains(&y);
        let letter = if (x / 2 + y / 3).is_multiple_of(2) {
            220
        } else {
            30
        };
        (is_title || is_keys).then_some(letter)
    }

    #[test]
    fn a_cleared_screen_is_blank() {
        assert!(judge(&picture(|_, _| 40)).is_err());
    }

    #[test]
    fn a_hud_over_nothing_is_blank() {
        assert!(judge(&picture(|x, y| hud(x, y).unwrap_or(40))).is_err());
    }

    #[test]
    fn a_hud_and_dark_corners_over_nothing_are_blank() {
        let dark = |x: usize, y: usize| (x.abs_diff(160) + y.abs_diff(90)) as u8 / 2;
        assert!(judge(&picture(|x, y| hud(x, y).unwrap_or(160 - dark(x, y)))).is_err());
    }

    #[test]
    fn a_single_figure_on_one_color_is_blank() {
        let is_figure = |x: usize, y: usize| x.abs_diff(160) < 12 && y.abs_diff(90) < 12;
        assert!(judge(&picture(|x, y| if is_figure(x, y) { 200 } else { 40 })).is_err());
    }

    #[test]
    fn walls_all_over_are_a_world() {
        let is_wall = |x: usize, y: usize| x % 64 < 8 || y % 60 < 6;
        let world = picture(|x, y| if is_wall(x, y) { 200 } else { 40 });
        assert!(judge(&world).is_ok());
    }

    #[test]
    fn a_world_in_the_upper_corner_alone_is_blank() {
        let is_wall = |x: usize, y: usize| x < 80 && y < 70 && x % 16 < 4;
        let world = picture(|x, y| if is_wall(x, y) { 200 } else { 40 });
        assert!(judge(&world).is_err());
    }

    #[test]
    fn a_picture_without_pixels_is_blank() {
        for (channels, width) in [(4, 0), (3, 10), (0, 0)] {
            let bytes = Vec::new();
            let pixels = Pixels {
                bytes,
                channels,
                width,
            };
            assert!(judge(&pixels).is_err());
        }
    }
}
