%%
E : E '+' T | T ;
T : num | '(' E ')' ;
