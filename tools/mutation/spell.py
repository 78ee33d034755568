"""rustc's types (as printed in THIR) in the spelling that source code of the package takes."""

from __future__ import annotations

from tools.soundness.rustc_types import Form

EXTERN = ("burn", "std", "core", "alloc", "cubecl", "serde", "rand", "log")


class Unspelled(Exception):
    """A type that cannot be written down: of a closure, a function, an `impl Trait`."""


def spelled(form: Form) -> str:
    """The type as source. Raises Unspelled."""
    if form.head in ("&", "&mut"):
        return ("&mut " if form.head == "&mut" else "&") + spelled(form.args[0])
    if form.head == "()":
        inner = ", ".join(map(spelled, form.args))
        return f"({inner},)" if len(form.args) == 1 else f"({inner})"
    if form.head == "[]":
        return f"[{spelled(form.args[0])}]"
    if form.head == "[;]":
        return f"[{spelled(form.args[0])}; {spelled(form.args[1])}]"
    if form.head in ("const", "generic"):
        return form.text
    if form.head in ("?", "*", "!"):
        raise Unspelled(form.text or form.head)
    path = form.head
    first = path.partition("::")[0]
    if "::" in path and not first.startswith(EXTERN):
        path = f"crate::{path}"
    args = [spelled(each) for each in form.args]
    if form.name == "Tensor" and args and args[-1].endswith("::Float"):
        del args[-1]
    return f"{path}<{', '.join(args)}>" if args else path


def generics(form: Form) -> set[str]:
    """The type and const parameters that a type names."""
    found = {form.text} if form.head == "generic" else set()
    return found.union(*map(generics, form.args)) if form.args else found
