"""Rules about device."""
