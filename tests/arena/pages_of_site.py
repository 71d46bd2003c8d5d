"""The addresses of the pages of the site that `made_site` makes, by who may see them, as their layout is measured."""

from __future__ import annotations

GAME = "explorers-2p.0.000000.0"
EVERYBODY = (
    *("/", "/language/", "/accounts/login/", "/accounts/signup/", "/accounts/inactive/", "/accounts/confirm-email/"),
    *("/accounts/password/reset/", "/accounts/password/reset/done/", "/accounts/password/reset/key/done/"),
    *("/c/cup/", "/c/cup/ladder/", "/c/cup/bots/keeper/", "/c/cup/bots/breaker/", "/c/cup/rounds/", "/c/cup/rounds/1/"),
    *("/c/cup/news/", "/c/cup/watch/"),
    *("/c/cup/rounds/1/report/", "/c/cup/rounds/1/report/games.html", "/c/cup/rounds/1/report/bots/1.html"),
    f"/c/cup/rounds/1/report/games/{GAME}.html",
)
OWNER = (
    *("/c/cup/mine/", "/c/cup/bots/breaker/versions/1/", "/c/cup/bots/breaker/versions/1/rounds/1/"),
    *("/account/", "/accounts/password/change/", "/accounts/email/", "/accounts/logout/", "/accounts/reauthenticate/"),
)
HOST = ("/c/cup/control/", "/c/cup/control/rules/", "/create/", "/c/cup/join/")
WITHOUT_PASSWORD = ("/accounts/password/set/",)
WITH_REPLAYS = ("/c/cup/watch/", f"/c/cup/rounds/1/report/games/{GAME}.html")
PROJECTOR = "/c/cup/projector/"
IN_A_FRAME = f"/c/cup/watch/1/{GAME}/"
"""It is measured with the page around it."""

EXPIRED = ("/accounts/password/reset/key/1-used/", "/accounts/confirm-email/expired/")

PAGES_OF_SIGNING_IN = (
    *("/accounts/login/", "/accounts/signup/", "/accounts/oidc/university/login/", "/accounts/3rdparty/signup/"),
    *("/accounts/3rdparty/", "/accounts/3rdparty/login/cancelled/", "/accounts/3rdparty/login/error/"),
)
"""The last of them after somebody has signed in elsewhere, whose name or mail address another has here."""
