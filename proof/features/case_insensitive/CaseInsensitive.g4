// Letters of either case, switched on for all rules and off for one.
grammar CaseInsensitive;
options { caseInsensitive = true; }
query : 'select' names ('from' name)? ('Where' test)* EOF ;
names : name (',' name)* | '*' ;
test : name '=' (HEX | EXACT | STRING | name) ;
name : ID ;
EXACT options { caseInsensitive = false; } : 'Exact' [A-Z] ;
HEX : '0x' [0-9a-f]+ ;
STRING : '\'' ~'\''* '\'' ;
ID : [a-c_äß\u017F] [a-m0-9]* ;
WS : [ \t\n]+ -> skip ;
