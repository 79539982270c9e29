"""Bots and rules that are made in Python: files beside a study, and functions that decide."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import shlex
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ._program import CaratError

#: The names that `Bot` takes, as names of files.
_NAME = re.compile(r"[\w-]+")


class Decision:
    """A decision that a function takes: `decision["held"]` is a feature (see `carat.show("features", game)`)."""

    def __init__(self, asked: Mapping[str, Any], seed: str):
        #: The features of the position, where the answer is yes or no.
        self.features: dict[str, float] = asked.get("features", {})
        #: The features of each option, where the answer is the number of one, from 0.
        self.options: list[dict[str, float]] = asked.get("options", [])
        #: The number of the game, of the decision in it (from 0) and of the seat (from 1).
        self.game: int = asked["game"]
        self.decision: int = asked["decision"]
        self.seat: int = asked["seat"]
        self._seed = seed

    def __getitem__(self, feature: str) -> float:
        return self.features[feature]

    @property
    def random(self) -> random.Random:
        """Random numbers that are the same whenever this game is played again."""
        return random.Random(f"{self._seed} {self.game} {self.decision} {self.seat}")


class Bot:
    """A bot made in Python, for `seats`, `others` and `bots`.

    `name` names it in tables, in letters, digits, _ and -. `keys` are those of a bot's file (see `carat help bots`):
    `leave` in Diamant and `score` in other games is a formula, `params` its numbers. Or `decides` is a function, which
    gets a `Decision` and returns True or False in Diamant (whether to leave), else the number of an option, from 0.
    It is called in this process, one decision at a time; it gets `features`, all by default, fewer are faster.
    Each answer may take `seconds`.

    >>> patient = carat.Bot("patient", leave="held >= target", params={"target": 12})
    >>> careful = carat.Bot("careful", lambda decision: decision["held"] >= 5, features=["held"])
    >>> carat.simulate("diamant", seats=[patient, careful], games=100).table("seats")["bot"].to_list()
    ['patient.toml', 'careful.toml']
    """

    def __init__(self, name: str, decides: Callable[[Decision], Any] | None = None, *,
                 features: Iterable[str] | None = None, seconds: float = 60, **keys: Any):
        if not _NAME.fullmatch(name):
            raise CaratError(f"{name!r} is no name of a bot: use letters, digits, _ and -")
        if (decides is None) == (not keys):
            raise CaratError(f"the bot {name} needs a function or the keys of a bot's file, such as leave=\"held >= 8\"")
        self.name = name
        self.decides = decides
        self.features = None if features is None else list(features)
        self.seconds = seconds
        self.keys = keys

    def __repr__(self) -> str:
        return f"carat.Bot({self.name!r})"


class Made:
    """The files beside a study, and the functions that decide while it is played."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.environment: dict[str, str] = {}
        #: The first exception of a function.
        self.error: BaseException | None = None
        self._names: dict[str, Any] = {}
        self._bots: list[Bot] = []
        self._lock = threading.Lock()
        self._server: socket.socket | None = None

    def bot(self, bot: Any, toml: Callable[[Any], str]) -> str:
        """What names this bot in a study."""
        if callable(bot):
            known = [of for of in self._bots if of.decides is bot]
            bot = known[0] if known else Bot(getattr(bot, "__name__", "bot").strip("<>"), bot)
        keys = bot.keys
        if bot.decides is not None and bot not in self._bots:
            self._bots.append(bot)
        if bot.decides is not None:
            words = [sys.executable, "-I", "-S", str(Path(__file__).with_name("_bridge.py")), str(self._bots.index(bot))]
            keys = {"exec": shlex.join(words), "seconds": bot.seconds}
        return self.file(bot.name, bot, keys, toml)

    def file(self, name: str, of: Any, keys: Mapping[str, Any], toml: Callable[[Any], str]) -> str:
        """The name of a file with these keys, beside the study."""
        number, free = 1, name
        while self._names.get(free, of) is not of:
            number += 1
            free = f"{name}-{number}"
        self._names[free] = of
        text = "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in keys.items())
        (self.folder / f"{free}.toml").write_text(text, "utf-8")
        return f"{free}.toml"

    def start(self) -> None:
        """Answers the programs of functions from now on, if there are functions."""
        if not self._bots:
            return
        self._server = socket.create_server(("127.0.0.1", 0))
        secret = secrets.token_hex(16)
        host, port = self._server.getsockname()
        self.environment["CARAT_PYTHON_BOTS"] = f"{host} {port} {secret}"
        threading.Thread(target=self._accept, args=(self._server, secret), daemon=True).start()

    def close(self) -> None:
        if self._server is not None:
            try:
                self._server.shutdown(socket.SHUT_RDWR)  # Ends `accept`.
            except OSError:
                pass
            self._server.close()

    def _accept(self, server: socket.socket, secret: str) -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return  # It was closed.
            threading.Thread(target=self._answer, args=(link, secret), daemon=True).start()

    def _answer(self, link: socket.socket, secret: str) -> None:
        try:
            with link, link.makefile("rw", encoding="utf-8") as lines:
                told, _, number = lines.readline().strip().partition(" ")
                if not secrets.compare_digest(told, secret):
                    return
                bot = self._bots[int(number)]
                offered = json.loads(lines.readline())
                wanted = {} if bot.features is None else {"features": bot.features}
                lines.write(json.dumps(wanted) + "\n")
                lines.flush()
                kind = bool if offered["answer"] == "truth" else int
                for line in lines:
                    asked = json.loads(line)
                    try:
                        with self._lock:
                            answers = [kind(bot.decides(Decision(of, asked["seed"])))  # type: ignore[misc]
                                       for of in asked["decisions"]]
                    except BaseException as error:
                        self.error = self.error or error
                        return
                    lines.write(json.dumps({"id": asked["id"], "answers": answers}) + "\n")
                    lines.flush()
        except (OSError, ValueError):
            pass  # carat has ended the program.
