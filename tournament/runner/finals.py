"""A final: fresh deals among those that a complete run could not tell from its first."""

from __future__ import annotations

from pathlib import Path

from tournament.errors import RunError
from tournament.ranking.sources import read_sources
from tournament.ranking.standings import overall_scale, scale_ranks
from tournament.records.configuration import Budget
from tournament.records.lock import RunLock
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.runner.budgets import with_budget
from tournament.runner.cores import workers_at_once
from tournament.runner.observing import Observer, Observers
from tournament.runner.resuming import open_run
from tournament.runner.starting import play_more


def play_final(
    folder: str | Path,
    *,
    budget: Budget | None = None,
    seed: str | None = None,
    workers: int | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
    again: bool = False,
) -> int:
    """Plays a final as a new segment of a complete run and returns its number, to rank on it alone.

    Finalists are those who may be first in the championship, or in the only group: nobody is claimed to be
    better. They play every group for which they are enough, by default on as many deals as the run had. `seed` is
    the master of the segment, drawn when left out. Raises `RunError` for a run that is not complete or has
    changed, or has had its final and `again` is not said, and when there is nothing to decide, or no table of
    finalists.
    """
    folder = Path(folder)
    with RunLock(folder):
        return _play_final(
            folder,
            budget=budget,
            seed=seed,
            workers=workers,
            observer=observer or Observers(),
            cluster=cluster,
            again=again,
        )


def _play_final(
    folder: Path,
    *,
    budget: Budget | None,
    seed: str | None,
    workers: int | None,
    observer: Observer,
    cluster: str | None,
    again: bool,
) -> int:
    opened = open_run(folder, observer=observer)
    info, configuration = opened.info, opened.configuration
    if info.state is not RunState.COMPLETE:
        raise RunError(
            f"{folder} is {info.state}, and only a complete run has a final. First: tournament resume {folder}."
        )
    if info.schedule is Format.KNOCKOUT:
        raise RunError(f"{folder} is a knockout, which has its winner: a final has nothing to decide. Begin a new run.")
    earlier = [segment.number for segment in info.segments if segment.final]
    if earlier and not again:
        raise RunError(
            f"{folder} has had its final: tournament standings {folder} --segment {earlier[-1]}. Finals until one "
            "is liked would decide nothing; --again plays one more, and all of them stay in the run."
        )
    opened.changes.refuse(
        folder,
        accept_new=True,
        advice=f"let each in as a new entrant first: tournament extend {folder} --deals 50 --accept-changes",
    )
    names = finalists(folder, info)
    changed = [name for name in names if not any(name in group.entrants for group in configuration.groups)]
    if changed:
        observer.note(f"{', '.join(changed)} may be first, too, but has changed since, and so is not in the final.")
    fields = tuple(
        Field(group=group.name, players=group.players, entrants=able, blocks=0)
        for group in configuration.groups
        if len(able := tuple(name for name in group.entrants if name in names)) >= group.players
    )
    if not fields:
        raise RunError(
            f"The finalists are {', '.join(names)}: too few for a table of any group of {folder}. "
            f"Compare them two by two (tournament compare {folder} --bots {' '.join(names[:2])}), or play more deals: "
            f"tournament extend {folder} --deals N."
        )
    if budget is None:
        budget = Budget(deals=int(info.budget["deals"])) if "deals" in info.budget else _as_before(info)
    play_more(
        folder,
        info,
        configuration,
        with_budget(
            fields,
            budget,
            configuration=configuration,
            workers=workers_at_once(info.workers if workers is None else workers, cluster=cluster),
        ),
        seed=seed,
        workers=workers,
        observer=observer,
        cluster=cluster,
        final=True,
    )
    return len(info.segments)


def finalists(folder: Path, info: RunInfo) -> tuple[str, ...]:
    """Returns who may be first, best first. Raises `RunError` when there are not two."""
    sources = read_sources([folder])
    scale = overall_scale(sources.results, weights=info.weights, withdrawn=sources.withdrawn)
    if scale is None:
        raise RunError(f"Nobody played all groups of {folder}, so nobody is in a final. Extend the run.")
    order = scale_ranks(scale)
    out = {withdrawal.entrant for withdrawal in info.withdrawn}
    names = tuple(name for name, rank in order.items() if rank.best_rank == 1 and name not in out)
    if len(names) < 2:
        raise RunError(f"{', '.join(names) or 'Nobody'} is first beyond doubt in {folder}: there is nothing to decide.")
    return names


def _as_before(info: RunInfo) -> Budget:
    return Budget(games=info.segments[0].games)
