//! Whether a picture shows anything: a renderer that fails often still writes a file.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A drawn level has far more colors than this; a cleared screen has one.
const MIN_COLORS: usize = 8;
/// The most frequent color of a drawn level covers less than this share of it.
const MAX_SHARE: f64 = 0.98;

/// Fails if the PNG at `path` can't be read or shows next to nothing.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let named = |what: String| format!("{}: {what}", path.display());
    let (bytes, pixel) = decode(path).map_err(named)?;
    let seen = judge(&bytes, pixel).map_err(named)?;
    println!("{}: {seen} colors", path.display());
    Ok(())
}

/// The picture's bytes, eight bits per channel, and the number of bytes per pixel.
fn decode(path: &Path) -> Result<(Vec<u8>, usize), String> {
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
    Ok((bytes, info.color_type.samples()))
}

/// The number of distinct colors, or why the picture counts as blank.
fn judge(bytes: &[u8], pixel: usize) -> Result<usize, String> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for color in bytes.chunks_exact(pixel) {
        *counts.entry(color).or_default() += 1;
    }
    let pixels: usize = counts.values().sum();
    let most = counts.values().copied().max().unwrap_or(0);
    if counts.len() < MIN_COLORS {
        return Err(format!("blank: only {} colors", counts.len()));
    }
    let share = most as f64 / pixels as f64;
    if share > MAX_SHARE {
        return Err(format!("blank: one color covers {:.1} %", share * 100.0));
    }
    Ok(counts.len())
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn a_cleared_screen_is_blank() {
        assert!(judge(&[40; 3 * 100], 3).is_err());
    }

    #[test]
    fn a_few_stray_pixels_on_one_color_are_blank() {
        let mut bytes = vec![0; 1000];
        for (value, byte) in (1..10).zip(&mut bytes) {
            *byte = value;
        }
        assert!(judge(&bytes, 1).is_err());
    }

    #[test]
    fn a_picture_of_many_colors_is_not_blank() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(judge(&bytes, 1), Ok(256));
    }

    #[test]
    fn a_picture_without_pixels_is_blank() {
        assert!(judge(&[], 4).is_err());
    }
}
