%%
S: A 'x' | 'y';
A: B C;
B: A | 'b';
C: ;
