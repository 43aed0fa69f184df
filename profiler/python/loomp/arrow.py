"""A trace's tables for Arrow, and so for pandas, Polars, DuckDB and Parquet."""
from ._native import NEVER, NONE


def to_arrow(trace, table):
    """The table of this name ("tasks", "kinds") as a pyarrow.Table; values that are not in the
    trace are null. Tasks have a column for each counter, too.

    Columns are copies, because the trace stores rows. Needs pyarrow; the ImportError without it
    names the package.
    """
    try:
        import pyarrow
    except ImportError as problem:
        import numpy

        wanted = "pyarrow" if int(numpy.__version__.split(".")[0]) >= 2 else "pyarrow<19"
        raise ImportError(f"to_arrow needs pyarrow, for NumPy {numpy.__version__}: "
                          f"pip install '{wanted}' in a virtual environment (python3 -m venv "
                          f"--system-site-packages)") from problem

    if table == "kinds":
        labels, sources = zip(*trace.kinds) if trace.kinds else ((), ())
        return pyarrow.table({"label": pyarrow.array(labels, pyarrow.string()),
                              "source": pyarrow.array(sources, pyarrow.string())})
    rows = getattr(trace, table)
    columns = {}
    for name in rows.dtype.names:
        values = rows[name].copy()
        absent = {"uint32": NONE, "int64": NEVER}.get(str(values.dtype))
        columns[name] = pyarrow.array(values, mask=None if absent is None else values == absent)
    if table == "tasks":
        for i, name in enumerate(trace.counters):
            columns[name] = pyarrow.array(trace.counts[:, i].copy())
    return pyarrow.table(columns)
