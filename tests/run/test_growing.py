"""Growing a run, withdrawing bots, following it."""

from __future__ import annotations

import json

import pytest
from small_runs import CRASHER, FAST
from test_resume import Stopper

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import ConfigurationError, Interrupted, RunError, UsageError
from tournament.records.misfits import first_misfit
from tournament.records.run import Format, RunState
from tournament.run.following import EventWriter, watch
from tournament.schedule.knockout import brackets_of_run
from tournament.store.folder import read_run
from tournament.store.results import read_results


def test_more_deals_are_a_segment_with_a_master_and_a_commitment_of_its_own(configure, tmp_path):
    """The command extend RUN --deals."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    Run.open(folder).extend(budget=Budget(deals=2))
    info = read_run(folder)
    first, second = info.segments

    assert RunState.COMPLETE is info.state
    assert 12 == second.blocks
    assert first.master != second.master
    assert first.commitment != second.commitment
    assert 60 == sum(1 for _ in read_results(folder))
    assert () == tuple(audit(folder).findings)


def test_a_new_bot_plays_only_tables_with_it(configure, tmp_path):
    """The command extend RUN --add: only tables with it, as many deals each as before."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    (tmp_path / "eve.py").write_text(FAST.format(index=0))
    Run.open(folder).extend(add=[str(tmp_path / "eve.py")])
    new = [result for result in read_results(folder) if ".1." in result.id]

    assert all("eve" in result.seats for result in new)
    assert 3 * 4 * 2 == len(new)
    assert () == tuple(audit(folder).findings)


def test_a_run_grows_by_the_same_games_with_the_same_seed(configure, tmp_path):
    """The seed of an extension is the master of its segment, published on completion."""
    folders = [run_tournament(configure(), out=tmp_path / name) for name in ("run", "again", "drawn")]
    for folder, seed in zip(folders, ("another", "another", None), strict=True):
        Run.open(folder).extend(budget=Budget(deals=1), seed=seed)
    run, again, drawn = [(folder / "games.jsonl").read_bytes() for folder in folders]

    assert run == again
    assert run != drawn
    assert "another" == read_run(folders[0]).segments[1].master
    assert () == tuple(audit(folders[0]).findings)


def test_two_new_bots_meet_each_other_too(configure, tmp_path):
    """Each new bot in turn is the focus of a segment, against all before it."""
    folder = run_tournament(configure(budget=Budget(games=20)), out=tmp_path / "run")
    for name in ("eve", "fay"):
        (tmp_path / f"{name}.py").write_text(FAST.format(index=0))
    Run.open(folder).extend(add=[str(tmp_path / "eve.py"), str(tmp_path / "fay.py")])
    info = read_run(folder)

    assert [("eve",), ("fay",)] == [segment.fields[0].focus for segment in info.segments[1:]]
    assert any({"eve", "fay"} == set(result.seats) for result in read_results(folder))
    assert () == tuple(audit(folder).findings)


def test_a_run_does_not_grow_on_an_empty_seed(configure, tmp_path):
    """A variable that is not set would give the same deals every time."""
    folder = run_tournament(configure(), out=tmp_path / "run")

    with pytest.raises(ConfigurationError, match="found nothing in it"):
        Run.open(folder).extend(budget=Budget(deals=1), seed="")
    assert 1 == len(read_run(folder).segments)


def test_a_run_does_not_grow_by_nothing_nor_a_knockout_at_all(configure, tmp_path):
    """Clear refusals."""
    folder = run_tournament(configure(schedule=Format.KNOCKOUT, budget=Budget(deals=1)), out=tmp_path / "run")

    with pytest.raises(UsageError, match="budget=Budget"):
        Run.open(folder).extend()
    with pytest.raises(RunError, match="knockout"):
        Run.open(folder).extend(budget=Budget(deals=1))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_keeps_failing_is_withdrawn_whatever_the_number_of_workers(configure, bots, tmp_path, workers):
    """More than 3 games and 1 %: decided at block boundaries over the prefix in schedule order."""
    (bots / "dora.py").write_text(CRASHER)
    watcher = Stopper()
    folder = run_tournament(configure(workers=workers), out=tmp_path / "run", observer=watcher)
    info = read_run(folder)
    results = list(read_results(folder))
    games = [result for result in results if "dora" in result.seats]

    assert ["dora"] == [one.entrant for one in info.withdrawn]
    assert "faults in 4 of 4 games" == info.withdrawn[0].why
    assert 4 == len(games)
    assert games[-1].block == info.withdrawn[0].after
    assert any("dora is withdrawn" in note for note in watcher.notes)
    assert () == tuple(audit(folder).findings)


def test_the_same_bot_twice_plays_itself(configure, tmp_path):
    """Self-play only on request: a bot that is listed twice meets its copy."""
    folder = run_tournament(configure(bots=("bots/ada.py", "bots/ada.py")), out=tmp_path / "run")

    assert {"ada", "ada_2"} == set(next(iter(read_results(folder))).seats)


def test_a_gauntlet_has_its_focus_in_every_seat(configure, tmp_path):
    """Gauntlet: focus bots against the field, every seat."""
    folder = run_tournament(configure(schedule=Format.GAUNTLET, focus=("cia",)), out=tmp_path / "run")
    seats = [result.seats.index("cia") for result in read_results(folder)]

    assert 9 == seats.count(0) == seats.count(1)
    assert () == tuple(audit(folder).findings)


def test_minutes_become_blocks_that_are_frozen(configure, tmp_path):
    """Budget in minutes: a probe turns them into blocks, and run.json says how many."""
    folder = run_tournament(configure(budget=Budget(minutes=0.005)), out=tmp_path / "run")
    info = read_run(folder)

    assert {"minutes": 0.005} == info.budget
    assert info.segments[0].blocks >= 1
    assert () == tuple(audit(folder).findings)


def test_events_are_json_lines_that_fit_their_schema(configure, bots, tmp_path):
    """--events FILE: started, block, fault, finished."""
    (bots / "dora.py").write_text(CRASHER)
    path = tmp_path / "events.jsonl"
    run_tournament(configure(), out=tmp_path / "run", observer=EventWriter(path))
    events = [json.loads(line) for line in path.read_text().splitlines()]

    assert [] == [misfit for event in events if (misfit := first_misfit("event.v1", event))]
    assert "started" == events[0]["event"]
    assert {"block", "fault", "note"} == {event["event"] for event in events[1:-1]}
    assert ("finished", "complete") == (events[-1]["event"], events[-1]["state"])


def test_watching_a_finished_run_says_so_and_ends(configure, tmp_path):
    """The command watch follows a running or finished folder."""
    folder = run_tournament(configure(), out=tmp_path / "run")

    assert "Complete: 36 of 36 games" in list(watch(folder))[-1]


def test_a_knockout_ends_with_its_rounds_and_a_winner(configure, tmp_path):
    """Knockout of tables: a pure function of the results."""
    games = (GameEntry(game="explorers", players=2),)
    folder = run_tournament(
        configure(schedule=Format.KNOCKOUT, budget=Budget(deals=2), games=games), out=tmp_path / "run"
    )
    bracket = brackets_of_run(folder, read_run(folder))["explorers-2p"]

    assert [2, 1] == [len(one.tables) for one in bracket.rounds]
    assert [bracket.winner] == [seat.entrant for seat in bracket.rounds[-1].tables[0] if seat.through]
    assert all(one.is_over for one in bracket.rounds)


def test_an_extension_killed_before_it_began_can_be_asked_for_again(configure, tmp_path):
    """The configuration names the new bot already, run.json does not."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    (tmp_path / "eve.py").write_text(FAST.format(index=0))
    path = folder / "tournament.yaml"
    path.write_text(path.read_text().replace("bots:\n- bots\n", "bots:\n- bots\n- eve.py\n"))
    Run.open(folder).extend(add=[str(tmp_path / "eve.py")])

    assert "eve.py" in path.read_text()
    assert ["ada", "bea", "cia", "dora", "eve"] == [entrant.name for entrant in read_run(folder).entrants]
    assert () == tuple(audit(folder).findings)


def test_what_this_machine_lacks_is_told_whenever_a_run_is_played_on(configure, bots, tmp_path, monkeypatch):
    """Resumed, extended by two bots, and with a final; once for each command, as where it begins."""
    lacks = "Less is kept apart here."
    monkeypatch.setattr("tournament.configuration.resolving.prepare_hosting", lambda *_, **__: (lacks,))
    for name in ("eve", "fay"):
        (tmp_path / f"{name}.py").write_text(FAST.format(index=0))
    folder = tmp_path / "run"
    begun, resumed, extended, final = (Stopper(number) for number in (1, -1, -1, -1))
    with pytest.raises(Interrupted):
        run_tournament(configure(), out=folder, observer=begun)
    Run.open(folder, observer=resumed).play()
    Run.open(folder, observer=extended).extend(add=[str(tmp_path / "eve.py"), str(tmp_path / "fay.py")])
    Run.open(folder, observer=final).final(budget=Budget(deals=1))

    assert [1, 1, 1, 1] == [one.notes.count(lacks) for one in (begun, resumed, extended, final)]
