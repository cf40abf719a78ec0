//! Tables for people: aligned columns, words to the left and numbers to the right.

use std::fmt::Write;

use super::Palette;

/// A table under construction. The first column holds names.
pub(crate) struct Table {
    content: Content,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// What the columns after the first hold.
#[derive(Clone, Copy)]
enum Content {
    Words,
    Numbers,
}

impl Table {
    /// A table of words with these headings.
    pub(crate) fn of_words<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(Content::Words, headings)
    }

    /// A table of numbers with these headings.
    pub(crate) fn of_numbers<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(Content::Numbers, headings)
    }

    fn new<'a>(content: Content, headings: impl IntoIterator<Item = &'a str>) -> Self {
        let headings = headings.into_iter().map(str::to_owned).collect();
        Self { content, headings, rows: Vec::new() }
    }

    /// Adds a row, which has as many cells as there are headings.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<_> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.headings.len(), "invariant: a row fits its headings");
        self.rows.push(cells);
    }

    /// The table as text.
    pub(crate) fn render(&self, palette: Palette) -> String {
        let widths: Vec<_> = (0..self.headings.len()).map(|column| self.width(column)).collect();
        let heading = palette.heading;
        let mut text = format!("{heading}{}{heading:#}\n", self.line(&self.headings, &widths));
        for row in &self.rows {
            let _ = writeln!(text, "{}", self.line(row, &widths));
        }
        text
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().chain([&self.headings]);
        cells.map(|row| row[column].chars().count()).max().unwrap_or(0)
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            // Widths of format strings are bounded, those of cells are not.
            let missing = " ".repeat(width - cell.chars().count());
            let _ = match (column, self.content) {
                (0, _) => write!(line, "{cell}{missing}"),
                (_, Content::Words) => write!(line, "  {cell}{missing}"),
                (_, Content::Numbers) => write!(line, "  {missing}{cell}"),
            };
        }
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Palette, Table};

    #[test]
    fn names_stand_left_and_numbers_right() {
        let mut table = Table::of_numbers(["LR graphs", "states"]);
        table.row(["lr0".into(), "7".into()]);
        table.row(["lalr".into(), "1,024".into()]);
        let expected = "LR graphs  states\nlr0             7\nlalr        1,024\n";
        assert_eq!(table.render(Palette::new(false)), expected);
    }
}
