"""What happened in a competition: on its pages, as feeds, on the projector; only what everybody may know."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import msgspec
import pytest
from arena.made_site import client_of, made_ladder
from arena.making import NOON, make_version

from tournament.arena.models import Announcement, BotRow, RoundRow, VersionRow
from tournament.arena.places import competition_folder
from tournament.arena.season.leads import LEADS_FILE, note_lead, read_leads

ATOM = "{http://www.w3.org/2005/Atom}"


def texts_of(client=None) -> list[str]:
    """Returns what the JSON feed tells, the newest first."""
    feed = json.loads((client or client_of()).get("/c/cup/feed.json").content)
    return [one["content_text"] for one in feed["items"]]


def led_by(bot: str):
    """Returns the ladder with another bot in front."""
    ladder = made_ladder()
    rows = tuple(msgspec.structs.replace(row, rank=1 if row.bot == bot else None) for row in ladder.rows)
    return msgspec.structs.replace(ladder, rows=rows)


def test_rounds_versions_and_announcements_are_told(site):
    at = NOON + timedelta(hours=1)
    Announcement.objects.create(competition=site.competition, at=at, text="Pizza at noon.\nCome all.")
    told = texts_of()

    assert "The host announces: Pizza at noon. Come all." == told[0]
    assert {"Round 1 (ladder): 8 games", "keeper plays with version 1", "breaker plays with version 1"} <= set(told)


def test_the_pages_and_both_feeds_tell_the_same(site):
    client = client_of()
    told = texts_of()
    atom = ElementTree.fromstring(client.get("/c/cup/feed.atom").content)

    assert told == [entry.findtext(f"{ATOM}title") for entry in atom.iter(f"{ATOM}entry")]
    for path in ("/c/cup/", "/c/cup/news/", "/c/cup/projector/"):
        page = client.get(path).content.decode()
        assert [] == [text for text in told if text not in page]


def test_a_feed_may_be_asked_for_in_a_language_and_the_page_links_those_of_its_own(site):
    client = client_of()
    page = client.get("/c/cup/news/", headers={"accept-language": "de"}).content.decode()
    links = re.findall('href="(/c/cup/feed[^"]*)"', page)
    answers = [client.get(link, headers={"accept-language": "pl"}) for link in links]
    feed = json.loads(answers[1].content)

    assert ["/c/cup/feed.atom?language=de", "/c/cup/feed.json?language=de"] == links
    assert ["de", "de"] == [answer["Content-Language"] for answer in answers]
    assert ("de", True) == (feed["language"], feed["feed_url"].endswith(links[1]))
    assert [] == [one["content_text"] for one in feed["items"] if "plays with version" in one["content_text"]]


@pytest.mark.parametrize("page", ["watch", "projector"])
def test_whoever_watches_a_competition_is_led_to_the_choice_of_a_language(site, page):
    shown = client_of().get(f"/c/cup/{page}/").content.decode()

    assert f'href="/language/?next=%2Fc%2Fcup%2F{page}%2F"' in shown


def test_links_of_the_feeds_and_of_the_page_lead_to_pages(site):
    client = client_of()
    feed = json.loads(client.get("/c/cup/feed.json").content)
    paths = {one["url"].partition("127.0.0.1")[2] for one in feed["items"]}

    assert {200} == {client.get(path).status_code for path in paths}
    assert 'href="../rounds/1/"' in client.get("/c/cup/news/").content.decode()
    assert 'href="rounds/1/"' in client.get("/c/cup/").content.decode()


def test_a_final_that_has_begun_is_told(site):
    RoundRow.objects.create(
        competition=site.competition,
        number=2,
        season=1,
        kind="final",
        lane="long",
        state="playing",
        planned=NOON,
        started=NOON,
    )

    assert "The final of season 1 began." in texts_of()


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("parked", "keeper rests: its version 1 failed and was withdrawn in two rounds"),
        ("disqualified", "keeper: version 1 is disqualified"),
    ],
)
def test_a_version_that_was_taken_out_is_told_without_what_its_owner_alone_reads(site, state, told):
    VersionRow.objects.filter(bot__name="keeper").update(state=state, why="words for its owner")
    page = client_of().get("/c/cup/news/").content.decode()

    assert told in texts_of()
    assert "words for its owner" not in page


@pytest.mark.parametrize("state", ["received", "checking", "accepted", "refused"])
def test_what_only_owners_may_see_of_a_version_is_not_told(site, state):
    make_version(BotRow.objects.get(name="keeper"), state)

    assert [] == [text for text in texts_of() if "version 2" in text]


def test_a_change_of_the_lead_is_written_down_once(site):
    folder = competition_folder(site.competition)
    for bot in ("keeper", "keeper", "breaker", "keeper"):
        note_lead(folder, led_by(bot))

    assert [("keeper",), ("breaker",), ("keeper",)] == [change.bots for change in read_leads(folder)]
    assert ["First on the ladder: keeper", "First on the ladder: breaker", "First on the ladder: keeper"] == [
        text for text in texts_of() if "First on" in text
    ]


def test_a_ladder_on_which_nobody_is_ranked_changes_no_lead(site):
    folder = competition_folder(site.competition)
    note_lead(folder, led_by("nobody"))

    assert () == read_leads(folder)
    assert not (folder.path / LEADS_FILE).exists()


def test_a_new_season_has_a_lead_of_its_own(site):
    folder = competition_folder(site.competition)
    note_lead(folder, led_by("keeper"))
    note_lead(folder, msgspec.structs.replace(led_by("keeper"), season=2))

    assert [1, 2] == [change.season for change in read_leads(folder)]


def test_a_torn_line_is_passed_over_and_the_next_is_told(site):
    folder = competition_folder(site.competition)
    note_lead(folder, led_by("keeper"))
    path = folder.path / LEADS_FILE
    path.write_bytes(path.read_bytes() + b'{"at":"2026-12-01T1')
    note_lead(folder, led_by("breaker"))
    note_lead(folder, led_by("keeper"))

    assert [("keeper",), ("breaker",), ("keeper",)] == [change.bots for change in read_leads(folder)]


def test_who_leads_is_not_told_while_standings_are_hidden(site):
    folder = competition_folder(site.competition)
    note_lead(folder, led_by("keeper"))
    rules = folder.path / "competition.yaml"
    rules.write_text(rules.read_text() + "standings_from: 2036-12-01\n")
    pages = [
        client_of().get(f"/c/cup/{path}").content for path in ("", "news/", "feed.atom", "feed.json", "projector/")
    ]

    assert [] == [page[:60] for page in pages if b"First on the ladder" in page]
    assert "First on the ladder: keeper" in texts_of(client_of(site.host))


def test_a_draft_tells_nothing_to_others(site):
    site.competition.state = "draft"
    site.competition.save()

    assert [404] * 3 == [client_of().get(f"/c/cup/{path}").status_code for path in ("news/", "feed.atom", "feed.json")]


def test_markup_of_a_host_is_text_everywhere(site):
    Announcement.objects.create(competition=site.competition, at=NOON, text="<script>alert(1)</script>")
    pages = [client_of().get(f"/c/cup/{path}").content for path in ("", "news/", "feed.atom", "projector/")]

    assert [] == [page[:60] for page in pages if b"<script>alert" in page]
