"""The API of an arena, for programs: what everybody sees, and with a token what an owner may do; and its client.

`submitting` is the client, and needs neither Django nor an arena.
"""
