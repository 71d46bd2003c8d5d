"""What the host of an arena sets: `arena.yaml`, read without Django."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from tournament.arena.folder import ArenaFolder
from tournament.errors import ConfigurationError, RunError
from tournament.games.contract import END_OF_TEXT
from tournament.plain_yaml import read_plain_yaml

LOOPBACK: Final = "http://127.0.0.1:8765"


class MailSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The server that sends mail; its password is read from the environment, from `TOURNAMENT_MAIL_PASSWORD`."""

    host: str
    """Its name, such as `mail.example.org`."""

    port: Annotated[int, Meta(ge=1, le=65535)] = 587
    """587, or 465 where it speaks TLS from the first byte."""

    user: str = ""
    """Who signs in there; left out, nobody does."""

    sender: str
    """The address that mail comes from."""


class SignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A server of others at which people sign in, by OpenID Connect.

    The secret that it gave the arena is read from the environment, from `secret_variable`.
    """

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}" + END_OF_TEXT)]
    """Part of the address to which its people return: `/accounts/oidc/ID/login/callback/`."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    """What people call it: the button says *Sign in with NAME*."""

    server: str
    """Its issuer, such as `https://login.example.org/realms/main`."""

    client: Annotated[str, Meta(min_length=1)]
    """What the arena is called there (`client_id`)."""

    page: str | None = None
    """The origin of its page for signing in, where that is another than the server's."""

    new_accounts: bool = True
    """Whether whoever signs in there for the first time gets an account; where not, hosts enter people."""

    trust_mail: bool = False
    """Whether its people get the accounts that have the mail addresses which it vouches for."""

    @property
    def secret_variable(self) -> str:
        """The variable of the environment that has its secret."""
        return f"TOURNAMENT_SIGN_IN_{self.id.upper().replace('-', '_')}"

    @property
    def origins(self) -> tuple[str, ...]:
        """Where browsers are sent to sign in."""
        places = map(urlsplit, (self.server, self.page or self.server))
        return tuple(dict.fromkeys(f"{place.scheme}://{place.netloc}" for place in places))


class ArenaFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `arena.yaml`."""

    title: Annotated[str, Meta(min_length=1, max_length=120)] = "Arena"
    """What the site is called."""

    address: str = LOOPBACK
    """Where people reach the site, such as `https://arena.example.org`."""

    listen: str = "127.0.0.1:8765"
    """Where the web process listens."""

    proxies: Annotated[int, Meta(ge=0, le=5)] = 0
    """How many proxies stand before it; each adds an address to `X-Forwarded-For`."""

    database: str | None = None
    """Such as `postgres://user@host/name`; left out, SQLite in this folder. A password in `PGPASSWORD` or `.pgpass`.

    A server that listens on a socket: `postgres://user@/name?host=/run/postgresql`.
    """

    cluster: str | None = None
    """The address of a Dask scheduler, such as `tcp://10.0.0.5:8786`, whose workers play ladder and final."""

    accounts: bool = True
    """Whether strangers may sign up; where not, hosts enter people."""

    mail: MailSettings | None = None
    """Left out, hosts give one-time links to whoever forgot a password."""

    sign_in: tuple[SignIn, ...] = ()
    """Where people may sign in besides."""

    time_zone: str = "UTC"
    """The zone of competitions whose rules name none, such as `Europe/Warsaw`: of their days, and of times on pages."""


def read_arena(folder: ArenaFolder) -> ArenaFile:
    """Returns what an arena's host set. Raises `RunError` where no arena is, `ConfigurationError` for a wrong file."""
    try:
        data = read_plain_yaml(folder.settings).data
    except FileNotFoundError:
        raise RunError(
            f"{folder.path} is not an arena: it has no {folder.settings.name}. "
            f"Make one: tournament arena init {folder.path}"
        ) from None
    except IsADirectoryError:
        raise ConfigurationError(
            f"{folder.settings} is a folder. Put a file there, as `tournament arena init` writes it."
        ) from None
    try:
        return msgspec.convert(data, ArenaFile)
    except (msgspec.ValidationError, OverflowError) as error:
        raise ConfigurationError(f"{folder.settings}: {error}. Mend the file, then try again.") from None
