"""How long a call takes that has little to do, beside Python itself."""

import sys
from functools import partial

from corpora import SESSION, Corpora
from measuring import alternating, measure, program
from tables import Table, figure


def startup(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure calls in turn, ten times as often as other things are. The number of hands does not matter here."""
    one = corpora.folder / "one.comet"
    text = corpora.clean(SESSION).path.read_text(encoding="utf-8")
    one.write_text(text.split("\nHand 2\n")[0], encoding="utf-8")
    calls = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        'python -c "import click"': [sys.executable, "-c", "import click"],
        "comet-hist --version": [program(), "--version"],
        "comet-hist --help": [program(), "--help"],
        "comet-hist explain E406": [program(), "explain", "E406"],
        "comet-hist check, one hand": [program(), "check", str(one)],
    }
    jobs = [partial(measure, call) for call in calls.values()]
    alternating(1, *jobs)  # What Python compiles at a first import stands ready after it.
    taken = dict(zip(calls, alternating(10 * rounds, *jobs), strict=True))
    click = taken['python -c "import click"']
    table = Table(
        "Start-up",
        ("call", "wall ms", "CPU ms", "of import click (wall)", "of import click (CPU)"),
        f"Rounds: {10 * rounds}, in turn, medians.",
    )
    for call, each in taken.items():
        ratios = (f"{each.wall / click.wall:.2f}", f"{each.cpu / click.cpu:.2f}")
        table.rows.append((call, figure(each.wall * 1000), figure(each.cpu * 1000), *ratios))
    return [table]
