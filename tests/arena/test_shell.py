"""What hosts do at the shell: hosts, competitions, bots handed in for others, public copies, units of systemd."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from arena.commands import arena_command
from needs import need_programs
from typer.testing import CliRunner

from tournament import audit, run_tournament
from tournament.arena.acts import read_acts
from tournament.arena.files import (
    ROUND_FILE,
    Lane,
    RoundEntrant,
    RoundFile,
    RoundKind,
    write_json,
)
from tournament.arena.operating import shell
from tournament.arena.operating.units import SECRETS, format_units
from tournament.arena.refusals import RefusedError
from tournament.arena.transitions import CompetitionState, RoundState
from tournament.cli.app import app
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import ConfigurationError, UsageError
from tournament.paths import data_folder
from tournament.records.run import Format, RunState
from tournament.store.folder import read_run

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
RULES = "title: Cup\ngames: [{game: scout, players: 3}]\n"


@pytest.fixture
def rules(tmp_path):
    """Returns a file with the rules of a competition."""
    (tmp_path / "cup.yaml").write_text(RULES)
    return tmp_path / "cup.yaml"


def competition(rules: Path, *, state: CompetitionState | None = None, begins_season: bool = False):
    return shell.set_competition("cup", rules, state, begins_season=begins_season, now=NOW)


def test_a_competition_is_created_from_its_rules_and_opened(arena, rules):
    done = competition(rules, state=CompetitionState.OPEN)
    acts = [(act.kind, act.by) for act in read_acts(arena.competition("cup"))]

    assert (True, "Cup", "open") == (done.is_new, done.row.title, done.row.state)
    assert [("create", "the command"), ("open", "the command")] == acts
    assert RULES == (arena.competition("cup").path / "competition.yaml").read_text()


def test_who_may_create_competitions_hosts_those_that_are_created_at_the_shell(arena, rules):
    shell.name_host("ann", None, with_link=False)
    done = competition(rules)

    assert ["ann"] == list(done.row.hosts.values_list("account__username", flat=True))


def test_the_rules_of_a_competition_are_changed_and_what_changed_is_said(arena, rules):
    competition(rules)
    rules.write_text(RULES.replace("Cup", "Great cup") + "round_seconds: 60\n")
    done = competition(rules)

    assert (False, {"title", "round_seconds"}) == (done.is_new, set(done.changed))
    assert "Great cup" == done.row.title


def test_a_change_that_begins_a_season_has_to_be_wanted(arena, rules):
    competition(rules, state=CompetitionState.OPEN)
    rules.write_text(RULES.replace("3", "4"))

    with pytest.raises(RefusedError, match="begins a new season") as caught:
        competition(rules)
    assert 7 == caught.value.exit_code
    assert 2 == competition(rules, begins_season=True).row.season


def test_a_competition_that_there_is_not_needs_rules(arena, rules):
    competition(rules)

    with pytest.raises(UsageError, match=r'There is no competition cap\. Did you mean "cup"\? There are cup\.'):
        shell.set_competition("cap", None, CompetitionState.OPEN, begins_season=False, now=NOW)


@pytest.mark.parametrize("text", [None, b"\xff", b"title: Cup\n", b"opens: 2026-13-01\n"])
def test_rules_that_cannot_be_read_are_a_sentence(arena, tmp_path, text):
    if text is not None:
        (tmp_path / "cup.yaml").write_bytes(text)

    with pytest.raises(ConfigurationError, match=r"cup\.yaml"):
        competition(tmp_path / "cup.yaml")


def test_a_new_host_gets_a_link_and_an_old_one_only_when_it_is_asked_for(arena):
    first = shell.name_host("ann", None, with_link=False)
    second = shell.name_host("ann", None, with_link=False)
    third = shell.name_host("ann", None, with_link=True)

    assert first.link.startswith("http://127.0.0.1:8765/accounts/")
    assert (None, True) == (second.link, third.link is not None)


def test_a_host_of_one_competition_may_not_create_others(arena, rules):
    from django.contrib.auth import get_user_model

    competition(rules)
    shell.name_host("ben", "cup", with_link=False)
    account = get_user_model().objects.get(username="ben")

    assert (False, ["cup"]) == (
        account.is_staff,
        list(account.hosting.values_list("competition__name", flat=True)),
    )


def test_an_account_that_cannot_be_is_a_sentence(arena):
    with pytest.raises(UsageError, match="The account a b cannot be made"):
        shell.name_host("a b", None, with_link=False)


@pytest.fixture
def submissions(tmp_path):
    """Returns a folder with bots of three people: a file, a folder, and what is no bot."""
    folder = tmp_path / "submissions"
    (folder / "ben" / "__pycache__").mkdir(parents=True)
    (folder / "ann.py").write_text("print()\n")
    (folder / "ben" / "bot.py").write_text("print()\n")
    (folder / "ben" / "helper.py").write_text("print()\n")
    (folder / "ben" / "__pycache__" / "bot.pyc").write_bytes(b"")
    (folder / "notes.txt").write_text("mine\n")
    return folder


def test_each_bot_of_a_folder_is_handed_in_for_somebody_called_like_it(arena, rules, submissions):
    import zipfile

    competition(rules, state=CompetitionState.OPEN)
    done = list(shell.import_bots("cup", [submissions], consented=False, now=NOW))
    uploads = arena.competition("cup").bots

    assert [("ann", 1), ("ben", 1)] == [(one.bot, one.number) for one in done]
    assert all(one.link for one in done)
    assert b"print()\n" == (uploads / "ann" / "1" / "upload").read_bytes()
    with zipfile.ZipFile(uploads / "ben" / "1" / "upload") as archive:
        assert ["bot.py", "helper.py"] == archive.namelist()


def test_bots_are_imported_again_as_new_versions_without_new_accounts(arena, rules, submissions):
    competition(rules, state=CompetitionState.OPEN)
    list(shell.import_bots("cup", [submissions / "ann.py"], consented=False, now=NOW))
    (submissions / "ann.py").write_text("print(2)\n")

    assert [("ann", 2, None)] == list(shell.import_bots("cup", [submissions / "ann.py"], consented=False, now=NOW))


def test_a_folder_that_is_imported_again_as_it_was_is_no_new_version(arena, rules, submissions):
    """Whenever its files were written: it is packed as `tournament submit` packs it."""
    competition(rules, state=CompetitionState.OPEN)
    list(shell.import_bots("cup", [submissions / "ben"], consented=False, now=NOW))
    os.utime(submissions / "ben" / "bot.py", (0, 1_000_000_000))

    assert [("ben", 1, None)] == list(shell.import_bots("cup", [submissions / "ben"], consented=False, now=NOW))


def test_nobody_consents_for_others_unless_the_host_says_that_they_did(arena, rules, submissions):
    rules.write_text(RULES + "consent: Your games are published.\n")
    competition(rules, state=CompetitionState.OPEN)

    with pytest.raises(RefusedError):
        list(shell.import_bots("cup", [submissions], consented=False, now=NOW))
    assert 2 == len(list(shell.import_bots("cup", [submissions], consented=True, now=NOW)))


@pytest.mark.parametrize(
    ("name", "sentence"), [("nothing", "There is nothing at"), ("empty", "has no bots in it: expected .py files")]
)
def test_a_place_without_bots_is_a_sentence(arena, rules, tmp_path, name, sentence):
    competition(rules, state=CompetitionState.OPEN)
    (tmp_path / "empty").mkdir()

    with pytest.raises(UsageError, match=sentence):
        list(shell.import_bots("cup", [tmp_path / name], consented=False, now=NOW))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Returns a small complete run."""
    source, _ = with_flags(default_source(), seed="export", budget=Budget(deals=1), isolation="none", games=["scout:3"])
    return run_tournament(resolve(source), out=tmp_path_factory.mktemp("export") / "run")


def round_file(number: int, state: RoundState) -> RoundFile:
    entrants = tuple(RoundEntrant(name=name, bot=name, number=None, digest="0" * 64) for name in ("one", "two"))
    return RoundFile(
        competition="cup",
        season=1,
        number=number,
        kind=RoundKind.LADDER,
        lane=Lane.LONG,
        planned="2026-12-01T12:00:00Z",
        environment="0" * 64,
        entrants=entrants,
        games=(GameEntry(game="scout", players=3),),
        schedule=Format.ROUND_ROBIN,
        budget=Budget(deals=1),
        state=state,
    )


def test_a_public_copy_has_the_complete_rounds_without_paths_and_nothing_of_the_others(arena, rules, run, tmp_path):
    competition(rules)
    folder = arena.competition("cup")
    for number, state in enumerate((RoundState.COMPLETE, RoundState.ABANDONED), start=1):
        shutil.copytree(run, folder.round(number))
        write_json(folder.round(number) / ROUND_FILE, round_file(number, state))
    out = tmp_path / "public"
    done = shell.export_competition("cup", out, say=print)

    assert (1, 1) == done
    assert ["competition.yaml", "rounds"] == sorted(path.name for path in out.iterdir())
    assert ["000001"] == [path.name for path in (out / "rounds").iterdir()]
    assert () == audit(out / "rounds" / "000001").findings
    told = read_run(out / "rounds" / "000001")
    assert (True, RunState.COMPLETE) == (told.public, told.state)
    assert str(run) not in "".join(path.read_text("latin-1") for path in out.rglob("*") if path.is_file())


def test_a_public_copy_is_not_written_over(arena, rules, tmp_path):
    competition(rules)

    with pytest.raises(UsageError, match="is there already"):
        shell.export_competition("cup", tmp_path, say=print)


def unit_files(text):
    """Returns the units of a text by the names of their files."""
    return dict(block.split("\n", 1) for block in text.split("# /etc/systemd/system/")[1:])


def test_the_units_are_of_a_user_and_name_the_folder():
    text = format_units(Path("/srv/arena of 100%"), user="arena", backup=Path("/srv/backup.tar.gz"))
    units = {}
    for name, unit in unit_files(text).items():
        parser = configparser.ConfigParser(interpolation=None, strict=True)
        parser.optionxform = str
        parser.read_string(unit)
        units[name] = parser

    assert [
        "tournament-arena-web.service",
        "tournament-arena-referee.service",
        "tournament-arena-backup.service",
        "tournament-arena-backup.timer",
    ] == list(units)
    services = [unit for name, unit in units.items() if name.endswith(".service")]
    assert {"arena"} == {unit["Service"]["User"] for unit in services}
    assert all("'/srv/arena of 100%%'" in unit["Service"]["ExecStart"] for unit in services)


def test_the_site_alone_gets_secrets_from_the_file_that_the_page_names():
    files = unit_files(format_units(Path("/srv/arena"), user="arena", backup=Path("/srv/backup.tar.gz")))
    page = (data_folder("schemas").parent / "docs" / "arena" / "operate.md").read_text(encoding="utf-8")

    assert ["tournament-arena-web.service"] == [name for name, unit in files.items() if "EnvironmentFile=" in unit]
    assert f"EnvironmentFile=-{SECRETS}" in files["tournament-arena-web.service"].splitlines()
    assert f"install -m 600 /dev/null {SECRETS}" in page.splitlines()


def test_systemd_finds_nothing_to_mend_in_the_units(tmp_path):
    need_programs("systemd-analyze")
    text = format_units(Path("/srv/arena of 100%"), user="arena", backup=Path("/srv/a $b.tar.gz"))
    files = unit_files(text)
    for name, unit in files.items():
        (tmp_path / name).write_text(unit)
    words = ["systemd-analyze", "verify", "--man=no", *(tmp_path / name for name in files)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


def test_the_commands_do_what_they_say(founded, tmp_path):
    """In processes of their own, one after another."""
    folder = shutil.copytree(founded.path, tmp_path / "arena")
    (tmp_path / "cup.yaml").write_text(RULES)
    done = [
        arena_command(*words)
        for words in (
            ("competition", folder, "cup", "--from", tmp_path / "cup.yaml", "--state", "open"),
            ("competition", folder, "cup"),
            ("host", folder, "ann", "--of", "cup"),
            ("rebuild", folder),
            ("export", folder, "cup", "--out", tmp_path / "public"),
        )
    ]

    assert [(0, "")] * 5 == [(one.returncode, one.stderr) for one in done]
    assert "Created cup.\nCup: open, season 1.\n" == done[0].stdout
    assert "Cup: open, season 1.\n" == done[1].stdout
    assert "ann is a host of cup.\nIts password is chosen here, once, within three days: https://" in done[2].stdout
    assert "Made anew: 1 competition.\n" in done[3].stdout
    assert f"Written: {tmp_path}/public, with 0 rounds.\n" == done[4].stdout


def test_a_wrong_word_for_the_state_lists_those_that_there_are(founded):
    done = arena_command("competition", founded.path, "cup", "--state", "shut")

    assert 2 == done.returncode
    assert "--state: shut does not exist. Choose from: open, paused, frozen, closed." in done.stderr


def test_states_at_the_shell_are_those_of_a_competition():
    from tournament.cli.arena.hosts import STATES

    assert tuple(state.value for state in CompetitionState if state is not CompetitionState.DRAFT) == STATES


def test_competitions_are_completed(tmp_path, monkeypatch):
    for name in ("cup", "class", "other"):
        (tmp_path / "arena" / "competitions" / name).mkdir(parents=True)
        (tmp_path / "arena" / "competitions" / name / "competition.yaml").touch()
    monkeypatch.chdir(tmp_path)
    asked = {
        "_TOURNAMENT_COMPLETE": "complete_bash",
        "COMP_WORDS": "tournament arena export arena c",
        "COMP_CWORD": "4",
    }

    assert ["class", "cup"] == CliRunner().invoke(app, [], prog_name="tournament", env=asked).stdout.split()
