"""Rules about module."""
