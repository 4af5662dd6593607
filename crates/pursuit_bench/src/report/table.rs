//! Tables, as plain text and as Markdown.

use std::fmt;

/// Columns as wide as what they hold; text to the left, numbers to the right.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    /// How many columns are text, from the first on.
    text: usize,
}

impl Table {
    /// The first `text` columns are text, the others numbers.
    pub(super) fn new(text: usize, titles: &[&str]) -> Self {
        let titles = titles.iter().map(ToString::to_string).collect();
        Table {
            rows: vec![titles],
            text,
        }
    }

    pub(super) fn column(&mut self, title: &str) {
        self.rows[0].push(title.to_string());
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether there is anything under the titles.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// The table in Markdown, with the same columns.
    pub(super) fn markdown(&self) -> String {
        let columns = self.rows[0].len();
        let line = |cells: &[String]| {
            let mut cells = cells.to_vec();
            cells.resize(columns, String::new());
            format!("| {} |\n", cells.join(" | "))
        };
        let side = |column| if column < self.text { "---" } else { "---:" };
        let sides: Vec<_> = (0..columns).map(side).collect();
        let mut text = line(&self.rows[0]);
        text.push_str(&format!("|{}|\n", sides.join("|")));
        self.rows[1..]
            .iter()
            .for_each(|row| text.push_str(&line(row)));
        text
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.rows[0].len()).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| {
                if column < self.text {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table() -> Table {
        let mut table = Table::new(1, &["name", "n"]);
        table.row(vec!["a".to_string(), "1000".to_string()]);
        table.row(vec!["longest".to_string()]);
        table
    }

    #[test]
    fn plain_columns_line_up() {
        assert_eq!(
            table().to_string(),
            "name        n\na        1000\nlongest\n"
        );
    }

    #[test]
    fn markdown_has_every_column_in_every_row() {
        let text = "| name | n |\n|---|---:|\n| a | 1000 |\n| longest |  |\n";
        assert_eq!(table().markdown(), text);
    }
}
