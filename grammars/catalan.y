/* Strings of `a`: those of n + 1 letters have as many trees as there are binary trees with n + 1
   leaves, which is the n-th Catalan number. */
%%
E : E E
  | 'a'
  ;
