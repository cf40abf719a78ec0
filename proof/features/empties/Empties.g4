// Rules that may derive nothing, in every place.
grammar Empties;
file : head body? tail EOF ;
head : | 'h' head ;
body : (A | B C?)+ opt ;
opt : (A?) (B | ) D? | 'x' opt ;
tail : ('t' | 'u' tail 'v')? (',' | ) more* ;
more : ';' (A | ) ;
A : 'a' ; B : 'b' ; C : 'c' ; D : 'd' ;
WS : ' ' -> skip ;
