%nonassoc '<'
%%
e: e '<' e | 'x' { seen(); };
