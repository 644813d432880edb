"""`python -m comet_hist` is the `comet-hist` command."""

from comet_hist.cli import main

main()
