// Left recursion with operators of every kind.
grammar Precedence;
file : (expr ';')* EOF ;
expr returns [int value] locals [int count]
    : expr '.' ID                          # member
    | expr '[' expr ']'                 # index
    | expr op=('++' | '--')                # suffix
    | op=('-' | '!' | '++' | '--') expr    # prefix
    | <assoc=right> expr '^' expr          # power
    | l=expr ('*' | '/') r=expr            # product
    | expr ('+' | '-') expr                # sum
    | expr '<' expr '<' expr               # between
    | <assoc=right> expr '?' expr ':' expr # choice
    | <assoc=right> expr ('=' | '+=') expr # assign
    | 'new' ID args?                       # create
    | expr args                            # call
    | '(' expr ')'                      # group
    | ID '->' expr                         # lambda
    | ID                                   # name
    | NUM                                  # number
    ;
args : '(' (expr (',' expr)* ','?)? ')' ;
ID : [a-z] ;
NUM : [0-9]+ ('.' [0-9]+)? ;
WS : [ \n]+ -> skip ;
