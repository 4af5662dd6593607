//! Runs the code in README and in the book as doc tests.

macro_rules! chapters {
    ($($name:ident $path:literal)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!($path)]
        mod $name {}
    )*};
}

chapters! {
    readme "../README.md"
    asking "src/asking.md"
    bodies "src/bodies.md"
    crowds "src/crowds.md"
    events "src/events.md"
    faq "src/faq.md"
    fixed_step "src/fixed-step.md"
    overlay "src/overlay.md"
    pausing "src/pausing.md"
    quick_start "src/quick-start.md"
    recipes "src/recipes.md"
    replays "src/replays.md"
    saving "src/saving.md"
    search "src/search.md"
    speed "src/speed.md"
    stages "src/stages.md"
    three_d "src/three-d.md"
    tiles "src/tiles.md"
    unity "src/unity.md"
    walls "src/walls.md"
    wants "src/wants.md"
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_chapter_is_tested() {
        let links = include_str!("src/SUMMARY.md").split("](").skip(1);
        let chapters: Vec<&str> = links.filter_map(|link| link.split(')').next()).collect();
        assert!(chapters.len() > 10);
        for chapter in chapters {
            let line = format!("\"src/{chapter}\"");
            assert!(include_str!("lib.rs").contains(&line), "{chapter}");
        }
    }

    #[test]
    fn the_features_that_readme_lists_are_those_of_these_tests() {
        let features = |text: &'static str| {
            let list = text.split_once("features = [\"bevy_gizmos_render\"")?.1;
            list.split(']').next()
        };
        let readme = features(include_str!("../README.md"));
        assert!(readme.is_some() && readme == features(include_str!("Cargo.toml")));
    }
}
