// The syntax of Mini; see mini.gram.
parser grammar MiniParser;

options { tokenVocab = MiniLexer; }

program : (function | statement)* EOF ;

function : 'function' NAME '(' (NAME (',' NAME)*)? ')' block ;

block : '{' statement* '}' ;

statement
    : block                                             # Nested
    | 'if' '(' expr ')' statement ('else' statement)?   # If
    | 'while' '(' expr ')' statement                    # While
    | 'var' NAME ('=' expr)? ';'                        # Declare
    | 'return' expr? ';'                                # Return
    | 'break' ';'                                       # Break
    | NAME ('[' expr ']')* '=' expr ';'                 # Assign
    | expr ';'                                          # Call
    ;

// Comparisons do not chain, so they stand outside the recursion of arithmetic.
expr
    : expr 'and' expr
    | expr 'or' expr
    | comparison
    ;

comparison : arithmetic (('==' | '!=' | '<' | '<=' | '>' | '>=') arithmetic)? ;

arithmetic
    : '-' arithmetic
    | 'not' arithmetic
    | arithmetic ('*' | '/' | '%') arithmetic
    | arithmetic ('+' | '-') arithmetic
    | postfix
    ;

postfix
    : postfix '(' (expr (',' expr)*)? ')'
    | postfix '[' expr ']'
    | atom
    ;

atom
    : NAME
    | NUMBER
    | STRING
    | 'true'
    | 'false'
    | 'null'
    | '(' expr ')'
    | '[' (expr (',' expr)*)? ']'
    ;
