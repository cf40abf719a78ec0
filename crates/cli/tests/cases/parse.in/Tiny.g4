grammar Tiny;
file: (ID | IF | NUM)* EOF;
IF: 'if';
ID: [a-z]+;
NUM: [0-9]+ ('.' [0-9]+)?;
COMMENT: '#' ~[\n]* -> channel(HIDDEN);
WS: [ \n]+ -> skip;
