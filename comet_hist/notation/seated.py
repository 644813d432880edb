"""Who sits where by the lines so far, for reading and for writing."""


class Seated(dict[str, int]):
    """The seats of those at the table by name, in the order in which they sat down.

    Within a hand whoever leaves does so before anybody sits down (R17), in whatever order the lines stand.
    """

    def __init__(self, seats: dict[str, int] | None = None) -> None:
        super().__init__(seats or {})
        self._joined: dict[str, int] = {}

    def open_hand(self) -> None:
        """Begin a hand: whoever sat down before may leave now."""
        self._joined = {}

    def sit(self, name: str, seat: int) -> None:
        """Take a `Seat` line; whoever sits already stays where they are, unless they leave in this hand."""
        self._joined.setdefault(name, seat)
        self.setdefault(name, seat)

    def leave(self, name: str) -> None:
        """Take a `Leaves` line."""
        self.pop(name, None)
        if name in self._joined:
            self[name] = self._joined[name]
