"""A worker: a judge that takes judgings from the queue of many machines. Trusted side.

    job ─► run_judging, in a thread ─► report in the database ─► notice

It needs a judge and a role with few rights; it has no data of its own, so it may end at any moment.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import structlog

from app.judge_settings import judge_options
from app.judging import Judging
from app.metrics import Metrics
from app.settings import Settings
from app.store.store import Store
from app.store.taking import Taking
from app.stored_bank import StoredBank
from app.telling import Telling
from app.turns import Work
from judge.grade import Judge

STUDENT = "student"
"""The client of every judging that is not a rejudging: who it is, a worker may not know."""

log = structlog.get_logger()


class GivenBack(Exception):
    """The worker stops before the grader, which had failed, could be asked again: another worker judges it."""


class Runner:
    """Runs judgings in threads. On one event loop."""

    def __init__(self, judging: Judging, threads: int) -> None:
        self._judging = judging
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="judging")
        self.draining = threading.Event()

    async def run(self, judging: str, submission: str, rejudging: bool) -> None:  # noqa: FBT001 -- a job's argument
        """Until it is stored, or somebody else's. Raises when it is to be tried again: StoreUnavailable, GivenBack."""
        work = Work(judging, submission, client=None if rejudging else STUDENT)
        await asyncio.get_running_loop().run_in_executor(self._pool, self._run, work)

    def _run(self, work: Work) -> None:
        while (pause_s := self._judging.run_judging(work)) is not None:
            if self.draining.wait(pause_s):
                raise GivenBack
            work = replace(work, tries=work.tries + 1)

    def close(self) -> None:
        """Waits for what runs."""
        self._pool.shutdown(cancel_futures=True)


def work(settings: Settings, concurrency: int | None) -> None:
    """Judges until the process is told to stop (SIGTERM, Ctrl-C). JailUnavailable, StoreError when it cannot begin."""
    options = judge_options(settings)
    threads = concurrency or options.at_once
    with ExitStack() as stack:
        store = stack.enter_context(Store(settings.data_dir, settings.database_url, owner=False))
        judge = stack.enter_context(Judge(options))
        telling = stack.enter_context(Telling(store))
        judging = Judging(judge, store, StoredBank(store), telling, Metrics())
        runner = Runner(judging, threads)
        stack.callback(runner.close)
        stack.callback(judging.stopping.set)
        alive, _ = judge.zygotes()
        log.info("ready", zygotes=alive, layers={layer.name: layer.state for layer in judge.layers()})
        asyncio.run(_take(store, runner, judging, threads))
    log.info("stopped")


async def _take(store: Store, runner: Runner, judging: Judging, threads: int) -> None:
    taking = Taking(store, runner.run, threads)

    def stop() -> None:
        log.info("stopping")
        judging.draining.set()
        runner.draining.set()
        taking.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    await taking.run()
