"""The addresses of the site."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, register_converter
from django.urls.converters import StringConverter
from django.views.i18n import set_language

from tournament.arena.web import languages, streams
from tournament.arena.web.pages import (
    account_pages,
    bot_pages,
    competition_pages,
    control_room,
    hosting_pages,
    own_pages,
    participant_pages,
    round_pages,
    sign_in_pages,
    watching_pages,
)


class NameConverter(StringConverter):
    """The name of a competition or a bot in an address."""

    regex = "[a-z][a-z0-9_-]{1,31}"


class GameConverter(StringConverter):
    """The id of a game in an address."""

    regex = r"[a-z][a-z0-9_-]{0,60}\.[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}"


register_converter(NameConverter, "name")
register_converter(GameConverter, "game")

handler400 = "tournament.arena.web.error_pages.not_understood"
handler403 = "tournament.arena.web.error_pages.refused"
handler404 = "tournament.arena.web.error_pages.not_found"
handler500 = "tournament.arena.web.error_pages.broken"

_VERSION = "bots/<name:bot>/versions/<int:number>/"

of_competition: list[URLPattern | URLResolver] = [
    path("", competition_pages.competition, name="competition"),
    path("events/", streams.events, name="events"),
    path("ladder/", bot_pages.ladder, name="ladder"),
    path("bots/<str:bot>/", bot_pages.bot, name="bot"),
    path("rounds/", round_pages.rounds, name="rounds"),
    path("rounds/<int:number>/", round_pages.round_page, name="round"),
    path("rounds/<int:number>/download/", round_pages.download, name="download"),
    path("rounds/<int:number>/report/", round_pages.report, name="report"),
    path("rounds/<int:number>/report/<path:page>", round_pages.report),
    path("watch/", watching_pages.watch, name="watch"),
    path("news/", watching_pages.news, name="news"),
    path("feed.atom", watching_pages.atom_feed, name="atom_feed"),
    path("feed.json", watching_pages.json_feed, name="json_feed"),
    path("projector/", watching_pages.projector, name="projector"),
    path("watch/events/", streams.game_events, name="game_events"),
    path("watch/<int:number>/<game:game>/", watching_pages.watched_game, name="watched_game"),
    path("join/", participant_pages.join, name="join"),
    path("mine/", participant_pages.mine, name="mine"),
    path("mine/consent/", participant_pages.consent, name="consent"),
    path("mine/name/", participant_pages.rename, name="rename"),
    path("mine/bots/", participant_pages.make_bot, name="make_bot"),
    path("bots/<name:bot>/versions/", participant_pages.hand_in, name="hand_in"),
    path("bots/<name:bot>/challenges/", participant_pages.challenge, name="challenge"),
    path("bots/<name:bot>/tokens/", participant_pages.make_token, name="make_token"),
    path("bots/<name:bot>/tokens/<int:key>/end/", participant_pages.end_token, name="end_token"),
    path("bots/<name:bot>/owners/", participant_pages.add_owner, name="add_owner"),
    path("bots/<name:bot>/owners/remove/", participant_pages.remove_owner, name="remove_owner"),
    path("control/", control_room.control, name="control"),
    path("control/events/", streams.control_events, name="control_events"),
    path("control/rules/", hosting_pages.rules, name="rules"),
    path("control/state/", hosting_pages.steer, name="steer"),
    path("control/announcements/", hosting_pages.announce, name="announce"),
    path("control/versions/", hosting_pages.moderate, name="moderate"),
    path("control/logs/", hosting_pages.check_logs, name="check_logs"),
    path("control/rounds/<int:number>/abandon/", hosting_pages.abandon, name="abandon"),
    path("control/participants/", hosting_pages.enter_participants, name="enter_participants"),
    path("control/links/", hosting_pages.give_link, name="give_link"),
    path("control/codes/", hosting_pages.make_code, name="make_code"),
    path("control/codes/<int:key>/end/", hosting_pages.end_code, name="end_code"),
    path("control/hosts/", hosting_pages.add_host, name="add_host"),
    path("control/hosts/remove/", hosting_pages.remove_host, name="remove_host"),
    path("control/marks.csv", hosting_pages.marks, name="marks"),
    path(_VERSION, own_pages.version, name="version"),
    path(f"{_VERSION}events/", streams.version_events, name="version_events"),
    path(f"{_VERSION}activate/", participant_pages.activate, name="activate"),
    path(f"{_VERSION}rounds/<int:played>/", own_pages.own_round, name="own_round"),
    path(f"{_VERSION}rounds/<int:played>/<game:game>/<int:seat>/repro.zip", own_pages.repro, name="repro"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", competition_pages.home, name="home"),
    path("create/", hosting_pages.create, name="create"),
    path("language/", languages.choose, name="language"),
    path("language/chosen/", set_language, name="set_language"),
    path("account/", account_pages.account, name="account"),
    path("account/data/", account_pages.take_away, name="take_away"),
    path("account/delete/", account_pages.delete_account, name="delete_account"),
    path("accounts/oidc/<str:provider_id>/login/", sign_in_pages.begin),
    path("accounts/oidc/<str:provider_id>/login/callback/", sign_in_pages.come_back),
    path("accounts/", include("allauth.urls")),
    path("c/<name:name>/", include(of_competition)),
    path("", include("tournament.arena.api.application")),
]
