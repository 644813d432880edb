cimport cython
from comet_hist.bulk.play cimport Playing

ctypedef unsigned long long ulonglong
ctypedef long long longlong
ctypedef unsigned char uchar

cdef long long _NOTHING


cdef class Purses(Playing):
    cdef long long reading[64]
    cdef long long astray[64]
    cdef bint anchored[64]
    cdef long long start[64]
    cdef long long bought[64]
    cdef long long brought[64]
    cdef long long won[64]
    cdef long long purse[64]
    cdef long long net_pot[64]
    cdef long long net_comet[64]
    cdef long long net_cards[64]
    cdef long long net_transfer[64]
    cdef long long unplayed
    cdef long long payment
    cdef int recorded
    cdef bint stacked
    cdef long long[::1] payment_rows
    cdef Py_ssize_t payments
    cdef Py_ssize_t first_payment

    cdef void open_purse(self, int who, long long chips) noexcept nogil
    cdef void come_back(self, int who, long long chips) noexcept nogil
    @cython.locals(at=int, who=int, amount=longlong)
    cdef bint buy_lines(self) noexcept nogil
    @cython.locals(at=int, who=int)
    cdef void begin_payments(self) noexcept nogil
    @cython.final
    @cython.locals(at=Py_ssize_t)
    cdef void write_payment(self, int kind, int payer, int payee, long long amount) noexcept nogil
    @cython.final
    cdef bint is_recorded(self, bint there) noexcept nogil
    @cython.final
    cdef bint share(self, int who, long long amount, bint first) noexcept nogil
    @cython.locals(at=int, who=int)
    cdef bint antes(self) noexcept nogil
    @cython.locals(at=int, who=int, payee=int, first=bint)
    cdef bint comet_payments(self) noexcept nogil
    @cython.locals(at=int, who=int, payee=int, amount=longlong, total=longlong)
    cdef bint card_payments(self) noexcept nogil
    @cython.locals(payee=int, total=longlong)
    cdef bint pot_payment(self) noexcept nogil
    @cython.locals(at=int, who=int, payee=int, amount=longlong, total=longlong, first=Py_ssize_t, row=Py_ssize_t)
    cdef bint transfer_lines(self) noexcept nogil
    @cython.locals(there=bint, at=int, who=int, chips=longlong, won=longlong)
    cdef bint stacks_line(self) noexcept nogil
