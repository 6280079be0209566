"""Takes jobs from the queue of many machines: procrastinate's worker, and what keeps it alive. Trusted side.

    run         takes jobs until it is stopped; begins again whenever PostgreSQL went away and came back
    beat        says that this worker is alive, to the end of its last judging
    reap        jobs of workers that say nothing any more are given to others
    reconcile   judgings that no job points to get one

procrastinate's worker says no more that it is alive, and hears of no new job, once a connection failed, but goes on
taking jobs; and a job whose end could not be written stays "doing" for ever: both are why the loops below exist.
Whoever judges the same twice is kept apart by the attempt in `judgings`, so giving a job away too early costs time and
nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import psycopg
import structlog
from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ProcrastinateException
from procrastinate.worker import Worker
from psycopg_pool import PoolTimeout

from app.store.errors import StoreUnavailable
from app.store.jobs import QUEUE, TASK, Jobs, jobless
from app.store.postgres import conninfo, read_url
from app.store.store import Store

HEARTBEAT_S = 2.0
STALLED_S = 6.0
"""Three heartbeats missed: the worker was killed, frozen or cut off."""
GAP_S = 1.5 * HEARTBEAT_S
"""A longer silence of its own, and a worker does not judge who else is silent: then nobody could be heard."""
REAP_EVERY_S = 2.0
RECONCILE_EVERY_S = 5.0
JOBLESS_S = 15.0
"""How old a judging is that should have a job by now; what is being accepted or retried just now is younger."""
GRACE_S = 30.0
"""For what runs when the worker is told to stop: longer than the 20 s that a submission may take in all."""
POLL_S = 2.0
NEVER_S = 86400.0
"""Between the heartbeats of procrastinate's own; ours replace them."""
FORGOTTEN_S = 60.0
"""After which a silent worker's row is deleted when another starts."""
AGAIN_S = 1.0
POOL_WAIT_S = 4.0
"""For a connection; longer than that, and the database is away."""
RECONNECT_S = 1.0
"""How long a lost connection is tried again in the background, less and less often; then whoever needs one tries."""
MAX_RETRIES = 50
"""Of one job. Then it is gone, and the reconciler makes another."""
CONNECTIONS = 3
"""For fetching and finishing jobs and heartbeats, each of which takes about a millisecond."""
_TROUBLE = (ProcrastinateException, psycopg.Error, PoolTimeout, OSError, StoreUnavailable)

Run = Callable[[str, str, bool], Awaitable[None]]
"""Judges: the judging, the submission, and whether it is a rejudging. Raises when somebody should try again."""

log = structlog.get_logger()


class Pulse:
    """The heartbeats of this worker that arrived."""

    def __init__(self) -> None:
        self._since = self._last = -math.inf

    def beat(self) -> None:
        """One arrived just now."""
        now = time.monotonic()
        if now - self._last > GAP_S:
            self._since = now
        self._last = now

    def is_steady(self) -> bool:
        """Whether they have arrived for so long that whoever was not heard meanwhile is gone."""
        now = time.monotonic()
        return now - self._last <= GAP_S and now - self._since >= STALLED_S


class Taking:
    """Takes jobs for one process."""

    def __init__(self, store: Store, run: Run, concurrency: int) -> None:
        assert store.url is not None  # noqa: S101 -- for the type checker
        self._store = store
        self._jobs = Jobs()
        self._run = run
        self._concurrency = concurrency
        self._conninfo = conninfo(read_url(store.url))
        self._stopped = asyncio.Event()
        self._taking: asyncio.Task[None] | None = None
        # Its lines about every job repeat ours.
        logging.getLogger("procrastinate").setLevel(logging.ERROR)

    def stop(self) -> None:
        """Takes nothing more; what runs may end. On the event loop."""
        self._stopped.set()
        if self._taking is not None:
            self._taking.cancel()  # which procrastinate takes as a wish to end gracefully

    async def run(self) -> None:
        """Until `stop`, and until what runs then has ended."""
        while not self._stopped.is_set():
            try:
                await self._take()
            except _TROUBLE as error:
                log.warning("the queue is away", why=str(error) or type(error).__name__)
            if not self._stopped.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopped.wait(), AGAIN_S)

    async def _take(self) -> None:
        """Until it is stopped, or the database goes away."""
        # A pool that does not get its first connection at once would stand still for half a minute.
        await (await psycopg.AsyncConnection.connect(self._conninfo)).close()
        app = self._app()
        async with app.open_async():
            if self._stopped.is_set():
                return
            worker, pulse = self._worker(app), Pulse()
            loops = (self._beat(app, worker, pulse), self._reap(app, pulse), self._reconcile())
            keeping = [asyncio.create_task(loop) for loop in loops]
            self._taking = asyncio.create_task(worker.run())  # type: ignore[no-untyped-call] # not annotated there
            log.info("working", concurrency=self._concurrency)
            try:
                await asyncio.wait([self._taking])
                if not self._taking.cancelled():
                    self._taking.result()
            finally:
                self._taking = None
                for task in keeping:
                    task.cancel()
                await asyncio.gather(*keeping, return_exceptions=True)

    def _worker(self, app: App) -> Worker:
        return Worker(
            app,
            [QUEUE],
            concurrency=self._concurrency,
            fetch_job_polling_interval=POLL_S,
            update_heartbeat_interval=NEVER_S,
            stalled_worker_timeout=FORGOTTEN_S,
            shutdown_graceful_timeout=GRACE_S,
            delete_jobs="always",
            install_signal_handlers=False,
        )

    def _app(self) -> App:
        app = App(
            connector=PsycopgConnector(
                conninfo=self._conninfo,
                min_size=1,
                max_size=CONNECTIONS,
                timeout=POOL_WAIT_S,
                reconnect_timeout=RECONNECT_S,
                kwargs={"application_name": "tensorgrade-worker"},
            )
        )

        async def judge(context: JobContext, *, judging: str, submission: str, rejudging: bool) -> None:
            del context
            await self._run(judging, submission, rejudging)

        retry = RetryStrategy(max_attempts=MAX_RETRIES, wait=1)
        app.task(name=TASK, queue=QUEUE, retry=retry, pass_context=True)(judge)
        return app

    async def _beat(self, app: App, worker: Worker, pulse: Pulse) -> None:
        """Says that this worker is alive, also while it stops: what it still judges is its own.

        At the first trouble it is told to stop: it no longer hears of new jobs. Then another begins.
        """
        while True:
            if worker.worker_id is not None:
                try:
                    await app.job_manager.update_heartbeat(worker.worker_id)
                    pulse.beat()
                except _TROUBLE as error:
                    log.warning("the queue is away", why=str(error.__cause__ or error))
                    worker.stop()  # type: ignore[no-untyped-call] # not annotated there
            await asyncio.sleep(HEARTBEAT_S)

    async def _reap(self, app: App, pulse: Pulse) -> None:
        """Gives the jobs of silent workers to others."""
        while True:
            await asyncio.sleep(REAP_EVERY_S)
            try:
                stalled = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_S)
                for job in stalled if pulse.is_steady() else ():
                    await app.job_manager.retry_job(job)
                    log.warning("given to others", judging=job.task_kwargs.get("judging"))
            except _TROUBLE as error:  # another worker was faster, or the database is away
                log.debug("not reaped", why=str(error))

    async def _reconcile(self) -> None:
        """Gives a job to every judging that has none."""
        while True:
            await asyncio.sleep(RECONCILE_EVERY_S)
            try:
                made = await asyncio.to_thread(self.reconcile)
            except StoreUnavailable as error:
                log.debug("not reconciled", why=str(error))
            else:
                if made:
                    log.warning("had no job", judgings=made)

    def reconcile(self, older_than_s: float = JOBLESS_S) -> int:
        """Makes the jobs that are missing; how many."""
        before_ms = int((time.time() - older_than_s) * 1000)
        without = self._store.read(lambda connection: jobless(connection, before_ms))
        return sum(
            self._store.write(lambda connection, each=each: self._jobs.defer_again(connection, each))  # type: ignore[misc]
            for each in without
        )
