"""From centrelines with tags to carriageways, kerbs and corners."""
