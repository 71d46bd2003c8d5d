"""The commands of `tournament arena`. Django is imported once one of them runs."""
