%token LETTER DIGIT
%%
Object: '{' '}' | '{' Members '}';
Members: Pair | Pair ',' Members;
Pair: LETTER ':' Value;
Array: '[' ']' | '[' Elements ']';
Elements: Value | Value ',' Elements;
Value: LETTER | Object | DIGIT | Array;
