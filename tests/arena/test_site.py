"""Pages of the site, as its views answer them."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from unittest import mock

import msgspec
import pytest
from arena.made_site import client_of, make_site
from arena.making import RULES, make_competition
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from django.test import Client
from django.test.utils import override_settings

from tournament.arena.models import Challenge, Participant, Token, VersionRow
from tournament.arena.places import arena_folder
from tournament.arena.scheduling.paces import PacesFile, SlowVersion, tell_paces
from tournament.arena.web.pages import control_room
from tournament.arena.web.wrappers.limiting import limited

PUBLIC = (
    "/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/c/cup/",
    "/c/cup/ladder/",
    "/c/cup/bots/keeper/",
    "/c/cup/bots/random_legal/",
    "/c/cup/rounds/",
    "/c/cup/rounds/1/",
)


def test_no_page_may_load_or_run_what_is_not_the_sites_own(site):
    answers = {path: client_of().get(path) for path in PUBLIC}
    policies = {path: answer["Content-Security-Policy"] for path, answer in answers.items()}

    assert dict.fromkeys(PUBLIC, 200) == {path: answer.status_code for path, answer in answers.items()}
    assert [] == [path for path, policy in policies.items() if "unsafe" in policy or "default-src 'none'" not in policy]


NOBODY, HOST = "nobody", "host"
ROLES = (NOBODY, "stranger", "breaker_owner", "keeper_owner", HOST, "other_host")
LOGIN = 302
LADDER = "/c/cup/ladder/"
FOR_HOSTS = (LOGIN, 403, 403, 403, 302, 403)

WHO_SEES = {
    # in the order of ROLES
    "/account/": (LOGIN, 200, 200, 200, 200, 200),
    "/c/cup/": (200, 200, 200, 200, 200, 200),
    "/c/cup/ladder/": (200, 200, 200, 200, 200, 200),
    "/c/cup/bots/keeper/": (200, 200, 200, 200, 200, 200),
    "/c/cup/rounds/1/": (200, 200, 200, 200, 200, 200),
    "/c/cup/join/": (LOGIN, 200, 200, 200, 200, 200),
    "/c/cup/mine/": (LOGIN, 403, 200, 200, 403, 403),
    "/c/cup/bots/keeper/versions/1/": (LOGIN, 403, 403, 200, 403, 403),
    "/c/cup/bots/keeper/versions/1/rounds/1/": (LOGIN, 403, 403, 200, 403, 403),
    "/c/cup/bots/keeper/versions/1/rounds/1/explorers-2p.0.000000.0/0/repro.zip": (LOGIN, 403, 403, 404, 403, 403),
    "/c/cup/control/": (LOGIN, 403, 403, 403, 200, 403),
    "/c/cup/control/rules/": (LOGIN, 403, 403, 403, 200, 403),
    "/c/cup/control/marks.csv": (LOGIN, 403, 403, 403, 200, 403),
    "/create/": (LOGIN, 403, 403, 403, 200, 200),
    "/c/draft/": (404, 404, 404, 404, 200, 404),
    "/c/draft/ladder/": (404, 404, 404, 404, 200, 404),
}


@pytest.mark.parametrize("path", WHO_SEES)
def test_each_page_is_shown_to_whom_it_is_for(site, arena, path):
    make_competition(arena, "draft", state="draft", host=site.host)
    statuses = {role: client_of(getattr(site, role, None)).get(path).status_code for role in ROLES}

    assert dict(zip(ROLES, WHO_SEES[path], strict=True)) == statuses


WHO_ACTS = {
    # the form, what it sends, and the status in the order of ROLES: 302 to the page that says how it went
    "/account/data/": ({}, (302, 200, 200, 200, 200, 200)),
    "/c/cup/mine/name/": ({"public_name": "Somebody Else"}, (302, 403, 302, 302, 403, 403)),
    "/c/cup/mine/bots/": ({"name": "another"}, (302, 403, 302, 302, 403, 403)),
    "/c/cup/bots/keeper/versions/": ({}, (302, 302, 302, 302, 302, 302)),
    "/c/cup/bots/keeper/versions/1/activate/": ({}, (302, 403, 403, 302, 403, 403)),
    "/c/cup/bots/keeper/challenges/": ({"opponents": "breaker"}, (302, 403, 403, 302, 403, 403)),
    "/c/cup/bots/keeper/tokens/": ({"label": "laptop"}, (302, 302, 302, 200, 302, 302)),
    "/c/cup/bots/keeper/tokens/1/end/": ({}, (302, 403, 403, 302, 403, 403)),
    "/c/cup/bots/keeper/owners/": ({"public_name": "Bob"}, (302, 403, 403, 302, 403, 403)),
    "/c/cup/bots/keeper/owners/remove/": ({"public_name": "Ada"}, (302, 403, 403, 302, 403, 403)),
    "/c/cup/control/state/": ({"state": "paused"}, FOR_HOSTS),
    "/c/cup/control/announcements/": ({"text": "Hello"}, FOR_HOSTS),
    "/c/cup/control/versions/": ({"version": "1", "what": "disqualify", "reason": "Copied."}, FOR_HOSTS),
    "/c/cup/control/logs/": ({"bot": "keeper", "version": "1"}, (302, 403, 403, 403, 200, 403)),
    "/c/cup/control/rounds/1/abandon/": ({"reason": "The machine."}, FOR_HOSTS),
    "/c/cup/control/participants/": ({}, FOR_HOSTS),
    "/c/cup/control/links/": ({"participant": "1"}, (302, 403, 403, 403, 200, 403)),
    "/c/cup/control/codes/": ({}, FOR_HOSTS),
    "/c/cup/control/codes/1/end/": ({}, FOR_HOSTS),
    "/c/cup/control/hosts/": ({"username": "stranger"}, FOR_HOSTS),
    "/c/cup/control/hosts/remove/": ({"username": "host"}, FOR_HOSTS),
}


@pytest.mark.parametrize("path", WHO_ACTS)
def test_each_form_works_for_whom_it_is_for(site, path):
    values, wanted = WHO_ACTS[path]
    answers = {role: client_of(getattr(site, role, None)).post(path, values) for role in ROLES}
    sent_to_log_in = [role for role, answer in answers.items() if "/login/" in answer.headers.get("Location", "")]

    assert dict(zip(ROLES, wanted, strict=True)) == {role: answer.status_code for role, answer in answers.items()}
    assert [NOBODY] == sent_to_log_in


ALL_FORMS = (
    *WHO_ACTS,
    "/create/",
    "/c/cup/control/rules/",
    "/account/delete/",
    "/c/cup/join/",
    "/accounts/login/",
    "/accounts/signup/",
)


def test_no_form_is_taken_from_elsewhere(site):
    client = client_of(site.keeper_owner, enforce_csrf_checks=True)
    answers = {path: client.post(path, {}) for path in ALL_FORMS}

    assert dict.fromkeys(ALL_FORMS, 403) == {path: answer.status_code for path, answer in answers.items()}
    assert all("sent from elsewhere" in answer.content.decode() for answer in answers.values())


def test_what_changes_something_is_never_done_by_following_a_link(site):
    client = client_of(site.keeper_owner)

    assert dict.fromkeys(WHO_ACTS, 405) == {path: client.get(path).status_code for path in WHO_ACTS}


def test_a_host_that_is_not_ours_is_refused(site):
    answer = Client(headers={"host": "evil.example"}).get("/")

    assert 400 == answer.status_code


def test_who_signs_up_joins_names_a_bot_and_hands_it_in_sees_it_wait_for_its_check(site):
    client = client_of()
    secret = "a long password 7"
    values = {"username": "newcomer", "password1": secret, "password2": secret, "next": "/c/cup/join/"}
    signed_up = client.post("/accounts/signup/?next=/c/cup/join/", values)
    joined = client.post("/c/cup/join/", {"public_name": "New Comer"})
    client.post("/c/cup/mine/bots/", {"name": "rookie"})
    program = SimpleUploadedFile("rookie.py", b"class Rookie: ...\n")
    handed = client.post("/c/cup/bots/rookie/versions/", {"file": program})
    page = client.get(handed["Location"]).content.decode()

    assert ("/c/cup/join/", "/c/cup/mine/") == (signed_up["Location"], joined["Location"])
    assert "/c/cup/bots/rookie/versions/1/" == handed["Location"]
    assert "waits for its check" in page
    assert "rookie.py" in page


def test_a_token_is_shown_once_and_kept_as_a_digest(site):
    client = client_of(site.keeper_owner)
    page = client.post("/c/cup/bots/keeper/tokens/", {"label": "laptop"})
    again = client.get("/c/cup/mine/").content.decode()
    text = re.search(r'id="token">([^<]+)<', page.content.decode())[1]

    assert "no-store" == page["Cache-Control"]
    assert text not in again
    assert "laptop" in again
    assert not Token.objects.filter(digest=text).exists()


def test_a_refusal_is_told_on_the_page_from_which_it_was_asked_for(site):
    answer = client_of(site.keeper_owner).post("/c/cup/mine/bots/", {"name": "second"}, follow=True)

    assert "A participant has at most 1 bot here." in answer.content.decode()


def test_sixty_students_sign_up_behind_one_address_in_a_minute(site):
    secret = "a long password 7"
    statuses = []
    for number in range(60):
        values = {"username": f"student{number}", "password1": secret, "password2": secret}
        statuses.append(client_of().post("/accounts/signup/", values).status_code)

    assert [302] * 60 == statuses


def test_who_signs_up_with_a_name_that_somebody_takes_at_the_same_moment_is_told(site):
    secret = "a long password 7"
    values = {"username": "twin", "password1": secret, "password2": secret}
    client = client_of()
    with mock.patch.object(get_user_model(), "save", side_effect=IntegrityError):
        answer = client.post("/accounts/signup/", values, follow=True)

    assert ("/accounts/signup/", 200) == (answer.request["PATH_INFO"], answer.status_code)
    assert "A user with that username already exists." in answer.content.decode()


def test_who_guesses_a_password_again_and_again_is_stopped(site):
    statuses = []
    for _ in range(7):
        answer = client_of().post("/accounts/login/", {"login": "ada", "password": "wrong"})
        statuses.append("Too many" in answer.content.decode())

    assert [False] * 5 + [True] * 2 == statuses


def test_guesses_are_counted_by_the_address_that_the_last_proxy_saw(site):
    """What a client writes into the header itself stands before it."""
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1):
        told = []
        for number in range(130):
            client = client_of()
            answer = client.post(
                "/accounts/signup/", {"username": "x"}, headers={"x-forwarded-for": f"10.0.0.{number}, 203.0.113.9"}
            )
            told.append(answer.status_code)

    assert (200, 429) == (told[0], told[-1])


def test_whoever_has_a_bot_finds_it_marked_on_the_ladder(site):
    """The rows are drawn once for all visitors."""
    marked = {
        role: re.findall(
            r'<tr class="[^"]*own">.*?bots/(\w+)/',
            client_of(getattr(site, role, None)).get(LADDER).content.decode(),
            re.DOTALL,
        )
        for role in ROLES
    }

    assert {"keeper_owner": ["keeper"], "breaker_owner": ["breaker"]} == {
        role: own for role, own in marked.items() if own
    }


def test_rules_that_are_too_long_are_refused_and_not_cut(site):
    client = client_of(site.host)
    before = (arena_folder().competition("cup").path / "competition.yaml").read_bytes()
    told = client.post("/c/cup/control/rules/", {"rules": RULES + "# " + "x" * 100_000}).content.decode()

    assert "The rules have more than 100,000 letters" in told
    assert before == (arena_folder().competition("cup").path / "competition.yaml").read_bytes()


def test_a_host_creates_a_competition_changes_its_rules_and_opens_it(site):
    client = client_of(site.host)
    made = client.post("/create/", {"name": "spring", "rules": RULES.replace("Winter", "Spring")})
    hidden = client_of().get("/c/spring/").status_code
    wrong = client.post("/c/spring/control/rules/", {"rules": RULES + "seed: 7"}).content.decode()
    changed = client.post("/c/spring/control/rules/", {"rules": RULES + "deals_a_day: 50"}, follow=True)
    client.post("/c/spring/control/state/", {"state": "open"})

    assert ("/c/spring/control/", 404) == (made["Location"], hidden)
    assert "seed does not exist" in wrong
    assert "seed: 7" in wrong  # what was written is not lost
    assert "Changed: title, deals_a_day." in changed.content.decode()
    assert 200 == client_of().get("/c/spring/").status_code


def test_a_host_reads_the_log_of_a_check_which_stands_among_the_acts(site):
    client = client_of(site.host)
    shown = client.post("/c/cup/control/logs/", {"bot": "keeper", "version": "1"})
    missing = client.post("/c/cup/control/logs/", {"bot": "keeper", "version": "99"}, follow=True).content.decode()
    acts = client.get("/c/cup/control/").content.decode().partition('id="acts"')[2]

    assert "secret of the owner" in shown.content.decode()
    assert "no-store" == shown["Cache-Control"]
    assert "There is no version of keeper with the number 99" in missing
    assert 1 == acts.count("read log keeper v1")


def test_the_links_of_a_list_can_be_saved_as_csv(site):
    people = SimpleUploadedFile("class.csv", b"username,public_name\nnina,Nina N\nada,Ada\n")
    answer = client_of(site.host).post("/c/cup/control/participants/", {"file": people, "as": "csv"})
    (line,) = csv.DictReader(io.StringIO(answer.content.decode()))

    assert ("nina", "Nina N") == (line["username"], line["public_name"])
    assert 302 == client_of().get(line["link"].removeprefix("http://127.0.0.1:8765")).status_code
    assert 'filename="cup-links.csv"' in answer["Content-Disposition"]
    assert "no-store" == answer["Cache-Control"]


def test_house_bots_can_be_challenged_from_the_page_of_ones_bots(site):
    client = client_of(site.keeper_owner)
    names = re.findall(r'name="house".*?</select>', client.get("/c/cup/mine/").content.decode(), re.DOTALL)
    house = re.findall(r'<option value="([^"]+)">', names[0])
    asked = client.post("/c/cup/bots/keeper/challenges/", {"house": house[:2]}, follow=True).content.decode()

    assert len(house) >= 2
    assert "Your challenge waits to be played" in asked
    assert [house[:2]] == list(Challenge.objects.values_list("house", flat=True))


ABOUT = """\
about: |
  # Prizes

  - a *cake*, see [the page](https://example.org/cake?a=1&b=2)
  - <script>alert(1)</script> <b onclick="alert(1)">bold</b>
  - [run](javascript:alert(1)) [data](data:text/html,x) [vb](VBScript:x) [own](/c/cup/ladder/)
  - ![picture](https://example.org/spy.png)
"""


def test_what_a_host_writes_about_a_competition_is_markdown_that_cannot_run(site):
    (arena_folder().competition("cup").path / "competition.yaml").write_text(RULES + ABOUT)
    page = client_of().get("/c/cup/").content.decode()
    about = page.partition('<div class="box prose">')[2].partition("</div>")[0]

    assert "<h3>Prizes</h3>" in about
    assert "<em>cake</em>" in about
    assert ["https://example.org/cake?a=1&amp;b=2", "/c/cup/ladder/"] == re.findall('href="([^"]+)"', about)[:2]
    assert {"h3", "ul", "li", "em", "a"} == set(re.findall(r"<(\w+)", about))
    assert "&lt;script&gt;" in about
    assert [] == re.findall(r"<[^>]+(?:onclick|src|javascript|vbscript|data:)[^>]*>", about, re.IGNORECASE)


CONSENT = """\
consent: |
  # What is published

  My games are **public**; see [the text](https://example.org/text). <b onclick="alert(1)">bold</b>
"""


def test_what_a_participant_agrees_to_is_markdown_wherever_it_stands(site):
    (arena_folder().competition("cup").path / "competition.yaml").write_text(RULES + CONSENT)
    Participant.objects.update(consented=None)
    pages = [(None, "/c/cup/"), (site.stranger, "/c/cup/join/"), (site.keeper_owner, "/c/cup/mine/")]
    shown = [client_of(account).get(path).content.decode() for account, path in pages]
    text = (
        '<h3>What is published</h3>\n<p>My games are <strong>public</strong>; see <a href="https://example.org/text">'
        "the text</a>. &lt;b onclick=&quot;alert(1)&quot;&gt;bold&lt;/b&gt;</p>\n"
    )

    assert [1, 1, 1] == [page.count(f' class="prose">{text}</d') for page in shown]


def test_an_upload_that_is_no_program_is_refused_at_once(site):
    client = client_of(site.keeper_owner)
    before = VersionRow.objects.count()
    told = client.post(
        "/c/cup/bots/keeper/versions/", {"file": SimpleUploadedFile("bot.txt", b"class Keeper: ...")}, follow=True
    ).content.decode()
    picture = client.post(
        "/c/cup/bots/keeper/versions/", {"file": SimpleUploadedFile("bot.png", b"\x89PNG\r\n")}, follow=True
    ).content.decode()

    assert "&quot;bot.txt&quot; is neither a Python file nor a zip or tar.gz." in told
    assert "&quot;bot.png&quot; is neither" in picture
    assert before == VersionRow.objects.count()


def test_whom_a_host_enters_gets_a_password_by_a_link_that_works_once(site):
    people = SimpleUploadedFile("class.csv", b"username,public_name\nnina,Nina N\n")
    client = client_of(site.host)
    page = client.post("/c/cup/control/participants/", {"file": people})
    path = re.search(r"http://127.0.0.1:8765(/accounts/[^<]+)<", page.content.decode())[1]
    again = client.get("/c/cup/control/").content.decode()
    newcomer = client_of()
    form = newcomer.get(path)["Location"]
    secret = "a long password 7"
    newcomer.post(form, {"password1": secret, "password2": secret})
    client_of().get(path)
    second = client_of().get(path, follow=True).content.decode()
    logged_in = client_of().post("/accounts/login/", {"login": "nina", "password": secret}).status_code

    assert ("no-store", 302) == (page["Cache-Control"], logged_in)
    assert path not in again
    assert "Nina N" in again
    assert "password1" not in second


def test_the_control_room_says_that_no_referee_is_there_and_what_hosts_did(site):
    client = client_of(site.host)
    client.post("/c/cup/control/announcements/", {"text": "Lunch at noon"})
    page = client.get("/c/cup/control/").content.decode()

    assert "is not running" in page
    assert "Lunch at noon" in client_of().get("/c/cup/").content.decode()
    assert "announce" in page


@pytest.mark.parametrize(
    ("bytes_a_day", "told"), [(1.0, "enough for more than a year"), (1e30, "enough for 0 days"), (0.0, None)]
)
def test_the_control_room_says_for_how_long_the_disk_is_enough(site, monkeypatch, bytes_a_day, told):
    """No number of days longer than anybody plans for, and none while nothing is known."""
    monkeypatch.setattr(control_room, "_bytes_a_day", lambda visit: bytes_a_day)
    page = client_of(site.host).get("/c/cup/control/").content.decode()

    assert [told] * (told is not None) == re.findall("enough for [^<]*?(?=<| <)", page)


def test_the_pages_of_accounts_name_the_arena(site):
    """Its title, not the host name by which allauth knows the site."""
    named = []
    for address in ("/accounts/signup/", "/accounts/login/"):
        page = client_of().get(address).content.decode()
        named.append(f"<strong>{settings.ARENA.title}</strong>" in page and "testserver" not in page)

    assert [True, True] == named


def test_strangers_sign_up_only_where_the_machine_was_found_fit(site):
    """At an address that others reach; hosts are told why."""
    arena = msgspec.structs.replace(settings.ARENA, address="https://bots.example.org", proxies=1)
    with override_settings(ARENA=arena):
        page = client_of().get("/accounts/signup/").content.decode()
        told = client_of(site.host).get("/c/cup/control/").content.decode()

    assert "Sign Up Closed" in page
    assert "Nobody may sign up before" in told


def test_an_account_that_is_deleted_leaves_its_bot_and_is_gone(site):
    client = client_of(site.keeper_owner)
    wrong = client.post("/account/delete/", {"password": "guess"}, follow=True).content.decode()
    done = client.post("/account/delete/", {"password": "ada-likes-tea-7"}, follow=True).content.decode()

    assert "Nothing was deleted" in wrong
    assert "Your account is deleted" in done
    assert 200 == client_of().get("/c/cup/bots/keeper/").status_code
    assert not get_user_model().objects.filter(username="ada").exists()


def test_hidden_standings_are_for_hosts_until_their_date(arena, run):
    rules = RULES + 'standings_from: "2999-01-01T00:00:00Z"\n'
    site = make_site(run, rules=rules)
    seen = {role: client_of(getattr(site, role, None)).get("/c/cup/ladder/").content.decode() for role in ROLES}
    report = client_of().get("/c/cup/rounds/1/report/").status_code
    download = client_of().get("/c/cup/rounds/1/download/").status_code

    assert [HOST] == [role for role, page in seen.items() if "1612" in page]
    assert (404, 404) == (report, download)


@pytest.mark.parametrize("length", ["12000000", "-1", "much"])
def test_a_request_that_is_too_long_is_refused_before_it_is_read(length):
    read, sent = [], []

    async def receive():
        read.append(1)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    async def never(scope, receive, send):
        raise AssertionError

    scope = {"type": "http", "headers": [(b"content-length", length.encode())]}
    asyncio.run(limited(never)(scope, receive, send))

    assert ([], 413) == (read, sent[0]["status"])


def test_a_body_that_lies_about_its_length_is_not_read_further():
    read, sent = [], []

    async def receive():
        read.append(1)
        return {"type": "http.request", "body": b"x" * 1_000_000, "more_body": True}

    async def send(message):
        sent.append(message)

    async def greedy(scope, receive, send):
        while (await receive())["more_body"]:
            pass

    asyncio.run(limited(greedy)({"type": "http", "headers": []}, receive, send))

    assert (12, 413) == (len(read), sent[0]["status"])


def test_the_page_of_a_slow_bot_says_how_much_it_plays_and_why(site):
    slow = SlowVersion(name="keeper.v1", deals_today=47, game_ms=12_345.0)
    paces = PacesFile(competition="cup", made="2026-12-01T12:00:00Z", deals_a_day=100, slow=(slow,))
    tell_paces(arena_folder().competition("cup"), paces)

    pages = [client_of().get(f"/c/cup/bots/{bot}/").content.decode() for bot in ("keeper", "breaker")]

    assert "its own moves take 12.3 seconds a game" in pages[0]
    assert "time for 47 of its 100 deals a day" in pages[0]
    assert "It is slow" not in pages[1]


def test_everybody_reads_on_the_page_of_a_bot_why_it_was_disqualified(site):
    version = VersionRow.objects.get(bot__name="keeper")
    client_of(site.host).post(
        "/c/cup/control/versions/", {"version": version.pk, "what": "disqualify", "reason": "It was copied."}
    )

    assert "It was copied." in client_of().get("/c/cup/bots/keeper/").content.decode()


def test_a_competition_is_closed_only_where_the_page_tells_what_that_means(site):
    page = client_of(site.host).get("/c/cup/control/").content.decode()
    before, after = page.split("it cannot be opened again", 1)

    assert 'value="closed"' not in before
    assert 'value="closed"' in after


def test_who_may_join_only_with_a_code_reads_it_before_signing_up(site):
    client_of(site.host).post("/c/cup/control/rules/", {"rules": RULES + "joining: code"})

    assert "with the code that the host gave you" in client_of().get("/c/cup/").content.decode()


def test_the_page_of_a_competition_says_that_deals_a_day_are_counted_in_each_group(site):
    assert "at most 100 deals a day in each group" in client_of().get("/c/cup/").content.decode()


def test_a_challenge_offers_the_bots_of_others_and_without_any_the_house_bots(site):
    client = client_of(site.keeper_owner)
    offered = '<option value="breaker">' in client.get("/c/cup/mine/").content.decode()
    VersionRow.objects.filter(bot__name="breaker").update(state="retired")
    alone = client.get("/c/cup/mine/").content.decode()

    assert offered
    assert 'name="opponents"' not in alone
    assert '<option value="cautious">' in alone


def test_a_forgotten_password_is_asked_about_once(site):
    assert 1 == client_of().get("/accounts/login/").content.decode().count("/accounts/password/reset/")


def test_a_host_who_gives_no_reason_is_told_how_long_one_is(site):
    version = VersionRow.objects.get(bot__name="keeper")
    answer = client_of(site.host).post(
        "/c/cup/control/versions/", {"version": version.pk, "what": "disqualify", "reason": " "}, follow=True
    )

    assert "A reason has 1 to 400 letters, and this one has 0. Write it again." in answer.content.decode()


def test_the_version_that_is_checked_next_is_told_so(site):
    VersionRow.objects.filter(bot__name="keeper").update(state="received")

    assert (
        "It is the next to be checked."
        in client_of(site.keeper_owner).get("/c/cup/bots/keeper/versions/1/").content.decode()
    )
