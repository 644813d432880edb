cimport cython
from comet_hist.simulate.moves cimport Card, Mask, is_held

cdef Card _NOTHING, _COMET, _GAP
cdef Mask _ONE


@cython.final
cdef class View:
    cdef public Mask own, fallen, leads, luck
    cdef public Card need


cpdef Card longest(View view)
cpdef Card shortest(View view)

@cython.locals(leads=Mask)
cpdef Card random(View view)

@cython.locals(leads=Mask, best=Card, card=Card, length=Card, other=Card)
cdef Card _by_length(View view, bint most)

cpdef bint at_once(View view)

@cython.locals(suit=Card, length=Card, other=Card, above=Card)
cpdef bint hold(View view)

cpdef bint block(View view)
cpdef bint gap_only(View view)


@cython.final
cdef class AtRandom:
    cdef Mask _below


cdef Mask _without_comet(Mask hand)
cdef Card _length(Mask hand, Card suit)

@cython.locals(count=Card)
cdef Card _count(Mask mask)

@cython.locals(card=Card)
cdef Card _lowest(Mask mask)
