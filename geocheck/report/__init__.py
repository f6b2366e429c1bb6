"""What people read: pt-BR text and tables, JSON files."""
