"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Mapping

from tournament.errors import UsageError
from tournament.records.basis import Basis
from tournament.records.figure import Figure
from tournament.records.standings import Rank

TOO_FEW = "too few games"
INTERIM = "Interim, not a test: not everything has been played."


def format_points(figure: Figure | None) -> str:
    """Returns a share from 0 to 1 with its interval, where there is one: `0.931 (0.806-0.985)`."""
    if figure is None:
        return TOO_FEW
    value = format_number(figure.value, digits=3)
    return value if figure.low is None or figure.high is None else f"{value} ({_ends(figure.low, figure.high, 3)})"


def format_figure(figure: Figure | None, *, digits: int, signed: bool = False) -> str:
    """Returns a number with its interval, where there is one; "too few games" for None.

    `+0.135 ± 0.108` where both ends are as far away, otherwise `+0.950 (+0.850 to +1.000)`.
    """
    if figure is None:
        return TOO_FEW
    value = format_number(figure.value, digits=digits, signed=signed)
    if figure.low is None or figure.high is None:
        return value
    below, above = (f"{reach:.{digits}f}" for reach in (figure.value - figure.low, figure.high - figure.value))
    if below == above:
        return f"{value} ± {above}"
    low, high = (format_number(end, digits=digits, signed=signed) for end in (figure.low, figure.high))
    return f"{value} ({low} to {high})"


def format_rating(figure: Figure | None) -> str:
    """Returns a rating with its interval: `1867 (1740-2050)`; without an upper end `above 1767`."""
    if figure is None:
        return TOO_FEW
    value = format_number(figure.value, digits=0)
    if figure.error is None:
        return value
    if figure.low is None and figure.high is None:
        return f"{value} (no ends)"
    if figure.low is None or figure.high is None:
        word, end = ("above", figure.low) if figure.high is None else ("below", figure.high)
        return f"{word} {format_number(end or 0.0, digits=0)}"
    return f"{value} ({_ends(figure.low, figure.high, 0)})"


def _ends(low: float, high: float, digits: int) -> str:
    join = " to " if low < 0 else "-"
    return join.join(format_number(end, digits=digits) for end in (low, high))


def format_difference(figure: Figure, basis: Basis) -> str:
    """Returns a difference of points, or of ratings, with its sign and the half-width of its interval."""
    return format_figure(figure, digits=0 if basis is Basis.RATINGS else 3, signed=True)


def format_basis(basis: Basis) -> str:
    """Returns what the end of a title says of a ranking that does not go by points."""
    return ", ranked by rating" if basis is Basis.RATINGS else ""


def format_number(value: float, *, digits: int, signed: bool = False) -> str:
    """Returns a number with so many decimals and a typographic minus; never -0."""
    rounded = round(value, digits) + 0.0
    text = f"{abs(rounded):.{digits}f}"
    sign = "−" if rounded < 0 else "+" if signed and rounded > 0 else ""
    return f"{sign}{text}"


def format_share(share: float | None, *, digits: int = 0) -> str:
    """Returns a share in per cent; "too few games" for None."""
    return TOO_FEW if share is None else f"{format_number(100 * share, digits=digits)} %"


def format_probability(probability: float | None) -> str:
    """Returns a probability in per cent; never 0 or 100, which no number of games gives."""
    if probability is None:
        return TOO_FEW
    if probability > 0.9995:
        return "over 99.9 %"
    if probability < 0.0005:
        return "under 0.1 %"
    return f"{100 * probability:.1f} %"


def format_rank(rank: Rank) -> str:
    """Returns a place, and the range of ranks where more than this one is open."""
    if rank.best_rank == rank.worst_rank == rank.place:
        return str(rank.place)
    return f"{rank.place} ({format_range(rank.best_rank, rank.worst_rank)})"


def format_range(least: int, most: int) -> str:
    """Returns both ends, or the one number they are."""
    return str(least) if least == most else f"{least}-{most}"


def format_faults(faults: Mapping[str, int]) -> str:
    """Returns the number of faults of each kind."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items())


def parse_share(text: str, option: str) -> float:
    """Returns the share that `95%` or `0.95` says. Raises `UsageError` naming the option for anything else."""
    number, sign, rest = text.partition("%")
    try:
        share = float(number) / (100.0 if sign else 1.0)
    except ValueError:
        share = -1.0
    if rest.strip() or not 0.0 <= share <= 1.0:
        raise UsageError(f'{option} is a share, such as 95% or 0.95; found "{text}".')
    return share
