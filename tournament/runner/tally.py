"""What can be said of a run under way: how fast it goes, how long it takes, who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from tournament.ranking.brackets import brackets_of_run, format_bracket
from tournament.records.results import ResultLine
from tournament.records.run import Format, RunInfo, SegmentInfo

SHOWN: Final = 5
"""So many leaders are named."""


class RunTally:
    """Counts games as they come."""

    def __init__(self, *, all_games: int, played: int = 0) -> None:
        """Starts with so many games played before."""
        self.all_games = all_games
        self.games = played
        self.faults = 0
        self._before = played
        self._begun = monotonic()
        self._points: dict[str, float] = {}
        self._appearances: Counter[str] = Counter()

    def add(self, results: Iterable[ResultLine]) -> None:
        """Counts some games."""
        for result in results:
            self.games += 1
            self.faults += len(result.faults)
            most = 2 * (len(result.seats) - 1)
            for name, half in zip(result.seats, result.half_points, strict=True):
                self._points[name] = self._points.get(name, 0.0) + half / most
                self._appearances[name] += 1

    @property
    def rate(self) -> float:
        """Games a second, since this tally began."""
        return (self.games - self._before) / max(monotonic() - self._begun, 1e-6)

    def start_clock(self) -> None:
        """Measures the speed from now on."""
        self._before = self.games
        self._begun = monotonic()

    def format_counts(self) -> str:
        """Returns games and faults."""
        faults = f", {self.faults} faults" if self.faults else ""
        return f"{self.games} of {self.all_games} games{faults}"

    def format_progress(self) -> str:
        """Returns games, speed, time left and faults as a line."""
        parts = [f"{self.games} of {self.all_games} games"]
        if self.games > self._before:
            parts.append(_format_rate(self.rate))
        left = self.all_games - self.games
        if left > 0 and self.games > self._before:
            parts.append(f"{format_seconds(left / self.rate)} left")
        if self.faults:
            parts.append(f"{self.faults} faults")
        return ", ".join(parts)

    def format_leaders(self, *, without: Collection[str] = (), equal: bool = True) -> str:
        """Returns who leads, marked as interim; the points are means over all games and groups.

        `without`: who is out, and leads nobody by the few games it had. `equal`: whether all meet the same opponents.
        """
        everybody = {name: self._points[name] / count for name, count in self._appearances.items()}
        means = {name: points for name, points in everybody.items() if name not in without} or everybody
        best = sorted(means.items(), key=lambda item: (-round(item[1], 12), item[0]))  # equal sums of thirds are equal
        named = ", ".join(f"{name} {points:.3f}" for name, points in best[:SHOWN])
        more = f" and {len(best) - SHOWN} more" if len(best) > SHOWN else ""
        unequal = "" if equal else ", and not all met the same opponents"
        return f"interim, not a test{unequal}: {named}{more}" if best else "no game yet"


def format_stand(info: RunInfo, folder: Path, tally: RunTally) -> str:
    """Returns how a run under way stands: who leads, or in a knockout who is still in."""
    if info.segments[-1].format is not Format.KNOCKOUT:
        out = {one.entrant for one in info.withdrawn} | {one.entrant for one in info.disqualified}
        return tally.format_leaders(without=out, equal=not out and _meet_equally(info.segments))
    return " ".join(format_bracket(group, bracket) for group, bracket in brackets_of_run(folder, info).items())


def _meet_equally(segments: Sequence[SegmentInfo]) -> bool:
    """Returns whether a schedule gives all the same opponents: no gauntlet, and no segment with entrants of its own."""
    fields = {tuple((field.group, field.entrants) for field in segment.fields) for segment in segments}
    return len(fields) == 1 and all(segment.format is Format.ROUND_ROBIN for segment in segments)


def _format_rate(rate: float) -> str:
    """Returns a speed; under a game a second as the time of one."""
    return f"{rate:.0f} games/s" if rate >= 0.95 else f"{format_seconds(1 / rate)} a game"


def format_seconds(seconds: float) -> str:
    """Returns a length of time for people."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
