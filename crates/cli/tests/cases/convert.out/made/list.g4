grammar list;

start_ : list EOF ;

list : '[' items? ']' ;

items : item (',' item)* ;

item
    : regex
    | list
    ;

regex : LOWER ;

LOWER : [ab] ;
