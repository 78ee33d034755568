"""Rules about autodiff."""
