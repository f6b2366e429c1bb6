"""What the page draws of a bundle in a box of degrees."""
