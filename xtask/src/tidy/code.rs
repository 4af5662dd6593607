//! What a Rust file says without its comments, literals and tests: words, and the paths that it names.

use std::mem;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// One Rust file of the workspace.
pub(crate) struct Code {
    /// Relative to the workspace root.
    pub(crate) path: PathBuf,
    /// Names and punctuation in order; brackets stand alone, and `::` is one word.
    pub(crate) words: Vec<Word>,
    /// Names of the files that it declares for tests alone.
    pub(crate) test_modules: Vec<String>,
}

/// One word, and the line that it stands in, from one.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// One path as written.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) line: usize,
    /// `crate`, `super`, `self` or a name first. A glob ends in `*`.
    pub(crate) path: Vec<String>,
    /// The name that a `use` gives it here; `None` for a path in running code.
    pub(crate) name: Option<String>,
    /// Whether a `pub use` passes it on.
    pub(crate) reexport: bool,
}

impl Code {
    /// # Errors
    /// Why the text is no Rust.
    pub(crate) fn new(path: impl Into<PathBuf>, text: &str) -> Result<Self, String> {
        let path = path.into();
        let stream: Result<TokenStream, _> = text.parse();
        let stream = stream.map_err(|error| format!("{}: {error}", path.display()))?;
        let mut all = Vec::new();
        flatten(stream, &mut all);
        let (words, test_modules) = without_tests(&all);
        Ok(Code {
            path,
            words,
            test_modules,
        })
    }

    /// All paths of `use`, and those in running code that begin with `crate`, `super` or one of `children`.
    pub(crate) fn imports(&self, children: &[String]) -> Vec<Import> {
        let words = &self.words;
        let mut found = Vec::new();
        // Where the modules end whose body stands in the file: `super` in them is the file itself.
        let mut inline: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            inline.retain(|end| at < *end);
            let Word { text, line } = &words[at];
            let before = |count| word(words, at.wrapping_sub(count));
            let reexport = before(1) == "pub" || (before(1) == ")" && before(4) == "pub");
            let import = |mut path: Vec<String>, name| {
                let supers = path.iter().take_while(|part| *part == "super").count();
                let inside = supers.min(inline.len());
                path.splice(..inside, (inside > 0).then(|| "self".to_string()));
                let line = *line;
                Import {
                    line,
                    path,
                    name,
                    reexport,
                }
            };
            // The middle of a path, a field, and who may look: `pub(in crate::x)`.
            let is_start = !["::", ".", "in"].contains(&before(1));
            if text == "use" && word(words, at + 1) != "<" {
                let end = at + words[at..].iter().take_while(|w| w.text != ";").count();
                use_tree(&[], &words[at + 1..end], &mut |path, name| {
                    found.push(import(path, Some(name)));
                });
                at = end;
            } else if is_start
                && word(words, at + 1) == "::"
                && (text == "crate" || text == "super" || children.contains(text))
            {
                let pairs = words[at..].chunks(2);
                let goes_on = |pair: &&[Word]| word(pair, 1) == "::";
                let count = pairs.clone().take_while(goes_on).count();
                let path = pairs.take(count + 1).map(|pair| pair[0].text.clone());
                found.push(import(path.collect(), None));
            }
            if text == "mod" && word(words, at + 2) == "{" {
                inline.push(close(words, at + 2));
            }
            at += 1;
        }
        found
    }
}

/// The same text on every system, so that tests and editors can rely on it.
pub(crate) fn finding(path: &Path, line: usize, rule: &str, what: &str) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    format!("{path}:{line}: {rule}: {what}")
}

/// Whether a whole file is test code, by its place.
pub(crate) fn is_test(path: &Path) -> bool {
    let path = path.with_extension("");
    path.iter().any(|part| part == "tests" || part == "benches")
}

fn flatten(stream: TokenStream, words: &mut Vec<Word>) {
    // Whether the quote of a lifetime stands before, or the first half of a `::`.
    let (mut after_quote, mut after_half) = (false, false);
    for token in stream {
        let line = token.span().start().line;
        let mut push = |text: String| words.push(Word { text, line });
        let (was_quote, was_half) = (mem::take(&mut after_quote), mem::take(&mut after_half));
        match token {
            TokenTree::Ident(_) if was_quote => {}
            TokenTree::Ident(name) => push(name.to_string()),
            TokenTree::Literal(_) => push(String::new()),
            TokenTree::Punct(mark) => match mark.as_char() {
                '\'' => after_quote = true,
                ':' if was_half => {}
                ':' if mark.spacing() == Spacing::Joint => {
                    after_half = true;
                    push("::".to_string());
                }
                mark => push(mark.to_string()),
            },
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
                };
                push(open.to_string());
                flatten(group.stream(), words);
                let text = close.to_string();
                words.push(Word { text, line });
            }
        }
    }
}

/// The text of a word; nothing behind the last, and for a literal.
fn word(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| &word.text)
}

/// Where the bracket that opens at `open` closes.
fn close(words: &[Word], open: usize) -> usize {
    let mut depth = 0;
    let closes = |word: &Word| {
        match word.text.as_str() {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    open + words[open..].iter().position(closes).unwrap_or_default()
}

/// The words without what stands under `#[cfg(test)]`, and the files that are declared there.
fn without_tests(words: &[Word]) -> (Vec<Word>, Vec<String>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        let first = words[at..].iter().take(3).map(|word| word.text.as_str());
        let is_cfg = first.eq(["#", "[", "cfg"]);
        let end = if is_cfg { close(words, at + 1) } else { at };
        let has = |text| words[at..end].iter().any(|word| word.text == text);
        if has("test") && !has("not") {
            at = item_end(words, end + 1);
            let declares = |w: &&[Word]| w[0].text == "mod" && w[2].text == ";";
            let declared = words[end..at].windows(3).find(declares);
            modules.extend(declared.map(|w| w[1].text.clone()));
        } else {
            kept.push(words[at].clone());
            at += 1;
        }
    }
    (kept, modules)
}

/// The word behind the item, statement or field that begins at `at`: behind its `;`, its body or its `,`.
fn item_end(words: &[Word], mut at: usize) -> usize {
    let mut angles = 0;
    while at < words.len() {
        match word(words, at) {
            "}" | ")" | "]" => return at,
            ";" => return at + 1,
            "," if angles <= 0 => return at + 1,
            "{" if word(words, at - 1) != "::" => return close(words, at) + 1,
            "{" | "(" | "[" => at = close(words, at),
            "<" => angles += 1,
            ">" => angles -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Gives the paths of a `use` tree with the names that they get.
fn use_tree(prefix: &[String], tree: &[Word], give: &mut impl FnMut(Vec<String>, String)) {
    let mut path = prefix.to_vec();
    let mut alias = None;
    for (at, Word { text, .. }) in tree.iter().enumerate() {
        match text.as_str() {
            "::" => {}
            "as" => {
                alias = tree.get(at + 1);
                break;
            }
            "{" => {
                let mut depth = 0;
                let parts = tree[at + 1..close(tree, at)].split(|word| {
                    depth += i32::from(word.text == "{") - i32::from(word.text == "}");
                    depth == 0 && word.text == ","
                });
                for part in parts.filter(|part| !part.is_empty()) {
                    use_tree(&path, part, give);
                }
                return;
            }
            _ => path.push(text.clone()),
        }
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last() {
        let name = alias.map_or(last, |word| &word.text).clone();
        give(path, name);
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    fn code(text: &str) -> Code {
        Code::new("src/a.rs", text).expect("Rust")
    }

    fn paths(text: &str) -> Vec<String> {
        let found = code(text).imports(&["child".to_string()]).into_iter();
        found.map(|import| import.path.join("::")).collect()
    }

    #[test]
    fn nested_use_trees_are_flattened_and_renamed() {
        let text = "use crate::{a::{self, B}, c::*,};\npub(crate) use super::d::E as F;\n";
        let expected = ["crate::a", "crate::a::B", "crate::c::*", "super::d::E"];
        assert_eq!(paths(text), expected);
        let found = code(text).imports(&[]).into_iter();
        let found: Vec<_> = found.map(|i| (i.line, i.name, i.reexport)).collect();
        let named = |line, name: &str, reexport| (line, Some(name.to_string()), reexport);
        let first = ["a", "B", "*"].map(|name| named(1, name, false));
        assert_eq!(found, [&first[..], &[named(2, "F", true)]].concat());
    }

    #[test]
    fn paths_in_running_code_macros_and_inline_modules_are_found() {
        let text = "fn f() { crate::a::g(); child::h(x.child, b::child::i, c!(super::D)) }";
        assert_eq!(paths(text), ["crate::a::g", "child::h", "super::D"]);
        let text = "mod a { use super::B; use super::super::c; } use super::d;";
        assert_eq!(paths(text), ["self::B", "self::super::c", "super::d"]);
    }

    #[test]
    fn comments_literals_visibility_and_captures_name_nothing() {
        let text = "//! crate::a\npub(in crate::a) fn f<'child>() -> impl Sized + use<'_> {}\n\
            const A: &str = \"crate::b\"; /* crate::c */";
        assert_eq!(paths(text), [""; 0]);
    }

    #[test]
    fn what_is_for_tests_is_no_code_and_what_follows_is() {
        let text = "#[cfg(test)]\nmod helper;\n#[cfg(test)]\nuse super::{a, b};\nstruct S {\n\
            #[cfg(test)]\n looks: super::C<u8, u8>,\n d: super::D }\n#[cfg(all(test, unix))]\n\
            #[x]\npub(crate) const fn f<A, B>(a: A, b: B) -> u8 { super::e() }\n\
            #[cfg(not(test))]\nuse super::f;\n#[cfg(test)]\nmod tests { use super::g; }\n";
        assert_eq!(paths(text), ["super::D", "super::f"]);
        assert_eq!(code(text).test_modules, ["helper"]);
    }
}
