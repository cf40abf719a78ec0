parser grammar ModesParser;
options { tokenVocab = ModesLexer; }
start : value (PLUS value)* EOF ;
value : string | ID | DOC_END | block ;
string : OPEN (CHARS | ESCAPE | HOLE value CLOSE_HOLE)* END ;
block : OPEN_BRACE value* CLOSE_HOLE ;
