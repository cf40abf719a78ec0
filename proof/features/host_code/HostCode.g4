// Everything that belongs to a host language and changes no text.
grammar HostCode;
@header { import java.util.List; }
@parser::members { int depth = 0; }
@lexer::members { int count = 0; }
file
@init { depth = 0; }
@after { depth = 1; }
    : (item { depth++; })* EOF ;
    catch [RecognitionException e] { throw e; }
    finally { depth = 0; }
item locals [int n] : a=ID b+=NUM* { $n = 1; } | {true}? '(' item ')' ;
ID : [a-z]+ { count++; } ;
NUM : [0-9]+ ;
WS : [ \n]+ { count = 0; } -> skip ;
