"""Entrants: who takes part, made from what a user writes. Bots are found by reading their files, never by importing."""

from __future__ import annotations

from tournament.entrants.entries import entrants_from
from tournament.entrants.finder import FINDING_VERSION
from tournament.entrants.model import BotKind, BotSource, Entrant

__all__ = ["FINDING_VERSION", "BotKind", "BotSource", "Entrant", "entrants_from"]
