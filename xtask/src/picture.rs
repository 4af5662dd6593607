//! What a picture shows: a renderer that fails often still writes a file, and text over nothing is no picture of a game.

use image::{Rgb, RgbImage, imageops};

/// Whether tiles differ from the next one. A single figure or window covers one or two.
pub(crate) fn is_world(picture: &RgbImage) -> bool {
    let tiles = tiles(picture);
    differing(&tiles, &tiles[1..]) >= 8
}

/// Whether a second picture of the same play differs in more places than the corners where an overlay has its panels.
pub(crate) fn is_changed(before: &RgbImage, after: &RgbImage) -> bool {
    differing(&tiles(before), &tiles(after)) >= 24
}

/// The mean colors of 8 by 5 tiles. Titles and keys stand in the fifths above and below, which are left out.
fn tiles(picture: &RgbImage) -> Vec<Rgb<u8>> {
    let (width, height) = picture.dimensions();
    let middle = imageops::crop_imm(picture, 0, height / 5, width, height * 3 / 5);
    let tiles = imageops::thumbnail(&*middle, 8, 5);
    tiles.pixels().copied().collect()
}

fn differing(some: &[Rgb<u8>], others: &[Rgb<u8>]) -> usize {
    let gap = |a: &Rgb<u8>, b: &Rgb<u8>| (0..3).map(|at| a[at].abs_diff(b[at])).max();
    let pairs = some.iter().zip(others);
    pairs.filter(|(a, b)| gap(a, b) >= Some(3)).count()
}

#[test]
fn walls_are_a_world_and_only_a_veil_over_all_of_it_is_an_overlay() {
    let picture = |dark, is_bright: &dyn Fn(u32, u32) -> bool| {
        let level = |x, y| if is_bright(x, y) { 200 } else { dark };
        RgbImage::from_fn(320, 180, |x, y| Rgb([level(x, y); 3]))
    };
    let text = |x: u32, y: u32| !(36..144).contains(&y) && x % 9 < 4;
    let figure = |x: u32, y: u32| x.abs_diff(160) + y.abs_diff(90) < 12;
    assert!(!is_world(&picture(40, &|_, _| false)));
    assert!(!is_world(&picture(40, &text)));
    assert!(!is_world(&picture(40, &figure)));

    let wall = |x: u32, y: u32| x % 90 < 8 || y % 60 < 6;
    let panels = |x, y| wall(x, y) || (x < 100 && y < 90) || (x > 220 && y > 90);
    let walls = picture(40, &wall);
    assert!(is_world(&walls));
    assert!(!is_changed(&walls, &walls));
    assert!(!is_changed(&walls, &picture(40, &panels)));
    assert!(is_changed(&walls, &picture(60, &wall)));
}
