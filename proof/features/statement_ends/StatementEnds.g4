// The one end of the input serves several references to it.
grammar StatementEnds;
program : statement* EOF ;
statement : ID+ eos | '{' statement* '}' ;
eos : ';' | NL | EOF ;
ID : [a-z]+ ;
NL : '\n' ;
WS : ' ' -> skip ;
