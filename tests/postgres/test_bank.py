"""The bank in the database: who publishes what, and who gets which revision."""

import shutil

import pytest

from app.checkout import Overtaken, check_out, publish_first
from app.store import revisions
from app.stored_bank import StoredBank
from problems.errors import PackageError
from problems.shipped import shipped_bank
from problems.snapshot import take_snapshot

SLUG = "scaled-dot-product-attention"


@pytest.fixture
def bank(store):
    bank = StoredBank(store)
    bank.refresh()
    return bank


def change(checkout, words):
    """Changes the statement of a checked out package."""
    statement = checkout.settings.bank / SLUG / "statement" / "problem.en.md"
    statement.write_text(statement.read_text() + f"\n{words}\n")


def test_a_database_without_problems_gets_the_bank_of_the_first_server(bank):
    assert bank.get(SLUG).revision == take_snapshot(shipped_bank() / SLUG).problem.revision
    assert bank.trouble() == {}


def test_a_server_publishes_nothing_into_a_database_that_has_problems(settings, store, bank):
    before = bank.get(SLUG).revision
    (settings.bank / SLUG / "statement" / "problem.en.md").write_text("Other words.\n")
    publish_first(settings, store)
    assert bank.refresh() is False
    assert bank.get(SLUG).revision == before


def test_what_is_published_is_what_everybody_gets(settings, bank):
    checkout = check_out(settings)
    change(checkout, "More words.")
    checkout.publish(SLUG)
    assert bank.refresh() is True
    assert "More words." in bank.get(SLUG).statement


def test_of_two_who_change_the_same_revision_one_publishes_and_the_other_is_told(settings, bank):
    first, second = check_out(settings), check_out(settings)
    change(first, "First.")
    change(second, "Second.")
    first.publish(SLUG)
    with pytest.raises(Overtaken, match="somebody else published"):
        second.publish(SLUG)
    bank.refresh()
    assert "First." in bank.get(SLUG).statement
    assert "Second." not in bank.get(SLUG).statement


def test_a_package_that_cannot_be_judged_by_is_not_published(settings, store):
    checkout = check_out(settings)
    shutil.rmtree(checkout.settings.bank / SLUG / "data")
    before = store.read(revisions.current_revisions)
    with pytest.raises(PackageError):
        checkout.publish(SLUG)
    assert store.read(revisions.current_revisions) == before


def test_a_checked_out_copy_is_gone_when_nobody_holds_it(settings, store):
    checkout = check_out(settings)
    place = checkout.settings.bank
    assert (place / SLUG / "problem.yaml").is_file()
    del checkout
    assert not place.exists()


def test_an_old_revision_stays_for_what_was_submitted_on_it(settings, bank):
    old = bank.get(SLUG).revision
    checkout = check_out(settings)
    change(checkout, "More words.")
    checkout.publish(SLUG)
    assert StoredBank(bank.store).at(SLUG, old).revision == old


def test_of_a_new_revision_only_what_is_new_travels(settings, bank):
    checkout = check_out(settings)
    change(checkout, "More words.")
    checkout.publish(SLUG)
    revision = bank.store.read(revisions.current_revisions)[SLUG]
    _, contents = bank.store.read(lambda c: revisions.package_at(c, SLUG, revision, bank._files))
    assert len(contents.keys() - bank._files.keys()) == 1


def test_a_file_that_was_tampered_with_is_noticed_and_the_last_good_revision_serves_on(settings, bank, database):
    checkout = check_out(settings)
    change(checkout, "More words.")
    before = bank.get(SLUG).revision
    checkout.publish(SLUG)
    revision = bank.store.read(revisions.current_revisions)[SLUG]
    database.query("UPDATE blobs SET data = data || '!'::bytea WHERE sha256 = %s", (revision,))
    bank.refresh()
    assert bank.get(SLUG).revision == before
    assert "damaged" in bank.trouble()[SLUG] or "add up" in bank.trouble()[SLUG]


def test_a_revision_that_is_not_there_is_named(bank):
    with pytest.raises(PackageError, match="is not in the store"):
        bank.at(SLUG, "0" * 64)
