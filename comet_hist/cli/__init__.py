"""The command line: arguments, files, exit statuses, and how things are shown."""

import sys


def main() -> None:
    """Run the `comet-hist` command with the arguments of the process, and leave with its exit status."""
    try:
        from comet_hist.cli.app import comet_hist
        from comet_hist.cli.ending import end_on_termination, take_streams

        take_streams()
        end_on_termination()
        comet_hist()
    except KeyboardInterrupt:  # so early that nothing is there yet to deal with it
        if sys.stderr is not None:
            sys.stderr.write("comet-hist: interrupted\n")
        sys.exit(130)
