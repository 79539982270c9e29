#!/usr/bin/env python3
"""What a trained bot does otherwise than the simple rule, in the same positions against people.

    python3 scripts/contrast.py GAME [GAMES] [PATH OF CARAT]

For each kind of decision: how often they differ, how much more often the trained bot's choice wins
(percentage points, 95 %), and the features in which their choices differ most. Takes minutes."""
import json
import subprocess
import sys
from itertools import count
from math import sqrt

TRAINED, SIMPLE = "solved-4", "simple"
KINDS = ["start", "turn", "exit", "go_on", "dig", "plan"]  # of Diamond Cave
CHANCE = ["temper", "random", "noise"]


def positions(game, games, carat):
    """Each decision of the seat: its game, kind, the features of both choices, and its worth."""
    command = [carat, "engine", "--threads", "1"]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    numbers = count()

    def hear(number):
        while True:
            answer = json.loads(engine.stdout.readline())
            if answer["id"] == number:
                return answer

    def ask(what, bot, **more):
        table = {"game": game, "players": 4, "seats": [bot]}
        question = {"id": next(numbers), "ask": what, "table": table, "seed": 80} | more
        print(json.dumps(question), file=engine.stdin, flush=True)
        return hear(question["id"])

    def worth(at, pair):
        judged = ask("advise", TRAINED, choice=pair[1], steps=True, **at)
        while not judged["done"] and max(of["playouts"] for of in judged["worth"]) < 1000:
            judged = hear(judged["id"])
        ask("cancel", SIMPLE, of=judged["id"])
        best, less = (judged["worth"][option]["win_share"] for option in pair)
        return best - less

    for game_number in range(games):
        at = {"number": game_number}
        while True:
            position = ask("features", SIMPLE, **at)
            at["moves"] = position["moves"]
            if position["over"]:
                break
            options = position["features"]
            pair = [ask("decide", bot, **at)["choice"] for bot in (TRAINED, SIMPLE)]
            kinds = [kind for kind in KINDS if any(option.get(kind) for option in options)]
            by = worth(at, pair) if pair[0] != pair[1] else None
            yield game_number, " or ".join(kinds), [options[option] for option in pair], by
            # In turn, the game goes on as either bot plays.
            at["moves"] = ask("play", SIMPLE, choice=pair[game_number % 2], **at)["moves"]


def mean(values):
    middle = sum(values) / len(values)
    spread = sum((value - middle) ** 2 for value in values) / max(1, len(values) - 1)
    return middle, 1.96 * sqrt(spread / len(values))


def main(game, games="20", carat="carat"):
    by_kind = {}
    for number, kind, pair, by in positions(game, int(games), carat):
        by_kind.setdefault(kind, []).append((number, pair, by))
    for kind, seen in by_kind.items():
        worths = [100 * by for _, _, by in seen if by is not None]
        print(f"\n{kind or 'moves'}: {len(seen)}, of which {len(worths)} differ", end="")
        print(", by {:.1f} ± {:.1f} percentage points".format(*mean(worths)) if worths else "")
        rows = []
        for name in set(seen[0][1][0]) - set(CHANCE):
            by, error = mean([pair[0][name] - pair[1][name] for _, pair, _ in seen])
            if abs(by) > error:
                both = [mean([pair[at][name] for _, pair, _ in seen])[0] for at in (0, 1)]
                rows.append((abs(by) / error, name, *both))
        for _, name, trained, simple in sorted(rows, reverse=True)[:12]:
            print(f"  {name:18} {TRAINED} {trained:7.2f}   {SIMPLE} {simple:7.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
