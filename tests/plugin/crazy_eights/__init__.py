"""Crazy Eights for `tournament`: rules, drawings, and a bot."""
