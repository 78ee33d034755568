"""Rules about training."""
