//! Takes the pictures in `assets/pictures` from the running examples: stills and moving pictures.

use std::fs;
use std::path::{Path, PathBuf};

use image::imageops;

use crate::command::{command, output};
use crate::examples;

/// The folder of the pictures, relative to the workspace root.
const PICTURES_FOLDER: &str = "assets/pictures";
/// Number of frames of a moving picture. They take five seconds.
const MOVING_FRAMES: u32 = 100;
/// Number of frames of the example per frame of a moving picture. A second of an example has forty frames.
const FRAME_STEP: u32 = 2;
/// Maximum size of a picture, in bytes.
const MAX_BYTES: u64 = 1_500_000;
/// Qualities to try, one after the other, until a picture is small enough.
const QUALITIES: [u32; 4] = [70, 55, 40, 30];
const ENCODE_COMMAND: &str = "img2webp -loop 0 -lossy -m 4 -d 50";
const ENCODER_HINT: &str = "it is in the package `webp` of Debian, Ubuntu and Homebrew, and at \
    https://developers.google.com/speed/webp/download";

struct Picture {
    name: &'static str,
    /// The name of the example, and its arguments.
    run: &'static str,
    /// The first frame, counted from the start of the example, and the number of frames.
    first: u32,
    frames: u32,
    /// The part of the window that is shown (left, top, width and height), and the width of the picture, all in pixels.
    view: [u32; 4],
    width: u32,
}

impl Picture {
    const fn still(name: &'static str, run: &'static str, first: u32) -> Self {
        Self {
            name,
            run,
            first,
            frames: 1,
            view: [0, 0, 1280, 720],
            width: 640,
        }
    }

    const fn moving(name: &'static str, run: &'static str, first: u32) -> Self {
        let frames = MOVING_FRAMES;
        Self {
            frames,
            ..Self::still(name, run, first)
        }
    }

    const fn of(self, view: [u32; 4]) -> Self {
        Self { view, ..self }
    }

    const fn wide(self, width: u32) -> Self {
        Self { width, ..self }
    }
}

const PICTURES: [Picture; 24] = [
    Picture::moving("chase", "chase -- --demo", 160).of([216, 122, 848, 477]),
    Picture::moving("horde", "horde", 120)
        .of([214, 60, 1066, 600])
        .wide(480),
    Picture::still("crowd", "horde", 480).of([214, 60, 1066, 600]),
    Picture::still("crowd-ghosts", "horde -- --ghosts", 480).of([214, 60, 1066, 600]),
    Picture::moving("knockback", "knockback", 32),
    Picture::moving("flee", "flee", 30),
    Picture::moving("doors", "doors", 20),
    Picture::moving("terrain", "terrain", 30),
    Picture::still("archer", "archer", 160),
    Picture::still("ask", "ask", 60),
    Picture::still("campus", "campus", 160),
    Picture::still("click_to_move", "click_to_move", 100),
    Picture::still("fixed_timestep", "fixed_timestep", 80),
    Picture::still("ghost", "ghost", 100),
    Picture::still("guard", "guard", 80),
    Picture::still("minimal", "minimal", 60),
    Picture::still("own_driver", "own_driver", 120),
    Picture::still("ring", "ring", 200),
    Picture::still("save_load", "save_load", 120),
    Picture::still("tilemap", "tilemap", 120),
    Picture::still("lab", "lab -- --at 0.43", 60),
    Picture::still(
        "lab-midway",
        "lab -- --alone --at 0.75 --zoom 49 --center 10,12",
        60,
    )
    .wide(1280),
    Picture::still(
        "lab-numbers",
        "lab -- --alone --at 1 --zoom 49 --center 10,12",
        60,
    )
    .wide(1280),
    Picture::still("overlay", "chase -- --demo --overlay", 200)
        .of([0, 140, 1040, 526])
        .wide(968),
];

/// Takes the pictures with these names, or all pictures if there are no names.
///
/// # Errors
/// A name that does not belong to any picture, a missing program, an example that fails, or a picture that is too
/// large.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<(), String> {
    output(&mut command(root, "img2webp -version"))
        .map_err(|why| format!("{why}; {ENCODER_HINT}"))?;
    let is_known = |name: &str| PICTURES.iter().any(|picture| picture.name == name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        return Err(format!("no picture is called {name}"));
    }
    examples::build(root)?;
    let is_wanted = |name| names.is_empty() || names.contains(&name);
    let mut wanted = PICTURES.iter().filter(|picture| is_wanted(picture.name));
    wanted.try_for_each(|picture| take(root, picture))
}

fn take(root: &Path, picture: &Picture) -> Result<(), String> {
    let folder = root.join("target/pictures").join(picture.name);
    let numbers = (0..picture.frames).map(|number| picture.first + FRAME_STEP * number);
    let frames = examples::shoot(&folder, picture.run, &numbers.collect::<Vec<_>>())?;
    for frame in &frames {
        shrink(frame, picture)?;
    }
    let file = root
        .join(PICTURES_FOLDER)
        .join(picture.name)
        .with_extension("webp");
    for quality in QUALITIES {
        let size = encode(&folder, &frames, quality, &file)?;
        let name = picture.name;
        println!("{name}: {} KB at quality {quality}", size.div_ceil(1000));
        if size <= MAX_BYTES {
            return Ok(());
        }
    }
    Err(format!("{}: more than {MAX_BYTES} bytes", file.display()))
}

/// Crops a picture file to the view and scales it down to the width of the picture, in place.
fn shrink(file: &Path, picture: &Picture) -> Result<(), String> {
    let named = |error| format!("{}: {error}", file.display());
    let window = image::open(file).map_err(named)?.to_rgb8();
    let [left, top, width, height] = picture.view;
    let view = imageops::crop_imm(&window, left, top, width, height);
    let small = imageops::thumbnail(&*view, picture.width, height * picture.width / width);
    small.save(file).map_err(named)
}

/// Encodes frames to a file. Returns the size of the file in bytes.
fn encode(folder: &Path, frames: &[PathBuf], quality: u32, file: &Path) -> Result<u64, String> {
    let mut encode = command(folder, &format!("{ENCODE_COMMAND} -q {quality}"));
    output(encode.args(frames).arg("-o").arg(file))?;
    let about = fs::metadata(file).map_err(|error| error.to_string())?;
    Ok(about.len())
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, PICTURES, PICTURES_FOLDER};
    use std::fs;

    #[test]
    fn every_picture_exists_is_linked_and_small_and_no_other_file_exists() {
        let root = crate::root();
        let mut pages = fs::read_to_string(root.join("README.md")).expect("the README");
        for page in fs::read_dir(root.join("docs/src")).expect("the book") {
            pages += &fs::read_to_string(page.expect("a page").path()).expect("a text");
        }
        let mut names: Vec<_> = PICTURES
            .iter()
            .map(|picture| format!("{}.webp", picture.name))
            .collect();
        let folder = fs::read_dir(root.join(PICTURES_FOLDER)).expect("the folder");
        let mut files: Vec<_> = folder
            .map(|file| file.expect("a file").file_name().into_string())
            .map(|name| name.expect("a name"))
            .collect();
        names.sort();
        files.sort();
        assert_eq!(names, files);
        for name in names {
            assert!(
                pages.contains(&format!("{PICTURES_FOLDER}/{name})")),
                "{name}"
            );
            let size =
                fs::metadata(root.join(PICTURES_FOLDER).join(&name)).map(|about| about.len());
            assert!(size.is_ok_and(|size| size <= MAX_BYTES), "{name}");
        }
    }
}
