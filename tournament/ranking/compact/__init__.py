"""What keeps a ranking of a million games small: results as a few bytes each, and sums over chunks of deals."""
