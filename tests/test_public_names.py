"""The public names, used as in a notebook."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import get_args, get_origin, get_type_hints

import msgspec
import pytest
from typer.testing import CliRunner

import tournament
from tournament import (
    Configuration,
    Observer,
    Run,
    UsageError,
    analyse,
    audit,
    check_bot,
    compare,
    compare_runs,
    gate,
    load_game,
    load_schema,
    plan,
    read_records,
    replay,
    run_tournament,
    schema_names,
    standings,
    validate,
    what_if,
    write_analysis,
    write_export,
    write_public_copy,
    write_replay,
    write_repro,
)
from tournament.cli.app import app
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


def printed(*words):
    """Returns what a command prints."""
    return CliRunner().invoke(app, [str(word) for word in words]).stdout


def as_printed(value):
    """Returns a value as commands print JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


@pytest.mark.parametrize(
    ("flags", "asked"),
    [
        (["--merge", "strong"], {"merge": ["strong"]}),
        (["--without", "strong"], {"without": ["strong"]}),
        (["--segment", "0"], {"segment": 0}),
    ],
    ids=("merge", "without", "segment"),
)
def test_standings_take_what_the_command_takes(folder, flags, asked):
    """Bots of one name counted as one, tables left out, one segment alone."""
    assert printed("standings", folder, "--json", *flags) == as_printed(standings(folder, **asked))


def test_a_run_is_given_wherever_its_path_is_asked_for(folder):
    """Standings of a `Run` ended in a TypeError."""
    run = Run.open(folder)
    first, second = (row.entrant for row in standings(folder).groups[0].rows[:2])

    assert standings(folder) == standings(run) == standings([run])
    assert compare(first, second, folder) == compare(first, second, run)
    assert gate(first, second, folder) == gate(first, second, run)
    assert audit(folder) == audit(run)
    assert next(read_records(folder)) == next(read_records(run))


@pytest.mark.parametrize("name", ["merge", "without"])
def test_one_name_is_not_read_letter_by_letter(folder, name):
    """A list of one, or the text alone."""
    assert standings(folder, **{name: ["strong"]}) == standings(folder, **{name: "strong"})


def test_one_bot_and_one_game_are_not_read_letter_by_letter():
    """Nor any other words of a configuration that is made in Python."""
    made = Configuration.from_flags(
        games="explorers:2", bots="bots/random_legal.py,bots/explorers_cautious.py", seed="one"
    )

    assert ["explorers-2p"] == [group.name for group in made.groups]


def test_an_error_names_what_the_reader_can_give(folder):
    """A flag of the command there, the keyword of a function here."""
    with pytest.raises(BotError, match='There is no entrant "nobody" for `without`'):
        standings(folder, without="nobody")
    told = CliRunner().invoke(app, ["standings", str(folder), "--without", "nobody"]).exception

    assert 'There is no entrant "nobody" for --without' in str(told)


@pytest.mark.parametrize("asked", [{"merge": ["ada"]}, {"without": ["ada"]}, {"segment": 0}], ids=str)
def test_what_chooses_among_runs_needs_their_paths(folder, asked):
    """Records alone do not say which run they are from."""
    with pytest.raises(UsageError, match="Give these in place of records"):
        standings(list(read_records(folder)), **asked)


def test_a_gate_decides_as_the_command_does(folder):
    """By what it prints as JSON."""
    new, old = (row.entrant for row in standings(folder).groups[0].rows[:2])

    assert printed("gate", folder, "--new", new, "--old", old, "--json") == as_printed(gate(new, old, folder))


def test_a_gate_refuses_a_share_in_percent(folder):
    """95 would accept nobody, and say that the bot is to blame."""
    with pytest.raises(UsageError, match=r"superior is a share from 0 to 1, such as 0\.95; found 95"):
        gate("one", "other", folder, superior=95)


def test_a_gate_refuses_records_without_their_run(folder):
    """Records do not say whether their run is complete."""
    with pytest.raises(UsageError, match="Give the path of a run"):
        gate("one", "other", list(read_records(folder)))


@pytest.fixture(scope="module")
def record(folder):
    """A game of explorers, which is short."""
    return next(record for record in read_records(folder) if record.game.name == "explorers")


def test_two_runs_are_compared_as_the_command_does(folder, tmp_path):
    """Who moved between them."""
    source, _ = with_flags(default_source(), seed="later", budget=Budget(deals=1), isolation="none")
    later = run_tournament(resolve(source), out=tmp_path / "run")

    assert printed("compare", folder, later, "--json") == as_printed(compare_runs(folder, later))


def test_files_are_validated_as_the_command_does(folder, tmp_path):
    """The problems it prints, and none for a run that is well."""
    path = tmp_path / "tournament.yaml"
    path.write_text("bots: [nowhere.py]\ngames: [{game: explorers, players: 2}]\n")

    assert () == validate(folder)
    assert printed("validate", path) == "".join(f"{problem}\n" for problem in validate(path))


def test_a_schema_is_that_of_the_command():
    """And so is the list of all."""
    assert printed("schema", "run.v1", "--json") == as_printed(load_schema("run.v1"))
    assert printed("schema").split() == list(schema_names())


def test_an_analysis_is_that_of_the_command(folder, record, tmp_path):
    """To the byte; the chance in it depends on the record alone."""
    path, words = tmp_path / "command.json", ("--worlds", "2", "--seat", "0", "--with", "bots/random_legal.py")
    printed("analyse", f"{folder}#{record.id}", *words, "--out", path)
    write_analysis(analyse(record, worlds=2, seats=[0], with_spec="bots/random_legal.py"), tmp_path / "python.json")

    assert path.read_bytes() == (tmp_path / "python.json").read_bytes()


def test_another_way_of_a_game_is_that_of_the_command(folder, record, tmp_path):
    """To the byte."""
    bot = "bots/random_legal.py"
    printed("whatif", f"{folder}#{record.id}", "--move", "3", "--bot", bot, "--out", tmp_path / "command.jsonl")
    (other,) = what_if(record, move=3, bot=bot)

    assert next(read_records(tmp_path / "command.jsonl")) == other


def test_another_way_needs_something_to_be_other(record):
    """An action, a bot, or both."""
    with pytest.raises(UsageError, match=r"Nothing is replaced\. Give `action`, or `bot`, or both"):
        what_if(record, move=0)


def test_a_decision_to_reproduce_is_written_as_the_command_does(folder, record, tmp_path):
    """Every file of it, and the same record; requests have ids of chance."""
    game = f"{folder}#{record.id}"
    printed("repro", game, "--move", "2", "--out", tmp_path / "command")
    write_repro(game, move=2, out=str(tmp_path / "python"))
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("command", "python")
    )

    assert first.keys() == second.keys()
    assert first["record.json"] == second["record.json"]


@pytest.mark.parametrize(
    ("flags", "asked"), [([], {}), (["--seat", "1"], {"seat": 1}), (["--public"], {"public": True})]
)
def test_the_page_of_a_game_is_that_of_the_command(flags, asked, folder, record, tmp_path):
    """With everything, for a seat, and for everybody."""
    printed("replay", f"{folder}#{record.id}", "--html", tmp_path / "command.html", *flags)
    path = write_replay(record, tmp_path / "python.html", **asked)

    assert (tmp_path / "command.html").read_bytes() == path.read_bytes()


def test_a_page_is_not_written_over(record, tmp_path):
    """Unless that is asked for."""
    write_replay(record, tmp_path / "page.html")
    with pytest.raises(UsageError, match="or `force` to write over it"):
        write_replay(record, tmp_path / "page.html")

    assert write_replay(record, tmp_path / "page.html", force=True).is_file()


def test_a_bot_is_checked_as_the_command_does():
    """Step by step; times differ."""
    words = ("bot", "check", "bots/explorers_cautious.py", "--games", "1", "--isolation", "none", "--json")
    told = msgspec.json.decode(printed(*words))
    report = check_bot("bots/explorers_cautious.py", isolation="none", games=1)

    assert (told["bot"], told["passed"]) == (report.bot, report.passed)
    assert [step["name"] for step in told["steps"]] == [step.name for step in report.steps]


PLANNED = """
games: [{game: explorers, players: 2}]
bots: [bots/random_legal.py, bots/explorers_cautious.py]
budget: {deals: 2}
isolation: none
"""


def test_a_plan_is_that_of_the_command(tmp_path):
    """All but what a probe measures."""
    path = tmp_path / "small.yaml"
    path.write_text(PLANNED)
    told, planned = msgspec.json.decode(printed("plan", path, "--json")), plan(path)

    assert (told["games"], told["blocks"], told["workers"]) == (planned.games, planned.blocks, planned.workers)
    assert 4 == planned.games


@pytest.mark.parametrize(
    "words",
    [
        {"form": "csv"},
        {"form": "json", "rows": "moves"},
        {"form": "csv", "rows": "views", "seat": "winner"},
        {"form": "pgn", "group": "explorers-2p"},
    ],
    ids=str,
)
def test_an_export_is_that_of_the_command(folder, tmp_path, words):
    """To the byte; Parquet is written by the same lines."""
    flags = [part for name, word in words.items() for part in (f"--{name.replace('form', 'format')}", word)]
    printed("export", folder, *flags, "--out", tmp_path / "command")
    games = write_export(folder, tmp_path / "python", **words)

    assert (tmp_path / "command").read_bytes() == (tmp_path / "python").read_bytes()
    assert (2 if "group" in words else len(list(read_records(folder)))) <= games


@pytest.mark.parametrize(
    "words", [{"form": "xml"}, {"rows": "cards"}, {"form": "pgn", "rows": "moves"}, {"group": "one"}], ids=str
)
def test_an_export_refuses_what_the_command_refuses(folder, tmp_path, words):
    """Before anything is written."""
    with pytest.raises(UsageError):
        write_export(folder, tmp_path / "out", **words)
    assert not (tmp_path / "out").exists()


def test_a_public_copy_is_that_of_the_command(folder, tmp_path):
    """Every file of it, to the byte."""
    printed("publish", folder, "--out", tmp_path / "command")
    write_public_copy(str(folder), str(tmp_path / "python"))
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("command", "python")
    )

    assert first
    assert first == second


def test_importing_the_package_imports_none_of_its_rooms():
    """A name is imported when it is first asked for."""
    code = "import sys, tournament; print([name for name in sys.modules if name.startswith('tournament.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "['tournament.pure', 'tournament.version']\n" == done.stdout


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
