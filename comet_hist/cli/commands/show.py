"""`comet-hist show`: a hand, card by card."""

import shlex
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from comet_hist.cli.options import HISTORY, color_option, examples
from comet_hist.cli.status import Failure, Status
from comet_hist.nearest import did_you_mean, nearest

if TYPE_CHECKING:
    from comet_hist.cli.output.scene import Scene
    from comet_hist.cli.reading import Reading
    from comet_hist.judge import Judged

_KEYS: Final = "← → one card   Home End   q quit"
_ASCII_KEYS: Final = "left/right one card   Home End   q quit"
_LISTED: Final = 20
"""The most sessions that a message lists."""


@click.command(
    epilog=examples(
        "comet-hist show night.comet --hand 3             the whole hand",
        "comet-hist show night.comet --hand 3 --at 14     how it stood after 14 cards",
        "comet-hist show night.comet --hand 3 --step      card by card, with the arrow keys",
        "comet-hist show nights/ --session plough --hand 1",
    )
)
@click.argument("path", type=HISTORY)
@click.option("--session", "ident", metavar="IDENT", help="Its session; needed where PATH holds several.")
@click.option("--hand", "number", type=int, required=True, metavar="N", help="Its number.")
@click.option("--at", "ply", type=click.IntRange(min=0), metavar="PLY", help="Show how it stood after so many cards.")
@click.option("--step", is_flag=True, help="Walk through it on the terminal; from PLY if that is given.")
@click.option("--ascii", is_flag=True, help="Letters for suits, and nothing outside ASCII but names.")
@color_option
@click.pass_context
def show(
    context: click.Context,
    path: str,
    ident: str | None,
    number: int,
    ply: int | None,
    step: bool,
    ascii: bool,
    color: str,
) -> None:
    """Show a hand as it was played.

    Shows who sat there, what each was dealt, each run with who played what and why it stopped, who
    was paid what was owed (and what was recorded, if that differs), and what is wrong, where it is.
    Cards are counted from 1 in the order of play; the numbers beside a run are those of its cards.

    --step goes on with the right arrow, space or Enter, back with the left arrow, to the ends with
    Home and End; q leaves. Where standard input or output is no terminal it shows what is shown
    without it.

    The exit status is 1 where something is wrong with the hand.
    """
    from comet_hist.cli.output.characters import isolated
    from comet_hist.cli.output.terminal import coloured
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.stepping import can_step

    reading = Reading([path])
    scenes = _scenes(_session(reading, path, ident), number, ascii)
    if len(scenes) > 1 and (step or ply is not None):
        lines = " and ".join(str(scene.replay.hand.line.number) for scene in scenes)
        reading.narrate(f"comet-hist: lines {lines} each begin a hand {number}; this is the first")
        del scenes[1:]
    _check_ply(scenes[0], ply)
    colour = coloured(color, sys.stdout)
    if step and scenes[0].replay.players and can_step():
        _step(scenes[0], ply or 0, colour)
    else:
        on_screen = sys.stdout.isatty()
        for line in _lines(scenes, ply, colour):
            click.echo(isolated(line) if on_screen else line, color=True)
    findings = (finding for scene in scenes for finding in (*scene.about, *scene.placing.all()))
    errors = any(finding.severity == "error" for finding in findings)
    context.exit(Status.ERRORS if errors else Status.CLEAN)


def _session(reading: "Reading", path: str, ident: str | None) -> "Judged":
    """Return the session to show.

    Raises:
        Failure: if there is none of that identifier, or none was asked for and there are several.
        click.exceptions.Exit: if there is none at all, of which was complained already.
    """
    ident = ident and unicodedata.normalize("NFC", ident)
    first: Judged | None = None
    idents: dict[str, None] = {}
    for judged in reading.everything():
        if judged.session is None:
            continue
        if judged.session.ident.text == ident:
            return judged
        first = first or judged
        idents[judged.session.ident.text] = None
    if first is None:
        raise click.exceptions.Exit(Status.USAGE)
    if ident is None and len(idents) == 1:
        return first
    if ident is None:
        raise Failure(f"{path} holds {len(idents)} sessions; choose one with --session: {_listed(list(idents))}")
    meant = did_you_mean(nearest(ident, idents)) or f", but {_listed(list(idents))}"
    raise Failure(f"there is no session {ident} in {path}{meant}")


def _scenes(judged: "Judged", number: int, ascii: bool) -> "list[Scene]":
    """Return the hands of a number, of which there are two where E205 is found.

    Raises:
        Failure: if the session has no hand of that number.
    """
    from comet_hist.cli.output.scene import scene_of
    from comet_hist.cli.output.terminal import PIPE_WIDTH, terminal_width

    session = judged.session
    assert session is not None
    width = terminal_width(sys.stdout) or PIPE_WIDTH
    numbers = [hand.number for hand in session.hands]
    if number not in numbers:
        known = _ranges([each for each in numbers if each is not None])
        raise Failure(f"session {session.ident.text} has no hand {number}, but {known or 'none that has a number'}")
    return [scene_of(judged, index, ascii, width) for index, each in enumerate(numbers) if each == number]


def _check_ply(scene: "Scene", ply: int | None) -> None:
    plays = len(scene.replay.laid)
    if ply is not None and scene.replay.players and ply > plays:
        raise Failure(f"hand {scene.replay.hand.number} has {plays} plays: --at takes 0 to {plays}")


def _step(scene: "Scene", start: int, colour: bool) -> None:
    from comet_hist.cli.output.characters import isolated
    from comet_hist.cli.output.moment import moment_lines
    from comet_hist.cli.output.rows import written
    from comet_hist.cli.stepping import step_through

    def frame(at: int, width: int) -> list[str]:
        return [isolated(line) for line in written(moment_lines(replace(scene, width=width), at), colour)]

    step_through(frame, len(scene.replay.laid), start, _ASCII_KEYS if scene.signs.ascii else _KEYS)


def _lines(scenes: "Sequence[Scene]", ply: int | None, colour: bool) -> Iterator[str]:
    """Give the hands, or how one stood after a ply; one that was not replayed is shown whole."""
    from comet_hist.cli.output.hand import hand_lines
    from comet_hist.cli.output.moment import moment_lines
    from comet_hist.cli.output.rows import written

    for index, scene in enumerate(scenes):
        if index:
            yield ""
        whole = ply is None or not scene.replay.players
        yield from written(hand_lines(scene) if whole else moment_lines(scene, ply or 0), colour)


def _listed(idents: Sequence[str]) -> str:
    more = len(idents) - _LISTED
    return ", ".join(map(shlex.quote, idents[:_LISTED])) + (f" and {more} more" if more > 0 else "")


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers with neighbours joined.

    >>> _ranges([1, 2, 3, 5])
    '1 to 3, 5'
    """
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in spans)
