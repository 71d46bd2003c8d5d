"""Ranking: from game results to standings, intervals and comparisons.

In the order of the work: `sources` and `pooling` read runs, `results` picks whole blocks, `compact` keeps a few bytes
of each game, `group_games` has these as arrays, `points` and `strengths` make numbers with errors clustered by deal,
`basis` decides which of the two ranks a group, `claims` says what may be claimed, and `standings` and `caveats` put it
together. `comparison` compares two bots, `changes` two rankings; `sequential` and `stopping` say when a run may stop
early. numpy is imported by these modules, not here.
"""
