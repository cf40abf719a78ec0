//! Tables for people: aligned columns, names to the left and numbers to the right.

use std::fmt::Write;

use super::Palette;

/// A table under construction. The first column holds names.
pub(crate) struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        Self { headings: headings.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
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
        let mut text = format!("{heading}{}{heading:#}\n", line(&self.headings, &widths));
        for row in &self.rows {
            let _ = writeln!(text, "{}", line(row, &widths));
        }
        text
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().chain([&self.headings]);
        cells.map(|row| row[column].chars().count()).max().unwrap_or(0)
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let _ = match column {
            0 => write!(line, "{cell:width$}"),
            _ => write!(line, "  {cell:>width$}"),
        };
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Palette, Table};

    #[test]
    fn names_stand_left_and_numbers_right() {
        let mut table = Table::new(["LR graphs", "states"]);
        table.row(["lr0".into(), "7".into()]);
        table.row(["lalr".into(), "1,024".into()]);
        let expected = "LR graphs  states\nlr0             7\nlalr        1,024\n";
        assert_eq!(table.render(Palette::new(false)), expected);
    }
}
