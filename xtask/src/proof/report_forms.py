"""Reads reports with the libraries of others, and compares what they say with the JSON report.

Arguments: the schema of SARIF, a SARIF log, a JUnit file, a TAP file, the JSON report.
"""
import json
import sys

import jsonschema
import junitparser
from sarif import loader
from tap.parser import Parser

schema, sarif, junit, tap, report = sys.argv[1:]
expected = json.load(open(report))
log = json.load(open(sarif))
jsonschema.Draft7Validator(json.load(open(schema))).validate(log)
results = loader.load_sarif_file(sarif).get_results()
assert len(results) == len(expected["groups"]), (len(results), len(expected["groups"]))
print(f"ok: the SARIF log is valid, and sarif-tools reads {len(results)} results")

verdicts = expected["verdicts"]
failures = sum(verdicts[name] for name in ("rejected-positive", "accepted-negative", "wrong-place"))
errors = sum(verdicts[name] for name in ("crash", "hang", "limit", "flaky", "broken"))
suites = junitparser.JUnitXml.fromfile(junit)
assert (suites.tests, suites.failures, suites.errors) == (expected["tests"], failures, errors)
cases = [case for suite in suites for case in suite]
assert len(cases) == expected["tests"]
assert sum(any(isinstance(one, junitparser.Failure) for one in case.result) for case in cases) == failures
print(f"ok: the JUnit file is valid, and junitparser reads {len(cases)} tests, {failures} failures, {errors} errors")

lines = [line for line in Parser().parse_file(tap) if line.category == "test"]
assert len(lines) == expected["tests"]
assert sum(not line.ok for line in lines) == failures + errors
print(f"ok: tap.py reads {len(lines)} tests")
