"""The command line: arguments, files, exit statuses, and how things are shown."""


def main() -> None:
    """Run the `comet-hist` command with the arguments of the process, and leave with its exit status."""
    from comet_hist.cli.app import comet_hist

    comet_hist()
