"""Kerbs on one axis, where features lie along them, and a grid to find both."""
