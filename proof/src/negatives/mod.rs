//! Negative tests read again ([`again`]), and compared with the errors that ANTLR and bison report.
//!
//! No negative test may be accepted, and the place of the first error is compared with the place of the tool's first
//! message. ANTLR reads texts ([`antlr`]), bison's parsers read token strings ([`mod@bison`]). Where a tool may report
//! another place, the reason is checked, not assumed.

pub mod again;
pub mod antlr;
pub mod bison;
