cimport cython

ctypedef unsigned long long Mask
ctypedef unsigned long long Card

cdef Card _NOTHING, _COMET, _GAP
cdef Mask _ONE, _ACES


@cython.final
cdef class House:
    cdef public bint stop, keep, stalled, gap, hand, change


cpdef Card needed_after(Card card, House house)
cpdef bint is_held(Card card, Mask fallen)
cpdef bint may_stand_in(Card card, Mask fallen, House house)

@cython.locals(found=Mask, held=Mask, lowest=Mask, each=Card)
cpdef Mask leads(Mask hand, Card suit, House house)

@cython.locals(least=Mask, rank=Card)
cdef Mask _of_least_rank(Mask found)

cdef Mask _bit(Card card)
