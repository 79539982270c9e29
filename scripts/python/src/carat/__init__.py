"""carat: simulate games about diamonds, and read the results as polars frames.

>>> played = carat.simulate("diamant", seats=["depth", "traps"], games="10k")
>>> played.table("seats")["win_share"].sum()
1.0
"""

from ._bots import Bot, Decision
from ._commands import advise, check, collect, fit, merge, show
from ._commands import list_ as list
from ._engine import Answer, Engine, Question
from ._program import CaratError, program
from ._results import Chart, Results
from ._studies import Interrupted, run
from .keys import adapt, analyse, compare, describe, rule, simulate, solve, sweep, tournament, tune

__version__ = "0.5.0"

__all__ = ["Answer", "Bot", "CaratError", "Chart", "Decision", "Engine", "Interrupted", "Question", "Results", "adapt",
           "advise", "analyse", "check", "collect", "compare", "describe", "fit", "list", "merge", "program", "rule",
           "run", "show", "simulate", "solve", "sweep", "tournament", "tune"]
