"""How the referee works: what it plays, checks and writes, each in a process of its own that may die."""
