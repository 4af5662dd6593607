//! What every package has to hold itself: the licenses, and the README that is the plugin's first
//! page. The files at the root are the originals; `cargo xtask tidy --mend` writes the copies.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Finding, finding};

const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
/// The original, whose links are relative: they work in every clone and fork.
pub(crate) const README: &str = "README.md";
/// The crate whose documentation begins with it.
const PLUGIN: &str = "crates/bevy_pursuit";
const PICTURES: [&str; 5] = [".gif", ".jpg", ".png", ".svg", ".webp"];

/// A file that has to read as its original says.
struct Copy {
    /// Relative to the workspace root.
    path: PathBuf,
    original: &'static str,
    text: String,
}

/// A finding for each copy that is missing or differs.
pub(crate) fn check(root: &Path, crates: &[PathBuf]) -> Vec<Finding> {
    let copies = match copies(root, crates) {
        Ok(copies) => copies,
        Err((path, what)) => return vec![finding(Path::new(&path), 1, "copies", what)],
    };
    let differs = |copy: &Copy| {
        fs::read_to_string(root.join(&copy.path)).map_or(true, |there| there != copy.text)
    };
    let stale = copies.iter().filter(|copy| differs(copy));
    stale
        .map(|copy| {
            let what = format!(
                "is not what {} says: `cargo xtask tidy --mend`",
                copy.original
            );
            finding(&copy.path, 1, "copies", what)
        })
        .collect()
}

/// Writes every copy.
///
/// # Errors
/// An original that can't be read, or a copy that can't be written.
pub(crate) fn write(root: &Path, crates: &[PathBuf]) -> Result<(), String> {
    let copies = copies(root, crates).map_err(|(path, what)| format!("{path}: {what}"))?;
    for Copy { path, text, .. } in copies {
        fs::write(root.join(&path), text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The copies as they have to be; else the original that is to blame, and why.
fn copies(root: &Path, crates: &[PathBuf]) -> Result<Vec<Copy>, (String, String)> {
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| (name.to_string(), error.to_string()))
    };
    let mut copies = Vec::new();
    for original in LICENSES {
        let text = read(original)?;
        copies.extend(crates.iter().map(|folder| Copy {
            path: folder.join(original),
            original,
            text: text.clone(),
        }));
    }
    let manifest = read("Cargo.toml")?;
    let Some(repository) = repository(&manifest) else {
        let what = "names no repository".to_string();
        return Err(("Cargo.toml".to_string(), what));
    };
    let (path, text) = (Path::new(PLUGIN).join(README), read(README)?);
    copies.push(Copy {
        path,
        original: README,
        text: with_absolute_links(&text, repository),
    });
    Ok(copies)
}

fn repository(manifest: &str) -> Option<&str> {
    let mut entries = manifest.lines().filter_map(|line| line.split_once('='));
    let (_, value) = entries.find(|(key, _)| key.trim() == "repository")?;
    Some(value.trim().trim_matches('"'))
}

/// The text with links into the repository where it has relative ones, as on crates.io: nothing
/// stands beside a page of docs.rs.
fn with_absolute_links(text: &str, repository: &str) -> String {
    let mut absolute = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, target) in relative_links(text) {
        let picture = PICTURES.iter().any(|kind| target.ends_with(kind));
        let kind = if picture { "raw" } else { "blob" };
        absolute.push_str(&text[copied..at]);
        absolute.push_str(&format!("{repository}/{kind}/HEAD/"));
        copied = at;
    }
    absolute.push_str(&text[copied..]);
    absolute
}

/// Targets of `[…](…)` that name a file beside this one, and where they begin. Links into the page
/// itself are none, nor is anything in a block of code.
pub(crate) fn relative_links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let (mut begin, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            for (at, _) in line.match_indices("](") {
                let at = at + "](".len();
                let target = line[at..].split(')').next().unwrap_or_default();
                if !target.contains("://") && !target.starts_with('#') {
                    links.push((begin + at, target));
                }
            }
        }
        begin += line.len();
    }
    links
}

#[cfg(test)]
mod tests {
    use super::{check, relative_links, repository, with_absolute_links, write};
    use std::fs;
    use std::path::PathBuf;

    #[test]
    fn relative_links_become_links_into_the_repository() {
        let text = "![x](a/b.png) [y](C.md#d) [z](#z)\r\n[w](https://w.org)\n```sh\n[no](no)\n```\n\
            [v](v)\n";
        let expected = "![x](R/raw/HEAD/a/b.png) [y](R/blob/HEAD/C.md#d) [z](#z)\r\n\
            [w](https://w.org)\n```sh\n[no](no)\n```\n[v](R/blob/HEAD/v)\n";
        assert_eq!(with_absolute_links(text, "R"), expected);
        assert!(relative_links(&with_absolute_links(text, "https://r.org/r")).is_empty());
    }

    #[test]
    fn the_repository_is_read_from_the_manifest() {
        let manifest = "[workspace.package]\nrepository = \"https://r.org/r\"\n";
        assert_eq!(repository(manifest), Some("https://r.org/r"));
        assert_eq!(repository("[workspace]\n"), None);
    }

    #[test]
    fn a_copy_that_differs_is_found_until_it_is_written() {
        let root = std::env::temp_dir().join(format!("pursuit-copies-{}", std::process::id()));
        let folder = PathBuf::from("crates/bevy_pursuit");
        fs::create_dir_all(root.join(&folder)).expect("to create a folder");
        for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
            fs::write(root.join(name), "[a](b)\n").expect("to write an original");
        }
        fs::write(root.join("Cargo.toml"), "repository = \"R\"\n").expect("to write it");
        let crates = [folder.clone()];
        let missing = check(&root, &crates).len();
        write(&root, &crates).expect("to write the copies");
        let mended = check(&root, &crates).len();
        fs::write(root.join("README.md"), "other\n").expect("to change an original");
        let stale = check(&root, &crates);
        let _ = fs::remove_dir_all(&root);
        assert_eq!((missing, mended, stale.len()), (3, 0, 1));
        assert_eq!(stale[0].path, folder.join("README.md"));
    }
}
