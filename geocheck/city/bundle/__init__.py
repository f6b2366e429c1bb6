"""The bundle on disk: its tables, its manifest, and the account of what became of the streets."""
