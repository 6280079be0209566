import asyncio
from ipaddress import ip_network

import pytest
from fastapi import Request, Response

from app.identity import Identity, set_cookie
from app.store import accepting, revisions
from app.store.accepting import NewSubmission
from app.store.store import Store
from problems.shipped import shipped_bank
from problems.snapshot import take_snapshot

COOKIE = "A" * 22
PROXY = "127.0.0.1"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


def request(peer="9.9.9.9", **headers):
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return Request({"type": "http", "scheme": "http", "path": "/", "headers": raw, "client": (peer, 1)})


@pytest.fixture
def sender(store):
    identity = Identity(store, [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")], "X-Remote-User")
    return lambda *peer, **headers: asyncio.run(identity.sender(request(*peer, **headers)))


def keep(store, owner):
    snapshot = take_snapshot(shipped_bank() / "scaled-dot-product-attention")
    new = NewSubmission(
        "s" * 22, "j" * 22, snapshot.problem.slug, snapshot.problem.revision, "submit", b"", None, owner, None,
        came_alone=False, key=None, body_sha256=b"", submitted_at_ms=0, client=owner, max_pending=9, share=1,
    )  # fmt: skip
    store.write(lambda c: revisions.publish(c, snapshot, 0))
    store.write(lambda c: accepting.accept(c, new))


def test_a_browser_without_a_cookie_gets_one_and_counts_on_its_address(sender):
    first = sender()
    assert first.new_cookie is not None
    assert first.came_alone
    assert (first.client, first.is_address) == ("address:9.9.9.9", True)
    assert sender().owner != first.owner


def test_a_cookie_that_the_store_does_not_know_counts_on_its_address(sender):
    made_up = sender(cookie=f"tensorgrade={COOKIE}")
    assert made_up.new_cookie is None
    assert made_up.client == "address:9.9.9.9"


def test_a_cookie_that_the_store_knows_counts_on_itself(sender, store):
    owner = sender(cookie=f"tensorgrade={COOKIE}").owner
    keep(store, owner)
    known = sender(cookie=f"tensorgrade={COOKIE}")
    assert (known.client, known.is_address) == (owner, False)


def test_a_whole_network_of_ipv6_counts_as_one_address(sender):
    assert sender("2001:db8::1").client == sender("2001:db8::ffff").client == "address:2001:db8::/64"
    assert sender("::ffff:9.9.9.9").client == "address:9.9.9.9"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("9.9.9.9", "1.1.1.1", "9.9.9.9"),  # anybody can write the header
        (PROXY, "1.1.1.1", "1.1.1.1"),
        (PROXY, "6.6.6.6, 1.1.1.1", "1.1.1.1"),  # the client wrote the first one itself
        (PROXY, "1.1.1.1, 10.0.0.7", "1.1.1.1"),
        (PROXY, "nonsense", PROXY),
        (PROXY, "", PROXY),
        (PROXY, "10.0.0.7", "10.0.0.7"),
    ],
)
def test_only_trusted_proxies_say_who_is_behind_them(sender, peer, forwarded, client):
    assert sender(peer, x_forwarded_for=forwarded).client == f"address:{client}"


def test_only_a_trusted_proxy_names_the_user(sender):
    named = sender(PROXY, x_remote_user="ada")
    assert (named.owner, named.client, named.user_name) == ("user:ada", "user:ada", "ada")
    assert named.new_cookie is None
    assert sender("9.9.9.9", x_remote_user="ada").user_name is None
    assert sender(PROXY, x_remote_user=" ").user_name is None
    assert len(sender(PROXY, x_remote_user="x" * 5000).user_name) == 200


def test_a_cookie_is_secure_where_the_connection_is(sender):
    response = Response()
    set_cookie(response, sender(PROXY, x_forwarded_proto="https"))
    assert "Secure" in response.headers["set-cookie"]
    response = Response()
    set_cookie(response, sender("9.9.9.9", x_forwarded_proto="https"))
    assert "Secure" not in response.headers["set-cookie"]


def test_who_connects_through_a_unix_socket_is_somebody(store):
    identity = Identity(store, [], None)
    scope = {"type": "http", "scheme": "http", "path": "/", "headers": [], "client": None}
    assert asyncio.run(identity.sender(Request(scope))).is_address
