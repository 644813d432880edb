"""Other processes of the program: how many, how they begin, and how they end when the first one does."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MANAGER: Final = "_ExecutorManagerThread"
"""The class of the thread with which `concurrent.futures` manages its processes."""

_MOMENT: Final = 1.0
"""Seconds in which such a thread should have seen that its processes have ended."""


class WorkerEndedError(Exception):
    """Another process was ended from outside before its work was done; the message is one line for the user."""

    def __init__(self) -> None:
        super().__init__("a process that did part of the work was ended from outside, perhaps for lack of memory")


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def reserve(size: int) -> None:
    """Make sure that there is address space for a library that aborts the process where it gets too little.

    Args:
        size: bytes. Only a limit such as that of `ulimit -v` makes them scarce: they need not exist.

    Raises:
        MemoryError: if so many cannot be had.
    """
    import mmap

    if hasattr(mmap, "MAP_ANONYMOUS"):
        try:
            mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
        except OSError as error:
            raise MemoryError from error


def seldom_look_for_cycles() -> None:
    """Look for cycles among values less often: records are many small values with few, and that saves a twentieth."""
    gc.set_threshold(100_000, 20, 20)


def prepare() -> None:
    """Begin as a process that works for another one, and ends with it."""
    from threading import Thread

    # Ctrl-C reaches all processes of the terminal; the first ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    seldom_look_for_cycles()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def starting() -> Iterator[None]:
    """Start processes that never get Ctrl-C or SIGHUP, also before `prepare`; those of multiprocessing itself too.

    They keep to what is blocked here. These signals reach all processes of a terminal, and the first one ends the
    others in order.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_all() -> None:
    """End all other processes of the program at once, and wait a moment for the threads that manage them."""
    if "multiprocessing" in sys.modules:
        import threading
        from multiprocessing import active_children

        for child in active_children():
            child.terminate()
        # Otherwise Python may write, at its own end, to what such a thread closes at that moment: a traceback.
        for thread in threading.enumerate():
            if type(thread).__name__ == _MANAGER:
                thread.join(_MOMENT)
