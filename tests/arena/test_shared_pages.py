"""Pages that are made once for everybody without an account: who gets which, and for how long."""

from __future__ import annotations

import asyncio
import re

import httpx
import msgspec
import pytest
from arena.made_site import client_of, made_ladder, make_site
from arena.making import RULES
from django.core.asgi import get_asgi_application
from django.db import OperationalError

from tournament.arena.ladder_file import write_ladder
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.web import news
from tournament.arena.web.wrappers import shared_pages
from tournament.arena.web.wrappers.shared_pages import sharing_pages

LADDER = "/c/cup/ladder/"
ABOUT = "/c/cup/"


@pytest.fixture(autouse=True)
def always_looked_anew(monkeypatch):
    """No stamp is older than the request: not even one of the test before."""
    monkeypatch.setattr(news, "FRESH_SECONDS", -1.0)


class Served:
    """The site as its readers find it, and how often Django was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        django = get_asgi_application()

        async def counted(scope, receive, send):
            self.asked.append(scope["path"])
            await django(scope, receive, send)

        self._transport = httpx.ASGITransport(sharing_pages(counted))

    def get(self, path=LADDER, **options):
        """Returns the answer to one reader."""
        return self.gather([(path, options)])[0]

    def gather(self, wanted):
        """Returns the answers to readers that ask in the same moment."""

        async def ask(path, cookies, headers=None):
            async with httpx.AsyncClient(
                transport=self._transport, base_url="http://127.0.0.1", cookies=cookies
            ) as client:
                return await client.get(path, headers=headers)

        readers = [(path, cookies_of(**options), options.get("headers")) for path, options in wanted]

        async def all_of_them():
            return await asyncio.gather(*(ask(*reader) for reader in readers))

        return asyncio.run(all_of_them())


def cookies_of(account=None, cookies=None, headers=None):
    """Returns the cookies of a reader; the session of an account is made here, outside of any loop."""
    session = {} if account is None else {"sessionid": client_of(account).cookies["sessionid"].value}
    return session | (cookies or {})


@pytest.fixture
def served(site):
    """The site, which has made its ladder and its first page once before."""
    found = Served()
    for path in (LADDER, ABOUT, LADDER, ABOUT):  # the first of each finds nothing that tells of news
        assert 200 == found.get(path).status_code
    found.asked.clear()
    return found


def move_ladder(site, games=480):
    write_ladder(competition_folder(site.competition), msgspec.structs.replace(made_ladder(), games=games))


@pytest.mark.parametrize("path", [LADDER, ABOUT])
def test_a_page_is_made_once_for_all_readers_without_an_account(served, path):
    pages = {served.get(path).text for _ in range(3)}

    assert ([], 1) == (served.asked, len(pages))


def test_at_news_a_page_is_made_anew_and_once_for_all_that_ask_in_that_moment(site, served):
    move_ladder(site)

    pages = served.gather([(LADDER, {})] * 8)

    assert [LADDER] == served.asked
    assert {True} == {"480 games" in page.text for page in pages}


def test_everybody_sees_an_own_page_whoever_asked_before(site, served):
    readers = {"": None, "ada": site.keeper_owner, "host": site.host}
    seen = []
    for _ in range(2):
        for account in readers.values():
            page = served.get(account=account).text
            named = re.findall(r'href="/account/">(\w+)<', page)
            seen.append((named, "Sign in" in page, 'class="own"' in page, "Control room" in page))

    anonymous, ada, host = seen[:3]
    assert ([], True, False, False) == anonymous
    assert ([site.keeper_owner.username], False, True, False) == ada
    assert ([site.host.username], False, False, True) == host
    assert seen[:3] == seen[3:]


def test_everybody_reads_in_an_own_language_whoever_asked_before(served):
    languages = ("de", "en", "de-AT,de;q=0.9", "fr", "no", "en")
    pages = [served.get(headers={"accept-language": language}) for language in languages]

    assert ["de", "en", "de", "en", "nb", "en"] == [re.search('<html lang="(.*?)">', page.text)[1] for page in pages]
    assert ["de", "en", "de", "en", "nb", "en"] == [page.headers["content-language"] for page in pages]
    assert {True} == {"Accept-Language" in page.headers["vary"] for page in pages}


def test_a_page_is_made_once_for_all_readers_of_a_language_whether_they_chose_it_or_their_browser_asks(served):
    served.get(headers={"accept-language": "pl"})
    served.asked.clear()

    pages = [
        served.get(headers={"accept-language": "pl,en"}),
        served.get(cookies={"django_language": "pl"}, headers={"accept-language": "de"}),
        served.get(headers={"accept-language": "pl"}),
    ]

    assert {'<html lang="pl">'} == {re.search("<html lang=.*?>", page.text)[0] for page in pages}
    assert len(served.asked) <= 1  # once more than the first, which finds nothing that tells of news


@pytest.mark.parametrize("cookie", ["messages", "sessionid"])
def test_who_has_a_cookie_that_may_change_a_page_gets_one_that_is_made_anew(served, cookie):
    served.get(cookies={cookie: "de"})

    assert [LADDER] == served.asked


@pytest.mark.parametrize("path", [LADDER, ABOUT])
def test_no_cookie_is_set_by_a_page_that_many_read(served, path):
    assert "set-cookie" not in served.get(path).headers


def test_who_has_the_page_already_is_told_so_in_a_few_bytes(site, served):
    first = served.get()
    again = served.get(headers={"if-none-match": first.headers["etag"]})
    move_ladder(site)
    moved = served.get(headers={"if-none-match": first.headers["etag"]})

    assert (304, b"", first.headers["etag"]) == (again.status_code, again.content, again.headers["etag"])
    assert 200 == moved.status_code
    assert "480 games" in moved.text
    assert first.headers["etag"] != moved.headers["etag"]


def test_who_signs_in_is_not_told_to_keep_the_page_without_an_account(site, served):
    tag = served.get().headers["etag"]
    page = served.get(account=site.host, headers={"if-none-match": tag})

    assert 200 == page.status_code
    assert "Control room" in page.text


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip, deflate, br", "gzip"), ("br;q=1.0, gzip;q=0.8", "gzip"), ("gzip;q=0", None), ("identity", None)],
)
def test_a_page_is_packed_for_those_who_take_that(served, accepted, coding):
    page = served.get(headers={"accept-encoding": accepted})

    assert coding == page.headers.get("content-encoding")
    assert "Ladder" in page.text
    assert "Accept-Encoding" in page.headers["vary"]


def test_a_page_that_is_kept_has_the_policy_and_the_protections_of_others(served):
    kept = served.get().headers
    protections = {"content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"}

    assert protections <= set(kept)
    assert ("no-cache", True) == (kept["cache-control"], "Cookie" in kept["vary"])


def test_a_host_that_is_not_ours_is_refused_also_where_a_page_is_kept(served):
    assert 400 == served.get(headers={"host": "elsewhere.example"}).status_code


def test_a_question_in_the_address_is_answered_by_itself(served):
    served.get(f"{LADDER}?x=1")

    assert [LADDER] == served.asked


def test_the_ladder_is_hidden_and_shown_to_those_for_whom_it_is(arena, run):
    site = make_site(run, rules=RULES + 'standings_from: "2999-01-01T00:00:00Z"\n')
    served = Served()
    readers = (None, site.host, None, site.keeper_owner, None)
    seen = ["1612" in served.get(account=account).text for account in readers]
    rules = arena_folder().competition("cup").path / "competition.yaml"
    rules.write_text(rules.read_text().replace("2999-", "1999-"))

    assert [False, True, False, False, False] == seen
    assert "1612" in served.get().text


def test_what_is_not_there_is_not_kept(served):
    told = [served.get("/c/draft/").status_code for _ in range(2)]

    assert ([404, 404], 2) == (told, len(served.asked))


def test_the_site_itself_answers_while_the_database_does_not(served, monkeypatch):
    def away(subjects):
        raise OperationalError("gone")

    monkeypatch.setattr(shared_pages, "look", away)
    served.get()

    assert [LADDER] == served.asked


def test_forms_are_taken_from_readers_of_kept_pages_and_from_nobody_elsewhere(site, served):
    async def sign_in(*, with_token):
        client = httpx.AsyncClient(transport=served._transport, base_url="http://127.0.0.1")
        async with client:
            form = await client.get("/accounts/login/")
            await client.get(LADDER)
            token = re.search('name="csrfmiddlewaretoken" value="(.*?)"', form.text)[1]
            values = {"login": site.host.username, "password": "wrong"}
            sent = values | ({"csrfmiddlewaretoken": token} if with_token else {})
            return (await client.post("/accounts/login/", data=sent)).status_code

    told = [asyncio.run(sign_in(with_token=with_token)) for with_token in (True, False)]

    assert ([200, 403], []) == (told, [path for path in served.asked if path == LADDER])


def test_only_the_pages_that_were_read_last_are_kept(served, monkeypatch):
    monkeypatch.setattr(shared_pages, "MOST_PAGES", 2)
    served.get(headers={"accept-language": "de"})
    served.get(ABOUT)
    served.asked.clear()

    served.get(ABOUT)
    served.get(LADDER)

    assert [LADDER] == served.asked
