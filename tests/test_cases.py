"""One small text a case, with the findings it must give in its own head: `# finds: CODE LINE:COLUMN`, or `nothing`."""

import re
from pathlib import Path

import pytest

from comet_hist.judge import Judge
from comet_hist.notation import read

CASES = sorted((Path(__file__).parent / "cases").glob("*.comet"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    promised = re.findall(r"^# finds: (.*)$", case.read_bytes().decode(), re.MULTILINE)
    assert promised
    with case.open("rb") as stream:
        findings = [finding for judged in Judge().judge(read(stream, case.name)) for finding in judged.findings]
    found = [f"{each.code} {each.line}:{each.column}" for each in findings if each.code != "W508"]
    assert sorted(found) == sorted(each for each in promised if each != "nothing")
