//! Calls that no import shows: a type may have its methods in several files, and whoever calls one
//! depends on the file that defines it.
//!
//! Told by names alone, without types: only methods whose name is defined once in the crate count, and
//! of those only the ones that are not called like something of the standard library.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::imports::{block_length, words};
use super::source::is_word;

/// Names that the standard library or glam has, too: a call says nothing about whose it is.
const COMMON: [&str; 17] = [
    "all", "any", "clear", "contains", "count", "distance", "extend", "fill", "find", "get",
    "insert", "iter", "pop", "push", "replace", "retain", "take",
];

/// A file of a crate, without comments and tests.
pub(super) struct File<'c> {
    pub(super) code: &'c str,
    /// Names that it imports.
    pub(super) imported: BTreeSet<&'c str>,
}

/// A call in one file of a method that stands in another; files are told by their place in the list.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Byte offset of the method's name in the code that calls it.
    pub(super) at: usize,
}

/// All calls of methods that a file defines for a type of another file.
pub(super) fn calls(files: &[File<'_>]) -> Vec<Call> {
    let mut defined: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        for name in functions(file.code) {
            *defined.entry(name).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for (to, file) in files.iter().enumerate() {
        for (owner, body) in inherent_impls(file.code) {
            if !file.imported.contains(owner) {
                continue;
            }
            let names = functions(&file.code[body]);
            for name in names.filter(|name| defined[name] == 1 && !COMMON.contains(name)) {
                let others = files.iter().enumerate().filter(|&(from, _)| from != to);
                found.extend(others.flat_map(|(from, other)| {
                    let places = called(other.code, owner, name);
                    places.map(move |at| Call { from, to, at })
                }));
            }
        }
    }
    found
}

/// Names after `fn`.
fn functions(code: &str) -> impl Iterator<Item = &str> {
    words(code, "fn").filter_map(|(at, _)| {
        let rest = code[at + 2..].trim_start();
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}

/// The type and the body of each `impl` without a trait.
fn inherent_impls(code: &str) -> Vec<(&str, Range<usize>)> {
    let blocks = words(code, "impl").filter_map(|(at, _)| {
        let before = code[..at].trim_end().chars().next_back();
        // Elsewhere it is a type: `-> impl Fn()`.
        let is_item = before.is_none_or(|c| ['}', ';', ']', '{'].contains(&c));
        let after = at + "impl".len();
        let header = after + generics(&code[after..]);
        let open = header + code[header..].find('{')?;
        let text = &code[header..open];
        let has_trait = words(text, "for").any(|(at, _)| !text[at + 3..].starts_with('<'));
        if !is_item || has_trait {
            return None;
        }
        let path = text.trim_start();
        let end = path.find(|c| !is_word(c) && c != ':').unwrap_or(path.len());
        let name = path[..end].rsplit("::").next()?;
        let length = block_length(&code[open..])?;
        (!name.is_empty()).then_some((name, open..open + length))
    });
    blocks.collect()
}

/// The length of the `<…>` that the text begins with.
fn generics(text: &str) -> usize {
    if !text.starts_with('<') {
        return 0;
    }
    let (mut depth, mut last) = (0, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
        last = c;
    }
    text.len()
}

/// Where a method is called: on a value, or by the name of its type.
fn called<'c>(code: &'c str, owner: &'c str, name: &'c str) -> impl Iterator<Item = usize> {
    let places = words(code, name).filter(move |&(at, _)| {
        let before = code[..at].trim_end();
        let after = code[at + name.len()..].trim_start();
        let is_call = after.starts_with('(') || after.starts_with("::<");
        let by_type = ["Self", owner].into_iter().any(|owner| {
            let path = before.strip_suffix("::");
            path.is_some_and(|path| {
                let bare = path.strip_suffix(owner);
                bare.is_some_and(|bare| !bare.chars().next_back().is_some_and(is_word))
            })
        });
        let on_value = before.ends_with('.') && !before.ends_with("..");
        by_type || on_value && is_call
    });
    places.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{Call, File, calls, inherent_impls};

    /// Calls between files, each given as (imported names, code).
    fn found(files: &[(&[&str], &str)]) -> Vec<(usize, usize)> {
        let files: Vec<_> = files
            .iter()
            .map(|(imported, code)| File {
                code,
                imported: imported.iter().copied().collect(),
            })
            .collect();
        let calls = calls(&files).into_iter();
        calls.map(|Call { from, to, .. }| (from, to)).collect()
    }

    const OWNER: (&[&str], &str) = (&[], "struct X;\nimpl X { fn new() -> Self { X } }");
    const PART: (&[&str], &str) = (&["X"], "impl X { fn fold_back(&self) {} }");

    #[test]
    fn who_calls_a_method_needs_the_file_that_defines_it() {
        let on_value = (&["X"][..], "fn f(x: &X) { x.fold_back() }");
        let by_name = (&["X"][..], "fn f(x: &X) { X::fold_back(x) }");
        let as_value = (&["X"][..], "fn f() { map(X::fold_back) }");
        for caller in [on_value, by_name, as_value] {
            assert_eq!(found(&[OWNER, PART, caller]), [(2, 1)], "{}", caller.1);
        }
    }

    #[test]
    fn the_type_may_need_the_file_of_its_own_method() {
        let owner = (
            &[][..],
            "struct X;\nimpl X { fn go(&self) { self.fold_back() } }",
        );
        assert_eq!(found(&[owner, PART]), [(0, 1)]);
    }

    #[test]
    fn names_that_are_not_unique_or_not_called_say_nothing() {
        let other = (
            &[][..],
            "impl Y { fn fold_back(&self) {} }\nfn f(y: Y) { y.fold_back() }",
        );
        assert_eq!(found(&[OWNER, PART, other]), []);
        let field = (&[][..], "fn f(y: Y) { y.fold_back = 1; Y::fold_back(); }");
        assert_eq!(found(&[OWNER, PART, field]), []);
        let common = (&["X"][..], "impl X { fn push(&self) {} }");
        assert_eq!(found(&[OWNER, common, (&[], "fn f() { x.push() }")]), []);
    }

    #[test]
    fn methods_of_a_type_s_own_file_and_of_traits_are_no_parts() {
        let own = (&[][..], "struct Z;\nimpl Z { fn fold_back(&self) {} }");
        let of_trait = (&["X", "T"][..], "impl T for X { fn fold_up(&self) {} }");
        let caller = (&[][..], "fn f() { z.fold_back(); x.fold_up() }");
        assert_eq!(found(&[own, of_trait, caller]), []);
    }

    #[test]
    fn blocks_are_found_behind_generics_and_paths() {
        let code = "impl<'a, F: Fn() -> u8> super::X<'a, F> where F: Sized { }\nfn f() -> impl T {}\n\
                    impl<T> From<T> for X {}\n#[cfg(a)]\nimpl Y<u8> {}";
        let names: Vec<_> = inherent_impls(code)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["X", "Y"]);
    }
}
