//! Documents stay as long as a reader's patience, and in the English that readers know.

use std::path::Path;

/// The most kilobytes of documents at the root.
const SIZES: [(&str, usize); 3] = [
    ("README.md", 9),
    ("ARCHITECTURE.md", 14),
    ("BENCHMARKS.md", 12),
];

/// Phrases over which readers stumbled, in lower case, between bars.
const DIALECT: &str = " anew| but for | is none.| are none.| knows of| know of | tells of| tell of | says so| is told\
    | goes before | that of | those that |whoever|, too.|, too,| as far as that goes| so that there is no ";

/// What is to mend in a document: its size, and each phrase with its line.
pub(crate) fn check(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let most = SIZES.iter().find(|(name, _)| path == Path::new(name));
    if let Some((name, most)) = most.filter(|(_, most)| text.len() > most * 1024) {
        let size = text.len();
        found.push(format!("{name}:1: size: {size} bytes, budget {most} KB"));
    }
    let plain = text.to_ascii_lowercase().replace('\n', " ");
    for phrase in DIALECT.split('|') {
        for (at, _) in plain.match_indices(phrase) {
            let line = text[..at].matches('\n').count() + 1;
            let path = path.display();
            found.push(format!("{path}:{line}: dialect: \"{}\"", phrase.trim()));
        }
    }
    found
}

#[test]
fn long_documents_and_dialect_are_found_also_across_lines() {
    let check = |name: &str, text: &str| check(Path::new(name), text);
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
