"""Where and when a run was made."""

import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path

from tables import Table


def machine() -> Table:
    """Return the date, the machine and the versions that the figures belong to."""
    import comet_hist

    table = Table("One run", ("", "of this run"), words=2)
    table.rows += [
        ("date", date.today().isoformat()),
        ("processor", _processor()),
        ("cores", str(len(os.sched_getaffinity(0)))),
        ("memory", f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e9:.0f} GB"),
        ("system", f"{platform.system()} {platform.release()}"),
        ("load average at the start", f"{os.getloadavg()[0]:.1f}"),
        ("comet-hist", comet_hist.__version__),
        ("Python", platform.python_version()),
        ("DuckDB", version("duckdb")),
    ]
    return table


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
