"""The jobs of a segment: its blocks with their deal seeds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from tournament.blocks import Job, Setup
from tournament.configuration import Configuration, Group
from tournament.deals import Suite, deal_seed
from tournament.schedule import Block


class Jobs:
    """Makes the job of each block of a segment."""

    def __init__(self, groups: Sequence[Group], *, master: str, suite: Suite | None) -> None:
        """Takes the master of the segment, or the suite its deals come from."""
        self._groups = {group.name: group for group in groups}
        self._options = {group.name: msgspec.to_builtins(group.options) for group in groups}
        self._master = master
        self._suite = suite

    def job(self, block: Block) -> Job:
        """Returns the job of a block."""
        group = self._groups[block.group]
        return Job(
            block=block,
            game=group.game.name,
            players=group.players,
            options=self._options[block.group],
            seed=self._seed(block, group),
        )

    def _seed(self, block: Block, group: Group) -> str:
        if self._suite is not None:
            return self._suite.deal_seed(game=group.game.name, players=group.players, block=block.number)
        return deal_seed(
            self._master,
            game=group.game.name,
            players=group.players,
            segment=block.segment,
            block=block.number,
        )


def setup_of(configuration: Configuration, *, folder: Path | None = None) -> Setup:
    """Returns what all blocks of a run have in common; a sandbox hides the folder of the run."""
    return Setup(
        tournament=configuration.name,
        entrants=configuration.entrants,
        hosting=configuration.hosting,
        hidden=() if folder is None else (str(folder.resolve()),),
    )
