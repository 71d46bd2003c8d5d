"""What happened in a run while it was looked at: as a page, as Atom and as JSON Feed."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import msgspec
import pytest
from languages.pseudo import pseudo_language, unmarked_in_page
from made_runs import NAME, small_run
from needs import need_module
from served_runs import client_of, make_going

from tournament.languages import Language, gettext, pgettext, speaking
from tournament.records.run import RunState
from tournament.report.facts import read_facts
from tournament.report.live.chronicle import SENTENCES, Chronicle, NoticedKind
from tournament.report.live.feeds import MOST_TOLD, Happening, NewsFeed, format_atom, format_json_feed, newest
from tournament.store.folder import read_run

need_module("starlette", extra="serve")

NOON = datetime(2099, 12, 1, 12, tzinfo=UTC)
"""Later than the run."""
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with a complete run."""
    folder = tmp_path_factory.mktemp("shelf")
    small_run(folder)
    return folder


@pytest.fixture
def going(shelf, tmp_path):
    """Returns the facts of the run when it had so many games."""
    run = shelf / "made-run"
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    folder = make_going(run, tmp_path / "going")

    def facts(games: int):
        (folder / "results.jsonl").write_bytes(b"".join(lines[:games]))
        return read_facts(folder)

    return facts


def happening(number: int) -> Happening:
    return Happening(id=f"one-{number:03d}", at=NOON + timedelta(minutes=number), text=f"Line {number}", address="./")


def feed_of(happenings) -> NewsFeed:
    return NewsFeed(
        title="a <b>cup</b>",
        address="http://127.0.0.1:8000/runs/cup/feed.atom",
        page="news/",
        language="en",
        happenings=tuple(happenings),
    )


def kinds_of(chronicle: Chronicle) -> list[NoticedKind]:
    return [one.kind for one in chronicle._noticed]


def test_the_newest_come_first_and_no_more_than_are_told():
    told = newest(happening(number) for number in range(MOST_TOLD + 20))

    assert MOST_TOLD == len(told)
    assert [f"Line {MOST_TOLD + 19}", "Line 20"] == [told[0].text, told[-1].text]


def test_an_atom_feed_has_what_readers_need_of_each_entry():
    root = ElementTree.fromstring(format_atom(feed_of([happening(2), happening(1)])))
    entries = root.findall(f"{ATOM}entry")

    assert "a <b>cup</b>" == root.findtext(f"{ATOM}title")
    assert "2099-12-01T12:02:00Z" == root.findtext(f"{ATOM}updated")
    assert ["Line 2", "Line 1"] == [entry.findtext(f"{ATOM}title") for entry in entries]
    assert 2 == len({entry.findtext(f"{ATOM}id") for entry in entries})
    assert "http://127.0.0.1:8000/runs/cup/" == entries[0].find(f"{ATOM}link").get("href")


def test_a_json_feed_says_the_same():
    feed = json.loads(format_json_feed(feed_of([happening(2), happening(1)])))

    assert ("https://jsonfeed.org/version/1.1", "a <b>cup</b>") == (feed["version"], feed["title"])
    assert [("Line 2", "2099-12-01T12:02:00Z"), ("Line 1", "2099-12-01T12:01:00Z")] == [
        (one["content_text"], one["date_published"]) for one in feed["items"]
    ]


def test_a_feed_in_which_nothing_happened_is_whole():
    root = ElementTree.fromstring(format_atom(feed_of([])))

    assert [] == root.findall(f"{ATOM}entry")
    assert root.findtext(f"{ATOM}updated")


def test_what_no_xml_may_have_is_written_out():
    odd = msgspec.structs.replace(happening(1), text="a\x00b\ud800<c>")
    root = ElementTree.fromstring(format_atom(feed_of([odd])))

    assert r"a\x00b\ud800<c>" == root.find(f"{ATOM}entry").findtext(f"{ATOM}title")


def test_each_thing_that_may_happen_has_its_sentence():
    assert set(NoticedKind) == set(SENTENCES)


def test_the_first_look_tells_only_the_beginning(going):
    chronicle = Chronicle()
    chronicle.look(going(6), now=NOON)

    assert [NoticedKind.BEGAN] == kinds_of(chronicle)


def test_nothing_is_told_twice(going):
    chronicle = Chronicle()
    for _ in range(3):
        chronicle.look(going(6), now=NOON)

    assert [NoticedKind.BEGAN] == kinds_of(chronicle)


def test_faults_withdrawals_and_quarters_are_noticed(going):
    chronicle = Chronicle()
    chronicle.look(going(3), now=NOON)
    chronicle.look(going(15), now=NOON + timedelta(minutes=1))
    kinds = set(kinds_of(chronicle))
    told = [one.text for one in chronicle.told()]

    assert {NoticedKind.BEGAN, NoticedKind.FAULT, NoticedKind.QUARTER} <= kinds
    assert any("crash" in text for text in told)


def test_the_kind_of_a_fault_is_in_the_language_of_the_reader(going):
    chronicle = Chronicle()
    chronicle.look(going(3), now=NOON)
    chronicle.look(going(15), now=NOON + timedelta(minutes=1))
    with speaking(Language.GERMAN):
        told = [one.text for one in chronicle.told()]
        word = pgettext("kind of fault", "crash")

    assert "crash" != word
    assert any(f": {word}," in text for text in told)
    assert not any("crash" in text for text in told)


def test_a_change_of_the_lead_names_who_led_before(going):
    facts = going(15)
    group = facts.standings.groups[0]
    first, second, *others = group.rows
    rows = (
        msgspec.structs.replace(first, rank=second.rank),
        msgspec.structs.replace(second, rank=first.rank),
        *others,
    )
    swapped = msgspec.structs.replace(group, rows=rows)
    standings = msgspec.structs.replace(facts.standings, groups=(swapped, *facts.standings.groups[1:]))
    chronicle = Chronicle()
    chronicle.look(facts, now=NOON)
    chronicle.look(msgspec.structs.replace(facts, standings=standings), now=NOON)

    assert [NoticedKind.BEGAN, NoticedKind.LEAD] == kinds_of(chronicle)
    assert f"First in {group.group}: {second.entrant}. Before that: {first.entrant}." == chronicle.told()[0].text


def test_a_complete_run_tells_its_beginning_and_its_end_at_their_times(shelf):
    info = read_run(shelf / "made-run")
    chronicle = Chronicle()
    chronicle.look(read_facts(shelf / "made-run"), now=NOON)

    assert [NoticedKind.BEGAN, NoticedKind.COMPLETE] == kinds_of(chronicle)
    assert [datetime.fromisoformat(text) for text in (info.started, info.finished)] == [
        one.at for one in chronicle._noticed
    ]


def test_a_final_that_begins_is_noticed(going):
    facts = going(15)
    segment = facts.info.segments[0]
    final = msgspec.structs.replace(segment, number=1, final=True)
    info = msgspec.structs.replace(facts.info, segments=(*facts.info.segments, final))
    chronicle = Chronicle()
    chronicle.look(facts, now=NOON)
    chronicle.look(msgspec.structs.replace(facts, info=info), now=NOON)

    assert NoticedKind.FINAL in kinds_of(chronicle)


@pytest.mark.parametrize(("state", "kind"), [("interrupted", "interrupted"), ("failed", "failed")])
def test_a_run_that_stops_is_noticed(going, state, kind):
    facts = going(6)
    chronicle = Chronicle()
    chronicle.look(facts, now=NOON)
    stopped = msgspec.structs.replace(facts.info, state=RunState(state))
    chronicle.look(msgspec.structs.replace(facts, info=stopped), now=NOON)

    assert [NoticedKind.BEGAN, NoticedKind(kind)] == kinds_of(chronicle)


def test_the_page_and_both_feeds_tell_the_same(shelf):
    client = client_of(shelf)
    page = client.get("/runs/made-run/news/")
    atom = client.get("/runs/made-run/feed.atom")
    feed = client.get("/runs/made-run/feed.json")
    texts = [one["content_text"] for one in feed.json()["items"]]

    assert (200, "application/atom+xml", "application/feed+json") == (
        page.status_code,
        atom.headers["content-type"],
        feed.headers["content-type"],
    )
    assert texts == [one.findtext(f"{ATOM}title") for one in ElementTree.fromstring(atom.content).iter(f"{ATOM}entry")]
    assert "The run began, with 3 entrants: " in texts[-1]
    assert all(text in page.text for text in texts if "<" not in text)


def test_the_feeds_of_a_page_are_in_its_language(shelf):
    client = client_of(shelf)
    page = client.get("/runs/made-run/news/?language=de").text
    links = re.findall('href="\\.\\./(feed[^"]*)"', page)
    feeds = [client.get(f"/runs/made-run/{link}", headers={"accept-language": "pl"}) for link in links]

    assert 2 * ["feed.atom?language=de", "feed.json?language=de"] == links
    with speaking(Language.GERMAN):
        began = gettext("The run began, with {entrants} entrants: {groups}.", entrants=3, groups="")
    assert 4 * [True] == [began[:20] in feed.text for feed in feeds]
    assert {"de"} == {feed.json()["language"] for feed in feeds[1::2]}


def test_a_feed_that_names_its_language_is_one_of_its_own(shelf):
    client = client_of(shelf)
    feeds = [client.get(f"/runs/made-run/feed.json{query}").json() for query in ("", "?language=nb", "?language=xx")]

    assert ["", "?language=nb", ""] == [feed["feed_url"].partition("feed.json")[2] for feed in feeds]
    assert ["", "?language=nb", ""] == [feed["home_page_url"].partition("news/")[2] for feed in feeds]
    assert set() == {one["id"] for one in feeds[0]["items"]} & {one["id"] for one in feeds[1]["items"]}


@pytest.mark.parametrize("page", ["news", "watch", "projector"])
def test_whoever_watches_may_choose_a_language_there(shelf, page):
    client = client_of(shelf)
    path = f"/runs/made-run/{page}/"
    offered = re.findall('<a href="[?]language=(..)"', client.get(path).text)
    client.get(f"{path}?language=es")

    assert [one for one in Language if one is not Language.ENGLISH] == offered
    assert '<html lang="es">' in client.get(path).text


def test_times_and_numbers_are_written_as_the_reader_does(going):
    chronicle = Chronicle()
    facts = going(6)
    chronicle.look(facts, now=NOON)
    many = msgspec.structs.replace(facts.info, state=RunState.INTERRUPTED)
    chronicle.look(msgspec.structs.replace(facts, info=many, results=range(12_345)), now=NOON)
    with speaking(Language.GERMAN):
        in_german = chronicle.told()[0].text

    assert "The run was interrupted after 12,345 games." == chronicle.told()[0].text
    assert "12.345" in in_german


def test_the_page_of_what_happened_has_times_as_the_reader_writes_them(shelf):
    finished = datetime.fromisoformat(read_run(shelf / "made-run").finished).astimezone(UTC)
    page = client_of(shelf).get("/runs/made-run/news/?language=de").text

    assert f">{finished:%d.%m.%Y, %H:%M} UTC</time>" in page


def test_links_of_a_feed_lead_to_the_report(shelf):
    client = client_of(shelf)
    urls = [one["url"] for one in client.get("/runs/made-run/feed.json").json()["items"]]

    assert {200} == {client.get(url.partition("#")[0]).status_code for url in urls}


def test_names_of_bots_are_text_on_the_page(shelf):
    assert NAME not in client_of(shelf).get("/runs/made-run/news/").text


@pytest.mark.parametrize("page", ["news/", "feed.atom", "feed.json"])
def test_what_is_not_there_tells_nothing(shelf, page):
    assert 404 == client_of(shelf).get(f"/runs/none/{page}").status_code


@pytest.mark.parametrize("page", ["news", "watch", "projector"])
def test_every_text_of_the_pages_for_those_who_watch_is_marked(shelf, page):
    names = [
        "made",
        "run",
        "cautious",
        "random_legal",
        NAME,
        "UTC",
        "Atom",
        "JSON",
        *(one.own_name for one in Language),
    ]
    groups = re.compile(r"(explorers|scout)-\dp(\.\d+)*")
    with pseudo_language():
        made = client_of(shelf).get(f"/runs/made-run/{page}/", headers={"accept-language": "de"}).text

    assert [] == unmarked_in_page(made, allowed=[*names, groups])


def test_it_is_told_in_the_present_language(shelf):
    with speaking(Language.GERMAN):
        page = client_of(shelf).get("/runs/made-run/news/").text

    assert '<html lang="de">' in page


def test_a_change_of_the_lead_is_noticed_and_told_whatever_each_reader_speaks(going):
    facts = going(15)
    group = facts.standings.groups[0]
    first, second, *others = group.rows
    parts = ((first.entrant, second.entrant), tuple(row.entrant for row in others))

    def with_rows(*rows):
        in_parts = msgspec.structs.replace(group, rows=(*rows, *others), parts=parts)
        standings = msgspec.structs.replace(facts.standings, groups=(in_parts, *facts.standings.groups[1:]))
        return msgspec.structs.replace(facts, standings=standings)

    swapped = msgspec.structs.replace(first, rank=second.rank), msgspec.structs.replace(second, rank=first.rank)
    chronicle = Chronicle()
    chronicle.look(with_rows(first, second), now=NOON)
    with speaking(Language.GERMAN):
        chronicle.look(with_rows(*swapped), now=NOON)
        ranking = gettext("{ranking}, part {number}", ranking=group.group, number=1)
        in_german = chronicle.told()[0].text

    assert [NoticedKind.BEGAN, NoticedKind.LEAD] == kinds_of(chronicle)
    assert (
        f"First in {group.group}, part 1: {second.entrant}. Before that: {first.entrant}." == chronicle.told()[0].text
    )
    assert ranking in in_german
