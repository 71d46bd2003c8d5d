"""What lets the training environments of others play our games: PettingZoo, OpenSpiel."""
