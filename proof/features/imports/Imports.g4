// Rules of another grammar, some of them replaced.
grammar Imports;
import Common;
file : (pair | value)* EOF ;
value : NUMBER | NAME | '(' value ')' ;
NUMBER : [0-9]+ 'n' ;
