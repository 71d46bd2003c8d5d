"""The arena's database: its migration, and what it refuses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_the_migration_makes_what_the_models_say(either_arena):
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_a_bot_has_at_most_one_active_version(either_arena):
    from django.db import IntegrityError

    from tournament.arena.models import BotRow, CompetitionRow, VersionRow

    competition = CompetitionRow.objects.create(name="cup", title="Cup", created=NOW)
    bot = BotRow.objects.create(competition=competition, name="keeper", created=NOW)
    VersionRow.objects.create(bot=bot, number=1, state="active", received=NOW, changed=NOW)

    with pytest.raises(IntegrityError):
        VersionRow.objects.create(bot=bot, number=2, state="active", received=NOW, changed=NOW)


def test_the_database_of_a_test_is_empty_and_lies_in_its_own_arena(arena):
    from django.db import connection

    from tournament.arena.models import CompetitionRow

    assert (0, str(arena.database)) == (CompetitionRow.objects.count(), str(connection.settings_dict["NAME"]))
