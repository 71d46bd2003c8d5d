"""Who may do what in the arena, and an index of what lies in its folders."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models

from tournament.arena.transitions import CompetitionState, RoundState, VersionState

STATE_CHARACTERS: Final = 16
NAME_CHARACTERS: Final = 32


class CompetitionRow(models.Model):
    """A competition; its rules stand in its folder."""

    name = models.CharField(max_length=NAME_CHARACTERS, unique=True)
    title = models.CharField(max_length=120)
    state = models.CharField(max_length=STATE_CHARACTERS, default=CompetitionState.DRAFT.value)
    season = models.PositiveIntegerField(default=1)
    created = models.DateTimeField()
    opens = models.DateTimeField(null=True)
    freezes = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    rounds_made = models.PositiveIntegerField(default=0)
    """The number of the last round."""


class Host(models.Model):
    """An account that runs a competition."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="hosts")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hosting")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("competition", "account"), name="host_once"),)


class Participant(models.Model):
    """An account that takes part in a competition, under a public name."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="participants")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="taking_part"
    )
    """None once the account is deleted."""

    public_name = models.CharField(max_length=40)
    joined = models.DateTimeField()
    consented = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("competition", "account"), name="participant_once"),
            models.UniqueConstraint(fields=("competition", "public_name"), name="public_name_once"),
        )


class BotRow(models.Model):
    """A bot's name in a competition, with its owners."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="bots")
    name = models.CharField(max_length=NAME_CHARACTERS)
    owners = models.ManyToManyField(Participant, related_name="bots")
    made_by = models.ForeignKey(Participant, null=True, on_delete=models.SET_NULL, related_name="bots_made")
    """The owner who may also name and remove co-owners."""

    created = models.DateTimeField()
    versions_made = models.PositiveIntegerField(default=0)
    """The number of its last version."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("competition", "name"), name="bot_once"),)


class VersionRow(models.Model):
    """One program that was handed in for a bot; its `version.json` says the same."""

    bot = models.ForeignKey(BotRow, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=STATE_CHARACTERS, default=VersionState.RECEIVED.value)
    received = models.DateTimeField()
    changed = models.DateTimeField()
    handed_in_by = models.ForeignKey(Participant, null=True, on_delete=models.SET_NULL, related_name="versions")
    digest = models.CharField(max_length=64, blank=True)
    """Of the program; empty until it is unpacked."""

    upload_digest = models.CharField(max_length=64, blank=True)
    check_only = models.BooleanField(default=False)
    """Whether it is only to be checked: accepted, it is retired at once, and counts in no quota."""

    placed = models.BooleanField(default=False)
    """Whether its placement is complete."""

    machine_failures = models.PositiveIntegerField(default=0)
    """In how many of its checks the machine failed."""

    why = models.CharField(max_length=500, blank=True)
    """Why it is in its state, for its owner."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("bot", "number"), name="version_once"),
            models.UniqueConstraint(
                fields=("bot",), condition=models.Q(state=VersionState.ACTIVE.value), name="one_active_version"
            ),
        )
        indexes = (models.Index(fields=("state", "received")),)


class RoundRow(models.Model):
    """One round; its `round.json` and `run.json` say the same."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    season = models.PositiveIntegerField()
    kind = models.CharField(max_length=STATE_CHARACTERS)
    lane = models.CharField(max_length=STATE_CHARACTERS)
    state = models.CharField(max_length=STATE_CHARACTERS, default=RoundState.PLANNED.value)
    planned = models.DateTimeField()
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    games = models.PositiveIntegerField(default=0)
    """Played in it; 0 until it is complete."""

    asked_by = models.ForeignKey(Participant, null=True, on_delete=models.SET_NULL, related_name="challenges")
    versions = models.ManyToManyField(VersionRow, related_name="rounds")
    why = models.CharField(max_length=500, blank=True)
    """Why it was abandoned."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("competition", "number"), name="round_once"),)
        indexes = (models.Index(fields=("state", "lane")),)


class Challenge(models.Model):
    """A round that a participant asked for; it counts for nothing."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="challenges")
    version = models.ForeignKey(VersionRow, on_delete=models.CASCADE, related_name="challenges")
    opponents = models.ManyToManyField(VersionRow, related_name="challenged")
    house = models.JSONField(default=list)
    """The names of the house bots among its opponents."""

    asked_by = models.ForeignKey(Participant, null=True, on_delete=models.SET_NULL)
    asked = models.DateTimeField()
    round = models.OneToOneField(RoundRow, null=True, on_delete=models.SET_NULL, related_name="challenge")


class Token(models.Model):
    """What a program shows to hand in versions of one bot; only its digest is kept."""

    bot = models.ForeignKey(BotRow, on_delete=models.CASCADE, related_name="tokens")
    owner = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=40)
    created = models.DateTimeField()
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True)


class JoinCode(models.Model):
    """A word that lets whoever has it take part in a competition."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="join_codes")
    code = models.CharField(max_length=32, unique=True)
    created = models.DateTimeField()
    expires = models.DateTimeField(null=True)
    uses_left = models.PositiveIntegerField(null=True)


class Announcement(models.Model):
    """What a host tells everybody; `acts.jsonl` says the same."""

    competition = models.ForeignKey(CompetitionRow, on_delete=models.CASCADE, related_name="announcements")
    at = models.DateTimeField()
    text = models.CharField(max_length=2000)


class Trouble(models.Model):
    """What went wrong on the machine, for the control room."""

    competition = models.ForeignKey(CompetitionRow, null=True, on_delete=models.CASCADE, related_name="troubles")
    at = models.DateTimeField()
    text = models.CharField(max_length=2000)
