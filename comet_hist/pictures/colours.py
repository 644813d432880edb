"""The colours of the pictures, on light and on dark ground.

Those of players stand at least 3 : 1 against their ground, those of parts, which numbers stand in, 4.5 : 1. They differ
for whoever sees all colours as well as for the three kinds of colour-blindness; lines are dashed differently too.
"""

from typing import Final, NamedTuple


class Colour(NamedTuple):
    """A colour, by what it is for.

    Attributes:
        light: on light ground, as `#rrggbb`.
        dark: on dark ground.
    """

    light: str
    dark: str


PAPER: Final = Colour("#ffffff", "#15191b")
"""The ground itself."""

INK: Final = Colour("#23282c", "#e7e4dd")
"""Text, and marks that belong to no player."""

SOFT: Final = Colour("#5d666d", "#a3abb0")
"""Text that may stand back."""

RULE: Final = Colour("#dcdfe1", "#353d41")
"""Grid lines and borders."""

CROWD: Final = Colour("#b4babe", "#5a6368")
"""The lines of players without a colour of their own."""

SERIES: Final = (
    Colour("#264585", "#5a86ec"),
    Colour("#b03a1e", "#e8803a"),
    Colour("#00a368", "#4fe08a"),
    Colour("#ca8617", "#f5cf3a"),
    Colour("#a274a0", "#b866a4"),
    Colour("#6a73ff", "#a8d3ff"),
    Colour("#2a1430", "#f4efe4"),
    Colour("#6a2931", "#ea3f66"),
)
"""Of players, in order."""

PARTS: Final = (
    Colour("#13817f", "#4fe6a4"),
    Colour("#4f35dd", "#6f8dfd"),
    Colour("#7a2f86", "#c878a4"),
    Colour("#9f6a00", "#f5e13a"),
    Colour("#870822", "#e4671d"),
)
"""Of the parts of a whole, in order; numbers in them have the colour of the ground."""

DASHES: Final = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (4, 2), (12, 3), (1, 3), (9, 2, 2, 2, 2, 2))
"""How the line of each of these is dashed: pixels drawn and pixels left out, in turn."""

ALL: Final = (PAPER, INK, SOFT, RULE, CROWD, *SERIES, *PARTS)
"""Each colour once."""
