//! The rules for dependencies between packages. The core depends on no engine. The plugin names its physics engine in
//! one folder only, and draws nothing.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::command::{command, output};

const CORE: &str = "crates/pursuit";
const PLUGIN: &str = "crates/bevy_pursuit/src";

/// Packages that may depend on Bevy, or on a package that depends on Bevy.
const BEVY: [&str; 5] = [
    "bevy_pursuit",
    "bevy_pursuit_debug",
    "pursuit_bench",
    "pursuit_book",
    "pursuit_examples",
];
/// Packages that may depend on a physics engine.
const PHYSICS: [&str; 3] = ["bevy_pursuit", "pursuit_bench", "pursuit_examples"];
/// The core's dependencies, and whether each is optional.
const CORE_DEPENDENCIES: [(&str, bool); 3] =
    [("glam", false), ("serde", true), ("thiserror", false)];
/// Packages on which no other package may depend.
const LEAF_PACKAGES: [&str; 4] = ["pursuit_bench", "pursuit_book", "pursuit_examples", "xtask"];
/// The folder of the plugin with the adapter to the physics engine.
const RAPIER_FOLDER: &str = "physics/rapier";
/// Prefixes of the names of engines, which the core may not use.
const ENGINES: [&str; 4] = ["bevy", "rapier", "parry", "avian"];
/// Crates that a headless server must not link.
const RENDERING: [&str; 4] = ["bevy_render", "bevy_winit", "wgpu", "winit"];

/// Findings for names that a file may not use because of its folder. Names in comments are allowed.
pub(crate) fn names(path: &Path, text: &str) -> Vec<String> {
    let inside = path.strip_prefix(PLUGIN).ok();
    let (what, refused): (_, &[&str]) = if path.starts_with(CORE) {
        ("the core may not name", &ENGINES)
    } else if inside.is_some_and(|path| !path.starts_with(RAPIER_FOLDER)) {
        ("only physics/rapier may name", &["bevy_rapier2d"])
    } else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_refused = |word: &&str| refused.iter().any(|name| word.starts_with(name));
        if let Some(word) = words.find(is_refused) {
            let (path, line) = (path.display(), at + 1);
            found.push(format!("{path}:{line}: layers: {what} {word}"));
        }
    }
    found
}

/// Findings for the dependencies in the manifests, and for the crates that the plugin links.
///
/// # Errors
/// The message of cargo if it cannot list the dependencies.
pub(crate) fn dependencies(root: &Path) -> Result<Vec<String>, String> {
    let metadata = "cargo metadata --locked --format-version 1 --no-deps";
    let metadata = output(&mut command(root, metadata))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let tree = "cargo tree --locked -p bevy_pursuit --edges normal --prefix none --format {p}";
    let mut found = declared(&metadata["packages"]);
    found.extend(linked(&output(&mut command(root, tree))?));
    Ok(found)
}

/// Findings for the dependencies that packages declare. `packages` comes from `cargo metadata`.
fn declared(packages: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages.as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let may = |packages: &[&str]| packages.contains(&name);
        let mut core = Vec::new();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let is_normal = dependency["kind"].is_null();
            let is_physics = ENGINES[1..].iter().any(|engine| to.contains(engine));
            if LEAF_PACKAGES.contains(&to)
                || (to.starts_with("bevy") && !may(&BEVY))
                || (is_physics && !may(if is_normal { &PHYSICS } else { &BEVY }))
            {
                found.push(format!("layers: {name} may not depend on {to}"));
            }
            if is_normal {
                core.push((to, dependency["optional"] == true));
            }
        }
        core.sort_unstable();
        if name == "pursuit" && core != CORE_DEPENDENCIES {
            let only = format!("{CORE_DEPENDENCIES:?} (name, is optional)");
            found.push(format!("layers: the core depends on {only}, not {core:?}"));
        }
    }
    found
}

/// Findings for the crates that the plugin links. It must link exactly one version of glam, so that vectors need no
/// conversion, and no crate that draws. Each line of `tree` begins with `name version`.
fn linked(tree: &str) -> Vec<String> {
    let versions = |name: &str| {
        let lines = tree.lines().filter_map(|line| line.strip_prefix(name));
        let versions = lines.filter_map(|rest| rest.strip_prefix(' ')?.split(' ').next());
        versions.collect::<BTreeSet<_>>()
    };
    let (mut found, glams) = (Vec::new(), versions("glam"));
    if glams.len() != 1 {
        found.push(format!(
            "layers: the plugin must link one version of glam, not {glams:?}"
        ));
    }
    let draws = RENDERING.iter().filter(|name| !versions(name).is_empty());
    found.extend(draws.map(|name| format!("layers: the plugin may not draw, but links {name}")));
    found
}

#[cfg(test)]
mod tests {
    use super::{declared, linked, names};
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn the_core_names_no_engine_and_only_adapters_name_rapier() {
        let text = "//! `bevy_rapier2d`\nuse bevy_rapier2d::prelude::Collider;\ntype A = NoBevy;\n";
        for (path, count) in [
            ("crates/pursuit/src/a.rs", 1),
            ("crates/bevy_pursuit/src/physics/rapier/a.rs", 0),
            ("crates/bevy_pursuit/src/physics/a.rs", 1),
            ("crates/bevy_pursuit/src/plan/bake.rs", 1),
            ("examples/chase/main.rs", 0),
        ] {
            assert_eq!(names(Path::new(path), text).len(), count, "{path}");
        }
    }

    /// Number of findings for a package with these normal and dev dependencies. `?` after a name makes the dependency
    /// optional.
    fn refused(name: &str, normal: &str, dev: &str) -> usize {
        let entry = |kind: Option<&'static str>| {
            move |name: &str| {
                let optional = name.ends_with('?');
                json!({ "name": name.trim_end_matches('?'), "kind": kind, "optional": optional })
            }
        };
        let normal = normal.split_whitespace().map(entry(None));
        let all = normal.chain(dev.split_whitespace().map(entry(Some("dev"))));
        let all: Vec<_> = all.collect();
        declared(&json!([{ "name": name, "dependencies": all }])).len()
    }

    #[test]
    fn the_core_has_exactly_its_dependencies_and_no_engine_in_tests() {
        assert_eq!(refused("pursuit", "thiserror glam serde?", "proptest"), 0);
        for normal in [
            "glam serde?",
            "glam serde thiserror",
            "glam rayon serde? thiserror",
        ] {
            assert_eq!(refused("pursuit", normal, ""), 1, "{normal}");
        }
        assert_eq!(refused("pursuit", "glam serde? thiserror", "bevy_math"), 1);
    }

    #[test]
    fn only_some_crates_may_depend_on_engines_and_no_example_on_benchmarks() {
        assert_eq!(refused("pursuit_lab", "pursuit bevy", ""), 1);
        assert_eq!(refused("bevy_pursuit_debug", "avian2d", ""), 1);
        assert_eq!(refused("bevy_pursuit_debug", "bevy", "avian2d"), 0);
        assert_eq!(refused("pursuit_examples", "pursuit_bench", ""), 1);
    }

    #[test]
    fn a_second_glam_a_renderer_or_an_empty_tree_is_found() {
        let tree = "glam v0.32.1\nglam v0.32.1 (*)\nbevy_ecs v0.19.1\n";
        assert_eq!(linked(tree), [""; 0]);
        assert_eq!(linked("glam v0.32.1\nglam v0.29.3\n").len(), 1);
        assert_eq!(linked("glam v0.32.1\nwgpu v29.0.0\n").len(), 1);
        assert_eq!(linked("").len(), 1, "no glam: the tree was not read");
    }
}
