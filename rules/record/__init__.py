"""Rules about record."""
