/* Sums: Figure 4 of the paper that dyck-right.y names. */
%token num
%%
E : E '+' E
  | '(' E ')'
  | num
  ;
