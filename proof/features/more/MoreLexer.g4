// `more` over several rules and modes, with the type of the last one, or of a command.
lexer grammar MoreLexer;
tokens { TEXT, RAW }
QUOTE : '\'' -> more, pushMode(Q) ;
BACK : '`' -> more, pushMode(R) ;
HASH : '#' -> more ;
WORD : [a-z]+ ;
COMMA : ',' ;
WS : ' ' -> channel(HIDDEN) ;
mode Q;
QQ : '\'\'' -> more ;
QEND : '\'' -> type(TEXT), popMode ;
QANY : ~'\'' -> more ;
mode R;
REND : '`' -> popMode, type(RAW) ;
RNEST : '(' -> more, pushMode(R2) ;
RANY : ~[`()] -> more ;
mode R2;
R2END : ')' -> more, popMode ;
R2ANY : ~[()] -> more ;
