"""Changes of state: by the tables, in the folder first, then in the row."""

from __future__ import annotations

import multiprocessing
from datetime import UTC, datetime

import pytest
from languages.pseudo import pseudo_language

from tournament.arena.acts import Disqualified, append_act, read_acts
from tournament.arena.files import (
    ACTS_FILE,
    VERSION_FILE,
    ActKind,
    ChangeReason,
    HostAct,
    ReasonKind,
    StateChange,
    VersionFile,
    format_moment,
    parse_moment,
    read_json,
    write_json,
)
from tournament.arena.folder import CompetitionFolder
from tournament.arena.transitions import VersionState
from tournament.errors import RunError

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 12, 1, 13, tzinfo=UTC)


def new_version(arena, number=1, *, state="received"):
    """Returns the row and the competition's folder of a version of keeper, in the competition cup."""
    from tournament.arena.models import BotRow, CompetitionRow, VersionRow

    folder = arena.competition("cup")
    competition, _ = CompetitionRow.objects.get_or_create(name="cup", title="Cup", defaults={"created": NOW})
    bot, _ = BotRow.objects.get_or_create(competition=competition, name="keeper", defaults={"created": NOW})
    row = VersionRow.objects.create(bot=bot, number=number, state=state, received=NOW, changed=NOW)
    path = folder.version("keeper", number).path
    path.mkdir(parents=True)
    file = VersionFile(
        competition="cup",
        bot="keeper",
        number=number,
        received=format_moment(NOW),
        file_name="keeper.py",
        size_bytes=10,
        upload_digest="0" * 64,
        changes=(StateChange(at=format_moment(NOW), state=VersionState(state)),),
    )
    write_json(path / VERSION_FILE, file)
    return row, folder


def test_a_time_is_read_as_it_was_written():
    assert NOW == parse_moment(format_moment(NOW))


def test_a_change_stands_in_the_folder_and_in_the_row(arena):
    from tournament.arena.states import move_version

    row, folder = new_version(arena)

    move_version(row, VersionState.CHECKING, folder=folder, at=LATER, why="Its turn.")

    file = read_json(folder.version("keeper", 1).path / VERSION_FILE, VersionFile)
    row.refresh_from_db()
    assert ("checking", "checking", LATER, "Its turn.") == (file.state, row.state, row.changed, row.why)


def test_why_the_arena_changed_it_is_kept_as_a_value_and_in_english_whatever_is_spoken(arena):
    from tournament.arena.states import activate, format_reason

    replaced, folder = new_version(arena, state="active")
    row, _ = new_version(arena, 2, state="accepted")

    with pseudo_language():
        activate(row, folder=folder, at=LATER)

        change = read_json(folder.version("keeper", 1).path / VERSION_FILE, VersionFile).changes[-1]
        told = format_reason(change.reason)
    replaced.refresh_from_db()
    assert ChangeReason(kind=ReasonKind.REPLACED, number=2) == change.reason
    assert {"Version 2 plays instead."} == {change.why, replaced.why}
    assert "⟦Version⟧ 2 ⟦plays instead.⟧" == told


@pytest.mark.parametrize("kind", ReasonKind)
def test_every_reason_has_a_sentence_with_its_number(kind):
    from tournament.arena.states import format_reason

    assert "17" in format_reason(ChangeReason(kind=kind, number=17))


def test_what_the_table_forbids_changes_nothing(arena):
    from tournament.arena.states import StateError, move_version

    row, folder = new_version(arena)

    with pytest.raises(StateError, match="is received, and cannot become active"):
        move_version(row, VersionState.ACTIVE, folder=folder, at=LATER)

    row.refresh_from_db()
    file = read_json(folder.version("keeper", 1).path / VERSION_FILE, VersionFile)
    assert ("received", "received") == (file.state, row.state)


def test_a_row_that_is_behind_its_file_is_brought_there_by_the_next_change(arena):
    from tournament.arena.models import VersionRow
    from tournament.arena.states import move_version

    row, folder = new_version(arena)
    move_version(row, VersionState.CHECKING, folder=folder, at=LATER)
    VersionRow.objects.update(state="received")

    move_version(VersionRow.objects.select_related("bot").get(), VersionState.ACCEPTED, folder=folder, at=LATER)

    assert "accepted" == VersionRow.objects.get().state


def test_a_change_that_stands_in_the_file_alone_is_brought_to_the_row_when_it_is_made_again(arena):
    from tournament.arena.models import VersionRow
    from tournament.arena.states import move_version

    row, folder = new_version(arena)
    move_version(row, VersionState.CHECKING, folder=folder, at=LATER)
    VersionRow.objects.update(state="received")

    file = move_version(row, VersionState.CHECKING, folder=folder, at=LATER)

    assert ["received", "checking"] == [change.state for change in file.changes]
    assert "checking" == VersionRow.objects.get().state


def test_the_version_that_was_active_is_retired_by_the_next(arena):
    from tournament.arena.models import VersionRow
    from tournament.arena.states import activate

    new_version(arena, 1, state="active")
    row, folder = new_version(arena, 2, state="accepted")

    activate(row, folder=folder, at=LATER)

    assert ["retired", "active"] == list(VersionRow.objects.order_by("number").values_list("state", flat=True))


def test_acts_are_read_in_their_order(tmp_path):
    folder = CompetitionFolder(tmp_path)
    acts = tuple(HostAct(at=format_moment(NOW), by="ada", kind=kind) for kind in (ActKind.CREATE, ActKind.OPEN))

    for act in acts:
        append_act(folder, act)

    assert acts == read_acts(folder)


def _append_ten(path, name):
    for _ in range(10):
        append_act(CompetitionFolder(path), HostAct(at=format_moment(NOW), by=name, kind=ActKind.ANNOUNCE))


def test_several_processes_append_acts_and_none_is_lost(tmp_path):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_append_ten, args=(tmp_path, name)) for name in ("ada", "bob")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert 20 == len(read_acts(CompetitionFolder(tmp_path)))


def test_half_an_act_at_the_end_was_never_answered_and_is_dropped(tmp_path):
    folder = CompetitionFolder(tmp_path)
    append_act(folder, HostAct(at=format_moment(NOW), by="ada", kind=ActKind.OPEN))
    with (tmp_path / ACTS_FILE).open("ab") as file:
        file.write(b'{"at":"2026')

    before = read_acts(folder)
    append_act(folder, HostAct(at=format_moment(NOW), by="ada", kind=ActKind.PAUSE))

    assert ([ActKind.OPEN], [ActKind.OPEN, ActKind.PAUSE]) == (
        [act.kind for act in before],
        [act.kind for act in read_acts(folder)],
    )


def test_a_damaged_act_is_told_with_its_line(tmp_path):
    (tmp_path / ACTS_FILE).write_text("{}\n")

    with pytest.raises(RunError, match="line 1"):
        read_acts(CompetitionFolder(tmp_path))


def _disqualify(number=None):
    return HostAct(at=format_moment(NOW), by="ada", kind=ActKind.DISQUALIFY, bot="keeper", number=number, text="copied")


def _reinstate(number=None):
    return HostAct(at=format_moment(NOW), by="ada", kind=ActKind.REINSTATE, bot="keeper", number=number)


@pytest.mark.parametrize(
    ("acts", "out"),
    [
        ((), []),
        ((_disqualify(2),), [2]),
        ((_disqualify(),), [1, 2, 3]),
        ((_disqualify(), _reinstate(2)), [1, 3]),
        ((_disqualify(2), _reinstate()), []),
        ((_disqualify(2), _reinstate(2)), []),
        ((_disqualify(), _reinstate(2), _disqualify()), [1, 2, 3]),
    ],
)
def test_disqualifications_hold_until_they_are_taken_back(acts, out):
    disqualified = Disqualified(acts)

    assert out == [number for number in (1, 2, 3) if disqualified.reason("keeper", number) is not None]


def test_the_reason_of_a_disqualification_is_told():
    assert "copied" == Disqualified([_disqualify()]).reason("keeper", 7)
