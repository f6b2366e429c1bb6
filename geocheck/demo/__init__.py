"""The invented neighbourhood of the demo: its streets and layers as files, and the skips that stand in it."""
