cimport cython
from comet_hist.bulk.chips cimport Purses
from comet_hist.bulk.scanner cimport closes_hand

ctypedef unsigned long long ulonglong
ctypedef long long longlong
ctypedef unsigned char uchar

cdef long long _MOST_CHIPS
cdef long long _NOTHING
cdef unsigned long long _ONE


@cython.final
cdef class Kernel(Purses):
    cdef int join_who[6]
    cdef int join_seat[6]
    cdef int seat_who
    cdef int seat_number
    cdef long long seat_chips
    cdef bint new
    cdef long long before[64]
    cdef long long word_of[64]
    cdef long long last
    cdef long long counted
    cdef long long hand_line
    cdef Py_ssize_t ident_at
    cdef Py_ssize_t ident_length
    cdef long long date
    cdef long long began
    cdef Py_ssize_t where_at
    cdef Py_ssize_t where_length
    cdef Py_ssize_t room
    cdef long long[::1] session_rows
    cdef Py_ssize_t sessions
    cdef long long[::1] hand_rows
    cdef Py_ssize_t hand_count
    cdef long long[::1] seat_rows
    cdef Py_ssize_t seats
    cdef long long[::1] balance_rows
    cdef Py_ssize_t balances
    cdef long long[::1] left_rows
    cdef Py_ssize_t lefts
    cdef readonly dict tables
    cdef readonly dict used

    cdef make_room(self, bytes chunk)
    cdef Py_ssize_t start_at, first_hand_row, first_seat_row, first_run_row, first_play_row, first_payment_row
    cdef long long start_line
    cdef bint below_hand
    cdef readonly bint stopped

    cdef take_up_text(self, bytes chunk)
    cdef count_rows(self)

    @cython.locals(above=int)
    cdef bint header(self) noexcept nogil
    cdef bint date_line(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, length=Py_ssize_t, known=int, number=int)
    cdef bint seat_line(self) noexcept nogil
    cdef bint all_hands(self) noexcept nogil
    cdef bint footer(self) noexcept nogil
    @cython.locals(start=Py_ssize_t, at=Py_ssize_t)
    cdef bint opens_session(self) noexcept nogil
    @cython.locals(who=int, best=longlong, winners=int, claimed=ulonglong, above=int)
    cdef bint winner_names(self) noexcept nogil
    @cython.locals(dealer=int, time=longlong)
    cdef bint hand(self) noexcept nogil
    @cython.locals(at=int, above=int, index=int, joined=int, left=int)
    cdef bint comings_and_goings(self) noexcept nogil
    @cython.locals(at=int, who=int)
    cdef void keep_stacks(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, column=Py_ssize_t)
    cdef bint void_hand(self, int dealer, long long time) noexcept nogil
    @cython.locals(fallen=bint)
    cdef bint all_runs(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, row=Py_ssize_t, position=int, cards_left=int)
    cdef void write_hand(self, long long time) noexcept nogil
    @cython.locals(at=Py_ssize_t, who=int)
    cdef void write_seat(self, int position) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef bint read_on(self) noexcept nogil
    cdef void settle(self, bint clean) noexcept nogil
    cdef void keep(self) noexcept nogil
    cdef void take_back(self) noexcept nogil
    @cython.locals(start=Py_ssize_t, line=longlong)
    cdef bint hand_ends(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, last=Py_ssize_t)
    cdef void pass_over(self) noexcept nogil
    cdef bint session(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, who=int)
    cdef void write_session(self) noexcept nogil
