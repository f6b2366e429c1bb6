"""Streets as ways over shared nodes, from wherever a city has them."""
