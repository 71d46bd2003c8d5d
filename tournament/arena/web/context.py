"""What every template knows of the site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from tournament.arena.operating.fitness_file import registration_problem
from tournament.arena.places import arena_folder
from tournament.languages import present_language


def of_site(request: HttpRequest) -> dict[str, Any]:
    """Returns the title of the arena, what the reader's language is called in it, and whether strangers may sign up."""
    return {
        "arena_title": settings.ARENA.title,  # not "site", by which allauth means its own
        "accounts_open": registration_problem(arena_folder(), settings.ARENA) is None,
        "sign_in": settings.ARENA.sign_in,
        "has_mail": settings.ARENA.mail is not None,
        "own_language": present_language().own_name,
    }
