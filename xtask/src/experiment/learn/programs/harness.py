"""Runs a Python reader on many inputs and says after each what it covered.

Reads four bytes with the length of an input, the lowest first, then the input; answers with `accept JSON` or
`reject JSON`. What is covered comes from coverage.py, numbers of calls from the interpreter's profiler.

With `verdicts` the answer is `accept`, or `reject` and a message.

usage: harness.py SUBJECT functions|branches|verdicts
"""

import ast
import importlib
import json
import struct
import sys

import coverage


def json_reader():
    import json.decoder, json.encoder, json.scanner

    # The parts that are written in C cannot be measured.
    json.decoder.scanstring = json.decoder.py_scanstring
    json.scanner.make_scanner = json.scanner.py_make_scanner
    json.encoder.c_make_encoder = None
    json.encoder.encode_basestring_ascii = json.encoder.py_encode_basestring_ascii
    json.encoder.encode_basestring = json.encoder.py_encode_basestring

    def run(text):
        value = json.decoder.JSONDecoder(object_pairs_hook=dict).decode(text)
        json.encoder.JSONEncoder(indent=1, ensure_ascii=False).encode(value)
        json.encoder.JSONEncoder(sort_keys=True).encode(value)

    return run, [json.decoder, json.scanner, json.encoder]


def toml_reader():
    import tomllib._parser, tomllib._re

    return tomllib._parser.loads, [tomllib._parser, tomllib._re]


def url_reader():
    import urllib.parse

    def run(text):
        parts = urllib.parse.urlsplit(text)
        parts.geturl(), parts.username, parts.password, parts.hostname, parts.port
        urllib.parse.urlparse(text)
        urllib.parse.parse_qs(parts.query)
        urllib.parse.unquote(parts.path)
        urllib.parse.quote(text)
        urllib.parse.urljoin("http://a/b/c/d;p?q", text)
        urllib.parse.urldefrag(text)

    return run, [urllib.parse]


def csv_reader():
    import csv, io

    def run(text):
        try:
            csv.Sniffer().sniff(text)
            csv.Sniffer().has_header(text)
        except csv.Error:
            pass
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        names = list(rows[0]) if rows else ["a"]
        names = [name for name in names if name is not None]
        writer = csv.DictWriter(io.StringIO(), names, restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)

    return run, [csv]


def markdown_reader():
    import mistune

    names = ["block_parser", "core", "helpers", "inline_parser", "list_parser", "markdown", "renderers.html", "util"]
    modules = [importlib.import_module(f"mistune.{name}") for name in names]
    return mistune.create_markdown(escape=False), modules


READERS = {
    "json": json_reader, "toml": toml_reader, "url": url_reader, "csv": csv_reader, "markdown": markdown_reader,
}


def functions_of(module):
    """The name of the innermost function of each line of a body."""
    lines = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = prefix + child.name
                if not isinstance(child, ast.ClassDef) and not child.name == "__init__":
                    for line in range(child.body[0].lineno, child.end_lineno + 1):
                        lines[line] = name
                visit(child, name + ".")
            else:
                visit(child, prefix)

    with open(module.__file__, encoding="utf-8") as source:
        visit(ast.parse(source.read()), "")
    return lines


def attempt(run, text):
    try:
        run(text)
        return "accept", ""
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        return "reject", " ".join(f"{type(error).__name__}: {error}".split())


def main():
    run, modules = READERS[sys.argv[1]]()
    kind = sys.argv[2]
    files = {module.__file__: module.__name__ for module in modules}
    functions = {module.__file__: functions_of(module) for module in modules}
    measure = coverage.Coverage(data_file=None, branch=kind == "branches", include=list(files), messages=False)
    calls = {}

    def profile(frame, event, _):
        if event == "call":
            code = frame.f_code
            if code.co_filename in files:
                key = (code.co_filename, code.co_qualname.replace(".<locals>", ""))
                calls[key] = calls.get(key, 0) + 1

    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while True:
        head = stdin.read(4)
        if len(head) < 4:
            return
        text = stdin.read(struct.unpack("<I", head)[0]).decode("utf-8", "replace")
        # The first run fills caches, which says nothing about the input.
        attempt(run, text)
        calls.clear()
        measure.erase()
        measure.start()
        if kind == "functions":
            sys.setprofile(profile)
        answer, reason = attempt(run, text)
        sys.setprofile(None)
        measure.stop()
        if kind == "verdicts":
            stdout.write(f"{answer} {reason}\n".encode())
            stdout.flush()
            continue
        data = measure.get_data()
        covered, counts = set(), {}
        for file, name in files.items():
            if kind == "branches":
                covered.update(f"{name}:{a}#{b}" for a, b in data.arcs(file) or [])
            else:
                for line in data.lines(file) or []:
                    function = functions[file].get(line)
                    if function:
                        covered.add(f"{name}.{function}")
        for (file, function), count in calls.items():
            target = f"{files[file]}.{function}"
            if target in covered:
                counts[target] = count
        said = json.dumps({"covered": sorted(covered), "calls": counts})
        stdout.write(f"{answer} {said}\n".encode())
        stdout.flush()


main()
