// Fragments with and without commands, complements of sets, ranges, repetitions of groups.
grammar Fragments;
file : (NUM | WORD | QUOTED | RANGE | NEGATED)* EOF ;
NUM : SIGN? DIGIT+ (('.' | ',') DIGIT+)* EXP? ;
fragment SIGN : [+\-] ;
fragment DIGIT : '0'..'9' -> skip ;
fragment EXP : [eE] SIGN? DIGIT+ ;
WORD : LETTER (LETTER | DIGIT | '_' LETTER)* ;
fragment LETTER : 'a'..'d' | 'f' | [x-z] ;
QUOTED : '\'' (ESC | ~('\'' | '\\' | '\n'))* '\'' ;
fragment ESC : '\\' ([nt'\\] | 'u' HEX HEX) ;
fragment HEX : [0-9a-fA-F] ;
RANGE : '[' ~('a'..'y' | '[') ']' ;
NEGATED : '~' ~[\p{L}0-9\]] ;
WS : (' ' | '\n')+ -> skip ;
