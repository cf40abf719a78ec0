%token NUM
%left '+'
%left '*'
%%
sum: sum '+' sum | sum '*' sum | NUM;
