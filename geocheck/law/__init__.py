"""The law as data: rulebooks, calendar, windows, stays, sanctions."""
