cimport cython

cdef tuple _NAMES, _SPACED
cdef int _COMET


@cython.locals(lines=list, parts=list, fell=bint, speaker=int, player=int, card=int, opens=bint)
cpdef list run_lines(list moves, names)

@cython.locals(parts=list, card=int)
cpdef str cards_text(unsigned long long hand)
