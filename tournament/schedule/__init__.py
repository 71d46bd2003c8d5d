"""Who meets whom on which deal: formats as pure, lazy streams of blocks.

`formats.scheduled` gives every block of a segment of `run.json` again; a knockout, which depends on results, is
`knockout.knockout`. Seeds come from `tournament.deals.schedule_seed`.
"""
