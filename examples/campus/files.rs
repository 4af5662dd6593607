//! The waypoint map as a file: with the mark of the level that it was laid on, and refused with a reason.

use std::fs;
use std::path::Path;

use pursuit::NavMap;
use pursuit_lab::routes::RouteMap;
use serde::{Deserialize, Serialize};

/// What is in a file.
#[derive(Deserialize)]
struct Loaded {
    level: u64,
    routes: RouteMap,
}

/// The same, on its way out.
#[derive(Serialize)]
struct Saved<'a> {
    level: u64,
    routes: &'a RouteMap,
}

/// The bytes of a file for the level of this text.
///
/// # Errors
///
/// What the format says.
pub(crate) fn to_bytes(level: &str, routes: &RouteMap) -> Result<Vec<u8>, String> {
    let level = mark_of(level);
    let saved = Saved { level, routes };
    postcard::to_allocvec(&saved).map_err(|error| error.to_string())
}

/// The waypoint map in a file for the level of this text, with the roads open that are free on `map`.
///
/// # Errors
///
/// A file that is cut off or damaged, one of another level, and one for bodies of another radius.
pub(crate) fn from_bytes(
    bytes: &[u8],
    level: &str,
    map: &NavMap,
    radius: f32,
) -> Result<RouteMap, String> {
    let loaded = postcard::take_from_bytes::<Loaded>(bytes);
    let (Loaded { level: own, routes }, rest) =
        loaded.map_err(|error| format!("this is no waypoint map, or a damaged one: {error}"))?;
    let mut routes = routes;
    if !rest.is_empty() {
        let count = rest.len();
        return Err(format!("{count} bytes too many behind the waypoint map"));
    }
    if own != mark_of(level) {
        return Err("the waypoint map is of another level".to_owned());
    }
    if (routes.radius() - radius).abs() > 1e-3 {
        let other = routes.radius();
        return Err(format!(
            "the waypoint map is for bodies of {other} cells, not of {radius}"
        ));
    }
    let outside = |point: &pursuit::glam::Vec2| {
        let max = map.rect().max;
        point.x < 0.0 || point.y < 0.0 || point.x >= max.x as f32 || point.y >= max.y as f32
    };
    if let Some(place) = routes.places().iter().find(|place| outside(&place.point)) {
        return Err(format!(
            "the place `{}` is outside of the level",
            place.name
        ));
    }
    routes.update(map);
    Ok(routes)
}

/// Writes a file.
///
/// # Errors
///
/// The path, and why it cannot be written.
pub(crate) fn save(path: &Path, level: &str, routes: &RouteMap) -> Result<usize, String> {
    let bytes = to_bytes(level, routes)?;
    fs::write(path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.len())
}

/// Reads a file.
///
/// # Errors
///
/// The path, and why it cannot be read or is refused.
pub(crate) fn load(
    path: &Path,
    level: &str,
    map: &NavMap,
    radius: f32,
) -> Result<RouteMap, String> {
    let named = |reason: String| format!("{}: {reason}", path.display());
    let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
    from_bytes(&bytes, level, map, radius).map_err(named)
}

/// A number for a level's text: FNV-1a (Fowler, Noll and Vo, 1991).
fn mark_of(level: &str) -> u64 {
    level.bytes().fold(0xcbf2_9ce4_8422_2325, |mark, byte| {
        (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::glam::Vec2;
    use pursuit::maps::parse_ascii;
    use pursuit::{DiagonalPolicy, NavScratch};

    const LEVEL: &str = "..........\n.####.###.\n..........";
    const RADIUS: f32 = 0.45;

    fn map() -> NavMap {
        let grid = parse_ascii(LEVEL).expect("a map").grid;
        NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut)
    }

    fn routes(map: &NavMap) -> RouteMap {
        let mut builder = RouteMap::builder(RADIUS);
        for (name, x, y) in [("a", 0.0, 0.0), ("b", 9.0, 0.0), ("c", 5.0, 2.0)] {
            builder.place(name, Vec2::new(x, y)).expect("a place");
        }
        let paved = builder.pave_all(map, 1.1, &mut NavScratch::new());
        assert!(paved.expect("roads") >= 3);
        builder.build().expect("routes")
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let map = map();
        let routes = routes(&map);
        let bytes = to_bytes(LEVEL, &routes).expect("bytes");
        let again = from_bytes(&bytes, LEVEL, &map, RADIUS).expect("the same routes");
        assert_eq!(again.places(), routes.places());
        assert_eq!(again.roads(), routes.roads());
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let map = map();
        let bytes = to_bytes(LEVEL, &routes(&map)).expect("bytes");
        let reason = |bytes: &[u8], level, radius| {
            from_bytes(bytes, level, &map, radius).expect_err("a bad file")
        };
        for count in 0..bytes.len() {
            reason(&bytes[..count], LEVEL, RADIUS);
        }
        assert!(reason(&bytes, "....", RADIUS).contains("another level"));
        assert!(reason(&bytes, LEVEL, 2.0).contains("not of 2"));
        let longer = [&*bytes, &[0]].concat();
        assert!(reason(&longer, LEVEL, RADIUS).contains("too many"));
        let missing = load(Path::new("no such file"), LEVEL, &map, RADIUS);
        assert!(missing.expect_err("no file").contains("no such file"));
    }
}
