"""The statistics as pictures: charts for files and pages, and drawings for the terminal."""

from typing import Final

VIEWS: Final = ("timeline", "comet", "seats", "pairs", "players")
"""What can be drawn; `charts.PICTURES` says how."""

ENDINGS: Final = (".png", ".svg", ".html")
"""The endings of the files that `write.written` can make."""
