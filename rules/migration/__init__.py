"""Rules about migration."""
