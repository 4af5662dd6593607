//! Virtual displays, and the picture of a program that takes none itself: what its display shows while it runs.
//!
//! `Xvfb -fbdir` keeps the screen in a file, in the format of `xwd`: a header of big-endian numbers,
//! a color map, then the pixels.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::blank::{self, Pixels};
use crate::command::shown;
use crate::xtest;

/// The file that Xvfb writes for its first screen.
const SCREEN: &str = "Xvfb_screen0";
/// How long the program may take to draw something.
const MOST: Duration = Duration::from_secs(40);
/// How long it plays after it drew something, before a picture is taken.
const PLAY: Duration = Duration::from_secs(3);
/// How long it may take to end when it is asked to.
const END: Duration = Duration::from_secs(10);
/// How often the screen is looked at.
const LOOK: Duration = Duration::from_millis(250);
/// What Bevy exits with when it is interrupted, as by Ctrl + C in a terminal, and comes to its end. Who is stopped
/// by the signal itself has no code.
const INTERRUPTED: i32 = 130;

/// Runs `program` in a virtual display of 1280 × 720 pixels, saves what that shows as a PNG, and once more after F1 was
/// pressed. Then it interrupts the program, and sees that it ends by itself. It must be one process: `cargo run`
/// becomes the program that it runs.
///
/// # Errors
/// What is missing, how the program ended, or that it drew nothing.
pub(crate) fn capture(mut program: Command, png: &Path, switched: &Path) -> Result<(), String> {
    let line = shown(&program);
    println!("{line}");
    let ended = in_display(&png.with_extension("screen"), |display, screen| {
        on_display(&mut program, display);
        let child = program.spawn().map_err(|error| error.to_string())?;
        let mut child = Ending(child);
        watch(&mut child.0, screen, png)?;
        xtest::press(display, xtest::F1)?;
        watch(&mut child.0, screen, switched)?;
        end(&mut child.0)
    });
    ended.map_err(|what| format!("{line}: {what}"))
}

/// Lets a program draw on a display.
pub(crate) fn on_display(program: &mut Command, display: &str) {
    program
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY");
}

/// Runs `work` while there is a virtual display of 1280 × 720 pixels: it gets the name of the display, and the file in
/// which its screen is kept. That lies in a folder of its own, which is there no longer than the display.
///
/// # Errors
/// What the folder or the display lacks, else those of `work`.
pub(crate) fn in_display(
    folder: &Path,
    work: impl FnOnce(&str, &Path) -> Result<(), String>,
) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(named)?;
    let ended = show(folder).and_then(|(display, _server)| work(&display, &folder.join(SCREEN)));
    let removed = fs::remove_dir_all(folder).map_err(named);
    ended.and(removed)
}

/// A process that ends with its owner, also in a panic.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // Both do nothing to a process that ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a display that keeps its screen in a folder. Gives its name, and the server.
fn show(folder: &Path) -> Result<(String, Ending), String> {
    let server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-ac",
            // Else it begins anew when its first client leaves, and refuses the next one meanwhile.
            "-noreset",
            "-screen",
            "0",
            "1280x720x24",
            "-fbdir",
        ])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("Xvfb: {error}"))?;
    let mut server = Ending(server);
    let mut number = String::new();
    if let Some(output) = server.0.stdout.take() {
        // Without a number, the one below is empty.
        let _ = BufReader::new(output).read_line(&mut number);
    }
    match number.trim() {
        "" => Err("Xvfb did not start".to_string()),
        number => Ok((format!(":{number}"), server)),
    }
}

/// Takes a picture when the program drew for a while.
fn watch(child: &mut Child, screen: &Path, png: &Path) -> Result<(), String> {
    let (begun, mut drawn) = (Instant::now(), Duration::ZERO);
    while drawn < PLAY {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Err(format!("ended by itself: {status}"));
        }
        if begun.elapsed() > MOST {
            let (drawn, most) = (drawn.as_secs(), MOST.as_secs());
            return Err(format!("drew for {drawn} s within {most} s, too little"));
        }
        thread::sleep(LOOK);
        let screen = fs::read(screen).ok().as_deref().and_then(read);
        if let Some(screen) = screen.filter(|screen| blank::judge(screen).is_ok()) {
            drawn += LOOK;
            if drawn >= PLAY {
                save(&screen, png)?;
            }
        }
    }
    Ok(())
}

/// Lets the program end.
fn end(child: &mut Child) -> Result<(), String> {
    let status = interrupt(child)?;
    match status.code() {
        Some(INTERRUPTED) => Ok(()),
        _ => Err(format!("interrupted, it did not end cleanly: {status}")),
    }
}

/// Does what Ctrl + C does in a terminal, and waits.
fn interrupt(child: &mut Child) -> Result<ExitStatus, String> {
    let mut signal = Command::new("kill");
    let sent = signal.args(["-INT", &child.id().to_string()]).status();
    if !sent.is_ok_and(|status| status.success()) {
        return Err("could not be interrupted".to_string());
    }
    let begun = Instant::now();
    while begun.elapsed() < END {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        thread::sleep(LOOK);
    }
    Err(format!("interrupted, it went on for {} s", END.as_secs()))
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
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::{interrupt, read};

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

    #[cfg(target_os = "linux")]
    #[test]
    fn who_is_stopped_by_the_signal_has_no_code_and_who_ends_by_itself_has_one() {
        let stopped = |script: &str| {
            // What runs in the background of a script may have been told to ignore the signal.
            let mut shell = Command::new("env");
            shell.args(["--default-signal=INT", "sh", "-c", script]);
            let shell = shell.stdout(Stdio::piped()).spawn();
            let mut shell = shell.expect("a shell");
            let mut ready = String::new();
            let output = BufReader::new(shell.stdout.take().expect("a pipe")).read_line(&mut ready);
            output.expect("a line");
            interrupt(&mut shell).expect("it ends").code()
        };
        assert_eq!(stopped("echo; exec sleep 30"), None);
        let patient = "trap 'exit 130' INT; echo; while :; do sleep 0.1; done";
        assert_eq!(stopped(patient), Some(super::INTERRUPTED));
    }
}
