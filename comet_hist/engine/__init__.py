"""The rules of play: whose card it is, what a play does, why a run stops, what is owed.

`table` is the state of play, `deal` who holds what, `hand` goes through a recorded hand, `session` from hand
to hand, and `owed` says what each hand costs. `facts` are the values that come out.
"""
