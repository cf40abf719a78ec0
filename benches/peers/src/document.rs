//! JSON with many tokens in few bytes.

use std::fmt::Write as _;

/// An array of small, slightly nested records of about this many bytes.
pub(crate) fn json(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 100);
    text.push('[');
    let mut at = 0_usize;
    while text.len() + 2 < bytes {
        if at > 0 {
            text.push(',');
        }
        let digit = at % 10;
        let _infallible = write!(
            text,
            r#"{{"a":{digit},"b":[true,null,{digit}.5,[]],"c":{{"d":"x{digit}","e":{{}}}}}}"#
        );
        at += 1;
    }
    text.push(']');
    text
}
