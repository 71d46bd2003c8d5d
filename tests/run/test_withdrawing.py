"""Withdrawing bots that keep failing: the rule, and blocks in place of theirs."""

from __future__ import annotations

import json
from unittest.mock import Mock

import msgspec
import pytest
from languages.pseudo import pseudo_language, unmarked_in_text
from needs import need_module
from small_runs import CRASHER
from test_resume import Stopper

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget, GameEntry
from tournament.deals import load_suite
from tournament.errors import ConfigurationError, Interrupted
from tournament.languages import Language, speaking, spoken
from tournament.languages.kept import KeptTexts
from tournament.ranking.sources import read_sources
from tournament.ranking.told import reasons
from tournament.ranking.told.reasons import reason_withdrawn
from tournament.records.results import RESULTS_FILE
from tournament.records.run import Format, Gap, GapReason, RunState, Until
from tournament.records.settings import NEVER, WithdrawalEntry, WithdrawalRule, format_withdrawal_rule
from tournament.store.folder import read_run
from tournament.store.results import read_results

MOODY = """
from tournament import Bot


class Moody(Bot):
    \"\"\"Raises an exception in every game after so many.\"\"\"

    count = 0

    def start(self, info):
        Moody.count += 1

    def act(self, view):
        if Moody.count > {games}:
            raise ValueError("enough")
        return view.legal_actions()[0]
"""


@pytest.fixture
def failing(configure, bots):
    """Makes configurations of four bots, of which dora always fails."""
    (bots / "dora.py").write_text(CRASHER)

    def make(**changes):
        return configure(**{"budget": Budget(deals=4), **changes})

    return make


def in_place(folder):
    """Returns the results of blocks in place of others."""
    info = read_run(folder)
    return [
        result
        for result in read_results(folder)
        for segment in info.segments
        for field in segment.fields
        if result.segment == segment.number and int(result.block.split(".")[2]) >= field.blocks
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_blocks_with_a_withdrawn_bot_are_replaced_whatever_the_number_of_workers(failing, tmp_path, workers):
    """24 blocks planned: 2 with dora are played and 10 left out, of which 9 are replaced: three chunks of three."""
    watcher = Stopper()
    folder = run_tournament(failing(workers=workers), out=tmp_path / "run", observer=watcher)
    info = read_run(folder)

    assert 18 == len(in_place(folder))
    assert {"ada", "bea", "cia"} == {name for result in in_place(folder) for name in result.seats}
    extent = info.segments[0].extent
    assert (48, 46, 18) == (extent.planned, extent.played, extent.in_place)
    assert (Gap(group="explorers-2p", games=2, why=GapReason.NO_WHOLE_CHUNK),) == extent.left_out
    assert [note for note in watcher.notes if "those who are left play others: 9 of explorers-2p." in note]
    assert () == tuple(audit(folder).findings)


def test_any_number_of_workers_gives_the_same_bytes(failing, tmp_path):
    """Replaced blocks follow from schedule and withdrawals alone."""
    one, two = [run_tournament(failing(workers=workers), out=tmp_path / f"{workers}") for workers in (1, 2)]

    assert (one / RESULTS_FILE).read_bytes() == (two / RESULTS_FILE).read_bytes()
    assert read_run(one).segments == read_run(two).segments or read_run(one).segments[0].extent


@pytest.mark.parametrize("after", [2, 13, 14, 15, 20])
def test_a_resumed_run_replaces_the_same_blocks(failing, tmp_path, after):
    """Before, at and behind the end of the schedule, which 14 played blocks have."""
    whole = run_tournament(failing(), out=tmp_path / "whole")
    with pytest.raises(Interrupted):
        run_tournament(failing(), out=tmp_path / "run", observer=Stopper(after))
    interim = audit(tmp_path / "run")
    Run.open(tmp_path / "run").play()

    assert () == tuple(interim.findings)
    assert (whole / RESULTS_FILE).read_bytes() == (tmp_path / "run" / RESULTS_FILE).read_bytes()
    assert () == tuple(audit(tmp_path / "run").findings)


def test_who_fails_in_place_of_others_is_replaced_in_turn(failing, bots, tmp_path):
    """A second round, among those who are left then."""
    (bots / "cia.py").write_text(MOODY.format(games=20))
    folder = run_tournament(failing(), out=tmp_path / "run")
    info = read_run(folder)

    assert ["dora", "cia"] == [one.entrant for one in info.withdrawn]
    assert int(info.withdrawn[1].after.split(".")[2]) >= 24
    assert {"ada", "bea"} == set(in_place(folder)[-1].seats)
    assert 24 == info.segments[0].extent.played // 2
    assert () == tuple(audit(folder).findings)


def test_never_withdraws_nobody(failing, tmp_path):
    """`withdraw: never`: every planned game is played, whatever the bots do."""
    folder = run_tournament(failing(withdraw=NEVER), out=tmp_path / "run")
    info = read_run(folder)

    assert NEVER == info.withdraw
    assert () == info.withdrawn
    assert 48 == sum(1 for _ in read_results(folder))
    assert () == info.segments[0].extent.left_out
    assert () == tuple(audit(folder).findings)


def test_the_rule_is_a_setting(failing, tmp_path):
    """`games: 5` lets a bot fail in five."""
    folder = run_tournament(failing(withdraw=WithdrawalEntry(games=5)), out=tmp_path / "run")
    info = read_run(folder)

    assert WithdrawalRule(starts=2, games=5, share=0.01) == info.withdraw
    assert "faults in 6 of 6 games" == info.withdrawn[0].why
    assert () == tuple(audit(folder).findings)


def test_a_share_of_games_may_be_faulty(failing, tmp_path):
    """`share: 100 %` withdraws nobody for faults in games."""
    folder = run_tournament(failing(withdraw=WithdrawalEntry(share="100 %")), out=tmp_path / "run")

    assert () == read_run(folder).withdrawn


def test_a_run_begun_by_an_earlier_version_replaces_nothing(failing, tmp_path):
    """Without `withdraw` in `run.json` the rule of 0.1.0 holds."""
    with pytest.raises(Interrupted):
        run_tournament(failing(), out=tmp_path / "run", observer=Stopper(4))
    values = json.loads((tmp_path / "run" / "run.json").read_bytes())
    assert {"starts": 2, "games": 3, "share": 0.01} == values.pop("withdraw")
    values["versions"]["tournament"] = "0.1.0"
    (tmp_path / "run" / "run.json").write_text(json.dumps(values))
    folder = tmp_path / "run"
    Run.open(folder).play()
    info = read_run(folder)

    assert RunState.COMPLETE is info.state
    assert [] == in_place(folder)
    assert (Gap(group="explorers-2p", games=20, why=GapReason.WITHDRAWN),) == info.segments[0].extent.left_out
    assert () == tuple(audit(folder).findings)


def test_a_suite_that_is_too_short_leaves_blocks_out_and_says_so(configure, bots, tmp_path):
    """The suite smoke has few deals: the schedule uses all but four of them, and a chunk of three is replaced."""
    (bots / "dora.py").write_text(CRASHER)
    from tournament.paths import data_folder

    suite = data_folder("seeds") / "smoke.yaml"
    deals = len(load_suite(suite).seeds)
    budget = Budget(games=2 * (deals - 4))
    folder = run_tournament(configure(budget=budget, seed=None, deals_from=str(suite)), out=tmp_path / "run")
    info = read_run(folder)

    assert deals == info.segments[0].suite_deals
    assert 6 == len(in_place(folder))
    assert GapReason.SUITE_TOO_SHORT is info.segments[0].extent.left_out[0].why
    assert [note for note in read_sources([folder]).notes if "the deal suite has no more deals" in note]
    assert () == tuple(audit(folder).findings)


def test_an_extension_replaces_blocks_too(configure, bots, tmp_path):
    """Bot cia fails from its fifth block on: in the extension, whose blocks are replaced within it."""
    (bots / "cia.py").write_text(MOODY.format(games=4))
    folder = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    Run.open(folder).extend(budget=Budget(deals=3))
    info = read_run(folder)

    assert ["cia"] == [one.entrant for one in info.withdrawn]
    assert {1} == {result.segment for result in in_place(folder)}
    assert [12, 36] == [segment.extent.planned for segment in info.segments]
    assert () == tuple(audit(folder).findings)


def test_a_gauntlet_of_a_newcomer_that_fails_is_left_out_and_said(configure, bots, tmp_path):
    """Without the focus there is no table."""
    folder = run_tournament(configure(budget=Budget(deals=3)), out=tmp_path / "run")
    (bots / "eve.py").write_text(CRASHER)
    Run.open(folder).extend(add=[str(bots / "eve.py")])
    info = read_run(folder)

    assert GapReason.TOO_FEW_ENTRANTS is info.segments[1].extent.left_out[0].why
    assert () == tuple(audit(folder).findings)


def test_a_final_replaces_blocks_too(configure, bots, tmp_path):
    """A finalist that fails in the final leaves its blocks to the others."""
    (bots / "cia.py").write_text(MOODY.format(games=4))
    folder = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    Run.open(folder).final(budget=Budget(deals=4))

    assert {1} == {result.segment for result in in_place(folder)}
    assert () == tuple(audit(folder).findings)


@pytest.mark.parametrize("workers", [1, 2])
def test_until_goes_on_looking_at_blocks_in_place_of_others(configure, bots, tmp_path, workers):
    """The decision falls there, and a resumed run comes to the same."""
    from test_until import UNEVEN

    (bots / "crasher.py").write_text(CRASHER)
    changes = {
        "bots": (*UNEVEN, str(bots / "crasher.py")),
        "games": (GameEntry(game="explorers", players=2),),
        "budget": Budget(deals=15),
        "until": Until.DECIDED,
        "workers": workers,
    }
    whole = run_tournament(configure(**changes), out=tmp_path / "whole")
    with pytest.raises(Interrupted):
        run_tournament(configure(**changes), out=tmp_path / "run", observer=Stopper(20))
    Run.open(tmp_path / "run").play()
    info = read_run(whole)

    assert info.decision.decided
    assert in_place(whole)
    assert info.decision == read_run(tmp_path / "run").decision
    assert (whole / RESULTS_FILE).read_bytes() == (tmp_path / "run" / RESULTS_FILE).read_bytes()
    assert () == tuple(audit(whole).findings)


def test_until_decides_a_gauntlet_among_its_focus_bots_in_place_of_others(configure, bots, tmp_path):
    """Two focus bots of whom one is far better; half of the field fails, and what is left out decides."""
    from test_until import UNEVEN

    (bots / "crasher.py").write_text(CRASHER)
    changes = {
        "bots": (*UNEVEN, str(bots / "crasher.py"), {"name": "field", "bot": UNEVEN[0]}),
        "games": (GameEntry(game="explorers", players=2),),
        "schedule": Format.GAUNTLET,
        "focus": ("random_legal", "explorers_cautious"),
        "budget": Budget(deals=15),
        "until": Until.DECIDED,
    }
    folder = run_tournament(configure(**changes), out=tmp_path / "run")
    info = read_run(folder)

    assert info.decision.decided
    assert "explorers_cautious is first" in info.decision.text
    assert in_place(folder)
    assert () == tuple(audit(folder).findings)


@pytest.mark.parametrize("after", [4, 16])
def test_a_bot_that_is_changed_leaves_the_rest_of_the_budget_to_the_next_segment(failing, bots, tmp_path, after):
    """What was left out is still to be played, among those who are not withdrawn."""
    with pytest.raises(Interrupted):
        run_tournament(failing(), out=tmp_path / "run", observer=Stopper(after))
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "# changed\n")
    folder = tmp_path / "run"
    Run.open(folder).play(accept_changes=True)
    info = read_run(folder)

    assert ("ada_2", "bea", "cia") == info.segments[1].fields[0].entrants
    assert 24 - after == info.segments[1].blocks
    assert 24 == sum(segment.extent.played for segment in info.segments) // 2
    assert () == tuple(audit(folder).findings)


def test_two_groups_are_replaced_each_among_its_own(configure, bots, tmp_path):
    """Blocks of both take turns again."""
    (bots / "dora.py").write_text(CRASHER)
    games = (GameEntry(game="explorers", players=2), GameEntry(game="explorers", players=3))
    folder = run_tournament(configure(games=games, budget=Budget(deals=3)), out=tmp_path / "run")
    groups = [result.block.split(".")[0] for result in in_place(folder)]

    assert {"explorers-2p", "explorers-3p"} == set(groups)
    assert () == tuple(audit(folder).findings)


def test_a_lie_about_how_much_was_played_is_found(failing, tmp_path):
    """The audit works it out again."""
    folder = run_tournament(failing(), out=tmp_path / "run")
    values = json.loads((folder / "run.json").read_bytes())
    values["segments"][0]["extent"]["planned"] = 46
    (folder / "run.json").write_text(json.dumps(values))

    assert any("was not played so far as it says" in finding.message for finding in audit(folder).findings)


def test_a_knockout_has_no_rule(configure):
    """Nobody is withdrawn from it."""
    with pytest.raises(ConfigurationError, match="nobody is withdrawn from a knockout"):
        configure(schedule=Format.KNOCKOUT, budget=Budget(deals=1), withdraw=WithdrawalEntry(games=5))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (NEVER, "Nobody is withdrawn, however often it fails."),
        (
            WithdrawalRule(),
            "A bot is withdrawn if it fails to start in 2 games in a row, or has faults in more than 3 games and 1 % "
            "of its games.",
        ),
    ],
)
def test_a_rule_is_a_sentence(rule, text):
    """As `tournament plan` says it."""
    assert text == format_withdrawal_rule(rule)


def forget_sentences(monkeypatch):
    """Lets this process know of no sentence how it was made, as one that did not play the run."""
    monkeypatch.setattr("tournament.languages.kept._MEMORY", KeptTexts())


def test_why_a_bot_was_withdrawn_is_told_in_the_language_of_the_reader(failing, tmp_path, monkeypatch):
    need_module("babel", extra="languages")
    folder = run_tournament(failing(), out=tmp_path / "run")
    forget_sentences(monkeypatch)
    (note,) = [note for note in read_sources([folder]).notes if "was withdrawn" in note]
    with speaking(Language.GERMAN):
        told = spoken(note)

    assert note.endswith(": faults in 4 of 4 games")
    assert told.endswith(": Fehler in 4 von 4 Partien")
    assert "faults in 4 of 4 games" == read_run(folder).withdrawn[0].why


def test_the_results_are_read_once_for_the_reasons_of_all(failing, bots, tmp_path, monkeypatch):
    """A long run may have withdrawn many."""
    need_module("babel", extra="languages")
    (bots / "cia.py").write_text(MOODY.format(games=20))
    folder = run_tournament(failing(), out=tmp_path / "run")
    forget_sentences(monkeypatch)
    read = Mock(side_effect=read_results)
    monkeypatch.setattr(reasons, "read_results", read)
    with speaking(Language.GERMAN):
        told = [reason_withdrawn(folder, one)() for one in read_run(folder).withdrawn]

    assert ["Fehler in", "Fehler in"] == [reason[:9] for reason in told]
    assert 1 == read.call_count


def test_a_reason_that_the_results_do_not_give_is_told_as_it_is_kept(failing, tmp_path, monkeypatch):
    need_module("babel", extra="languages")
    folder = run_tournament(failing(), out=tmp_path / "run")
    forget_sentences(monkeypatch)
    withdrawal = msgspec.structs.replace(read_run(folder).withdrawn[0], why="faults in 3 of 4 games")
    with speaking(Language.GERMAN):
        told = reason_withdrawn(folder, withdrawal)()

    assert "faults in 3 of 4 games" == told


def test_a_reason_is_told_as_it_is_kept_where_the_results_cannot_be_read(failing, tmp_path, monkeypatch):
    need_module("babel", extra="languages")
    folder = run_tournament(failing(), out=tmp_path / "run")
    forget_sentences(monkeypatch)
    (folder / RESULTS_FILE).write_bytes(b"{}\n")
    with speaking(Language.GERMAN):
        told = reason_withdrawn(folder, read_run(folder).withdrawn[0])()

    assert "faults in 4 of 4 games" == told


def test_what_is_told_while_a_run_is_played_can_be_spoken_in_the_language_of_the_reader(failing, tmp_path):
    need_module("babel", extra="languages")
    watcher = Stopper()
    run_tournament(failing(), out=tmp_path / "run", observer=watcher)
    with pseudo_language():
        told = "\n".join(map(spoken, watcher.notes))

    assert [] == unmarked_in_text(told, allowed=["dora", "explorers"])
    assert 2 == len(watcher.notes)
