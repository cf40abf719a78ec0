use gramercy_formats::{LoadOptions, Memory, load};
use std::io::Read;
fn main() {
    let ext = std::env::args().nth(1).unwrap();
    let mut all = String::new();
    std::io::stdin().read_to_string(&mut all).unwrap();
    for text in all.split("\n%%\n") {
        let file = format!("a.{ext}");
        let l = load(
            std::path::Path::new(&file),
            &Memory::with(&file, text.trim_end_matches('\n')),
            &LoadOptions::default(),
        );
        println!("--- {text:?}");
        for d in &l.diagnostics {
            let p = d
                .span()
                .map(|s| {
                    let p = l.sources.position(s);
                    format!("{}:{}-{}", p.line, p.column, s.end - s.start)
                })
                .unwrap_or("-".into());
            println!(
                "   {p} {}: {}{}",
                d.code.name,
                d.message,
                d.help.as_ref().map(|h| format!("  [help: {h}]")).unwrap_or_default()
            );
        }
        if l.grammar.is_some() {
            println!("   loaded");
        }
    }
}
