"""What went by: files, sessions, hands and findings, counted for the summary and the exit status."""

from dataclasses import dataclass, fields

from comet_hist.cli.status import Status
from comet_hist.engine.facts import Replay
from comet_hist.findings import Finding, some


@dataclass(slots=True)
class Tally:
    """Counts of what was read; a hand is one of `legal`, `faulty`, `undecided` (W208) and `void`.

    `withheld` counts those of the errors and warnings that are not shown because there are too many.
    """

    files: int = 0
    sessions: int = 0
    legal: int = 0
    faulty: int = 0
    undecided: int = 0
    void: int = 0
    errors: int = 0
    warnings: int = 0
    unreadable: int = 0
    withheld: int = 0

    def add_hand(self, replay: Replay) -> None:
        """Count a hand."""
        if replay.state == "void":
            self.void += 1
        elif replay.legal is None:
            self.undecided += 1
        elif replay.legal:
            self.legal += 1
        else:
            self.faulty += 1

    def add_clean(self, legal: int, void: int) -> None:
        """Count hands that were proved clean."""
        self.legal += legal
        self.void += void

    def add_finding(self, finding: Finding) -> None:
        """Count a finding that is reported."""
        if finding.severity == "error":
            self.errors += 1
        else:
            self.warnings += 1

    def status(self, strict: bool) -> Status:
        """Return the exit status; with `strict` warnings count as errors."""
        if self.unreadable:
            return Status.USAGE
        return Status.ERRORS if self.errors or (strict and self.warnings) else Status.CLEAN

    def since(self, before: "Tally") -> "Tally":
        """Return what went by after an earlier count."""
        names = [field.name for field in fields(self)]
        return Tally(**{name: getattr(self, name) - getattr(before, name) for name in names})

    def summary(self) -> str:
        """Return the counts in one line.

        >>> Tally(files=6, sessions=8, legal=61, faulty=3, errors=4, warnings=1).summary()
        '6 files, 8 sessions, 64 hands: 61 legal, 3 not legal; 4 errors, 1 warning'
        """
        read = ", ".join((some(self.files, "file"), some(self.sessions, "session"), self.hands))
        return f"{read}: {self.judged()}; {self.found()}"

    def as_dict(self) -> dict[str, int]:
        """Return the counts as outputs for machines write them, keys in a fixed order."""
        return {
            "files": self.files,
            "sessions": self.sessions,
            "hands": self.legal + self.faulty + self.undecided + self.void,
            "legal": self.legal,
            "not_legal": self.faulty,
            "undecided": self.undecided,
            "void": self.void,
            "errors": self.errors,
            "warnings": self.warnings,
        }

    @property
    def hands(self) -> str:
        """The number of hands in words."""
        return some(self.legal + self.faulty + self.undecided + self.void, "hand")

    def judged(self) -> str:
        """Return in words how many hands are legal."""
        parts = [f"{self.legal} legal"]
        if self.faulty:
            parts.append(f"{self.faulty} not legal")
        if self.undecided:
            parts.append(f"{self.undecided} undecided")
        if self.void:
            parts.append(f"{self.void} void")
        return ", ".join(parts)

    def found(self) -> str:
        """Return the number of findings in words."""
        return f"{some(self.errors, 'error')}, {some(self.warnings, 'warning')}"
