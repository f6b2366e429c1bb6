"""OpenStreetMap: files into ways and nodes, and what their tags say in the words of layers."""
