/* Balanced brackets, right-recursive: Figure 1(a) of Rossouw and Fischer, "Grammar-based test suite
   construction using coverage-directed algorithms over LR-graphs". */
%%
D : '[' D ']' D
  | %empty
  ;
