"""Paths on their way through the rooms: sources read in turn, sessions judged, findings counted and shown."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from comet_hist.cli.progress import Progress
from comet_hist.cli.selection import Selection
from comet_hist.cli.status import complain, note
from comet_hist.cli.tally import Tally
from comet_hist.processes import end_all

if TYPE_CHECKING:
    from comet_hist.audit.facts import HandAudit
    from comet_hist.bulk.lanes import Lanes
    from comet_hist.bulk.proven import Proven
    from comet_hist.cli.settling import Settling
    from comet_hist.findings import Finding
    from comet_hist.judge import Judged
    from comet_hist.notation.sources import Source

T = TypeVar("T")

_ALL: Final = Selection()
_UNCOMPILED: Final = (
    "comet-hist: runs uncompiled here, and is about a hundred times slower on long files; "
    "install it where there is a C compiler"
)


class Reading:
    """The paths of a command, read once from beginning to end.

    Args:
        paths: as they were given.
        selection: the findings to report.
        chips: whether chips are audited.
        records: whether the records and plays of sessions are wanted, beside what was found out about them.
        outputs: the files that the command writes, none of which may be among those it reads.

    Attributes:
        tally: what went by so far.
        codes: how many findings of each code were reported so far.
        wrong: the hands with wrong payments or stacks so far, each with the identifier of its session.
        settling: adds up the debts of what goes by, None where nobody asks for them.
    """

    def __init__(
        self,
        paths: Sequence[str],
        selection: Selection = _ALL,
        *,
        chips: bool = True,
        records: bool = True,
        outputs: Sequence[Path] = (),
    ) -> None:
        from comet_hist.judge import Judge

        self.tally = Tally()
        self.codes: Counter[str] = Counter()
        self.wrong: list[tuple[str, HandAudit]] = []
        self.settling: Settling | None = None
        self._paths = paths
        self._outputs = outputs
        self._found: list[Source] | None = None
        self._selection = selection
        self._shown = 0
        self._chips = chips
        self._records = records
        self._judge = Judge(chips=chips)
        self._lanes: Lanes | None = None
        self._progress = Progress()

    def find(self) -> "list[Source]":
        """Find the files below the paths, each once; what cannot be found of them is complained of and passed over.

        A command that opens its output before it reads calls this first.

        Raises:
            Failure: if one of them is an output of the command.
        """
        from comet_hist.cli.outputs import refuse_inputs
        from comet_hist.notation.sources import find_sources

        if self._found is None:
            self._found = list(find_sources(self._paths, self._unreadable))
            refuse_inputs(self._outputs, [source.path for source in self._found])
        return self._found

    def sources(self) -> Iterator["Source"]:
        """Give the files below the paths; those are counted of which anything could be read."""
        try:
            for source in self._progress.over(self.find()):
                before = copy(self.tally)
                yield source
                since = self.tally.since(before)
                self.tally.files += not since.unreadable or since.sessions + since.errors + since.warnings > 0
        except BaseException:
            # Nobody wants to know any more what other processes are still working at.
            end_all()
            raise
        finally:
            if self._lanes is not None:
                self._lanes.close()
                if self._lanes.uncompiled:
                    self.narrate(_UNCOMPILED)

    def judged(self, source: "Source") -> Iterator["Judged"]:
        """Judge the sessions of a file on the ordinary road, which keeps their records.

        Raises:
            SourceError: if the file cannot be read to its end.
        """
        from comet_hist.notation import read

        with source.open() as stream:
            for judged in self._judge.judge(read(stream, source.path)):
                self._count(judged)
                self._progress.step()
                yield judged

    def passed(self, source: "Source") -> "Iterator[Judged | Proven]":
        """Judge the sessions of a file by both lanes, clean ones together.

        Returns:
            A `Proven` is valid until the next item is asked for.

        Raises:
            SourceError: if the file cannot be read to its end.
        """
        for item in self._met(source):
            self._count(item)
            if self.settling is not None:
                self._settle(self.settling, item, source.path)
            yield item

    def _met(self, source: "Source") -> "Iterator[Judged | Proven]":
        """Let both lanes go through a file, and hold each session against those before it."""
        from comet_hist.bulk.lanes import Lanes
        from comet_hist.bulk.values import held_against
        from comet_hist.judge import Judged

        if self._lanes is None:
            self._lanes = Lanes(chips=self._chips, records=self._records)
        with source.open() as stream:
            for item in self._lanes.judged(stream, source.path, whole=source.keep is None):
                if isinstance(item, Judged):
                    yield self._judge.meet(item)
                else:
                    yield from held_against(self._judge, item, source.path)
                self._progress.step()

    def forget(self, source: "Source") -> None:
        """Let a file that does not count claim no identifiers."""
        self._judge.forget(source.path)

    def everything(self) -> Iterator["Judged"]:
        """Judge the sessions of all files on the ordinary road; a file that breaks off is complained of."""
        for source in self.sources():
            with self.guarding():
                yield from self.noting(source, self.judged(source))

    def audited(self, *, payments: bool) -> Iterator["Judged"]:
        """Give the audits of the sessions of all files; a file that breaks off is complained of.

        Args:
            payments: whether to say who paid whom in hands that are clean.
        """
        from comet_hist.bulk.values import each, whole
        from comet_hist.judge import Judged

        for source in self.sources():
            with self.guarding():
                for item in self.noting(source, self._met(source)):
                    self._count(item)
                    for session in [item] if isinstance(item, Judged) else each(item, source.path):
                        audited = whole(session, payments=payments)
                        if self.settling is not None and not audited.repeated:
                            self.settling.add(audited)
                        yield audited

    def noting(self, source: "Source", judged: "Iterable[T]") -> "Iterator[T]":
        """Pass on what was judged of a file, and say so if there was no session in it."""
        from comet_hist.judge import Judged

        sessions = 0
        for one in judged:
            sessions += not isinstance(one, Judged) or one.session is not None
            yield one
        if not sessions:
            self.narrate(f"comet-hist: there is no session in {source.path}")

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """Let a file that cannot be read cost itself alone: it is complained of, and those after it are read."""
        from comet_hist.notation.sources import SourceError

        try:
            yield
        except SourceError as error:
            self._unreadable(error)

    def findings(self) -> Iterator["Finding"]:
        """Give the findings to report of all files."""
        for source in self.sources():
            with self.guarding():
                for item in self.noting(source, self.passed(source)):
                    yield from self.reported(item)

    def reported(self, judged: "Judged | Proven") -> "list[Finding]":
        """Return those findings of a session that are reported."""
        from comet_hist.judge import Judged

        if not isinstance(judged, Judged):
            return []
        return [finding for finding in judged.findings if finding.code in self._selection]

    def counted(self, findings: "Iterable[Finding]") -> "list[Finding]":
        """Count those of the findings that are reported, and return them."""
        reported = [finding for finding in findings if finding.code in self._selection]
        for finding in reported:
            self.tally.add_finding(finding)
            self.codes[finding.code] += 1
        return reported

    def shown(self, findings: "Iterable[Finding]") -> "Iterator[Finding]":
        """Give as many of the findings as may still be shown; the tally counts the others."""
        for finding in findings:
            if self._selection.most is not None and self._shown >= self._selection.most:
                self.tally.withheld += 1
            else:
                self._shown += 1
                yield finding

    def narrate(self, line: str) -> None:
        """Write a line on what was done to standard error."""
        self._stand_back()
        note(line)

    def report(self, text: str) -> None:
        """Write text, ready for a terminal, to standard error."""
        self._stand_back()
        click.echo(text, err=True)

    def _stand_back(self) -> None:
        """Make room for a message, which comes below what was written so far."""
        self._progress.clear()
        sys.stdout.flush()

    def step(self) -> None:
        """Move the progress bar to where the file now being read is."""
        self._progress.step()

    def say(self, line: str) -> None:
        """Write a line of the result, ready for a terminal, to standard output."""
        self._progress.clear()
        sys.stdout.write(line + "\n")

    def _unreadable(self, error: Exception) -> None:
        """Complain of a path that cannot be read, which makes the exit status 2."""
        self.tally.unreadable += 1
        self._stand_back()
        complain(str(error))

    def _count(self, item: "Judged | Proven") -> None:
        from comet_hist.judge import Judged

        if not isinstance(item, Judged):
            self.tally.sessions += item.after - item.first
            self.tally.add_clean(*item.counted())
            return
        self.counted(item.findings)
        if item.session is None or item.replay is None or item.repeated:
            return
        self.tally.sessions += 1
        for replay in item.replay.hands:
            self.tally.add_hand(replay)
        if item.rest is not None:
            self.tally.add_clean(*item.rest.counted())
        if item.audit is not None:
            ident = item.session.ident.text
            self.wrong += [(ident, hand) for hand in item.audit.hands if hand.status == "wrong"]

    def _settle(self, settling: "Settling", item: "Judged | Proven", file: str) -> None:
        """Add the debts of sessions that were not judged before."""
        from comet_hist.bulk.values import each, whole
        from comet_hist.judge import Judged

        for judged in [item] if isinstance(item, Judged) else each(item, file):
            if not judged.repeated:
                settling.add(whole(judged, payments=False))
