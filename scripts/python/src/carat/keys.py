"""The keys of each kind of study, as types, and a function for each kind.

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


class _Simulate(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    others: Bots | None
    people: Iterable[str] | None
    games: Count | None
    precision: Number | None
    expect: Iterable[str] | None
    max_games: Count | None
    metric: str | Iterable[str] | None
    seed: Whole | None
    seating: str | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None


class Simulate(_Simulate, total=False):
    """The keys of a simulate study."""

    study: Literal["simulate"]
    game: str


class SimulateKeys(_Simulate, How, total=False):
    """What `carat.simulate` takes beside its first arguments."""


def simulate(game: str, **keys: Unpack[SimulateKeys]) -> Results:
    """Seat bots at a table, play many games, and report who wins and why.

    >>> played = carat.simulate("diamant", seats=["threshold:target=8", "2*depth"], games="10k")
    >>> played.table("seats")["games"].to_list()
    [10000, 10000, 10000]

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; several as a list. `best`
        is the best included bot. Tables and charts use the label, which may have any characters except
        `,;:=*/\\`. `BOT:playouts=64` is a bot that tries each option in up to 64 games before it decides
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    people: Names for the seats, in order; leave a name empty for a bot. In playouts (games played to the end),
        the seat's bot stands in for the person
    games: Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each line-up
        [default: depends on the game]
    precision: Play until the widest interval of the metric is at most ±W, instead of a fixed number of games;
        for win shares, 0.001 is a tenth of a percentage point
    expect: Play until it is clear whether a metric lies in a range, with at most 5 % error for all ranges
        together: cards_per_game=31..37, or win_share@1=0.2.. for seat 1. Add `at` to limit it to a side, table
        or cell: "bust_rate=..0.6 at players=4". The exit code is 8 if a range is missed and 9 if one is
        undecided after `max_games`. With `games`, exactly that many games decide; several as a list
    max_games: Maximum number of games at each table with `precision` or `expect`, not counting games that adapt
        populations [default: 1G with `precision`, 16 times the default number of games with `expect`]
    metric: The metric that `precision` applies to: win_share, score_mean@2 (of seat 2), cards_per_game, …
        [default: win_share]
    seed: Seed of the random numbers
    seating: How bots change places from game to game if turn order matters. every-order plays all orders
        equally often; neighbours moves all bots on by one place; fixed keeps all places
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("simulate", game, {**keys})


class _Compare(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    others: Bots | None
    people: Iterable[str] | None
    games: Count | None
    precision: Number | None
    expect: Iterable[str] | None
    max_games: Count | None
    metric: str | Iterable[str] | None
    seed: Whole | None
    seating: str | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None
    decide: str | None
    each: str | None
    tables: Mapping[str, Any] | None
    adapt: bool | None


class Compare(_Compare, total=False):
    """The keys of a compare study."""

    study: Literal["compare"]
    game: str
    sides: Mapping[str, Iterable[str] | Mapping[str, Any]] | None


class CompareKeys(_Compare, How, total=False):
    """What `carat.compare` takes beside its first arguments."""


def compare(game: str, sides: Mapping[str, Iterable[str] | Mapping[str, Any]] | None = None, **keys: Unpack[CompareKeys]) -> Results:
    """Play the same games under variants (sides) that differ in rules or bots, and report the paired differences.

    >>> compared = carat.compare("diamant", {"a": {}, "b": {"rules.traps.snake": 4}}, games=2000)
    >>> compared.to_polars()["side"].unique().to_list()
    ['b']

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; several as a list. `best`
        is the best included bot. Tables and charts use the label, which may have any characters except
        `,;:=*/\\`. `BOT:playouts=64` is a bot that tries each option in up to 64 games before it decides
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    people: Names for the seats, in order; leave a name empty for a bot. In playouts (games played to the end),
        the seat's bot stands in for the person
    games: Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each line-up
        [default: depends on the game]
    precision: Play until the widest interval of the metric is at most ±W, instead of a fixed number of games;
        for win shares, 0.001 is a tenth of a percentage point
    expect: Play until it is clear whether a metric lies in a range, with at most 5 % error for all ranges
        together: cards_per_game=31..37, or win_share@1=0.2.. for seat 1. Add `at` to limit it to a side, table
        or cell: "bust_rate=..0.6 at players=4". The exit code is 8 if a range is missed and 9 if one is
        undecided after `max_games`. With `games`, exactly that many games decide; several as a list
    max_games: Maximum number of games at each table with `precision` or `expect`, not counting games that adapt
        populations [default: 1G with `precision`, 16 times the default number of games with `expect`]
    metric: The metric that `precision` applies to, and by which `each` ranks: win_share, score_mean@2 (of seat
        2), cards_per_game, … [default: win_share]
    seed: Seed of the random numbers
    seating: How bots change places from game to game if turn order matters. every-order plays all orders
        equally often; neighbours moves all bots on by one place; fixed keeps all places
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    decide: Play until it is decided, with an error of 5 %, whether each side has more or less of a metric than
        the first. With a margin, a difference of at most the margin also decides; for shares, ±0.01 is one
        percentage point. `max_games` limits the games [default limit: 1G]
    sides: Sides that play the same games, each a list of changes PATH=VALUE (see `carat show paths`). The first
        is the baseline of the others
    each: Instead of comparing sides, change each number one step down and one step up, and rank the changes by
        their effect on the metric; PATHS selects the numbers, such as traps,treasures or seats.1 [default: all
        numbers of the rules]
    tables: A table at which all sides play: bots for the seats not given by `seats`; `3..6*BOT` makes a table
        of each size. Several as a dict; carat reports the differences at each table
    adapt: Play at three tables: people who do not adapt to the rules of a side, skilled players who do, and
        experts; with `each`, only skilled players
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("compare", game, {"sides": sides, **keys})


class _Sweep(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    others: Bots | None
    people: Iterable[str] | None
    games: Count | None
    precision: Number | None
    expect: Iterable[str] | None
    max_games: Count | None
    metric: str | Iterable[str] | None
    seed: Whole | None
    seating: str | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None


class Sweep(_Sweep, total=False):
    """The keys of a sweep study."""

    study: Literal["sweep"]
    game: str
    vary: Mapping[str, Any] | None


class SweepKeys(_Sweep, How, total=False):
    """What `carat.sweep` takes beside its first arguments."""


def sweep(game: str, vary: Mapping[str, Any] | None = None, **keys: Unpack[SweepKeys]) -> Results:
    """Play one table over a grid of values, and report the best value and how flat the optimum is.

    >>> swept = carat.sweep("diamant", {"rules.rounds": range(3, 6)}, players=3, games=500)
    >>> swept.to_polars()["rules.rounds"].unique().sort().to_list()
    [3, 4, 5]

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; several as a list. `best`
        is the best included bot. Tables and charts use the label, which may have any characters except
        `,;:=*/\\`. `BOT:playouts=64` is a bot that tries each option in up to 64 games before it decides
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    people: Names for the seats, in order; leave a name empty for a bot. In playouts (games played to the end),
        the seat's bot stands in for the person
    games: Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each line-up
        [default: depends on the game]
    precision: Play until the widest interval of the metric is at most ±W, instead of a fixed number of games;
        for win shares, 0.001 is a tenth of a percentage point
    expect: Play until it is clear whether a metric lies in a range, with at most 5 % error for all ranges
        together: cards_per_game=31..37, or win_share@1=0.2.. for seat 1. Add `at` to limit it to a side, table
        or cell: "bust_rate=..0.6 at players=4". The exit code is 8 if a range is missed and 9 if one is
        undecided after `max_games`. With `games`, exactly that many games decide; several as a list
    max_games: Maximum number of games at each table with `precision` or `expect`, not counting games that adapt
        populations [default: 1G with `precision`, 16 times the default number of games with `expect`]
    metric: The metric for `precision`, the charts and the ranking: win_share@1 (of seat 1), score_mean@2,
        cards_per_game, …; repeat to show others beside it [default: win_share of the first seat that varies,
        else the table's first metric]
    seed: Seed of the random numbers
    seating: How bots change places from game to game if turn order matters. every-order plays all orders
        equally often; neighbours moves all bots on by one place; fixed keeps all places
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    vary: A path to vary and its values, such as seats.1.target=4..30; repeat for a grid
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("sweep", game, {"vary": vary, **keys})


class _Tournament(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    games: Count | None
    precision: Number | None
    max_games: Count | None
    seed: Whole | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None
    line_ups: Count | None
    sides: Mapping[str, Iterable[str] | Mapping[str, Any]] | None


class Tournament(_Tournament, total=False):
    """The keys of a tournament study."""

    study: Literal["tournament"]
    game: str
    bots: Bots | None


class TournamentKeys(_Tournament, How, total=False):
    """What `carat.tournament` takes beside its first arguments."""


def tournament(game: str, bots: Bots | None = None, **keys: Unpack[TournamentKeys]) -> Results:
    """Play all line-ups of bots, and report ratings and an equilibrium mix.

    >>> carat.tournament("diamant", ["depth", "risk"], players=2, games=500).partial
    False

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    games: Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each line-up
        [default: depends on the game]
    precision: Play until the widest interval of the metric is at most ±W, instead of a fixed number of games;
        for win shares, 0.001 is a tenth of a percentage point
    max_games: Maximum number of games at each table with `precision` or `expect`, not counting games that adapt
        populations [default: 1G with `precision`, 16 times the default number of games with `expect`]
    seed: Seed of the random numbers
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    bots: The bots, `BOT[:param=value,…]` each, separated by spaces, or by commas if no bot has parameters
        [default: all in `carat list`, except bots that think and bots made for other numbers of players]
    line_ups: Maximum number of line-ups, up to 20000; if there are more, play a random sample [default: 6500]
    sides: Sides that play the same games, each a list of changes PATH=VALUE (see `carat show paths`). The first
        is the baseline of the others
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("tournament", game, {"bots": bots, **keys})


class _Tune(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    others: Bots | None
    people: Iterable[str] | None
    precision: Number | None
    max_games: Count | None
    seed: Whole | None
    seating: str | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None
    maximize: str | None
    minimize: str | None
    tables: Mapping[str, Any] | None
    targets: Mapping[str, Any] | None
    wishes: Mapping[str, Any] | None
    who: str | None


class Tune(_Tune, total=False):
    """The keys of a tune study."""

    study: Literal["tune"]
    game: str
    vary: Mapping[str, Any] | None


class TuneKeys(_Tune, How, total=False):
    """What `carat.tune` takes beside its first arguments."""


def tune(game: str, vary: Mapping[str, Any] | None = None, **keys: Unpack[TuneKeys]) -> Results:
    """Find values of bots and rules that maximize a metric or meet targets.

    >>> tuned = carat.tune("diamant", {"rules.rounds": [4, 5]}, targets={"cards_per_game": "30..40"},
    ...                    players=3, max_games="20k", who="none")
    >>> tuned.table("best")["path"].to_list()
    ['rules.rounds']

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; several as a list. `best`
        is the best included bot. Tables and charts use the label, which may have any characters except
        `,;:=*/\\`. `BOT:playouts=64` is a bot that tries each option in up to 64 games before it decides
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    people: Names for the seats, in order; leave a name empty for a bot. In playouts (games played to the end),
        the seat's bot stands in for the person
    precision: Measure differences to within ±W [default: 0.002 for shares, 0.5 % of the value for other
        metrics]
    max_games: Maximum number of games at all tables together, not counting those that adapt populations
        [default: 100 times as many as a simulation]
    seed: Seed of the random numbers
    seating: How bots change places from game to game if turn order matters. every-order plays all orders
        equally often; neighbours moves all bots on by one place; fixed keeps all places
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    maximize: The metric to maximize: win_share@1 (of seat 1), score_mean@1, cards_per_game, …
    minimize: The metric to minimize, such as cards_per_game
    tables: A table: bots for the seats not given by `seats`; `3..6*BOT` makes a table of each size. Several as
        a dict: the search optimizes the mean over all tables, and the targets apply at each
    vary: A path to vary and its values, such as seats.1.target=4..30; several as a list
    targets: The range that a metric must fall within: cards_per_game=31..32, comeback_rate=start.. (at least
        its starting value), win_share=start-0.03..start+0.03 (of every seat). It applies at every table, or at
        a named one: "cards_per_game at family=31..32". A weight may follow the range: "comeback_rate=0.22..
        weight 3" [default: 1]. Several as a dict
    wishes: A range that a metric should fall within if the targets allow it, written like `targets`; several as
        a list, the most important first
    who: Other kinds of players at whose tables the resulting rules are tested, one table each. By default,
        targets must also be met by people and adapted; a target may name a table instead ("bust_rate at
        bold=..0.5"). If a target is missed there, a second search with a tenth of the games includes these
        tables. `none` skips this test [default: careful,people,bold,adapted]
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("tune", game, {"vary": vary, **keys})


class _Solve(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    games: Count | None
    seed: Whole | None
    on_failure: str | None
    population_games: Count | None
    objective: str | None
    minutes: Whole | None
    from_: AnyBot | None
    until: Number | None
    axes: Iterable[Mapping[str, Any]] | None


class Solve(_Solve, total=False):
    """The keys of a solve study."""

    study: Literal["solve"]
    game: str


class SolveKeys(_Solve, How, total=False):
    """What `carat.solve` takes beside its first arguments."""


def solve(game: str, **keys: Unpack[SolveKeys]) -> Results:
    """Train a bot, and measure by how much it can be beaten.

    >>> trained = carat.solve("diamant", players=2, games="200k")  # doctest: +SKIP
    >>> trained.save("trained")  # doctest: +SKIP

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: An opponent to train against, `[copies*]BOT[:param=value,…]`; several as a list
    games: Number of training games [default: 100M, in Diamond Cave 2.56M, in Diamond Miner 256k]
    seed: Seed of the random numbers
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    objective: The metric that training maximizes: win_share or score_mean
    minutes: Training time in minutes, instead of a number of games. In Diamant this includes the attacks, which
        take about four fifths; in the other games, measuring the result takes extra time. The manifest records
        the number of games
    from_: A trained bot to start from, or `nothing` [default: the included bot for this number of players, if
        it has the same axes]
    until: Stop training once a quick attack gains at most this win share; 0.01 is one percentage point
    axes: The axes of the policy, in the form of a study file
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("solve", game, {**keys})


class _Analyse(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    seats: Bots | None
    others: Bots | None
    people: Iterable[str] | None
    games: Count | None
    seed: Whole | None
    seating: str | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None
    first: Whole | None
    record: str | os.PathLike[str] | Iterable[Mapping[str, Any]] | None
    seat: Whole | None
    as_: AnyBot | None
    playouts: Count | None


class Analyse(_Analyse, total=False):
    """The keys of a analyse study."""

    study: Literal["analyse"]
    game: str


class AnalyseKeys(_Analyse, How, total=False):
    """What `carat.analyse` takes beside its first arguments."""


def analyse(game: str, **keys: Unpack[AnalyseKeys]) -> Results:
    """Analyse games: the value of each option at each decision, and the share of luck.

    >>> analysed = carat.analyse("diamant", players=3, playouts=64)
    >>> "decisions" in analysed.tables
    True

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    seats: A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; several as a list. `best`
        is the best included bot. Tables and charts use the label, which may have any characters except
        `,;:=*/\\`. `BOT:playouts=64` is a bot that tries each option in up to 64 games before it decides
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    people: Names for the seats, in order; leave a name empty for a bot. In playouts (games played to the end),
        the seat's bot stands in for the person
    games: Number of games [default: 1]
    seed: Seed of the random numbers
    seating: How bots change places from game to game if turn order matters. every-order plays all orders
        equally often; neighbours moves all bots on by one place; fixed keeps all places
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    first: Number of the first game to analyse, from 0
    record: Recorded games (in a study file, their text): files saved by `carat play`, or text files with a line
        `players Anna Ben` and a line for each expedition such as `1: 5 7 snake / @2 leaves / 11 snake` (`carat
        replay GAME `record`` prints an example). With several, results are grouped by person [default: games
        between bots]
    seat: Analyse only this seat, from 1
    as_: The bot that plays all seats in playouts [default: the bot of each seat]
    playouts: Maximum number of playouts per option, at least 64; clearly worse options get fewer [default:
        20000 in Diamant, 2000 in Diamond Cave, 1000 in Diamond Miner]
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("analyse", game, {**keys})


class _Adapt(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    games: Count | None
    seed: Whole | None
    on_failure: str | None
    populations: Whole | None
    family: AnyBot | None


class Adapt(_Adapt, total=False):
    """The keys of a adapt study."""

    study: Literal["adapt"]
    game: str


class AdaptKeys(_Adapt, How, total=False):
    """What `carat.adapt` takes beside its first arguments."""


def adapt(game: str, **keys: Unpack[AdaptKeys]) -> Results:
    """Adapt populations of players to the rules and the number of players.

    >>> carat.adapt("diamant", players=3, games=20_000).kind  # doctest: +SKIP
    'adapt'

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    games: Size of the search, in games; each part of the search plays a fixed fraction of it. Smaller is
        faster, with wider margins of error [default: depends on the game]
    seed: Seed of the random numbers
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    family: The family of bots: a bot with ranges for its parameters [default: depends on the game]
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("adapt", game, {**keys})


class _Describe(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    games: Count | None
    seed: Whole | None
    measures: Mapping[str, Any] | None
    on_failure: str | None
    populations: Whole | None
    population_games: Count | None
    b: str | os.PathLike[str] | None


class Describe(_Describe, total=False):
    """The keys of a describe study."""

    study: Literal["describe"]
    game: str


class DescribeKeys(_Describe, How, total=False):
    """What `carat.describe` takes beside its first arguments."""


def describe(game: str, **keys: Unpack[DescribeKeys]) -> Results:
    """Describe a game: its length, how close it is, how often the leader wins, and how much skill matters.

    >>> carat.describe("diamant", players=3, games=500).summary  # doctest: +SKIP
    'A game …'

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    games: Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each line-up
        [default: depends on the game]
    seed: Seed of the random numbers
    measures: A measure, which is a metric of your own: a formula over the counts of a game (see `carat show
        counts`). carat reports the mean of a number, how often a condition is true, or a ratio of two means,
        `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it follows from [minutes] of the
        rules. Several as a dict
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    populations: Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
        error allow for their differences (see `carat help methods`) [default: 5]
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    b: An edition or a rules file to describe beside the first, in the same games
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("describe", game, {**keys})


class _Rule(TypedDict, total=False):
    title: str | None
    description: str | None
    rules: str | os.PathLike[str] | Mapping[str, Any] | None
    set: str | Iterable[str] | Mapping[str, Any] | None
    players: Whole | None
    others: Bots | None
    games: Count | None
    seed: Whole | None
    on_failure: str | None
    population_games: Count | None
    family: AnyBot | None


class Rule(_Rule, total=False):
    """The keys of a rule study."""

    study: Literal["rule"]
    game: str


class RuleKeys(_Rule, How, total=False):
    """What `carat.rule` takes beside its first arguments."""


def rule(game: str, **keys: Unpack[RuleKeys]) -> Results:
    """Find a simple rule for play at the table, and what its simplicity costs.

    >>> carat.rule("diamant", players=3, games="20k").summary  # doctest: +SKIP
    'Leave …'

    game: The game, such as diamant (see `carat.list`)
    title: Title of the charts and of the results page [default: the study's question]
    description: The purpose of the study, in Markdown, for the results page
    rules: An edition (see `carat list`) or a rules file [default: the game's first edition]
    set: Change a value of the rules, such as traps.snake=4; several as a list
    players: Number of players [default: depends on the bots given and on the game]
    others: The bot for every seat not given by `seats`. Several bots share those seats: give a list. In every
        game, `careful`, `people` and `bold` play as people might: `seats=["best"], others=["careful", "bold",
        "2*people"]` seats the best bot with a family of four. Without `seats`, the first two seats go to a
        simple rule and the best bot [default: people]
    games: Size of the search, in games; each part of the search plays a fixed fraction of it. Smaller is
        faster, with wider margins of error [default: depends on the game]
    seed: Seed of the random numbers
    on_failure: What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop ends
        the run; pass takes the first option (in Diamant, staying), counts it in the column `passes` and
        restarts the program. A program that never starts always ends the run
    population_games: Number of games for adapting each population, as with games of carat.adapt [default:
        depends on the game]
    family: The family of rules: a bot with ranges for its parameters [default: depends on the game]
    out, options, timeout, progress, threads, raw, keep_partial: see `carat.run`
    """
    return play("rule", game, {**keys})
