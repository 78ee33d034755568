"""The command line, one module per command."""


def main() -> None:
    raise SystemExit("not built yet")
