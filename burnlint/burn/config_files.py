"""Files in the project that a `derive(Config)` type is loaded from, and the fields that they lack."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import terms, texts
from burnlint.cargo import files as paths
from burnlint.lint.finding import Place
from burnlint.rust import hir
from burnlint.rust.items import Struct

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_MAX_NESTED = 8


class Missing(NamedTuple):
    """A field that a file lacks, by its path (`optimizer.beta`), and where the type declares it."""

    name: str
    place: Place


class LoadedFile(NamedTuple):
    """A file that a call loads, as the code names it, with its place in the project."""

    written: str
    path: str
    config: str
    """The name of the type that is loaded."""
    missing: tuple[Missing, ...]


def loaded_file(call: Expr) -> LoadedFile | None:
    """What is known of a call `Training::load("config.json")`; None if it is another call, or the file is
    not in the project or no JSON object."""
    if not isinstance(call.expr, hir.Call) or call.arity != 1 or call.key != "Config::load":
        return None
    config = _config_of(call.term)
    written = texts.whole(call.operands[0])
    if config is None or written is None:
        return None
    for folder in call.file.roots:
        path = paths.join(folder, written)
        text = call.file.read(path)
        if text is None:
            continue
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(content, dict):
            return None
        return LoadedFile(written, path, config.name, tuple(_missing(call, config, content, "", 0)))
    return None


def _config_of(term: terms.Term | None) -> Struct | None:
    """The config in `Result<Training, ConfigError>`."""
    if isinstance(term, terms.Named) and term.name == "Result" and term.args:
        term = term.args[0]
    item = term.item if isinstance(term, terms.Declared) else None
    return item if isinstance(item, Struct) and item.derives("Config") and item.shape == "named" else None


def _missing(
    call: Expr, config: Struct, content: dict[str, object], above: str, depth: int
) -> Iterator[Missing]:
    types = call.file.analysis.world.declared.fields(config)
    for field in config.fields:
        term = types.get(field.name)
        name = field.name.removeprefix("r#")
        if field.attribute("cfg") is not None or field.attribute("cfg_attr") is not None or term is None:
            continue
        if name in content:
            inner, value = _config_of(term), content[name]
            if inner is not None and isinstance(value, dict) and depth < _MAX_NESTED:
                yield from _missing(call, inner, value, f"{above}{name}.", depth + 1)
        elif _is_required(term):
            yield Missing(above + name, Place(field.file.path, *field.name_span))


def _is_required(term: terms.Term) -> bool:
    """Whether a field of that type has to be in the file: only an Option, and what is not known, need not."""
    return not isinstance(term, terms.Unknown | terms.Generic | terms.Assoc | terms.Opaque) and not (
        isinstance(term, terms.Named) and term.name in ("Option", "PhantomData")
    )
