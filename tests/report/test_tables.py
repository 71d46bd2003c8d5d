"""Tables for terminals, Markdown and spreadsheets, whatever the names in them are."""

from __future__ import annotations

import pytest

from tournament.errors import UsageError
from tournament.records.figures import Figure, format_figure, format_number, format_probability, format_share
from tournament.records.standings import Rank, format_rank
from tournament.report.tables import Column, ReportPart, format_csv, format_markdown, format_text, parse_share

COLUMNS = (Column("entrant"), Column("points", right=True), Column("margin", right=True, drop=1), Column("x", drop=2))


def test_a_table_stands_in_columns():
    """Tables for the terminal."""
    part = ReportPart(title="T", columns=COLUMNS, rows=[("a", "0.5", "1", "u"), ("long name", "10.25", "2", "v")])

    assert [
        "T",
        "entrant    points  margin  x",
        "---------  ------  ------  -",
        "a             0.5       1  u",
        "long name   10.25       2  v",
    ] == format_text([part], width=80).splitlines()


def test_a_narrow_table_loses_its_last_columns_and_says_so():
    """80 columns: what is least important goes first."""
    part = ReportPart(columns=COLUMNS, rows=[("long name", "10.25", "2", "v")])

    assert "No room for the column x." == format_text([part], width=40 - 13).splitlines()[-1]
    assert "No room for the columns margin, x." in " ".join(format_text([part], width=20).splitlines()[-2:])


def test_a_name_cannot_steer_a_terminal():
    """A record may come from anywhere, and so may the names in it."""
    part = ReportPart(columns=(Column("entrant"),), rows=[("\x1b[2Jbot\n",)], lines=("\x07bell",))

    assert "\x1b" not in format_text([part], width=80)
    assert "\x07" not in format_text([part], width=80)
    assert "\x1b" not in format_markdown([part])


def test_a_name_stays_a_name_in_markdown():
    part = ReportPart(columns=(Column("entrant"),), rows=[("a|b <i>*x*_y_",)])

    assert r"| a\|b \<i\>\*x\*\_y\_ |" == format_markdown([part]).splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", r"'\rx"),
    ],
)
def test_a_name_that_a_spreadsheet_would_run_is_quoted(name, cell):
    """CSV cells that start with =+-@ are quoted; a control character is written as its escape."""
    assert ["entrant", cell] == format_csv(["entrant"], [[name]]).splitlines()


def test_negative_numbers_stay_numbers_in_csv():
    """Only texts are quoted."""
    assert "x\n-1.5" == format_csv(["x"], [[-1.5]])


def test_what_cannot_be_told_is_an_empty_cell_in_csv():
    """Never nan or inf."""
    assert "x,y\n1," == format_csv(["x", "y"], [[1, None]])


def test_numbers_are_never_nan_nor_minus_zero():
    """Never nan or inf: "too few games"."""
    assert "too few games" == format_figure(None, digits=3)
    assert "too few games" == format_share(None)
    assert "too few games" == format_probability(None)
    assert "0.0" == format_number(-0.0001, digits=1)
    assert "0.500" == format_figure(Figure(value=0.5, error=None, low=None, high=None, deals=3), digits=3)


def test_a_probability_is_never_certain():
    """No number of games gives 0 or 100 %."""
    assert ["under 0.1 %", "50.0 %", "over 99.9 %"] == [format_probability(value) for value in (0.0, 0.5, 1.0)]


def test_a_rank_shows_its_range_where_it_is_open():
    """Place and rank range."""
    assert "1" == format_rank(Rank(place=1, best_rank=1, worst_rank=1, letters="a"))
    assert "2 (1-3)" == format_rank(Rank(place=2, best_rank=1, worst_rank=3, letters="ab"))


@pytest.mark.parametrize(
    ("text", "share"), [("95%", 0.95), ("0.95", 0.95), ("0.1%", 0.001), ("0", 0.0), ("100 %", 1.0)]
)
def test_shares_are_read_with_and_without_their_sign(text, share):
    """`--superior 95% --max-faults 0.1%`."""
    assert share == pytest.approx(parse_share(text, "--superior"))


@pytest.mark.parametrize("text", ["95", "-1%", "101%", "much", "nan", "5%%", ""])
def test_what_is_no_share_is_refused(text):
    """95 could be 95 % or a mistake."""
    with pytest.raises(UsageError, match="--superior is a share"):
        parse_share(text, "--superior")
