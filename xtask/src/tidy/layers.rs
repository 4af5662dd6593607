//! Who may depend on whom: the core knows no engine, the plugin names its physics in three places
//! and draws nothing, the overlay only reads.

use std::path::Path;
use std::process::Command;

use super::imports::words;
use super::manifest::{Dependency, dependencies};
use super::source::{Source, is_word, line_of};
use super::{Finding, finding};

const CORE: &str = "crates/pursuit";
const PLUGIN: &str = "crates/bevy_pursuit/src";
const OVERLAY: &str = "crates/bevy_pursuit_debug/src";

/// Modules of the plugin that adapt it to the physics engine.
const NAMES_RAPIER: [&str; 3] = ["bake", "drive", "schedule"];
/// The core's dependencies, and whether each is optional.
const CORE_DEPENDENCIES: [(&str, bool); 3] =
    [("glam", false), ("serde", true), ("thiserror", false)];
/// What the overlay shows and never changes.
const NAVIGATION: [&str; 16] = [
    "BakedGrid",
    "Chase",
    "DesiredVelocity",
    "Flee",
    "Locomotion",
    "NavAgent",
    "NavDrive",
    "NavGrid",
    "NavObstacle",
    "NavPath",
    "OnGrid",
    "PathCursor",
    "PathRequest",
    "PathStatus",
    "PursuitSettings",
    "PursuitStats",
];
/// Crates that a headless server must not link.
const RENDERING: [&str; 4] = ["bevy_render", "bevy_winit", "wgpu", "winit"];

/// Names that a file may not use because of where it stands.
pub(crate) fn names(source: &Source) -> Vec<Finding> {
    let path = &source.path;
    let mut found = Vec::new();
    let mut report = |at: usize, rule: &'static str, what: String| {
        found.push(finding(path, line_of(&source.code, at), rule, what));
    };
    if let Ok(module) = path.strip_prefix(PLUGIN)
        && !may_name_rapier(module)
    {
        for (at, name) in words(&source.code, "bevy_rapier2d") {
            let what = format!("only {} name {name}", NAMES_RAPIER.join(", "));
            report(at, "rapier", what);
        }
    }
    if path.starts_with(CORE) {
        for engine in ["bevy", "rapier", "parry"] {
            for (at, _) in source.code.match_indices(engine) {
                if !source.code[..at].chars().next_back().is_some_and(is_word) {
                    report(at, "core", format!("the core knows no {engine}"));
                }
            }
        }
    }
    if path.starts_with(OVERLAY) {
        for component in NAVIGATION {
            for (at, _) in words(&source.code, component) {
                if source.code[..at].trim_end().ends_with("&mut") {
                    report(at, "overlay", format!("the overlay only reads {component}"));
                }
            }
        }
    }
    found
}

fn may_name_rapier(module: &Path) -> bool {
    let first = module.iter().next().map(|part| part.to_string_lossy());
    first.is_some_and(|first| NAMES_RAPIER.contains(&first.trim_end_matches(".rs")))
}

/// Dependencies that a manifest may not have.
pub(crate) fn manifest(path: &Path, text: &str) -> Vec<Finding> {
    let dependencies = dependencies(text);
    let mut found = Vec::new();
    if path.starts_with(CORE) {
        found.extend(core_manifest(path, &dependencies));
    }
    // The peers that need Bevy are a package beside the workspace, which runs the benchmarks with them.
    let is_peers = path.starts_with("peers");
    let used = dependencies.iter().filter(|d| d.name == "pursuit_bench");
    for used in used.filter(|_| !is_peers) {
        let what = "nothing depends on the benchmarks";
        found.push(finding(path, used.line, "dependencies", what));
    }
    found
}

fn core_manifest(path: &Path, dependencies: &[Dependency]) -> Vec<Finding> {
    let mut found = Vec::new();
    let normal: Vec<_> = dependencies.iter().filter(|d| !d.development).collect();
    for dependency in dependencies {
        let name = &dependency.name;
        let known = CORE_DEPENDENCIES.iter().find(|(known, _)| known == name);
        let refused = match known {
            _ if name.starts_with("bevy") || name.contains("rapier") => Some("knows no engine"),
            None if !dependency.development => Some("depends on no more"),
            Some((_, optional)) if !dependency.development && *optional != dependency.optional => {
                Some(if *optional {
                    "has it optional"
                } else {
                    "always has it"
                })
            }
            _ => None,
        };
        if let Some(refused) = refused {
            let what = format!("{name}: the core {refused}");
            found.push(finding(path, dependency.line, "dependencies", what));
        }
    }
    for (name, _) in CORE_DEPENDENCIES {
        if !normal.iter().any(|dependency| dependency.name == name) {
            found.push(finding(
                path,
                1,
                "dependencies",
                format!("{name} is missing"),
            ));
        }
    }
    found
}

/// What the plugin links: one glam, so that vectors need no conversion, and nothing that draws.
pub(crate) fn linked(root: &Path) -> Vec<Finding> {
    let manifest = Path::new("crates/bevy_pursuit/Cargo.toml");
    match tree(root) {
        Ok(tree) => judge_tree(manifest, &tree),
        Err(what) => vec![finding(manifest, 1, "linked", what)],
    }
}

fn tree(root: &Path) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let output = Command::new(cargo)
        .current_dir(root)
        .args("tree --locked --package bevy_pursuit --edges normal --prefix none".split(' '))
        .args(["--format", "{p}"])
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(format!("cargo tree: {why}"))
    }
}

/// Lines are `name version` and more.
fn judge_tree(manifest: &Path, tree: &str) -> Vec<Finding> {
    let mut packages: Vec<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        })
        .collect();
    packages.sort_unstable();
    packages.dedup();
    let glams: Vec<_> = packages
        .iter()
        .filter(|(name, _)| *name == "glam")
        .collect();
    let mut found = Vec::new();
    if glams.len() != 1 {
        let versions: Vec<_> = glams.iter().map(|(_, version)| *version).collect();
        let what = format!("links glam {} times: {}", glams.len(), versions.join(", "));
        found.push(finding(manifest, 1, "one-glam", what));
    }
    for (name, version) in packages.iter().filter(|(name, _)| RENDERING.contains(name)) {
        let what = format!("links {name} {version}: a server draws nothing");
        found.push(finding(manifest, 1, "headless", what));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{judge_tree, manifest, names};
    use crate::tidy::source::Source;
    use std::path::Path;

    fn named(path: &str, code: &str) -> usize {
        names(&Source::new(path, code)).len()
    }

    #[test]
    fn only_the_adapter_modules_name_rapier() {
        let code = "use bevy_rapier2d::prelude::Collider;\n";
        for path in ["bake/mod.rs", "bake/raster.rs", "drive.rs", "schedule.rs"] {
            assert_eq!(
                named(&format!("crates/bevy_pursuit/src/{path}"), code),
                0,
                "{path}"
            );
        }
        for path in ["follow.rs", "plan/bake.rs", "lib.rs"] {
            assert_eq!(
                named(&format!("crates/bevy_pursuit/src/{path}"), code),
                1,
                "{path}"
            );
        }
        assert_eq!(named("examples/chase/main.rs", code), 0);
    }

    #[test]
    fn comments_may_mention_rapier() {
        assert_eq!(
            named("crates/bevy_pursuit/src/lib.rs", "//! `bevy_rapier2d`\n"),
            0
        );
    }

    #[test]
    fn the_core_names_no_engine() {
        assert_eq!(
            named("crates/pursuit/src/a.rs", "use bevy_math::Vec2;\n"),
            1
        );
        assert_eq!(named("crates/pursuit/src/a.rs", "let heavy_bevy = 1;\n"), 0);
    }

    #[test]
    fn the_overlay_takes_nothing_mutably() {
        let overlay = "crates/bevy_pursuit_debug/src/a.rs";
        assert_eq!(
            named(overlay, "fn f(q: Query<(&NavAgent, &mut NavPath)>) {}\n"),
            1
        );
        assert_eq!(named(overlay, "fn f(q: Query<&mut Text>) {}\n"), 0);
    }

    const CORE: &str = "[dependencies]\nglam.workspace = true\n\
        serde = { workspace = true, optional = true }\nthiserror.workspace = true\n";

    fn refused(text: &str) -> usize {
        manifest(Path::new("crates/pursuit/Cargo.toml"), text).len()
    }

    #[test]
    fn the_core_has_exactly_its_dependencies() {
        assert_eq!(refused(CORE), 0);
        assert_eq!(refused(&format!("{CORE}rayon = \"1\"\n")), 1);
        assert_eq!(refused(&CORE.replace("glam.workspace = true\n", "")), 1);
        assert_eq!(refused(&CORE.replace(", optional = true", "")), 1);
    }

    #[test]
    fn the_core_tests_without_an_engine_too() {
        let tests = "[dev-dependencies]\nproptest = \"1\"\n";
        assert_eq!(refused(&format!("{CORE}{tests}")), 0);
        assert_eq!(refused(&format!("{CORE}{tests}bevy_math = \"0.19\"\n")), 1);
    }

    #[test]
    fn nothing_depends_on_the_benchmarks() {
        let text = "[dependencies]\npursuit_bench.workspace = true\n";
        assert_eq!(manifest(Path::new("examples/Cargo.toml"), text).len(), 1);
    }

    #[test]
    fn a_second_glam_or_a_renderer_is_found() {
        let path = Path::new("Cargo.toml");
        assert!(judge_tree(path, "glam v0.32.1\nglam v0.32.1 (*)\nbevy_ecs v0.19.1\n").is_empty());
        assert_eq!(judge_tree(path, "glam v0.32.1\nglam v0.29.3\n").len(), 1);
        assert_eq!(judge_tree(path, "glam v0.32.1\nwgpu v29.0.0\n").len(), 1);
        assert_eq!(
            judge_tree(path, "").len(),
            1,
            "no glam at all means the tree was not read"
        );
    }
}
