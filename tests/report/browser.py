"""A headless Chromium driven over its debugging pipe: the DevTools protocol without a client library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = None if sys.platform == "win32" else next(filter(None, map(shutil.which, _NAMES)), None)
"""Where Chromium is; None where it is not, and on Windows, which hands over no descriptors by number."""


class Page:
    """One page. `said` has what its console, its log and its network were told, `requests` the addresses it
    asked for."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._buffer, self._number = b"", 0
        self._session: str | None = None
        self.said: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a command. Raises AssertionError when the browser refuses it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._hear(answer)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def open(self, address: str) -> None:
        """Goes to an address and waits until it is loaded."""
        self.call("Page.navigate", url=address)
        while (event := self._read()).get("method") != "Page.loadEventFired":
            self._hear(event)

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            read = os.read(self._reads, 1 << 16)
            assert read, "the browser is gone"
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _hear(self, event: Any) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Log.entryAdded":
                self.said.append(parameters["entry"]["text"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                self.said.append(json.dumps(parameters))
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A page of a new Chromium whose profile is in `folder`."""
    assert CHROMIUM is not None
    its_input, our_output = map(_above_the_named, os.pipe())
    our_input, its_output = map(_above_the_named, os.pipe())
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]

    def name_them() -> None:
        os.dup2(its_input, 3)
        os.dup2(its_output, 4)

    process = subprocess.Popen(
        [*command, "--no-first-run", f"--user-data-dir={folder}"],
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=name_them,
    )
    os.close(its_input)
    os.close(its_output)
    try:
        yield Page(our_input, our_output)
    finally:
        os.close(our_output)
        os.close(our_input)
        process.terminate()
        process.wait(30)


def _above_the_named(descriptor: int) -> int:
    """The descriptor under a number that is neither 3 nor 4, where Chromium reads commands and writes answers."""
    import fcntl  # Windows has none

    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
