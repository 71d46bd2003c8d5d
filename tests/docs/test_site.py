"""The documentation as a site: made from the code where it can be, no link astray, nothing from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module

import pytest
from chromium import browser, open_page  # noqa: F401 (fixtures)

from tournament.paths import data_folder

DOCS = data_folder("schemas").parent / "docs"


@pytest.fixture
def scripts(monkeypatch):
    """Imports one of the scripts in docs/."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module


def build(folder, *options):
    """Builds the site as `make docs` does, and expects that Sphinx warns of nothing."""
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", *options, DOCS, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [
        line for line in done.stderr.splitlines() if not line.startswith("[IPKernelApp] WARNING | Kernel is running")
    ]
    assert ([], 0) == (said, done.returncode)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The whole site; long, because its notebook is executed, and every page drawn."""
    return build(tmp_path_factory.mktemp("site"))


def test_the_reference_is_what_the_code_says(scripts):
    """When it fails: `make docs` writes these pages."""
    pages = scripts("make_reference").make_pages()

    assert {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "reference").iterdir()} == pages


def test_the_man_page_is_what_the_code_says(scripts):
    """When it fails: `make docs` writes it."""
    page = scripts("make_man_page")

    assert page.make_man_page() == page.PAGE.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_man_page_is_good_roff(scripts):
    """Nothing to warn of, and no line of it is lost."""
    page = scripts("make_man_page").PAGE
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=False)

    assert ("", True) == (done.stderr, "tournament run" in done.stdout)


def test_a_part_of_an_argument_that_may_be_left_out_keeps_its_brackets(scripts):
    """`RUN[#ID]` is not an optional argument, `[CONFIG.yaml]` is one."""
    page = scripts("make_reference").make_commands()

    assert "\ntournament export RUN[#ID] [OPTIONS]\n" in page
    assert "\ntournament run [CONFIG.yaml] [OPTIONS]\n" in page


def test_a_field_that_nobody_explains_stops_the_reference(scripts, monkeypatch):
    """A new field of a file is explained where it is defined, or in fields.yaml."""
    files = scripts("make_reference_of_files")
    section = files.Section({}, {"fields": {}, "everywhere": {}}, {})

    section.table_of("Record", {"properties": {"colour": {"type": "string"}}})

    assert ["Record.colour"] == section.missing


def test_drawings_are_what_their_script_draws(scripts):
    """When it fails: `make docs` draws them."""
    drawings = scripts("make_drawings").DRAWINGS

    assert {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "drawings").iterdir()} == {
        name: draw() for name, draw in drawings.items()
    }


def test_every_link_of_the_pages_leads_somewhere(tmp_path):
    """Sphinx warns of links and pictures that are not there, and of pages that nothing leads to."""
    no_cells = ("nb_execution_mode=off", "suppress_warnings=misc.highlighting_failure,myst-nb.lexer")
    build(tmp_path, "--builder", "dummy", *(f"--define={setting}" for setting in no_cells))


@pytest.mark.long
def test_the_site_is_built_without_a_warning(site):
    """Also where a cell of its notebook warns."""
    assert (site / "index.html").is_file()


@pytest.mark.long
def test_the_site_loads_nothing_from_elsewhere(site):
    """It works from a disk: no font, style, picture or script has an address of its own."""
    loads = re.compile(r"""<(?:link|script|img|iframe)\b[^>]*(?:href|src)=["'](?:https?:)?//[^"']*|url\(["']?https?:""")
    found = {
        str(path.relative_to(site)): loads.findall(path.read_text(encoding="utf-8"))
        for path in site.rglob("*")
        if path.suffix in (".html", ".css")
    }

    assert {} == {page: addresses for page, addresses in found.items() if addresses}


@pytest.mark.long
def test_the_search_works_on_a_page_that_was_opened_as_a_file(site, open_page):  # noqa: F811 (a fixture)
    """Nothing is said on the console, and no page is fetched."""
    page = open_page(f"{(site / 'search.html').as_uri()}?q=knockout")
    page.wait_for_selector("#search-results li a")
    links = page.eval_on_selector_all("#search-results li a", "found => found.map(one => one.getAttribute('href'))")

    assert any(link.startswith("reference/configuration.html") for link in links)


@pytest.mark.long
def test_a_notebook_shows_standings_comparison_and_replay_by_itself(site):
    """It is executed when the site is built, and a cell that fails stops that."""
    page = (site / "how-to" / "notebook.html").read_text(encoding="utf-8")

    assert "Stopped after" in page
    assert "<pre><span></span>True\n</pre>" in page  # the records of the resumed run are those of the other
    assert 4 <= page.count("<table")
    assert 1 == page.count('<img alt="../_images/')  # the ratings over the run
    assert 1 == page.count('<iframe title="Replay of explorers-2p')


def test_the_pictures_are_small_and_a_page_shows_each_with_a_text():
    """When it fails: `make pictures` takes them."""
    texts = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    shown = set(re.findall(r"!\[[^\]]{10,}\]\((?:\.\./)?pictures/([\w-]+\.png)\)", texts))
    sizes = {path.name: path.stat().st_size for path in (DOCS / "pictures").glob("*.png")}

    assert sizes.keys() == shown
    assert {} == {name: size for name, size in sizes.items() if size >= 100_000}
