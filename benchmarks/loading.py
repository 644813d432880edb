"""Loading hands with all that belongs to them, beside DuckDB reading no more than their plays from CSV.

As a program, `python loading.py export DATABASE FOLDER` writes the plays of a database as `plays.csv`, and the
statement that reads them as `plays.sql`; `python loading.py read SQL DATABASE` carries it out in a new database.
"""

import sys
from pathlib import Path

from commands import run_over
from corpora import Corpora
from measuring import Measured, MeasuringError, alternating, measure, output
from tables import Table, figure, megabytes


def loading(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure `load` against `read_csv`, in turn, and what each leaves on the disk."""
    corpus = corpora.clean(hands)
    database, other = corpora.folder / "load.duckdb", corpora.folder / "plays.duckdb"
    table, statement = corpora.folder / "plays.csv", corpora.folder / "plays.sql"
    run_over("load", corpus, database)
    exported = int(output([sys.executable, __file__, "export", database, corpora.folder]))
    if exported != corpus.plays:
        raise MeasuringError(f"{corpus.path.name} has {corpus.plays} plays, but {exported} were loaded")

    def read_csv() -> Measured:
        other.unlink(missing_ok=True)
        return measure([sys.executable, __file__, "read", statement, other])

    load, read = alternating(rounds, lambda: run_over("load", corpus, database), read_csv)
    packed = corpora.packed(corpus, ".gz")
    times = Table(
        "load against read_csv",
        ("", "reads MB", "writes MB", "wall s", "CPU s", "plays/s (wall)", "plays/s (CPU)"),
        f"{figure(corpus.hands)} hands, {figure(corpus.plays)} plays; rounds: {rounds}, in turn, medians. Whole "
        "processes on all cores. `load` reads text, replays, audits, and stores all the views are made of; `read_csv` "
        "makes the table of the plays alone, with the columns and types of the view.",
    )
    for label, source, target, taken in (
        ("comet-hist load", corpus.path, database, load),
        ("DuckDB read_csv", table, other, read),
    ):
        sizes = (megabytes(source.stat().st_size), megabytes(target.stat().st_size))
        rates = (figure(corpus.plays / taken.wall), figure(corpus.plays / taken.cpu))
        times.rows.append((label, *sizes, figure(taken.wall), figure(taken.cpu), *rates))
    times.rows.append(("load / read_csv", "", "", f"{load.wall / read.wall:.2f}", f"{load.cpu / read.cpu:.2f}", "", ""))
    disk = Table("On the disk", ("", "MB", "of the gzipped text"), f"{figure(corpus.hands)} hands; `gzip -6`.")
    gzipped = packed.path.stat().st_size
    for label, size in (("text", corpus.size), ("text, gzipped", gzipped), ("database", database.stat().st_size)):
        disk.rows.append((label, megabytes(size), f"{size / gzipped:.2f}"))
    for path in (database, other, table, statement):
        path.unlink()
    return [times, disk]


def _export(database: str, folder: str) -> None:
    import duckdb

    table = Path(folder, "plays.csv")
    with duckdb.connect(database, read_only=True) as connection:
        plays = connection.table("plays")
        plays.write_csv(str(table))
        types = dict(zip(plays.columns, map(str, plays.types), strict=True))
        source = f"read_csv('{table}', header = true, columns = {types})"
        Path(folder, "plays.sql").write_text(f"CREATE TABLE plays AS SELECT * FROM {source}", encoding="utf-8")
        print(len(plays))


def _read(statement: str, database: str) -> None:
    import duckdb

    with duckdb.connect(database) as connection:
        connection.execute(Path(statement).read_text(encoding="utf-8"))


def main() -> None:
    """Write the plays of a database, or read them."""
    step, source, target = sys.argv[1:]
    {"export": _export, "read": _read}[step](source, target)


if __name__ == "__main__":
    main()
