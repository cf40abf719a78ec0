// Loops that end early, alone and beside rules and alternatives that go on.
grammar NonGreedy;
all : piece* EOF ;
piece : STRING | TAG | T | U | V | X | DOC | NAME | '<' | '>' ;
DOC : '/**' .*? '*/' ;
COMMENT : '/*' .*? '*/' -> skip ;
STRING : '"' ('\\' . | .)*? '"' ;
TAG : '<' [a-z]+? '>' ;
T : 'ab' | 'a' .*? 'c' ;
U : 'd' .*? 'e' | 'd' [a-z]+ ;
V : 'f' .*? 'g' 'h'? ;
X : 'x' 'y'?? 'z'+? 'w'?? ;
NAME : [a-z] ;
WS : [ \n]+? -> skip ;
