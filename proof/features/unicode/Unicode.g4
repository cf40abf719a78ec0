// Classes of characters beyond ASCII, and every escape in sets.
grammar Unicode;
file : (UPPER | GREEK | EMOJI | BLOCK | SET | NOT | DASH | WIDE)* EOF ;
UPPER : '^' [\p{Lu}]+ ;
GREEK : '~' [\p{Script=Greek}]+ ;
EMOJI : [\u{1F600}-\u{1F64F}] | '\u{2764}' '\uFE0F'? ;
BLOCK : '#' [\p{InCyrillic}0-9] ;
SET : [\]\-\\\n\t] ;
NOT : '!' [\P{L}] ;
DASH : '@' [a-c-] ;
WIDE : '%' ~[\u0000-\u{FFFF}] ;
WS : [ \r] -> skip ;
