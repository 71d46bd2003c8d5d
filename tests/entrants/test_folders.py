"""Folders of bots as authors hand them in: folders in folders, links, patterns; nothing is left out unseen."""

from __future__ import annotations

import os

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError

BOT = "from tournament import Bot\nclass {0}(Bot):\n    def act(self, view): ...\n"


def write(path, text=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOT.format("Mine") if text is None else text)
    return path


@pytest.fixture
def submissions(tmp_path):
    """A folder an author each."""
    write(tmp_path / "submissions" / "alice" / "main.py")
    write(tmp_path / "submissions" / "ben" / "bot.py", "import helper\n" + BOT.format("Ben"))
    write(tmp_path / "submissions" / "ben" / "helper.py", "x = 1\n")
    write(tmp_path / "submissions" / "cem" / "greedy.py")
    return tmp_path


def names(*specs, base, **settings):
    return [entrant.name for entrant in entrants_from(specs, base=base, **settings)]


@pytest.mark.parametrize(
    "specs",
    [
        ["submissions"],
        ["submissions/*"],
        ["submissions/*/"],
        ["submissions/alice/main.py", "submissions/ben/bot.py", {"name": "cem", "bot": "submissions/cem/greedy.py"}],
    ],
)
def test_the_bots_of_a_folder_an_author_each_are_named_by_their_folders(specs, submissions):
    """Else they would be main, bot and greedy, or three times bot."""
    assert ["alice", "ben", "cem"] == names(*specs, base=submissions)


def test_the_spec_of_a_bot_in_a_folder_names_its_file(submissions):
    """So it can be found again alone."""
    found = [entrant.bots[0].spec for entrant in entrants_from(["submissions"], base=submissions)]

    assert ["submissions/alice/main.py", "submissions/ben/bot.py", "submissions/cem/greedy.py"] == found


def test_several_bots_of_one_author_are_named_by_their_files(submissions):
    """One name for two would be numbered."""
    write(submissions / "submissions" / "cem" / "careful.py")

    assert ["alice", "ben", "careful", "greedy"] == names("submissions", base=submissions)


def test_a_file_whose_name_says_nothing_is_named_by_the_file_where_paths_start_at_its_folder(submissions):
    """The folder of the configuration is nobody's name."""
    assert ["bot"] == names("bot.py", base=submissions / "submissions" / "ben")


def test_a_folder_that_a_bot_imports_is_a_part_of_it(tmp_path):
    """A package beside a bot is no author."""
    write(tmp_path / "bots" / "first.py", "from pack.inner import x\n" + BOT.format("First"))
    write(tmp_path / "bots" / "pack" / "inner.py")

    assert ["first"] == names("bots", base=tmp_path)


def test_a_pattern_takes_what_fits_it(submissions):
    """Sorted, with what is hidden or private left out."""
    write(submissions / "submissions" / "_old" / "bot.py")
    write(submissions / "submissions" / ".cache" / "bot.py")

    assert ["alice", "ben"] == names("submissions/[ab]*", base=submissions)
    assert ["ben"] == names("submissions/b*/bot.py", base=submissions)
    assert ["alice", "ben", "cem"] == names("submissions/*", base=submissions)


def test_a_pattern_of_examples_finds_them_wherever_one_works(tmp_path):
    """As their paths do."""
    assert ["scout_keeper", "scout_planner"] == names("bots/scout_[kp]*.py", base=tmp_path)


def test_a_pattern_that_nothing_fits_is_refused(submissions):
    """A tournament without its bots is nobody's wish."""
    with pytest.raises(BotError, match=r'^Nothing fits "handed_in/\*" in '):
        names("handed_in/*", base=submissions)


def test_what_has_no_bot_is_said(submissions):
    """Programs in other languages, folders without a bot, files of Python without one; data is not meant to play."""
    write(submissions / "submissions" / "dee" / "bot.js", "")
    write(submissions / "submissions" / "eve.js", "")
    write(submissions / "submissions" / "fay" / "notes.txt", "")
    write(submissions / "submissions" / "played" / "run" / "run.json", "{}")
    write(submissions / "submissions" / "test_all.py", "x = 1\n")
    write(submissions / "submissions" / "README.md", "")
    passed_over: list[str] = []
    names("submissions", base=submissions, passed_over=passed_over)

    assert [
        "submissions/dee/bot.js",
        "submissions/eve.js",
        "submissions/fay",
        "submissions/test_all.py",
    ] == sorted(passed_over)


def test_a_link_that_leads_nowhere_is_refused(submissions):
    """It was meant to play."""
    (submissions / "submissions" / "dee.py").symlink_to("/nowhere/dee.py")

    with pytest.raises(BotError, match=r'"submissions/dee\.py" is a link to /nowhere/dee\.py, which is not there'):
        names("submissions", base=submissions)


def test_a_link_in_a_circle_is_gone_through_once(submissions):
    """Reading ends."""
    (submissions / "submissions" / "alice" / "again").symlink_to(submissions / "submissions")

    assert {"alice", "ben", "cem"} <= set(names("submissions", base=submissions))


def test_what_macos_leaves_beside_files_is_no_bot(submissions):
    """`._first.py` is no Python: it would refuse the folder."""
    (submissions / "submissions" / "alice" / "._main.py").write_bytes(b"\x00\x05\x16\x07")

    assert ["alice", "ben", "cem"] == names("submissions", base=submissions)


def test_a_linked_bot_has_its_helpers_where_it_lies(submissions):
    """Its own folder is where the file is, not where the link is."""
    write(submissions / "bots" / "other.py")
    (submissions / "bots" / "linked.py").symlink_to(submissions / "submissions" / "ben" / "bot.py")
    (linked, _) = entrants_from(["bots"], base=submissions)
    (there,) = entrants_from(["submissions/ben/bot.py"], base=submissions)

    assert ("linked", "ben") == (linked.name, there.name)
    assert str(submissions / "submissions" / "ben") == linked.bots[0].folder
    assert there.bots[0].fingerprint == linked.bots[0].fingerprint


def test_a_link_whose_helpers_are_linked_beside_it_stays_a_link(submissions):
    """A folder made of links is a folder, too."""
    ben = submissions / "submissions" / "ben"
    (submissions / "farm").mkdir()
    (submissions / "farm" / "helper.py").symlink_to(ben / "helper.py")
    write(submissions / "store" / "bot.py", "import helper\n" + BOT.format("Ben"))
    (submissions / "farm" / "first.py").symlink_to(submissions / "store" / "bot.py")
    (first,) = entrants_from(["farm/first.py"], base=submissions)

    assert str(submissions / "farm") == first.bots[0].folder


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["sh", "nodie.sh"], "nodie"),
        (["sh", "-e", "nodie.sh", "--fast"], "nodie"),
        (["./nodie.sh"], "nodie"),
        (["sh", "submissions/dee/main.sh"], "dee"),
        (["sh", "-c", "true"], "sh"),
        (["sh", "soon.js"], "soon"),
    ],
)
def test_a_command_is_named_by_the_file_that_is_the_bots_own(command, name, submissions):
    """`node` says nothing of whose bot it is."""
    write(submissions / "nodie.sh", "").chmod(0o755)
    write(submissions / "submissions" / "dee" / "main.sh", "")

    assert [name] == names(command, base=submissions)
    assert [os.path.basename(command[0]).partition(".")[0]] == names(command, base=submissions, version=1)


@pytest.mark.parametrize(("name", "advice"), [("nodie.js", '["node", "nodie.js"]'), ("run.js", '["./run.js"]')])
def test_a_file_in_another_language_is_told_with_the_command_that_runs_it(name, advice, tmp_path):
    """Only a file that may be executed is a program by itself."""
    write(tmp_path / name, "").chmod(0o755 if name == "run.js" else 0o644)

    with pytest.raises(BotError, match="is no Python file") as refused:
        names(name, base=tmp_path)

    assert advice in str(refused.value)


def test_all_that_is_wrong_is_said_at_once(tmp_path):
    """Whoever mends a configuration does not want to mend it one by one."""
    with pytest.raises(BotError) as refused:
        names("no/first.py", ["./second"], {"name": "third", "command": ["no-such-program"]}, base=tmp_path)

    assert ["first.py", "second", "no-such-program"] == [
        name for name in ("first.py", "second", "no-such-program") if name in str(refused.value)
    ]


def test_a_run_of_0_1_0_finds_the_bots_that_it_found(submissions):
    """There sub-folders were left out, and files gave the names."""
    write(submissions / "submissions" / "first.py")

    assert ["first"] == names("submissions", base=submissions, version=1)
    assert ["bot"] == names("submissions/ben/bot.py", base=submissions, version=1)
