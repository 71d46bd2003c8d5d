"""What Django is told of an arena, from its `arena.yaml`."""

from __future__ import annotations

import logging
import os
import secrets
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from tournament.arena.files import MOST_BODY_BYTES
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.settings_file import ArenaFile, read_arena
from tournament.errors import ConfigurationError, install_advice
from tournament.languages import OWN_FOLDER, Language, set_language
from tournament.languages.catalogues import catalogue_folders
from tournament.languages.corrections import check_corrections, explain_problems
from tournament.languages.speaking import catalogue_of
from tournament.paths import data_folder, real_path

SECRET_CHARACTERS: Final = 64

SUBMISSION_PORT: Final = 587
"""Mail begins in the clear there, and goes on over TLS."""

TLS_PORT: Final = 465

SIGN_IN_SECONDS: Final = 10
"""The longest that an answer of a server is waited for at which people sign in."""

LANGUAGE_SECONDS: Final = 365 * 86_400
"""So long a browser keeps the language that its reader chose."""

RATE_LIMITS: Final = {
    "signup": "120/m/ip",
    "login": "240/m/ip",
    "login_failed": "60/m/ip,5/5m/key",
    "change_password": "5/m/user",
    "reset_password": "20/m/ip,5/m/key",
    "reset_password_from_key": "20/m/ip",
    "manage_email": "10/m/user",
    "confirm_email": "1/3m/key",
    "reauthenticate": "10/m/user",
}
"""By address so wide that a class behind one address can sign up together; by account, narrow."""

API_APP: Final = "ninja"
"""What serves the API; it is not loaded where no site is served."""

SQLITE_BEGINNING: Final = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
"""What each connection to SQLite begins with."""

CONTENT_SECURITY: Final = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
}
"""What pages of the site may load and run: its own files, and nothing that stands in a page."""


def write_secret(folder: ArenaFolder) -> None:
    """Draws what signs the sessions of an arena; the file is readable for its owner only."""
    descriptor = os.open(folder.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(SECRET_CHARACTERS))


def django_settings(folder: ArenaFolder, arena: ArenaFile, *, debug: bool = False) -> dict[str, Any]:
    """Returns the settings of Django for an arena."""
    address = urlsplit(arena.address)
    is_secure = address.scheme == "https"
    web = Path(__file__).parent / "web"
    return {
        "ARENA_FOLDER": folder,
        "ARENA": arena,
        "DEBUG": debug,
        "SECRET_KEY": folder.secret.read_text("ascii"),
        "ALLOWED_HOSTS": [address.hostname or "127.0.0.1"],
        "CSRF_TRUSTED_ORIGINS": [arena.address],
        "DATABASES": {"default": _database(folder, arena)},
        # Django would close the handlers of others, and say nothing of errors: without, their tracebacks go to stderr.
        "LOGGING_CONFIG": None,
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "INSTALLED_APPS": [
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
            "allauth",
            "allauth.account",
            "allauth.socialaccount",  # also where nobody signs in elsewhere: an account that did is deleted whole
            *(["allauth.socialaccount.providers.openid_connect"] if arena.sign_in else []),
            "csp",
            API_APP,
            "tournament.arena",
        ],
        "MIDDLEWARE": [
            "django.middleware.security.SecurityMiddleware",
            "tournament.arena.web.static_files.StaticFiles",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "tournament.arena.web.languages.ReaderLanguage",
            "tournament.arena.api.monitoring.CommonForMonitoring",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
            "csp.middleware.CSPMiddleware",
            "allauth.account.middleware.AccountMiddleware",
            "tournament.arena.web.pages.acting.RefusalPages",
        ],
        "ROOT_URLCONF": "tournament.arena.web.urls",
        "ASGI_APPLICATION": "tournament.arena.web.asgi.application",
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "DIRS": [web / "templates"],
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                        "tournament.arena.web.context.of_site",
                    ],
                    "builtins": ["django.templatetags.i18n", "tournament.arena.web.filters"],
                },
            }
        ],
        "STATIC_URL": "/static/",
        # the looks of reports are those of the site; editors of rules ask for their schema
        "STATICFILES_DIRS": [
            web / "static",
            ("report", Path(__file__).parents[1] / "report" / "web"),
            ("schemas", data_folder("schemas")),
        ],
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_AUTOREFRESH": debug,
        "USE_TZ": True,
        "TIME_ZONE": arena.time_zone,
        "LANGUAGE_CODE": Language.ENGLISH,
        "LANGUAGES": [(language.value, language.own_name) for language in Language],
        "LOCALE_PATHS": catalogue_folders(),
        "LANGUAGE_COOKIE_AGE": LANGUAGE_SECONDS,
        "LANGUAGE_COOKIE_HTTPONLY": True,
        "LANGUAGE_COOKIE_SAMESITE": "Lax",
        "LANGUAGE_COOKIE_SECURE": is_secure,
        "LOGIN_URL": "account_login",
        "LOGIN_REDIRECT_URL": "/",
        "AUTHENTICATION_BACKENDS": [
            "django.contrib.auth.backends.ModelBackend",
            "allauth.account.auth_backends.AuthenticationBackend",
        ],
        "ACCOUNT_LOGIN_METHODS": {"username"},
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "email", "password1*", "password2*"],
        "ACCOUNT_EMAIL_VERIFICATION": "none" if arena.mail is None else "optional",
        "ACCOUNT_ADAPTER": "tournament.arena.web.accounts.ArenaAccounts",
        "ACCOUNT_PREVENT_ENUMERATION": False,  # account names may be taken: whoever signs up must be told
        "ACCOUNT_RATE_LIMITS": RATE_LIMITS,
        "ACCOUNT_USERNAME_MIN_LENGTH": 2,
        "ALLAUTH_TRUSTED_PROXY_COUNT": arena.proxies,
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": f"django.contrib.auth.password_validation.{name}"}
            for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
        ],
        **_mail(arena),
        **_sign_in(arena),
        "CACHES": {
            # one for all web processes: what is counted there must not be counted anew in each
            "default": {
                "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
                "LOCATION": str(folder.cache / "shared"),
                "OPTIONS": {"MAX_ENTRIES": 10_000},
            }
        },
        "CSRF_FAILURE_VIEW": "tournament.arena.web.error_pages.no_token",
        "CONTENT_SECURITY_POLICY": {"DIRECTIVES": content_security(arena)},
        "SESSION_COOKIE_SECURE": is_secure,
        "CSRF_COOKIE_SECURE": is_secure,
        "CSRF_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_HSTS_SECONDS": 86_400 if is_secure else 0,
        # a proxy that ends TLS says so; without one nobody may
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if arena.proxies else None,
        "X_FRAME_OPTIONS": "DENY",
        "DATA_UPLOAD_MAX_MEMORY_SIZE": MOST_BODY_BYTES,
        "FILE_UPLOAD_HANDLERS": ["django.core.files.uploadhandler.TemporaryFileUploadHandler"],
        "FILE_UPLOAD_TEMP_DIR": str(folder.incoming),
    }


def content_security(arena: ArenaFile) -> dict[str, list[str]]:
    """Returns what pages of an arena may load and run, and where their forms may lead."""
    elsewhere = [origin for one in arena.sign_in for origin in one.origins]
    return {**CONTENT_SECURITY, "form-action": [*CONTENT_SECURITY["form-action"], *dict.fromkeys(elsewhere)]}


def _sign_in(arena: ArenaFile) -> dict[str, Any]:
    apps = [
        {
            "provider_id": one.id,
            "name": one.name,
            "client_id": one.client,
            "secret": os.environ.get(one.secret_variable, ""),
            "settings": {
                "server_url": one.server.rstrip("/"),
                "oauth_pkce_enabled": True,
                "email_authentication": one.trust_mail,
            },
        }
        for one in arena.sign_in
    ]
    return {
        "SOCIALACCOUNT_ADAPTER": "tournament.arena.web.accounts.ArenaSignIns",
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": {"APPS": apps}} if apps else {},
        "SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT": True,
        "SOCIALACCOUNT_REQUESTS_TIMEOUT": SIGN_IN_SECONDS,
    }


def _mail(arena: ArenaFile) -> dict[str, Any]:
    if arena.mail is None:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": arena.mail.host,
        "EMAIL_PORT": arena.mail.port,
        "EMAIL_HOST_USER": arena.mail.user,
        "EMAIL_HOST_PASSWORD": os.environ.get("TOURNAMENT_MAIL_PASSWORD", ""),
        "EMAIL_USE_TLS": arena.mail.port == SUBMISSION_PORT,
        "EMAIL_USE_SSL": arena.mail.port == TLS_PORT,
        "EMAIL_TIMEOUT": 20,
        "DEFAULT_FROM_EMAIL": arena.mail.sender,
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": f"{arena.title}: ",
    }


def socket_folder(arena: ArenaFile) -> Path | None:
    """Returns where the socket of the database lies; None where the settings name no such place."""
    found = dict(parse_qsl(urlsplit(arena.database or "").query)).get("host")
    return None if found is None else Path(found)


def _database(folder: ArenaFolder, arena: ArenaFile) -> dict[str, Any]:
    if arena.database is None:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(folder.database),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": SQLITE_BEGINNING,
            },
        }
    try:
        url = urlsplit(arena.database)
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in ("postgres", "postgresql") or not url.path.strip("/"):
        raise ConfigurationError(
            f"{folder.settings}: database: expected a URL such as postgres://arena@localhost/arena, "
            f"found {arena.database}. Write such a URL, or leave the line out for SQLite."
        )
    sockets = socket_folder(arena)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password) if url.password else os.environ.get("PGPASSWORD", ""),
        "HOST": url.hostname or str(sockets or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 0,
    }


def use_corrections(folder: ArenaFolder) -> None:
    """Lets texts that a host corrected go before ours: those in the folder `languages`, or where the variable says.

    Raises `ConfigurationError` for a catalogue that cannot be used.
    """
    if folder.languages.is_dir():
        os.environ.setdefault(OWN_FOLDER, str(folder.languages))
    own = os.environ.get(OWN_FOLDER)
    if own and (problems := check_corrections(Path(own))):
        raise ConfigurationError(f"{explain_problems(problems)} Mend that text, or move the catalogue away.")
    catalogue_of.cache_clear()


def set_up(path: Path, *, debug: bool = False, is_site: bool = False) -> ArenaFolder:
    """Sets Django up for the arena in a folder, and returns the folder; once in a process.

    `is_site`: this process serves the site, and its API with it. Raises `RunError`, `ConfigurationError`, and
    `UsageError` where the extra is not installed.
    """
    from tournament.errors import UsageError

    folder = ArenaFolder(real_path(path))
    arena = read_arena(folder)
    try:
        import django
        from django.conf import settings
    except ModuleNotFoundError:
        raise UsageError(f"The arena needs Django. {install_advice('arena')}") from None
    set_language(Language.ENGLISH)  # of what is kept, and of answers to programs: pages speak each reader's
    if not settings.configured:
        use_corrections(folder)
        wanted = django_settings(folder, arena, debug=debug)
        if not is_site:
            wanted["INSTALLED_APPS"].remove(API_APP)  # more than a quarter of the time in which it begins
        settings.configure(**wanted)
        django.setup()
        logging.getLogger("django").setLevel(logging.ERROR)  # pages that are not there are no news
    return folder
