// EOF in lexical rules and in several parser rules.
grammar EndOfInput;
file : line* last ;
line : NAME* (NEWLINE | ';' end?) ;
last : NAME* end ;
end : EOF ;
NAME : [a-z]+ ;
COMMENT : '#' ~[\n]* ('\n' | EOF) -> skip ;
PRAGMA : '!' [a-z]* ('\n' | '\r' '\n'? | EOF) -> skip ;
NEWLINE : '\r'? '\n' ;
WS : ' '+ -> skip ;
