//! The module graph of a crate may not have cycles, so that each file can be understood from the files below it alone.
//! Re-exports are followed: an item belongs to the module that defines it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ItemMod, ItemUse, Macro, Token, UseTree, Visibility};

/// All Rust files of the workspace.
pub(crate) type Files = BTreeMap<PathBuf, syn::File>;

/// For each module, the modules that it needs, with the file and line of the first import.
type Edges<'c> = BTreeMap<&'c str, BTreeMap<&'c str, (&'c Path, usize)>>;

/// Maximum length of a chain of re-exports. A longer chain is treated as a loop of names.
const MAX_REEXPORTS: usize = 8;

/// Findings for the crate with the root file `root`.
///
/// If the files of the crate have no cycle, its folders may not have a cycle either, unless `are_folders_free`.
pub(crate) fn check(files: &Files, root: &Path, are_folders_free: bool) -> Vec<String> {
    let mut all = Crate {
        files,
        module: "crate".to_string(),
        is_passed_on: false,
        modules: BTreeMap::from([("crate".to_string(), root)]),
        names: BTreeMap::new(),
        imports: Vec::new(),
    };
    all.visit_file(&files[root]);
    let found = cycles(&all.edges(usize::MAX), "module-cycle");
    if !found.is_empty() || are_folders_free {
        return found;
    }
    cycles(&all.edges(2), "folder-cycle")
}

/// The imports of the files of a crate. All names are absolute: they begin with `crate`.
struct Crate<'f> {
    files: &'f Files,
    /// The module that is being read. Its body may be inline in the file of another module.
    module: String,
    /// Whether a `pub use` is being read.
    is_passed_on: bool,
    /// The modules that have a file.
    modules: BTreeMap<String, &'f Path>,
    /// The names that `use` declarations introduce, and the names of the items that they mean.
    names: BTreeMap<String, String>,
    /// The imports: the importing module, which has a file, the imported name, and the line.
    imports: Vec<(String, String, usize)>,
}

impl Crate<'_> {
    fn import(&mut self, path: &str, at: Span) -> String {
        let mut target = self.module.clone();
        for name in path.split("::") {
            match name {
                "crate" => target = name.to_string(),
                "super" => target.truncate(target.rfind("::").unwrap_or(target.len())),
                "self" => {}
                name => target = format!("{target}::{name}"),
            }
        }
        let file = self.definer(&self.module, 0).to_string();
        // A module may re-export items of its submodules, and these submodules may need it.
        if !self.is_passed_on || !target.starts_with(&format!("{file}::")) {
            self.imports.push((file, target.clone(), at.start().line));
        }
        target
    }

    fn import_tree(&mut self, path: &str, tree: &UseTree) {
        let (name, alias) = match tree {
            UseTree::Path(part) => {
                return self.import_tree(&format!("{path}{}::", part.ident), &part.tree);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.import_tree(path, tree));
            }
            UseTree::Glob(glob) => return drop(self.import(path, glob.star_token.span)),
            UseTree::Name(part) => (&part.ident, None),
            UseTree::Rename(part) => (&part.ident, Some(&part.rename)),
        };
        let target = self.import(&format!("{path}{name}"), name.span());
        let own = target.rsplit(':').next().unwrap_or_default().to_string();
        let name = alias.map_or(own, ToString::to_string);
        let name = format!("{}::{name}", self.module);
        self.names.insert(name, target);
    }

    /// The modules that each module needs. Names are cut to `depth` segments. With two segments, the result has the
    /// folders directly below the root.
    fn edges(&self, depth: usize) -> Edges<'_> {
        let cut = |module| cut(module, depth);
        let mut edges = Edges::new();
        for (file, target, line) in &self.imports {
            let (from, to) = (cut(file), cut(self.definer(target, MAX_REEXPORTS)));
            if from != to {
                let needs = edges.entry(from).or_default();
                needs.entry(to).or_insert((self.modules[file], *line));
            }
        }
        edges
    }

    /// The module whose file defines the item `name`. An item of another crate belongs to the module that names it. At
    /// most `hops` re-exports are followed.
    fn definer(&self, name: &str, hops: usize) -> &str {
        let mut module = "crate";
        for (end, _) in name.match_indices("::").chain([(name.len(), "")]) {
            let (start, rest) = name.split_at(end);
            let target = self.names.get(start).filter(|_| hops > 0);
            if let Some((inside, _)) = self.modules.get_key_value(start) {
                module = inside;
            } else if let Some(target) = target {
                return self.definer(&format!("{target}{rest}"), hops - 1);
            }
        }
        module
    }
}

impl<'a> Visit<'a> for Crate<'_> {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if is_for_tests(&item.attrs) {
            return;
        }
        let outside = self.module.len();
        self.module += &format!("::{}", item.ident);
        visit::visit_item_mod(self, item);
        if item.content.is_none() {
            let stem = self.module["crate::".len()..].replace("::", "/");
            let stem = self.modules["crate"].with_file_name(stem);
            // A file named by `#[path]` is not read: it is another module's file, or belongs to another crate.
            for path in [stem.with_extension("rs"), stem.join("mod.rs")] {
                if let Some((path, file)) = self.files.get_key_value(&path) {
                    self.modules.insert(self.module.clone(), path);
                    self.visit_file(file);
                }
            }
        }
        self.module.truncate(outside);
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.is_passed_on = !matches!(item.vis, Visibility::Inherited);
            self.import_tree("", &item.tree);
            self.is_passed_on = false;
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        let names: Vec<_> = names.collect();
        if names.len() > 1 {
            self.import(&names.join("::"), path.segments[0].ident.span());
        }
        visit::visit_path(self, path);
    }

    /// Visits the arguments of macros whose arguments are expressions.
    fn visit_macro(&mut self, call: &'a Macro) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        for argument in call.parse_body_with(list).into_iter().flatten() {
            Visit::visit_expr(self, &argument);
        }
        visit::visit_macro(self, call);
    }

    /// `pub(in crate::a)` does not need anything from `a`.
    fn visit_visibility(&mut self, _: &'a Visibility) {}
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let mut lists = attributes.iter().filter_map(|a| a.meta.require_list().ok());
    lists.any(|list| {
        let text = list.tokens.to_string().replace(' ', "");
        list.path.is_ident("cfg") && (text == "test" || text.starts_with("all(test,"))
    })
}

fn cut(module: &str, depth: usize) -> &str {
    let end = module.match_indices("::").nth(depth - 1);
    end.map_or(module, |(end, _)| &module[..end])
}

fn cycles(edges: &Edges, rule: &str) -> Vec<String> {
    let cycles = edges.keys().filter_map(|start| cycle(edges, start));
    let report = |cycle: Vec<&str>| {
        let (path, line) = edges[cycle[cycle.len() - 2]][cycle[0]];
        format!("{}:{line}: {rule}: {}", path.display(), cycle.join(" -> "))
    };
    cycles.map(report).collect()
}

/// The shortest cycle through `start` and modules that come later in the order of names. This way, each cycle is found
/// once.
fn cycle<'c>(edges: &Edges<'c>, start: &'c str) -> Option<Vec<&'c str>> {
    let mut seen = BTreeSet::new();
    let mut paths = VecDeque::from([vec![start]]);
    while let Some(path) = paths.pop_front() {
        let needs = edges.get(path[path.len() - 1]);
        for (&to, _) in needs.into_iter().flatten() {
            let path = [&path[..], &[to]].concat();
            if to == start {
                return Some(path);
            } else if to > start && seen.insert(to) {
                paths.push_back(path);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Files, check};
    use std::path::{Path, PathBuf};

    /// The cycles of a crate. Each line of `files` has the path of a file below `src`, and its code. `code` replaces
    /// each `$`.
    fn cycles(files: &str, code: &str) -> Vec<String> {
        let files = files.replace('$', code);
        let lines = files.lines();
        let files = lines.filter_map(|line| line.trim().split_once(": "));
        let path = |file| PathBuf::from(format!("src/{file}"));
        let parse = |text| syn::parse_file(text).expect("Rust");
        let files = files.map(|(file, text)| (path(file), parse(text)));
        check(&files.collect::<Files>(), Path::new("src/lib.rs"), false)
    }

    /// Two modules: `b` needs `a`.
    const A_B: &str = "lib.rs: mod a; mod b;
        a.rs: $
        b.rs: use super::a;";
    const A_B_A: [&str; 1] = ["src/b.rs:1: module-cycle: crate::a -> crate::b -> crate::a"];

    #[test]
    fn every_way_to_name_a_module_is_a_dependency() {
        for code in [
            "use crate::b;",
            "use crate::{x::Y, b::{self, B}};",
            "pub(crate) use super::b::B as C;",
            "use super::b::*;",
            "fn f() -> Option<crate::b::B> { None }",
            "fn f() { x!(1, super::b::g()) }",
            "super::b::x!();",
            "mod inline { use super::super::b; }",
            "#[cfg(not(test))] use crate::b;",
            "#[cfg_attr(test, x)] use crate::b;",
        ] {
            assert_eq!(cycles(A_B, code), A_B_A, "{code}");
        }
    }

    #[test]
    fn tests_strings_visibilities_and_other_crates_do_not_count_as_dependencies() {
        for code in [
            "#[cfg(test)] use crate::b;",
            "#[cfg(all(test, unix))] mod tests { use crate::b; }",
            "pub(in crate::b) const A: &str = \"crate::b\"; // crate::b",
            "use b::B;",
            "mod inline { use super::b; }",
            "use glam; use glam::Vec2; type A = glam::Vec2;",
        ] {
            assert_eq!(cycles(A_B, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn re_exports_are_followed_but_do_not_count_as_dependencies() {
        let files = "lib.rs: mod a; mod b; pub use a::A; pub use b::B as C; mod d { pub use crate::b::{self}; }
            a.rs: pub struct A(crate::$);
            b.rs: use crate::A;";
        assert_eq!(cycles(files, "C"), A_B_A);
        assert_eq!(cycles(files, "d::b::B"), A_B_A);
        assert_eq!(cycles(files, "Root"), [""; 0]);
    }

    #[test]
    fn a_parent_and_a_child_that_need_each_other_are_a_cycle() {
        let files = "lib.rs: mod bake;
            bake/mod.rs: mod raster; pub use raster::Raster; fn bake(raster: u8) { $ }
            bake/raster.rs: use super::Size;";
        assert_eq!(cycles(files, "raster::draw()").len(), 1);
        assert_eq!(cycles(files, "raster").len(), 0, "a variable");
    }

    #[test]
    fn siblings_reached_through_their_parent_are_no_cycle() {
        let files = "lib.rs: mod search;
            search/mod.rs: mod cost; mod astar; pub use cost::ONE;
            search/cost.rs: pub const ONE: u32 = 985;
            search/astar.rs: use super::{ONE, cost};";
        assert_eq!(cycles(files, ""), [""; 0]);
    }

    #[test]
    fn folders_that_need_each_other_are_a_cycle_even_if_their_files_are_not() {
        let files = "lib.rs: mod a; mod b;
            a/mod.rs: mod high; mod low;
            a/low.rs: pub struct Low;
            a/high.rs: use crate::b::Mid;
            b.rs: use crate::a::low::Low;";
        let expected = "src/b.rs:1: folder-cycle: crate::a -> crate::b -> crate::a";
        assert_eq!(cycles(files, ""), [expected]);
    }
}
