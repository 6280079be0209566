"""The application: `create_app(settings)` makes the world, its lifespan ends it. Trusted side.

request ── admission ── submission ── dispatch ── Judge ── views ── answer
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from importlib.metadata import version
from typing import TypedDict

import structlog
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app.api import mount_api
from app.bank import bank_directory, open_bank
from app.dispatch import Dispatch
from app.hangup import HangUp
from app.pages import mount_pages
from app.problem_json import mount_errors
from app.settings import Settings
from judge.errors import JudgeError
from judge.grade import Judge
from judge.options import JudgeOptions
from problems.watching import Bank

GZIP_LEVEL = 4
"""A report of 19 cases takes 0.1 ms at this level and is within 5 % of the size that level 9 gives."""


log = structlog.get_logger()


class World(TypedDict):
    """What lives as long as the server; handlers find it in `request.state`."""

    judge: Judge
    dispatch: Dispatch


def create_app(settings: Settings) -> FastAPI:
    """The ASGI application. The judge starts with its lifespan, which raises JailUnavailable when it cannot."""
    bank = open_bank(settings)
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
    app.state.unavailable = None  # the JudgeError for which the judge did not start
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=GZIP_LEVEL)
    app.add_middleware(HangUp)
    mount_errors(app)
    mount_api(app, bank, release)
    mount_pages(app, bank, settings)
    return app


def judge_options(settings: Settings) -> JudgeOptions:
    """What the judge is told. The jail must see neither the bank nor the data, wherever they lie."""
    return JudgeOptions(
        zygotes=settings.zygotes,
        waive=settings.waive,
        hide=(bank_directory(settings), settings.data_dir),
        cache_dir=settings.data_dir / "mistakes",
    )


def _lifespan(settings: Settings, bank: Bank) -> Callable[[FastAPI], AbstractAsyncContextManager[World]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[World]:
        options = judge_options(settings)
        with ExitStack() as stack:
            try:
                judge = stack.enter_context(Judge(options))
            except JudgeError as error:
                app.state.unavailable = error
                raise
            dispatch = stack.enter_context(Dispatch(judge, options.zygotes * options.armed))
            for problem in bank.problems().values():
                judge.mistakes.ready(problem)  # starts finding out, so that the first student has a diagnosis
            alive, _ = judge.zygotes()
            log.info("ready", zygotes=alive, layers={layer.name: layer.state for layer in judge.layers()})
            yield {"judge": judge, "dispatch": dispatch}

    return lifespan
