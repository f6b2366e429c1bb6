"""From OpenStreetMap and municipal files to a city: streets, kerbs, corners, layers."""
