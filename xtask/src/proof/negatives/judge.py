"""Asks a program about the tests of a suite: `judge.py PROGRAM SUITE.ndjson`.

One line of JSON per test, in order: whether the program accepts it, and the first line of its message. Python's own
libraries are called here; every other program is started once for each test, by two threads.
"""

import base64
import json
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# A program that has not ended after this many seconds rejects nothing and accepts nothing.
SECONDS = 10


def python_json(content):
    json.loads(content)


def python_toml(content):
    tomllib.loads(content.decode())


def called(command, content, given="file"):
    """Runs a command with the content as a file, as standard input or as its last argument; None if it accepts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "test")
        path.write_bytes(content)
        if given == "argument":
            if b"\0" in content:
                return "an argument cannot hold U+0000"
            command = [*command, content]
        elif given == "file":
            command = [*command, str(path)]
        with path.open("rb") as file:
            stdin = file if given == "input" else subprocess.DEVNULL
            ended = subprocess.run(
                command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS
            )
    if ended.returncode == 0:
        return None
    said = ended.stderr.decode(errors="replace").replace(str(path), "FILE")
    return said.strip().splitlines()[0] if said.strip() else f"exit code {ended.returncode}"


# jq reads a stream of values: exactly one of them is a document.
JQ = ["jq", "--exit-status", "--null-input", "[inputs] | length == 1"]

PROGRAMS = {
    "jq": lambda content: called(JQ, content),
    "luac5.4": lambda content: called(["luac5.4", "-p", "--"], content),
    "xmllint": lambda content: called(["xmllint", "--noout", "--nonet"], content),
    # As an argument, after a blank: lines of the shell's own begin with a dot.
    "sqlite3": lambda content: called(["sqlite3", "-batch", ":memory:"], b" " + content, "argument"),
}


def verdict(program, test):
    content = base64.b64decode(test["bytes"]) if "bytes" in test else test["text"].encode()
    try:
        match program:
            case "python-json":
                said = python_json(content)
            case "python-toml":
                said = python_toml(content)
            case _:
                said = PROGRAMS[program](content)
    except subprocess.TimeoutExpired:
        said = "no answer in time"
    except (ValueError, RecursionError) as error:
        said = str(error).splitlines()[0]
    return {"accepted": said is None, "said": said}


def main():
    program, suite = sys.argv[1:]
    with open(suite, encoding="utf-8") as lines:
        tests = [json.loads(line) for line in lines]
    with ThreadPoolExecutor(1 if program.startswith("python") else 2) as pool:
        for answer in pool.map(lambda test: verdict(program, test), tests):
            print(json.dumps(answer))


main()
