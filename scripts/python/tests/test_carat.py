"""Tests of the module, from the wheel or with $CARAT as the program."""

import carat
import polars
import pytest

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
    study = {"study": "simulate", "game": "diamant", "games": 20, "seats": [f'exec:python3 -c "{fails}"', "depth"]}
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
