//! Whether two pictures of one play differ, and where: an overlay that is on draws over the world, not in a
//! corner alone, and a replay goes on.

use std::path::Path;

use crate::blank::{self, MIDDLE, Pixels};

/// The middle is looked at in so many columns and rows, as for whether it is blank.
const TILES: (usize, usize) = (8, 5);
/// A pixel has changed if it differs by this much, added up over the channels. The squares of walkable cells
/// are a thin white on the floor.
const CONTRAST: u32 = 12;

/// What has to change at least.
#[derive(Debug)]
pub(crate) struct Least {
    /// The share of all pixels of the middle.
    pixels: f32,
    /// The share of tiles of the middle in which so large a share of the pixels changed.
    tiles: f32,
    /// What is wrong where less does.
    what: &'static str,
}

/// The overlay, switched on. Its panels cover a quarter of the picture: tiles tell that there is more.
pub(crate) const OVERLAY: Least = Least {
    pixels: 0.1,
    tiles: 0.6,
    what: "the overlay shows next to nothing",
};

/// A replay between its beginning and some seconds later.
pub(crate) const REPLAY: Least = Least {
    pixels: 0.02,
    tiles: 0.1,
    what: "the replay does not move",
};

/// What changed, as shares of the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Change {
    pixels: f32,
    tiles: f32,
}

/// Fails if the PNGs at two paths cannot be read, or differ by less than that.
pub(crate) fn check(before: &Path, after: &Path, least: &Least) -> Result<(), String> {
    let read = |path: &Path| {
        let pixels = blank::decode(path);
        pixels.map_err(|error| format!("{}: {error}", path.display()))
    };
    let change = judge(&read(before)?, &read(after)?, least);
    let change = change.map_err(|what| format!("{}: {what}", after.display()))?;
    println!(
        "{}: {:.0} % of the pixels changed, in {:.0} % of the tiles",
        after.display(),
        100.0 * change.pixels,
        100.0 * change.tiles
    );
    Ok(())
}

/// What changed from one picture to the other, or why that is too little.
fn judge(before: &Pixels, after: &Pixels, least: &Least) -> Result<Change, String> {
    let change = measure(before, after, least.pixels)
        .ok_or("the two pictures are not of one size, or empty")?;
    if change.pixels < least.pixels || change.tiles < least.tiles {
        return Err(format!("{}: {change:?}, wanted {least:?}", least.what));
    }
    Ok(change)
}

/// What changed; a tile counts where at least `share` of its pixels did.
fn measure(before: &Pixels, after: &Pixels, share: f32) -> Option<Change> {
    let row = before.width * before.channels;
    let shape = |pixels: &Pixels| (pixels.width, pixels.channels, pixels.bytes.len());
    let height = before.bytes.len().checked_div(row)?;
    if shape(before) != shape(after) {
        return None;
    }
    let [top, bottom] = [MIDDLE.start, MIDDLE.end].map(|share| (share * height as f32) as usize);
    // Pixels of each tile that changed, and all of them.
    let mut tiles = vec![(0, 0); TILES.0 * TILES.1];
    for y in top..bottom {
        for x in 0..before.width {
            let at = y * row + x * before.channels;
            let has_changed = blank::contrast(before.pixel(at), after.pixel(at)) >= CONTRAST;
            let tile_row = (y - top) * TILES.1 / (bottom - top);
            let (changed, all) = &mut tiles[tile_row * TILES.0 + x * TILES.0 / before.width];
            *changed += usize::from(has_changed);
            *all += 1;
        }
    }
    let part = |(changed, all): (usize, usize)| changed as f32 / all.max(1) as f32;
    let sum = tiles
        .iter()
        .fold((0, 0), |sum, tile| (sum.0 + tile.0, sum.1 + tile.1));
    let full = tiles.iter().filter(|tile| part(**tile) >= share).count();
    (sum.1 > 0).then(|| Change {
        pixels: part(sum),
        tiles: full as f32 / tiles.len() as f32,
    })
}

#[cfg(test)]
mod tests {
    use super::{OVERLAY, REPLAY, judge};
    use crate::blank::Pixels;

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

    /// The play without anything over it.
    fn world() -> Pixels {
        picture(|x, y| if x % 64 < 8 || y % 60 < 6 { 200 } else { 40 })
    }

    #[test]
    fn two_pictures_of_the_same_are_no_change() {
        assert!(judge(&world(), &world(), &OVERLAY).is_err());
        assert!(judge(&world(), &world(), &REPLAY).is_err());
    }

    #[test]
    fn a_thin_white_on_the_floor_is_an_overlay() {
        let veiled = picture(|x, y| if x % 64 < 8 || y % 60 < 6 { 200 } else { 60 });
        let change = judge(&world(), &veiled, &OVERLAY).expect("an overlay");
        assert!(change.pixels > 0.7 && change.tiles == 1.0, "{change:?}");
    }

    #[test]
    fn panels_alone_are_no_overlay() {
        let world = world();
        let is_panel = |x: usize, y: usize| !(90..230).contains(&x) && !(70..130).contains(&y);
        let panels = picture(|x, y| match is_panel(x, y) {
            true => 10,
            false => world.bytes[3 * (y * WIDTH + x)],
        });
        let error = judge(&world, &panels, &OVERLAY).expect_err("panels are not enough");
        assert!(error.contains("next to nothing"), "{error}");
    }

    #[test]
    fn noise_below_the_contrast_is_no_change() {
        let world = world();
        let noise = picture(|x, y| world.bytes[3 * (y * WIDTH + x)] + (x % 4) as u8);
        assert!(judge(&world, &noise, &REPLAY).is_err());
    }

    #[test]
    fn a_part_of_the_map_that_was_searched_is_a_replay_that_moved() {
        let searched = |x: usize, y: usize| (100..180).contains(&x) && (60..120).contains(&y);
        let after = picture(|x, y| if searched(x, y) { 150 } else { 40 });
        let before = picture(|_, _| 40);
        assert!(judge(&before, &after, &REPLAY).is_ok());
        assert!(judge(&before, &after, &OVERLAY).is_err());
    }

    #[test]
    fn pictures_of_two_sizes_are_not_compared() {
        let empty = |width| Pixels {
            bytes: Vec::new(),
            channels: 3,
            width,
        };
        assert!(judge(&empty(0), &empty(0), &REPLAY).is_err());
        assert!(judge(&empty(8), &empty(8), &REPLAY).is_err());
        assert!(judge(&world(), &empty(WIDTH), &REPLAY).is_err());
    }
}
