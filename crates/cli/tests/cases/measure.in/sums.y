%%
sum : sum '+' sum | 'a' ;
