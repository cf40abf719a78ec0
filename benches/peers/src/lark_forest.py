"""Seconds that lark's Earley parser takes for all derivations of a JSON document."""

import sys
import time

from lark import Lark

GRAMMAR = r"""
start: value
value: object | array | STRING | NUMBER | "true" | "false" | "null"
object: "{" [pair ("," pair)*] "}"
array: "[" [value ("," value)*] "]"
pair: STRING ":" value
STRING: /"[^"\\]*"/
NUMBER: /-?[0-9]+(\.[0-9]+)?/
"""

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
parser = Lark(GRAMMAR, parser="earley", lexer="basic", ambiguity="forest")
parser.parse("[]")
begin = time.thread_time()
parser.parse(text)
print(time.thread_time() - begin)
