"""The commands of `tournament language`: the languages that there are, and what a host corrects in them."""
