// Strings with holes: modes that nest, and `more` that keeps the text of what came before.
lexer grammar ModesLexer;
OPEN : '"' -> pushMode(STRING) ;
CLOSE_HOLE : '}' -> popMode ;
OPEN_BRACE : '{' -> pushMode(DEFAULT_MODE) ;
HEREDOC : '<<' -> more, mode(DOC) ;
ID : [a-c]+ ;
PLUS : '+' ;
WS : [ \n]+ -> skip ;
mode STRING;
HOLE : '${' -> pushMode(DEFAULT_MODE) ;
END : '"' -> popMode ;
ESCAPE : '\\' . ;
CHARS : ~["$\\]+ ;
DOLLAR : '$' -> type(CHARS) ;
mode DOC;
DOC_END : '>>' -> mode(DEFAULT_MODE) ;
DOC_CHAR : . -> more ;
