//! Tables with columns of minimal width.

/// A line for the header and for each row.
#[must_use]
pub fn aligned<const N: usize>(head: &[&str; N], rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..N).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let head = head.map(str::to_owned);
    std::iter::once(&head).chain(rows).map(|row| line(row)).collect()
}
