"""The commands that play no study: what there is, what is in files, advice, and results of many studies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, overload

import polars

from ._program import CaratError, answer_of, flags, json_of, temporary
from ._results import Results

Paths = str | os.PathLike[str]


def list_(game: str | None = None) -> list[dict[str, Any]]:
    """The games with their numbers of players, editions (`rules`) and bots; only one game if it is named.

    >>> [game["name"] for game in carat.list()]
    ['diamant', 'diamond_cave', 'diamond_miner']
    """
    games: Any = json_of("list", *([game] if game else []))["games"]
    return games  # type: ignore[no-any-return]


@overload
def show(what: Literal["rules", "strategy", "study"], *names: str) -> str: ...
@overload
def show(what: Literal["features", "columns", "metrics", "counts", "paths"], *names: str,
         **table: Any) -> polars.DataFrame: ...
def show(what: str, *names: str, **table: Any) -> str | polars.DataFrame:
    """A file to edit, or what a game has.

    what: `rules` (of a game, and an edition), `strategy` (of a game, and a bot) or `study` (of a kind) give the text
        of a file; `features`, `columns`, `metrics`, `counts` and `paths` (of a game) give a table.
    names: the game, and the edition or bot; or the kind of study.
    table: with `metrics`, `counts` and `paths` the table: rules, set, players, seat, others, define.

    >>> carat.show("rules", "diamant").splitlines()[0]
    '# Copy this file, change a value, and play it: carat simulate diamant --rules my-rules.toml'
    >>> carat.show("features", "diamant").columns
    ['feature', 'unit', 'range', 'meaning']
    """
    shown = json_of("show", what, *names, *flags(table))
    if "file" in shown:
        return str(shown["file"]["text"])
    return polars.DataFrame(shown[what], infer_schema_length=None)


def check(*files: Paths, game: str | None = None, play: bool = False) -> polars.DataFrame:
    """What is in files of bots, rules, studies or records, and what is wrong with them.

    files: their paths.
    game: the game of the bots, by default the one of their folder or formula.
    play: also plays rules among people, and names signs that the game is broken.

    Gives a row for each file: `file`, `sound`, and `what` it is or its `fault`.

    >>> carat.check("no-such-file.toml")["sound"].to_list()
    [False]
    """
    named = [os.fspath(file) for file in files]
    rows = json_of("check", *named, *flags({"game": game, "play": play}), codes=(0, 2))["files"]
    schema = {"file": polars.String, "sound": polars.Boolean, "what": polars.String, "fault": polars.String}
    return polars.DataFrame(rows, schema=schema)


def collect(*results: Paths | Results, table: str | None = None, out: Paths | None = None) -> polars.DataFrame:
    """One table of many results, with the keys of each study in front: folder, study, game, rules, set, and so on.

    results: results or their folders, in the order of the rows. Those in memory have the number of their place, from
        1, as `folder`.
    table: the table, such as "seats"; by default the first of each study.
    out: also writes it to this file, .csv or .parquet.

    >>> played = [carat.simulate("diamant", players=players, games=300) for players in (3, 4)]
    >>> carat.collect(*played)["players"].unique().sort().to_list()
    [3, 4]
    """
    work = temporary()
    try:
        folders = []
        for number, of in enumerate(results, 1):
            is_there = not isinstance(of, Results) or not of._files
            if isinstance(of, Results):
                folders.append(os.fspath(of.folder if is_there else of.save(work / str(number)).folder))
            else:
                folders.append(os.fspath(of))
        file = work / "collected.parquet"
        answer_of("collect", *folders, "--out", str(file), *flags({"table": table}))
        frame = polars.read_parquet(file)
        if "folder" in frame.columns:
            frame = frame.with_columns(polars.col("folder").str.strip_prefix(f"{work}{os.sep}"))
        if out is not None and os.fspath(out).endswith(".parquet"):
            frame.write_parquet(os.fspath(out))
        elif out is not None:
            frame.write_csv(os.fspath(out))
        return frame
    finally:
        shutil.rmtree(work, ignore_errors=True)


def merge(*folders: Paths, out: Paths | None = None, options: Iterable[str] = ("--no-charts",)) -> Results:
    """The results of a study that was played in shards (`carat run --shard`), the same as of one machine.

    folders: folders of shards, or single files of shards.
    out: the folder for the results; by default they are kept in memory.
    options: further options of `carat merge`.
    """
    work = temporary()
    try:
        folder = Path(out) if out is not None else work / "results"
        named = [os.fspath(of) for of in folders]
        merged = json_of("merge", *named, "--out", os.fspath(folder), "--format=parquet", *options)
        return Results._of(folder, out is not None, merged.get("summary", ""))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def advise(game: str, situation: Paths | None = None, **options: Any) -> dict[str, Any]:
    """Advice on a decision: which option is best, and what each is worth.

    game: the game, such as diamant.
    situation: in Diamant a situation, such as "5 7 snake 11 / @3 leaves / 9"; in all games the path of a saved game.
    options: those of `carat advise` with _ for -: me (your seat, from 1), players, others, level, as_, rules, set,
        playouts (of each option, at least 64), chests, round, gone, relics, and move in a saved game.

    Win shares are from 0 to 1; `_se` is a standard error, `_low` and `_high` are the ends of the 95 % interval.

    >>> advice = carat.advise("diamant", "5 7 snake 11", players=4, playouts=200)
    >>> sorted(advice["leave"])[-4:]
    ['win_share', 'win_share_high', 'win_share_low', 'win_share_se']
    """
    told = [] if situation is None else [os.fspath(situation)]
    if options.get("others") is not None and not isinstance(options["others"], str):
        options["others"] = ",".join(map(str, options["others"]))
    advice: dict[str, Any] = json_of("advise", game, *told, *flags(options))["advice"]
    if "error" in advice:
        raise CaratError(advice["error"], field="situation")
    return advice


def fit(game: str, *records: Paths, out: Paths | None = None, **table: Any) -> list[dict[str, Any]]:
    """How people decide: a bot for each person in recorded games.

    game: the game, such as diamant.
    records: files of games, or folders of them; `carat replay GAME --record` prints an example.
    out: a folder for the bots, as NAME.toml.
    table: keys of the table: rules, set, players, seat, others, people.

    Gives for each person `name`, `games`, `decisions`, `weights` (each with its value, standard error and 95 %
    interval) and `bot`, the text of a bot's file.
    """
    named = [os.fspath(record) for record in records]
    people: Any = json_of("fit", game, *named, *flags({"out": out, **table}))["people"]
    return people  # type: ignore[no-any-return]
