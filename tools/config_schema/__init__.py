"""What cubecl.toml and burn.toml may hold, taken from the sources that read them."""
