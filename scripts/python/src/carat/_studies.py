"""How studies are played."""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._bots import Bot, Made
from ._program import CaratError, Child, await_event, temporary, warn
from ._results import Results

#: Exit codes with results: complete, less precise than asked, and with expectations missed or undecided.
_GOOD = (0, 3, 8, 9)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a study. `results` are those of the games so far, where the study has some."""

    results: Results | None = None


def run(
    study: str | os.PathLike[str] | Mapping[str, object] | Results,
    *,
    out: str | os.PathLike[str] | None = None,
    options: Sequence[str] = ("--no-charts",),
    timeout: float | None = None,
    progress: bool = False,
    threads: int | None = None,
    raw: bool | str | None = None,
    keep_partial: bool = False,
) -> Results:
    """Play a study.

    study: the path of a study file, of a manifest or of a folder of results; the keys of a study file as a dict (see
        `carat.show("study", kind)` and the types in `carat.keys`); or results, to play their study again.
    out: the folder for the results; by default they are kept in memory, and `save` writes them.
    options: further options of `carat run`, such as --resume. Without --no-charts, charts are drawn at once.
    timeout: seconds after which a simulation or comparison ends early with a warning, and keeps its results so far.
    progress: shows a bar of tqdm where that is installed, else carat's own lines.
    threads: the number of threads, up to 256; 0 or None for one per processor.
    raw: True also keeps a row of each game (the table `games`), "decisions" one of each decision (`decisions`).
    keep_partial: after Ctrl-C, a simulation or comparison returns the results so far, with a warning. By default Ctrl-C
        raises KeyboardInterrupt, whose `results` they are.

    >>> carat.run({"study": "simulate", "game": "diamant", "games": 1000})
    <carat.Results: simulate of diamant, 1,000 games>
    """
    work = temporary()
    made = Made(work)
    try:
        folder = Path(out) if out is not None else work / "results"
        keys: dict[str, str] = {}
        if isinstance(study, Results):
            file = work / "manifest.json"
            file.write_text(json.dumps(study.manifest), "utf-8")
        elif isinstance(study, Mapping):
            keys = _as_in_a_file(study, made)
            file = work / "study.toml"
            file.write_text("".join(f"{_key(key)} = {value}\n" for key, value in keys.items()), "utf-8")
        else:
            file = Path(study)
        how = list(options)
        if threads is not None:
            how += ["--threads", str(threads)]
        if raw:
            how.append("--raw" if raw is True else f"--raw={raw}")
        made.start()
        with (work / "printed.json").open("wb") as printed:
            child = Child("run", os.fspath(file), "--out", os.fspath(folder), "--format", "parquet", "--json", *how,
                          stdout=printed, stderr=subprocess.PIPE, environment=made.environment)
        said: list[str] = []
        over = threading.Event()
        show = _bar() if progress else None
        is_interrupted = False
        try:
            threading.Thread(target=_follow, args=(child, said, show, over), daemon=True).start()
            try:
                is_over = await_event(over, timeout)
            except KeyboardInterrupt:
                is_over, is_interrupted = False, True
            if not is_over:
                child.interrupt()
                await_event(over)
        finally:
            child.end()
        for line in said:
            if line.startswith("warning: "):
                warn(line.removeprefix("warning: "))
        code = child.returncode
        error = _in_python("\n".join(said).replace(str(work / "study.toml"), "standard input"), keys, out)
        if code not in _GOOD and made.error is not None:
            raise made.error
        is_partial = code not in _GOOD and error.startswith("interrupted after")
        results = None
        if code in _GOOD or is_partial:
            summary = json.loads((work / "printed.json").read_text("utf-8")).get("summary", "")
            results = Results._of(folder / "partial" if is_partial else folder, out is not None, summary)
        if is_interrupted and not (results and keep_partial):
            interrupted = Interrupted(error)
            interrupted.results = results
            raise interrupted
        if results is None:
            raise CaratError(error or "carat ended without results", code)
        if show and not is_partial:
            show(100, "")
        if code:
            warn(error)
        return results
    finally:
        made.close()
        shutil.rmtree(work, ignore_errors=True)


def play(kind: str, game: str, keys: Mapping[str, Any]) -> Results:
    """Plays a study of these keys; some are those of `run`."""
    mine = ("out", "options", "timeout", "progress", "threads", "raw", "keep_partial")
    how = {key: value for key, value in keys.items() if key in mine}
    return run({"study": kind, "game": game, **{key: of for key, of in keys.items() if key not in mine}}, **how)


def _follow(child: Child, said: list[str], show: Any, over: threading.Event) -> None:
    """Keeps what carat says, and shows its progress, until it has ended."""
    assert child.stderr
    try:
        for line in child.stderr:
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
    except ValueError:
        pass  # It was killed, and its pipe closed.
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
        for name in [error.partition(":")[0], *error.split("`")[1::2]]:
            of = [key for key, value in keys.items() if name and name in value]
            if len(of) == 1:
                return f"{of[0]}: {error}"
        return error
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


def _as_in_a_file(study: Mapping[str, object], made: Made) -> dict[str, str]:
    """The keys of a study and their values in TOML. Changes may be dicts, lists with one value the value, and bots
    and rules made in Python are files beside it."""
    keys: dict[str, Any] = {key.rstrip("_"): plain(value, made) for key, value in study.items() if value is not None}
    for key in ("seats", "bots", "set", "people"):
        if isinstance(keys.get(key), str):
            keys[key] = [keys[key]]
    if isinstance(keys.get("others"), list):
        keys["others"] = ",".join(map(str, keys["others"]))
    if isinstance(keys.get("rules"), dict):
        keys["rules"] = made.file("rules", "rules", keys["rules"], toml)
    if isinstance(keys.get("set"), dict):
        keys["set"] = _changes(keys["set"])
    if isinstance(keys.get("sides"), dict):
        keys["sides"] = {side: _changes(of) if isinstance(of, dict) else of for side, of in keys["sides"].items()}
    if isinstance(keys.get("vary"), dict):
        keys["vary"] = {path: ",".join(map(str, values)) if isinstance(values, list) else values
                        for path, values in keys["vary"].items()}
    if isinstance(study.get("record"), os.PathLike):
        keys["record"] = Path(keys["record"]).read_text("utf-8")
    return {key: toml(value) for key, value in keys.items()}


def _changes(values: dict[str, Any]) -> list[str]:
    return [f"{path}={value if isinstance(value, str) else toml(value)}" for path, value in values.items()]


def plain(value: Any, made: Made | None = None) -> Any:
    """A value of JSON: numbers of numpy as Python's, paths as texts, and ranges as lists."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): plain(of, made) for key, of in value.items()}
    if not isinstance(value, (str, bytes)) and hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [plain(of, made) for of in value]
    if made is not None and (isinstance(value, Bot) or callable(value)):
        return made.bot(value, toml)
    return value


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False)


def toml(value: Any) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml(of)}" for key, of in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value = str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise CaratError(f"{value} is no number of a study")
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
