//! The dependency tables of a `Cargo.toml`, read line by line: all this needs of TOML.

/// One entry of a dependency table.
#[derive(Debug, PartialEq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) optional: bool,
    /// Whether it is for tests or build scripts only.
    pub(crate) development: bool,
    /// One-based.
    pub(crate) line: usize,
}

/// Entries of all dependency tables but the workspace's, which only name versions.
pub(crate) fn dependencies(text: &str) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    let mut table = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_end_matches(']').to_string();
            if let Some((kind, name)) = table.rsplit_once('.')
                && let Some(development) = dependency_table(kind)
            {
                found.push(entry(name, line, development, index + 1));
            }
        } else if let Some((key, _)) = line.split_once('=')
            && !line.starts_with('#')
        {
            if let Some(development) = dependency_table(&table) {
                let name = key.trim().split('.').next().unwrap_or(key);
                found.push(entry(name, line, development, index + 1));
            } else if let Some(last) = found.last_mut()
                && table.ends_with(&format!(".{}", last.name))
            {
                last.optional |= is_optional(line);
            }
        }
    }
    found
}

fn entry(name: &str, line: &str, development: bool, at: usize) -> Dependency {
    Dependency {
        name: name.to_string(),
        optional: is_optional(line),
        development,
        line: at,
    }
}

fn is_optional(line: &str) -> bool {
    line.replace(' ', "").contains("optional=true")
}

/// Whether a table holds dependencies, and then whether those are for development.
fn dependency_table(table: &str) -> Option<bool> {
    let kind = table.rsplit('.').next().unwrap_or(table);
    let own = !table.starts_with("workspace");
    match kind {
        "dependencies" if own => Some(false),
        "dev-dependencies" | "build-dependencies" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::dependencies;

    fn read(text: &str) -> Vec<(String, bool, bool)> {
        let found = dependencies(text).into_iter();
        found.map(|d| (d.name, d.optional, d.development)).collect()
    }

    #[test]
    fn the_three_ways_to_write_an_entry_are_read() {
        let text = "[dependencies]\na = \"1\"\nb.workspace = true\n\
            c = { version = \"1\", optional = true }\n[dependencies.d]\nversion = \"1\"\n\
            optional = true\n";
        let expected = [("a", false), ("b", false), ("c", true), ("d", true)];
        let expected = expected.map(|(name, optional)| (name.to_string(), optional, false));
        assert_eq!(read(text), expected);
    }

    #[test]
    fn tables_of_targets_and_tests_count_and_other_tables_do_not() {
        let text = "[package]\nname = \"x\"\n[target.'cfg(unix)'.dependencies]\na = \"1\"\n\
            [dev-dependencies]\nb = \"1\"\n[workspace.dependencies]\nc = \"1\"\n# d = \"1\"\n";
        let expected = [("a", false), ("b", true)];
        let expected = expected.map(|(name, development)| (name.to_string(), false, development));
        assert_eq!(read(text), expected);
    }
}
