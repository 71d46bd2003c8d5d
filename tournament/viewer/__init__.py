"""Showing games: a record becomes frames, and every face draws frames and knows no rules."""
