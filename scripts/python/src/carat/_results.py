"""The results of a study."""

from __future__ import annotations

import base64
import html
import io
import json
import os
import shutil
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars

from ._program import CaratError, answer_of, json_of, temporary


#: Tables of `raw`.
_ROWS = ("games", "decisions")


class Chart:
    """A chart as a PNG; notebooks show it."""

    def __init__(self, name: str, png: bytes):
        self.name = name
        self.png = png

    def save(self, file: str | os.PathLike[str]) -> None:
        Path(file).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<carat.Chart {self.name}>"


class Charts(dict[str, Chart]):
    """Charts by name; notebooks show all of them."""

    def _repr_html_(self) -> str:
        pictures = ((chart.name, base64.b64encode(chart.png).decode()) for chart in self.values())
        return "".join(f'<p><img alt="{html.escape(name)}" src="data:image/png;base64,{png}" style="max-width: 100%">'
                       for name, png in pictures)


class Results:
    """The results of a study: of the folder where they are, or kept in memory.

    They can be pickled, and are whole in another process.

    >>> results = carat.simulate("diamant", seats=["depth", "traps"], games=1000)
    >>> results.kind, results.games, results.partial
    ('simulate', 1000, False)
    >>> results.table("seats").columns[:3]
    ['seat', 'bot', 'label']
    """

    #: The texts and figures of the study: its keys, rules and bots. `carat.run` plays it again.
    manifest: dict[str, Any]

    def __init__(self, folder: str | os.PathLike[str]):
        self._folder: Path | None = Path(folder).absolute()
        self._files: dict[str, bytes] = {}
        self._summary: str | None = None
        self._charts: Charts | None = None
        self.manifest = json.loads(self._bytes("manifest.json"))

    @classmethod
    def _of(cls, folder: Path, is_kept: bool, summary: str) -> Results:
        """Results of a folder, in memory unless the folder is kept."""
        results = cls(folder)
        results._summary = summary
        if not is_kept:
            results._files = results._read()
            results._folder = None
        return results

    @property
    def kind(self) -> str:
        """The kind of study, such as `simulate`."""
        return str(self.manifest["study"].get("study", "simulate"))

    @property
    def game(self) -> str:
        """The game, such as `diamant`."""
        return str(self.manifest["study"]["game"])

    @property
    def partial(self) -> bool:
        """Whether the study ended early, so that these are results of fewer games."""
        return bool(self.manifest.get("partial"))

    @property
    def games(self) -> int | None:
        """The games at each table, where they are known."""
        main = self.to_polars()
        if self.kind != "tune" and "games" in main.columns and main.height:
            return int(main["games"].max())  # type: ignore[arg-type]
        games = self.manifest["study"].get("games")
        return None if games is None or self.partial else int(games)

    @property
    def expectations(self) -> list[dict[str, Any]]:
        """What was expected (`expect`), or the targets of a tuning: each with `metric`, `at`, `range`,
        `verdict` (met, missed or undecided) and the estimate that was `found`."""
        return list(self.manifest.get("expectations", []))

    @property
    def summary(self) -> str:
        """The result in a few sentences; empty where there are none."""
        if self._summary is None:
            self._summary = "" if self.partial else self._again(json_of, "--no-charts").get("summary", "")
        return self._summary

    @property
    def charts(self) -> Charts:
        """The charts by name, drawn when they are first asked for.

        Partial results have them if they were drawn at once: `options=[]`.
        """
        if self._charts is None:
            files = self._files_there()
            if not any(name.endswith(".png") for name in files) and not self.partial:
                files = self._again(lambda *how: self._drawn(answer_of(*how), how[1]))
            self._charts = Charts((Path(name).stem, Chart(Path(name).stem, self._bytes(name, files)))
                                  for name in files if name.endswith(".png"))
        return self._charts

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return sorted(name.removesuffix(".parquet") for name in self._files_there() if name.endswith(".parquet"))

    def table(self, name: str) -> polars.DataFrame:
        """A table by its name; `carat.show("columns", game)` explains its columns."""
        if name not in self.tables:
            raise CaratError(f"there is no table {name!r}; there are {', '.join(self.tables)}")
        return polars.read_parquet(io.BytesIO(self._bytes(f"{name}.parquet")))

    def to_polars(self) -> polars.DataFrame:
        """The main table of this kind of study: `seats` of a simulation, `differences` of a comparison, `cells` of a
        sweep, and so on."""
        listed = (file["name"] for file in self.manifest.get("files", []))
        tables = [name.removesuffix(".parquet") for name in listed if name.endswith(".parquet")]
        tables = [name for name in tables if name in self.tables and name not in _ROWS] or self.tables
        if not tables:
            raise CaratError("these results have no table as Parquet")
        return self.table(tables[0])

    def save(self, folder: str | os.PathLike[str]) -> Results:
        """Write all files into a new or empty folder."""
        to = Path(folder)
        to.mkdir(parents=True, exist_ok=True)
        if any(to.iterdir()):
            raise CaratError(f"{to}: this folder is not empty")
        for name in self._files_there():
            (to / name).write_bytes(self._bytes(name))
        return Results(to)

    @property
    def folder(self) -> Path:
        """The folder of the files; of results in memory a temporary one, which goes with this object."""
        if self._folder is None:
            self._folder = temporary()
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            for name, data in self._files.items():
                (self._folder / name).write_bytes(data)
        return self._folder

    def _files_there(self) -> Mapping[str, bytes | None]:
        """The names of the files, with what is in them if they are in memory."""
        if self._files or self._folder is None:
            return self._files
        return {file.name: None for file in sorted(self._folder.iterdir()) if file.is_file()}

    def _bytes(self, name: str, files: Mapping[str, bytes | None] | None = None) -> bytes:
        data = (self._files if files is None else files).get(name)
        return (Path(str(self._folder)) / name).read_bytes() if data is None else data

    def _read(self) -> dict[str, bytes]:
        return {name: self._bytes(name) for name in self._files_there()}

    def _again(self, how: Any, *options: str) -> Any:
        """Makes something more of these results in a copy; nothing is played."""
        work = temporary()
        try:
            copy = str(self.save(work / "results").folder)
            return how("run", copy, "--resume", "--out", copy, "--quiet", "--format=parquet", *options)
        finally:
            shutil.rmtree(work, ignore_errors=True)

    @staticmethod
    def _drawn(_: str, copy: str) -> dict[str, bytes]:
        listed = json.loads(Path(copy, "manifest.json").read_text("utf-8"))["files"]
        return {file["name"]: Path(copy, file["name"]).read_bytes() for file in listed
                if file["name"].endswith(".png")}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_files": self._read(), "_folder": None if self._files else self._folder}

    def __repr__(self) -> str:
        number = self.games
        games = "" if number is None else f", {number:,} game{'' if number == 1 else 's'}"
        return f"<carat.Results: {self.kind} of {self.game}{games}{', partial' if self.partial else ''}>"

    def _repr_html_(self) -> str:
        """The main table, for notebooks."""
        summary = html.escape(self._summary or "").replace("\n", "<br>")
        shown = self.to_polars()._repr_html_() if self.tables else ""
        return f"<p>{html.escape(repr(self))}: {html.escape(', '.join(self.tables))}</p>{shown}<p>{summary}</p>"
