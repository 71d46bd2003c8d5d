"""The results of several sources, held packed, and given under names that are each one bot."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from tournament.ranking.compact.packing import PackedResults, SourcedResult
from tournament.ranking.compact.shares import BlockKey, BlockShare, BlockShares
from tournament.records.results import GameResult


class PooledResults:
    """The results of sources, one source after the other."""

    def __init__(
        self,
        sources: Sequence[PackedResults],
        *,
        names: Mapping[tuple[str, str, str], str],
        shares: BlockShares,
        names_every_deal: bool,
    ) -> None:
        """Takes what bots are called by name, game and fingerprint, where that is not their name.

        With `names_every_deal` deals have a name, too, that only one block was played on.
        """
        self._sources = sources
        self._names = names
        self._shares = shares
        self._names_every_deal = names_every_deal
        self._out: frozenset[str] = frozenset()
        self._mixed_seeds: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        if shares.are_mixed:
            self._note_mixed_seeds()
        if names_every_deal:
            self._note_digests()

    def leave_out(self, entrants: Collection[str]) -> None:
        """Leaves out the tables of entrants, by their names here."""
        self._out = frozenset(entrants)

    def __iter__(self) -> Iterator[GameResult]:
        for played, share in self._shared():
            result = self._named(played, share.name)
            if self._out and not self._out.isdisjoint(result.seats):
                continue
            deal = self._deal(played, share)
            yield result if deal is None else msgspec.structs.replace(result, deal=deal)

    def _deal(self, played: SourcedResult, share: BlockShare) -> str | None:
        """Returns the name of a deal: its seed, or the lowest digest of its block; no other has this name."""
        seed = self._mixed_seeds.get(share.name) if share.has_other_seeds else played.seed
        if seed is None:
            return self._digests.get(share.name)
        return seed if self._names_every_deal or share.is_on_shared_deal else None

    def _note_mixed_seeds(self) -> None:
        for played, share in self._shared():
            if share.has_other_seeds and played.seed is not None:
                self._mixed_seeds[share.name] = played.seed

    def _note_digests(self) -> None:
        for played, share in self._shared():
            if played.seed is None:
                digest = played.result.digest
                self._digests[share.name] = min(self._digests.get(share.name, digest), digest)

    def _shared(self) -> Iterator[tuple[SourcedResult, BlockShare]]:
        """Yields each result with its block as it is in its source."""
        for number, source in enumerate(self._sources):
            last: BlockKey | None = None
            for played in source:
                key = BlockKey.of(played)
                if key != last:
                    last, share = key, self._shares.share_of(key, source=number)
                yield played, share

    def _named(self, played: SourcedResult, block: str) -> GameResult:
        result = played.result
        seats = result.seats
        if self._names:
            seats = tuple(
                self._names.get((name, result.game, fingerprint), name)
                for name, fingerprint in zip(seats, played.fingerprints, strict=True)
            )
        if block == result.block and seats == result.seats:
            return result
        return msgspec.structs.replace(result, block=block, seats=seats)
