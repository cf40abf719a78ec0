/* Balanced brackets, recursive on both sides: Figure 1(c) of the paper that dyck-right.y names.
   Every sentence has infinitely many trees, because D derives D D and D nothing. */
%%
D : D D
  | '[' D ']'
  | %empty
  ;
