"""What is played next in a competition that goes on for weeks, worked out from what is known and from the time.

All of it is pure: no clock, no database, no file. Whoever plays gathers a `KnownCompetition` (`known.py`) for each
competition and asks `next_quick` or `next_long` (`lanes.py`): the answer is a check, a round with its fields and its
budget, or a rest with its reason. A round that was interrupted goes on before anybody asks for another.
"""
