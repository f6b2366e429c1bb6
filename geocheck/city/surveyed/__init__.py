"""Kerb lines that somebody surveyed: on their own, or beside the streets of a network."""
