"""Django's settings for the type checker: an arena's own are made from its folder."""

from pathlib import Path

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.settings_file import ArenaFile

SECRET_KEY = "only for types"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "tournament.arena",
]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
USE_TZ = True
ARENA_FOLDER = ArenaFolder(Path())
ARENA = ArenaFile()
