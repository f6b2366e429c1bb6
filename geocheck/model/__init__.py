"""The shared words: layers, places, outcomes, verdicts, the request and the report."""
