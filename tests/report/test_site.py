"""The report of a run as files: what is in them, and what must not be."""

from __future__ import annotations

import json
import re
import shutil
import zlib
from base64 import b64decode
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from made_runs import NAME, RAISED, SAID, small_run

from tournament import Run
from tournament.configuration.types import Budget
from tournament.errors import RunError, UsageError
from tournament.ranking.sources import read_sources
from tournament.records.results import ResultLine
from tournament.records.run import RunState
from tournament.records.standings import Standings
from tournament.report.facts import named_spec
from tournament.report.listing import ALL_GAMES, ShownFor, choose_games, chunks
from tournament.report.pages import chunk_script
from tournament.report.shown.verdicts import absent_from_final
from tournament.report.site import write_report
from tournament.store.folder import read_run
from tournament.store.results import read_results


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run with faults."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def report(run, tmp_path_factory):
    """The folder of its report."""
    return write_report(run, tmp_path_factory.mktemp("reports") / "report").parent


def bytes_of(folder):
    """Returns every file of a folder, by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def everything_in(folder):
    """Returns all bytes of a report, the frames of its replays unpacked."""
    texts = []
    for data in bytes_of(folder).values():
        texts.append(data.decode())
        packed = re.search(r'id="frames-data">([^<]+)<', texts[-1])
        if packed:
            texts.append(zlib.decompress(b64decode(packed[1])).decode())
    return "\n".join(texts)


class Page(HTMLParser):
    """Collects the elements of a page and where its links lead."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.links = [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]


def edited(run, tmp_path, **changes):
    """Returns a copy of a run with another `run.json`."""
    folder = tmp_path / "edited"
    shutil.copytree(run, folder)
    info = msgspec.structs.replace(read_run(folder), **changes)
    (folder / "run.json").write_bytes(msgspec.json.encode(info))
    return folder


def test_the_same_run_gives_the_same_bytes_wherever_it_lies(run, report, tmp_path):
    """Same run, same bytes."""
    shutil.copytree(run, tmp_path / "elsewhere")
    write_report(tmp_path / "elsewhere", tmp_path / "report")

    assert bytes_of(report) == bytes_of(tmp_path / "report")


def test_nothing_of_the_machine_and_no_log_is_in_it(run, report):
    """No path, no traceback, nothing a bot printed."""
    everything = everything_in(report)
    secrets = [str(run), str(run.parent), str(Path.home()), "Traceback", SAID, RAISED, ".py:"]

    assert SAID in "".join(path.read_text() for path in (run / "logs").iterdir())
    assert [] == [secret for secret in secrets if secret in everything]


def test_bots_are_named_without_their_folder():
    """A configuration may name bots by their path."""
    assert ["keeper.py", "keeper.py", "bots/keeper.py:Keeper"] == list(
        map(named_spec, ("/home/somebody/keeper.py", "~/keeper.py", "bots/keeper.py:Keeper"))
    )


def test_no_master_is_told_before_the_run_is_complete(run, tmp_path):
    """The commitment is there, and the report says that the run is interim."""
    info = read_run(run)
    hidden = tuple(msgspec.structs.replace(one, master=None, salt=None) for one in info.segments)
    folder = edited(run, tmp_path, state=RunState.RUNNING, finished=None, segments=hidden)
    (folder / "master.secret").write_text(json.dumps({"master": "a master nobody knows", "salt": "ab" * 32}))
    page = write_report(folder, tmp_path / "report")
    everything = everything_in(page.parent)

    secrets = ("a master nobody knows", "ab" * 32, info.segments[0].salt)

    assert [] == [secret for secret in secrets if secret in everything]
    assert info.segments[0].commitment in page.read_text()
    assert "Interim, not a test" in page.read_text()


def test_who_won_comes_before_the_one_table_of_the_standings(report):
    page = (report / "index.html").read_text()
    won, standings = page.index('<section id="won">'), page.index('<section id="standings">')

    assert won < standings < page.index("<table")


def test_every_link_leads_to_something(report):
    """Every game leads to its replay, every table to its JSON."""
    for name in ("index.html", "games.html"):
        links = {link.partition("#")[0] for link in Page(report / name).links}

        assert set() == {link for link in links if link and link != "data:," and not (report / link).is_file()}


def test_every_game_of_a_small_run_has_its_replay(run, report):
    """All games, where there are few."""
    ids = {f"{result.id}.html" for result in read_results(run)}

    assert ids == {path.name for path in (report / "games").iterdir()}


def test_the_link_back_of_a_replay_is_called_after_the_report_where_it_leads(report):
    page = next((report / "games").iterdir()).read_text()

    assert '"back":"../index.html","back_to":"Report"' in page


def test_names_and_answers_of_bots_are_text(report):
    """Escaped everything; the page has its own script and no picture."""
    tags = Page(report / "index.html").tags

    assert (1, 0) == (tags.count("script"), tags.count("img"))
    assert "&lt;script&gt;alert(1)&lt;img" in (report / "index.html").read_text()
    assert 2 == Page(report / "games.html").tags.count("script")


def test_standings_beside_the_page_are_those_of_the_ranking(run, report):
    """JSON beside every table."""
    expected = msgspec.json.decode(msgspec.json.encode(read_sources([run]).standings()))

    assert expected == json.loads((report / "data/standings.json").read_text())


def test_a_final_has_a_verdict_and_a_table_of_its_own(run, tmp_path):
    """It is ranked alone, and decides who won."""
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    segment = Run.open(folder).final(budget=Budget(deals=1))
    page = write_report(folder, tmp_path / "report")
    own = read_sources([folder], segment=segment).standings()
    scopes = ["Championship"] * (own.championship is not None) + [group.group for group in own.groups]
    expected = [f"Final (segment {segment}): {scope}" for scope in scopes]

    assert expected == re.findall(r"<h3>(Final.*?)</h3>", page.read_text())
    assert len(scopes) == page.read_text().count(f"<caption>Final (segment {segment}): ")
    written = (page.parent / "data" / f"final-{segment}.json").read_bytes()
    assert own == msgspec.json.decode(written, type=Standings)


def test_a_group_that_is_not_in_the_final_says_why(tmp_path):
    """Two finalists are too few for a table of three."""
    info = read_run(small_run(tmp_path))
    two, three = (
        msgspec.structs.replace(info.groups[0], name=f"made-{players}p", players=players) for players in (2, 3)
    )
    field = msgspec.structs.replace(info.segments[0].fields[0], group=two.name)
    final = msgspec.structs.replace(info.segments[0], number=1, final=True, fields=(field,))
    info = msgspec.structs.replace(info, groups=(two, three), segments=(*info.segments, final))

    expected = ["made-3p is not in the final: it takes 3 players, and there are fewer finalists."]
    assert expected == absent_from_final(info, 1)


def test_a_final_of_which_no_game_counts_has_no_place_in_the_report(run, tmp_path):
    """A report is written when every game of a final had an entrant that was disqualified since."""
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    segment = Run.open(folder).final(budget=Budget(deals=1))
    always = set.intersection(*(set(result.seats) for result in read_results(folder) if result.segment == segment))
    Run.open(folder).disqualify(min(always), reason="found out")
    page = write_report(folder, tmp_path / "report")

    assert [] == re.findall(r"<h3>(Final.*?)</h3>", page.read_text())
    assert not (page.parent / "data" / f"final-{segment}.json").exists()


def test_every_fault_is_told_by_kind_with_its_detail(run, report):
    """Faults by kind with their details, each leading to its step."""
    told = json.loads((report / "data/faults.json").read_text())
    kinds = [str(kind) for result in read_results(run) for _, kind in result.faults]
    page = (report / "index.html").read_text()

    assert {kind: kinds.count(kind) for kind in kinds} == told["counts"]
    assert {"crash", "malformed"} == set(told["counts"])
    assert all(fault["detail"] and fault["entrant"] == NAME for fault in told["faults"])
    assert all(f'games/{fault["id"]}.html#step={fault["at"]}"' in page for fault in told["faults"])


def test_a_cell_of_head_to_head_leads_to_the_games_of_the_two(report):
    """Head to head whose cells lead to the games."""
    assert "games.html#group=scout-3p&with=cautious&with=random_legal" in Page(report / "index.html").links


def test_how_to_play_it_again_is_told(run, report):
    """Command, seed, versions, digests, commitment."""
    info = read_run(run)
    page = (report / "index.html").read_text()

    for part in ("--seed made<", info.segments[0].commitment, info.versions["python"]):
        assert part in page
    for entrant in info.entrants:
        assert entrant.bots[0].fingerprint in page


def made_results(games):
    """Returns results of a long run of two entrants."""
    return [
        ResultLine(
            id=f"explorers-2p.0.{number // 2:06}.{number % 2}",
            seats=("alpha", "beta"),
            scores=(number * 7919 % 301 - 150, number * 104729 % 301 - 150),
            places=(1, 2),
            ending="complete",
            faults=((0, "timeout"),) if number % 1000 == 0 else (),
            forfeits=(0,) if number % 1000 == 0 else (),
            digest="0" * 64,
        )
        for number in range(games)
    ]


def chosen_of(results):
    """Returns the games that a report of these results includes."""
    return choose_games(results, games={"explorers-2p": len(results)})


def test_a_long_run_has_a_sample_and_short_lists():
    """For 100,000 games: faults, closest, widest, a sample; and every game in a few bytes."""
    results = made_results(100_000)
    chosen = chosen_of(results)
    listed = list(chunks(results, entrants={"explorers-2p": ("alpha", "beta")}))
    why = [reason for game in chosen.values() for reason in game.why]

    assert {ShownFor.FAULT: 60, ShownFor.CLOSEST: 8, ShownFor.WIDEST: 8, ShownFor.SAMPLE: 8} == dict(Counter(why))
    assert len(results) == sum(len(chunk.games) for chunk in listed)
    assert 45 > sum(len(chunk_script(chunk)) for chunk in listed) / len(results)
    assert "0.000003.1;0,1;-101,18;1,2;" == listed[0].games[7]


def test_the_closest_game_is_closer_and_the_widest_wider_than_any_other():
    """Closest and widest games."""
    results = [result for result in made_results(1000) if not result.faults]
    leads = {result.id: abs(result.scores[0] - result.scores[1]) for result in results}
    chosen = chosen_of(results)
    closest = [leads[record_id] for record_id, game in chosen.items() if ShownFor.CLOSEST in game.why]
    widest = [leads[record_id] for record_id, game in chosen.items() if ShownFor.WIDEST in game.why]

    assert sorted(leads.values())[:8] == sorted(closest)
    assert sorted(leads.values())[-8:] == sorted(widest)


def test_a_short_run_has_all_its_games():
    """A sample is only for runs that are long."""
    assert ALL_GAMES == len(chosen_of(made_results(ALL_GAMES)))


def test_a_game_whose_record_was_not_kept_is_named_without_a_link(run, tmp_path):
    """Results are of every game, records need not be."""
    folder = tmp_path / "thin"
    shutil.copytree(run, folder)
    first = (folder / "games.jsonl").read_bytes().splitlines(keepends=True)[0]
    (folder / "games.jsonl").write_bytes(first)
    (folder / "games.jsonl.index").unlink()
    report = write_report(folder, tmp_path / "report").parent

    assert 1 == len(list((report / "games").iterdir()))
    assert "cannot be read here" in (report / "index.html").read_text()
    assert set() == {
        link
        for link in Page(report / "index.html").links
        if link[0] != "#" and link != "data:," and not (report / link.partition("#")[0]).is_file()
    }


def test_an_older_report_is_replaced_and_anything_else_is_left_alone(run, tmp_path):
    """House style: nothing of somebody else's is written over."""
    page = write_report(run, tmp_path / "report")
    (page.parent / "games" / "old.html").write_text("old")
    write_report(run, tmp_path / "report")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")

    with pytest.raises(UsageError, match="is no report"):
        write_report(run, tmp_path / "thesis")
    assert not (page.parent / "games" / "old.html").exists()
    assert ["chapter.txt"] == [path.name for path in (tmp_path / "thesis").iterdir()]


def test_a_folder_that_is_no_run_is_not_made(tmp_path):
    """A name written wrongly leaves nothing behind that later commands take for a run."""
    with pytest.raises(RunError):
        write_report(tmp_path / "no-such-run")

    assert [] == list(tmp_path.iterdir())
