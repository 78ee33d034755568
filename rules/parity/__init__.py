"""Rules about parity."""
