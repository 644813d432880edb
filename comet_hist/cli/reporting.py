"""What the commands that report findings have in common: their options, and findings shown by themselves."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from comet_hist.cli.options import FINDING_FORMATS, color_option, format_option, strict_option
from comet_hist.cli.selection import EVERYTHING, Selection, codes_in
from comet_hist.cli.settings import from_settings

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.findings import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """What to report of the findings, and how to show it.

    Attributes:
        form: one of `FINDING_FORMATS`.
        color: `auto`, `always` or `never`.
        strict: whether warnings too make the exit status 1.
        statistics: whether the findings are only counted.
        select: the beginnings of the codes to report.
        ignore: the beginnings of the codes not to report.
        most: how many findings are shown, None for all.
        selected_here: whether `select` comes from the command line.
    """

    form: str
    color: str
    strict: bool
    statistics: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    most: int | None
    selected_here: bool

    @property
    def findings_alone(self) -> bool:
        """Whether nothing but findings, or their counts, is shown, by every command."""
        return self.statistics or self.form in ("github", "sarif")

    def selection(self, within: tuple[str, ...] = EVERYTHING) -> Selection:
        """Return the findings to report among those that are the command's.

        Raises:
            UsageError: if the command line selects only what is never among them.
        """
        if self.selected_here and not any(_overlap(code, own) for code in self.select for own in within):
            command = click.get_current_context().info_name
            raise click.UsageError(
                f"`{command}` never reports {' or '.join(self.select)}; its codes begin with {', '.join(within)}"
            )
        return Selection(within, self.select, self.ignore, self.most)

    def lines(self, reading: "Reading", findings: "Iterable[Finding]") -> Iterator[str]:
        """Give findings, or their counts, for standard output, as they come.

        Args:
            reading: what the findings come from.
            findings: those to report.
        """
        if self.statistics:
            from comet_hist.cli.output.statistics import statistics_lines

            for _ in findings:
                pass
            return statistics_lines(reading.codes, self.form)
        shown = reading.shown(findings)
        if self.form == "sarif":
            from comet_hist.cli.output.sarif import sarif_lines

            return sarif_lines(shown, reading.tally)
        from comet_hist.cli.output.findings import finding_lines

        return finding_lines(shown, self.form, self.color)

    def end(self, context: click.Context, reading: "Reading", *, summary: bool) -> None:
        """End a command: say what was not shown, and leave with the exit status.

        Args:
            context: the command's.
            reading: what was read.
            summary: whether to write the counts of what went by to standard error.
        """
        from comet_hist.findings import some

        if reading.tally.withheld:
            reading.narrate(f"{some(reading.tally.withheld, 'more finding')} not shown (--max-findings {self.most})")
        if summary:
            reading.narrate(reading.tally.summary())
        context.exit(reading.tally.status(self.strict))


def report_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options on findings to a command, which gets them together as its argument `report`."""

    @click.pass_context
    @wraps(function)
    def with_report(context: click.Context, /, **given: Any) -> None:
        form, statistics = given.pop("form"), given.pop("statistics")
        if statistics and form in ("github", "sarif"):
            raise click.UsageError(f"--statistics are no findings, which is what {form} is for; try --format json")
        selected_here = _is_given(context, "select")
        ignore = given.pop("ignore")
        if selected_here and not _is_given(context, "ignore"):
            ignore = ()
        report = Report(
            form, given.pop("color"), given.pop("strict"), statistics,
            given.pop("select"), ignore, given.pop("most"), selected_here,
        )  # fmt: skip
        function(context, report=report, **given)

    options = (format_option(*FINDING_FORMATS), _select, _ignore, _most, _statistics, strict_option, color_option)
    command: Callable[..., None] = with_report
    for option in reversed(options):
        command = option(command)
    return command


def _codes(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes that an option lists; those of settings are known to be right."""
    from comet_hist.explain import UnknownCode

    assert parameter.name
    if not _is_given(context, parameter.name):
        return tuple(values)
    try:
        return codes_in(values)
    except UnknownCode as error:
        raise click.BadParameter(str(error)) from error


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _overlap(code: str, other: str) -> bool:
    return code.startswith(other) or other.startswith(code)


_select = click.option(
    "--select",
    multiple=True,
    metavar="CODE,...",
    default=from_settings("select", EVERYTHING),
    callback=_codes,
    help="Report these findings alone; a beginning such as E5 stands for all that begin so.",
)
_ignore = click.option(
    "--ignore",
    multiple=True,
    metavar="CODE,...",
    default=from_settings("ignore", ()),
    callback=_codes,
    help="Do not report these findings, even where --select has them.",
)
_most = click.option(
    "--max-findings",
    "most",
    type=click.IntRange(1),
    metavar="N",
    default=from_settings("max-findings", None),
    help="Show no more findings than N, and say how many more there are.",
)
_statistics = click.option(
    "--statistics", is_flag=True, help="Show nothing but how many findings there are of each code."
)
