"""`comet-hist explain`: what a finding means."""

import sys

import click

from comet_hist.cli.options import examples, format_option
from comet_hist.cli.status import Failure


@click.command(
    epilog=examples(
        "comet-hist explain          all codes with their titles",
        "comet-hist explain E4       those that begin so",
        "comet-hist explain E406     one in full: its rule, an example and the mend",
    )
)
@click.argument("code", required=False)
@format_option("text", "json", "markdown")
def explain(code: str | None, form: str) -> None:
    """Say what a finding means: its rule, an example and the mend.

    Without CODE all codes are listed, with the beginning of a code those that begin so.
    """
    from comet_hist import explain as book

    try:
        found = book.find(code) if code else list(book.explanations().values())
    except book.UnknownCode as error:
        raise Failure(str(error)) from error
    if form == "json":
        from comet_hist.cli.output.as_json import array_lines

        for line in array_lines(each.as_dict() for each in found):
            click.echo(line)
    elif form == "markdown":
        click.echo(book.as_markdown(found) if code else book.reference(), nl=bool(code))
    else:
        from comet_hist.cli.output.terminal import on_terminal, terminal_width

        room = terminal_width(sys.stdout)
        text = book.as_text(found[0], min(book.WIDTH, room or book.WIDTH)) if len(found) == 1 else book.listed(found)
        for line in text.split("\n"):
            for row in on_terminal(line, room, 6):
                click.echo(row)
