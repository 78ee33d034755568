"""Which faults are planted: per operator the real places, and transplants where those are too few."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from tools.mutation.base import Base, Source
from tools.mutation.fault import Fault, Operator
from tools.mutation.indirect import indirect
from tools.mutation.operators import (
    gradients,
    kernels,
    modules,
    tensors,
    training,
)
from tools.mutation.snippets import SNIPPETS
from tools.mutation.transplant import transplanted

_ONLY_TRANSPLANTED = {
    "int-div-and-rem": (6, ("P1",)),
    "int-division": (6, ("P1",)),
    "int-sum-read": (6, ("P2", "B8")),
    "row-against-column": (6, ("P5",)),
    "slice-beyond": (6, ("P7", "B10")),
    "index-beyond": (6, ("P20",)),
    "grads-taken": (6, ("B11",)),
    "batchnorm-cloned": (6, ("P16",)),
    "forward-on-autodiff": (6, ("B13", "P11")),
    "tensor-result-dropped": (6, ("P17", "-")),
    "group-after-load": (7, ("P19",)),
    "clipping-lost": (7, ("P18",)),
    "default-momentum": (7, ("P18",)),
    "remap-chain": (7, ("B18",)),
    "partial-unchecked": (7, ("B18",)),
    "overwrite-dropped": (7, ("P25",)),
    "foreign-extension": (7, ("P25",)),
    "half-weights": (7, ("P24",)),
    "loader-moved": (7, ("B20",)),
    "loader-without-device": (7, ("B5",)),
    "batch-size-assumed": (7, ("P22",)),
    "seed-after-use": (7, ("B20",)),
    "devices-mixed": (7, ("B5", "B6")),
    "cat-mixed": (7, ("B6", "B5")),
    "i64-readback": (7, ("B8", "P2")),
    "configure-after-use": (7, ("B8",)),
    "configure-ignored": (7, ("B8",)),
    "literal-beyond-i32": (7, ("B8",)),
    "f64-on-wgpu": (7, ("B8", "P4")),
    "sync-dropped": (7, ("B21",)),
    "cleanup-in-loop": (7, ("B25",)),
}


def _nowhere(_: object) -> Iterator[Fault]:
    return iter(())


OPERATORS: list[Operator] = [
    *tensors.OPERATORS,
    *gradients.OPERATORS,
    *modules.OPERATORS,
    *training.OPERATORS,
    *kernels.OPERATORS,
    *(Operator(name, issue, pitfalls, _nowhere) for name, (issue, pitfalls) in _ONLY_TRANSPLANTED.items()),
]

BY_NAME = {operator.name: operator for operator in OPERATORS}


@dataclass
class Mutant:
    """A fault to plant. `candidates` are the same fault behind one indirection or another: the first that
    compiles counts."""

    name: str
    """Of the operator."""
    base: str
    candidates: list[Fault]
    number: int
    compiles: bool | None = None
    detail: str = ""
    found: list[str] = field(default_factory=list)
    twin: list[str] = field(default_factory=list)
    first: str = field(init=False)
    """A digest of the candidates, by which a mutant is known again in another run."""

    def __post_init__(self) -> None:
        # The numbers in names hang on what else is planned.
        text = "".join(each.wrong + each.wrong_items + each.items for each in self.candidates)
        self.first = hashlib.sha256(re.sub(r"(?i)(planted_?)\d+", r"\1", text).encode()).hexdigest()[:16]

    @property
    def operator(self) -> Operator:
        return BY_NAME[self.name]

    @property
    def fault(self) -> Fault:
        return self.candidates[0]

    @property
    def is_direct(self) -> bool:
        return self.fault.shape == "direct"


def mutants(bases: Sequence[Base], most: int, least: int, names: Iterable[str] = ()) -> list[Mutant]:
    """For each operator up to `most` faults of real places, filled up to `least` with transplants; each
    direct, and once behind an indirection."""
    wanted = set(names)
    found: list[Mutant] = []
    for operator in OPERATORS:
        if wanted and operator.name not in wanted:
            continue
        # Where there are snippets too, half of each.
        real = [(b, f) for b, f in _spread(bases, operator) if f.shape == "direct"]
        real = real[: most // 2 if operator.name in SNIPPETS else most]
        shaped = [(b, f) for b, f in _spread(bases, operator) if f.shape != "direct"][:most]
        planted = (
            [
                (base, fault)
                for base, fault in _transplants(bases, operator.name, max(least, most - len(real)))
            ]
            if len(real) < most
            else []
        )
        for base, fault in real + planted:
            number = len(found)
            found.append(Mutant(operator.name, base.name, [fault], number))
            # By the fault alone, so that it is the same one whatever else is planned.
            turn = zlib.crc32(f"{fault.path} {fault.span} {fault.wrong}".encode())
            hidden = list(indirect(base.sources[fault.path], fault, number + 1, turn))
            if hidden:
                found.append(Mutant(operator.name, base.name, hidden, number + 1))
        found += [Mutant(operator.name, b.name, [f], len(found) + i) for i, (b, f) in enumerate(shaped)]
    return found


def _spread(bases: Sequence[Base], operator: Operator) -> Iterator[tuple[Base, Fault]]:
    """The real places, in turns from each base, and there from each file."""
    by_base = []
    for base in bases:
        by_file = [
            [(base, fault) for fault in operator.find(source) if _compiled(source, fault)]
            for source in base.sources.values()
        ]
        by_base.append([each for round in zip_longest(*by_file) for each in round if each is not None])
    for round in zip_longest(*by_base):
        yield from (each for each in round if each is not None)


def _compiled(source: Source, fault: Fault) -> bool:
    node = source.root.descendant_for_byte_range(*fault.span)
    return node is None or source.compiled(source.function(node))


def _transplants(bases: Sequence[Base], name: str, most: int) -> Iterator[tuple[Base, Fault]]:
    snippets = SNIPPETS.get(name, [])
    per_base = [
        [(base, fault) for fault in transplanted(base.sources.values(), snippets, most)]
        for base in bases
        if base.typed
    ]
    count = 0
    for round in zip_longest(*per_base):
        for each in round:
            if each is not None and count < most:
                count += 1
                yield each
