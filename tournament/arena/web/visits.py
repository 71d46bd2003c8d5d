"""Who looks at what: a competition, what the visitor is in it, and what that lets the visitor see."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, NamedTuple

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.timezone import now
from django.utils.translation import gettext as _

from tournament.arena.files import COMPETITION_FILE, CompetitionFile, parse_moment
from tournament.arena.folder import CompetitionFolder
from tournament.arena.models import BotRow, CompetitionRow, Participant
from tournament.arena.places import competition_folder
from tournament.arena.play.house import house_names
from tournament.arena.rules import read_rules, zone_of
from tournament.arena.transitions import CompetitionState
from tournament.languages import showing_times_in
from tournament.store.files import FileStamp, stamp_of


def rules_of(folder: CompetitionFolder) -> CompetitionFile:
    """Returns the rules of a competition, kept until their file changes. Raises `ConfigurationError`, `RunError`."""
    return _read_rules(folder, stamp_of(folder.path / COMPETITION_FILE))


@lru_cache(maxsize=64)
def _read_rules(folder: CompetitionFolder, stamp: FileStamp) -> CompetitionFile:
    return read_rules(folder)


def are_standings_shown(rules: CompetitionFile) -> bool:
    """Returns whether everybody may see who stands where: from a date on, where the rules have one."""
    return rules.standings_from is None or parse_moment(rules.standings_from) <= now()


@lru_cache(maxsize=64)
def _house_of(folder: CompetitionFolder, stamp: FileStamp) -> tuple[str, ...]:
    return house_names(_read_rules(folder, stamp), folder)


class Visit(NamedTuple):
    """A visitor in a competition."""

    row: CompetitionRow
    folder: CompetitionFolder
    rules: CompetitionFile
    participant: Participant | None
    is_host: bool

    @property
    def sees_standings(self) -> bool:
        """Whether the visitor may see who stands where: hosts always, others from a date on."""
        return self.is_host or are_standings_shown(self.rules)

    @property
    def takes_part(self) -> bool:
        """Whether the visitor is a participant."""
        return self.participant is not None

    def owns(self, bot: BotRow) -> bool:
        """Returns whether the visitor is an owner of a bot."""
        return self.participant is not None and bot.owners.filter(pk=self.participant.pk).exists()

    def values(self, **others: Any) -> dict[str, Any]:
        """Returns what the templates of a competition's pages need, and what a page needs beside that."""
        return {"visit": self, "competition": self.row, "rules": self.rules, **others}


def visit_of(request: HttpRequest, name: str) -> Visit:
    """Returns the visit of a competition. Raises `Http404` where there is none, or only its hosts may see it yet."""
    row = CompetitionRow.objects.filter(name=name).first()
    account = request.user if request.user.is_authenticated else None
    is_host = row is not None and account is not None and row.hosts.filter(account=account).exists()
    if row is None or (row.state == CompetitionState.DRAFT and not is_host):
        raise Http404(_("There is no such competition here."))
    participant = None if account is None else row.participants.filter(account=account).first()
    folder = competition_folder(row)
    return Visit(row=row, folder=folder, rules=rules_of(folder), participant=participant, is_host=is_host)


def house_names_of(visit: Visit) -> tuple[str, ...]:
    """Returns the names of the house bots of a competition."""
    return _house_of(visit.folder, stamp_of(visit.folder.path / COMPETITION_FILE))


View = Callable[..., HttpResponseBase]
"""Takes a request, the name of a competition or the visit of one, and what else its address names."""


def for_everybody(view: View) -> View:
    """Returns a view of a competition that everybody may see. As in all views here, times are in its zone."""

    @wraps(view)
    def seen(request: HttpRequest, name: str, **values: Any) -> HttpResponseBase:
        visit = visit_of(request, name)
        with showing_times_in(zone_of(visit.rules)):
            return view(request, visit, **values)

    return seen


def for_accounts(view: View) -> View:
    """Returns a view that needs an account: others are sent to sign in."""

    @wraps(view)
    def seen(request: HttpRequest, name: str, **values: Any) -> HttpResponseBase:
        visit = visit_of(request, name)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        with showing_times_in(zone_of(visit.rules)):
            return view(request, visit, **values)

    return seen


def for_participants(view: View) -> View:
    """Returns a view that participants may see: others with an account are refused."""

    @wraps(view)
    def seen(request: HttpRequest, visit: Visit, **values: Any) -> HttpResponseBase:
        if not visit.takes_part:
            raise PermissionDenied(_("This page is for participants. Join the competition first."))
        return view(request, visit, **values)

    return for_accounts(seen)


def for_hosts(view: View) -> View:
    """Returns a view that hosts of the competition may see: others with an account are refused."""

    @wraps(view)
    def seen(request: HttpRequest, visit: Visit, **values: Any) -> HttpResponseBase:
        if not visit.is_host:
            raise PermissionDenied(_("This page is for the hosts of the competition."))
        return view(request, visit, **values)

    return for_accounts(seen)
