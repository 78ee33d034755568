"""One module per output format over one finding type."""
