"""A server that judges nothing itself: it accepts, hands over to workers on other machines, and answers. Trusted side.

Any number of them share one PostgreSQL; each may end at any moment, because it keeps nothing of its own.
"""

from __future__ import annotations

from contextlib import ExitStack

import structlog

from app.admission import Rates
from app.checkout import publish_first
from app.desk import Desk
from app.handover import Handover
from app.hub import Hub
from app.identity import Identity
from app.listener import Listener
from app.metrics import Metrics
from app.settings import Settings
from app.store.jobs import Jobs
from app.stored_bank import StoredBank
from app.world import World

log = structlog.get_logger()


def begin_replica(settings: Settings, bank: StoredBank, stack: ExitStack, metrics: Metrics) -> World:
    """Everything that ends with the stack, in the order in which it needs each other."""
    store = stack.enter_context(bank.store)
    if published := publish_first(settings, store):
        log.info("published first", problems=published)
    bank.refresh()
    hub = Hub()
    handover = Handover(Jobs(), hub)
    listener = Listener(store, hub, bank, handover)
    listener.sweep()
    stack.enter_context(listener)
    identity = Identity(store, settings.trusted_proxies, settings.user_header)
    desk = Desk(store, handover, hub, Rates(settings.rate_limit) if settings.rate_limit else None)
    metrics.watch_queue(store, handover, hub)
    metrics.watch_workers(lambda: handover.workers)
    log.info("ready", problems=sorted(bank.problems()), workers=handover.workers)
    return World(store, bank, hub, handover, identity, desk, workers=lambda: handover.workers)
