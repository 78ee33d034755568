"""Sources with random damage: whatever is left is read, nothing is raised, bodies stay well formed."""

from __future__ import annotations

import random
import re

import pytest
from test_lower import SNIPPETS

from burnlint.rust import hir, visit
from burnlint.rust.lower import body_of
from burnlint.rust.modules import Crate
from burnlint.rust.names import Names
from burnlint.rust.resolution import Scope
from burnlint.rust.source import SourceFile

TOKENS = re.findall(r"\w+|\s+|::|[^\w\s]", SNIPPETS)
NOISE = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "|",
    "#",
    "!",
    '"',
    "'",
    "fn",
    "let",
    "match",
    "=>",
    "..",
    "@",
]
NOISE += ["\x00", "é", "r#", "//"]


def damaged(rng: random.Random) -> str:
    tokens = TOKENS[:]
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                del tokens[at : at + rng.randint(1, 4)]
            case 1:
                tokens.insert(at, rng.choice(NOISE))
            case 2:
                tokens[at:at] = tokens[rng.randrange(len(tokens)) :][: rng.randint(1, 20)]
            case 3:
                del tokens[at + rng.randint(1, 200) :]
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(150))
def test_damage(seed: int) -> None:
    file = SourceFile("src/lib.rs", damaged(random.Random(seed)).encode())
    crate = Crate("a", "src/lib.rs", {"src/lib.rs": file}.get, {"burn": "burn"})
    names = Names()
    assert file.errors == sorted(file.errors)
    for item in file.items.all:
        assert 0 <= item.span[0] <= item.span[1] <= len(file.content)
        assert item.generics is not None and item.cfg is not None
    for fn in file.items.functions:
        b = body_of(fn)
        seen: set[int] = set()
        for e in b.exprs:
            for child in visit.children(e):
                assert child.id < e.id and child.id not in seen
                seen.add(child.id)
            if isinstance(e, hir.PathExpr):
                module = crate.module_of(fn)
                assert module is not None
                names.resolve(Scope(module, fn), e.path, "value")


@pytest.mark.parametrize("seed", range(60))
def test_every_beginning_of_a_file(seed: int) -> None:
    content = SNIPPETS.encode()
    file = SourceFile("src/lib.rs", content[: len(content) * seed // 60])
    for fn in file.items.functions:
        assert body_of(fn).root is not None
