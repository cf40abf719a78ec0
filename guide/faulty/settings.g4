grammar settings;

file_   : entry* EOF ;
entry   : key '=' value ';' ;
key     : NAME ('.' NAME)* ;
value   : NUMBER | STRING | list ;
list    : '[' value (',' value)* ']' ;

NAME    : [a-z]+ ;
NUMBER  : [0-9]+ ;
STRING  : '"' ~["]* '"' ;
WS      : [ \t\r\n]+ -> skip ;
