"""What the pages of a run show before anything else, and of each bot, each game and a run under way."""
