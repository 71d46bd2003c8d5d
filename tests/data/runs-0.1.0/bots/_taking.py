"""A helper beside a bot: its bytes are part of the bot's fingerprint."""


def taken(choices, place):
    """Returns the choice at a place from the end, or the first."""
    return choices[-min(place, len(choices))]
