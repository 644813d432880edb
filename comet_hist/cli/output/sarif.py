"""Findings as a log in the Static Analysis Results Interchange Format, SARIF 2.1.0."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from comet_hist import __version__
from comet_hist.cli.output.as_json import encode
from comet_hist.cli.tally import Tally
from comet_hist.explain import Explanation, as_markdown, as_text, explanations
from comet_hist.findings import Finding, some

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_lines(findings: Iterable[Finding], tally: Tally) -> Iterator[str]:
    """Give the lines of a log with one run, a result on each, without holding more than one of them.

    Args:
        findings: what the results are.
        tally: what went by, whole once the findings have ended.
    """
    driver = {
        "name": "comet-hist",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(explanation) for explanation in explanations().values()],
    }
    index = {code: at for at, code in enumerate(explanations())}
    yield f'{{"$schema": {encode(_SCHEMA)}, "version": "2.1.0", "runs": [{{'
    yield f'"tool": {{"driver": {encode(driver)}}},'
    yield '"columnKind": "unicodeCodePoints",'
    yield '"results": ['
    comma = ""
    for finding in findings:
        yield comma + encode(_result(finding, index[finding.code]))
        comma = ","
    yield f'], "invocations": [{encode(_invocation(tally))}]}}]}}'


def _rule(explanation: Explanation) -> dict[str, Any]:
    words = "".join(sign if sign.isalnum() else " " for sign in explanation.title)
    return {
        "id": explanation.code,
        "name": "".join(word[:1].upper() + word[1:] for word in words.split()),
        "shortDescription": {"text": _literal(explanation.title)},
        "fullDescription": {"text": _literal(explanation.about)},
        "help": {"text": _literal(as_text(explanation)), "markdown": _literal(as_markdown([explanation]))},
        "defaultConfiguration": {"level": "error" if explanation.code[0] == "E" else "warning"},
        "properties": {"tags": [explanation.group]},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column, "endColumn": finding.end_column}
    place = {"artifactLocation": {"uri": _uri(finding.file)}, "region": region}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": _literal("\n".join((finding.message, *finding.advice())))},
        "locations": [{"physicalLocation": place}],
        "properties": {
            "session": finding.session,
            "hand": finding.hand,
            "expected": finding.expected,
            "actual": finding.actual,
            "suggestion": finding.suggestion,
        },
    }


def _invocation(tally: Tally) -> dict[str, Any]:
    """Return how the run went, and what is not in the log."""
    notes = []
    if tally.unreadable:
        notes.append(("error", f"{some(tally.unreadable, 'path')} could not be read"))
    if tally.withheld:
        notes.append(("note", f"{some(tally.withheld, 'more finding')} not shown"))
    told = [{"level": level, "message": {"text": text}} for level, text in notes]
    return {"executionSuccessful": not tally.unreadable, "toolExecutionNotifications": told}


def _uri(path: str) -> str:
    """Return a path as a reference: relative where it is.

    >>> _uri("nights/Café: 1.comet"), _uri("-")
    ('nights/Caf%C3%A9%3A%201.comet', '-')
    """
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(os.fsencode(Path(path).as_posix()))


def _literal(text: str) -> str:
    # In messages braces hold the place of arguments; doubled they stand for themselves.
    return text.replace("{", "{{").replace("}", "}}")
