"""What lies on and along streets: layers of OSM and of city halls in one vocabulary."""
