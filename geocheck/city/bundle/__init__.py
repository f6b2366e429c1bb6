"""The bundle on disk: the tables that go into it, its manifest, and a file of it for a GIS."""
