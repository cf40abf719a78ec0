%token NUMBER
%left '+'
%%
sum: sum '+' sum | NUMBER;
