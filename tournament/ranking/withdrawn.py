"""Entrants that were withdrawn from the runs that are ranked: they are listed, and do not come before others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tournament.ids import segment_of
from tournament.ranking.pooling import SEPARATOR
from tournament.records.run import RunInfo

NOBODY: Mapping[str, tuple[str, ...]] = {}


def withdrawn_entrants(
    infos: Iterable[RunInfo], *, told_apart: Mapping[str, tuple[str, ...]] = NOBODY, segment: int | None = None
) -> frozenset[str]:
    """Returns who was withdrawn from every one of these runs that it takes part in, as it is called in their pool.

    Of finals only the one counts that is asked for as `segment`: who was withdrawn there has played all that came
    before.
    """
    is_out: defaultdict[str, list[bool]] = defaultdict(list)
    for info in infos:
        ranked = {one.number for one in info.segments if (not one.final if segment is None else one.number == segment)}
        out = {one.entrant for one in info.withdrawn if segment_of(one.after) in ranked}
        for entrant in info.entrants:
            fingerprints = tuple(bot.fingerprint for bot in entrant.bots)
            for name in (entrant.name, *told_apart.get(entrant.name, ())):
                digits = name.removeprefix(entrant.name).removeprefix(SEPARATOR)
                if any(fingerprint.startswith(digits) for fingerprint in fingerprints):
                    is_out[name].append(entrant.name in out)
    return frozenset(name for name, runs in is_out.items() if all(runs))
