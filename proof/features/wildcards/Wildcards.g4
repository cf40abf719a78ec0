// Any token, all but some, and loops in parser rules that end early.
grammar Wildcards;
all : (entry ';')* EOF ;
entry : 'raw' .*? 'end' | 'not' ~ID+ | 'pair' . . | 'set' ~(ID | NUM | ';')* '.' | 'lazy' ID*? ID NUM?? NUM ;
ID : [a-z]+ ;
NUM : [0-9]+ ;
OP : [-+*] ;
WS : [ \n]+ -> skip ;
