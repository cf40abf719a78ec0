// Channels with names, commands on single alternatives, in any order, and types that change.
lexer grammar ChannelsLexer;
channels { DOCS, NOISE }
tokens { KEYWORD, UNIT }
DOC : '///' ~[\n]* -> channel(DOCS) ;
LINE : '//' ~[\n]* -> channel(NOISE) ;
IF : 'if' -> type(KEYWORD) ;
ELSE : 'else' -> channel(DEFAULT_TOKEN_CHANNEL), type(KEYWORD) ;
KM : 'km' -> type(UNIT), channel(NOISE) ;
MILE : 'mile' -> skip, type(UNIT) ;
ID : [a-z]+ ;
NUMBER : [0-9]+ ;
COLON : ':' ;
SPACE : ' ' -> channel(HIDDEN) ;
TAB : '\t' -> skip ;
END : '\n' ;
