"""What an engineer found on site, which wins over what was derived or read."""
