"""A server that judges nothing itself: it accepts, hands over to workers on other machines, and answers. Trusted side.

Any number of them share one PostgreSQL; each may end at any moment, because it keeps nothing of its own.
"""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime

import structlog

from app.admission import Rates
from app.bank import open_bank
from app.desk import Desk
from app.handover import Handover
from app.hub import Hub
from app.identity import Identity
from app.listener import Listener
from app.metrics import Metrics
from app.settings import Settings
from app.store import revisions
from app.store.clock import in_ms
from app.store.jobs import Jobs
from app.store.store import Store
from app.stored_bank import StoredBank
from app.world import World
from problems.snapshot import take_snapshot

log = structlog.get_logger()


def begin_replica(settings: Settings, bank: StoredBank, stack: ExitStack, metrics: Metrics) -> World:
    """Everything that ends with the stack, in the order in which it needs each other."""
    store = stack.enter_context(bank.store)
    publish_first(settings, store)
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
    return World(store=store, published=bank, hub=hub, dispatch=handover, identity=identity, desk=desk)


def publish_first(settings: Settings, store: Store) -> None:
    """Into a database without problems goes the bank that this machine has as files; into no other."""
    if store.read(revisions.current_revisions):
        return
    bank = open_bank(settings)
    snapshots = [take_snapshot(bank.path / slug) for slug in sorted(bank.problems())]
    now_ms = in_ms(datetime.now(UTC))
    if store.write(lambda connection: revisions.publish_first(connection, snapshots, now_ms)):
        log.info("published first", problems=[snapshot.problem.slug for snapshot in snapshots])
