"""Who meets whom on which deal: formats as pure, lazy streams of blocks.

`scheduled(segment, seed=...)` gives every block of a segment of `run.json` again; a knockout, which
depends on results, is `knockout(...)`. The seed comes from `tournament.deals.schedule_seed`.
"""

from __future__ import annotations

from tournament.records.run import Field, Format
from tournament.schedule.block import MOST_BLOCKS, BalanceCounter, Block, balance_of, successor_pairs
from tournament.schedule.extents import ExtentCounter, format_extent, total_extent
from tournament.schedule.formats import gauntlet, round_robin, scheduled, with_deals, with_games, with_rounds
from tournament.schedule.knockout import Knockout, Round, knockout
from tournament.schedule.tables import least_appearances, tables_of
from tournament.schedule.withdrawals import SegmentBlocks, blocks_of_run, can_tell_blocks, walk_run

__all__ = [
    "MOST_BLOCKS",
    "BalanceCounter",
    "Block",
    "ExtentCounter",
    "Field",
    "Format",
    "Knockout",
    "Round",
    "SegmentBlocks",
    "balance_of",
    "blocks_of_run",
    "can_tell_blocks",
    "format_extent",
    "gauntlet",
    "knockout",
    "least_appearances",
    "round_robin",
    "scheduled",
    "successor_pairs",
    "tables_of",
    "total_extent",
    "walk_run",
    "with_deals",
    "with_games",
    "with_rounds",
]
