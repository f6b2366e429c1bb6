"""What the map shows around skips, in metres: along the kerb, in plan, in front; knows no law."""
