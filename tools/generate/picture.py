"""The picture of the README: what burnlint prints on the example, as SVG."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

COLUMNS, LINE, WIDTH = 100, 19, 8.43
"""Width of the terminal in characters; height and width of a character in pixels."""
_SGR = re.compile(r"\x1b\[([\d;]*)m")
_COLOURS = {
    "31": "#ff7b72",
    "33": "#e3b341",
    "32": "#7ee787",
    "34": "#79c0ff",
    "36": "#79c0ff",
    "35": "#d2a8ff",
}


def draw(root: Path, command: list[str]) -> str:
    """Run `burnlint COMMAND` in `root` with colours and draw the output."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    environment.pop("NO_COLOR", None)
    run = subprocess.run(
        [sys.executable, "-m", "burnlint", *command, "--color", "always"],
        cwd=root,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    lines = [f"\x1b[1m$ burnlint {' '.join(command)}\x1b[0m", *run.stdout.rstrip().splitlines()]
    width, height = COLUMNS * WIDTH + 32, len(lines) * LINE + 32
    rows = (
        f'<text x="16" y="{32 + number * LINE}" xml:space="preserve">{_spans(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        'role="img" aria-label="burnlint in a terminal" font-size="14" fill="#e6edf3" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#0d1117"/>\n{chr(10).join(rows)}\n</svg>\n'
    )


def _spans(line: str) -> str:
    """A line with colours as tspans."""
    out, style, at = [], "", 0
    for match in _SGR.finditer(line):
        out.append(_span(line[at : match.start()], style))
        style, at = _style(style, match[1]), match.end()
    out.append(_span(line[at:], style))
    return "".join(out)


def _span(text: str, style: str) -> str:
    return f"<tspan {style}>{escape(text)}</tspan>" if style and text else escape(text)


def _style(style: str, codes: str) -> str:
    """The attributes after one escape sequence."""
    for code in codes.split(";"):
        if code in ("", "0"):
            style = ""
        elif code == "1":
            style += ' font-weight="bold"'
        elif code[-1] and (colour := _COLOURS.get(code.replace("9", "3", 1) if len(code) == 2 else code)):
            style = re.sub(r' ?fill="[^"]*"', "", style) + f' fill="{colour}"'
    return style.strip()
