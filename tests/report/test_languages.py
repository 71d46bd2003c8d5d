"""Reports, standings and served pages in other languages than English: nothing unmarked, JSON as ever."""

from __future__ import annotations

import json
import re
import warnings

import msgspec
import pytest
from languages.pseudo import pseudo_language, unmarked_in_page, unmarked_in_text
from made_runs import NAME, SAID, small_run
from needs import need_module
from shown_runs import RUNS

from tournament.errors import UsageError
from tournament.languages import Language, gettext, speaking
from tournament.ranking.sources import read_sources
from tournament.records.comparison import format_ranking
from tournament.records.run import RunState
from tournament.report.choices import Section, TableFormat
from tournament.report.facts import named_spec
from tournament.report.server import make_app
from tournament.report.site import write_report
from tournament.report.standings import format_standings, with_sections
from tournament.report.tables import markdown_text
from tournament.store.folder import read_run

need_module("babel", extra="languages")

NEVER_TRANSLATED = (
    *("JSON", "UTC", "SHA", "tournament", "python", "explorers", "scout", *(one.own_name for one in Language)),
    re.compile(r"standings RUN --segment \d+"),
    re.compile(r"\b[a-e]{2,}\b"),  # letters of those who are tied
)


def allowed_for(run):
    info = read_run(run)
    names = [one.name for one in (*info.entrants, *info.groups)]
    specs = [named_spec(bot.spec) for entrant in info.entrants for bot in entrant.bots]
    names += [markdown_text(name) for name in names]
    return [*NEVER_TRANSLATED, *names, *specs, info.name, SAID, f"{NAME[:37]}…"]


@pytest.fixture(scope="module", params=["with a final", "with faults", "a knockout", "without records"])
def run(request, tmp_path_factory):
    return RUNS[request.param](tmp_path_factory.mktemp("runs"))


def test_every_page_of_a_report_shows_only_what_is_marked(run, tmp_path):
    with pseudo_language():
        index = write_report(run, tmp_path / "report")
    pages = [index, index.parent / "games.html", *sorted((index.parent / "bots").iterdir())]
    allowed = allowed_for(run)

    assert [] == [(page.name, found) for page in pages for found in unmarked_in_page(page.read_text(), allowed=allowed)]


def test_the_tables_of_standings_show_only_what_is_marked(run):
    sources = read_sources([run])
    file = with_sections(sources, list(Section))
    with pseudo_language():
        shown = [
            format_standings(file, form=form, sections=list(Section), notes=sources.notes, width=4000)
            for form in (TableFormat.TABLE, TableFormat.MARKDOWN)
        ]

    assert [] == [found for text in shown for found in unmarked_in_text(text, allowed=allowed_for(run))]


def test_json_and_csv_are_in_english_whatever_is_spoken(run, tmp_path):
    def written(name):
        data = write_report(run, tmp_path / name).parent / "data"
        return {path.name: path.read_bytes() for path in data.iterdir() if path.name != "made-by.json"}

    def tables():
        sources = read_sources([run])
        return [format_standings(sources.standings(), form=form) for form in (TableFormat.JSON, TableFormat.CSV)]

    english = written("english"), tables()
    with pseudo_language():
        assert english == (written("other"), tables())


def test_a_report_is_written_in_the_language_that_is_asked_for_and_offers_no_other(tmp_path):
    run = small_run(tmp_path)
    page = write_report(run, tmp_path / "report", language="nb_NO")
    made_by = json.loads((page.parent / "data/made-by.json").read_text())

    assert '<html lang="nb">' in page.read_text()
    assert "nb" == made_by["language"]
    assert "?language=" not in page.read_text()
    with pytest.raises(UsageError, match="en, de, pl, es, nb"):
        write_report(run, tmp_path / "report", language="tlh")


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Asks a server of two runs, one of which goes on."""
    need_module("starlette", extra="serve")
    folder = tmp_path_factory.mktemp("shelf")
    run = small_run(folder)
    info = read_run(run)
    going = folder / "going"
    going.mkdir()
    for name in ("results.jsonl", "records.jsonl", "tournament.yaml"):
        if (run / name).is_file():
            (going / name).write_bytes((run / name).read_bytes())
    segments = tuple(
        msgspec.structs.replace(one, master=None, salt=None, games=one.games + 50) for one in info.segments
    )
    info = msgspec.structs.replace(info, state=RunState.RUNNING, finished=None, segments=segments)
    (going / "run.json").write_bytes(msgspec.json.encode(info))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Starlette's client warns of the client it is built on
        from starlette.testclient import TestClient

    def get(path, *, hides_cards=False, cookies=None, **headers):
        client = TestClient(
            make_app(folder, hides_cards=hides_cards), base_url="http://127.0.0.1:8000", cookies=cookies
        )
        return client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    get.allowed = [*allowed_for(run), "going", "made-run"]
    return get


@pytest.mark.parametrize(
    "path",
    ["/", "/nothing", "/runs/nobody/", "/runs/going/", "/runs/made-run/", "/runs/made-run/games.html"]
    + ["/runs/made-run/bots/1.html", "/runs/made-run/bots/99.html", "/runs/made-run/games/scout-3p.0.999999.0.html"],
)
@pytest.mark.parametrize("hides_cards", [False, True])
def test_every_served_page_shows_only_what_is_marked(ask, path, hides_cards):
    with pseudo_language(), speaking(Language.ENGLISH):
        page = ask(path, hides_cards=hides_cards, accept_language="de-CH").text

    assert '<html lang="de">' in page
    assert [] == unmarked_in_page(page, allowed=ask.allowed)


def test_each_reader_gets_the_language_that_their_browser_asks_for(ask):
    answers = [ask("/", accept_language=wished) for wished in ("pl,en;q=0.5", "fr, es;q=0.4", "fr", "nb-NO")]

    assert ["pl", "es", "en", "nb"] == [re.search(r'<html lang="(\w+)"', answer.text)[1] for answer in answers]
    assert {"Accept-Language, Cookie"} == {answer.headers["vary"] for answer in answers}


def test_a_language_that_a_reader_chose_is_remembered(ask):
    chosen = ask("/runs/made-run/?language=es", accept_language="de")
    later = ask("/runs/made-run/bots/1.html", accept_language="de", cookies={"language": chosen.cookies["language"]})

    assert ["es", "es"] == [re.search(r'<html lang="(\w+)"', answer.text)[1] for answer in (chosen, later)]
    assert [f"?language={one}" in later.text for one in Language] == [one is not Language.SPANISH for one in Language]


def test_what_is_no_language_of_ours_chooses_none(ask):
    answer = ask("/?language=<b>", accept_language="de", cookies={"language": "tlh"})

    assert '<html lang="de">' in answer.text
    assert "set-cookie" not in answer.headers


def test_the_table_of_bots_says_which_game_a_bot_plays_not_which_of_those_played(tmp_path):
    """Most languages have a word for each."""
    run = RUNS["with faults"](tmp_path)
    words = {}
    for language in Language:
        page = write_report(run, tmp_path / language, language=language).read_text()
        headings = re.findall(r'<th scope="col">([^<]*)</th>', page[page.rindex("<table") :])
        words[str(language)] = headings[1]

    assert {"en": "game", "de": "Spiel", "pl": "gra", "es": "juego", "nb": "spill"} == words


def test_a_comparison_names_the_championship_in_the_present_language_and_groups_as_they_are():
    with speaking(Language.GERMAN):
        assert [gettext("championship"), "scout-2p"] == [format_ranking(name) for name in ("championship", "scout-2p")]
        assert "championship" != format_ranking("championship")
