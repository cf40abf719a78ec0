/* The classic ambiguity: to which `if` does an `else` belong? bison shifts, so it belongs to the
   nearest one. */
%token IF "if" THEN "then" ELSE "else" CONDITION "condition" ACTION "action"
%expect 1
%%
statement
  : IF CONDITION THEN statement
  | IF CONDITION THEN statement ELSE statement
  | ACTION
  ;
