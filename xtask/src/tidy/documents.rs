//! Documents must be short and in plain English, and their links must lead somewhere.

use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag};

/// Maximum sizes of documents at the root, in kilobytes.
const MAX_KILOBYTES: [(&str, usize); 3] = [
    ("README.md", 9),
    ("ARCHITECTURE.md", 14),
    ("BENCHMARKS.md", 12),
];

/// Phrases that readers found hard to understand, in lower case, separated by `|`.
const DOCUMENT_DIALECT: &str = " anew| but for | is none.| are none.| knows of| know of | tells of| tell of | says so| is told\
    | goes before | that of | those that |whoever|, too.|, too,| as far as that goes| so that there is no ";

/// The phrases that are forbidden in the docs of public items.
const DOCS_DIALECT: &str = " anew| but for | is none.| are none.| there is none.| knows of| know of | tells of| says so\
    |whoever|, too.|, too,| as far as that goes";

/// Part of every address of the project on the web. Nothing is published there yet.
const UNPUBLISHED: &str = "pursuit-rs";

/// Findings for a document: a size above its maximum, and each forbidden phrase with its line.
pub(crate) fn check(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let budget = MAX_KILOBYTES
        .iter()
        .find(|(name, _)| path == Path::new(name));
    if let Some((name, max)) = budget.filter(|(_, max)| text.len() > max * 1024) {
        let size = text.len();
        found.push(format!("{name}:1: size: {size} bytes, budget {max} KB"));
    }
    for (at, phrase) in phrases(text, DOCUMENT_DIALECT) {
        let line = text[..at].matches('\n').count() + 1;
        let path = path.display();
        found.push(format!("{path}:{line}: dialect: \"{phrase}\""));
    }
    found
}

/// Findings for doc comments: links to the project on the web, where nothing is published yet. In the docs of public
/// items also each forbidden phrase, even if it is split between two lines.
pub(crate) fn check_docs(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut docs = String::new();
    for (line, code) in text.lines().enumerate() {
        let code = code.trim_start();
        let is_doc = code.starts_with("///") || code.starts_with("//!");
        if is_doc && code.contains(UNPUBLISHED) {
            let (path, line) = (path.display(), line + 1);
            found.push(format!("{path}:{line}: dead link: {UNPUBLISHED}"));
        }
        if let Some(doc) = code.strip_prefix("///") {
            docs += doc;
        } else if !code.starts_with("#[") {
            let own = if code.starts_with("pub ") { &*docs } else { "" };
            for (_, phrase) in phrases(own, DOCS_DIALECT) {
                let (path, line) = (path.display(), line + 1);
                found.push(format!("{path}:{line}: dialect above: \"{phrase}\""));
            }
            docs.clear();
        }
    }
    found
}

/// Findings for links and pictures of a document whose file or heading does not exist. A link to the project on the web
/// is dead as well, because nothing is published yet.
pub(crate) fn check_links(root: &Path, path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (link, at) in links(text) {
        let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
        let file = match file {
            "" => root.join(path),
            file => root.join(path).with_file_name(file),
        };
        let has_heading = || {
            let text = fs::read_to_string(&file).unwrap_or_default();
            headings(&text).any(|one| one == heading)
        };
        let is_alive = match link.contains("://") {
            true => !link.contains(UNPUBLISHED),
            false => file.exists() && (heading.is_empty() || has_heading()),
        };
        if !is_alive {
            let line = text[..at].matches('\n').count() + 1;
            found.push(format!("{}:{line}: dead link: {link}", path.display()));
        }
    }
    found
}

/// The targets of the links and pictures of a document, each with its offset in the text.
fn links(text: &str) -> Vec<(String, usize)> {
    let mut links = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push((dest_url.to_string(), range.start));
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let sources = html.split("src=\"").skip(1);
                let sources = sources.filter_map(|rest| rest.split('"').next());
                links.extend(sources.map(|link| (link.to_string(), range.start)));
            }
            _ => {}
        }
    }
    links
}

/// The anchors of the headings of a document: in lower case, with hyphens for spaces, and without punctuation.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| {
        let name = line.trim_start_matches('#').trim().to_lowercase();
        let name = name.replace(' ', "-");
        name.replace(|c: char| !c.is_alphanumeric() && !"-_".contains(c), "")
    })
}

/// Finds the phrases of a list in a text. Returns each occurrence with its offset in the text.
fn phrases<'l>(text: &str, list: &'l str) -> Vec<(usize, &'l str)> {
    let plain = text.to_ascii_lowercase().replace('\n', " ");
    let all = list.split('|');
    let found = all.flat_map(|phrase| plain.match_indices(phrase).map(move |(at, _)| (at, phrase)));
    found.map(|(at, phrase)| (at, phrase.trim())).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check_docs, check_links};

    #[test]
    fn long_documents_and_forbidden_phrases_are_found() {
        let check = |name: &str, text: &str| super::check(Path::new(name), text);
        assert_eq!(check("README.md", &"a\n".repeat(4608)), [""; 0]);
        assert_eq!(check("README.md", &"a\n".repeat(4609)).len(), 1);
        assert_eq!(check("docs/README.md", &"a\n".repeat(9000)), [""; 0]);
        let found = check("a.md", "Sensors\nare\nnone. Baked anew.");
        assert_eq!(
            found,
            [
                "a.md:3: dialect: \"anew\"",
                "a.md:1: dialect: \"are none.\""
            ]
        );
    }

    #[test]
    fn links_to_missing_files_missing_headings_and_the_unpublished_project_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let check = |text: &str| check_links(root, Path::new("src/a.md"), text).len();
        let text = "[a](main.rs) [b](../../docs/src/bodies.md#rapiers-speed-limit) [c](https://bevy.org)\n";
        assert_eq!(check(text), 0);
        assert_eq!(check("```\n[a](nowhere)\n```\n`[a](nowhere)`"), 0, "code");
        for dead in [
            "![a](nowhere.png)",
            "<img src=\"nowhere.png\">",
            "[![a](main.rs)](nowhere)",
            "[a]\n\n[a]: nowhere",
            "[a](#no-heading)",
            "[a](../../docs/src/bodies.md#no-heading)",
            "[a](https://github.com/pursuit-rs/pursuit)",
        ] {
            assert_eq!(check(dead), 1, "{dead}");
        }
    }

    #[test]
    fn forbidden_phrases_are_found_only_in_docs_of_public_items() {
        let text =
            "/// Baked\n/// anew.\n#[must_use]\npub fn a() {}\n/// Anew: not anew.\nfn b() {}\n";
        let found = check_docs(Path::new("a.rs"), text);
        assert_eq!(found, ["a.rs:4: dialect above: \"anew\""]);
    }

    #[test]
    fn doc_comments_with_links_to_the_unpublished_project_are_found() {
        let text = "//! [a](https://github.com/pursuit-rs/a)\n/// <https://pursuit-rs.dev>\nfn a() {}\n\
            // https://github.com/pursuit-rs\n/// [b](https://bevy.org)\nfn b() {}\n";
        let found = check_docs(Path::new("a.rs"), text);
        assert_eq!(
            found,
            [1, 2].map(|line| format!("a.rs:{line}: dead link: pursuit-rs"))
        );
    }
}
