cimport cython
from comet_hist.simulate.chance cimport Chance
from comet_hist.simulate.moves cimport Card, House, Mask, is_held, leads, may_stand_in, needed_after
from comet_hist.simulate.strategies cimport View

cdef bytes _PACK
cdef Card _NOTHING, _COMET
cdef Mask _ONE
cdef int _NOBODY


@cython.locals(pack=bytearray, position=int, rest=Card, at=Card)
cpdef list deal(Chance chance, int players)


@cython.final
cdef class Playing:
    cdef public list hands, moves
    cdef list _openings, _comets
    cdef House _house
    cdef Chance _chance
    cdef int _comet, _opener
    cdef Mask _fallen
    cdef Card _need, _suit

    @cython.locals(player=int, card=Card)
    cpdef int play(self)
    cdef bint _comet_stands_in(self)
    cdef bint _plays_comet(self, int player, Card need)
    @cython.locals(found=Mask, comet=Mask)
    cdef Card _lead(self, int player)
    @cython.locals(bit=Mask)
    cdef _lay(self, int player, Card card, Card claimed, bint opens)
    @cython.locals(bit=Mask, hand=Mask, player=int)
    cdef int _holder(self, Card card)
    cdef Mask _luck(self)


cdef Mask _bit(Card card)
