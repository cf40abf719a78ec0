parser grammar ChannelsParser;
options { tokenVocab = ChannelsLexer; }
file : (statement END)* statement? EOF ;
statement : KEYWORD COLON* expression | expression ;
expression : ID | NUMBER UNIT? ;
