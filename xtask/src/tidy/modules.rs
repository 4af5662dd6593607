//! The module graph of a crate has no cycles, so that each file can be read on what stands below it.
//! Re-exports are looked through: an item belongs to the module that defines it.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use super::code::{Code, Import, finding, is_test};

/// For each module those that it needs, with the module and the line that say so first. Names begin with `crate`.
type Edges = BTreeMap<String, BTreeMap<String, (String, usize)>>;

/// Re-exports of re-exports are followed this far; a longer chain is a loop of names.
const MAX_HOPS: usize = 8;

struct Module<'c> {
    code: &'c Code,
    imports: Vec<Import>,
}

type Modules<'c> = BTreeMap<String, Module<'c>>;

/// Findings for one crate: the files below `root`, the folder of its `lib.rs` or `main.rs`.
///
/// If its files are in order, so must its folders be, except where `are_folders_free`.
pub(crate) fn check<'c>(
    root: &Path,
    files: impl Iterator<Item = &'c Code>,
    are_folders_free: bool,
) -> Vec<String> {
    let modules = modules(root, files);
    let edges = edges(&modules);
    let report = |edges: &Edges, rule| {
        let cycles = edges.keys().filter_map(|start| cycle(edges, start));
        let finding = cycles.map(|cycle| {
            let last = cycle[cycle.len() - 1];
            let names = cycle.iter().chain(&cycle[..1]).map(|name| name.as_str());
            let (module, line) = &edges[last][cycle[0]];
            let names: Vec<_> = names.collect();
            finding(&modules[module].code.path, *line, rule, &names.join(" -> "))
        });
        finding.collect::<Vec<_>>()
    };
    let found = report(&edges, "module-cycle");
    if !found.is_empty() || are_folders_free {
        return found;
    }
    report(&folders(&edges), "folder-cycle")
}

/// The same of folders: what lies in one, or below it, counts as one. The root file shows them all, and is none of them.
fn folders(edges: &Edges) -> Edges {
    let folder = |module: &str| module.split("::").take(2).collect::<Vec<_>>().join("::");
    let mut folders = Edges::new();
    for (from, needs) in edges.iter().filter(|(from, _)| *from != "crate") {
        let from = folder(from);
        let others = needs.iter().map(|(to, at)| (folder(to), at));
        let others = others.filter(|(to, _)| *to != from && to != "crate");
        let all = folders.entry(from.clone()).or_default();
        for (to, at) in others {
            all.entry(to).or_insert_with(|| at.clone());
        }
    }
    folders
}

fn modules<'c>(root: &Path, files: impl Iterator<Item = &'c Code>) -> Modules<'c> {
    let own = files.filter(|code| !is_test(&code.path));
    let own = own.filter_map(|code| Some((module_name(root, &code.path)?, code)));
    let mut files: BTreeMap<String, &Code> = own.collect();
    let declared = files.iter().flat_map(|(module, code)| {
        let names = code.test_modules.iter();
        names.map(move |name| format!("{module}::{name}"))
    });
    let for_tests: Vec<_> = declared.collect();
    files.retain(|module, _| !for_tests.iter().any(|test| is_inside(module, test)));
    let module = |(name, &code): (&String, &&'c Code)| {
        let split = files.keys().filter_map(|other| other.rsplit_once("::"));
        let children = split.filter(|(parent, _)| parent == name);
        let children: Vec<_> = children.map(|(_, child)| child.to_string()).collect();
        let imports = code.imports(&children);
        (name.clone(), Module { code, imports })
    };
    files.iter().map(module).collect()
}

/// `a/b.rs` and `a/b/mod.rs` are `crate::a::b`; `lib.rs` and `main.rs` are `crate`.
fn module_name(root: &Path, file: &Path) -> Option<String> {
    let relative = file.strip_prefix(root).ok()?.with_extension("");
    let is_root = ["lib", "main"]
        .iter()
        .any(|name| relative == Path::new(name));
    let parts = relative.iter().map(|part| part.to_string_lossy());
    let names = parts.filter(|part| part != "mod" && !is_root);
    Some(names.fold("crate".to_string(), |module, name| {
        format!("{module}::{name}")
    }))
}

fn parent(module: &str) -> &str {
    module
        .rsplit_once("::")
        .map_or(module, |(parent, _)| parent)
}

/// Whether a module is another one or below it.
fn is_inside(module: &str, other: &str) -> bool {
    let rest = module.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn edges(modules: &Modules) -> Edges {
    let mut edges = Edges::new();
    for (from, module) in modules {
        let needs = edges.entry(from.clone()).or_default();
        for import in &module.imports {
            let to = definer(modules, from, &import.path, 0);
            let passes_on = |to: &String| import.reexport && is_inside(to, from);
            if let Some(to) = to.filter(|to| to != from && !passes_on(to)) {
                needs.entry(to).or_insert((from.clone(), import.line));
            }
        }
    }
    edges
}

/// The module that defines what `path`, written in module `at`, names; `None` for other crates.
fn definer(modules: &Modules, at: &str, path: &[String], hops: usize) -> Option<String> {
    let (first, mut rest) = path.split_first()?;
    let mut here = match first.as_str() {
        "crate" => "crate".to_string(),
        "self" => at.to_string(),
        "super" => parent(at).to_string(),
        name => format!("{at}::{name}"),
    };
    while let Some((next, after)) = rest.split_first() {
        let inside = format!("{here}::{next}");
        if next == "super" {
            here = parent(&here).to_string();
        } else if modules.contains_key(&inside) {
            here = inside;
        } else if let Some(import) = named(modules, &here, next)
            && hops < MAX_HOPS
        {
            let target = [&import.path, after].concat();
            return definer(modules, &here, &target, hops + 1);
        } else {
            break;
        }
        rest = after;
    }
    modules.contains_key(&here).then_some(here)
}

/// The import that gives module `here` the name `name`.
fn named<'m>(modules: &'m Modules, here: &str, name: &str) -> Option<&'m Import> {
    let mut imports = modules.get(here)?.imports.iter();
    imports.find(|import| import.name.as_deref() == Some(name))
}

/// A shortest cycle through `start` and modules behind it in the order of names, so that each is found once.
fn cycle<'e>(edges: &'e Edges, start: &'e String) -> Option<Vec<&'e String>> {
    let mut before = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        if edges[at].contains_key(start) {
            let back = std::iter::successors(Some(at), |at| before.get(at).copied());
            let mut cycle: Vec<_> = back.collect();
            cycle.reverse();
            return Some(cycle);
        }
        for to in edges[at].keys().filter(|to| *to > start) {
            before.entry(to).or_insert_with(|| {
                queue.push_back(to);
                at
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::code::Code;
    use std::path::Path;

    /// Cycles of a crate, a file a line: its path below `src` and its code.
    fn cycles(files: &str) -> Vec<String> {
        let files = files
            .lines()
            .filter_map(|line| line.trim().split_once(": "));
        let code = files.map(|(file, text)| Code::new(format!("src/{file}"), text));
        let code: Result<Vec<_>, _> = code.collect();
        check(Path::new("src"), code.expect("Rust").iter(), false)
    }

    const A_B_A: [&str; 1] = ["src/b.rs:1: module-cycle: crate::a -> crate::b -> crate::a"];

    #[test]
    fn two_modules_that_import_each_other_are_a_cycle() {
        let files = "lib.rs: pub mod a; pub mod b;
            a.rs: use crate::b::B;
            b.rs: use super::a;";
        assert_eq!(cycles(files), A_B_A);
    }

    #[test]
    fn re_exports_are_looked_through_and_are_no_imports() {
        let files = "lib.rs: mod a; mod b; pub use a::A; pub use b::B;
            b.rs: use crate::A;
            a.rs: ";
        assert_eq!(cycles(&format!("{files}pub struct A(crate::B);")), A_B_A);
        assert_eq!(cycles(&format!("{files}pub struct A;")), [""; 0]);
    }

    #[test]
    fn a_child_that_needs_a_parent_that_needs_it_is_a_cycle() {
        let files = "lib.rs: mod bake;
            bake/mod.rs: mod raster; fn bake() { raster::draw() }
            bake/raster.rs: use super::Size;";
        assert_eq!(cycles(files).len(), 1);
    }

    #[test]
    fn siblings_reached_through_their_parent_are_no_cycle() {
        let files = "lib.rs: mod search;
            search/mod.rs: mod cost; mod astar; pub use cost::ONE;
            search/cost.rs: pub const ONE: u32 = 985;
            search/astar.rs: use super::{ONE, cost};";
        assert_eq!(cycles(files), [""; 0]);
    }

    #[test]
    fn folders_that_need_each_other_are_a_cycle_though_their_files_are_none() {
        let files = "lib.rs: mod a; mod b;
            a/mod.rs: mod high; mod low;
            a/low.rs: pub struct Low;
            a/high.rs: use crate::b::Mid;
            b.rs: use crate::a::low::Low;";
        let expected = "src/b.rs:1: folder-cycle: crate::a -> crate::b -> crate::a";
        assert_eq!(cycles(files), [expected]);
    }

    #[test]
    fn tests_and_other_crates_are_not_followed() {
        let files = "lib.rs: mod a; mod ab; mod b; #[cfg(test)] mod fixtures;
            a.rs: use crate::b::B; use b2::a; pub use crate::ab::C;
            b.rs: use bevy::a; #[cfg(test)] mod tests { use crate::a; }
            fixtures.rs: use crate::Root;";
        assert_eq!(cycles(files), [""; 0]);
    }
}
