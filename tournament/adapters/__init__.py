"""What lets the training environments of others play our games: Gymnasium, PettingZoo, OpenSpiel."""
