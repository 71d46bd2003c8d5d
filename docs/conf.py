"""How Sphinx builds the site: `make docs`."""

import logging

project = "tournament"
author = "the tournament authors"
copyright = author  # noqa: A001 (Sphinx asks for this name)

extensions = ["myst_nb"]
source_suffix = {".md": "myst-nb"}
# The cells of a notebook are executed in a folder of their own whenever the site is built.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
logging.getLogger("traitlets").setLevel(logging.WARNING)  # else each notebook is told on stderr
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
# For its summaries the search would fetch pages, which a browser forbids on a page that it opened as a file.
html_show_search_summary = False
html_theme_options = {"navigation_with_keys": True}
