"""Bots that come later, or come back changed."""

from __future__ import annotations

import pytest
from small_runs import FAST
from test_resume import Stopper

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget
from tournament.errors import Interrupted, RunError, UsageError
from tournament.records.run import RunState, Until
from tournament.run import growth
from tournament.store.folder import read_run
from tournament.store.layout import CONFIGURATION_FILE
from tournament.store.results import read_results


@pytest.fixture
def folder(configure, tmp_path):
    """A complete run of ada, bea, cia and dora."""
    return run_tournament(configure(), out=tmp_path / "run")


FIRST = FAST.format(index=0)
ONLY_SCOUT = FIRST.replace("    def act", '    games = ("scout",)\n\n    def act')


def write(place, *names, text=FIRST):
    """Writes bots and returns their specs."""
    place.mkdir(exist_ok=True)
    for name in names:
        (place / f"{name}.py").write_text(text)
    return [str(place / f"{name}.py") for name in names]


def test_an_interrupted_extension_goes_on_with_the_commands_that_are_printed(folder, tmp_path, monkeypatch):
    """First `resume`, then `extend` with the bots whose turn had not come; a final is not in their way."""
    specs = write(tmp_path / "new", "eve", "fay", "gil")
    monkeypatch.chdir(tmp_path / "bots")
    with pytest.raises(Interrupted, match=f"tournament resume {folder}"):
        Run.open(folder, observer=Stopper(3)).extend(add=specs)
    watcher = Stopper()
    Run.open(folder, observer=watcher).play()
    command = f"tournament extend {folder} --add ../new/fay.py --add ../new/gil.py"
    waiting = read_run(folder)
    Run.open(folder).final(budget=Budget(deals=1))
    Run.open(folder).extend(add=["../new/fay.py", "../new/gil.py"])
    info = read_run(folder)

    assert any(note.endswith(command) for note in watcher.notes)
    assert ["ada", "bea", "cia", "dora", "eve"] == [entrant.name for entrant in waiting.entrants]
    assert ["ada", "bea", "cia", "dora", "eve", "fay", "gil"] == [entrant.name for entrant in info.entrants]
    assert [("eve",), (), ("fay",), ("gil",)] == [segment.fields[0].focus for segment in info.segments[1:]]
    assert () == tuple(audit(folder).findings)


def test_bots_of_a_folder_wait_by_the_name_of_the_folder(folder, tmp_path, monkeypatch):
    """As it was given: its files alone would come twice."""
    write(tmp_path / "new", "eve", "fay")
    monkeypatch.chdir(tmp_path / "bots")
    with pytest.raises(Interrupted):
        Run.open(folder, observer=Stopper(3)).extend(add=[str(tmp_path / "new")])
    watcher = Stopper()
    Run.open(folder, observer=watcher).play()
    Run.open(folder).extend(add=["../new"])

    assert any(note.endswith(f"tournament extend {folder} --add ../new") for note in watcher.notes)
    assert ["eve", "fay"] == [entrant.name for entrant in read_run(folder).entrants[4:]]


def test_a_bot_that_plays_none_of_the_games_is_refused_before_anything_is_played(folder, tmp_path):
    """Nor does it stay in the configuration, where it would be in the way of a final."""
    specs = [*write(tmp_path / "new", "eve"), *write(tmp_path / "new", "misfit", text=ONLY_SCOUT)]
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(RunError, match=r"misfit plays none of the games of .*: explorers-2p\. Nothing was played"):
        Run.open(folder).extend(add=specs)

    assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_bot_that_is_there_already_is_no_new_one(folder, bots):
    """Expected, found, what to do."""
    with pytest.raises(UsageError, match=r"is not in .*, found none\. More games of all: budget=Budget\(deals=50\)"):
        Run.open(folder).extend(add=[str(bots / "ada.py")])


def test_a_changed_bot_comes_back_into_a_complete_run_as_a_new_entrant(folder, bots):
    """The second version in the same file: what a course hands in."""
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")
    with pytest.raises(RunError, match=r"ada: the fingerprint .* give `accept_changes`: then each goes on as a new"):
        Run.open(folder).extend(budget=Budget(deals=2))
    Run.open(folder).extend(budget=Budget(deals=2), accept_changes=True)
    info = read_run(folder)
    seats = {name for result in read_results(folder) if result.segment == 1 for name in result.seats}

    assert RunState.COMPLETE is info.state
    assert {"ada_2", "bea", "cia", "dora"} == seats
    assert {"ada": "ada_2"} == info.replaced
    assert () == tuple(audit(folder).findings)


def test_a_changed_bot_and_a_new_one_come_in_together(folder, bots, tmp_path):
    """`--add` with `--accept-changes`: the newcomer meets the bot as it is now."""
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")
    Run.open(folder).extend(add=write(tmp_path / "new", "eve"), accept_changes=True)
    fields = read_run(folder).segments[1].fields

    assert [("ada_2", "bea", "cia", "dora", "eve")] == [field.entrants for field in fields]
    assert "new/eve.py" in (folder / CONFIGURATION_FILE).read_text()
    assert () == tuple(audit(folder).findings)


def change(bots, name="ada"):
    """Changes the file of a bot."""
    (bots / f"{name}.py").write_text((bots / f"{name}.py").read_text() + "\n# changed\n")


def test_a_change_is_noticed_after_a_final_without_the_bot(folder, bots, monkeypatch):
    """All play again after it, not only its finalists."""
    monkeypatch.setattr(growth, "finalists", lambda folder, info: ("ada", "bea"))
    Run.open(folder).final(budget=Budget(deals=1))
    change(bots, "dora")

    with pytest.raises(RunError, match="dora: the fingerprint"):
        Run.open(folder).extend(budget=Budget(deals=1))
    Run.open(folder).extend(budget=Budget(deals=1), accept_changes=True)
    assert ("ada", "bea", "cia", "dora_2") == read_run(folder).segments[2].fields[0].entrants
    assert () == tuple(audit(folder).findings)


def test_a_change_ends_looking_on_the_way_and_says_so(configure, bots, tmp_path):
    """`until` asks about who played from the first block on; the budget is played, and nothing is claimed decided."""
    with pytest.raises(Interrupted):
        run_tournament(configure(until=Until.DECIDED), out=tmp_path / "run", observer=Stopper(4))
    change(bots)
    watcher = Stopper()
    folder = tmp_path / "run"
    Run.open(folder, observer=watcher).play(accept_changes=True)
    decision = read_run(folder).decision

    assert (False, "explorers-2p.0.000003") == (decision.decided, decision.after)
    assert "Not decided before ada changed; all of the budget was played then." in watcher.notes
    assert 36 == sum(1 for _ in read_results(folder))
    assert () == tuple(audit(folder).findings)


def test_nobody_is_replaced_in_a_final(configure, bots, tmp_path):
    """Its entrants have been chosen; what is left of it would be ranked with the run."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    with pytest.raises(Interrupted):
        Run.open(folder, observer=Stopper(2)).final(budget=Budget(deals=9))
    change(bots, read_run(folder).segments[1].fields[0].entrants[0])

    with pytest.raises(RunError, match=r"is in its final, in which nobody can be replaced\. Undo the change"):
        Run.open(folder).play(accept_changes=True)


def test_a_final_tells_who_is_not_in_it_because_they_changed(folder, bots, monkeypatch):
    """Whoever may be first and is not there is missed."""
    change(bots)
    Run.open(folder).extend(budget=Budget(deals=1), accept_changes=True)
    monkeypatch.setattr(growth, "finalists", lambda folder, info: ("ada", "bea", "cia"))
    watcher = Stopper()
    Run.open(folder, observer=watcher).final(budget=Budget(deals=1))

    assert ("bea", "cia") == read_run(folder).segments[2].fields[0].entrants
    assert any(note.startswith("ada may be first, too, but has changed since") for note in watcher.notes)


def test_a_file_that_came_into_a_folder_of_the_run_comes_once(folder, bots):
    """The folder has it already, and the file is the same bot."""
    write(bots, "eve")
    Run.open(folder).extend(add=[str(bots / "eve.py")])

    assert ["ada", "bea", "cia", "dora", "eve"] == [entrant.name for entrant in read_run(folder).entrants]


def test_of_a_folder_only_those_come_that_are_not_there(configure, bots, tmp_path):
    """The others play on as they are."""
    configuration = configure(bots=("bots/ada.py", "bots/bea.py"))
    folder = run_tournament(configuration, out=tmp_path / "run")
    Run.open(folder).extend(add=[str(bots), str(bots / "cia.py")])
    info = read_run(folder)

    assert ["ada", "bea", "cia", "dora"] == [entrant.name for entrant in info.entrants]
    assert [("cia",), ("dora",)] == [segment.fields[0].focus for segment in info.segments[1:]]
    assert () == tuple(audit(folder).findings)


def test_who_waits_is_named_by_a_resume_of_a_complete_run_and_by_the_next_extension(folder, tmp_path, monkeypatch):
    """An extension may be killed between two of its bots: the run is complete then."""
    specs = write(tmp_path / "new", "eve", "fay", "gil")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Interrupted):
        Run.open(folder, observer=Stopper(3)).extend(add=specs[:2])
    Run.open(folder).play()
    resumed, extended = Stopper(), Stopper()
    Run.open(folder, observer=resumed).play()
    Run.open(folder, observer=extended).extend(add=specs[2:])

    assert any(note.startswith("fay: added") and note.endswith("--add new/fay.py") for note in resumed.notes)
    assert "fay: added before and not let in since, so playing now, too." in extended.notes
    assert ["eve", "fay", "gil"] == [entrant.name for entrant in read_run(folder).entrants[4:]]


def test_a_final_says_how_a_changed_bot_comes_back(folder, bots):
    """It has no --accept-changes: a new entrant has no results to be a finalist by."""
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")
    with pytest.raises(RunError, match=f"tournament extend {folder} --deals 50 --accept-changes"):
        Run.open(folder).final()
