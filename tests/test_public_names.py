"""The public names, used as in a notebook."""

from __future__ import annotations

import inspect
from typing import get_args, get_origin, get_type_hints

import pytest

import tournament
from tournament import (
    Configuration,
    Observer,
    Run,
    audit,
    compare,
    load_game,
    read_records,
    replay,
    run_tournament,
    standings,
)
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.errors import BotError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    source, _ = with_flags(default_source(), seed="notebook", budget=Budget(deals=1), isolation="none")
    return run_tournament(resolve(source), out=tmp_path_factory.mktemp("notebook") / "run")


def test_records_are_read_replayed_and_audited(folder):
    """Public names, for notebooks too."""
    record = next(read_records(folder))
    walk = replay(record)
    walk.jump(walk.last)

    assert record.result.scores == walk.state.outcome().scores
    assert "SCOUT" == load_game(record.game.name).title
    assert () == audit(folder).findings


def test_a_replay_shows_itself_in_a_notebook(folder):
    """The page of the game in a frame that can run its script and reach nothing around it."""
    record = next(read_records(folder))
    frame = replay(record)._repr_html_()

    assert frame.startswith(f'<iframe title="Replay of {record.id}" sandbox="allow-scripts" srcdoc="&lt;!DOCTYPE html')
    assert 2 == frame.count("<")  # all of the page is escaped


def test_a_run_and_its_records_give_the_same_standings(folder):
    """`standings` takes a path or records."""
    of_run, of_records = standings(str(folder)), standings(read_records(folder))

    assert (of_run.groups, of_run.championship) == (of_records.groups, of_records.championship)
    assert (("tournament",), ()) == (of_run.runs, of_records.runs)


def test_several_runs_by_name_are_pooled_as_the_command_does(folder, tmp_path):
    """A list of paths was taken for records: an AttributeError."""
    source, _ = with_flags(default_source(), seed="second", budget=Budget(deals=1), isolation="none")
    second = run_tournament(resolve(source), out=tmp_path / "run")
    pooled = standings([folder, str(second)])

    assert [2 * group.games for group in standings(folder).groups] == [group.games for group in pooled.groups]
    assert standings(folder) == standings([folder])


def test_two_bots_of_a_run_are_compared_as_the_command_does(folder):
    """A path gives the names of its runs, records the same figures without."""
    first, second = sorted({seat.bot for record in read_records(folder) for seat in record.seats})[:2]
    of_run, of_records = compare(first, second, folder), compare(first, second, read_records(folder))

    assert (first, second) == of_run.entrants
    assert (("tournament",), ()) == (of_run.runs, of_records.runs)
    assert (of_run.overall, of_run.groups) == (of_records.overall, of_records.groups)


def test_a_bot_that_is_not_in_the_run_is_named_when_it_is_compared(folder):
    """With those that are."""
    with pytest.raises(BotError, match='There is no entrant "nobody"'):
        compare("nobody", "nobody", folder)


def called():
    """Returns what a user calls or writes: functions, and the methods of the classes that are made and handed out."""
    public = [getattr(tournament, name) for name in tournament.__all__]
    for value in public:
        if not inspect.isclass(value):
            yield value
    for kind in (Run, Observer, Configuration):
        yield from (value for name, value in inspect.getmembers(kind, inspect.isroutine) if name[0] != "_")


@pytest.mark.parametrize("value", list(filter(inspect.isroutine, called())), ids=lambda value: value.__qualname__)
def test_what_public_functions_take_and_return_is_public(value):
    """Nobody has to import a type from inside to annotate a call."""
    public = {getattr(tournament, name) for name in tournament.__all__}
    hints = [hint for name, hint in get_type_hints(value).items() if name != "flags"]
    own = [kind for hint in hints for kind in classes_in(hint) if kind.__module__.startswith("tournament.")]

    assert [] == [kind for kind in own if public.isdisjoint(kind.__mro__)]


def classes_in(hint):
    """Returns the classes in an annotation."""
    if isinstance(hint, list):  # what a callable is given
        return [kind for part in hint for kind in classes_in(part)]
    return [
        *filter(inspect.isclass, [get_origin(hint) or hint]),
        *(kind for part in get_args(hint) for kind in classes_in(part)),
    ]
