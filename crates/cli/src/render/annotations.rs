//! Workflow commands, a line each, that GitHub and tools alike show beside the changed lines.

use std::fmt::Write;

use gramercy::base::{Diagnostic, Severity, Sources};

/// A line for each diagnostic.
pub(crate) fn lines(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(text, "{}", line(diagnostic, sources));
    }
    text
}

fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let command = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = vec![format!("title={}", diagnostic.code.name)];
    if let Some(span) = diagnostic.span() {
        let source = sources.get(span.source);
        let start = source.position(span.start as usize);
        let end = source.position(span.end as usize);
        properties.push(format!("file={}", escape_property(source.name())));
        properties.push(format!("line={},endLine={}", start.line, end.line));
        // The host takes columns only where they lie on one line.
        if start.line == end.line {
            properties.push(format!("col={},endColumn={}", start.column, end.column));
        }
    }
    let further = diagnostic.notes.iter().chain(&diagnostic.help);
    let message = further.fold(diagnostic.message.clone(), |text, more| text + "\n" + more);
    format!("::{command} {}::{}", properties.join(","), escape_message(&message))
}

fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escape_message, escape_property};

    #[test]
    fn what_would_end_a_field_is_escaped() {
        assert_eq!(escape_message("50%: a,\r\nb"), "50%25: a,%0D%0Ab");
        assert_eq!(escape_property("c:\\a,b"), "c%3A\\a%2Cb");
    }
}
