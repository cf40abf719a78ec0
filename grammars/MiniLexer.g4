// The tokens of Mini; see mini.gram.
lexer grammar MiniLexer;

FUNCTION : 'function' ;
IF       : 'if' ;
ELSE     : 'else' ;
WHILE    : 'while' ;
VAR      : 'var' ;
RETURN   : 'return' ;
BREAK    : 'break' ;
OR       : 'or' ;
AND      : 'and' ;
NOT      : 'not' ;
TRUE     : 'true' ;
FALSE    : 'false' ;
NULL     : 'null' ;

LPAREN : '(' ;
RPAREN : ')' ;
LBRACK : '[' ;
RBRACK : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
COMMA  : ',' ;
SEMI   : ';' ;
ASSIGN : '=' ;
EQ     : '==' ;
NE     : '!=' ;
LT     : '<' ;
LE     : '<=' ;
GT     : '>' ;
GE     : '>=' ;
PLUS   : '+' ;
MINUS  : '-' ;
STAR   : '*' ;
SLASH  : '/' ;
PERCENT : '%' ;

NAME   : [a-zA-Z_] [a-zA-Z_0-9]* ;
NUMBER : Digit+ ('.' Digit+)? ([eE] [+-]? Digit+)?
       | '0' [xX] Hex+
       ;
STRING : '"' (~["\\\r\n] | Escape)* '"' ;

SPACE         : [ \t\r\n]+ -> skip ;
LINE_COMMENT  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;

fragment Digit  : [0-9] ;
fragment Hex    : [0-9a-fA-F] ;
fragment Escape : '\\' (["\\nrt0] | 'u{' Hex Hex? Hex? Hex? Hex? Hex? '}') ;
