cimport cython

cdef unsigned long long _ALL, _STEP, _FIRST, _SECOND


@cython.final
cdef class Chance:
    cdef public unsigned long long state

    @cython.locals(mixed="unsigned long long")
    cpdef unsigned long long number(self)
    cpdef unsigned long long below(self, unsigned long long count)
