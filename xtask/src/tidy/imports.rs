//! Which paths a file names: its `use` trees flattened, and paths spelled out in the code.

use std::ops::Range;

use super::source::is_word;

/// One path as written, with the place it stands at.
#[derive(Debug, PartialEq)]
pub(crate) struct Import {
    /// Byte offset in the code.
    pub(crate) at: usize,
    /// `crate`, `super`, `self` or a name first. A glob ends in `*`.
    pub(crate) path: Vec<String>,
    /// The name it has here, if a `use` gave it one; `None` for a path in running code.
    pub(crate) name: Option<String>,
    /// Whether a `pub use` passes it on.
    pub(crate) reexport: bool,
}

/// All imports of a file whose comments and tests are gone. Of the paths in running code only those
/// that begin with `crate`, `super` or one of `children`.
pub(crate) fn imports(code: &str, children: &[String]) -> Vec<Import> {
    let mut found = Vec::new();
    let mut running = code.to_string();
    for (at, _) in words(code, "use") {
        let rest = &code[at + 3..];
        let Some(end) = rest.find(';') else { continue };
        if rest.trim_start().starts_with('<') {
            continue;
        }
        let whole = at..at + 3 + end;
        running.replace_range(whole.clone(), &blanks(&code[whole]));
        let before = code[..at].trim_end();
        let (before, reexport) = without_visibility(before);
        if before.ends_with("#[cfg(test)]") {
            continue;
        }
        let mut tree = Vec::new();
        flatten(&[], &rest[..end], &mut tree);
        found.extend(tree.into_iter().map(|(path, name)| Import {
            at,
            path,
            name: Some(name),
            reexport,
        }));
    }
    found.extend(running_paths(&running, children));
    let inline = inline_modules(code);
    for import in &mut found {
        let depth = inline
            .iter()
            .filter(|range| range.contains(&import.at))
            .count();
        leave_inline_modules(&mut import.path, depth);
    }
    found
}

/// Ranges of modules whose body stands in the file.
fn inline_modules(code: &str) -> Vec<Range<usize>> {
    let bodies = words(code, "mod").filter_map(|(at, _)| {
        let open = at + code[at..].find(['{', ';'])?;
        let length = block_length(&code[open..])?;
        Some(at..open + length)
    });
    bodies.collect()
}

/// Bytes from an opening brace to behind its closing one; `None` where there is no brace.
pub(super) fn block_length(code: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (c == '}').then_some(at + 1);
        }
    }
    None
}

/// Rewrites a path from `depth` inline modules deep so that it starts from the file's module.
fn leave_inline_modules(path: &mut Vec<String>, depth: usize) {
    let supers = path
        .iter()
        .take_while(|segment| *segment == "super")
        .count();
    let inside = supers.min(depth);
    if inside > 0 {
        path.splice(..inside, ["self".to_string()]);
    }
}

/// Where a whole word stands in the code.
pub(crate) fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = (usize, &'c str)> {
    code.match_indices(word).filter(move |&(at, found)| {
        let before = code[..at].chars().next_back();
        let after = code[at + found.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Spaces in place of text, so that offsets stay.
fn blanks(text: &str) -> String {
    " ".repeat(text.len())
}

/// Cuts `pub` or `pub(…)` off the end, and says whether there was one.
fn without_visibility(before: &str) -> (&str, bool) {
    let bare = match before.strip_suffix(')') {
        Some(open) => open.rfind('(').map_or(before, |at| &before[..at]),
        None => before,
    };
    match bare.trim_end().strip_suffix("pub") {
        Some(rest) if !rest.chars().next_back().is_some_and(is_word) => (rest.trim_end(), true),
        _ => (before, false),
    }
}

/// Paths of a `use` tree with the names they get.
fn flatten(prefix: &[String], tree: &str, found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, group)) => (head, group.rfind('}').map(|end| &group[..end])),
        None => (tree, None),
    };
    let (head, alias) = match head.split_once(" as ") {
        Some((head, alias)) => (head, Some(alias.trim())),
        None => (head, None),
    };
    let mut path = prefix.to_vec();
    let segments = head.split("::").map(str::trim).filter(|s| !s.is_empty());
    path.extend(segments.map(String::from));
    match group {
        Some(group) => {
            for part in split_top_level(group) {
                flatten(&path, part, found);
            }
        }
        None => {
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            if let Some(last) = path.last() {
                let name = alias.unwrap_or(last).to_string();
                found.push((path, name));
            }
        }
    }
}

/// The parts between commas that stand outside inner braces.
fn split_top_level(group: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[from..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn running_paths(code: &str, children: &[String]) -> Vec<Import> {
    let starts = ["crate", "super"].into_iter();
    let starts = starts.chain(children.iter().map(String::as_str));
    let paths = starts.flat_map(|start| {
        words(code, start).filter_map(|(at, _)| {
            let before = code[..at].trim_end();
            let continues = before.ends_with("::") || before.ends_with('.');
            // `pub(in crate::x)` says who may look, not what is looked at.
            let visibility = before.ends_with("(in");
            let path = path_at(&code[at..]);
            (path.len() > 1 && !continues && !visibility).then_some((at, path))
        })
    });
    paths
        .map(|(at, path)| Import {
            at,
            path,
            name: None,
            reexport: false,
        })
        .collect()
}

/// The segments `a::b::c` that the text begins with.
fn path_at(text: &str) -> Vec<String> {
    let mut path = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if end == 0 {
            return path;
        }
        path.push(rest[..end].to_string());
        match rest[end..].strip_prefix("::") {
            Some(next) => rest = next,
            None => return path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::imports;

    fn paths(code: &str, children: &[&str]) -> Vec<String> {
        let children: Vec<String> = children.iter().map(|name| name.to_string()).collect();
        let found = imports(code, &children).into_iter();
        found.map(|import| import.path.join("::")).collect()
    }

    #[test]
    fn nested_use_trees_are_flattened() {
        let code = "use crate::{a::{self, B}, c::*,};\nuse super::d::E as F;\n";
        let expected = ["crate::a", "crate::a::B", "crate::c::*", "super::d::E"];
        assert_eq!(paths(code, &[]), expected);
        let names: Vec<_> = imports(code, &[]).into_iter().map(|i| i.name).collect();
        let expected = ["a", "B", "*", "F"].map(|name| Some(name.to_string()));
        assert_eq!(names, expected);
    }

    #[test]
    fn a_public_use_is_a_reexport() {
        let code = "pub use a::B;\npub(crate) use c::D;\nuse e::F;\n";
        let public: Vec<_> = imports(code, &[]).iter().map(|i| i.reexport).collect();
        assert_eq!(public, [true, true, false]);
    }

    #[test]
    fn paths_in_running_code_are_found() {
        let code = "fn f() { crate::a::g(); child::h(x.child, other::child::i) }";
        assert_eq!(paths(code, &["child"]), ["crate::a::g", "child::h"]);
    }

    #[test]
    fn paths_in_an_inline_module_start_from_the_file() {
        let code = "mod a {\n    use super::B;\n    use super::super::c;\n}\nuse super::d;\n";
        assert_eq!(paths(code, &[]), ["self::B", "self::super::c", "super::d"]);
    }

    #[test]
    fn visibility_test_imports_and_captures_are_no_imports() {
        let code =
            "pub(in crate::a) fn f() -> impl Sized + use<'_> {}\n#[cfg(test)]\nuse super::b;";
        assert_eq!(paths(code, &[]), Vec::<String>::new());
    }
}
