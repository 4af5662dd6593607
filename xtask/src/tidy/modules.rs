//! The module graph of a crate has no cycles, so that each module can be read on what stands below
//! it. Re-exports are looked through: an item belongs to the module that defines it. A module needs those
//! that it imports from, and those that define methods which it calls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::imports::{Import, imports, words};
use super::methods::{self, File};
use super::source::{Source, line_of};
use super::{Finding, finding};

/// A module's name from the crate root, which is the empty path.
type ModulePath = Vec<String>;

/// For each module those it needs, with the place in its code that says so first.
type Edges<'m> = BTreeMap<&'m ModulePath, BTreeMap<&'m ModulePath, usize>>;

/// Re-exports of re-exports are followed this far; a longer chain is a loop of names.
const MAX_HOPS: usize = 8;

struct Module<'s> {
    source: &'s Source,
    imports: Vec<Import>,
}

/// Findings for one crate: the files below `root`, the folder of its `lib.rs` or `main.rs`.
pub(crate) fn check(root: &Path, sources: &[&Source]) -> Vec<Finding> {
    let modules = modules(root, sources);
    let mut edges = edges(&modules);
    add_calls(&modules, &mut edges);
    let cycles = cycles(&edges);
    let report = |cycle: &Vec<&ModulePath>| {
        let closing = &edges[cycle[cycle.len() - 1]][cycle[0]];
        let last = modules[cycle[cycle.len() - 1]].source;
        let names: Vec<_> = cycle.iter().chain(&cycle[..1]).map(|m| shown(m)).collect();
        let line = line_of(&last.code, *closing);
        finding(&last.path, line, "module-cycle", names.join(" -> "))
    };
    cycles.iter().map(report).collect()
}

fn shown(module: &ModulePath) -> String {
    if module.is_empty() {
        "crate".to_string()
    } else {
        module.join("::")
    }
}

fn modules<'s>(root: &Path, sources: &[&'s Source]) -> BTreeMap<ModulePath, Module<'s>> {
    let named = sources.iter().filter(|source| !source.is_test());
    let named = named.filter_map(|source| Some((module_path(root, &source.path)?, *source)));
    let mut by_path: BTreeMap<ModulePath, &Source> = named.collect();
    let test_only: Vec<ModulePath> = by_path
        .iter()
        .flat_map(|(path, source)| {
            let names = test_modules(&source.code).into_iter();
            names.map(|name| child(path, name))
        })
        .collect();
    by_path.retain(|path, _| !test_only.contains(path));
    let with_imports = |(path, source): (&ModulePath, &&'s Source)| {
        let inside = |other: &&ModulePath| other.len() == path.len() + 1 && other.starts_with(path);
        let children = by_path.keys().filter(inside).filter_map(|c| c.last());
        let children: Vec<String> = children.cloned().collect();
        let imports = imports(&source.code, &children);
        (path.clone(), Module { source, imports })
    };
    by_path.iter().map(with_imports).collect()
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`; `lib.rs` and `main.rs` are the root.
fn module_path(root: &Path, file: &Path) -> Option<ModulePath> {
    let relative = file.strip_prefix(root).ok()?.with_extension("");
    let mut path: ModulePath = relative
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let top = path.len() == 1;
    if path
        .last()
        .is_some_and(|last| last == "mod" || top && (last == "lib" || last == "main"))
    {
        path.pop();
    }
    Some(path)
}

/// Names of modules declared under `#[cfg(test)]`.
fn test_modules(code: &str) -> Vec<&str> {
    let declared = words(code, "mod").filter_map(|(at, _)| {
        let name = code[at + 3..].split(';').next()?.trim();
        let before = code[..at].trim_end().trim_end_matches("pub").trim_end();
        before.ends_with("#[cfg(test)]").then_some(name)
    });
    declared.collect()
}

fn child(path: &ModulePath, name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_string()]).collect()
}

/// For each module those it needs, with the place of the first import.
fn edges<'m>(modules: &'m BTreeMap<ModulePath, Module<'_>>) -> Edges<'m> {
    let mut edges = BTreeMap::new();
    for (from, module) in modules {
        let needs: &mut BTreeMap<&ModulePath, usize> = edges.entry(from).or_default();
        for import in &module.imports {
            let Some(to) = definer(modules, from, &import.path, 0) else {
                continue;
            };
            let passes_on = import.reexport && to.starts_with(from);
            if to != from && !passes_on {
                needs.entry(to).or_insert(import.at);
            }
        }
    }
    edges
}

/// Adds the modules of methods that a module calls, where a type has its methods in several modules.
fn add_calls<'m>(modules: &'m BTreeMap<ModulePath, Module<'_>>, edges: &mut Edges<'m>) {
    let file = |module: &'m Module<'_>| {
        let names = module.imports.iter().filter_map(|i| i.path.last());
        File {
            code: &module.source.code,
            imported: names.map(String::as_str).collect(),
        }
    };
    let files: Vec<_> = modules.values().map(file).collect();
    let paths: Vec<_> = modules.keys().collect();
    for call in methods::calls(&files) {
        let needs = edges.entry(paths[call.from]).or_default();
        needs.entry(paths[call.to]).or_insert(call.at);
    }
}

/// The module that defines what `path`, written in module `at`, names; `None` for other crates.
fn definer<'m>(
    modules: &'m BTreeMap<ModulePath, Module<'_>>,
    at: &ModulePath,
    path: &[String],
    hops: usize,
) -> Option<&'m ModulePath> {
    let (first, mut rest) = path.split_first()?;
    let mut here = match first.as_str() {
        "crate" => ModulePath::new(),
        "self" => at.clone(),
        "super" => at[..at.len().saturating_sub(1)].to_vec(),
        name => child(at, name),
    };
    while let Some((next, after)) = rest.split_first() {
        if next == "super" {
            here.pop();
        } else if modules.contains_key(&child(&here, next)) {
            here.push(next.clone());
        } else if let Some(import) = named(modules, &here, next)
            && hops < MAX_HOPS
        {
            let target: Vec<String> = import.path.iter().chain(after).cloned().collect();
            return definer(modules, &here, &target, hops + 1);
        } else {
            break;
        }
        rest = after;
    }
    modules.get_key_value(&here).map(|(key, _)| key)
}

/// The import that gives module `here` the name `name`.
fn named<'m>(
    modules: &'m BTreeMap<ModulePath, Module<'_>>,
    here: &ModulePath,
    name: &str,
) -> Option<&'m Import> {
    let imports = &modules.get(here)?.imports;
    imports.iter().find(|i| i.name.as_deref() == Some(name))
}

/// One cycle for each import that closes one, found depth first.
fn cycles<'m>(edges: &Edges<'m>) -> Vec<Vec<&'m ModulePath>> {
    let mut found = Vec::new();
    let mut done = BTreeSet::new();
    for start in edges.keys() {
        visit(edges, start, &mut Vec::new(), &mut done, &mut found);
    }
    found
}

fn visit<'m>(
    edges: &Edges<'m>,
    at: &'m ModulePath,
    trail: &mut Vec<&'m ModulePath>,
    done: &mut BTreeSet<&'m ModulePath>,
    found: &mut Vec<Vec<&'m ModulePath>>,
) {
    if let Some(begin) = trail.iter().position(|&on_trail| on_trail == at) {
        found.push(trail[begin..].to_vec());
        return;
    }
    if done.contains(at) {
        return;
    }
    trail.push(at);
    for to in edges[at].keys() {
        visit(edges, to, trail, done, found);
    }
    trail.pop();
    done.insert(at);
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::source::Source;
    use std::path::Path;

    /// Cycles of a crate given as (file below `src`, code).
    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<_> = files
            .iter()
            .map(|(file, code)| Source::new(format!("src/{file}"), *code))
            .collect();
        let sources: Vec<_> = sources.iter().collect();
        let found = check(Path::new("src"), &sources);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn two_modules_that_import_each_other_are_a_cycle() {
        let found = cycles(&[
            ("lib.rs", "pub mod a;\npub mod b;\n"),
            ("a.rs", "use crate::b::B;\n"),
            ("b.rs", "\nuse super::a;\n"),
        ]);
        assert_eq!(found, ["src/b.rs:2: module-cycle: a -> b -> a"]);
    }

    #[test]
    fn a_cycle_through_re_exports_is_seen() {
        let found = cycles(&[
            ("lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n"),
            ("a.rs", "pub struct A(crate::B);\n"),
            ("b.rs", "use crate::A;\n"),
        ]);
        assert_eq!(found, ["src/b.rs:1: module-cycle: a -> b -> a"]);
    }

    #[test]
    fn re_exports_of_the_root_are_no_imports() {
        let found = cycles(&[
            ("lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n"),
            ("a.rs", "pub struct A;\n"),
            ("b.rs", "use crate::A;\n"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_child_that_needs_a_parent_that_needs_it_is_a_cycle() {
        let files = [
            ("lib.rs", "mod bake;\n"),
            (
                "bake/mod.rs",
                "mod raster;\nfn bake() { raster::draw() }\npub struct Size;\n",
            ),
            ("bake/raster.rs", "use super::Size;\n"),
        ];
        let found = cycles(&files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("bake -> bake::raster -> bake"),
            "{found:?}"
        );
    }

    #[test]
    fn a_type_that_calls_its_methods_in_another_file_is_in_a_cycle_with_it() {
        let files = [
            ("lib.rs", "mod whole;\nmod part;\n"),
            (
                "whole.rs",
                "pub struct Whole;\nimpl Whole { fn a(&self) { self.turn_around() } }\n",
            ),
            (
                "part.rs",
                "use crate::whole::Whole;\nimpl Whole { fn turn_around(&self) {} }\n",
            ),
        ];
        let found = cycles(&files);
        assert_eq!(
            found,
            ["src/whole.rs:2: module-cycle: part -> whole -> part"]
        );
        let without_call = files.map(|(file, code)| (file, code.replace(".turn_around()", ".b()")));
        let without_call = without_call
            .each_ref()
            .map(|(file, code)| (*file, code.as_str()));
        assert_eq!(cycles(&without_call), [""; 0]);
    }

    #[test]
    fn siblings_reached_through_their_parent_are_no_cycle() {
        let found = cycles(&[
            ("lib.rs", "mod search;\n"),
            (
                "search/mod.rs",
                "mod cost;\nmod astar;\npub use cost::STRAIGHT;\n",
            ),
            ("search/cost.rs", "pub const STRAIGHT: u32 = 985;\n"),
            ("search/astar.rs", "use super::{STRAIGHT, cost};\n"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn tests_may_import_what_they_like() {
        let found = cycles(&[
            ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod fixtures;\n"),
            ("a.rs", "use crate::b::B;\n"),
            (
                "b.rs",
                "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            ),
            ("fixtures.rs", "use crate::Root;\n"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn other_crates_and_comments_are_not_followed() {
        let found = cycles(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "use b2::a;\nuse crate::b;\n"),
            ("b.rs", "//! See crate::a.\nuse bevy::a::A;\n"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }
}
