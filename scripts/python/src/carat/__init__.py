"""carat: simulate games about diamonds, and read the results as polars frames.

>>> played = carat.simulate("diamant", seats=["depth", "traps"], games="10k")
>>> played.table("seats")["win_share"]
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import polars

__all__ = ["CaratError", "Engine", "Results", "program", "run", "simulate"]


class CaratError(Exception):
    """What carat refused, with its exit code, or the field of a question that is wrong."""

    def __init__(self, message: str, code: int | None = None, field: str | None = None):
        super().__init__(message)
        self.code = code
        self.field = field


def program() -> str:
    """The path of carat: $CARAT, the one of this environment, or the one on the path."""
    own = Path(sysconfig.get_path("scripts")) / ("carat.exe" if os.name == "nt" else "carat")
    found = os.environ.get("CARAT") or (str(own) if own.exists() else shutil.which("carat"))
    if not found:
        raise CaratError("there is no program `carat`")
    return found


class Results:
    """The results of a study, in a folder. A temporary folder is gone with this object."""

    def __init__(self, folder: str | os.PathLike[str], keep: Any = None):
        self.folder = Path(folder)
        self._keep = keep
        self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text("utf-8"))

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return sorted(file.stem for file in self.folder.glob("*.parquet"))

    def table(self, name: str) -> polars.DataFrame:
        """A table; `carat show columns` explains its columns."""
        file = self.folder / f"{name}.parquet"
        if not file.exists():
            raise CaratError(f"there is no table {name!r}; there are {', '.join(self.tables)}")
        return polars.read_parquet(file)

    def __repr__(self) -> str:
        return f"carat.Results({str(self.folder)!r})"


def run(
    study: str | os.PathLike[str] | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] | None = None,
    options: Sequence[str] = ("--no-charts",),
) -> Results:
    """Play a study: the path of a file or manifest, or the keys of a file.

    Results go to the folder `out`, or to a temporary one. `options` are those of `carat run`.
    """
    keep = None if out is not None else tempfile.TemporaryDirectory(prefix="carat-")
    folder = out if keep is None else Path(keep.name) / "results"
    given, text = (study, None)
    if isinstance(study, Mapping):
        given, text = "-", "".join(f"{key} = {_toml(value)}\n" for key, value in study.items())
    line = [program(), "run", os.fspath(given), "--out", os.fspath(folder), "--format", "parquet", "--quiet"]
    # A program that waits at a terminal is no use here, and what is printed is an error.
    done = subprocess.run([*line, *options], input=text or "", text=True, capture_output=True)
    if done.returncode:
        raise CaratError(done.stderr.strip(), done.returncode)
    results = Results(folder, keep)
    if results.manifest.get("passes"):
        warnings.warn(f"decisions passed because a program failed: {results.manifest['passes']}", stacklevel=2)
    return results


def simulate(
    game: str,
    *,
    seats: Sequence[str] = (),
    games: int | str | None = None,
    seed: int | None = None,
    players: int | None = None,
    others: str | None = None,
    rules: str | None = None,
    set: Sequence[str] = (),
    precision: float | None = None,
    out: str | os.PathLike[str] | None = None,
    options: Sequence[str] = ("--no-charts",),
) -> Results:
    """Play many games at one table; the names are those of `carat simulate`."""
    keys = dict(seats=list(seats), games=games, seed=seed, players=players, others=others,
                rules=rules, set=list(set), precision=precision)
    given = {key: value for key, value in keys.items() if value not in (None, [])}
    return run({"study": "simulate", "game": game, **given}, out=out, options=options)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(of)}" for key, of in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value = str(value)
    return json.dumps(value)


class Engine:
    """`carat engine`: answers questions about positions, many at the same time.

    Use it in a `with` block, or call `close`.
    """

    def __init__(self, threads: int = 0):
        line = [program(), "engine", "--threads", str(threads)]
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._ids = itertools.count()
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def submit(self, ask: str, table: Mapping[str, Any], **fields: Any) -> Future[dict[str, Any]]:
        """Ask a question; its answer comes later. `carat help engine` describes all fields."""
        future: Future[dict[str, Any]] = Future()
        with self._lock:
            number = next(self._ids)
            self._waiting[number] = future
            question = {"id": number, "ask": ask, "table": table, **fields}
            assert self._process.stdin
            try:
                self._process.stdin.write(json.dumps(question) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                self._waiting.pop(number)
                raise CaratError("the engine has ended") from None
        return future

    def ask(self, ask: str, table: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
        """Ask a question, and wait for its answer."""
        return self.submit(ask, table, **fields).result()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            answer = json.loads(line)
            with self._lock:
                future = self._waiting.pop(answer.pop("id"))
            if "error" in answer:
                future.set_exception(CaratError(answer["error"], field=answer.get("field")))
            else:
                future.set_result(answer)
        with self._lock:
            left, self._waiting = list(self._waiting.values()), {}
        for future in left:
            future.set_exception(CaratError("the engine has ended"))

    def close(self) -> None:
        """Wait for the answers that are left, and end the engine."""
        if self._process.stdin:
            self._process.stdin.close()
        self._reader.join()
        self._process.wait()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
