"""How long the database takes to answer: every statistic, and SQL over all plays."""

from pathlib import Path
from typing import Final

from commands import run_over
from corpora import Corpora
from measuring import measure, program, typical
from tables import Table, figure

from comet_hist.stats.columns import VIEWS

QUERIES: Final = (
    "select card, count(*) from plays group by card",
    "select player, comet_use, count(*) from plays group by player, comet_use",
    "select run, avg(ply) from plays group by run",
    "select session, count(*) as plays from plays group by session order by plays desc limit 10",
)
"""Questions that look at every card played."""

FILTERED: Final = (
    ("players", "--player", "Anna", "--size", "4"),
    ("pairs", "--as-recorded", "--include-faulty"),
    ("sessions", "--player", "Anna", "--min-hands", "2"),
    ("timeline", "--player", "Anna", "--since", "2000-01-01"),
)
"""Statistics with filters that leave most hands in."""

WHOLE: Final = (("timeline", "--format", "csv"), ("timeline", "--format", "jsonl"))
"""Statistics of which every row is written, one for each player of each hand."""


def questions(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure every view of `stats`, and queries that group all plays, over one database."""
    corpus = corpora.clean(hands)
    database = corpora.folder / "questions.duckdb"
    run_over("load", corpus, database)
    table = Table(
        "Questions",
        ("command", "wall s", "CPU s"),
        f"{figure(corpus.hands)} hands, {figure(corpus.plays)} plays, loaded before. Rounds: {rounds}, medians. From "
        "the shell, start of the program included; tables of 1,000 rows at most, but csv and jsonl with every row.",
    )
    statistics = (*((view,) for view in VIEWS), *FILTERED, *WHOLE)
    for words in (*(["stats", *asked] for asked in statistics), *(["query", query] for query in QUERIES)):
        command: list[str | Path] = [program(), *words, "--db", database]
        taken = typical([measure(command) for _ in range(rounds)])
        table.rows.append((" ".join(words), figure(taken.wall), figure(taken.cpu)))
    database.unlink()
    return [table]
