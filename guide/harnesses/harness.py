"""A harness in Python: reads tests, answers each with a line. Replace json.loads by what is under test."""
import json
import struct
import sys

tests, answers = sys.stdin.buffer, sys.stdout.buffer
while header := tests.read(4):
    (length,) = struct.unpack("<I", header)
    test = tests.read(length)
    try:
        json.loads(test)
        answers.write(b"accept\n")
    except ValueError as error:
        answers.write(b"reject " + str(error).replace("\n", " ").encode() + b"\n")
    answers.flush()
