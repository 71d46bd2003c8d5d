"""How Sphinx builds the site: `make docs`."""

project = "tournament"
author = "the tournament authors"
copyright = author  # noqa: A001 (Sphinx asks for this name)

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["training/**"]
# Every reference that leads nowhere is an error, because `make docs` turns warnings into errors.
nitpicky = True
myst_heading_anchors = 4
# Examples are cut with "..." on purpose, which no highlighter takes for JSON.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"  # no fonts and no scripts from elsewhere
html_title = "tournament"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
