/* A calculator for bison: lines of expressions with variables, precedence by declaration, and error
   recovery by line. */
%{
#include <math.h>
#include <stdio.h>

static double variables[26];
int yylex(void);
void yyerror(const char *message);
%}

%union {
    double number;
    int letter;
}

%token <number> NUMBER "number"
%token <letter> LETTER "letter"
%token END 0 "end of input"
%type <number> expression

%right '='
%nonassoc '<' '>'
%left '+' '-'
%left '*' '/'
%precedence NEGATION
%right '^'

%start lines

%%

lines
    : %empty
    | lines line
    ;

line
    : '\n'
    | expression '\n'          { printf("%g\n", $1); }
    | error '\n'               { yyerrok; }
    ;

expression
    : NUMBER
    | LETTER                   { $$ = variables[$1]; }
    | LETTER '=' expression    { $$ = variables[$1] = $3; }
    | expression '<' expression { $$ = $1 < $3; }
    | expression '>' expression { $$ = $1 > $3; }
    | expression '+' expression { $$ = $1 + $3; }
    | expression '-' expression { $$ = $1 - $3; }
    | expression '*' expression { $$ = $1 * $3; }
    | expression '/' expression { $$ = $1 / $3; }
    | '-' expression %prec NEGATION { $$ = -$2; }
    | expression '^' expression { $$ = pow($1, $3); }
    | '(' expression ')'       { $$ = $2; }
    ;

%%

void yyerror(const char *message)
{
    fprintf(stderr, "%s\n", message);
}
