"""The engine: answers about positions and tables, many at the same time."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import queue
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as _TimeoutError
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._program import CaratError, Child, await_event, warn
from ._studies import plain

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The longest question of the engine, in bytes.
_QUESTION_MAX = 1 << 22
_OTHER_PROCESS = "an Engine answers only the process that made it; make one in each process"

#: What can be asked.
Ask = Literal["options", "features", "decide", "advise", "play", "keep", "review", "about", "simulate", "sweep", "files"]


class Question(TypedDict, total=False):
    """Fields of a question; `carat help engine` describes them."""

    me: int
    seed: int | str
    number: int
    moves: list[str]
    choice: int | str
    situation: str
    playouts: int
    games: int
    pin: Mapping[str, Any]
    width: float
    reach: Mapping[str, Any]
    files: Mapping[str, str]
    vary: Mapping[str, Any]
    metric: str | list[str]
    steps: bool
    client: str
    seconds: float
    part: Mapping[str, Any]
    merge: Mapping[str, Any]


class Answer(TypedDict, total=False):
    """Fields of an answer; `carat help engine` describes them."""

    moves: list[str]
    over: bool
    seat: int
    at: str
    situation: str
    options: list[str]
    board: dict[str, Any] | None
    svg: str
    story: str
    choice: int
    features: list[dict[str, float]]
    best: int | None
    worth: list[dict[str, Any]]
    against: list[dict[str, Any]]
    holds: str
    words: str
    stakes: list[str]
    others: str
    cases: list[dict[str, Any]]
    when: str | None
    why: str | None
    file: str
    wins: list[float]
    scores: list[int]
    tables: dict[str, list[dict[str, Any]]]
    summary: str
    games: int
    populations: list[int]
    done: bool
    charts: dict[str, str]
    reach: dict[str, Any]
    differences: list[dict[str, Any]]
    adapting: float
    warnings: list[str]
    sums: str
    state: str
    files: dict[str, str]
    game: dict[str, Any]
    keys: list[dict[str, Any]]
    rules: dict[str, Any]
    seats: list[str]
    metrics: list[dict[str, Any]]


OnStep = Callable[[Answer], object]


class _Asked(Future[Answer]):
    """An answer that comes later. To cancel it ends the work on it."""

    def __init__(self, engine: Engine, number: int, line: str, on_step: OnStep | None):
        super().__init__()
        self.engine = engine
        self.number = number
        self.line = line
        self.on_step = on_step

    def cancel(self) -> bool:
        is_cancelled = super().cancel()
        if is_cancelled:
            self.engine._cancel(self.number)
        return is_cancelled


class Engine:
    """`carat engine`: answers questions about positions and tables, many at the same time.

    threads: the number of threads, up to 256; 0 for one per processor.
    allow_files: lets questions name files and programs of this machine.
    seconds: the longest time to work on a question, if it does not name its own; None for no limit.

    Use it in a `with` block, or call `close`. Quick questions wait for no others, and simulations take turns. If the
    engine dies, it starts anew once, with a warning, and answers what is open. It answers only the process that made
    it: make one in each process of a pool.

    >>> table = {"game": "diamant", "seats": ["simple", "depth", "people"]}
    >>> with carat.Engine() as engine:
    ...     engine.ask("options", table)["options"]
    ['stay', 'leave']
    """

    def __init__(self, threads: int = 0, allow_files: bool = False, seconds: float | None = None):
        self._owner = os.getpid()
        self._arguments = ["engine", "--threads", str(threads), *(["--allow-files"] if allow_files else [])]
        self._seconds = seconds
        self._waiting: dict[int, _Asked] = {}
        self._ids = itertools.count()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._is_closing = False
        self._was_restarted = False
        self._news: str | None = None
        self._start()

    def _start(self) -> None:
        self._process = Child(*self._arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()

    def submit(self, ask: Ask, table: Mapping[str, Any], *, on_step: OnStep | None = None,
               **fields: Unpack[Question]) -> Future[Answer]:
        """Ask a question; its answer comes later. `cancel` of what this returns ends the work on it.

        ask: what to ask, such as "advise".
        table: the keys of a table, as in a study file.
        on_step: is called with each answer before the last, such as the steps of a simulation, on another thread.
        fields: the fields of the question (`carat help engine`). `seconds` limits its time; `client` names who asks:
            a client with many long questions does not keep those of others waiting.
        """
        if os.getpid() != self._owner:
            # After a fork the lock may be held by a thread that is not there, and answers go to the parent.
            raise CaratError(_OTHER_PROCESS)
        if "id" in fields:
            raise CaratError("the engine numbers its questions itself", field="id")
        with self._lock:
            number = next(self._ids)
            try:
                asked = plain({"id": number, "ask": ask, "table": table, "seconds": self._seconds, **fields})
                line = json.dumps(asked, allow_nan=False) + "\n"
            except ValueError:
                raise CaratError("a question holds no nan and no infinite numbers") from None
            future = _Asked(self, number, line, on_step)
            if len(line) > _QUESTION_MAX:
                future.set_exception(CaratError(f"the question is longer than {_QUESTION_MAX} bytes"))
                return future
            if self._ended.is_set() or self._is_closing:
                raise CaratError("the engine has ended")
            self._waiting[number] = future
        self._write(line)
        self._say_news()
        return future

    def ask(self, ask: Ask, table: Mapping[str, Any], *, timeout: float | None = None,
            on_step: OnStep | None = None, **fields: Unpack[Question]) -> Answer:
        """Ask a question, and wait for its answer, at most `timeout` seconds; the rest is as in `submit`."""
        future, answered = self.submit(ask, table, on_step=on_step, **fields), threading.Event()
        future.add_done_callback(lambda _: answered.set())
        try:
            is_answered = await_event(answered, timeout)
        except KeyboardInterrupt:
            future.cancel()
            raise
        self._say_news()
        if not is_answered:
            future.cancel()
            raise _TimeoutError(f"no answer within {timeout} s")
        return future.result(0)

    def steps(self, ask: Ask, table: Mapping[str, Any], **fields: Unpack[Question]) -> Iterator[Answer]:
        """All answers to a question as they come, the last one last. To leave the loop ends the work on it.

        >>> with carat.Engine() as engine:
        ...     [step["games"] for step in engine.steps("simulate", {"game": "diamant"}, games=21_000)]
        [20000, 21000]
        """
        steps: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        future = self.submit(ask, table, on_step=steps.put, **fields)
        future.add_done_callback(lambda _: steps.put(None))
        try:
            while True:
                try:
                    step = steps.get(timeout=0.1)
                except queue.Empty:
                    continue  # Python notices Ctrl-C here.
                if step is None:
                    yield future.result(0)
                    return
                yield step
        finally:
            future.cancel()

    async def ask_async(self, ask: Ask, table: Mapping[str, Any], **fields: Unpack[Question]) -> Answer:
        """Ask a question, and await its answer. To cancel the task ends the work on it."""
        return await asyncio.wrap_future(self.submit(ask, table, **fields))

    async def steps_async(self, ask: Ask, table: Mapping[str, Any],
                          **fields: Unpack[Question]) -> AsyncIterator[Answer]:
        """All answers to a question as they come, the last one last."""
        loop = asyncio.get_running_loop()
        steps: asyncio.Queue[Answer | None] = asyncio.Queue()

        def put(step: Answer | None) -> None:
            try:
                loop.call_soon_threadsafe(steps.put_nowait, step)
            except RuntimeError:
                pass  # The loop is closed.

        future = self.submit(ask, table, on_step=put, **fields)
        future.add_done_callback(lambda _: put(None))
        try:
            while (step := await steps.get()) is not None:
                yield step
            yield future.result(0)
        finally:
            future.cancel()

    def _write(self, line: str) -> None:
        try:
            with self._writing:
                assert self._process.stdin
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # It has ended; `_read` notices, and starts it anew.

    def _cancel(self, number: int) -> None:
        with self._lock:
            is_open = self._waiting.pop(number, None) is not None
        if is_open and os.getpid() == self._owner:
            self._write(json.dumps({"id": "cancel", "ask": "cancel", "of": number}) + "\n")

    def _say_news(self) -> None:
        news, self._news = self._news, None
        if news:
            warn(news)

    def __reduce__(self) -> Any:
        raise TypeError(_OTHER_PROCESS)

    def _read(self, process: Child) -> None:
        """Hands out the answers of this process until it ends."""
        assert process.stdout
        for line in process.stdout:
            try:
                answer = json.loads(line)
                number = answer.pop("id")
            except (ValueError, KeyError, AttributeError, TypeError):
                continue  # It answers no question.
            is_last = answer.get("done", True) and "adapting" not in answer
            with self._lock:
                future = self._waiting.pop(number, None) if is_last else self._waiting.get(number)
            if future is None or future.cancelled():
                continue
            if not is_last:
                try:
                    if future.on_step:
                        future.on_step(answer)
                except Exception as error:
                    self._cancel(number)
                    future.set_exception(error)
            elif not future.set_running_or_notify_cancel():
                continue
            elif "error" in answer:
                future.set_exception(CaratError(answer["error"], field=answer.get("field")))
            else:
                future.set_result(answer)
        process.wait()
        with self._lock:
            is_restarted = not self._is_closing and not self._was_restarted
            left = list(self._waiting.values())
            if is_restarted:
                self._was_restarted = True
                self._news = "the engine had ended, and was started anew; open questions were asked again"
                process.end()
                self._start()
            else:
                self._waiting = {}
                self._ended.set()
        for future in left:
            if is_restarted:
                self._write(future.line)
                continue
            if future.set_running_or_notify_cancel():
                future.set_exception(CaratError("the engine has ended"))

    def close(self) -> None:
        """Wait for the open questions, and end the engine."""
        if os.getpid() != self._owner:
            return  # It goes on for the process that made it.
        with self._lock:
            self._is_closing = True
            process = self._process
            if not self._waiting:
                process.kill()  # Nobody waits for what it still does.
        try:
            with self._writing:
                if process.stdin:
                    process.stdin.close()
        except OSError:
            pass  # It ended with a question unread.
        try:
            await_event(self._ended)
        finally:
            process.end()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._is_closing = True
            self._process.kill()
        self.close()
