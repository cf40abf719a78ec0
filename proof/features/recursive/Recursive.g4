// Lexical rules that call themselves: brackets and comments that nest.
grammar Recursive;
all : (NAME | BLOCK | LOOSE | ARROW)* EOF ;
BLOCK : '{' (BLOCK | ~[{}])* '}' ;
LOOSE : '(' (LOOSE | .)*? ')' ;
COMMENT : '/*' (COMMENT | .)*? '*/' -> channel(HIDDEN) ;
ARROW : '<' TYPE (',' TYPE)* '>' ;
fragment TYPE : [A-Z] ('<' TYPE '>')? | '[' TYPE ']' ;
NAME : [a-z]+ ;
WS : [ \n] -> skip ;
