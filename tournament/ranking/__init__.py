"""Ranking: game results to standings, intervals and comparisons. Pure; numpy is imported by the modules, not here.

The way through the room: `results` (what a game gave, whole blocks only) → `arrays` (one group
as arrays) → `placement`, `plackett_luce`, `head_to_head`, `seats` (numbers with errors clustered
by deal) → `claims`, `championship`, `comparison`, `sequential` (what may be said of them) →
`standings` and `caveats` (all of it for one tournament). `planning` asks the same before play.
"""
