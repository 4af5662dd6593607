//! A picture of a program that takes none itself: what the virtual display shows while it runs.
//!
//! `Xvfb -fbdir` keeps the screen in a file, in the format of `xwd`: a header of big-endian numbers,
//! a color map, then the pixels.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::blank::{self, Pixels};
use crate::command::shown;

/// The file that Xvfb writes for its first screen.
const SCREEN: &str = "Xvfb_screen0";
/// How long the program runs in all, in seconds. Nobody can ask it to stop sooner.
const RUN: u64 = 40;
/// How long it plays after it drew something, before the picture is taken.
const PLAY: Duration = Duration::from_secs(3);
/// How often the screen is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Runs `program` with its arguments in a virtual display of 1280 × 720 pixels, saves what that shows
/// as a PNG, and stops it.
///
/// # Errors
/// What is missing, how the program ended by itself, or that it drew nothing.
pub(crate) fn capture(root: &Path, program: &[&str], png: &Path) -> Result<(), String> {
    let folder = png.with_extension("screen");
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(named)?;
    let mut command = Command::new("xvfb-run");
    command
        .current_dir(root)
        .arg("--auto-servernum")
        .arg(format!(
            "--server-args=-screen 0 1280x720x24 -fbdir {}",
            folder.display()
        ))
        .args(["timeout", &RUN.to_string()])
        .args(program)
        .env_remove("WAYLAND_DISPLAY");
    let line = shown(&command);
    println!("{line}");
    let mut child = command
        .spawn()
        .map_err(|error| format!("{line}: {error}"))?;
    let mut saved = Err(format!("{line}: drew nothing in {RUN} s"));
    let mut drawn = Duration::ZERO;
    let status = loop {
        if let Some(status) = child
            .try_wait()
            .map_err(|error| format!("{line}: {error}"))?
        {
            break status;
        }
        thread::sleep(LOOK);
        let screen = fs::read(folder.join(SCREEN)).ok().as_deref().and_then(read);
        let Some(screen) = screen.filter(|screen| blank::judge(screen).is_ok()) else {
            continue;
        };
        drawn += LOOK;
        if saved.is_err() && drawn >= PLAY {
            saved = save(&screen, png);
        }
    };
    fs::remove_dir_all(&folder).map_err(named)?;
    // What `timeout` says of a program that it had to stop.
    match status.code() {
        Some(124) => saved,
        _ => Err(format!("{line}: {status}")),
    }
}

/// The pixels of a screen of 24 bits; `None` where the file is not whole, or something else.
fn read(file: &[u8]) -> Option<Pixels> {
    let number = |index: usize| {
        let bytes = file.get(4 * index..4 * index + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize)
    };
    let [header, width, height] = [number(0)?, number(4)?, number(5)?];
    let [bits, row, colors] = [number(11)?, number(12)?, number(19)?];
    if bits != 32 || width == 0 || row < 4 * width {
        return None;
    }
    let start = header + 12 * colors;
    let rows = file.get(start..start + row * height)?.chunks_exact(row);
    // Blue, green, red, nothing.
    let pixels = rows.flat_map(|row| row[..4 * width].chunks_exact(4));
    Some(Pixels {
        bytes: pixels
            .flat_map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect(),
        channels: 3,
        width,
    })
}

fn save(pixels: &Pixels, path: &Path) -> Result<(), String> {
    let named = |what: String| format!("{}: {what}", path.display());
    let file = File::create(path).map_err(|error| named(error.to_string()))?;
    let height = pixels.bytes.len() / (pixels.channels * pixels.width);
    let size = (pixels.width as u32, height as u32);
    let mut encoder = png::Encoder::new(BufWriter::new(file), size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels.bytes));
    written.map_err(|error| named(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::read;

    /// A screen of 2 × 1 pixels with one entry in its color map.
    fn screen() -> Vec<u8> {
        let mut numbers = [0u32; 25];
        for (index, number) in [(0, 100), (4, 2), (5, 1), (11, 32), (12, 8), (19, 1)] {
            numbers[index] = number;
        }
        let header = numbers.iter().flat_map(|number| number.to_be_bytes());
        let colors = [9; 12];
        header
            .chain(colors)
            .chain([3, 2, 1, 0, 6, 5, 4, 0])
            .collect()
    }

    #[test]
    fn pixels_are_read_behind_the_color_map() {
        let pixels = read(&screen()).expect("a whole file");
        assert_eq!((pixels.width, pixels.channels), (2, 3));
        assert_eq!(pixels.bytes, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_file_that_is_not_whole_has_no_pixels() {
        let file = screen();
        for length in [0, 3, 50, file.len() - 1] {
            assert!(read(&file[..length]).is_none(), "{length} bytes");
        }
    }
}
