"""The arena as an app of Django."""

from __future__ import annotations

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Its name among Django's apps."""

    name = "tournament.arena"
    label = "arena"
    default_auto_field = "django.db.models.BigAutoField"
