"""The arena: a site, an API and a referee around runs, for competitions that go on for weeks without their host.

It plays nothing by itself: every round is an ordinary run folder. Folders say what was handed in and played; the
database says who may do what, and where things lie, and can be made anew from the folders.
"""
