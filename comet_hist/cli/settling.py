"""The debts of what goes by: of the first sessions one by one, and of all together."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from comet_hist.audit.period import Period, session_debts

if TYPE_CHECKING:
    from comet_hist.audit.period import SessionDebts
    from comet_hist.judge import Judged

ONE_BY_ONE: Final = 12
"""How many sessions are shown one by one; no more are kept, so that memory does not grow with what goes by."""


class Settling:
    """Adds up who owes whom.

    Args:
        persons: who is meant by a name, where that is somebody who has others too.

    Attributes:
        period: all sessions together.
        first: the debts of the first `ONE_BY_ONE` sessions, each with its identifier.
    """

    def __init__(self, persons: Mapping[str, str]) -> None:
        self.period = Period(persons)
        self.first: list[tuple[str, SessionDebts]] = []

    @property
    def all_at_hand(self) -> bool:
        """Whether `first` holds all sessions."""
        return len(self.first) == self.period.whole.sessions + self.period.empty

    def add(self, judged: "Judged") -> None:
        """Add a session that was not judged before."""
        session, audit = judged.session, judged.audit
        if session is None or audit is None:
            return
        if judged.conflict:
            self.period.refuse()
            return
        self.period.add(session.rules, audit)
        if len(self.first) < ONE_BY_ONE:
            self.first.append((session.ident.text, session_debts(session.rules, audit)))
