"""Links in what somebody handed in lead to nothing that is not its own (docs/isolation.md)."""

from __future__ import annotations

import sys

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError

BOT = "from tournament import Bot\n\nclass A(Bot):\n    def act(self, view): ...\n"


@pytest.fixture
def submission(tmp_path):
    """The folder of somebody's bot; beside it lies a key of the host."""
    folder = tmp_path / "alice"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.py").write_text(BOT)
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "data" / "weights-2").write_text("8")
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "key").write_text("secret")
    (tmp_path / "keys" / "key").chmod(0o600)
    return folder


def entry(**more):
    return {"bot": "alice/bot.py", **more}


@pytest.mark.parametrize("made", [entry(), {"command": ["alice/run"]}, {"command": [sys.executable, "alice/bot.py"]}])
@pytest.mark.parametrize("link", ["file", "folder", "way", "chain"])
def test_a_listed_file_is_no_link_out_of_the_submission(link, made, submission, tmp_path):
    """A key that an author linked was shown to the bot."""
    target, name = tmp_path / "keys", "weights"
    if link == "folder":
        (submission / name).symlink_to(target)
    elif link == "way":
        (submission / "there").symlink_to(target)
        name = "there/key"
    elif link == "chain":
        (submission / "data" / "one").symlink_to(target / "key")
        (submission / name).symlink_to("data/one")
    else:
        (submission / name).symlink_to("../keys/key")
    with pytest.raises(BotError, match=r"is a link that leads out of .*, to .*keys.* Put the file itself there, or"):
        entrants_from([{**made, "name": "a", "files": [f"alice/{name}"]}], base=tmp_path)


def test_links_inside_a_submission_and_paths_that_a_host_names_are_taken(submission, tmp_path):
    """Who keeps versions of weights links to the newest; a host may name any file."""
    (submission / "weights").symlink_to("data/weights-2")
    (tmp_path / "course").symlink_to(tmp_path)
    names = ["alice/weights", "keys/key", str(tmp_path / "course" / "alice" / "data" / "weights-2")]
    (found,) = entrants_from([entry(files=names)], base=tmp_path)

    assert [str(tmp_path / name) for name in names] == list(found.bots[0].files)


def test_a_file_on_a_command_is_no_link_to_what_others_may_not_read(submission, tmp_path):
    """It would be copied for the bot."""
    (submission / "weights").symlink_to("../keys/key")
    made = {"name": "a", "command": [sys.executable, "alice/bot.py", "alice/weights"]}
    with pytest.raises(
        BotError, match=r'"alice/weights" is a link that leads to .*keys/key, which others may not read'
    ):
        entrants_from([made], base=tmp_path)

    (tmp_path / "keys" / "key").chmod(0o644)
    assert "a" == entrants_from([made], base=tmp_path)[0].name
