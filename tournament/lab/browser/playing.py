"""A whole game by browser: the table, its bots and its server, from the first link to the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import structs

from tournament.entrants.model import Entrant
from tournament.errors import UsageError
from tournament.games.contract import Game
from tournament.lab.browser.serving import TableServer, check_host
from tournament.lab.browser.shared_table import OpenBots, SharedTable
from tournament.lab.guide import Guide
from tournament.lab.table import check_seat, sitting_with
from tournament.players.base import Player, clock_of
from tournament.players.bot import Clock
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord
from tournament.records.settings import Hosting, with_entry
from tournament.text import option


def seats_of_people(people: int, *, first: int, players: int) -> tuple[int, ...]:
    """Returns the seats of so many people who sit side by side from `first` on, lowest first.

    Raises `UsageError` for a seat that the table does not have.
    """
    check_seat(first, players=players)
    return tuple(sorted((first + place) % players for place in range(people)))


def check_people(game: Game, people: int, *, bots: int) -> None:
    """Raises `UsageError` when so many people and bots are too few or too many for a game."""
    if people + bots not in game.players:
        least, most = game.players.start, game.players.stop - 1
        raise UsageError(
            f"{people} by browser and {bots} bots make a table of {people + bots}, and {game.name} is for {least} to "
            f"{most}. Change {option('--humans', '`people`')}, or the bots: {option('--against', '`bots`')}."
        )


def open_table(
    game: Game,
    bots: Sequence[Entrant],
    *,
    people: Sequence[int],
    names: Sequence[str] = (),
    master: str,
    guide: Guide | None,
    options: Any,
    hosting: Hosting | None = None,
) -> SharedTable:
    """Returns a table with people at these seats and bots in the others, lowest seat first; nothing is started yet.

    `names`: what the people are called, in the same order. Raises `UsageError` for names that do not fit.
    """
    waiting = iter(bots)
    seats = [None if seat in people else next(waiting) for seat in range(len(people) + len(bots))]
    sitting = sitting_with(game, seats, names=names, master=master, options=options)
    hosting = hosting or Hosting()
    clocks = tuple(
        Clock() if one is None else clock_of(with_entry(hosting.clock, one.bot_for(game.name).clock)) for one in seats
    )
    places = {seat: one for seat, one in enumerate(seats) if one is not None}
    return SharedTable(
        structs.replace(sitting, clocks=clocks), people, _opening(places, game.name, hosting), guide=guide
    )


def _opening(places: Mapping[int, Entrant], game: str, hosting: Hosting) -> OpenBots:
    @contextmanager
    def open_bots() -> Iterator[Mapping[int, Player]]:
        cast = Cast(list(places.values()), hosting)
        try:
            yield {seat: cast.player(one.name, game, 0) for seat, one in places.items()}
        finally:
            cast.close()

    return open_bots


def play_by_browser(
    table: SharedTable,
    *,
    host: str,
    port: int,
    allowed: Iterable[str] = (),
    started: Callable[[Mapping[int, str]], object],
    ended: Callable[[AnyRecord], object],
) -> None:
    """Serves a table, plays its game in this thread, and goes on showing it until Ctrl-C.

    Requests may name the hosts `allowed`, too. `started` gets the links by seat, `ended` the sealed record. Raises
    `KeyboardInterrupt` when the game was not over, `UsageError` for an address or a name that cannot be used.
    """
    check_host(host)
    server = TableServer(table, host=host, port=port, allowed=allowed)
    server.open()
    try:
        started(server.links)
        ended(table.play())
        table.wait_until_closed()
    finally:
        server.close()
