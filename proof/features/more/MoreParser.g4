parser grammar MoreParser;
options { tokenVocab = MoreLexer; }
list : item (COMMA item)* EOF ;
item : WORD | TEXT | RAW ;
