"""Rules about tensor."""
