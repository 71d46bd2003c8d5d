"""`tournament arena backup` and `restore`: what was there is there again, and nothing else is taken for a backup."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from arena.commands import arena_command
from needs import need_programs

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating import backup
from tournament.arena.operating.backup import back_up, restore
from tournament.arena.operating.settings_file import read_arena
from tournament.errors import RunError, UsageError

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ROUND = ("games.jsonl.zst.index", "games.jsonl.zst", "results.jsonl", "round.json", "run.json", "synced.json")


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Returns by name the mode and the content of every file in a folder; links as what they say."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_mode, str(path.readlink()).encode())
        if path.is_symlink()
        else (path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def fill(folder: ArenaFolder) -> None:
    """Puts a competition with a version and a round into an arena, as rows and as files."""
    from django.contrib.auth import get_user_model

    from tournament.arena.models import BotRow, CompetitionRow, Participant, VersionRow

    account = get_user_model().objects.create_user("ann", password="as long as it is")
    row = CompetitionRow.objects.create(name="cup", title="Cup", created=NOW)
    participant = Participant.objects.create(competition=row, account=account, public_name="Ann", joined=NOW)
    bot = BotRow.objects.create(competition=row, name="keeper", created=NOW, versions_made=1)
    bot.owners.add(participant)
    VersionRow.objects.create(bot=bot, number=1, state="active", received=NOW, changed=NOW)
    competition = folder.competition("cup")
    version = competition.version("keeper", 1)
    for place in (version.program, version.check, competition.round(1), competition.outcomes):
        place.mkdir(parents=True)
    (competition.path / "competition.yaml").write_text("title: Cup\n")
    (competition.path / "acts.jsonl").write_text("{}\n")
    (version.path / "version.json").write_text("{}")
    (version.program / "bot.py").write_text("print()\n")
    (version.program / "bot.py").chmod(0o755)
    (version.program / "link.py").symlink_to("bot.py")
    (competition.outcomes / "tallies.jsonl").write_text("made anew")
    for name in ROUND:
        (competition.round(1) / name).write_text(name)


def names_in(backup: Path) -> list[str]:
    with tarfile.open(backup) as archive:
        return archive.getnames()


@pytest.fixture
def made(either_arena, tmp_path):
    """Returns an arena with something in it, and a backup that was made of it."""
    fill(either_arena)
    file = tmp_path / "backup.tar.gz"
    done = arena_command("backup", either_arena.path, file)
    assert (0, "") == (done.returncode, done.stderr)
    assert ", with 1 version and 1 round." in done.stdout
    return either_arena, file


@pytest.fixture
def database_options(request):
    """Returns the options with which a backup is restored: a database of PostgreSQL needs an empty one."""
    if "postgres" not in request.node.name:
        return ()
    return ("--database", request.getfixturevalue("postgres").new_database())


def test_a_restored_arena_has_the_accounts_the_rows_and_the_files(made, database_options, tmp_path, set_django_to):
    from django.contrib.auth import get_user_model

    from tournament.arena.models import BotRow

    arena, file = made
    done = arena_command("restore", file, tmp_path / "restored", *database_options)
    restored = ArenaFolder(tmp_path / "restored")

    assert (0, "") == (done.returncode, done.stderr)
    with set_django_to(restored):
        assert get_user_model().objects.get(username="ann").check_password("as long as it is")
        bot = BotRow.objects.get(name="keeper")
        assert (["Ann"], [(1, "active")]) == (
            [owner.public_name for owner in bot.owners.all()],
            list(bot.versions.values_list("number", "state")),
        )
        BotRow.objects.create(competition=bot.competition, name="another", created=NOW)  # its number is free
    kept = {name: file for name, file in files_of(arena.competitions).items() if "outcomes" not in name}
    assert kept == files_of(restored.competitions)
    assert arena.secret.read_bytes() == restored.secret.read_bytes()
    assert (0o700, 0o600) == (restored.path.stat().st_mode & 0o777, restored.secret.stat().st_mode & 0o777)


def test_a_backup_of_postgres_is_not_put_into_the_database_that_it_comes_from(postgres_arena, tmp_path):
    fill(postgres_arena)
    back_up(postgres_arena, tmp_path / "backup.tar")
    done = arena_command("restore", tmp_path / "backup.tar", tmp_path / "restored")

    assert (7, False) == (done.returncode, (tmp_path / "restored").exists())
    assert "The database has accounts already: it is that of another arena." in done.stderr
    with closing(psycopg.connect(read_arena(postgres_arena).database.replace("postgres:", "postgresql:"))) as database:
        assert [("ann",)] == database.execute("select username from auth_user").fetchall()


def test_what_speaks_of_others_is_copied_before_them(arena, tmp_path):
    """The database before the folders, rounds before versions, results before records."""
    fill(arena)
    back_up(arena, tmp_path / "backup.tar")
    names = names_in(tmp_path / "backup.tar")
    places = [
        next(index for index, name in enumerate(names) if name.endswith(end))
        for end in (
            "backup.json",
            "database",
            "000001/round.json",
            "000001/synced.json",
            "000001/run.json",
            "000001/results.jsonl",
            "000001/games.jsonl.zst.index",
            "000001/games.jsonl.zst",
            "keeper/1/version.json",
            "keeper/1/program/bot.py",
            "cup/acts.jsonl",
            "end",
        )
    ]

    assert sorted(places) == places


def test_texts_that_the_host_corrected_are_in_a_backup(arena, tmp_path):
    fill(arena)
    words = arena.languages / "de" / "LC_MESSAGES" / "django.po"
    words.parent.mkdir(parents=True)
    words.write_text('msgid ""\nmsgstr ""\n')
    back_up(arena, tmp_path / "backup.tar")
    shutil.rmtree(arena.languages)

    assert [True] == [
        name.endswith("de/LC_MESSAGES/django.po") for name in names_in(tmp_path / "backup.tar") if ".po" in name
    ]


def test_what_is_made_anew_and_what_is_being_received_is_left_out(arena, tmp_path):
    fill(arena)
    (arena.incoming / "upload").write_text("half of it")
    back_up(arena, tmp_path / "backup.tar")

    assert [] == [
        name
        for name in names_in(tmp_path / "backup.tar")
        if "outcomes" in name or "incoming" in name or "sqlite" in name
    ]


def test_only_its_owner_can_read_a_backup_and_no_file_is_written_over(arena, tmp_path):
    file = tmp_path / "backup.tar"
    back_up(arena, file)
    before = file.read_bytes()

    with pytest.raises(UsageError, match=r"exists already\. Give another name, or `force` to write over it\."):
        back_up(arena, file)
    assert (before, 0o600) == (file.read_bytes(), file.stat().st_mode & 0o777)
    assert ["arena", "backup.tar"] == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize(("name", "part"), [("a.tar", 0), ("a.tar", 0.3), ("a.tar", 0.999), ("a.tar.gz", 0.3)])
def test_a_part_of_a_backup_is_refused_and_leaves_nothing(arena, tmp_path, name, part):
    fill(arena)
    file = tmp_path / name
    back_up(arena, file)
    data = file.read_bytes().rstrip(b"\0")
    file.write_bytes(data[: int(len(data) * part)])

    with pytest.raises(UsageError, match="is no whole backup: "):
        restore(file, tmp_path / "restored")
    assert not (tmp_path / "restored").exists()


def test_a_backup_that_lacks_its_end_is_refused(arena, tmp_path):
    back_up(arena, tmp_path / "whole.tar")
    with tarfile.open(tmp_path / "whole.tar") as whole, tarfile.open(tmp_path / "part.tar", "w") as part:
        for member in whole.getmembers()[:-1]:
            part.addfile(member, whole.extractfile(member))

    with pytest.raises(UsageError, match="its end is missing"):
        restore(tmp_path / "part.tar", tmp_path / "restored")


@pytest.mark.parametrize("place", [0.25, 0.5, 0.75, 0.9])
def test_damage_in_a_compressed_backup_is_found(arena, tmp_path, place):
    file = tmp_path / "a.tar.gz"
    back_up(arena, file)
    data = bytearray(file.read_bytes())
    data[int(len(data) * place)] ^= 0xFF
    file.write_bytes(data)

    with pytest.raises(UsageError, match="is no whole backup: "):
        restore(file, tmp_path / "restored")


def test_no_name_in_a_backup_leads_out_of_the_folder(arena, tmp_path):
    back_up(arena, tmp_path / "good.tar")
    with tarfile.open(tmp_path / "good.tar") as good, tarfile.open(tmp_path / "bad.tar", "w") as bad:
        bad.addfile(good.next(), good.extractfile("backup.json"))
        link = tarfile.TarInfo("arena/link")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        bad.addfile(link)
        for name in ("arena/../climbed", "arena/link/through", "/absolute", "arena"):
            bad.addfile(tarfile.TarInfo(name))

    with pytest.raises(UsageError, match="its end is missing"):
        restore(tmp_path / "bad.tar", tmp_path / "restored")
    assert ["arena", "bad.tar", "good.tar"] == sorted(path.name for path in tmp_path.iterdir())


def test_another_archive_is_no_backup(tmp_path):
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.add(__file__, "test.py")

    with pytest.raises(UsageError, match=r"it does not begin with backup\.json"):
        restore(tmp_path / "other.tar", tmp_path / "restored")


def test_a_database_of_postgres_is_of_no_use_to_a_backup_of_sqlite(arena, tmp_path):
    back_up(arena, tmp_path / "backup.tar")

    with pytest.raises(UsageError, match=r"is one of SQLite, and stays one\. Leave `database` out\."):
        restore(tmp_path / "backup.tar", tmp_path / "restored", database="postgres://arena@localhost/arena")


def test_nothing_is_restored_into_a_folder_in_use(arena, tmp_path):
    back_up(arena, tmp_path / "backup.tar")

    with pytest.raises(RunError, match="is not an empty folder"):
        restore(tmp_path / "backup.tar", arena.path)


KILLED = """
import os, signal, sys
from pathlib import Path
from tournament.arena.operating import backup

set_up = backup.set_up
backup.set_up = lambda folder: (set_up(folder), os.kill(os.getpid(), signal.SIGKILL))
backup.restore(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("is_there", [False, True])
def test_a_restoring_that_is_killed_leaves_no_arena_and_the_next_one_goes_on(arena, tmp_path, is_there):
    file, place = tmp_path / "there" / "backup.tar", tmp_path / "there" / "restored"
    file.parent.mkdir()
    if is_there:
        place.mkdir()
    back_up(arena, file)
    killed = subprocess.run([sys.executable, "-c", KILLED, file, place], check=False, timeout=60)
    [left] = {*file.parent.iterdir()} - {file, place}

    assert -signal.SIGKILL == killed.returncode
    assert (is_there, []) == (place.exists(), [*place.glob("*")])
    assert left.name.startswith("unfinished-backup.")
    os.utime(left, (0, 0))  # as if it had been killed long ago
    done = arena_command("restore", file, place)
    assert (0, "") == (done.returncode, done.stderr)
    assert {file, place} == {*file.parent.iterdir()}
    assert arena.secret.read_bytes() == ArenaFolder(place).secret.read_bytes()
    assert "arena.sqlite3" in {path.name for path in place.iterdir()}


def test_an_arena_is_restored_onto_a_disk_of_its_own(arena, tmp_path):
    """A folder cannot be moved to where a disk is mounted, as the volume of a container is."""
    need_programs("bwrap")
    back_up(arena, tmp_path / "backup.tar")
    place = tmp_path / "disk"
    place.mkdir()
    command = f"{sys.executable} -m tournament arena restore {tmp_path}/backup.tar {place} && ls -A {place}"
    done = subprocess.run(
        ["bwrap", "--dev-bind", "/", "/", "--tmpfs", place, "sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert ["arena.sqlite3", "arena.yaml", "competitions", "incoming", "secret.key"] == done.stdout.splitlines()[-5:]
    assert "unfinished" not in done.stdout


def test_a_backup_whose_database_does_not_answer_says_how_to_name_another(postgres_arena, tmp_path):
    back_up(postgres_arena, tmp_path / "backup.tar")
    nobody = "postgres://arena@127.0.0.1:1/arena"
    done = arena_command("restore", tmp_path / "backup.tar", tmp_path / "restored", "--database", nobody)

    assert (7, False) == (done.returncode, (tmp_path / "restored").exists())
    assert "The database of the backup cannot be reached: " in done.stderr
    assert "or name an empty database with --database." in done.stderr


def test_a_file_that_grows_is_copied_as_it_was_when_those_beside_it_were_opened(arena, tmp_path, monkeypatch):
    """As those of a round that is played."""
    fill(arena)
    run = arena.competition("cup").round(1)
    read = backup._add_data

    def grow(archive, name, data, mode=0o600):
        for file in run.iterdir():
            with file.open("a") as grown:
                grown.write("more")
        read(archive, name, data, mode)

    monkeypatch.setattr(backup, "_add_data", grow)
    back_up(arena, tmp_path / "backup.tar")
    with tarfile.open(tmp_path / "backup.tar") as archive:
        copied = {
            Path(member.name).name: member.size for member in archive if "000001" in member.name and member.isreg()
        }

    assert 1 == len({copied[name] - len(name) for name in ROUND})
