"""Plots: the same bytes each time, and nothing told by colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from languages.pseudo import pseudo_language, unmarked_in_text
from needs import need_module

from tournament.errors import UsageError
from tournament.ranking.sources import read_sources
from tournament.report.plots import draw_plots, write_plots

TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(scope="module")
def drawn(small):
    """All plots of the small file, by name."""
    sources = read_sources([small])
    return dict(draw_plots(sources.standings(), sources.results))


def test_there_is_a_plot_of_each_kind_a_group(drawn):
    """Points with intervals, head-to-head map, score distributions, seat effect."""
    kinds = {
        f"{group}-{kind}"
        for group in ("scout-3p", "explorers-2p")
        for kind in ("points", "head-to-head", "scores", "seats")
    }

    assert kinds | {"championship-points"} == set(drawn)


def test_plots_are_the_same_bytes_twice(drawn, small, tmp_path):
    """Deterministic SVG: fixed hash salt, no date."""
    sources = read_sources([small])
    paths = write_plots(sources.standings(), sources.results, tmp_path / "plots")

    assert drawn == {path.stem: path.read_text(encoding="utf-8") for path in paths}
    assert not any("<dc:date>" in svg for svg in drawn.values())


def test_every_field_of_the_map_has_its_number(drawn):
    """Text values in every cell; claims marked by a sign."""
    texts = [element.text for element in ET.fromstring(drawn["scout-3p-head-to-head"]).iter() if element.text]

    assert 6 == sum(text.strip("<> ").isdigit() for text in texts if text.strip())


def test_names_are_drawn_as_they_are(made, tmp_path):
    """A bot may be called what is a formula, markup or another script elsewhere."""
    names = ["$x^2$", "<b>&", "名"]
    sources = read_sources([made.write(tmp_path / "n.jsonl", made.field(names, players=3, blocks=12))])
    plots = dict(draw_plots(sources.standings(), sources.results))
    texts = "".join(ET.fromstring(plots["scout-3p-points"]).itertext())

    assert all(name in texts for name in names)


def test_every_text_of_a_plot_is_in_the_present_language(drawn, small):
    need_module("babel", extra="languages")
    sources = read_sources([small])
    groups = sources.standings().groups
    names = [name for group in groups for name in (group.group, *(row.entrant for row in group.rows))]
    allowed = [*names, re.compile(r"\b[a-e]{2,}\b")]
    with pseudo_language():
        spoken = dict(draw_plots(sources.standings(), sources.results))
    texts = [text for svg in spoken.values() for one in ET.fromstring(svg).iter(TEXT) for text in one.itertext()]

    assert set(drawn) == set(spoken)
    assert "0,2" in texts
    assert [] == unmarked_in_text("\n".join(texts), allowed=allowed)


def test_a_folder_that_cannot_be_written_is_said(small, tmp_path):
    """A sentence, not a traceback."""
    (tmp_path / "file").write_text("")
    sources = read_sources([small])

    with pytest.raises(UsageError, match="cannot be written"):
        write_plots(sources.standings(), sources.results, tmp_path / "file")
