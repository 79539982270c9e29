"""How the program `carat` is found and run."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

#: Replaces a shell by a program, beside a shell that kills it once a pipe closes, as it does when Python ends in
#: whatever way.
_WATCHED = '([ -e "/dev/fd/$0" ] && { read -r line < "/dev/fd/$0"; kill -KILL 0; }) > /dev/null 2>&1 & exec "$@"'


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
        raise CaratError("there is no program `carat` on the path; set CARAT to the path of one")
    return found


class Child(subprocess.Popen[str]):
    """carat with these arguments, in a session of its own: Ctrl-C is for Python. It ends with Python."""

    def __init__(self, *arguments: str, **how: Any):
        line = [program(), *arguments]
        environment = {**os.environ, **how.pop("environment", {})}
        environment.pop("COLUMNS", None)  # Long lines would be wrapped.
        reads, writes = os.pipe()
        self._watch = os.fdopen(writes, "wb")
        if os.name != "nt":
            line = ["/bin/sh", "-c", _WATCHED, str(reads), *line]
            how["pass_fds"] = (reads,)
        how.setdefault("stdin", subprocess.DEVNULL)
        try:
            super().__init__(line, text=True, encoding="utf-8", errors="replace",
                             start_new_session=True, env=environment, **how)
        except OSError as error:
            self._watch.close()
            raise CaratError(f"cannot run {program()}: {error.strerror}") from error
        finally:
            os.close(reads)

    def interrupt(self) -> None:
        self.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)

    def end(self) -> None:
        """Kills it if it still runs."""
        if self.poll() is None:
            self.kill()
        self.wait()
        for pipe in (self._watch, self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass  # What was written last is unread.


def answer_of(*arguments: str, codes: Iterable[int] = (0,)) -> str:
    """What carat prints, with its warnings as Python warnings. Any exit code but these is an error."""
    said: list[str] = []
    child = Child(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    over = threading.Event()
    try:
        threading.Thread(target=_collect, args=(child, said, over), daemon=True).start()
        await_event(over)
    finally:
        child.end()
    printed, errors = said
    error = errors[errors.find("error: ") :].removeprefix("error: ").strip() if "error: " in errors else errors.strip()
    if child.returncode not in codes:
        raise CaratError(error or "carat ended without an answer", child.returncode)
    for line in errors.splitlines():
        if line.startswith("warning: "):
            warn(line.removeprefix("warning: "))
    return printed


def _collect(child: Child, said: list[str], over: threading.Event) -> None:
    try:
        said.extend(child.communicate())
    except (OSError, ValueError):
        said.extend(["", ""])  # It was killed.
    finally:
        over.set()


def json_of(*arguments: str, codes: Iterable[int] = (0,)) -> Any:
    """What carat prints with --json."""
    return json.loads(answer_of(*arguments, "--json", codes=codes))


def flags(keys: Mapping[str, Any]) -> list[str]:
    """Keys as options of the command line: `as_="simple"` is --as=simple. A list repeats its option."""
    words: list[str] = []
    for key, value in keys.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        if isinstance(value, Mapping):
            value = [f"{path}={of}" for path, of in value.items()]
        several = [value] if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable) else list(value)
        for of in several:
            if of is True:
                words.append(name)
            elif of is not None and of is not False:
                words.append(f"{name}={os.fspath(of) if isinstance(of, os.PathLike) else of}")
    return words


def temporary() -> Path:
    return Path(tempfile.mkdtemp(prefix="carat-"))


def warn(what: str) -> None:
    """Warns at the line that called into this package, however deep it is in here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] == "carat":
        frame, level = frame.f_back, level + 1
    warnings.warn(what, stacklevel=level)


def await_event(event: threading.Event, timeout: float | None = None) -> bool:
    """Waits in short steps: polars lets a system call go on after Ctrl-C, which Python notices when it returns."""
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not event.wait(max(0, min(0.1, end - time.monotonic()))):
        if time.monotonic() >= end:
            return False
    return True
