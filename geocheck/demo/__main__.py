"""`python -m geocheck.demo`: writes the neighbourhood and its requests anew into `data/demo/`."""

from geocheck.demo.kept import demo_folder, write_demo

write_demo(demo_folder())
