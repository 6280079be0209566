"""The application: `create_app(settings)` makes the world, its lifespan ends it. Trusted side.

request ─ admission ─ submission ─ desk ─► store, dispatch ─► judging ─ Judge ─ views ─ store ─► hub ─► answer
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from importlib.metadata import version
from typing import TypedDict

import structlog
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app.admission import Rates
from app.api import mount_api
from app.bank import open_bank
from app.desk import Desk
from app.dispatch import Dispatch
from app.hangup import HangUp
from app.hub import Hub
from app.identity import Identity
from app.judge_settings import judge_options
from app.judging import Judging
from app.metrics import Metrics
from app.pages import mount_pages
from app.problem_json import mount_errors
from app.published import Published
from app.settings import Settings
from app.store.errors import StoreError
from app.store.extra import need_the_extra
from app.store.lock import DirectoryLock
from app.store.store import Store
from app.stored_bank import StoredBank
from app.upkeep import Upkeep
from app.world import World
from judge.errors import JudgeError
from judge.grade import Judge
from problems.watching import Bank

GZIP_LEVEL = 4
"""A report of 19 cases takes 0.1 ms at this level and is within 5 % of the size that level 9 gives."""


log = structlog.get_logger()


class State(TypedDict):
    """What handlers find in `request.state`."""

    world: World


def create_app(settings: Settings) -> FastAPI:
    """The ASGI application. The judge starts with its lifespan, which raises JailUnavailable when it cannot."""
    bank = _bank(settings)
    release = version("tensorgrade")
    # The documentation pages of FastAPI load scripts from a CDN; /openapi.json stays.
    app = FastAPI(
        title="tensorgrade",
        version=release,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(settings, bank),
    )
    app.state.unavailable = None  # the error for which the server did not start
    app.state.metrics = Metrics()
    app.state.drain = None  # what is to be called when the server is told to stop
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=GZIP_LEVEL)
    app.add_middleware(HangUp)
    mount_errors(app)
    mount_api(app, bank, release)
    mount_pages(app, bank, settings)
    return app


def _bank(settings: Settings) -> Bank | StoredBank:
    """The problems to serve: files of this machine, or those in the database of many."""
    if settings.database_url is None:
        return open_bank(settings)
    need_the_extra()
    return StoredBank(Store(settings.data_dir, settings.database_url))


def _lifespan(settings: Settings, bank: Bank | StoredBank) -> Callable[[FastAPI], AbstractAsyncContextManager[State]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[State]:
        with ExitStack() as stack:
            try:
                world = _begin(settings, bank, stack, app.state.metrics)
            except (JudgeError, StoreError) as error:
                app.state.unavailable = error
                raise
            app.state.drain = world.drain
            upkeep = Upkeep(world.store, world.dispatch, world.hub, settings.retention_days)
            upkeep.recover()
            going_on = asyncio.create_task(upkeep.run())
            try:
                yield {"world": world}
            finally:
                going_on.cancel()
                with suppress(asyncio.CancelledError):
                    await going_on
                # In a thread: what is being judged tells this loop how it ended.
                await asyncio.to_thread(stack.close)

    return lifespan


def _begin(settings: Settings, bank: Bank | StoredBank, stack: ExitStack, metrics: Metrics) -> World:
    if isinstance(bank, Bank):
        return begin_world(settings, bank, stack, metrics)
    # Here, not above: one machine has no use for PostgreSQL's libraries, and they may not even be installed.
    from app.replica import begin_replica  # noqa: PLC0415

    return begin_replica(settings, bank, stack, metrics)


def begin_world(settings: Settings, bank: Bank, stack: ExitStack, metrics: Metrics) -> World:
    """One machine: everything that ends with the stack, in the order in which it needs each other."""
    options = judge_options(settings)
    stack.enter_context(DirectoryLock(settings.data_dir))
    store = stack.enter_context(Store(settings.data_dir))
    judge = stack.enter_context(Judge(options))
    published = Published(bank, store)
    for problem in published.problems().values():
        judge.mistakes.ready(problem)  # starts finding out, so that the first student has a diagnosis
    hub = Hub()
    judging = Judging(judge, store, published, hub, metrics)
    dispatch = stack.enter_context(Dispatch(judging.run_judging, options.zygotes * options.armed))
    stack.callback(judging.stopping.set)
    identity = Identity(store, settings.trusted_proxies, settings.user_header)
    desk = Desk(store, dispatch, hub, Rates(settings.rate_limit) if settings.rate_limit else None)
    metrics.watch(judge, store, dispatch, hub)
    alive, _ = judge.zygotes()
    log.info("ready", zygotes=alive, layers={layer.name: layer.state for layer in judge.layers()})
    return World(store, published, hub, dispatch, identity, desk, judge, judging)
