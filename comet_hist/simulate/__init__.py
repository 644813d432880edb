"""Game nights that nobody played: dealt by chance, played by named strategies, paid by the rules, written as text.

`chance` is the one source of chance, `moves` says what may be played, `strategies` what a player chooses of that,
`play` plays a hand, and `writing` writes its cards. `plan` is what is agreed for all sessions, `evening` carries the
chips of one from hand to hand, and `faults` writes it, with slips if they are wanted: those of a scribe are in `slips`
and `headings`, on the lines of a `sheet`, those of a player in `misplays`. `workers` does it on several cores.

Modules with a `.pxd` file beside them are compiled where there is a compiler. The same files run without one, slower.
"""
