grammar Common;
pair : NAME ':' value ;
value : NUMBER ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
SPACE : [ \n]+ -> skip ;
