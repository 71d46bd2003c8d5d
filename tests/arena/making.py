"""Makes what tests of the arena start from, in the database and on the disk: competitions, people, bots, versions."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from django.contrib.auth import get_user_model

from tournament.arena.files import COMPETITION_FILE, VERSION_FILE, StateChange, VersionFile, format_moment, write_json
from tournament.arena.folder import ArenaFolder
from tournament.arena.models import BotRow, CompetitionRow, Host, Participant, VersionRow
from tournament.arena.places import version_folder
from tournament.arena.transitions import VersionState

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

RULES = """\
title: Winter Cup
games:
  - game: scout
    players: [3]
"""


def make_account(name: str):
    return get_user_model().objects.create_user(username=name, password=f"{name}-likes-tea-7")


def make_competition(arena: ArenaFolder, name: str = "cup", *, rules: str = RULES, state: str = "open", host=None):
    folder = arena.competition(name)
    folder.bots.mkdir(parents=True)
    folder.rounds.mkdir()
    (folder.path / COMPETITION_FILE).write_text(rules, encoding="utf-8")
    row = CompetitionRow.objects.create(name=name, title="Winter Cup", state=state, created=NOON)
    if host is not None:
        Host.objects.create(competition=row, account=host)
    return row


def make_participant(competition, name: str, *, account=None):
    return Participant.objects.create(
        competition=competition,
        account=account or make_account(name),
        public_name=name.title(),
        joined=NOON,
        consented=NOON,
    )


def make_bot(owner, name: str):
    bot = BotRow.objects.create(competition=owner.competition, name=name, created=NOON, made_by=owner)
    bot.owners.add(owner)
    return bot


def make_version(bot, state: str = "active", *, program: bytes = b"class Keeper: ...\n", at: datetime = NOON):
    """Returns a version of a bot that came to its state by ways that nobody asks for."""
    number = bot.versions_made + 1
    digest = hashlib.sha256(program + bytes([number])).hexdigest()
    version = VersionRow.objects.create(
        bot=bot,
        number=number,
        state=state,
        received=at,
        changed=at,
        handed_in_by=bot.made_by,
        digest=digest,
        upload_digest=hashlib.sha256(program).hexdigest(),
        placed=state in ("active", "retired", "parked"),
    )
    bot.versions_made = number
    bot.save()
    folder = version_folder(version)
    folder.program.mkdir(parents=True)
    folder.check.mkdir()
    folder.upload.write_bytes(program)
    (folder.program / "bot.py").write_bytes(program)
    (folder.check / "log.txt").write_text("secret of the owner\n")
    moment = format_moment(at)
    write_json(
        folder.path / VERSION_FILE,
        VersionFile(
            competition=bot.competition.name,
            bot=bot.name,
            number=number,
            received=moment,
            file_name="bot.py",
            size_bytes=len(program),
            upload_digest=version.upload_digest,
            digest=digest,
            spec={"name": bot.name, "bot": "bot.py"},
            changes=tuple(
                StateChange(at=moment, state=VersionState(one)) for one in dict.fromkeys(("received", state))
            ),
        ),
    )
    return version
