"""Writes src/carat/keys.py: the keys of each kind of study as types, and a function for each kind.

All of it is from what carat declares: `carat show study KIND` and `carat KIND -h`. Needs Python 3.11.
  CARAT=target/release/carat python3 scripts/python/keys.py > scripts/python/src/carat/keys.py
"""

import os
import re
import subprocess
import sys
import textwrap
import tomllib

#: The key that a function takes beside the game.
MAIN = {"compare": "sides", "sweep": "vary", "tune": "vary", "tournament": "bots"}

#: Types of keys that take more than their example shows.
TYPES = {
    "seats": "Bots", "others": "Bots", "bots": "Bots", "family": "AnyBot", "from": "AnyBot", "as": "AnyBot",
    "rules": "str | os.PathLike[str] | Mapping[str, Any]", "b": "str | os.PathLike[str]",
    "set": "str | Iterable[str] | Mapping[str, Any]",
    "sides": "Mapping[str, Iterable[str] | Mapping[str, Any]]",
    "vary": "Mapping[str, Any]",
    "metric": "str | Iterable[str]",
    "record": "str | os.PathLike[str] | Iterable[Mapping[str, Any]]",
}

EXAMPLES = {
    "simulate": """
        >>> played = carat.simulate("diamant", seats=["threshold:target=8", "2*depth"], games="10k")
        >>> played.table("seats")["games"].to_list()
        [10000, 10000, 10000]""",
    "compare": """
        >>> compared = carat.compare("diamant", {"a": {}, "b": {"rules.traps.snake": 4}}, games=2000)
        >>> compared.to_polars()["side"].unique().to_list()
        ['b']""",
    "sweep": """
        >>> swept = carat.sweep("diamant", {"rules.rounds": range(3, 6)}, players=3, games=500)
        >>> swept.to_polars()["rules.rounds"].unique().sort().to_list()
        [3, 4, 5]""",
    "tournament": """
        >>> carat.tournament("diamant", ["depth", "risk"], players=2, games=500).partial
        False""",
    "tune": """
        >>> tuned = carat.tune("diamant", {"rules.rounds": [4, 5]}, targets={"cards_per_game": "30..40"},
        ...                    players=3, max_games="20k", who="none")
        >>> tuned.table("best")["path"].to_list()
        ['rules.rounds']""",
    "solve": """
        >>> trained = carat.solve("diamant", players=2, games="200k")  # doctest: +SKIP
        >>> trained.save("trained")  # doctest: +SKIP""",
    "describe": """
        >>> carat.describe("diamant", players=3, games=500).summary  # doctest: +SKIP
        'A game …'""",
    "adapt": """
        >>> carat.adapt("diamant", players=3, games=20_000).kind  # doctest: +SKIP
        'adapt'""",
    "rule": """
        >>> carat.rule("diamant", players=3, games="20k").summary  # doctest: +SKIP
        'Leave …'""",
    "analyse": """
        >>> analysed = carat.analyse("diamant", players=3, playouts=64)
        >>> "decisions" in analysed.tables
        True""",
}

HEAD = '''"""The keys of each kind of study, as types, and a function for each kind.

`scripts/python/keys.py` writes this file from what carat declares.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, SupportsIndex, TypedDict, Union

from ._bots import Bot, Decision
from ._results import Results
from ._studies import play

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A whole number, a number, and a number of games such as "100k"; those of numpy are fine.
Whole = SupportsIndex
Number = Union[SupportsIndex, SupportsFloat]
Count = Union[str, SupportsIndex]
#: A bot by name (`[copies*]BOT[:param=value,…][ as LABEL]`) or file, made by `carat.Bot`, or a function that decides.
AnyBot = Union[str, "os.PathLike[str]", Bot, Callable[[Decision], Any]]
Bots = Union[AnyBot, Iterable[AnyBot]]


class How(TypedDict, total=False):
    """How a study is played, and where its results go; see `carat.run`."""

    out: str | os.PathLike[str] | None
    options: Sequence[str]
    timeout: float | None
    progress: bool
    threads: int | None
    raw: bool | str | None
    keep_partial: bool
'''


def carat(*arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run([os.environ.get("CARAT", "carat"), *arguments], capture_output=True, text=True, check=True,
                          encoding="utf-8", env=environment).stdout


def kinds() -> list[str]:
    said = subprocess.run([os.environ.get("CARAT", "carat"), "show", "study", "?"], capture_output=True, text=True)
    return re.findall(r"\w+", said.stderr.split("possible values:")[1].split("]")[0])


def keys_of(kind: str) -> dict[str, tuple[str, object]]:
    """The keys with what they mean, and an example value."""
    keys, words = {}, []
    for line in carat("show", "study", kind).splitlines():
        if line.startswith("## "):
            words.append(line[3:])
        elif "=" in line:
            (key, value), = tomllib.loads(line.removeprefix("# ")).items()
            if key not in ("format", "study", "game"):
                keys[key] = (in_python(" ".join(words)), value)
            words = []
        else:
            words = []
    return keys


def in_python(words: str) -> str:
    """The help of a key, where options are called by the names of keys."""
    names = {"seat": "seats", "target": "targets", "define": "measures", "bot": "bots"}
    words = re.sub(r"`carat (\w+) --([\w-]+)`", r"\2 of carat.\1", words)
    words = re.sub(r"`--seat best --others [^`]*`", '`seats=["best"], others=["careful", "bold", "2*people"]`', words)
    words = re.sub(r"--([\w-]+)", lambda at: f"`{names.get(at[1], at[1].replace('-', '_'))}`", words)
    for said, now in [("; repeat for more", "; several as a list"), ("Repeat for more", "Several as a dict"),
                      ("separate them by commas or repeat the option", "give a list"),
                      (", in order, separated by commas;", ", in order;"), ("\\", "\\\\")]:
        words = words.replace(said, now)
    return words


def type_of(key: str, value: object) -> str:
    if key in TYPES:
        return TYPES[key]
    match value:
        case bool():
            return "bool"
        case int():
            return "Whole" if key not in ("games", "playouts", "line_ups") else "Count"
        case float():
            return "Number"
        case str() if re.fullmatch(r"\d+[kMGT]", value):
            return "Count"
        case str():
            return "str"
        case list():
            return "Iterable[str]" if isinstance(value[0], str) else "Iterable[Mapping[str, Any]]"
    return "Mapping[str, Any]"


def name_of(key: str) -> str:
    return key + "_" if key in ("from", "as") else key


def written(kind: str) -> str:
    keys = keys_of(kind)
    main, name = MAIN.get(kind), kind.title()
    lines = ["", "", f"class _{name}(TypedDict, total=False):"]
    lines += [f"    {name_of(key)}: {type_of(key, value)} | None" for key, (_, value) in keys.items() if key != main]
    lines += ["", "", f"class {name}(_{name}, total=False):", f'    """The keys of a {kind} study."""', "",
              f'    study: Literal["{kind}"]', "    game: str"]
    lines += [f"    {main}: {type_of(main, keys[main][1])} | None"] if main else []
    lines += ["", "", f"class {name}Keys(_{name}, How, total=False):",
              f'    """What `carat.{kind}` takes beside its first arguments."""']
    first = f"{main}: {type_of(main, keys[main][1])} | None = None, " if main else ""
    about = carat(kind, "-h").split("\n\n")[0].replace("\n", " ")
    lines += ["", "", f"def {kind}(game: str, {first}**keys: Unpack[{name}Keys]) -> Results:",
              *textwrap.wrap(f'"""{about}.', 116, initial_indent="    ", subsequent_indent="    "),
              *textwrap.indent(textwrap.dedent(EXAMPLES[kind]), "    ").splitlines(), "",
              "    game: The game, such as diamant (see `carat.list`)"]
    for key, (words, _) in keys.items():
        lines += textwrap.wrap(f"{name_of(key)}: {words}", 112, initial_indent="    ", subsequent_indent="        ",
                               break_long_words=False, break_on_hyphens=False)
    given = f'{{"{main}": {main}, **keys}}' if main else "{**keys}"
    lines += ["    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`", '    """',
              f'    return play("{kind}", game, {given})']
    return "\n".join(lines) + "\n"


def whole() -> str:
    return HEAD + "".join(written(kind) for kind in kinds())


if __name__ == "__main__":
    sys.stdout.write(whole())
