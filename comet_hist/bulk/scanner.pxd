cimport cython

ctypedef unsigned long long ulonglong
ctypedef long long longlong
ctypedef unsigned char uchar

cdef int _NO_CARD
cdef int _NEITHER
cdef int _NAME
cdef int _TEXT
cdef int _PRICE
cdef long long _MOST_CHIPS
cdef long long _NOTHING
cdef Py_ssize_t _LONGEST_NAME
cdef Py_ssize_t _LONGEST_TEXT


cdef class Scanner:
    cdef const unsigned char* text
    cdef readonly Py_ssize_t at
    cdef Py_ssize_t end
    cdef readonly long long line
    cdef const unsigned char* ranks
    cdef const unsigned char* suits
    cdef bytes chunk
    cdef long long[::1] word_rows, question_rows, slots
    cdef Py_ssize_t words, questions
    cdef ulonglong slot_mask
    cdef long long generation
    cdef int listed[52]
    cdef int count

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t)
    cdef bint stands(self, const unsigned char* word) noexcept nogil
    cdef bint sign(self, unsigned char byte) noexcept nogil
    cdef bint line_end(self) noexcept nogil
    @cython.locals(rank=int, suit=int)
    cdef int card(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, above=int, count=int, rank=int, suit=int, card=int)
    cdef bint cards(self) noexcept nogil
    @cython.locals(digit=int, value=longlong)
    cdef long long number(self) noexcept nogil
    @cython.locals(below=bint, value=longlong)
    cdef long long chips(self) noexcept nogil
    @cython.locals(tens=int, units=int)
    cdef int two_digits(self, int most) noexcept nogil
    @cython.locals(hour=int, minute=int, second=int)
    cdef long long clock(self) noexcept nogil
    @cython.locals(century=int, year=longlong, month=int, day=int, longest=int, days=longlong)
    cdef long long day(self) noexcept nogil
    @cython.locals(start=Py_ssize_t, at=Py_ssize_t, byte=uchar, plain=bint, length=Py_ssize_t)
    cdef Py_ssize_t name(self) noexcept nogil
    @cython.locals(start=Py_ssize_t, at=Py_ssize_t, plain=bint)
    cdef Py_ssize_t free_text(self) noexcept nogil
    @cython.locals(start=Py_ssize_t, at=Py_ssize_t)
    cdef bint price(self) noexcept nogil
    @cython.locals(key=ulonglong, index=Py_ssize_t, slot=ulonglong, row=longlong)
    cdef long long word(self, Py_ssize_t at, Py_ssize_t length) noexcept nogil
    @cython.locals(row=longlong)
    cdef void ask(self, int kind, Py_ssize_t at, Py_ssize_t length) noexcept nogil
    @cython.locals(question=Py_ssize_t, kind=int, row=longlong, at=Py_ssize_t, word=bytes)
    cpdef bint answer(self) except -1


cpdef bint closes_hand(const unsigned char* text, Py_ssize_t at) noexcept nogil

@cython.locals(index=Py_ssize_t)
cdef bint _begins(const unsigned char* text, Py_ssize_t at, const unsigned char* word) noexcept nogil
