"""What measures the layout of pages finds each kind of fault, and passes over what is meant."""

from __future__ import annotations

import pytest
from layout_of_pages import SIZES, faults_of_layout, faults_of_page, folder_of_pictures

SHORTENED = (
    '<div style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis"{}>a long name</div>'
)
FAULTY = {
    "wide": ('<div style="width: 2000px">wide</div>', "wider than the window: made"),
    "outside": ('<p style="margin-left: -40px">outside</p>', "leaves the window: outside"),
    "cut": (
        '<div style="width: 60px; overflow: hidden; white-space: nowrap">cut because long</div>',
        "cut off: cut be",
    ),
    "cut below": ('<div style="height: 24px; overflow: hidden">one<br>two</div>', "cut off: two"),
    "shortened": (SHORTENED.format(""), "shortened, and the whole is in no title: a long name"),
    "covered": ('<p>first</p><p style="margin-top: -34px">second</p>', "lies on other text: first / second"),
    "small": ('<p style="font-size: 11px">small</p>', "11.0 pixels: small"),
    "drawn": (
        '<svg viewBox="0 0 200 20" width="100"><text y="15" font-size="16">drawn</text></svg>',
        "8.0 pixels: drawn",
    ),
    "on a card of who is next": (
        '<div class="is-near"><div class="row"><svg class="card" viewBox="0 0 100 140" style="width: 100px; '
        'transform: scale(.5)"><text y="90" font-size="16">7</text></svg></div></div>',
        "8.0 pixels: 7",
    ),
    "target": ('<button style="padding: 0; border: 0; height: 20px">touch it</button>', "to touch, "),
    "in a frame": (
        "<iframe srcdoc=\"<html lang='en'><title>inner</title><p style='font-size: 9px'>inner\"></iframe>",
        "in the frame: 9.0 pixels: inner",
    ),
}
MEANT = {
    "a box that scrolls": '<div style="width: 90px; overflow: auto"><p style="width: 2000px">a long line</p></div>',
    "an ellipsis with the whole in a title": SHORTENED.format(' title="a  long name · version 2"'),
    "what an ellipsis hides": '<div style="display: flex">'
    + SHORTENED.format(' title="a long name"')
    + "<p>beside it</p></div>",
    "for screen readers": '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden; '
    'font-size: 9px">heard</p>',
    "hidden but for screen readers": '<p style="position: absolute; clip-path: inset(50%); font-size: 9px">heard</p>',
    "a link in a text": '<p>Text with <a href="#a">a</a> in it</p>',
    "hidden": '<p style="font-size: 9px" hidden>not there</p>',
    "a frame that is hidden": "<iframe hidden srcdoc=\"<p style='font-size: 9px'>inner\"></iframe>",
    "a card of somebody who waits": '<svg class="card" viewBox="0 0 100 140" width="40"><text y="90">7</text></svg>',
    "a box to tick with its label": '<label style="display: block; padding: 8px"><input type="checkbox"> yes</label>',
}


@pytest.fixture
def page_of(tmp_path, open_page):
    """Opens a page with something in its body."""

    def opened(body: str):
        path = tmp_path / "made.html"
        style = "<style>body { font: 16px/18px sans-serif; margin: 16px } p { margin: 16px 0 }</style>"
        path.write_text(f'<!DOCTYPE html><html lang="en"><title>made</title>{style}<body>{body}</body></html>')
        return open_page(path.as_uri())

    return opened


@pytest.mark.parametrize("kind", FAULTY)
def test_a_fault_is_found(page_of, kind):
    body, wanted = FAULTY[kind]

    assert [True] == [fault.startswith(wanted) for fault in faults_of_layout(page_of(body))]


@pytest.mark.parametrize("kind", MEANT)
def test_what_is_meant_is_no_fault(page_of, kind):
    assert [] == faults_of_layout(page_of(MEANT[kind]))


def test_what_is_folded_is_measured_once_it_is_open_at_each_size_and_in_the_dark(page_of):
    page = page_of(
        '<details><summary style="padding: 8px">more</summary><div style="width: 700px">wide</div></details>'
    )

    assert [
        "360 px, light, all open: wider than the window: made",
        "360 px, dark, all open: wider than the window: made",
    ] == faults_of_page(page, "made", axe=False)


def test_what_is_below_the_window_is_a_fault_of_a_page_that_is_to_fit(page_of):
    page = page_of('<p style="margin-top: 1000px">far below</p>')

    assert ([], ["leaves the window: far below"]) == (faults_of_layout(page), faults_of_layout(page, fits=True))


@pytest.mark.parametrize(
    ("style", "wanted"),
    [
        ("color: light-dark(#ddd, #000)", ["axe: color-contrast"]),
        ("color: light-dark(#000, #ddd)", ["axe in the dark: color-contrast"]),
    ],
)
def test_axe_finds_what_is_too_faint_in_one_of_the_schemes(page_of, style, wanted):
    page = page_of(
        f'<main style="color-scheme: light dark; padding: 40px; background: #fff"><p style="{style}">faint</p></main>'
    )
    faults = [fault.partition(": <")[0] for fault in faults_of_page(page, "made", sizes=SIZES[:1])]

    assert wanted == [fault for fault in faults if fault.endswith("color-contrast")]


def test_pictures_are_kept_where_the_environment_says_and_nowhere_else(page_of, tmp_path, monkeypatch):
    page = page_of("<p>a page</p>")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("TOURNAMENT_PICTURES", raising=False)
    without = folder_of_pictures()
    monkeypatch.setenv("CI", "true")
    in_ci = folder_of_pictures()
    monkeypatch.setenv("TOURNAMENT_PICTURES", str(tmp_path / "kept"))
    faults_of_page(page, "made", axe=False)
    kept = {path.name: path.read_bytes()[:4] for path in (tmp_path / "kept").iterdir()}

    assert (None, ("build", "pictures")) == (without, in_ci.parts[-2:])
    assert dict.fromkeys(("made.en.1366.light.png", "made.en.360.dark.png"), b"\x89PNG") == kept
