"""Results as PGN, which rating tools such as Ordo and BayesElo read: one game of two players after the other.

A table of more than two is written as a game of each pair at it, which is how such tools can take it in. They count
games as independent: the errors they print know nothing of deals, and of the pairs of one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from tournament.errors import UsageError
from tournament.games.contract import Ending
from tournament.ids import format_game_id, within_group
from tournament.ranking.results import whole_blocks
from tournament.records.results import GameResult


def format_pgn(results: Iterable[GameResult], *, event: str, group: str | None = None) -> Iterator[str]:
    """Yields the games of whole blocks as PGN, in the order of the standings, each with a blank line behind it.

    The lower seat is White. Games in which both forfeited are left out: nobody got points for them. Raises
    `UsageError` for a group that has none, and for results of several groups when none is chosen: a rating tool
    would take them for one game.
    """
    counted = whole_blocks(results).results
    groups = sorted({result.group for result in counted})
    if group is None and len(groups) > 1:
        raise UsageError(
            f"A rating tool takes all games of a file for one game, and here are {', '.join(groups)}. "
            f"Choose one: --group {groups[0]}."
        )
    if group is not None and group not in groups:
        raise UsageError(f"--group: there is no {group}. There are: {', '.join(groups) or 'none'}.")
    return _games(counted, event=event, group=group)


def _games(results: Iterable[GameResult], *, event: str, group: str | None) -> Iterator[str]:
    for result in results:
        if result.ending == Ending.ABORTED or (group is not None and result.group != group):
            continue
        for white, black in combinations(range(result.players), 2):
            if white in result.forfeits and black in result.forfeits:
                continue
            score = _score(result.places[white], result.places[black])
            tags = {
                "Event": f"{event}, {result.group}",
                "Site": "?",
                "Date": "????.??.??",
                "Round": within_group(format_game_id(result.block, result.rotation)),
                "White": result.seats[white],
                "Black": result.seats[black],
                "Result": score,
            }
            lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
            yield "\n".join((*lines, "", score, "", ""))


def _score(white: int, black: int) -> str:
    return "1/2-1/2" if white == black else "1-0" if white < black else "0-1"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
