"""Findings as commands of a GitHub workflow, which shows them beside the lines of a change."""

from comet_hist.cli.output.characters import visible
from comet_hist.findings import Finding


def github_line(finding: Finding) -> str:
    """Return the workflow command that makes an annotation of a finding."""
    properties = {
        "file": visible(finding.file),
        "line": str(finding.line),
        "col": str(finding.column),
        "endColumn": str(finding.end_column),
        "title": finding.code,
    }
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = "\n".join(visible(line) for line in (finding.message, *finding.advice()))
    return f"::{finding.severity} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
