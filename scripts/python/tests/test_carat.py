"""Tests of the module, from the wheel or with $CARAT as the program."""

import asyncio
import doctest
import gc
import importlib
import inspect
import json
import multiprocessing
import os
import pickle
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from types import SimpleNamespace

import carat
import polars
import pytest

# The tests pass with -W error; only what carat says of studies is none.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

# What is started in the background of a script ignores Ctrl-C, and these tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

TABLE = {"game": "diamant", "seats": ["depth", "traps", "simple"]}


def test_simulate_gives_frames():
    played = carat.simulate("diamant", seats=["threshold:target=8", "2*depth"], games="20k", seed=7)
    seats = played.table("seats")
    assert isinstance(seats, polars.DataFrame)
    assert seats["games"].to_list() == [20_000] * 3
    assert seats["win_share"].sum() == pytest.approx(1)
    assert "seats" in played.tables
    assert played.manifest["study"]["seed"] == 7
    with pytest.raises(carat.CaratError):
        played.table("nothing")


def test_runs_are_the_same_from_keys_files_and_manifests(tmp_path):
    keys = {"study": "compare", "game": "diamant", "games": 5000, "seed": 2**64 - 1,
            "sides": {"a": [], "b": ["rules.traps.snake=4"]}}
    first = carat.run(keys, out=tmp_path / "first")
    (tmp_path / "study.toml").write_text("study = 'compare'\ngame = 'diamant'\ngames = 5000\n"
                                         "seed = '18446744073709551615'\n"
                                         "[sides]\na = []\nb = ['rules.traps.snake=4']\n")
    for again in [first.folder / "manifest.json", tmp_path / "study.toml"]:
        other = carat.run(again)
        for name in first.tables:
            assert first.table(name).equals(other.table(name))


def test_old_readers_filter_sort_and_write_texts(tmp_path):
    csv, parquet = (pytest.importorskip(f"pyarrow.{name}") for name in ("csv", "parquet"))
    played = carat.simulate("diamant", seats=["depth as Ann", "2*people"], games=500, out=tmp_path / "out",
                            options=("--no-charts", "--raw=decisions"))
    for name in played.tables:
        table = parquet.read_table(played.folder / f"{name}.parquet")
        assert {"string"} == {str(field.type) for field in table.schema if "string" in str(field.type)} | {"string"}
        for column in {"bot", "label"} & set(table.column_names):
            assert table.sort_by(column).num_rows == table.num_rows
        csv.write_csv(table, str(tmp_path / f"{name}.csv"))
    seats = parquet.read_table(played.folder / "seats.parquet", filters=[("label", "=", "Ann")])
    assert seats.column("bot").to_pylist() == ["depth"]


def test_passes_of_programs_are_warnings():
    fails = "import sys; print('{}', flush=True); sys.stdin.readline(); sys.stdin.readline()"
    study = {"study": "simulate", "game": "diamant", "games": 3, "seats": [f"exec:{sys.executable} -c \"{fails}\"", "depth"]}
    with pytest.warns(UserWarning, match="a program failed"):
        played = carat.run({**study, "on_failure": "pass"})
    assert played.table("seats")["passes"][0] == played.manifest["passes"] > 0


def test_errors_have_codes():
    with pytest.raises(carat.CaratError) as error:
        carat.simulate("chess")
    assert error.value.code == 2
    with pytest.raises(carat.CaratError):
        carat.simulate("diamant", seats=["no-such-bot"])


def test_engine_answers():
    with carat.Engine() as engine:
        later = [engine.submit("advise", TABLE, seed=seed, playouts=100) for seed in range(50)]
        assert all(len(answer.result()["worth"]) == 2 for answer in later)
        position = engine.ask("options", TABLE, me=2)
        played = engine.ask("play", TABLE, me=2, moves=position["moves"], choice="leave")
        assert len(played["moves"]) > len(position["moves"])
        with pytest.raises(carat.CaratError) as error:
            engine.ask("advise", TABLE, me=9)
        assert error.value.field == "me"
    with pytest.raises(carat.CaratError):
        engine.ask("options", TABLE)


def test_what_python_has_is_taken(tmp_path):
    bot = tmp_path / "mein 💎.toml"
    bot.write_text("leave = 'held >= 8'\n", "utf-8")
    played = carat.simulate("diamant", seats="depth", others="people", players=3, games=500)
    assert played.table("seats")["bot"][0] == "depth"
    played = carat.simulate("diamant", seats=[bot, "depth as 💎"], games=500)
    assert played.table("seats")["label"][1] == "💎"
    assert "<table" in played._repr_html_()
    assert carat.__version__
    swept = carat.sweep("diamant", {"rules.rounds": range(3, 5)}, games=300, players=3)
    assert swept.table("cells")["rules.rounds"].unique().sort().to_list() == [3, 4]
    numpy = pytest.importorskip("numpy")
    played = carat.simulate("diamant", games=numpy.int64(300), seed=numpy.uint8(7), players=numpy.int32(3))
    assert played.manifest["study"]["seed"] == 7


def test_every_kind_has_a_function():
    assert "differences" in carat.compare("diamant", {"a": [], "b": ["rounds=3"]}, games=300).tables
    assert carat.tournament("diamant", ["depth", "risk"], players=2, games=300).tables
    assert carat.tune("diamant", {"rules.rounds": [4, 5, 6]}, maximize="cards_per_game", max_games="20k").tables


def test_missed_precision_and_timeouts_keep_results():
    with pytest.warns(UserWarning, match="precis"):
        played = carat.simulate("diamant", precision=0.0001, max_games="5k", players=3)
    assert "precision_missed" in played.manifest
    with pytest.warns(UserWarning, match="interrupted"):
        played = carat.simulate("diamant", games="1000000M", players=3, timeout=3)
    assert played.manifest["partial"]
    assert played.table("seats")["games"][0] > 0


ENDLESS = {"games": "1000000M", "players": 3, "threads": 1}


def in_two_seconds(act):
    timer = threading.Timer(2, act)
    timer.daemon = True
    timer.start()


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def plays(folder):
    """The processes of carat that write into a folder."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if f"--out {folder} " in line and "/bin/sh" not in line]


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("of", [carat.simulate, lambda game, **how: carat.compare(game, {"a": {}, "b": {"rounds": 3}}, **how)])
def test_ctrl_c_ends_a_loop_and_offers_what_there_is(of):
    in_two_seconds(interrupt)
    began, rounds = time.monotonic(), 0
    with pytest.raises(KeyboardInterrupt, match="interrupted after") as found:
        for _ in range(3):
            rounds += 1
            of("diamant", **ENDLESS, timeout=60)
    assert rounds == 1 and time.monotonic() - began < 4
    assert found.value.results.partial and found.value.results.tables
    in_two_seconds(interrupt)
    with pytest.warns(UserWarning, match="interrupted after .* games; the results cover these games$"):
        played = of("diamant", **ENDLESS, keep_partial=True)
    assert played.partial and repr(played).endswith(", partial>") and played.summary


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_is_a_keyboard_interrupt_where_nothing_is_kept(tmp_path):
    with carat.Engine(threads=1) as engine:
        asks = [
            lambda: carat.sweep("diamant", {"rules.rounds": range(3, 6)}, **ENDLESS, out=tmp_path),
            lambda: engine.ask("advise", TABLE, playouts=50_000_000),
        ]
        for ask in asks:
            in_two_seconds(interrupt)
            began = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                ask()
            assert time.monotonic() - began < 4
        assert not plays(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupted_child_keeps_results_and_can_go_on(tmp_path):
    timer = threading.Timer(5, lambda: [os.kill(pid, signal.SIGINT) for pid in plays(tmp_path)])
    timer.start()
    with pytest.warns(UserWarning, match=r'run it again with options=\["--resume"\] to continue$'):
        played = carat.simulate("diamant", **ENDLESS, out=tmp_path)
    games = played.table("seats")["games"][0]
    with pytest.warns(UserWarning, match="interrupted after"):
        played = carat.simulate("diamant", **ENDLESS, out=tmp_path, options=["--resume", "--no-charts"], timeout=2)
    assert played.table("seats")["games"][0] > games


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_carat_ends_with_python(tmp_path):
    code = f"import carat; carat.simulate('diamant', games='1000000M', threads=1, out={str(tmp_path)!r})"
    python = subprocess.Popen([sys.executable, "-c", code])
    for _ in range(200):
        if plays(tmp_path):
            break
        time.sleep(0.1)
    assert plays(tmp_path)
    python.kill()
    python.wait()
    time.sleep(1)
    assert not plays(tmp_path)


def test_the_bar_ends_at_100_percent(monkeypatch):
    class Bar:
        def __init__(self, total, unit):
            self.n, self.is_closed = 0, False
            bars.append(self)

        def update(self, more):
            self.n += more

        def close(self):
            self.is_closed = True

    bars = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Bar))
    carat.simulate("diamant", games=300, progress=True)
    assert (bars[0].n, bars[0].is_closed) == (100, True)


def test_errors_name_arguments():
    for refused, keys in [
        ("--> saets\n", {"saets": ["depth"]}),
        ("--> seating\n", {"seating": "evry-order"}),
        ("^seats: no bot called `dpeth`", {"seats": ["dpeth"]}),
        ("^set: ruonds: unknown key", {"set": {"ruonds": 3}}),
    ]:
        with pytest.raises(carat.CaratError, match=refused) as error:
            carat.simulate("diamant", **keys)
        assert "standard input" not in str(error.value)


def test_changes_are_texts_lists_or_dicts():
    played = [carat.simulate("diamant", games=300, set=of)
              for of in ("traps.snake=4", ["traps.snake=4"], {"traps.snake": 4})]
    assert [of.manifest["study"]["set"] for of in played] == [["traps.snake=4"]] * 3
    played = carat.simulate("diamant", games=300, set={"treasures": [5, 7, 9], "rounds": 3, "leavers": "after-reveal"})
    assert played.manifest["study"]["set"] == ["treasures=[5, 7, 9]", "rounds=3", "leavers=after-reveal"]


def test_warnings_are_warnings():
    with pytest.warns(UserWarning, match="copies of depth"):
        carat.simulate("diamant", seats=["depth"], others="depth", players=3, games=300)


def test_the_engine_survives_cancelled_long_and_odd_lines():
    with carat.Engine(threads=1) as engine:
        slow = [engine.submit("advise", TABLE, seed=seed, playouts=3000) for seed in range(6)]
        assert slow[-1].cancel()
        with pytest.raises(carat.CaratError, match="longer"):
            engine.ask("options", TABLE, moves=["x" * (1 << 22)])
        # Nobody waits for this answer, and this line is no question.
        engine._process.stdin.write(json.dumps({"id": 10**30, "ask": "options", "table": TABLE}) + "\nnonsense\n")
        assert engine.ask("options", TABLE)["options"]
        assert all(answer.result()["worth"] for answer in slow[:-1])
        with pytest.raises(FutureTimeout):
            engine.ask("advise", TABLE, playouts=1_000_000, timeout=0.01)
        assert engine.ask("simulate", TABLE, games=30_000)["done"]


def test_the_engine_ends_without_waiting_for_what_nobody_wants():
    began = time.monotonic()
    with carat.Engine(threads=1) as engine:
        for wrong in [{"playouts": float("nan")}, {"id": 5}]:
            with pytest.raises(carat.CaratError, match="nan|numbers its questions"):
                engine.ask("advise", TABLE, **wrong)
        with pytest.raises(FutureTimeout):
            engine.ask("simulate", TABLE, games=10**9, timeout=0.2)
        engine.submit("simulate", TABLE, games=10**9).cancel()
    assert time.monotonic() - began < 20


def test_a_dead_engine_starts_anew_once_and_says_so():
    with carat.Engine(threads=1) as engine:
        slow = engine.submit("simulate", TABLE, games=3_000_000)
        engine.ask("options", TABLE)
        engine._process.kill()
        with pytest.warns(UserWarning, match="started anew"):
            while not slow.done():
                engine.ask("options", TABLE)
                time.sleep(0.05)
        assert slow.result()["games"] == 3_000_000
        engine._process.kill()
        with pytest.raises(carat.CaratError, match="ended"):
            engine.ask("advise", TABLE, playouts=10_000_000)
            engine.ask("options", TABLE)


def test_keys_that_are_lists_or_no_numbers():
    played = carat.simulate("diamant", seats=["simple"], others=["people", "bold"], games=300)
    assert played.table("seats")["bot"].to_list() == ["simple", "people", "bold"]
    with pytest.raises(carat.CaratError, match="nan is no number"):
        carat.simulate("diamant", precision=float("nan"))
    with pytest.raises(carat.CaratError, match="."):
        carat.simulate("diamant", games=10**9, timeout=0)


def test_expectations_are_judged():
    with pytest.warns(UserWarning, match="1 expectation of 2 missed"):
        results = carat.simulate("diamant", expect=["win_share@1=0.9..", "cards_per_game=10..90"])
    assert [it["verdict"] for it in results.expectations] == ["missed", "met"]
    assert carat.simulate("diamant", expect=["cards_per_game=10..90"]).expectations[0]["range"] == "10..90"


def test_csv_parquet_and_json_hold_one_schema(tmp_path):
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    how = {"games": 300, "seed": 3, "options": ("--no-charts", "--format=csv,json")}
    studies = [
        carat.simulate("diamant", players=3, **how),
        carat.compare("diamant", {"a": [], "b": ["rounds=3"]}, **how),
        carat.sweep("diamond_miner", {"players": [3, 4]}, **how),
        carat.sweep(
            "diamant",
            {"seats": ["best, people", "depth"], "players": [3, 4], "mix": {"as-is": [], "short": ["rounds=2"]}},
            **how,
        ),
        carat.tournament("diamond_cave", ["gambler", "people"], players=2, **how),
    ]
    kinds = {"int64": "BIGINT", "double": "DOUBLE", "string": "VARCHAR", "bool": "BOOLEAN"}
    for study in studies:
        for name in study.tables:
            file = study.folder / f"{name}.parquet"
            schema, metadata = parquet.read_schema(file), parquet.read_metadata(file).metadata
            assert metadata[b"seed"] == b"3"
            assert json.loads(metadata[b"study"])["game"]
            types = [str(field.type) for field in schema]
            assert set(types) <= set(kinds), (name, types)
            described = duckdb.sql(f"describe select * from '{file}'").fetchall()
            assert [(row[0], row[1]) for row in described] == [(field.name, kinds[str(field.type)]) for field in schema]
            whole, text = pandas.read_parquet(file), pandas.read_csv(file.with_suffix(".csv"))
            assert list(whole.columns) == list(text.columns) == schema.names
            assert len(whole) == len(text)
            records = json.loads(file.with_suffix(".json").read_text("utf-8"))
            assert all(list(record) == schema.names for record in records)
            for column, of_type in zip(schema.names, types):
                if of_type in ("int64", "double") and text[column].notna().any():
                    near = (whole[column].astype(float) - text[column].astype(float)).abs()
                    assert not (near > 1e-9 * (1 + whole[column].astype(float).abs())).any(), (name, column)
                if of_type == "string":
                    assert all(value is None or isinstance(value, str) for value in (row[column] for row in records))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_engine_answers_only_the_process_that_made_it():
    table = {"game": "diamant", "players": 3}
    with carat.Engine(threads=1) as engine:
        engine.ask("about", table)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                engine.ask("about", table, timeout=5)
            except carat.CaratError as error:
                code = 0 if "in each process" in str(error) else 2
            engine.close()
            os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert engine.ask("about", table)["game"]["name"] == "diamant"
        with pytest.raises(TypeError, match="in each process"):
            pickle.dumps(engine)


def test_warnings_point_at_the_line_of_the_caller():
    with pytest.warns(UserWarning) as found:
        carat.simulate("diamant", seats=["depth"], others="depth", players=3, games=300)
    files = {warning.filename for warning in found if warning.category is UserWarning}
    assert files == {__file__}


def test_results_outlive_their_folder(tmp_path):
    played = carat.simulate("diamant", seats=["depth", "traps"], games=1000, raw=True)
    folder = played.folder
    assert (folder / "manifest.json").exists()
    saved = played.save(tmp_path / "saved")
    with pytest.raises(carat.CaratError, match="not empty"):
        played.save(tmp_path / "saved")
    assert played.table("games").height == 1000
    assert played.to_polars().equals(played.table("seats"))
    assert (played.kind, played.game, played.games, played.partial) == ("simulate", "diamant", 1000, False)
    assert repr(played) == "<carat.Results: simulate of diamant, 1,000 games>"
    assert "wins most often" in played.summary and saved.summary == played.summary
    del played
    gc.collect()
    assert not folder.exists()
    again = carat.run(saved)
    assert again.to_polars().equals(saved.to_polars())
    charts = again.charts
    assert "win_shares" in charts and charts["win_shares"]._repr_png_().startswith(b"\x89PNG")
    assert charts._repr_html_().count("<img") == len(charts)
    assert set(saved.charts) == set(charts)
    assert not list(saved.folder.glob("*.png")), "a folder of others stays as it is"


def simulated(seed):
    """Runs in a process of a pool."""
    return carat.simulate("diamant", seats=["depth", "traps"], games=300, seed=seed)


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork:")
def test_results_come_whole_from_process_pools(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        found = list(pool.map(simulated, range(3)))
    for seed, played in enumerate(found):
        here = simulated(seed)
        assert played.tables == here.tables and played.summary == here.summary
        assert all(played.table(name).equals(here.table(name)) for name in played.tables)
    assert pickle.loads(pickle.dumps(carat.CaratError("no", 2, "me"))).field == "me"


def test_each_command_has_a_function(tmp_path):
    bot = tmp_path / "mine.toml"
    bot.write_text("leave = 'held >= 8'\n")
    checked = carat.check(bot, tmp_path / "nothing.toml")
    assert checked["sound"].to_list() == [True, False]
    assert carat.list("diamant")[0]["name"] == "diamant"
    assert "traps" in carat.show("rules", "diamant", "iello-2016")
    assert carat.show("study", "sweep").startswith("format")
    assert "held" in carat.show("features", "diamant")["feature"].to_list()
    assert carat.show("paths", "diamant", players=3).height > 3
    advice = carat.advise("diamant", "5 7 snake 11", players=4, others=["people"], playouts=100)
    assert 0 <= advice["stay"]["win_share"] <= 1
    with pytest.raises(carat.CaratError):
        carat.advise("diamant", "5 nonsense", players=4)
    story = subprocess.run([carat.program(), "replay", "diamant", "--record"], capture_output=True, text=True)
    record = tmp_path / "evening.txt"
    record.write_text(story.stdout)
    people = carat.fit("diamant", record)
    assert people and people[0]["bot"]
    analysed = carat.analyse("diamant", record=record, playouts=64)
    assert "mistakes" in analysed.tables
    for number in (1, 2):
        subprocess.run([carat.program(), "simulate", "diamant", "--games", "600", "--players", "3", "--shard",
                        f"{number}/2", "--out", str(tmp_path / "shards"), "--quiet"], check=True)
    merged = carat.merge(tmp_path / "shards")
    assert merged.table("seats").equals(carat.simulate("diamant", games=600, players=3).table("seats"))
    collected = carat.collect(merged, analysed, merged.save(tmp_path / "there"), table="seats", out=tmp_path / "all.csv")
    assert collected["folder"].unique().sort().to_list() == sorted({"1", str(tmp_path / "there")})
    assert (tmp_path / "all.csv").exists()


def test_examples_are_true():
    failed = tried = 0
    for name in ["carat", "carat.keys", "carat._bots", "carat._commands", "carat._engine", "carat._results",
                 "carat._studies"]:
        found = doctest.testmod(importlib.import_module(name), extraglobs={"carat": carat}, optionflags=doctest.ELLIPSIS)
        failed, tried = failed + found.failed, tried + found.attempted
    assert (failed, tried > 25) == (0, True)
    assert all(inspect.getdoc(getattr(carat, name)) for name in carat.__all__)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the script needs tomllib")
def test_typed_keys_are_those_that_carat_declares(monkeypatch):
    monkeypatch.setenv("CARAT", carat.program())
    script = runpy.run_path(str(Path(__file__).parents[1] / "keys.py"))
    assert script["whole"]() == Path(carat.keys.__file__).read_text("utf-8"), "run scripts/python/keys.py"
    kinds = [name for name in script["kinds"]() if not callable(getattr(carat, name, None))]
    assert kinds == []


def test_typed_fields_are_those_of_the_engine():
    with carat.Engine(threads=1) as engine:
        with pytest.raises(carat.CaratError) as error:
            engine.ask("options", TABLE, unknown=1)
    fields = set(str(error.value).split(" are ")[1].split(", "))
    assert fields - {"id", "ask", "table", "of"} == set(carat.Question.__annotations__)
    told = subprocess.run([carat.program(), "help", "engine"], capture_output=True, text=True).stdout
    answer = told.split("Fields of an answer")[1]
    fields = set(re.findall(r"^  (\w+)  ", answer, re.MULTILINE))
    assert fields - {"id", "error", "field", "cancelled"} == set(carat.Answer.__annotations__)


def leaves_with_eight(decision):
    return decision["held"] >= 8


def test_bots_and_rules_are_made_in_python():
    formula = carat.Bot("patient", leave="held >= target", params={"target": 8})
    function = carat.Bot("function", leaves_with_eight, features=["held"])
    rules = carat.show("rules", "diamant")
    tomllib = pytest.importorskip("tomllib")
    how = {"games": 300, "rules": tomllib.loads(rules)}
    played = [carat.simulate("diamant", seats=[bot, "2*depth"], **how) for bot in (formula, function, leaves_with_eight)]
    shares = [of.table("seats")["win_share"].to_list() for of in played]
    assert shares[0] == shares[1] == shares[2]
    assert played[0].table("seats")["bot"][0] == "patient.toml"
    assert [of["name"] for of in played[0].manifest["rules"]] == ["rules.toml"]
    again = carat.run(played[0])
    assert again.table("seats").equals(played[0].table("seats"))
    option = carat.Bot("last", lambda decision: len(decision.options) - 1, features=[])
    assert carat.simulate("diamond_cave", seats=[option, "people"], games=3).games == 3
    chance = carat.Bot("chance", lambda decision: decision.random.random() < 0.2, features=[])
    twice = [carat.simulate("diamant", seats=[chance, "depth"], games=50).to_polars() for _ in range(2)]
    assert twice[0].equals(twice[1])


def fails(decision):
    raise LookupError("no idea")


def test_exceptions_of_functions_come_up_with_their_traceback():
    with pytest.raises(LookupError, match="no idea") as found:
        carat.simulate("diamant", seats=[fails, "depth"], games=100)
    assert "in fails" in "".join(traceback.format_tb(found.value.__traceback__))


def test_quick_questions_wait_for_no_simulation():
    with carat.Engine() as engine:
        engine.ask("options", TABLE)
        long = [engine.submit("simulate", TABLE, seed=seed, games=10**10) for seed in range(10)]
        advice = engine.submit("advise", TABLE, playouts=10**8)
        time.sleep(1)
        waits = []
        for number in range(5):
            began = time.monotonic()
            engine.ask("options", TABLE, number=number)
            waits.append(time.monotonic() - began)
        assert sorted(waits)[2] < 0.2, waits
        assert not any(future.done() for future in [*long, advice])
        for future in [*long, advice]:
            assert future.cancel()
        began = time.monotonic()
        assert engine.ask("simulate", TABLE, games=1000)["done"]
        assert time.monotonic() - began < 5


def test_clients_do_not_block_each_other():
    """One asks for long simulations, one for much advice, one for little of everything."""
    with carat.Engine(threads=2) as engine:
        open_ones = [engine.submit("simulate", TABLE, games=10**10, client="a") for _ in range(20)]
        open_ones += [engine.submit("advise", TABLE, playouts=10**8, client="b") for _ in range(20)]
        began = time.monotonic()
        assert engine.ask("simulate", TABLE, games=30_000, client="c")["games"] == 30_000
        assert len(engine.ask("advise", TABLE, playouts=500, client="c")["worth"]) == 2
        assert engine.ask("options", TABLE, client="c")["options"]
        assert time.monotonic() - began < 10
        for future in open_ones:
            future.cancel()


def test_steps_stream_and_end_when_nobody_wants_them():
    with carat.Engine() as engine:
        seen = [step["games"] for step in engine.steps("simulate", TABLE, games=101_000)]
        assert seen == [20_000, 100_000, 101_000]
        for step in engine.steps("simulate", TABLE, games=10**10):
            break
        began = time.monotonic()
        with pytest.raises(carat.CaratError, match="stopped"):
            engine.ask("simulate", TABLE, games=10**10, seconds=0.5)
        assert time.monotonic() - began < 5

        async def both():
            seen = []
            async for step in engine.steps_async("simulate", TABLE, games=101_000):
                seen.append(step["games"])
            task = asyncio.ensure_future(engine.ask_async("simulate", TABLE, games=10**10))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises((asyncio.CancelledError, CancelledError)):
                await task
            return seen, (await engine.ask_async("options", TABLE))["options"]

        assert asyncio.run(both()) == ([20_000, 100_000, 101_000], ["stay", "leave"])
    with carat.Engine(seconds=0.3) as engine:
        with pytest.raises(carat.CaratError, match="stopped"):
            engine.ask("simulate", TABLE, games=10**10)
