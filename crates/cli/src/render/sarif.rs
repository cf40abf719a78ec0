//! SARIF 2.1.0, which code hosts and editors read. Written by hand: the few fields we fill are
//! smaller than any library's model of the whole standard.

use gramercy::base::{Code, Diagnostic, Label, Severity, Sources};
use serde_json::{Value, json};

/// One run of `gramercy check` as a SARIF log.
pub(crate) fn log(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    let mut rules: Vec<Code> = Vec::new();
    for diagnostic in diagnostics {
        if !rules.contains(&diagnostic.code) {
            rules.push(diagnostic.code);
        }
    }
    let results: Vec<_> = diagnostics.iter().map(|one| result(one, &rules, sources)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gramercy",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: &Code) -> Value {
    json!({
        "id": code.name,
        "shortDescription": { "text": code.meaning },
        "defaultConfiguration": { "level": level(code.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(diagnostic: &Diagnostic, rules: &[Code], sources: &Sources) -> Value {
    let mut places = diagnostic.labels.iter().map(|label| location(label, sources));
    let mut result = json!({
        "ruleId": diagnostic.code.name,
        "ruleIndex": rules.iter().position(|code| *code == diagnostic.code),
        "level": level(diagnostic.severity()),
        "message": { "text": message(diagnostic) },
    });
    if let Some(first) = places.next() {
        result["locations"] = json!([first]);
        let related: Vec<_> = places.collect();
        if !related.is_empty() {
            result["relatedLocations"] = json!(related);
        }
    }
    result
}

fn message(diagnostic: &Diagnostic) -> String {
    let further = diagnostic.notes.iter().chain(&diagnostic.help);
    further.fold(diagnostic.message.clone(), |text, more| text + "; " + more)
}

fn location(label: &Label, sources: &Sources) -> Value {
    let source = sources.get(label.span.source);
    let start = source.position(label.span.start as usize);
    let end = source.position(label.span.end as usize);
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(source.name()) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
                "byteOffset": label.span.start,
                "byteLength": label.span.range().len(),
            },
        },
    });
    if !label.text.is_empty() {
        location["message"] = json!({ "text": label.text });
    }
    location
}

/// A path as a relative or absolute URI reference.
pub(crate) fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("my grammars/ä#1.gram"), "my%20grammars/%C3%A4%231.gram");
    }
}
