"""carat: simulate games about diamonds, and read the results as polars frames.

>>> played = carat.simulate("diamant", seats=["depth", "traps"], games="10k")
>>> played.table("seats")["win_share"]
"""

from __future__ import annotations

import html
import importlib
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as _TimeoutError
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
#: Replaces a shell by a program, beside a shell that kills it once a pipe closes, as it does when Python ends in
#: whatever way.
_WATCHED = '(read -r line < "/dev/fd/$0"; kill -KILL 0) > /dev/null 2>&1 & exec "$@"'


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


class _Child(subprocess.Popen[str]):
    """carat with these arguments, in a session of its own: Ctrl-C is for Python. It ends with Python."""

    def __init__(self, *arguments: str, **how: Any):
        line = [program(), *arguments]
        unwrapped = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        reads, writes = os.pipe()
        self._watch = os.fdopen(writes, "wb")
        if os.name != "nt":
            line = ["/bin/sh", "-c", _WATCHED, str(reads), *line]
            how["pass_fds"] = (reads,)
        try:
            super().__init__(line, stdin=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
                             start_new_session=True, env=unwrapped, **how)
        finally:
            os.close(reads)

    def interrupt(self) -> None:
        self.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)

    def end(self) -> None:
        """Kills it if it still runs."""
        if self.poll() is None:
            self.kill()
        self.wait()
        self._watch.close()


def _warn(what: str | Warning) -> None:
    """Warns at the line that called into this module, however deep it is in here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__") == __name__:
        frame, level = frame.f_back, level + 1
    warnings.warn(what, stacklevel=level)


def _await(event: threading.Event, timeout: float | None = None) -> bool:
    """Waits in short steps: polars lets a system call go on after Ctrl-C, which Python notices when it returns."""
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not event.wait(max(0, min(0.1, end - time.monotonic()))):
        if time.monotonic() >= end:
            return False
    return True


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
    threads: int | None = None,
) -> Results:
    """Play a study: the path of a file or manifest, or the keys of a file.

    Results go to the folder `out`, or to a temporary one. `options` are those of `carat run`. After `timeout`
    seconds, or Ctrl-C, a simulation or comparison ends early with a warning, and its results are those of the
    games so far. `progress` shows a bar of tqdm where that is installed, else carat's own lines.
    """
    keep = None if out is not None else tempfile.TemporaryDirectory(prefix="carat-")
    folder = Path(os.fspath(out)) if out is not None else Path(keep.name if keep else "") / "results"
    keys = _as_in_a_file(study) if isinstance(study, Mapping) else {}
    given = "-" if isinstance(study, Mapping) else os.fspath(study)
    how = [*options, *(["--threads", str(threads)] if threads is not None else [])]
    child = _Child("run", given, "--out", os.fspath(folder), "--format", "parquet", *how,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said: list[str] = []
    over = threading.Event()
    show = _bar() if progress else None
    is_interrupted = False
    try:
        threading.Thread(target=_follow, args=(child, said, show, over), daemon=True).start()
        _send(child, "".join(f"{_key(key)} = {value}\n" for key, value in keys.items()))
        try:
            is_over = _await(over, timeout)
        except KeyboardInterrupt:
            is_over, is_interrupted = False, True
        if not is_over:
            child.interrupt()
            _await(over)
    finally:
        child.end()
    for line in said:
        if line.startswith("warning: "):
            _warn(line.removeprefix("warning: "))
    error, code = _in_python("\n".join(said), keys, out), child.returncode
    if code not in _GOOD:
        if not error.startswith("interrupted after"):
            raise KeyboardInterrupt if is_interrupted else CaratError(error or "carat ended without results", code)
        folder = folder / "partial"
    elif show:
        show(100, "")
    if code:
        _warn(error)
    return Results(folder, keep)


def _send(child: _Child, text: str) -> None:
    assert child.stdin
    try:
        child.stdin.write(text)
        child.stdin.close()
    except OSError:
        pass  # It refused the study before it read all of it.


def _follow(child: _Child, said: list[str], show: Any, over: threading.Event) -> None:
    """Keeps what carat says, and shows its progress, until it has ended."""
    assert child.stderr
    try:
        with child.stderr as lines:
            for line in lines:
                line = line.rstrip()
                share = line.split(" %: ")[0]
                if " %: " in line and share.isdigit():
                    if show:
                        show(int(share), line)
                elif line.startswith("    ") and said and said[-1].startswith("warning: "):
                    said[-1] += " " + line.strip()
                elif line:
                    said.append(line)
        child.wait()
    finally:
        over.set()


def _in_python(said: str, keys: dict[str, str], out: Any) -> str:
    """The error among what carat said, in terms of Python: arguments instead of lines of standard input."""
    error = said[max(0, said.find("error: ")) :].removeprefix("error: ")
    if error.startswith("interrupted after"):
        kept, _, more = error.partition(", and ")
        is_open = out is not None and "--resume" in more
        return kept + ('; run it again with options=["--resume"] to continue' if is_open else "")
    if keys and error.startswith("standard input: "):
        error = error.removeprefix("standard input: ")
        name = error.split("`")[1] if error.count("`") > 1 else None
        of = [key for key, value in keys.items() if name and name in value]
        return f"{of[0]}: {error}" if len(of) == 1 else error
    if keys:
        error = re.sub(r"--> standard input:(\d+):\d+", lambda at: f"--> {list(keys)[int(at[1]) - 1]}", error)
        error = re.sub(r"^\d+ \|", lambda line: "|".rjust(len(line[0])), error, flags=re.MULTILINE)
    return error


def _bar() -> Any:
    """What shows a percentage and a line."""
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return lambda _, line: line and print(line, file=sys.stderr)
    bar = tqdm(total=100, unit="%")

    def show(share: int, line: str) -> None:
        bar.update(share - bar.n)
        if not line:
            bar.close()

    return show


def _as_in_a_file(study: Mapping[str, Any]) -> dict[str, str]:
    """The keys of a study and their values in TOML. Changes may be dicts, and lists with one value the value."""
    keys: dict[str, Any] = {key: _plain(value) for key, value in study.items() if value is not None}
    for key in ("seats", "bots", "set"):
        if isinstance(keys.get(key), str):
            keys[key] = [keys[key]]
    if isinstance(keys.get("others"), list):
        keys["others"] = ",".join(map(str, keys["others"]))
    if isinstance(keys.get("set"), dict):
        keys["set"] = _changes(keys["set"])
    if isinstance(keys.get("sides"), dict):
        keys["sides"] = {side: _changes(of) if isinstance(of, dict) else of for side, of in keys["sides"].items()}
    if isinstance(keys.get("vary"), dict):
        keys["vary"] = {path: ",".join(map(str, values)) if isinstance(values, list) else values
                        for path, values in keys["vary"].items()}
    return {key: _toml(value) for key, value in keys.items()}


def _changes(values: dict[str, Any]) -> list[str]:
    return [f"{path}={value if isinstance(value, str) else _toml(value)}" for path, value in values.items()]


def _study(kind: str, game: str, keys: dict[str, Any]) -> Results:
    """Plays a study of these keys; some are those of `run`."""
    how = {key: keys.pop(key) for key in ("out", "options", "timeout", "progress", "threads") if key in keys}
    return run({"study": kind, "game": game, **keys}, **how)


def simulate(
    game: str,
    *,
    seats: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    games: int | str | None = None,
    seed: int | None = None,
    players: int | None = None,
    others: str | None = None,
    rules: str | os.PathLike[str] | None = None,
    set: str | Iterable[str] | Mapping[str, Any] = (),
    precision: float | None = None,
    **keys: Any,
) -> Results:
    """Play many games at one table; the names are those of a study file, and of `run`."""
    return _study("simulate", game, dict(games=games, seed=seed, players=players, others=others, rules=rules,
                                         precision=precision, seats=seats, set=set, **keys))


def compare(game: str, sides: Mapping[str, Sequence[str] | Mapping[str, Any]] | None = None, **keys: Any) -> Results:
    """Compare sides: a name, and changes as a list or a dict, for each; the keys are those of a study file."""
    return _study("compare", game, {"sides": sides, **keys})


def sweep(game: str, vary: Mapping[str, Any] | None = None, **keys: Any) -> Results:
    """Try values: a path, and a range such as "4..12" or a list of values, for each."""
    return _study("sweep", game, {"vary": vary, **keys})


def tune(game: str, vary: Mapping[str, Any] | None = None, **keys: Any) -> Results:
    """Search for the values that do best, or meet `target`."""
    return _study("tune", game, {"vary": vary, **keys})


def tournament(game: str, bots: str | Sequence[str | os.PathLike[str]] = (), **keys: Any) -> Results:
    """Play bots against each other."""
    return _study("tournament", game, {"bots": bots, **keys})


def rule(game: str, **keys: Any) -> Results:
    """Find the simplest rule that is nearly as good as the best."""
    return _study("rule", game, keys)


def adapt(game: str, **keys: Any) -> Results:
    """Find how players play once they know the rules."""
    return _study("adapt", game, keys)


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


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(of)}" for key, of in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value = str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise CaratError(f"{value} is no number of a study")
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


_OTHER_PROCESS = "an Engine answers only the process that made it; make one in each process"


class Engine:
    """`carat engine`: answers questions about positions, many at the same time.

    Use it in a `with` block, or call `close`. It answers only the process that made it: make one in each
    process of a pool.
    """

    def __init__(self, threads: int = 0, allow_files: bool = False):
        self._owner = os.getpid()
        files = ["--allow-files"] if allow_files else []
        self._process = _Child("engine", "--threads", str(threads), *files, stdout=subprocess.PIPE)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._ids = itertools.count()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def submit(self, ask: str, table: Mapping[str, Any], **fields: Any) -> Future[dict[str, Any]]:
        """Ask a question; its answer comes later. `carat help engine` describes all fields."""
        self._check_owner()
        future: Future[dict[str, Any]] = Future()
        if "id" in fields:
            raise CaratError("the engine numbers its questions itself", field="id")
        with self._lock:
            number = next(self._ids)
            try:
                asked = _plain({"id": number, "ask": ask, "table": table, **fields})
                question = json.dumps(asked, allow_nan=False) + "\n"
            except ValueError:
                raise CaratError("a question holds no nan and no infinite numbers") from None
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
        future, answered = self.submit(ask, table, **fields), threading.Event()
        future.add_done_callback(lambda _: answered.set())
        if not _await(answered, timeout):
            future.cancel()
            raise _TimeoutError(f"no answer within {timeout} s")
        return future.result(0)

    def _check_owner(self) -> None:
        # After a fork the lock may be held by a thread that is not there, and answers go to the parent.
        if os.getpid() != self._owner:
            raise CaratError(_OTHER_PROCESS)

    def __reduce__(self) -> Any:
        raise TypeError(_OTHER_PROCESS)

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
        self._process.stdout.close()
        self._process.wait()
        self._ended.set()

    def close(self) -> None:
        """Wait for the open questions unless all were cancelled, and end the engine."""
        if os.getpid() != self._owner:
            return  # It goes on for the process that made it.
        with self._lock:
            left = self._waiting.values()
            is_unwanted = bool(left) and all(future.cancelled() for future in left)
        try:
            if is_unwanted:
                self._process.kill()
            if self._process.stdin:
                self._process.stdin.close()
        except OSError:
            pass  # It ended with a question unread.
        try:
            _await(self._ended)
        finally:
            self._process.end()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        self.close()
