"""Every text of the site is marked for translation: in the language of brackets nothing stands outside them."""

from __future__ import annotations

import re

import pytest
from arena.made_site import client_of, make_round, make_site
from arena.making import NOON, RULES, make_bot, make_participant, make_version
from languages.pseudo import pseudo_language, unmarked_in_page

from tournament.arena import hosting
from tournament.arena.checks.check_steps import CheckOutcome, CheckSentences, CheckSteps
from tournament.arena.checks.defects import Defect, DefectKind
from tournament.arena.files import write_json
from tournament.arena.folder import CheckFile
from tournament.arena.models import Announcement, RoundRow, Trouble, VersionRow
from tournament.arena.places import version_folder
from tournament.arena.taking_part import make_token
from tournament.arena.transitions import CompetitionState
from tournament.lab.check.report import LINES_ABOVE, Step, StepVerdict
from tournament.languages import kept, kept_ngettext
from tournament.languages.sent import send_sentences

WORDS_OF_HOSTS = ("Welcome", "Copied", "Enjoy")
NOT_TRANSLATED = (
    *("Arena", "Winter Cup", "Ada", "Bob", "Eve", "ada", "bob", "eve", "host", "otherhost", "stranger"),
    *("keeper", "breaker", "runner", "random_legal", "random", "cautious", "steady", "SCOUT", "laptop", "numpy"),
    *("UTC", "Atom", "JSON", "kB", "MB", "GB", "TB", "bot.py", *WORDS_OF_HOSTS),
    re.compile(r"(explorers|scout)-\dp(\.\d+)*"),
    re.compile(r"cup-round-\d+"),
    re.compile(r"\b[A-Z0-9]{10}\b"),  # a join code
)

PUBLIC = (
    "/",
    "/c/cup/",
    "/c/second/",
    "/c/cup/ladder/",
    "/c/second/ladder/",
    "/c/cup/watch/",
    "/c/cup/projector/",
    "/c/cup/news/",
    "/c/second/watch/",
    "/c/second/projector/",
    "/c/second/news/",
    "/c/cup/rounds/",
    "/c/cup/rounds/1/",
    "/c/cup/rounds/2/",
    "/c/cup/rounds/3/",
    "/c/cup/rounds/99/",
    "/c/cup/bots/keeper/",
    "/c/cup/bots/breaker/",
    "/c/cup/bots/random_legal/",
    "/c/cup/bots/nobody/",
    "/c/nothing/",
    "/c/cup/watch/",
    "/c/second/watch/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/language/",
)
OF_PARTICIPANTS = (
    "/",
    "/c/cup/",
    "/c/cup/mine/",
    "/c/cup/join/",
    "/c/second/join/",
    "/c/cup/control/",
    "/c/cup/rounds/1/",
    "/c/cup/bots/keeper/",
    "/c/cup/bots/keeper/versions/1/",
    "/c/cup/bots/keeper/versions/2/",
    "/c/cup/bots/keeper/versions/3/",
    "/c/cup/bots/keeper/versions/4/",
    "/c/cup/bots/keeper/versions/1/rounds/1/",
    "/account/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/accounts/email/",
    "/create/",
)
OF_HOSTS = ("/", "/c/cup/", "/c/cup/ladder/", "/c/cup/control/", "/c/cup/control/rules/", "/create/", "/account/")

REACHABLE = (
    f"{RULES}about: Welcome\nconsent: Enjoy\npackages: [numpy]\njoining: code\nweights: {{scout: 2}}\n"
    "opens: 2026-11-01\nfreezes: 2027-02-01\ncloses: 2027-03-01\n"
)


@pytest.fixture
def site(arena, run):
    """A competition in which much goes on, with every kind of thing that pages tell of."""
    site = make_site(run, rules=REACHABLE)
    cup = site.competition
    for name in ("opens", "freezes", "closes"):
        setattr(cup, name, NOON)
    cup.save()
    keeper = cup.bots.get(name="keeper")
    refused = make_version(keeper, "refused", program=b"2")
    defect = Defect(kind=DefectKind.ENCRYPTED, name="bot.py")
    _write_check(
        refused, CheckSteps(names=("unpacked",), outcome=CheckOutcome.REFUSED, defect=defect, why="Encrypted.")
    )
    parked = make_version(keeper, "parked", program=b"3")
    passed = Step(number=1, name="loads", verdict=StepVerdict.PASSED, found="it was quick")
    _write_check(parked, CheckSteps(names=("unpacked", "loads", "memory", "plays games"), steps=(passed,)))
    make_version(keeper, "received", program=b"4")
    versions = list(VersionRow.objects.filter(state="active"))
    for number, state in ((2, "playing"), (3, "abandoned")):
        make_round(cup, versions, run, number=number, state=state)
    RoundRow.objects.filter(number=3).update(kind="challenge", why="The competition was closed before it was complete.")
    eve = make_participant(cup, "eve")
    runner = make_version(make_bot(eve, "runner"))
    hosting.disqualify(site.host, runner.bot, 1, reason="Copied", now=NOON)
    hosting.make_code(site.host, cup, now=NOON, uses=3, days=7)
    hosting.steer(site.host, cup, CompetitionState.PAUSED, now=NOON)
    make_token(keeper.made_by.account, keeper, label="laptop", now=NOON)
    Announcement.objects.create(competition=cup, at=NOON, text="Welcome")
    Trouble.objects.create(competition=cup, at=NOON, text="The disk was full.")
    return site


def _write_check(version, steps: CheckSteps) -> None:
    folder = version_folder(version).check
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / CheckFile.STEPS, steps)


def unmarked(client, path, form=None):
    """Returns the words of a page, or of the answer to a form, that no language but English has."""
    with pseudo_language() as language:
        headers = {"accept-language": language}
        answer = client.get(path, headers=headers) if form is None else client.post(path, form, headers=headers)
    page = answer.content.decode()
    assert f'<html lang="{language}">' in page
    return unmarked_in_page(page, allowed=NOT_TRANSLATED)


@pytest.mark.parametrize("path", PUBLIC)
def test_what_a_visitor_reads_is_marked(site, path):
    assert [] == unmarked(client_of(), path)


@pytest.mark.parametrize("path", OF_PARTICIPANTS)
def test_what_a_participant_reads_is_marked(site, path):
    assert [] == unmarked(client_of(site.keeper_owner), path)


def test_the_steps_of_a_check_are_told_in_the_language_of_the_reader(site, monkeypatch):
    """Another process made their sentences; what it could not say otherwise is marked as English."""
    keeper = site.competition.bots.get(name="keeper")
    version = keeper.versions.get(state="parked")
    found = kept_ngettext("{count} file, digest {digest}", "{count} files, digest {digest}", 3, digest="abc")
    first = Step(number=1, name="unpacked", verdict=StepVerdict.PASSED, found=found)
    second = Step(number=2, name="loads", verdict=StepVerdict.FAILED, found="no such thing", advice=LINES_ABOVE)
    folder = version_folder(version).check
    write_json(folder / CheckFile.SENTENCES, CheckSentences(sentences=send_sentences([found], told=str)))
    _write_check(version, CheckSteps(names=("unpacked", "loads"), steps=(first, second)))
    monkeypatch.setattr(kept, "_MEMORY", kept.KeptTexts())
    page = client_of(site.keeper_owner).get(
        f"/c/cup/bots/keeper/versions/{version.number}/", headers={"accept-language": "de"}
    )
    text = page.content.decode()

    assert ": <span>3\N{NO-BREAK SPACE}Dateien, Digest abc</span>" in text
    assert ': <span lang="en">no such thing</span>' in text
    assert "<span>Behebe, was die Zeilen darüber sagen.</span>" in text


@pytest.mark.parametrize("path", ["/c/cup/mine/", "/c/cup/bots/breaker/versions/1/rounds/1/"])
def test_what_the_owner_of_a_bot_with_faults_reads_is_marked(site, path):
    assert [] == unmarked(client_of(site.breaker_owner), path)


@pytest.mark.parametrize("path", ["/c/cup/", "/c/cup/join/"])
def test_what_somebody_reads_who_may_join_is_marked(site, path):
    assert [] == unmarked(client_of(site.stranger), path)


@pytest.mark.parametrize("path", OF_HOSTS)
def test_what_a_host_reads_is_marked(site, path):
    assert [] == unmarked(client_of(site.host), path)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/c/cup/control/links/", {"participant": "1"}),
        ("/c/cup/control/logs/", {"bot": "keeper", "version": "2"}),
        ("/c/cup/control/rules/", {"rules": ""}),
        ("/c/cup/mine/bots/", {"name": "another"}),
    ],
)
def test_the_page_that_answers_a_form_of_a_host_is_marked(site, path, form):
    assert [] == unmarked(client_of(site.host), path, form)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/c/cup/bots/keeper/tokens/", {"label": "desktop"}),
        ("/c/cup/control/state/", {"state": "closed"}),
        ("/c/cup/bots/ada/versions/", {}),
    ],
)
def test_the_page_that_answers_a_form_of_a_participant_is_marked(site, path, form):
    assert [] == unmarked(client_of(site.keeper_owner), path, form)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/accounts/login/", {"login": "nobody", "password": "wrong"}),
        ("/accounts/signup/", {"username": "-", "password1": "short", "password2": "other"}),
        ("/accounts/password/reset/", {"email": "no mail"}),
    ],
)
def test_a_form_that_is_filled_in_wrong_is_answered_in_marked_texts(site, path, form):
    assert [] == unmarked(client_of(), path, form)


def test_the_page_for_a_failure_of_the_arena_is_marked(site, monkeypatch):
    from tournament.arena.web.pages import competition_pages

    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(competition_pages, "may", fail)

    assert [] == unmarked(client_of(raise_request_exception=False), "/")


def test_why_a_version_plays_no_longer_is_told_in_the_language_of_its_owner(site):
    client = client_of(site.keeper_owner)
    with pseudo_language() as language:
        client.post("/c/cup/bots/keeper/versions/3/activate/", headers={"accept-language": language})

    assert [] == unmarked(client, "/c/cup/bots/keeper/versions/1/")
    assert "Version 3 plays instead." in client.get("/c/cup/bots/keeper/versions/1/").content.decode()


def test_a_moment_and_a_number_are_written_as_the_language_of_the_page_does(site):
    pages = {
        language: client_of().get("/c/cup/ladder/", headers={"accept-language": language}).content.decode()
        for language in ("en", "de", "pl")
    }

    assert {"en": "0.54", "de": "0,54", "pl": "0,54"} == {
        language: re.search(r"\b0[.,]54\b", page)[0] for language, page in pages.items()
    }
    assert {"en": "2026-12-01 12:00 UTC", "de": "01.12.2026, 12:00 UTC", "pl": "1 gru 2026, 12:00 UTC"} == {
        language: re.findall(r"<time [^>]*>([^<]*)</time>", page)[0] for language, page in pages.items()
    }
