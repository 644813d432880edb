"""comet-hist: read, replay, audit and query recorded hands of the card game Comet."""

__version__ = "0.1.0"
