// Which rule a literal is, and which rule wins: implicit tokens, rules in their order, longest match.
grammar Keywords;
file : (declaration | 'end' | LATE | OTHER)* EOF ;
declaration : 'var' ID ('=' value)? ';' | 'var' '-' '>' ID | EARLY ID ;
value : ID | INT | FLOAT | '->' | DOTS | '..' | '.' ;
EARLY : 'early' ;
ID : [a-z]+ ;
LATE : 'late' ;
FLOAT : INT '.' INT ;
INT : [0-9]+ ;
DOTS : '...' ;
OTHER : '#' (ID | INT) ;
WS : [ \n]+ -> skip ;
