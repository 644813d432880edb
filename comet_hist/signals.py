"""Signals that end the command: when they are received, and where in the program they are raised.

`take` installs a handler for Ctrl-C (SIGINT), SIGTERM and SIGHUP. It notes the signal. After `begin` it also raises
`Ended` in the main thread, so that every `finally`, `with` and `except BaseException` on the way out undoes what is
unfinished. That can happen between any two instructions, and in some places it would do harm. There the handler lets
the program go on, and a timer makes it look again a moment later. These places are:

* an import: an extension module that is interrupted while it is set up may abort the process;
* `__enter__`, `__exit__` and `__del__`: what they take or release would be left half taken or half released;
* functions that are marked `undisturbed`, such as opening a database.

Where an undisturbed function waits for long, it calls `check`, which raises what was noted. Later signals change
nothing, so that cleaning up is not cut short; only one that comes `PATIENCE` seconds after the first ends the process
at once. A program that uses this package as a library, and does not call `take`, has Python's own signal handling.
"""

from __future__ import annotations

import os
import signal
import sys
import time

# Until `take` is called, Ctrl-C is a traceback: nothing is imported here that can be done without.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any, Final, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., object])

PATIENCE: Final = 5.0
"""Seconds after the first signal from which on another one ends the process without cleaning up."""

GRACE: Final = 5.0
"""Seconds that Python has for its own end after a signal: nobody may be reading what is still buffered."""

_LOOK_AGAIN: Final = 0.01
"""Seconds until the handler looks again whether it can raise."""

INTERRUPT: Final[int] = signal.SIGINT
"""The number of Ctrl-C."""

_NUMBERS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_IMPORTS: Final = "<frozen importlib"
_METHODS: Final = frozenset({"__enter__", "__exit__", "__del__"})

_undisturbed: set[CodeType] = set()


class Ended(BaseException):
    """The command is ended by a signal."""


class _State:
    """What is known of signals in this process.

    Attributes:
        owner: the process that called `take`; a copy of it has the handler too.
        begun: whether there is something that catches `Ended`.
        first: the signal that came first, 0 for none.
        when: when that was.
        raised: whether `Ended` was raised for it.
        status: the exit status of the process once the command is done, None before.
    """

    owner = 0
    begun = False
    first = 0
    when = 0.0
    raised = False
    status: int | None = None


def take() -> None:
    """Note signals that end the command, except those that were ignored from the start, as by `nohup`."""
    _State.owner = os.getpid()
    for number in _NUMBERS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _look_again)
    sys.unraisablehook = _retry


def begin() -> None:
    """Raise `Ended` on signals from now on, and on one that was noted before."""
    _State.begun = True
    check()


def undisturbed(function: _Function) -> _Function:
    """Mark a function in which, and in whatever it calls, `Ended` is raised by `check` alone."""
    _undisturbed.add(function.__code__)
    return function


def received() -> int:
    """Return the number of the signal that ends the command, 0 if there was none."""
    return _State.first


def check() -> None:
    """Raise `Ended` if a signal was received and has not been raised yet."""
    if _State.first and not _State.raised:
        raise ended()


def ended() -> Ended:
    """Return what is raised for the signal that was received; the handler does not raise it as well."""
    _State.raised = True
    return Ended()


def exit_status(number: int) -> int:
    """Return the exit status for a signal; SIGHUP has that of SIGTERM."""
    return 128 + (INTERRUPT if number == INTERRUPT else signal.SIGTERM)


def finish(status: int) -> None:
    """Settle the exit status; after a signal, also one that comes later, the process ends within `GRACE` seconds."""
    _State.status = status
    if _State.first:
        _end_soon(status)


def _end_soon(status: int) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, GRACE)
    else:
        os._exit(status)


def _receive(number: int, frame: FrameType | None) -> None:
    if os.getpid() != _State.owner:  # a worker process that has only begun
        os._exit(exit_status(number))
    if _State.status is not None:
        if not _State.first:
            _State.first = number
            _end_soon(_State.status)
        return
    if not _State.first:
        _State.first, _State.when = number, time.monotonic()
        _raise_or_wait(frame)
    elif time.monotonic() - _State.when > PATIENCE:
        os._exit(exit_status(_State.first))


def _look_again(number: int, frame: FrameType | None) -> None:
    if _State.status is not None:
        os._exit(_State.status)
    if not _State.raised:
        _raise_or_wait(frame)


def _raise_or_wait(frame: FrameType | None) -> None:
    if hasattr(signal, "setitimer") and (not _State.begun or _is_undisturbed(frame)):
        signal.setitimer(signal.ITIMER_REAL, _LOOK_AGAIN)
    else:
        check()


def _is_undisturbed(frame: FrameType | None) -> bool:
    # The innermost frame may be about to enter or to leave a context that is written as a generator. Frames of
    # contextlib further out say nothing: what such a generator does before and after its body may take long.
    innermost = frame
    while frame is not None:
        code = frame.f_code
        if code in _undisturbed or code.co_filename.startswith(_IMPORTS):
            return True
        if frame.f_globals.get("__name__") == "contextlib":
            if frame is innermost:
                return True
        elif code.co_name in _METHODS:
            return True
        frame = frame.f_back
    return False


def _retry(unraisable: Any) -> None:
    """Raise `Ended` again if it came where Python cannot raise it, such as in a callback of the garbage collector."""
    if unraisable.exc_type is not Ended:
        sys.__unraisablehook__(unraisable)
    elif hasattr(signal, "setitimer"):
        _State.raised = False
        signal.setitimer(signal.ITIMER_REAL, _LOOK_AGAIN)
