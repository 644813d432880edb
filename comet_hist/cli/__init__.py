"""The command line: arguments, files, exit statuses, and how things are shown."""

import sys


def main() -> None:
    """Run the `comet-hist` command with the arguments of the process, and leave with its exit status."""
    try:
        from comet_hist.signals import take

        take()
    except KeyboardInterrupt:  # the handler that deals with it is not there yet
        if sys.stderr is not None:
            sys.stderr.write("comet-hist: interrupted\n")
        sys.exit(130)
    from comet_hist.cli.ending import run

    run()
