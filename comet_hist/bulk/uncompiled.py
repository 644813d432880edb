"""Stands in for the `cython` module where it is not installed: the kernel then runs as plain Python, slower."""

from contextlib import nullcontext
from typing import Final

compiled: Final = False
nogil: Final = nullcontext()
