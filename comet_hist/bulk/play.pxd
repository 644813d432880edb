cimport cython
from comet_hist.bulk.table cimport Table

ctypedef unsigned long long ulonglong
ctypedef long long longlong
ctypedef unsigned char uchar

cdef int _COMET
cdef int _GAP
cdef unsigned long long _PACK
cdef int _NO_CARD
cdef unsigned long long _ONE


cdef class Playing(Table):
    cdef unsigned long long dealt[6]
    cdef unsigned long long hands[6]
    cdef int counts[6]
    cdef int in_suit[24]
    cdef int holder[52]
    cdef unsigned long long laid
    cdef int need
    cdef int opener
    cdef int suit
    cdef int out
    cdef int comet_holder
    cdef int comet_player
    cdef int comet_for
    cdef int comet_use
    cdef int comet_ply
    cdef long long[::1] run_rows
    cdef Py_ssize_t runs
    cdef unsigned char[::1] card_names
    cdef unsigned char[::1] positions
    cdef Py_ssize_t plays
    cdef Py_ssize_t first_run
    cdef Py_ssize_t first_play

    @cython.locals(position=int, index=int, missing=int, size=int, more=int, seen=ulonglong, mask=ulonglong)
    cdef bint deal_lines(self) noexcept nogil
    @cython.final
    @cython.locals(card=int)
    cdef bint give_rest(self, int position, unsigned long long rest, int size) noexcept nogil
    @cython.final
    @cython.locals(position=int, card=int)
    cdef void take_up(self) noexcept nogil
    @cython.final
    cdef bint is_held(self, int card) noexcept nogil
    @cython.final
    @cython.locals(suit=int, held=ulonglong, bit=ulonglong, low=ulonglong, other=int)
    cdef bint may_lead(self, int player, int card) noexcept nogil
    @cython.final
    cdef bint may_stand_in(self, int card) noexcept nogil
    @cython.final
    @cython.locals(bit=ulonglong)
    cdef void lay(self, int player, int card, int claimed) noexcept nogil
    @cython.final
    cdef void copy_name(self) noexcept nogil
    @cython.final
    cdef void play_comet(self, int player, int stands_for) noexcept nogil
    @cython.final
    cdef int stop(self) noexcept nogil
    @cython.locals(opener=int, player=int, first=Py_ssize_t, opener_cards=int, card=int, other=int)
    cdef bint run_line(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, chosen=int, suits=int, longest=int, suit=int, length=int)
    cdef void write_choice(self, int opener) noexcept nogil
    @cython.final
    cdef int speaker(self) noexcept nogil
    @cython.final
    @cython.locals(card=int)
    cdef bint follow(self, int player) noexcept nogil
    @cython.final
    @cython.locals(stop=int, at=Py_ssize_t)
    cdef bint close_run(self, int opener, int closer, Py_ssize_t first, int opener_cards) noexcept nogil
    @cython.locals(position=int, index=int, mask=ulonglong)
    cdef bint left_lines(self) noexcept nogil
