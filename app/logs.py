"""Structured logs on standard error: one line an event, ours and the libraries' alike. Trusted side."""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logs(level: str, *, tty: bool | None = None) -> None:
    """Coloured key=value lines on a terminal, JSON lines elsewhere. `level` is a name such as "info"."""
    human = sys.stderr.isatty() if tty is None else tty
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if human
        else [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # Uvicorn's own "Started server process" lines repeat what serve says better.
    logging.getLogger("uvicorn").setLevel(max(logging.WARNING, root.level))
