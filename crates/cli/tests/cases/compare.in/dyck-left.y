/* Balanced brackets, left-recursive: Figure 1(b) of the paper that dyck-right.y names. */
%%
D : D '[' D ']'
  | %empty
  ;
