"""burnlint: a static analyzer for Rust projects that use the burn deep-learning framework."""

__version__ = "0.1.0"
