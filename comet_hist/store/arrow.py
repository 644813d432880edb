"""Columns of numbers as Arrow tables, which DuckDB reads where they lie: nothing is copied on the way."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import nanoarrow
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

_TYPES: Final = {
    "bool": nanoarrow.bool_(),
    "uint8": nanoarrow.uint8(),
    "int32": nanoarrow.int32(),
    "int64": nanoarrow.int64(),
}
"""The Arrow types by those of numpy."""


class Column(NamedTuple):
    """A column for DuckDB.

    Attributes:
        values: its values; for a column of lists those of all lists together.
        known: which of them are not NULL; None where all are.
        offsets: for a column of lists where each begins, and where the last one ends.
        clock: whether the values are seconds since midnight.
    """

    values: Numbers
    known: Numbers | None = None
    offsets: Numbers | None = None
    clock: bool = False


def arrow_table(columns: Mapping[str, Column]) -> Any:
    """Return columns of one length as an Arrow table that lies over them."""
    arrays = {name: _array(column) for name, column in columns.items()}
    kind = nanoarrow.struct({name: array.schema for name, array in arrays.items()})
    length = len(next(iter(arrays.values())))
    return nanoarrow.c_array_from_buffers(kind, length, [None], children=arrays.values())


def _array(column: Column) -> Any:
    values, known, offsets, clock = column
    kind = nanoarrow.time32("s") if clock else _TYPES[values.dtype.name]
    valid = None if known is None else _bits(known)
    laid = _bits(values) if values.dtype == np.bool_ else np.ascontiguousarray(values)
    array = nanoarrow.c_array_from_buffers(kind, len(values), [valid, laid])
    if offsets is None:
        return array
    lists = nanoarrow.large_list(kind)
    return nanoarrow.c_array_from_buffers(lists, len(offsets) - 1, [None, offsets], children=[array])


def _bits(flags: Numbers) -> Numbers:
    return np.packbits(flags, bitorder="little")
