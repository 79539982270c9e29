"""carat: simulate games about diamonds, and read the results as polars frames.

>>> played = carat.simulate("diamant", seats=["depth", "traps"], games="10k")
>>> played.table("seats")["win_share"]
"""

from __future__ import annotations

import html
import importlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import polars

__all__ = ["CaratError", "Engine", "Results", "adapt", "compare", "program", "rule", "run", "simulate", "sweep",
           "tournament", "tune"]

try:
    __version__ = version("carat")
except PackageNotFoundError:
    __version__ = "unknown"

#: Exit codes with results: complete, and less precise than asked.
_GOOD = (0, 3)
#: The longest question of the engine, in bytes.
_QUESTION_MAX = 1 << 22


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

    def _repr_html_(self) -> str:
        """The main table, for notebooks."""
        name = "seats" if "seats" in self.tables else next(iter(self.tables), None)
        shown = "" if name is None else self.table(name)._repr_html_()
        return f"<p>{html.escape(repr(self))}: {html.escape(', '.join(self.tables))}</p>{shown}"


def run(
    study: str | os.PathLike[str] | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] | None = None,
    options: Sequence[str] = ("--no-charts",),
    timeout: float | None = None,
    progress: bool = False,
) -> Results:
    """Play a study: the path of a file or manifest, or the keys of a file.

    Results go to the folder `out`, or to a temporary one. `options` are those of `carat run`. After `timeout`
    seconds, or Ctrl-C, a simulation or comparison ends early with a warning, and its results are those of the
    games so far. `progress` shows a bar of tqdm where that is installed, else carat's own lines.
    """
    keep = None if out is not None else tempfile.TemporaryDirectory(prefix="carat-")
    folder = Path(os.fspath(out)) if out is not None else Path(keep.name if keep else "") / "results"
    if isinstance(study, Mapping):
        given, text = "-", "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in study.items())
    else:
        given, text = os.fspath(study), ""
    line = [program(), "run", given, "--out", os.fspath(folder), "--format", "parquet", *options]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, encoding="utf-8", errors="replace", start_new_session=True)
    said: list[str] = []
    show = _bar() if progress else None
    reader = threading.Thread(target=_follow, args=(process, said, show), daemon=True)
    reader.start()
    assert process.stdin
    try:
        process.stdin.write(text)
        process.stdin.close()
    except OSError:
        pass  # It refused the study before it read all of it.
    try:
        process.wait(timeout)
    except (KeyboardInterrupt, subprocess.TimeoutExpired):
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        process.wait()
    reader.join()
    for line_said in said:
        if line_said.startswith("warning: "):
            warnings.warn(line_said.removeprefix("warning: "), stacklevel=3)
    error = "\n".join(said)
    error = error[error.find("error: ") :].removeprefix("error: ")
    code = process.returncode
    if code not in _GOOD:
        folder = folder / "partial"
        if not 128 < code < 144 or not (folder / "manifest.json").exists():
            raise CaratError(error, code)
    if code:
        warnings.warn(error, stacklevel=3)
    return Results(folder, keep)


def _follow(process: subprocess.Popen[str], said: list[str], show: Any) -> None:
    """Keeps what carat says, and shows its progress."""
    assert process.stderr
    for line in process.stderr:
        line = line.rstrip()
        share = line.split(" %: ")[0]
        if " %: " in line and share.isdigit():
            if show:
                show(int(share), line)
        elif line.startswith("    ") and said and said[-1].startswith("warning: "):
            said[-1] += " " + line.strip()
        elif line:
            said.append(line)


def _bar() -> Any:
    """What shows a percentage and a line."""
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return lambda _, line: print(line, file=sys.stderr)
    bar = tqdm(total=100, unit="%")

    def show(share: int, _: str) -> None:
        bar.update(share - bar.n)

    return show


def _study(kind: str, game: str, keys: dict[str, Any]) -> Results:
    """Plays a study of these keys; some are those of `run`."""
    how = {key: keys.pop(key) for key in ("out", "options", "timeout", "progress") if key in keys}
    for key in ("seats", "bots", "set"):
        if key in keys and isinstance(keys[key], (str, os.PathLike)):
            keys[key] = [keys[key]]
    given = {key: value for key, value in keys.items() if value is not None}
    return run({"study": kind, "game": game, **given}, **how)


def simulate(
    game: str,
    *,
    seats: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    games: int | str | None = None,
    seed: int | None = None,
    players: int | None = None,
    others: str | None = None,
    rules: str | os.PathLike[str] | None = None,
    set: str | Iterable[str] = (),
    precision: float | None = None,
    **keys: Any,
) -> Results:
    """Play many games at one table; the names are those of a study file, and of `run`."""
    own: dict[str, Any] = dict(games=games, seed=seed, players=players, others=others, rules=rules,
                               precision=precision, **keys)
    for key, value in (("seats", seats), ("set", set)):
        listed = [value] if isinstance(value, (str, os.PathLike)) else list(value)
        own[key] = listed or None
    return _study("simulate", game, own)


def compare(game: str, sides: Mapping[str, Sequence[str]] | None = None, **keys: Any) -> Results:
    """Compare sides: a name, and a list of changes, for each; the keys are those of a study file."""
    return _study("compare", game, {"sides": sides, **keys})


def sweep(game: str, vary: Mapping[str, Any] | None = None, **keys: Any) -> Results:
    """Try values: a path, and a range such as "4..12" or a list of values, for each."""
    return _study("sweep", game, {"vary": _varied(vary), **keys})


def tune(game: str, vary: Mapping[str, Any] | None = None, **keys: Any) -> Results:
    """Search for the values that do best, or meet `target`."""
    return _study("tune", game, {"vary": _varied(vary), **keys})


def tournament(game: str, bots: str | Sequence[str | os.PathLike[str]] = (), **keys: Any) -> Results:
    """Play bots against each other."""
    return _study("tournament", game, {"bots": bots, **keys})


def rule(game: str, **keys: Any) -> Results:
    """Find the simplest rule that is nearly as good as the best."""
    return _study("rule", game, keys)


def adapt(game: str, **keys: Any) -> Results:
    """Find how players play once they know the rules."""
    return _study("adapt", game, keys)


def _varied(vary: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Values as a study file has them: a text, or a list joined by commas."""
    def text(values: Any) -> str:
        return values if isinstance(values, str) else ",".join(str(_plain(value)) for value in values)

    return None if vary is None else {path: text(values) for path, values in vary.items()}


def _plain(value: Any) -> Any:
    """A value of JSON: numbers of numpy as Python's, paths as texts, and ranges as lists."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(of) for key, of in value.items()}
    if not isinstance(value, (str, bytes)) and hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [_plain(of) for of in value]
    return value


def _toml(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(of)}" for key, of in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value = str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class Engine:
    """`carat engine`: answers questions about positions, many at the same time.

    Use it in a `with` block, or call `close`.
    """

    def __init__(self, threads: int = 0, allow_files: bool = False):
        line = [program(), "engine", "--threads", str(threads), *(["--allow-files"] if allow_files else [])]
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         encoding="utf-8", errors="replace")
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
            question = json.dumps(_plain({"id": number, "ask": ask, "table": table, **fields})) + "\n"
            if len(question) > _QUESTION_MAX:
                future.set_exception(CaratError(f"the question is longer than {_QUESTION_MAX} bytes"))
                return future
            self._waiting[number] = future
            assert self._process.stdin
            try:
                self._process.stdin.write(question)
                self._process.stdin.flush()
            except (OSError, ValueError):
                self._waiting.pop(number, None)
                raise CaratError("the engine has ended") from None
        return future

    def ask(self, ask: str, table: Mapping[str, Any], *, timeout: float | None = None, **fields: Any) -> dict[str, Any]:
        """Ask a question, and wait for its answer, at most `timeout` seconds."""
        return self.submit(ask, table, **fields).result(timeout)

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            try:
                answer = json.loads(line)
                number = answer.pop("id")
            except (ValueError, KeyError, AttributeError, TypeError):
                continue  # It answers no question.
            is_last = answer.get("done", True) and "adapting" not in answer
            with self._lock:
                future = self._waiting.pop(number, None) if is_last else None
            if future is None or not future.set_running_or_notify_cancel():
                continue
            if "error" in answer:
                future.set_exception(CaratError(answer["error"], field=answer.get("field")))
            else:
                future.set_result(answer)
        with self._lock:
            left, self._waiting = list(self._waiting.values()), {}
        for future in left:
            if future.set_running_or_notify_cancel():
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
