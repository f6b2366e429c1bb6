"""From a placement to findings: what is known of it, judged test by test."""
