cimport cython
from comet_hist.bulk.scanner cimport Scanner

ctypedef unsigned long long ulonglong
ctypedef long long longlong
ctypedef unsigned char uchar

cdef int _PLAYERS


cdef class Table(Scanner):
    cdef Py_ssize_t rules_at
    cdef Py_ssize_t rules_length
    cdef int game
    cdef long long ante
    cdef long long comet
    cdef long long card_price
    cdef bint progressive
    cdef long long cap
    cdef long long agreed
    cdef bint gap_stop
    cdef bint led_free
    cdef bint keep_yes
    cdef int standin
    cdef bint first_hand
    cdef bint suit_change
    cdef int ever
    cdef Py_ssize_t name_at[64]
    cdef Py_ssize_t name_length[64]
    cdef int seat_of[64]
    cdef int players
    cdef int seated[6]
    cdef int placed[6]
    cdef int position_of[64]
    cdef bint moved
    cdef int due
    cdef int dealer
    cdef int came[64]
    cdef int comings
    cdef int settled

    @cython.locals(length=Py_ssize_t, known=Py_ssize_t, at=Py_ssize_t, index=Py_ssize_t)
    cdef bint named(self, int who, unsigned char behind) noexcept nogil
    cdef bint rules_line(self) noexcept nogil
    cdef bint allowed_size(self) noexcept nogil
    @cython.locals(who=int, index=Py_ssize_t)
    cdef int known_as(self, Py_ssize_t at, Py_ssize_t length) noexcept nogil
    @cython.locals(at=int)
    cdef bint sit(self, int who, int number) noexcept nogil
    cdef void leave(self, int at) noexcept nogil
    @cython.locals(at=int)
    cdef int next_taken(self, int number) noexcept nogil
    @cython.locals(at=int)
    cdef int dealer_line(self) noexcept nogil
    @cython.locals(position=int, at=int)
    cdef void place(self, int dealer) noexcept nogil
