"""Entrants: who takes part, made from what a user writes. Bots are found by reading their files, never by importing."""
