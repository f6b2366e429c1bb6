"""The card: a report as one phone-sized picture for a messaging app."""
