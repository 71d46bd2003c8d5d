"""Addresses and forms with numbers beyond every column, bytes that a database does not take, and names that climb."""

from __future__ import annotations

import pytest
from arena.made_site import client_of, make_site

HUGE = "9" * 30
ENDLESS = "9" * 5000
"""More digits than Python reads."""


@pytest.fixture
def site(either_arena, run):
    """A competition with a ladder and a round."""
    return make_site(run)


ADDRESSES = [
    *(f"/c/cup/rounds/{number}/" for number in (HUGE, ENDLESS)),
    *(f"/c/cup/rounds/{HUGE}/{what}/" for what in ("download", "report")),
    f"/c/cup/rounds/?page={ENDLESS}",
    "/c/cup/rounds/1/report/../../../../secret.key",
    "/c/cup/rounds/1/report/%2e%2e/%2e%2e/round.json",
    "/c/cup/rounds/1/report/games/..%2f..%2fround.json",
    "/c/cup/rounds/1/report/%00",
    "/c/cup/bots/%00/",
    "/c/cup/bots/..%2f..%2fsecret.key/",
    f"/c/cup/bots/keeper/versions/{HUGE}/",
    f"/c/cup/bots/keeper/versions/1/rounds/{HUGE}/",
    f"/c/cup/bots/keeper/versions/1/rounds/1/explorers-2p.0.000000.0/{HUGE}/repro.zip",
    f"/api/competitions/cup/rounds/{HUGE}",
    f"/api/competitions/cup/rounds/{HUGE}/download",
    "/api/competitions/cup/bots/%00",
    "/api/competitions/%00",
    "/api/competitions/..%2fcup/ladder",
]


def test_no_address_breaks_the_site_or_leads_out_of_what_it_shows(site):
    clients = {"nobody": client_of(), "owner": client_of(site.keeper_owner)}
    statuses = {(who, path[:60]): client.get(path).status_code for who, client in clients.items() for path in ADDRESSES}

    fine = {key: status for key, status in statuses.items() if status in (302, 400, 401, 403, 404, 405, 409, 422)}
    pages = {(who, f"/c/cup/rounds/?page={ENDLESS}"[:60]): 200 for who in clients}
    assert fine | pages == statuses


FORMS = [
    ("owner", f"/c/cup/bots/keeper/versions/{HUGE}/activate/", {}),
    ("owner", f"/c/cup/bots/keeper/tokens/{HUGE}/end/", {}),
    ("owner", "/c/cup/bots/keeper/tokens/", {"label": "a\0b", "days": ENDLESS}),
    ("owner", "/c/cup/bots/keeper/challenges/", {"opponents": "a\0b"}),
    ("owner", "/c/cup/bots/keeper/challenges/", {"opponents": "breaker", "version": ENDLESS}),
    ("owner", "/c/cup/bots/keeper/owners/", {"public_name": "a\0b"}),
    ("owner", "/c/cup/bots/keeper/owners/remove/", {"public_name": "a\0b"}),
    ("owner", "/c/cup/mine/name/", {"public_name": "a\0b"}),
    ("owner", "/c/cup/mine/bots/", {"name": "a\0b"}),
    ("host", "/c/cup/control/versions/", {"version": ENDLESS, "what": "disqualify", "reason": "x"}),
    ("host", "/c/cup/control/versions/", {"version": HUGE, "what": "disqualify", "reason": "x"}),
    ("host", "/c/cup/control/links/", {"participant": ENDLESS}),
    ("host", "/c/cup/control/links/", {"participant": HUGE}),
    ("host", f"/c/cup/control/codes/{HUGE}/end/", {}),
    ("host", "/c/cup/control/codes/", {"uses": ENDLESS, "days": HUGE}),
    ("host", f"/c/cup/control/rounds/{HUGE}/abandon/", {"reason": "x"}),
    ("host", "/c/cup/control/hosts/", {"username": "a\0b"}),
    ("host", "/c/cup/control/hosts/remove/", {"username": "a\0b"}),
    ("host", "/c/cup/control/rules/", {"rules": "title: a\0b"}),
    ("host", "/c/cup/control/announcements/", {"text": "a\0b"}),
]


def test_no_form_breaks_the_site(site):
    clients = {"owner": client_of(site.keeper_owner), "host": client_of(site.host)}

    statuses = [clients[who].post(path, values).status_code for who, path, values in FORMS]

    assert [] == [form[1][:60] for form, status in zip(FORMS, statuses, strict=True) if status >= 500]
