"""What comparisons are told as."""
