//! Diagnostics for people: the message, the lines concerned, and help.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use gramercy::base::{Diagnostic, Label, Severity, Source, Sources};

use super::Palette;

/// Labels that are farther apart than this many bytes are shown in windows of their own.
const NEARBY: usize = 400;

/// The number of bytes of a line that are shown on either side of a label; a grammar on one line of many
/// megabytes must not be drawn whole for each of its mistakes.
const AROUND: usize = 200;

/// The most bytes that a label is drawn over: an unfinished comment may reach to the end of a file.
const LONGEST: usize = 1000;

/// All of these, with an empty line between each two.
pub(crate) fn for_people<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
    palette: Palette,
) -> String {
    let renderer = if palette.styled { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&renderer.render(&[group(diagnostic, sources)]));
        text.push_str("\n\n");
    }
    text.truncate(text.trim_end_matches('\n').len());
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let title = level(diagnostic.severity()).primary_title(diagnostic.message.as_str());
    let mut group = Group::with_title(title.id(diagnostic.code.name));
    for window in windows(diagnostic, sources) {
        group = window.show_in(group);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    group.elements(diagnostic.help.iter().map(|help| Level::HELP.message(help.as_str())))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// A piece of a source with the labels that lie in it, the first of which names the place.
struct Window<'a> {
    source: &'a Source,
    bytes: Range<usize>,
    labels: Vec<(AnnotationKind, &'a Label)>,
}

/// Gathers labels that are near each other, in the order in which the windows come up.
fn windows<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Window<'a>> {
    let mut windows: Vec<Window<'a>> = Vec::new();
    for (at, label) in diagnostic.labels.iter().enumerate() {
        let kind = if at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let source = sources.get(label.span.source);
        let bytes = drawn(label, source.text());
        let near = windows.iter_mut().find(|window| window.is_near(source, &bytes));
        match near {
            Some(window) => {
                window.bytes.start = window.bytes.start.min(bytes.start);
                window.bytes.end = window.bytes.end.max(bytes.end);
                window.labels.push((kind, label));
            }
            None => windows.push(Window { source, bytes, labels: vec![(kind, label)] }),
        }
    }
    windows
}

impl<'a> Window<'a> {
    fn is_near(&self, source: &Source, bytes: &Range<usize>) -> bool {
        std::ptr::eq(self.source, source)
            && bytes.start <= self.bytes.end + NEARBY
            && self.bytes.start <= bytes.end + NEARBY
    }

    fn show_in(&self, group: Group<'a>) -> Group<'a> {
        let text = self.source.text();
        let start = line_start(text, self.bytes.start);
        let end = line_end(text, self.bytes.end);
        let position = self.source.position(start);
        let snippet = Snippet::source(&text[start..end]).line_start(position.line).annotations(
            self.labels.iter().map(|(kind, label)| {
                let bytes = drawn(label, text);
                let word = Some(label.text.as_str()).filter(|word| !word.is_empty());
                kind.span(bytes.start - start..bytes.end - start).label(word)
            }),
        );
        if position.column == 1 {
            return group.element(snippet.path(self.source.name()));
        }
        // The renderer would count columns from where the line was cut.
        let place = self.source.position(self.labels[0].1.span.start as usize);
        let origin = Origin::path(self.source.name()).line(place.line).char_column(place.column);
        group.element(origin).element(snippet)
    }
}

/// The part of a label that is drawn.
fn drawn(label: &Label, text: &str) -> Range<usize> {
    let span = label.span.range();
    let end = span.end.min(span.start + LONGEST);
    span.start..text.floor_char_boundary(end)
}

/// Where the line of this offset begins, or the part of it that is worth showing.
fn line_start(text: &str, offset: usize) -> usize {
    let earliest = text.floor_char_boundary(offset.saturating_sub(AROUND));
    text[earliest..offset].rfind('\n').map_or(earliest, |at| earliest + at + 1)
}

/// Where the line of this offset ends, or the part of it that is worth showing.
fn line_end(text: &str, offset: usize) -> usize {
    let latest = text.ceil_char_boundary((offset + AROUND).min(text.len()));
    text[offset..latest].find('\n').map_or(latest, |at| offset + at)
}
